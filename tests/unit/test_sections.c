/* SPDX-License-Identifier: MIT */
/* Programs whose threads meet in atomic sections, in the style of store buffers
 * that are simulated by variables: sections with conditional assignments, flags
 * that are inputs, variables that only serve inside a section, a counter that
 * main assumes to be complete. What the search leaves out makes no difference. */
#include "explore_agree.h"

static bool one_in(writer *w, uint32_t n) {
  return !draw(&w->r, n);
}

/* v = c ? v : k, and others that often change nothing. */
static void put_conditional(writer *w) {
  const char *g = variable(w), *h = variable(w);
  char yes[60], no[60];
  uint32_t k = draw(&w->r, 2);
  act(w, "load %%b = %s", h);
  snprintf(yes, sizeof yes, "eq.i1(%%b, %u:i32)", k);
  snprintf(no, sizeof no, "ne.i1(%%b, %u:i32)", k);
  branch(w, yes, no, 1);
  act(w, "store %s = %u:i32", g, draw(&w->r, 2));
}

static void put_copy(writer *w) {
  const char *g = variable(w);
  act(w, "load %%b = %s", g);
  act(w, "store %s = %%b", one_in(w, 3) ? variable(w) : g);
}

static void put_flag(writer *w) {
  act(w, "call %%a = @heddle_nondet_int(0:i32, 1:i32)");
  act(w, "store %s = %%a", one_in(w, 2) ? "@o" : variable(w));
}

/* @o is written before it is read, almost always. */
static void put_temporary(writer *w) {
  if (!one_in(w, 12))
    act(w, "store @o = %s", one_in(w, 2) ? "%a" : "%b");
  act(w, "load %%%s = @o", one_in(w, 2) ? "a" : "b");
}

static void put_statement(writer *w) {
  switch (draw(&w->r, 12)) {
  case 0:
  case 1:
    act(w, "load %%a = %s", variable(w));
    break;
  case 2:
    act(w, "store %s = %u:i32", variable(w), draw(&w->r, 3));
    break;
  case 3:
    act(w, "store %s = %%a", variable(w));
    break;
  case 4:
  case 5:
    put_conditional(w);
    break;
  case 6:
    put_copy(w);
    break;
  case 7:
    put_flag(w);
    break;
  case 8:
    put_temporary(w);
    break;
  case 9:
    act(w, "load %%a = %s", variable(w));
    put_error(w);
    break;
  case 10:
    if (w->used[0])
      act(w, "call @__VERIFIER_assume(zext.i32(ne.i1(%%a, 1:i32)))");
    break;
  default:
    if (w->used[1])
      put_access(w); /* also by atomic operations */
    else if (w->used[2])
      put_pointer(w);
    else if (w->used[3])
      put_critical(w); /* may wait inside the section */
    else if (w->used[4])
      act(w, "call @init()");
  }
}

/* Back to `head` while %a is 0. */
static void put_back(writer *w, int head) {
  put_location(w, w->loc);
  put(w, "    -> %d - when eq.i1(%%a, 0:i32)\n", head);
  put(w, "    -> %d - when ne.i1(%%a, 0:i32)\n", w->loc + 1);
  w->loc++;
}

static void put_section(writer *w) {
  int head = w->loc;
  act(w, "call @__VERIFIER_atomic_begin()");
  for (int n = 1 + (int)draw(&w->r, 4); n; n--)
    put_statement(w);
  if (w->used[7] && one_in(w, 6)) { /* goes round inside, perhaps for ever */
    int inner = w->loc;
    act(w, "call %%a = @heddle_nondet_int(0:i32, 1:i32)");
    put_back(w, inner);
  }
  act(w, "call @__VERIFIER_atomic_end()");
  if (w->used[8] && !w->used[2] && one_in(w, 4)) /* not for ever malloc */
    put_back(w, head);
}

static void put_step(writer *w) {
  if (w->used[5] && one_in(w, 4))
    put_statement(w);
  else if (w->used[6] && one_in(w, 4))
    put_critical(w);
  else
    put_section(w);
}

static void put_body(writer *w, int number, int steps, bool counted) {
  put(w, "function @t%d (%%arg) -> ptr {\n  reg %%arg ptr\n", number);
  put_registers(w);
  for (int i = 0; i < steps; i++)
    put_step(w);
  if (counted) {
    act(w, "call @__VERIFIER_atomic_begin()");
    act(w, "load %%a = @ts");
    act(w, "store @ts = add.i32(%%a, 1:i32)");
    act(w, "call @__VERIFIER_atomic_end()");
  }
  put_location(w, w->loc);
  put(w, "    -> %d - return null\n}\n", w->loc);
}

/* Main waits: by an assumption about the counter, or by joining. */
static void put_wait(writer *w, int threads, bool counted) {
  if (!counted) {
    for (int i = 0; i < threads; i++) {
      act(w, "load %%h = ptradd.ptr(@th, %d:i64)", 8 * i);
      act(w, "call %%k = @pthread_join(%%h, null)");
    }
    return;
  }
  act(w, "call @__VERIFIER_atomic_begin()");
  act(w, "load %%a = @ts");
  if (one_in(w, 2)) /* others may notice, or may not */
    act(w, "store %s = %%a", one_in(w, 2) ? "@rw" : variable(w));
  act(w, "call @__VERIFIER_atomic_end()");
  act(w, "call @__VERIFIER_assume(zext.i32(eq.i1(%%a, %d:i32)))",
      one_in(w, 4) ? threads - 1 : threads);
}

static void put_starter(writer *w, int threads, bool counted) {
  put(w, "function @main () -> i32 {\n");
  put_registers(w);
  for (int i = 0; i < threads; i++)
    act(w,
        "call %%k = @pthread_create(ptradd.ptr(@th, %d:i64), null, @t%d, "
        "null)",
        8 * i, i);
  if (one_in(w, 3))
    put_section(w);
  put_wait(w, threads, counted);
  if (one_in(w, 2))
    put_section(w);
  /* What is left of three variables is the result. */
  act(w, "load %%a = @x");
  act(w, "load %%b = @y");
  act(w, "set %%b = add.i32(mul.i32(%%b, 4:i32), and.i32(%%a, 3:i32))");
  act(w, "load %%a = %s", variable(w));
  put_location(w, w->loc);
  put(w, "    -> %d - return add.i32(mul.i32(%%a, 16:i32), %%b)\n}\n", w->loc);
}

static hd_str section_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  for (int i = 0; i < 12; i++)
    w.used[i] = !draw(&w.r, 4);
  bool counted = draw(&w.r, 2);
  int threads = draw(&w.r, 3) ? 2 : 3;
  int steps = threads == 2 ? 2 + (int)draw(&w.r, 4) : 1 + (int)draw(&w.r, 3);
  hd_str_puts(&w.out, declarations);
  for (int i = 0; i < threads; i++)
    put_body(&w, i, steps, counted);
  put_starter(&w, threads, counted);
  return w.out;
}

/* --- what the random ones hardly show --- */

static void begin_section(writer *w) {
  act(w, "call @__VERIFIER_atomic_begin()");
}

static void end_section(writer *w) {
  act(w, "call @__VERIFIER_atomic_end()");
}

static void put_choice(writer *w) {
  act(w, "call %%a = @heddle_nondet_int(0:i32, 1:i32)");
}

/* The section never ends, but for the run. */
static void never(writer *w) {
  begin_section(w);
  put_choice(w);
  act(w, "call @__VERIFIER_assume(zext.i32(eq.i1(%%a, 5:i32)))");
  end_section(w);
}

/* Sections for ever, each with an input in it. */
static void for_ever(writer *w) {
  int head = w->loc;
  begin_section(w);
  put_choice(w);
  act(w, "store @x = %%a");
  end_section(w);
  put_location(w, w->loc);
  put(w, "    -> %d - set %%k = 0:i32\n", head);
  w->loc++;
}

/* One that may go round for ever inside. */
static void round_inside(writer *w) {
  begin_section(w);
  int head = w->loc;
  put_choice(w);
  put_back(w, head);
  end_section(w);
}

/* Adds after the input. */
static void adds(writer *w) {
  begin_section(w);
  put_choice(w);
  act(w, "load %%b = @x");
  act(w, "store @x = add.i32(%%b, 1:i32)");
  end_section(w);
}

static void copies(writer *w) {
  begin_section(w);
  act(w, "load %%a = @x");
  act(w, "store @y = %%a");
  end_section(w);
}

static void fails(writer *w) {
  begin_section(w);
  act(w, "store @z = 1:i32");
  end_section(w);
  act(w, "call @reach_error()");
}

typedef void body(writer *w);

static void put_special(writer *w, int number, body *put_it) {
  put(w, "function @t%d (%%arg) -> ptr {\n  reg %%arg ptr\n", number);
  put_registers(w);
  put_it(w);
  put_location(w, w->loc);
  put(w, "    -> %d - return null\n}\n", w->loc);
}

static body *const specials[][2] = {
    {never, fails},  {for_ever, fails},  {round_inside, fails},
    {adds, copies},  {for_ever, copies}, {round_inside, copies},
    {never, copies},
};

/* Each pair in both orders. */
static hd_str special_program(uint64_t seed) {
  writer w = {.r = rng_of(seed)};
  hd_str_puts(&w.out, declarations);
  put_special(&w, 0, specials[seed / 2][seed % 2]);
  put_special(&w, 1, specials[seed / 2][1 - seed % 2]);
  put_starter(&w, 2, false);
  return w.out;
}

static void test_special(void **state) {
  (void)state;
  totals t = {0};
  for (uint64_t i = 0; i < 2 * sizeof specials / sizeof *specials; i++)
    compare(special_program, i, BIT(ASSERT), false, &t);
  assert_true(t.unsafe >= 6);
}

static totals agree(uint64_t first, uint64_t usual, hd_properties checks) {
  totals t = {0};
  for (uint64_t i = 0; i < programs(usual); i++)
    compare(section_program, first + i, checks, false, &t);
  print_message("%llu programs, %llu too large; %llu fail; %.0f states, "
                "reduced %.0f\n",
                (unsigned long long)t.programs, (unsigned long long)t.skipped,
                (unsigned long long)t.unsafe, t.full, t.reduced);
  assert_true(t.programs * 10 >= programs(usual) * 8);
  return t;
}

static void test_assertions(void **state) {
  (void)state;
  totals t = agree(1, 400, BIT(ASSERT));
  assert_true(t.unsafe && t.unsafe < t.programs);
  assert_true(t.reduced < t.full);
}

static void test_memory(void **state) {
  (void)state;
  agree(100001, 120, BIT(ASSERT) | BIT(MEMORY) | BIT(DEADLOCK));
}

static void test_races(void **state) {
  (void)state;
  totals t = agree(200001, 80, USUAL | BIT(MEMORY));
  assert_true(t.races && t.races < t.programs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_special),
      cmocka_unit_test(test_assertions),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_races),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
