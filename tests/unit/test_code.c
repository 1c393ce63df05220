/* SPDX-License-Identifier: MIT */
/* The text form of code graphs: round trips, and what is refused. */
#include "front/code/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <string.h>

static hd_code *parse(const char *text, hd_diag *diag) {
  hd_source source = hd_source_from_text("t.code", text, strlen(text));
  hd_code *code = hd_code_read(&source, diag);
  hd_source_free(&source);
  return code;
}

/* Everything the format has, once. */
static const char *const all =
    "heddle code 1\n"
    "target 64\n"
    "file 0 \"a \\\"b\\\".c\"\n"
    "type 0 signed 4 \"int\"\n"
    "type 1 pointer 8 to 2\n"
    "type 2 struct 16 \"node\" fields \"next\" 1 0 64, \"val\" 0 64 32\n"
    "type 3 array 40 of 0 count 10\n"
    "type 4 enum 4 \"e\" fields \"A\" - -1 32, \"B\" - 7 32\n"
    "scope 0 - 0:5:1\n"
    "scope 1 0 0:6:1\n"
    "pragma 0:9:1 \"heddle invariant x\"\n"
    "global @counter \"counter\" size 4 align 4 type 0 at 0:3:5\n"
    "global @t size 4 align 4 tls const external\n"
    "global @tab size 16 align 8 bytes 0102030405060708090a0b0c0d0e0f10 reloc "
    "8 "
    "ptradd.ptr.inbounds(@counter, -2:i64) reloc 0 @main\n"
    "function @main \"main\" (%argc) -> i32 type 0 scope 0 at 0:5:1 {\n"
    "  reg %argc i32 \"argc\" type 0 scope 0 at 0:5:20\n"
    "  reg %p ptr\n"
    "  reg %c i1\n"
    "  reg %\"odd name\" f32\n"
    "  slot &buf \"buf\" size 40 align 16 type 3 scope 1 at 0:6:7\n"
    "  location 0 0:7:3 loop 0:7:1 scope 1 irreducible\n"
    "    -> 1 0:7:10 load.acquire.volatile %argc = @counter\n"
    "  location 1 -\n"
    "    -> 2 - set %p, %\"odd name\" = &buf, 0x40490fdb:f32 when "
    "slt.i1(%argc, 10:i32)\n"
    "    -> 0 - when sge.i1(%argc, 10:i32)\n"
    "  location 2 -\n"
    "    -> 3 - store %p = add.i32.nsw.nuw(%argc, -1:i32)\n"
    "  location 3 -\n"
    "    -> 4 - rmw.umax.seq_cst %argc = %p, undef:i32\n"
    "  location 4 -\n"
    "    -> 5 - cmpxchg.weak.acq_rel %argc, %c = %p, 0:i32, select.i32(%c, "
    "1:i32, %argc)\n"
    "  location 5 -\n"
    "    -> 6 - fence.seq_cst\n"
    "  location 6 -\n"
    "    -> 7 - call @printf(@tab, %argc)\n"
    "  location 7 -\n"
    "    -> 8 - call %argc = *%p(null)\n"
    "  location 8 -\n"
    "    -> 9 - alloca %p = 64:i64\n"
    "  location 9 -\n"
    "    -> 10 - skip\n"
    "    -> 11 - when %c\n"
    "    -> 12 - when 0:i1\n"
    "  location 10 -\n"
    "    -> 10 - return zext.i32(trunc.i8(%argc))\n"
    "  location 11 -\n"
    "    -> 11 - unreachable\n"
    "  location 12 -\n"
    "    -> 12 - unsupported \"asm \\x01\"\n"
    "}\n"
    "function @printf \"printf\" (ptr, ...) -> i32 external\n"
    "function @two () -> i64, i32 external\n";

static void test_round_trip(void **state) {
  (void)state;
  hd_diag *diag = hd_diag_new();
  hd_code *code = parse(all, diag);
  if (!code)
    hd_diag_print(diag, stderr, false);
  assert_non_null(code);
  hd_str out = {0};
  hd_code_print(&out, code);
  assert_string_equal(hd_str_text(&out), all);
  hd_str_free(&out);
  hd_code_delete(code);
  hd_diag_delete(diag);
}

static void test_contents(void **state) {
  (void)state;
  hd_diag *diag = hd_diag_new();
  hd_code *code = parse(all, diag);
  assert_non_null(code);
  assert_int_equal(code->main, 0);
  const hd_func *f = &code->funcs.data[code->main];
  assert_int_equal(f->n_params, 1);
  assert_int_equal(f->n_regs, 4);
  assert_int_equal(f->n_locs, 13);
  assert_int_equal(code->globals.data[2].bytes[15], 16);
  assert_int_equal((int64_t)code->fields.data[2].offset, -1);
  assert_true(code->loops.data[0].irreducible);
  hd_str out = {0};
  hd_code_print_place(&out, code, "buf", 3, 12, 4);
  hd_str_puts(&out, " ");
  hd_code_print_place(&out, code, "n", 2, 8, 4);
  hd_str_puts(&out, " ");
  hd_code_print_place(&out, code, "n", 2, 0, 16);
  hd_str_puts(&out, " ");
  hd_code_print_place(&out, code, "n", 2, 9, 1);
  hd_str_puts(&out, " ");
  hd_code_print_place(&out, code, "heap#1", HD_NO_ID, 3, 1);
  assert_string_equal(hd_str_text(&out), "buf[3] n.val n n.val+1 heap#1+3");
  hd_str_free(&out);
  hd_code_delete(code);
  hd_diag_delete(diag);
}

#define HEAD "heddle code 1\ntarget 64\n"
#define MAIN HEAD "function @main () -> i32 {\n  reg %a i32\n  reg %b i8\n"
#define REST "\n}\n"

/* Each is refused, with this in the message. */
static const char *const bad[][2] = {
    {"", "empty"},
    {"heddle program 1\n", "heddle code 1"},
    {"heddle code 1\ntarget 16\n", "target 32"},
    {HEAD "nonsense\n", "expected file, type"},
    {HEAD "file 1 \"a\"\n", "numbered from 0"},
    {HEAD "global @x size 1 align 1\nglobal @x size 1 align 1\n", "twice"},
    {HEAD "global @x size 2 align 1 bytes 0a\n", "expected 2 bytes"},
    {HEAD "global @x size 99999999999 align 1\n", "2^31"},
    {HEAD "global @x size 4 align 1 reloc 0 @x\n", "wrong address"},
    {HEAD "global @x size 8 align 1 reloc 0 @y\n", "not declared"},
    {HEAD "type 0 pointer 8 to 3\n", "has no line"},
    {HEAD "function @f () -> i32 {\n", "'}'"},
    {HEAD "function @f (%x) -> i32 {\n}\n", "no 'reg' line"},
    {HEAD "function @f () -> i32 {\n}\n", "no location"},
    {MAIN "location 0 -\n-> 1 - skip" REST, "no location 1"},
    {MAIN "location 0 -" REST, "no way out"},
    {MAIN "location 1 -" REST, "numbered from 0"},
    {MAIN "-> 0 - skip" REST, "before the first location"},
    {MAIN "location 0 -\n-> 0 - jump" REST, "expected an action"},
    {MAIN "location 0 -\n-> 0 - load.weak %a = null" REST, "no attribute"},
    {MAIN "location 0 -\n-> 0 - return %c" REST, "not declared"},
    {MAIN "location 0 -\n-> 0 - return %b" REST, "does not fit"},
    {MAIN "location 0 -\n-> 0 - return" REST, "does not fit"},
    {MAIN "location 0 -\n-> 0 - set %a = %b" REST, "does not fit"},
    {MAIN "location 0 -\n-> 0 - store %a = %b" REST, "does not fit"},
    {MAIN "location 0 -\n-> 0 - when %b" REST, "does not fit"},
    {MAIN "location 0 -\n-> 0 - return add.i32(%a, %b)" REST, "operation add"},
    {MAIN "location 0 -\n-> 0 - return sext.i32(%a)" REST, "operation sext"},
    {MAIN "location 0 -\n-> 0 - return frob.i32(%a)" REST, "an operation"},
    {MAIN "location 0 -\n-> 0 - return add.i32(%a)" REST, "','"},
    {MAIN "location 0 -\n-> 0 - return add.i32.fast(%a, %a)" REST,
     "an operation"},
    {MAIN "location 0 -\n-> 0 - return 1:i65" REST, "a type"},
    {MAIN "location 0 -\n-> 0 - return 1:ptr" REST, "inttoptr"},
    {MAIN "location 0 -\n-> 0 - return 99999999999999999999:i64" REST,
     "expression"},
    {MAIN "location 0 -\n-> 0 - return %a extra" REST, "end of the line"},
    {MAIN "location 0 0:1:1\n-> 0 - return %a" REST, "a position"},
    {MAIN "location 0 -\n-> 0 - unsupported \"abc" REST, "a string"},
    {MAIN "reg %a i32" REST, "twice"},
    {HEAD "function @f (%a) -> void external\n", "types for parameters"},
};

static void test_bad(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    hd_diag *diag = hd_diag_new();
    hd_code *code = parse(bad[i][0], diag);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hd_diag_print(diag, out, false);
    fclose(out);
    if (code || !strstr(text, bad[i][1]))
      fail_msg("case %zu: expected '%s' in:\n%s", i, bad[i][1], text);
    free(text);
    hd_code_delete(code);
    hd_diag_delete(diag);
  }
}

/* Every prefix, and every byte changed: no crash, and what is accepted prints
 * and reads back as the same. */
static void check_again(const char *text) {
  hd_diag *diag = hd_diag_new();
  hd_code *code = parse(text, diag);
  if (code) {
    hd_str once = {0}, twice = {0};
    hd_code_print(&once, code);
    hd_code *again = parse(hd_str_text(&once), diag);
    if (!again) {
      hd_diag_print(diag, stderr, false);
      fail_msg("does not read back:\n%s", hd_str_text(&once));
    }
    hd_code_print(&twice, again);
    assert_string_equal(hd_str_text(&once), hd_str_text(&twice));
    hd_str_free(&once);
    hd_str_free(&twice);
    hd_code_delete(again);
  }
  hd_code_delete(code);
  hd_diag_delete(diag);
}

static void test_broken(void **state) {
  (void)state;
  size_t size = strlen(all);
  char *text = malloc(size + 1);
  for (size_t i = 0; i < size; i++) {
    memcpy(text, all, i);
    text[i] = 0;
    check_again(text);
    memcpy(text, all, size + 1);
    for (const char *c = "0x%@\n\"(:"; *c; c++) {
      text[i] = *c;
      check_again(text);
    }
  }
  free(text);
}

static void test_deep(void **state) {
  (void)state;
  hd_str text = {0};
  hd_str_puts(&text, MAIN "location 0 -\n-> 0 - return ");
  for (int i = 0; i < 100000; i++)
    hd_str_puts(&text, "sub.i32(");
  hd_str_puts(&text, REST);
  hd_diag *diag = hd_diag_new();
  assert_null(parse(hd_str_text(&text), diag));
  hd_str_free(&text);
  hd_diag_delete(diag);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_contents),
      cmocka_unit_test(test_bad),        cmocka_unit_test(test_broken),
      cmocka_unit_test(test_deep),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
