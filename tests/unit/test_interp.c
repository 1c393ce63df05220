/* SPDX-License-Identifier: MIT */
/* The interpreter on small programs in the text form: control, expressions,
 * memory, undefined values. Threads: test_interp_threads.c. */
#include "interp_util.h"

#include "base/io.h"
#include "model/library.h"

/* A program with one main of straight-line edges. `body` starts at location 0. */
#define PROGRAM(globals, regs, body)                                           \
  "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n" globals                         \
  "function @main \"main\" () -> i32 {\n" regs body "}\n"

/* main returns the value of an expression: its low byte is the exit code. */
static int value_of(const char *expr, hd_machine_status expected,
                    hd_properties checks) {
  hd_str text = {0};
  hd_str_printf(&text,
                PROGRAM("", "reg %%r i32\n",
                        "location 0 -\n-> 1 - set %%r = %s\n"
                        "location 1 -\n-> 1 - return %%r\n"),
                expr);
  run r = {0};
  start(&r, hd_str_text(&text), checks);
  hd_machine_status status = finish(&r, 0);
  if (status != expected)
    print_error("%s: status %d, %s\n", expr, (int)status, first_message(&r));
  assert_int_equal(status, expected);
  int code = hd_machine_exit_code(r.m);
  stop(&r);
  hd_str_free(&text);
  return code;
}

static void integers(void **state) {
  static const struct {
    const char *expr;
    int value;
  } cases[] = {
      {"add.i32.nsw(40:i32, 2:i32)", 42},
      {"sub.i32(1:i32, 2:i32)", 255},
      {"mul.i32(7:i32, 6:i32)", 42},
      {"zext.i32(udiv.i8(-1:i8, 2:i8))", 127},
      {"sext.i32(sdiv.i8(-128:i8, 3:i8))", 256 - 42},
      {"sext.i32(srem.i8(-7:i8, 4:i8))", 256 - 3},
      {"zext.i32(urem.i8(-7:i8, 4:i8))", 1},
      {"zext.i32(ashr.i8(-128:i8, 3:i8))", 0xf0},
      {"zext.i32(lshr.i8(-128:i8, 3:i8))", 0x10},
      {"zext.i32(shl.i8(3:i8, 7:i8))", 0x80},
      {"zext.i32(slt.i1(-1:i64, 1:i64))", 1},
      {"zext.i32(ult.i1(-1:i64, 1:i64))", 0},
      {"zext.i32(sadd_overflows.i1(127:i8, 1:i8))", 1},
      {"zext.i32(uadd_overflows.i1(127:i8, 1:i8))", 0},
      {"zext.i32(smul_overflows.i1(0x4000000000000000:i64, 2:i64))", 1},
      {"zext.i32(umul_overflows.i1(0x4000000000000000:i64, 2:i64))", 0},
      {"zext.i32(ctlz.i8(1:i8))", 7},
      {"zext.i32(ctlz.i16(0:i16))", 16},
      {"cttz.i32(8:i32)", 3},
      {"ctpop.i32(-1:i32)", 32},
      {"trunc.i32(bswap.i64(0x2a00000000000000:i64))", 42},
      {"abs.i32(-5:i32)", 5},
      {"smin.i32(-1:i32, 1:i32)", 255},
      {"umin.i32(-1:i32, 1:i32)", 1},
      {"select.i32(1:i1, 5:i32, 6:i32)", 5},
      {"fptosi.i32(fdiv.f64(sitofp.f64(22:i32), sitofp.f64(7:i32)))", 3},
      {"zext.i32(folt.i1(0x3f800000:f32, 0x40000000:f32))", 1},
      {"zext.i32(fune.i1(0x7fc00000:f32, 0x7fc00000:f32))", 1},
      {"zext.i32(foeq.i1(0x7fc00000:f32, 0x7fc00000:f32))", 0},
      {"fptosi.i32(fpext.f64(0x42280000:f32))", 42},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int value = value_of(cases[i].expr, HD_MACHINE_EXITED, ALL_CHECKS);
    if (value != cases[i].value)
      print_error("%s\n", cases[i].expr);
    assert_int_equal(value, cases[i].value);
  }
}

static void undefined_arithmetic(void **state) {
  static const struct {
    const char *expr;
    hd_property property;
    int unchecked; /* value when nobody looks; -1 = the run ends */
  } cases[] = {
      {"add.i32.nsw(0x7fffffff:i32, 1:i32)", HD_PROPERTY_OVERFLOW, 0},
      {"mul.i32.nsw(0x10000:i32, 0x10001:i32)", HD_PROPERTY_OVERFLOW, 0},
      {"sub.i32.nsw(-0x80000000:i32, 1:i32)", HD_PROPERTY_OVERFLOW, 255},
      {"sdiv.i32(1:i32, 0:i32)", HD_PROPERTY_ARITH, -1},
      {"urem.i32(1:i32, 0:i32)", HD_PROPERTY_ARITH, -1},
      {"sdiv.i32(-0x80000000:i32, -1:i32)", HD_PROPERTY_OVERFLOW, -1},
      {"shl.i32(1:i32, 33:i32)", HD_PROPERTY_ARITH, 2},
      {"shl.i32.nsw(0x40000001:i32, 1:i32)", HD_PROPERTY_OVERFLOW, 2},
      {"abs.i32.nsw(-0x80000000:i32)", HD_PROPERTY_OVERFLOW, 0},
      {"fptosi.i32(0x7f000000:f32)", HD_PROPERTY_OVERFLOW, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    value_of(cases[i].expr, HD_MACHINE_FAILED, 1u << cases[i].property);
    int value = value_of(
        cases[i].expr,
        cases[i].unchecked < 0 ? HD_MACHINE_FAILED : HD_MACHINE_EXITED, 0);
    if (cases[i].unchecked >= 0)
      assert_int_equal(value, cases[i].unchecked);
  }
  /* The branch that is not chosen is not evaluated. */
  assert_int_equal(value_of("select.i32(0:i1, sdiv.i32(1:i32, 0:i32), 7:i32)",
                            HD_MACHINE_EXITED, ALL_CHECKS),
                   7);
}

/* Runs a main; asserts the status and the exit code or the property. */
static void expect_exit(const char *text, int code) {
  run r = {0};
  start(&r, text, ALL_CHECKS);
  hd_machine_status status = finish(&r, 0);
  if (status != HD_MACHINE_EXITED || hd_machine_violations(r.m))
    print_error("%s %s\n", first_message(&r), hd_machine_why(r.m));
  assert_int_equal(status, HD_MACHINE_EXITED);
  assert_int_equal(hd_machine_violations(r.m), 0);
  assert_int_equal(hd_machine_exit_code(r.m), code);
  stop(&r);
}

static void expect_violation(const char *text, hd_property property,
                             const char *message) {
  run r = {0};
  start(&r, text, ALL_CHECKS);
  finish(&r, 0);
  if (!violates(&r, property) || !strstr(first_message(&r), message))
    print_error("'%s', not '%s'; %s\n", first_message(&r), message,
                hd_machine_why(r.m));
  assert_true(violates(&r, property));
  assert_non_null(strstr(first_message(&r), message));
  const hd_violation *v = hd_machine_violation(r.m, 0);
  assert_true(v->edge < r.code->edges.size);
  stop(&r);
}

static void loop(void **state) {
  expect_exit(PROGRAM("", "reg %i i32 \"i\"\nreg %s i32 \"s\"\n",
                      "location 0 -\n-> 1 - set %i, %s = 0:i32, 0:i32\n"
                      "location 1 -\n-> 2 - when slt.i1(%i, 10:i32)\n"
                      "-> 3 - when sge.i1(%i, 10:i32)\n"
                      "location 2 -\n-> 1 - set %i, %s = add.i32.nsw(%i, "
                      "1:i32), add.i32.nsw(%s, %i)\n"
                      "location 3 -\n-> 3 - return %s\n"),
              45);
}

static void calls(void **state) {
  expect_exit("heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
              "function @fib \"fib\" (%n) -> i32 {\n"
              "reg %n i32\nreg %a i32\nreg %b i32\n"
              "location 0 -\n-> 1 - when slt.i1(%n, 2:i32)\n"
              "-> 2 - when sge.i1(%n, 2:i32)\n"
              "location 1 -\n-> 1 - return %n\n"
              "location 2 -\n-> 3 - call %a = @fib(sub.i32.nsw(%n, 1:i32))\n"
              "location 3 -\n-> 4 - call %b = *@fib(sub.i32.nsw(%n, 2:i32))\n"
              "location 4 -\n-> 4 - return add.i32.nsw(%a, %b)\n}\n"
              "function @main \"main\" () -> i32 {\nreg %r i32\n"
              "location 0 -\n-> 1 - call %r = @fib(10:i32)\n"
              "location 1 -\n-> 1 - return %r\n}\n",
              55);
}

#define MALLOC "function @malloc \"malloc\" (i64) -> ptr external\n"
#define FREE "function @free \"free\" (ptr) -> void external\n"

static void heap(void **state) {
#define HEAP(body)                                                             \
  PROGRAM(MALLOC FREE, "reg %p ptr\nreg %v i32\n",                             \
          "location 0 -\n-> 1 - call %p = @malloc(8:i64)\n" body)
  expect_exit(HEAP("location 1 -\n-> 2 - store ptradd.ptr(%p, 4:i64) = 9:i32\n"
                   "location 2 -\n-> 3 - load %v = ptradd.ptr(%p, 4:i64)\n"
                   "location 3 -\n-> 4 - call @free(%p)\n"
                   "location 4 -\n-> 4 - return %v\n"),
              9);
  expect_violation(
      HEAP("location 1 -\n-> 2 - store ptradd.ptr(%p, 5:i64) = 9:i32\n"
           "location 2 -\n-> 2 - return 0:i32\n"),
      HD_PROPERTY_MEMORY, "behind the end");
  expect_violation(
      HEAP("location 1 -\n-> 2 - store ptradd.ptr(%p, -1:i64) = 9:i32\n"
           "location 2 -\n-> 2 - return 0:i32\n"),
      HD_PROPERTY_MEMORY, "before the start");
  expect_violation(HEAP("location 1 -\n-> 2 - call @free(%p)\n"
                        "location 2 -\n-> 3 - load %v = %p\n"
                        "location 3 -\n-> 3 - return 0:i32\n"),
                   HD_PROPERTY_MEMORY, "has been freed");
  expect_violation(HEAP("location 1 -\n-> 2 - call @free(%p)\n"
                        "location 2 -\n-> 3 - call @free(%p)\n"
                        "location 3 -\n-> 3 - return 0:i32\n"),
                   HD_PROPERTY_MEMORY, "freed already");
  expect_violation(
      HEAP("location 1 -\n-> 2 - call @free(ptradd.ptr(%p, 1:i64))\n"
           "location 2 -\n-> 2 - return 0:i32\n"),
      HD_PROPERTY_MEMORY, "not the start");
  expect_violation(HEAP("location 1 -\n-> 1 - return 0:i32\n"),
                   HD_PROPERTY_LEAK, "never freed");
  /* The pointer that is left is in the returned frame: lost, too. */
  expect_violation(HEAP("location 1 -\n-> 2 - load %v = %p\n"
                        "location 2 -\n-> 2 - return %v\n"),
                   HD_PROPERTY_UNINIT, "main returns");
#undef HEAP
}

static void pointers(void **state) {
  expect_violation(PROGRAM("", "reg %v i32\n",
                           "location 0 -\n-> 1 - load %v = null\n"
                           "location 1 -\n-> 1 - return %v\n"),
                   HD_PROPERTY_MEMORY, "null");
  expect_violation(
      PROGRAM("global @c \"c\" size 4 align 4 const bytes 01000000\n", "",
              "location 0 -\n-> 1 - store @c = 2:i32\n"
              "location 1 -\n-> 1 - return 0:i32\n"),
      HD_PROPERTY_MEMORY, "constant");
  /* A pointer in memory, copied byte by byte. */
  expect_exit(PROGRAM("global @x \"x\" size 4 align 4 bytes 2a000000\n"
                      "global @p \"p\" size 8 align 8 reloc 0 @x\n"
                      "global @q \"q\" size 8 align 8\n"
                      "function @memcpy \"memcpy\" (ptr, ptr, i64) -> ptr "
                      "external\n",
                      "reg %p ptr\nreg %v i32\n",
                      "location 0 -\n-> 1 - call @memcpy(@q, @p, 3:i64)\n"
                      "location 1 -\n-> 2 - call @memcpy(ptradd.ptr(@q, "
                      "3:i64), ptradd.ptr(@p, 3:i64), 5:i64)\n"
                      "location 2 -\n-> 3 - load %p = @q\n"
                      "location 3 -\n-> 4 - load %v = %p\n"
                      "location 4 -\n-> 4 - return %v\n"),
              42);
}

/* Bit-fields of a fresh slot: only what was set may decide. */
static void undefined_bits(void **state) {
#define BITS(test)                                                             \
  PROGRAM("", "reg %v i8\nslot &s \"s\" size 1 align 1\n",                     \
          "location 0 -\n-> 1 - load %v = &s\n"                                \
          "location 1 -\n-> 2 - store &s = or.i8(and.i8(%v, -8:i8), 5:i8)\n"   \
          "location 2 -\n-> 3 - load %v = &s\n"                                \
          "location 3 -\n-> 4 - when " test "\n-> 5 - when eq.i1(" test        \
          ", 0:i1)\n"                                                          \
          "location 4 -\n-> 4 - return 1:i32\n"                                \
          "location 5 -\n-> 5 - return 0:i32\n")
  expect_exit(BITS("eq.i1(and.i8(%v, 7:i8), 5:i8)"), 1);
  expect_violation(BITS("eq.i1(and.i8(%v, 15:i8), 5:i8)"), HD_PROPERTY_UNINIT,
                   "never set");
  /* Decided by the bits that are set. */
  expect_exit(BITS("eq.i1(%v, 4:i8)"), 0);
#undef BITS
}

static void copies_are_apart(void **state) {
  run r = {0};
  start(&r,
        PROGRAM("global @x \"x\" size 4 align 4\n", "reg %v i32\n",
                "location 0 -\n-> 1 - store @x = 1:i32\n"
                "location 1 -\n-> 2 - load %v = @x\n"
                "location 2 -\n-> 3 - store @x = add.i32(%v, 1:i32)\n"
                "location 3 -\n-> 4 - load %v = @x\n"
                "location 4 -\n-> 4 - return %v\n"),
        0);
  hd_machine_move(r.m, (hd_turn){.thread = 0, .choice = 0});
  hd_machine *copy = hd_machine_copy(r.m);
  hd_bytes a = {0}, b = {0}, c = {0};
  hd_machine_encode(r.m, &a);
  hd_machine_encode(copy, &b);
  assert_int_equal(a.size, b.size);
  assert_memory_equal(a.data, b.data, a.size);
  assert_int_equal(finish(&r, 0), HD_MACHINE_EXITED);
  assert_int_equal(hd_machine_exit_code(r.m), 2);
  hd_machine_encode(copy, &c);
  assert_int_equal(c.size, b.size);
  assert_memory_equal(c.data, b.data, b.size);
  hd_machine_delete(r.m);
  r.m = copy;
  assert_int_equal(finish(&r, 0), HD_MACHINE_EXITED);
  assert_int_equal(hd_machine_exit_code(r.m), 2);
  hd_vec_free(&a);
  hd_vec_free(&b);
  hd_vec_free(&c);
  stop(&r);
}

static void printing(void **state) {
  static const struct {
    const char *format, *args, *output;
  } cases[] = {
      {"%d|%5d|%-5d|%05d", "7:i32, 8:i32, -9:i32, 10:i32",
       "7|    8|-9   |00010"},
      {"%u %x %X %o", "-1:i32, 255:i32, 255:i32, 8:i32", "4294967295 ff FF 10"},
      {"%hhd %ld %lld", "300:i32, -5:i64, 6:i64", "44 -5 6"},
      {"%.2f %g %a %e",
       "0x400921fb54442d18:f64, 0x3fe0000000000000:f64, "
       "0x3ff8000000000000:f64, 0x3ff8000000000000:f64",
       "3.14 0.5 0x1.8p+0 1.500000e+00"},
      {"%s|%5s|%-5s|%.1s", "@s, @s, @s, @s", "hi|   hi|hi   |h"},
      {"%c%%%p", "65:i32, null", "A%(nil)"},
      {"%*d %.*f", "4:i32, 1:i32, 1:i32, 0x3ff8000000000000:f64", "   1 1.5"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hd_str text = {0}, hex = {0};
    for (const char *c = cases[i].format; *c; c++)
      hd_str_printf(&hex, "%02x", (unsigned char)*c);
    hd_str_printf(&text,
                  PROGRAM("global @f size %zu align 1 const bytes %s00\n"
                          "global @s size 3 align 1 const bytes 686900\n"
                          "function @printf \"printf\" (ptr, ...) -> i32 "
                          "external\n",
                          "reg %%n i32\n",
                          "location 0 -\n-> 1 - call %%n = @printf(@f, %s)\n"
                          "location 1 -\n-> 1 - return %%n\n"),
                  strlen(cases[i].format) + 1, hd_str_text(&hex),
                  cases[i].args);
    run r = {0};
    start(&r, hd_str_text(&text), ALL_CHECKS);
    assert_int_equal(finish(&r, 0), HD_MACHINE_EXITED);
    assert_string_equal(hd_str_text(&r.output), cases[i].output);
    assert_int_equal(hd_machine_exit_code(r.m), strlen(cases[i].output));
    stop(&r);
    hd_str_free(&text);
    hd_str_free(&hex);
  }
}

static void refusals(void **state) {
  run r = {0};
  start(&r,
        PROGRAM("function @mystery \"mystery\" () -> void external\n", "",
                "location 0 -\n-> 1 0:7:3 call @mystery()\n"
                "location 1 -\n-> 1 - return 0:i32\n"),
        0);
  assert_int_equal(finish(&r, 0), HD_MACHINE_UNSUPPORTED);
  assert_non_null(strstr(hd_machine_why(r.m), "mystery"));
  assert_non_null(strstr(hd_machine_why(r.m), "main"));
  assert_non_null(strstr(hd_machine_why(r.m), "t.c:7:3"));
  stop(&r);
  start(&r, PROGRAM("", "", "location 0 -\n-> 0 - skip\n"), 0);
  assert_int_equal(hd_machine_status_of(r.m), HD_MACHINE_DIVERGED);
  stop(&r);
}

static void inputs(void **state) {
  run r = {0};
  start(&r,
        PROGRAM("function @__VERIFIER_nondet_int \"f\" (i32, i32) -> i32 "
                "external\n"
                "function @__VERIFIER_assume \"a\" (i32) -> void external\n",
                "reg %v i32\n",
                "location 0 -\n-> 1 - call %v = "
                "@__VERIFIER_nondet_int(-2:i32, 4:i32)\n"
                "location 1 -\n-> 2 - call "
                "@__VERIFIER_assume(zext.i32(sgt.i1(%v, 0:i32)))\n"
                "location 2 -\n-> 2 - return %v\n"),
        0);
  assert_true(hd_machine_is_input(r.m, 0));
  assert_int_equal(hd_machine_input_low(r.m, 0), -2);
  assert_int_equal(hd_machine_choices(r.m, 0), 7);
  hd_machine *copy = hd_machine_copy(r.m);
  hd_machine_move(r.m, (hd_turn){.thread = 0, .choice = 6});
  assert_int_equal(finish(&r, 0), HD_MACHINE_EXITED);
  assert_int_equal(hd_machine_exit_code(r.m), 4);
  hd_machine_delete(r.m);
  r.m = copy;
  hd_machine_move(r.m, (hd_turn){.thread = 0, .choice = 2});
  assert_int_equal(finish(&r, 0), HD_MACHINE_ASSUMED);
  stop(&r);
}

/* A clock may be read, kept and printed, but must not decide. */
static void open_values_do_not_decide(void **state) {
#define CLOCK(body)                                                            \
  PROGRAM("global @ts \"ts\" size 16 align 8\n"                                \
          "global @f size 4 align 1 const bytes 256c6400\n"                    \
          "function @clock_gettime \"\" (i32, ptr) -> i32 external\n"          \
          "function @printf \"\" (ptr, ...) -> i32 external\n",                \
          "reg %v i64\n",                                                      \
          "location 0 -\n-> 1 - call @clock_gettime(0:i32, @ts)\n"             \
          "location 1 -\n-> 2 - load %v = @ts\n" body)
  static const char branch[] =
      CLOCK("location 2 -\n-> 3 - when sgt.i1(%v, 5:i64)\n"
            "-> 3 - when sle.i1(%v, 5:i64)\n"
            "location 3 -\n-> 3 - return 0:i32\n");
  static const char print[] =
      CLOCK("location 2 -\n-> 3 - call @printf(@f, %v)\n"
            "location 3 -\n-> 3 - return 0:i32\n");
#undef CLOCK
  for (int exact = 0; exact < 2; exact++) {
    run r = {0};
    r.options.exact = exact;
    start(&r, branch, exact ? 0 : ALL_CHECKS);
    assert_int_equal(finish(&r, 0),
                     exact ? HD_MACHINE_UNSUPPORTED : HD_MACHINE_EXITED);
    assert_int_equal(hd_machine_violations(r.m), 0);
    stop(&r);
    r.options.exact = exact;
    start(&r, print, ALL_CHECKS);
    assert_int_equal(finish(&r, 0), HD_MACHINE_EXITED);
    assert_int_equal(hd_machine_violations(r.m), 0);
    stop(&r);
    /* Values that were never set are 0, or refused when nobody checks. */
    r.options.exact = exact;
    start(&r,
          PROGRAM("", "reg %v i32\n",
                  "location 0 -\n-> 1 - when eq.i1(%v, 0:i32)\n"
                  "-> 1 - when ne.i1(%v, 0:i32)\n"
                  "location 1 -\n-> 1 - return 0:i32\n"),
          0);
    assert_int_equal(finish(&r, 0),
                     exact ? HD_MACHINE_UNSUPPORTED : HD_MACHINE_EXITED);
    stop(&r);
  }
}

/* Every function is in the table of the documentation, and found by name. */
static void library(void **state) {
  hd_diag *diag = hd_diag_new();
  hd_source source;
  assert_true(
      hd_source_read(HD_SOURCE_ROOT "/docs/interpreter.md", &source, diag));
  for (int fn = HD_LIB_NONE + 1; fn < HD_LIB_COUNT; fn++) {
    const char *name = hd_library_name((hd_library_fn)fn);
    assert_int_equal(hd_library_find(name), fn);
    if (hd_library_kind_of((hd_library_fn)fn) == HD_LIBRARY_MPI)
      continue;
    char quoted[80];
    snprintf(quoted, sizeof quoted, "`%s`", name);
    if (strncmp(name, "llvm_", 5) == 0)
      quoted[5] = '.';
    if (strncmp(name, "llvm_lifetime_", 14) == 0)
      quoted[14] = '.';
    if (!strstr(source.text, quoted))
      print_error("%s is not in docs/interpreter.md\n", name);
    assert_non_null(strstr(source.text, quoted));
  }
  assert_int_equal(hd_library_find("no_such_function"), HD_LIB_NONE);
  assert_int_equal(hd_library_find("MPI_Open_port"), HD_LIB_MPI_);
  assert_int_equal(hd_library_find("llvm.stacksave"), HD_LIB_llvm_stacksave);
  hd_source_free(&source);
  hd_diag_delete(diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),
      cmocka_unit_test(undefined_arithmetic),
      cmocka_unit_test(loop),
      cmocka_unit_test(calls),
      cmocka_unit_test(heap),
      cmocka_unit_test(pointers),
      cmocka_unit_test(undefined_bits),
      cmocka_unit_test(copies_are_apart),
      cmocka_unit_test(printing),
      cmocka_unit_test(refusals),
      cmocka_unit_test(inputs),
      cmocka_unit_test(library),
      cmocka_unit_test(open_values_do_not_decide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
