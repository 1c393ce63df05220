/* SPDX-License-Identifier: MIT */
/* Inputs as variables (engine/explore/symbols.h): random programs of two threads
 * whose inputs have few values, all of which the full search tries, one after the
 * other; the search with variables must say the same. */
#include "explore_agree.h"

/* --- programs --- */

static const char *place(writer *w) {
  static const char *const names[] = {"@x", "@y", "@z", "@u", "@v"};
  return names[draw(&w->r, 5)];
}

static const char *number(writer *w) {
  static const char *const names[] = {"%a", "%b", "%d"};
  return names[draw(&w->r, 3)];
}

/* Of any value, instead of few. */
static bool wide;

static void put_input(writer *w) {
  int low = (int)draw(&w->r, 90) - 60;
  int size = 9 + (int)draw(&w->r, w->used[9] ? 6 : 30);
  act(w, "call %s = @heddle_nondet_int(%d:i32, %d:i32)", number(w),
      wide ? INT32_MIN : low, wide ? INT32_MAX : low + size);
}

static void put_operation(writer *w) {
  static const char *const ops[] = {
      "add",  "sub",  "mul",  "and",  "or",   "xor",  "shl",      "lshr",
      "ashr", "udiv", "sdiv", "urem", "srem", "smin", "smax",     "umin",
      "umax", "add",  "sub",  "mul",  "add",  "xor",  "add.i32.x"};
  uint32_t i = draw(&w->r, 22);
  const char *flags = (i == 0 || i == 1 || i == 2) && w->used[0] ? ".nsw" : "";
  char constant[20];
  snprintf(constant, sizeof constant, "%d:i32",
           (int)draw(&w->r, i >= 6 && i <= 8 ? 33 : 12) - (i > 8));
  act(w, "set %s = %s.i32%s(%s, %s)", number(w), ops[i], flags, number(w),
      draw(&w->r, 2) || (i >= 6 && i <= 8) ? constant : number(w));
}

/* Through fewer bits, the bytes in another order, as a float, one of two. */
static void put_cast(writer *w) {
  const char *to = number(w), *from = number(w);
  switch (draw(&w->r, 8)) {
  case 0:
    act(w, "set %s = sext.i32(trunc.i8(%s))", to, from);
    break;
  case 1:
    act(w, "set %s = zext.i32(trunc.i16(%s))", to, from);
    break;
  case 2:
    act(w, "set %s = bswap.i32(%s)", to, from);
    break;
  case 3:
    act(w, "set %s = zext.i32(slt.i1(%s, %s))", to, from, number(w));
    break;
  case 4:
    act(w, "set %s = select.i32(slt.i1(%s, %u:i32), %s, %s)", to, from,
        draw(&w->r, 20), number(w), number(w));
    break;
  case 5:
    act(w, "set %s = zext.i32(f%s.i1(bitcast.f32(%s), bitcast.f32(%s)))", to,
        draw(&w->r, 2) ? "olt" : "une", from, number(w));
    break;
  case 6:
    act(w, "set %s = zext.i32(smul_overflows.i1(%s, 100000007:i32))", to, from);
    break;
  default:
    act(w, "set %s = trunc.i32(lshr.i64(mul.i64(sext.i64(%s), 77:i64), 3:i64))",
        to, from);
  }
}

static void put_bool(writer *w) {
  act(w, "call %%t = @less(%s, %u:i32)", number(w), draw(&w->r, 9));
  act(w, "set %s = zext.i32(%%t)", number(w));
}

/* Bytes of variables, whole ones, and both. */
static void put_memory(writer *w) {
  const char *g = place(w);
  switch (draw(&w->r, 7)) {
  case 0:
    act(w, "store ptradd.ptr(%s, %u:i64) = trunc.i8(%s)", g, draw(&w->r, 4),
        number(w));
    break;
  case 1:
    act(w, "load %%c = ptradd.ptr(%s, %u:i64)", g, draw(&w->r, 4));
    act(w, "set %s = sext.i32(%%c)", number(w));
    break;
  case 2:
    act(w, "call %%q = @memcpy(%s, %s, 4:i64)", g, place(w));
    break;
  case 3:
    act(w, "call %s = @memcmp(%s, %s, %u:i64)", number(w), g, place(w),
        1 + draw(&w->r, 4));
    act(w, "set %%a = zext.i32(eq.i1(%%a, 0:i32))");
    break;
  case 4:
    act(w, "load %s = %s", number(w), g);
    break;
  default:
    act(w, "store %s = %s", g, number(w));
  }
}

static void put_atomic(writer *w) {
  static const char *const ops[] = {"add", "sub", "and",  "or",  "xor",
                                    "max", "min", "umax", "xchg"};
  if (draw(&w->r, 2))
    act(w, "rmw.%s.seq_cst %s = %s, %s", ops[draw(&w->r, 9)], number(w),
        place(w), number(w));
  else if (draw(&w->r, 2))
    act(w, "cmpxchg.seq_cst %s, %%ok = %s, %s, %s", number(w), place(w),
        number(w), number(w));
  else
    act(w, "cmpxchg.seq_cst %s, %%ok = %s, %u:i32, %s", number(w), place(w),
        draw(&w->r, 5), number(w));
}

static void put_index(writer *w) {
  const char *i = number(w);
  if (draw(&w->r, 3))
    act(w, "set %s = and.i32(%s, 3:i32)", i, i);
  act(w,
      draw(&w->r, 2) ? "store ptradd.ptr(@th, mul.i64(zext.i64(%s), 8:i64)) "
                       "= zext.i64(%s)"
                     : "store ptradd.ptr(@th, mul.i64(sext.i64(%s), 8:i64)) "
                       "= sext.i64(%s)",
      i, number(w));
}

static void put_check(writer *w) {
  static const char *const less[][2] = {
      {"slt", "sge"}, {"eq", "ne"}, {"ne", "eq"}, {"ult", "uge"}};
  uint32_t k = draw(&w->r, 4);
  const char *a = number(w);
  char yes[80], no[80];
  int c = (int)draw(&w->r, 60) - 30;
  snprintf(yes, sizeof yes, "%s.i1(%s, %d:i32)", less[k][0], a, c);
  snprintf(no, sizeof no, "%s.i1(%s, %d:i32)", less[k][1], a, c);
  branch(w, yes, no, 1);
  switch (draw(&w->r, 5)) {
  case 0:
    act(w, "call @exit(%s)", number(w));
    break;
  case 1:
    act(w, "call @__VERIFIER_assume(%s)", number(w));
    break;
  case 2:
    put_memory(w);
    break;
  case 3:
    put_operation(w);
    break;
  default:
    act(w, "call @reach_error()");
  }
}

static void put_any(writer *w) {
  switch (draw(&w->r, 12)) {
  case 0:
  case 1:
  case 2:
    put_operation(w);
    break;
  case 3:
    put_cast(w);
    break;
  case 4:
    put_bool(w);
    break;
  case 5:
  case 6:
    put_check(w);
    break;
  case 7:
    if (w->used[1])
      put_atomic(w);
    break;
  case 8:
    if (w->used[2])
      put_index(w);
    break;
  case 9:
    if (w->used[3]) {
      act(w, "call %%k = @pthread_mutex_lock(@m)");
      put_memory(w);
      act(w, "call %%k = @pthread_mutex_unlock(@m)");
      break;
    } /* fallthrough */
  default:
    put_memory(w);
  }
}

static const char externals[] =
    "function @memcmp \"memcmp\" (ptr, ptr, i64) -> i32 external\n"
    "function @less \"less\" (%a, %b) -> i1 {\n"
    "  reg %a i32\n  reg %b i32\n"
    "  location 0 -\n    -> 0 - return slt.i1(%a, %b)\n}\n";

static void put_worker(writer *w, int number_of, int steps) {
  put(w, "function @t%d (%%arg) -> ptr {\n  reg %%arg ptr\n", number_of);
  put(w, "  reg %%d i32\n  reg %%c i8\n  reg %%t i1\n");
  put_registers(w);
  act(w, "set %%a, %%b = 0:i32, 1:i32");
  act(w, "set %%d = trunc.i32(ptrtoint.i64(%%arg))");
  if (w->used[4] && number_of == 0)
    put_input(w);
  for (int i = 0; i < steps; i++)
    put_any(w);
  put_location(w, w->loc);
  put(w, "    -> %d - return inttoptr.ptr(zext.i64(%%a))\n}\n", w->loc);
}

static hd_str input_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 12; i++)
    w.used[i] = draw(&w.r, 2);
  hd_str_puts(&w.out, declarations);
  hd_str_puts(&w.out, externals);
  int threads = (int)draw(&w.r, 3), steps = 1 + (int)draw(&w.r, 3);
  for (int i = 0; i < threads; i++)
    put_worker(&w, i, steps);
  put(&w, "function @main () -> i32 {\n");
  put(&w, "  reg %%d i32\n  reg %%c i8\n  reg %%t i1\n");
  put_registers(&w);
  act(&w, "set %%a, %%b = 2:i32, 3:i32");
  act(&w, "set %%d = 4:i32");
  put_input(&w);
  if (w.used[9])
    put_input(&w);
  for (int n = (int)draw(&w.r, threads ? 4 : 9); n; n--)
    put_any(&w);
  act(&w, "store %s = %s", place(&w), number(&w));
  for (int i = 0; i < threads; i++)
    act(&w,
        "call %%k = @pthread_create(ptradd.ptr(@th, %d:i64), null, @t%d, "
        "inttoptr.ptr(zext.i64(%s)))",
        8 * i, i, number(&w));
  if (w.used[5])
    put_any(&w);
  for (int i = 0; i < threads && !w.used[2]; i++) {
    act(&w, "load %%h = ptradd.ptr(@th, %d:i64)", 8 * i);
    act(&w, "call %%k = @pthread_join(%%h, @p)");
  }
  for (int n = (int)draw(&w.r, 4); n; n--)
    put_any(&w);
  if (draw(&w.r, 2))
    act(&w, "load %s = %s", number(&w), place(&w));
  put_check(&w);
  put_location(&w, w.loc);
  put(&w, "    -> %d - return %s\n}\n", w.loc, number(&w));
  return w.out;
}

/* --- the comparison --- */

static void agree_on(uint64_t from, uint64_t n, hd_properties checks) {
  uint64_t safe = 0, unsafe = 0, open = 0, skipped = 0, proved = 0;
  double classes = 0;
  for (uint64_t seed = from; seed < from + n; seed++) {
    job all = job_of(input_program(seed), checks);
    job some = job_of(input_program(seed), checks);
    all.options.no_reduction = true;
    all.options.max_states = some.options.max_states = 30000;
    some.options.max_inputs = 1;
    some.options.no_reduction = seed % 8 == 0;
    hd_explore(all.code, &all.options, &all.run, &all.result);
    hd_explore(some.code, &some.options, &some.run, &some.result);
    for (unsigned p = 0; p < HD_PROPERTY_COUNT; p++) {
      hd_verdict a = of(&all, (hd_property)p)->verdict;
      hd_verdict b = of(&some, (hd_property)p)->verdict;
      if (!(checks >> p & 1))
        continue;
      if (a == HD_UNKNOWN || b == HD_UNKNOWN) {
        skipped += a == HD_UNKNOWN;
        open += a != HD_UNKNOWN;
        continue;
      }
      if (a != b) {
        hd_str text = input_program(seed);
        fputs(hd_str_text(&text) + sizeof declarations - 1, stderr);
        hd_str_free(&text);
        fail_msg("program %llu: %s is %s, not %s", (unsigned long long)seed,
                 hd_property_name((hd_property)p),
                 a == HD_SAFE ? "safe" : "unsafe",
                 b == HD_SAFE ? "safe" : "unsafe");
      }
      safe += a == HD_SAFE;
      unsafe += a == HD_UNSAFE;
    }
    for (size_t i = 0; i < some.result.stats.size; i++)
      if (!strcmp(some.result.stats.data[i].name, "explore.classes"))
        classes += some.result.stats.data[i].value;
    /* What few values show all of them do. */
    wide = true;
    job any = job_of(input_program(seed), checks);
    wide = false;
    any.options.max_states = 2000;
    hd_run limited = {.deadline = hd_now() + 1};
    if (seed % 4 == 0) {
      hd_explore(any.code, &any.options, &limited, &any.result);
      for (unsigned p = 0; p < HD_PROPERTY_COUNT; p++) {
        if (checks >> p & 1 && of(&any, (hd_property)p)->verdict == HD_SAFE &&
            of(&all, (hd_property)p)->verdict == HD_UNSAFE)
          fail_msg("program %llu: not safe", (unsigned long long)seed);
        proved += of(&any, (hd_property)p)->verdict == HD_SAFE;
      }
    }
    free_job(&any);
    free_job(&all);
    free_job(&some);
  }
  print_message("%llu safe, %llu unsafe, %llu not decided, %llu skipped; %.0f "
                "classes; wide: %llu safe\n",
                (unsigned long long)safe, (unsigned long long)unsafe,
                (unsigned long long)open, (unsigned long long)skipped, classes,
                (unsigned long long)proved);
  assert_true(safe && unsafe && open * 4 < safe + unsafe);
}

static void test_assertions(void **state) {
  (void)state;
  agree_on(1, programs(40), BIT(ASSERT));
}

static void test_behaviour(void **state) {
  (void)state;
  agree_on(100001, programs(25),
           BIT(ASSERT) | BIT(MEMORY) | BIT(ARITH) | BIT(OVERFLOW));
}

static void test_races(void **state) {
  (void)state;
  agree_on(200001, programs(25), USUAL | BIT(MEMORY) | BIT(ARITH));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_assertions),
      cmocka_unit_test(test_behaviour),
      cmocka_unit_test(test_races),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
