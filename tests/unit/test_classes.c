/* SPDX-License-Identifier: MIT */
/* Values of an input that stand for all of them (check/interp/classes.c): on
 * random programs every value must lead to the same end as one of those that are
 * named; and often few are enough. What is left in memory often decides the
 * end. */
#include "interp_util.h"

#include "engine/explore/common.h"

enum { PROGRAMS = 300, BLOCKS = 9 };

static const char *const helpers =
    "function @abort \"abort\" () -> void external\n"
    "function @must \"must\" (%c) -> void {\nreg %c i32\n"
    "location 0 -\n-> 1 - when ne.i1(%c, 0:i32)\n"
    "-> 2 - when eq.i1(%c, 0:i32)\n"
    "location 1 -\n-> 1 - return\n"
    "location 2 -\n-> 3 - call @abort()\n"
    "location 3 -\n-> 3 - unreachable\n}\n"
    "function @next \"next\" (%c) -> i32 {\nreg %c i32\n"
    "location 0 -\n-> 0 - return add.i32.nsw(%c, 3:i32)\n}\n"
    "function @__VERIFIER_assume \"__VERIFIER_assume\" (i32) -> void "
    "external\n";

static const char *reg(hd_rng *rng) {
  static const char *const regs[] = {"%a", "%b", "%d"};
  return regs[hd_rng_below(rng, 3)];
}

static long number(hd_rng *rng) {
  static const long some[] = {0,   1,    -1,   7,  127,       128,
                              255, -128, -129, 64, 0x7fffffff};
  return hd_rng_once_in(rng, 2) ? some[hd_rng_below(rng, 11)]
                                : (long)hd_rng_below(rng, 300) - 150;
}

static void put_term(hd_str *out, hd_rng *rng) {
  static const char *const ops[] = {"add.i32.nsw", "sub.i32.nsw", "add.i32",
                                    "sub.i32",     "and.i32",     "mul.i32",
                                    "srem.i32"};
  switch (hd_rng_below(rng, 5)) {
  case 0:
    hd_str_printf(out, "%ld:i32", number(rng));
    break;
  case 1:
    hd_str_puts(out, "sext.i32(%x)");
    break;
  case 2:
    hd_str_puts(out, "zext.i32(trunc.i8(%a))");
    break;
  case 3:
    hd_str_printf(out, "%s(%s, %ld:i32)", ops[hd_rng_below(rng, 7)], reg(rng),
                  number(rng) | 1);
    break;
  default:
    hd_str_puts(out, reg(rng));
  }
}

/* The same numbers are drawn again for the opposite test, which has to follow
 * before `rng` goes on. */
static void put_test(hd_str *out, hd_rng *rng, bool plain) {
  static const char *const tests[][2] = {
      {"eq", "ne"},   {"slt", "sge"}, {"sle", "sgt"}, {"ult", "uge"},
      {"ule", "ugt"}, {"sgt", "sle"}, {"uge", "ult"}};
  hd_rng same = *rng;
  uint64_t n = hd_rng_below(&same, 7);
  bool swapped = hd_rng_once_in(&same, 3);
  hd_str_printf(out, "%s.i1(", tests[n][plain ? 0 : 1]);
  if (swapped)
    hd_str_printf(out, "%ld:i32, ", number(&same));
  put_term(out, &same);
  if (!swapped)
    hd_str_printf(out, ", %ld:i32", number(&same));
  hd_str_puts(out, ")");
}

static const char *place(hd_rng *rng) {
  static const char *const places[] = {"@g", "@h", "@h",
                                       "ptradd.ptr(@h, 4:i64)", "&s"};
  return places[hd_rng_below(rng, 5)];
}

/* A load or a store, often of a part. */
static void put_access(hd_str *out, hd_rng *rng, unsigned next) {
  unsigned byte = (unsigned)hd_rng_below(rng, 8);
  hd_str_printf(out, "-> %u - ", next);
  switch (hd_rng_below(rng, 6)) {
  case 0:
    hd_str_printf(out, "load %%x = ptradd.ptr(@h, %u:i64)", byte);
    break;
  case 1:
    hd_str_printf(out, "load %s = %s", reg(rng), place(rng));
    break;
  case 2:
  case 3:
    hd_str_printf(out, "store ptradd.ptr(@h, %u:i64) = trunc.i8(%%a)", byte);
    break;
  default:
    hd_str_printf(out, "store %s = %s", place(rng), reg(rng));
  }
}

static void put_block(hd_str *out, hd_rng *rng, unsigned i) {
  unsigned next = i + 1;
  unsigned other = next + (unsigned)hd_rng_below(rng, BLOCKS + 1 - next + 1);
  hd_str_printf(out, "location %u -\n", i);
  switch (hd_rng_below(rng, 10)) {
  case 0:
    hd_str_printf(out, "-> %u - set %s = ", next, reg(rng));
    put_term(out, rng);
    break;
  case 3:
  case 4:
  case 5:
  case 6:
    put_access(out, rng, next);
    break;
  case 1:
    hd_str_printf(out, "-> %u - call %s = @next(%s)", next, reg(rng), reg(rng));
    break;
  case 2:
    hd_str_printf(out, "-> %u - call @%s(zext.i32(", next,
                  hd_rng_once_in(rng, 2) ? "must" : "__VERIFIER_assume");
    put_test(out, rng, true);
    hd_str_puts(out, "))");
    break;
  default:
    hd_str_printf(out, "-> %u - when ", next);
    put_test(out, rng, true);
    hd_str_printf(out, "\n-> %u - when ", other);
    put_test(out, rng, false);
    hd_rng_next(rng);
  }
  hd_str_puts(out, "\n");
}

static void put_program(hd_str *out, hd_rng *rng) {
  const char *input = hd_rng_once_in(rng, 2) ? "uchar" : "char";
  hd_str_puts(out, "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
                   "global @g size 4 align 4\nglobal @h size 8 align 4\n"
                   "global @k size 4 align 4\n");
  hd_str_printf(out,
                "function @__VERIFIER_nondet_%s \"__VERIFIER_nondet_%s\" () "
                "-> i8 external\n",
                input, input);
  hd_str_puts(out, helpers);
  hd_str_puts(out,
              "function @main \"main\" () -> i32 {\nreg %a i32\n"
              "reg %b i32\nreg %d i32\nreg %x i8\n"
              "slot &s size 4 align 4\n"
              "location 0 -\n-> 14 - set %a, %b, %d = 5:i32, 0:i32, 9:i32\n"
              "location 1 -\n");
  hd_str_printf(out, "-> 2 - call %%x = @__VERIFIER_nondet_%s()\n", input);
  hd_str_puts(out, "location 2 -\n-> 3 - set %a = ");
  hd_str_puts(out, hd_rng_once_in(rng, 2) ? "zext" : "sext");
  hd_str_puts(out, ".i32(%x)\n");
  for (unsigned i = 3; i < BLOCKS; i++)
    put_block(out, rng, i);
  hd_str_printf(out, "location %u -\n-> %u - store @g = %s\n", BLOCKS,
                BLOCKS + 1, hd_rng_once_in(rng, 3) ? reg(rng) : "4:i32");
  /* This is not gone through. */
  hd_str_printf(out, "location %u -\n-> %u - %s\n", BLOCKS + 1, BLOCKS + 2,
                hd_rng_once_in(rng, 2) ? "rmw.add.seq_cst %d = @k, 1:i32"
                                       : "skip");
  for (unsigned i = BLOCKS + 2; i < BLOCKS + 4; i++)
    hd_str_printf(out, "location %u -\n-> %u - load %s = %s\n", i, i + 1,
                  i == BLOCKS + 2 ? "%b" : "%d", place(rng));
  hd_str_printf(out, "location %u -\n-> %u - return %s\n", BLOCKS + 4,
                BLOCKS + 4, hd_rng_once_in(rng, 2) ? "%d" : "0:i32");
  hd_str_printf(out, "location %u -\n-> 1 - store &s = 3:i32\n}\n", BLOCKS + 5);
}

/* Where a value leads: how the run ends. */
static void lead(const hd_machine *from, uint64_t choice, hd_bytes *out) {
  hd_machine *m = hd_machine_copy(from);
  hd_machine_move(m, (hd_turn){.thread = 0, .choice = choice});
  while (hd_machine_status_of(m) == HD_MACHINE_RUNNING)
    hd_machine_move(m, (hd_turn){.thread = 0, .choice = 0});
  hd_vec_clear(out);
  hd_vec_push(out, (uint8_t)hd_machine_status_of(m));
  int code = hd_machine_violations(m) ? (int)hd_machine_violation(m, 0)->edge
                                      : hd_machine_exit_code(m);
  for (unsigned i = 0; i < sizeof code; i++)
    hd_vec_push(out, (uint8_t)(code >> 8 * i));
  hd_machine_delete(m);
}

static bool is_led_to(const hd_machine *m, const hd_turn_choices *few,
                      const hd_bytes *end) {
  hd_bytes other = {0};
  bool found = false;
  for (size_t i = 0; i < few->size && !found; i++) {
    lead(m, few->data[i], &other);
    found = other.size == end->size &&
            memcmp(other.data, end->data, end->size) == 0;
  }
  hd_vec_free(&other);
  return found;
}

static size_t try_program(uint64_t seed) {
  hd_rng rng = hd_rng_new(seed);
  hd_str text = {0};
  put_program(&text, &rng);
  run r = {0};
  hd_properties checks = hd_rng_once_in(&rng, 2)
                             ? 1u << HD_PROPERTY_ASSERT
                             : ALL_CHECKS & ~(1u << HD_PROPERTY_LEAK);
  start(&r, hd_str_text(&text), checks);
  hd_turn_choices few = {0};
  hd_bytes end = {0};
  assert_int_equal(hd_machine_choices(r.m, 0), 256);
  assert_true(hd_machine_input_classes(r.m, 0, 256, &few));
  for (uint64_t choice = 0; choice < 256; choice++) {
    lead(r.m, choice, &end);
    bool found = is_led_to(r.m, &few, &end);
    if (!found)
      fprintf(stderr, "seed %u, choice %u, of %zu:\n%s", (unsigned)seed,
              (unsigned)choice, few.size, hd_str_text(&text));
    assert_true(found);
  }
  size_t n = few.size;
  hd_vec_free(&few);
  hd_vec_free(&end);
  stop(&r);
  hd_str_free(&text);
  return n;
}

static void random_programs(void **state) {
  unsigned small = 0, cut = 0;
  for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
    size_t n = try_program(seed);
    small += n < 20;
    cut += n > 1 && n < 256;
  }
  assert_true(small > PROGRAMS / 3);
  assert_true(cut > PROGRAMS / 3);
}

/* As few as there are answers, for the widest input. */
static void wide(void **state) {
  run r = {0};
  hd_turn_choices few = {0};
  start(&r,
        "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
        "global @g size 4 align 4\n"
        "function @__VERIFIER_nondet_long \"__VERIFIER_nondet_long\" () -> "
        "i64 external\n"
        "function @main \"main\" () -> i32 {\nreg %x i64\n"
        "location 0 -\n-> 1 - call %x = @__VERIFIER_nondet_long()\n"
        "location 1 -\n-> 2 - when slt.i1(%x, -5:i64)\n"
        "-> 3 - when sge.i1(%x, -5:i64)\n"
        "location 2 -\n-> 4 - store @g = 1:i32\n"
        "location 3 -\n-> 4 - store @g = 2:i32\n"
        "location 4 -\n-> 4 - return 0:i32\n}\n",
        1u << HD_PROPERTY_ASSERT);
  assert_true(hd_machine_choices(r.m, 0) == UINT64_MAX);
  assert_true(hd_machine_input_classes(r.m, 0, 4096, &few));
  assert_int_equal(few.size, 3); /* negative below and above, and the others */
  assert_false(hd_machine_input_classes(r.m, 0, 2, &few));
  hd_vec_free(&few);
  stop(&r);
}

#define BYTE_PROGRAM                                                           \
  "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"                                 \
  "global @g size 4 align 4\n"                                                 \
  "function @abort \"abort\" () -> void external\n"                            \
  "function @__VERIFIER_nondet_uchar \"__VERIFIER_nondet_uchar\" () -> "       \
  "i8 external\n"                                                              \
  "function @look \"look\" () -> void {\nreg %a i32\n"                         \
  "location 0 -\n-> 1 - rmw.add.seq_cst %a = @g, 1:i32\n"                      \
  "location 1 -\n-> 1 - return\n}\n"                                           \
  "function @main \"main\" () -> i32 {\nreg %x i8\nreg %a i32\n"               \
  "location 0 -\n-> 1 - call %x = @__VERIFIER_nondet_uchar()\n"

/* Each of the 256 values leads to where one of those that are named leads. */
static void check_all(const char *text, hd_properties checks) {
  run r = {0};
  hd_turn_choices few = {0};
  hd_bytes end = {0};
  start(&r, text, checks);
  assert_true(hd_machine_input_classes(r.m, 0, 256, &few));
  for (uint64_t choice = 0; choice < 256; choice++) {
    lead(r.m, choice, &end);
    assert_true(is_led_to(r.m, &few, &end));
  }
  hd_vec_free(&few);
  hd_vec_free(&end);
  stop(&r);
}

/* A part of what is loaded was written, and is written again. */
static void parts(void **state) {
  check_all(BYTE_PROGRAM
            "location 1 -\n-> 2 - store ptradd.ptr(@g, 1:i64) = %x\n"
            "location 2 -\n-> 3 - load %a = @g\n"
            "location 3 -\n-> 4 - store ptradd.ptr(@g, 1:i64) = 0:i8\n"
            "location 4 -\n-> 5 - when ne.i1(%a, 0:i32)\n"
            "-> 6 - when eq.i1(%a, 0:i32)\n"
            "location 5 -\n-> 5 - call @abort()\n"
            "location 6 -\n-> 6 - return 0:i32\n}\n",
            1u << HD_PROPERTY_ASSERT);
}

/* Where the look at it ends, the value is in a register of the caller. */
static void in_caller(void **state) {
  check_all(BYTE_PROGRAM "location 1 -\n-> 2 - call @look()\n"
                         "location 2 -\n-> 3 - when eq.i1(%x, 77:i8)\n"
                         "-> 4 - when ne.i1(%x, 77:i8)\n"
                         "location 3 -\n-> 3 - call @abort()\n"
                         "location 4 -\n-> 4 - return 0:i32\n}\n",
            1u << HD_PROPERTY_ASSERT);
}

/* One value in the middle of a range overflows, its ends do not. */
static void in_the_middle(void **state) {
  check_all(BYTE_PROGRAM "location 1 -\n-> 2 - set %x = add.i8.nsw(%x, 1:i8)\n"
                         "location 2 -\n-> 3 - call @look()\n"
                         "location 3 -\n-> 3 - return 0:i32\n}\n",
            1u << HD_PROPERTY_OVERFLOW);
}

/* What is stored is loaded again, as long as nobody else is there. */
static void through_memory(void **state) {
  run r = {0};
  hd_turn_choices few = {0};
  start(&r,
        "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
        "global @g size 4 align 4\n"
        "function @abort \"abort\" () -> void external\n"
        "function @__VERIFIER_nondet_int \"__VERIFIER_nondet_int\" () -> "
        "i32 external\n"
        "function @main \"main\" () -> i32 {\nreg %x i32\nreg %a i32\n"
        "location 0 -\n-> 1 - call %x = @__VERIFIER_nondet_int()\n"
        "location 1 -\n-> 2 - store @g = %x\n"
        "location 2 -\n-> 3 - load %a = @g\n"
        "location 3 -\n-> 5 - when uge.i1(%a, 20:i32)\n"
        "-> 4 - when ult.i1(%a, 20:i32)\n"
        "location 4 -\n-> 4 - return 0:i32\n"
        "location 5 -\n-> 5 - call @abort()\n}\n",
        1u << HD_PROPERTY_ASSERT);
  assert_true(hd_machine_input_classes(r.m, 0, 4096, &few));
  assert_in_range(few.size, 21, 24); /* twenty, and one or two that abort */
  hd_vec_free(&few);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs), cmocka_unit_test(wide),
      cmocka_unit_test(parts),           cmocka_unit_test(in_caller),
      cmocka_unit_test(in_the_middle),   cmocka_unit_test(through_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
