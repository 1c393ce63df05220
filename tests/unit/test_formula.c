/* SPDX-License-Identifier: MIT */
/* Annotations: what they are attached to, what their names mean, how they are
 * printed again, and whole messages for those that are wrong. */
#include "front/code/code.h"
#include "front/formula/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/io.h"

#include <stdio.h>
#include <string.h>

/* Variables: N, tol and the array g are global; main has i, x, the arrays a and
 * m, the struct s, the pointer p, argc; in the block of a loop (line 20) an
 * inner i that hides the outer one, and k of its own for; f has a variable v. */
static const char head[] =
    "heddle code 1\n"
    "target 64\n"
    "file 0 \"not-there.c\"\n"
    "type 0 signed 4 \"int\"\n"
    "type 1 float 8 \"double\"\n"
    "type 2 array 80 of 1 count 10\n"
    "type 3 array 160 of 4 count 4\n"
    "type 4 array 40 of 0 count 10\n"
    "type 5 pointer 8 to 6\n"
    "type 6 struct 16 \"node\" fields \"next\" 5 0 64, \"val\" 0 64 32\n"
    "type 7 enum 4 \"color\" fields \"RED\" - -1 32, \"BLUE\" - 7 32\n"
    "scope 0 - 0:5:1\n"
    "scope 1 0 0:20:3\n"
    "scope 2 0 0:30:3\n"
    "scope 3 - 0:50:1\n"
    "global @N \"N\" size 4 align 4 type 0 at 0:2:1\n"
    "global @tol \"tol\" size 8 align 8 type 1 at 0:3:1\n"
    "global @g \"g\" size 40 align 8 type 4 at 0:4:1\n"
    "global @c \"c\" size 4 align 4 type 7 at 0:4:20\n"
    "function @main \"main\" () -> i32 type 0 scope 0 at 0:5:1 {\n"
    "  reg %i i32 \"i\" type 0 scope 0 at 0:6:3\n"
    "  reg %x f64 \"x\" type 1 scope 0 at 0:6:7\n"
    "  reg %i1 i32 \"i\" type 0 scope 1 at 0:21:3\n"
    "  reg %k i32 \"k\" type 0 scope 2 at 0:30:8\n"
    "  reg %p ptr \"p\" type 5 scope 0 at 0:7:3\n"
    "  reg %late i32 \"late\" type 0 scope 0 at 0:40:3\n"
    "  slot &a \"a\" size 80 align 8 type 2 scope 0 at 0:7:8\n"
    "  slot &m \"m\" size 160 align 8 type 3 scope 0 at 0:7:18\n"
    "  slot &s \"s\" size 16 align 8 type 6 scope 0 at 0:7:28\n"
    "  location 0 0:10:3 loop 0:10:3 scope 0\n"
    "    -> 1 0:10:3 set %i = add.i32(%i, 1:i32)\n"
    "  location 1 0:20:3 loop 0:20:3 scope 0\n"
    "    -> 2 0:21:3 skip\n"
    "  location 2 0:22:3\n"
    "    -> 3 0:22:5 skip\n"
    "  location 3 0:30:3 loop 0:30:3 scope 2\n"
    "    -> 4 0:30:3 store @g = load0(%i)\n"
    "  location 4 0:60:1\n"
    "    -> 4 0:60:1 return 0:i32\n"
    "}\n"
    "function @f \"f\" () -> void scope 3 at 0:50:1 {\n"
    "  reg %v i32 \"v\" type 0 scope 3 at 0:51:3\n"
    "  location 0 0:51:3\n"
    "    -> 0 0:51:3 return\n"
    "}\n";

static hd_code *make(const char *pragmas) {
  hd_str text = {0};
  hd_str_puts(&text, head);
  char *at = strstr(text.data, "load0(%i)");
  memcpy(at, "%i       ", 9);
  hd_str_puts(&text, pragmas);
  hd_source source =
      hd_source_from_text("t.code", hd_str_text(&text), text.size);
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  if (!code)
    hd_diag_print(diag, stderr, false);
  assert_non_null(code);
  hd_diag_delete(diag);
  hd_source_free(&source);
  hd_str_free(&text);
  return code;
}

static void messages(hd_diag *diag, hd_str *out) {
  FILE *file = hd_stream_to(out);
  hd_diag_print(diag, file, false);
  fclose(file);
}

/* The formula of the pragma at line 9 (before the loop of line 10) is printed
 * as `expected`. */
static void check_formula(const char *text, const char *expected) {
  hd_str pragma = {0}, out = {0};
  hd_str_printf(&pragma, "pragma 0:9:1 \"heddle collective invariant I %s\"\n",
                text);
  hd_code *code = make(hd_str_text(&pragma));
  hd_diag *diag = hd_diag_new();
  hd_notes notes;
  bool good = hd_notes_read(&notes, code, diag);
  if (!good)
    hd_diag_print(diag, stderr, false);
  assert_true(good);
  assert_int_equal(notes.notes.size, 1);
  assert_int_equal(notes.notes.data[0].loop, 0);
  hd_formula_print(&out, &notes, notes.notes.data[0].formula);
  assert_string_equal(hd_str_text(&out), expected);
  hd_notes_free(&notes);
  hd_diag_delete(diag);
  hd_code_delete(code);
  hd_str_free(&pragma);
  hd_str_free(&out);
}

static void test_formulas(void **state) {
  (void)state;
  check_formula("i == 0", "i == 0");
  check_formula("i<N&&x>=tol", "i < N && tol <= x");
  check_formula("i-(N-1)-2 == 0", "i - (N - 1) - 2 == 0");
  check_formula("2*((i+1)/2) == i%2", "2 * ((i + 1) / 2) == i % 2");
  check_formula("(i == 0 || i > 1) && !(N == 2)",
                "(i == 0 || 1 < i) && !(N == 2)");
  check_formula("i == PROC[1-myrank]@main.i", "i == PROC[1 - myrank].i");
  check_formula("i == PROC[(myrank+1)%nprocs].i",
                "i == PROC[(myrank + 1) % nprocs].i");
  check_formula("PROC[0].a[i] == a[i + 1]", "PROC[0].a[i] == a[i + 1]");
  check_formula("m[i][2] == g[0]", "m[i][2] == g[0]");
  check_formula("s.val == p->next->val", "s.val == (*(*p).next).val");
  check_formula("p != NULL && (p == 0 || *(&i) == 3)",
                "p != NULL && (p == NULL || i == 3)");
  check_formula("c == BLUE + RED", "c == 7 + -1");
  check_formula("x == 1.50e-1 + .5", "x == 0.150 + 0.5");
  check_formula("x == (double) i / 2", "x == i / 2");
  check_formula("i == (int) x", "i == (int)x");
  check_formula("i == 0x1fu && N == 010 && N != 'a'",
                "i == 31 && N == 8 && N != 97");
  check_formula("true => i == 0 => N == 1", "1 => i == 0 => N == 1");
  check_formula("i ? N : x", "i ? N : x");
  check_formula("abs(i) == min(i, max(N, 1))", "abs(i) == min(i, max(N, 1))");
  check_formula("sent(1) == received(0) + i", "sent(1) == received(0) + i");
  check_formula("-i == - - N", "-i == -(-N)");
}

static void test_quantifiers(void **state) {
  (void)state;
  check_formula("forall {int k | 0 <= k && k < N} a[k] == 0",
                "forall {k0 = 0 .. N - 1} a[k0] == 0");
  check_formula("forall {k = 0..N-1} a[k] == 0",
                "forall {k0 = 0 .. N - 1} a[k0] == 0");
  check_formula("\\\\forall int k; 0 <= k && k < N ==> a[k] == 0",
                "forall {k0 = 0 .. N - 1} a[k0] == 0");
  check_formula("exists {int k | k > 0 && k <= N && k % 2 == 0} a[k] == 0",
                "exists {k0 = 0 + 1 .. N} k0 % 2 == 0 && a[k0] == 0");
  check_formula("forall {int r, s | 0 <= r && r < i && 0 <= s && s < r} "
                "m[r][s] == 0",
                "forall {k0 = 0 .. i - 1} forall {k1 = 0 .. k0 - 1} m[k0][k1] "
                "== 0");
  /* the outer variable cannot be bounded by the inner one */
  check_formula("forall {int r, s | 0 <= s && s <= 3 && r < s && r >= 0} "
                "r < 3",
                "forall {int k0 | 0 <= k0} forall {k1 = max(0, k0 + 1) .. 3} "
                "k0 < 3");
  check_formula("(forall {int k | 0 <= k && k < 2 && k < N} i == k) && N == 2",
                "(forall {k0 = 0 .. min(2 - 1, N - 1)} i == k0) && N == 2");
  check_formula("forall {int k | k == i} g[k] == 0",
                "forall {k0 = i .. i} g[k0] == 0");
}

/* What is attached where. */
static void test_attach(void **state) {
  (void)state;
  hd_code *code =
      make("pragma 0:1:1 \"TASS input {N >= 0}\"\n"
           "pragma 0:2:9 \"heddle output\"\n"
           "pragma 0:19:1 \"heddle collective invariant B i == 1;\"\n"
           "pragma 0:22:5 scope 1 \"heddle assert i == 2\"\n"
           "pragma 0:28:1 \"heddle invariant k >= 0\"\n"
           "pragma 0:29:1 \"heddle invariant i == 2\"\n");
  hd_diag *diag = hd_diag_new();
  hd_notes n;
  bool good = hd_notes_read(&n, code, diag);
  hd_diag_print(diag, stderr, false);
  assert_true(good);
  assert_int_equal(n.notes.size, 6);
  assert_int_equal(n.notes.data[0].kind, HD_NOTE_INPUT);
  assert_int_equal(n.notes.data[0].n_vars, 1);
  assert_string_equal(hd_cvar_name(code, n.vars.data[n.notes.data[0].vars]),
                      "N");
  assert_string_equal(hd_cvar_name(code, n.vars.data[n.notes.data[1].vars]),
                      "tol");
  assert_int_equal(n.notes.data[2].loop, 1);
  assert_int_equal(n.notes.data[2].reach, HD_NOTE_COLLECTIVE);
  assert_string_equal(n.notes.data[2].id, "B");
  /* the inner i belongs to the block of the assertion only */
  assert_int_equal(n.notes.data[3].edge, 2);
  hd_formula f = n.formulas.data[n.notes.data[3].formula];
  assert_int_equal(n.formulas.data[f.args[0]].var.index, 2);
  f = n.formulas.data[n.notes.data[2].formula];
  assert_int_equal(n.formulas.data[f.args[0]].var.index, 0);
  /* both belong to the loop at line 30, whose k is known */
  assert_int_equal(n.notes.data[4].loop, 2);
  assert_int_equal(n.notes.data[5].loop, 2);
  assert_int_equal(hd_notes_at_loop(&n, 2, 0), 4);
  assert_int_equal(hd_notes_at_loop(&n, 2, 5), 5);
  assert_int_equal(hd_notes_at_edge(&n, 2, 0), 3);
  assert_true(hd_notes_have(&n, HD_NOTE_OUTPUT));
  assert_false(hd_notes_have(&n, HD_NOTE_ASSUME));
  hd_notes_free(&n);
  hd_diag_delete(diag);
  hd_code_delete(code);
}

/* The whole message. */
static void check_wrong(const char *pragma, const char *expected) {
  hd_code *code = make(pragma);
  hd_diag *diag = hd_diag_new();
  hd_notes notes;
  hd_str out = {0};
  assert_false(hd_notes_read(&notes, code, diag));
  messages(diag, &out);
  assert_string_equal(hd_str_text(&out), expected);
  hd_str_free(&out);
  hd_notes_free(&notes);
  hd_diag_delete(diag);
  hd_code_delete(code);
}

#define INVARIANT(text)                                                        \
  "pragma 0:9:3 \"heddle collective invariant I " text "\"\n"
#define SHOWN(text) "    #pragma heddle collective invariant I " text "\n"

static void test_messages(void **state) {
  (void)state;
  check_wrong(
      INVARIANT("tool == 0"),
      "not-there.c:9:41: error: no variable 'tool' is known here; did "
      "you mean 'tol'?\n" SHOWN(
          "tool == 0") "                                          ^~~~\n");
  check_wrong(INVARIANT("i == "),
              "not-there.c:9:45: error: expected an expression, found the end "
              "of the pragma\n" SHOWN(
                  "i == ") "                                              ^\n");
  check_wrong(
      INVARIANT("0 <= i < N"),
      "not-there.c:9:48: error: 'a < b < c' compares a truth value "
      "with c; write 'a < b && b < c'\n" SHOWN(
          "0 <= i < N") "                                                 ^\n");
  check_wrong(INVARIANT("i & 1"),
              "not-there.c:9:43: error: '&' has no meaning for mathematical "
              "integers; '/', '%' and '*' do\n" SHOWN(
                  "i & 1") "                                            ^\n");
  check_wrong(INVARIANT("a == 0"),
              "not-there.c:9:41: error: expected a number, found a whole array "
              "or struct\n" SHOWN(
                  "a == 0") "                                          ^\n");
  check_wrong("pragma 0:9:1 \"heddle colective invariant I i\"\n",
              "not-there.c:9:16: error: expected 'collective', 'joint', "
              "'invariant', 'assert', 'assume', 'input' or 'output', found "
              "'colective'\n"
              "  #pragma heddle colective invariant I i\n"
              "                 ^~~~~~~~~\n");
  check_wrong("pragma 0:31:1 \"heddle collective invariant I 1\"\n",
              "not-there.c:31:9: error: no loop follows this invariant\n"
              "  #pragma heddle collective invariant I 1\n"
              "          ^\n");
}

/* Each with a part of its message. */
static void test_wrong(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {INVARIANT("spec.i == i"), "there is no other program"},
      {INVARIANT("PROC[1].q == i"), "no variable 'q' is known here"},
      {INVARIANT("PROC[1]@g.i == i"), "the program has no function 'g'"},
      {INVARIANT("PROC[1]@f.i == 0"), "no variable 'i' is known here"},
      {INVARIANT("PROC[x].i == 0"), "a rank must be an integer"},
      {INVARIANT("late == 0"), "no variable 'late' is known here"},
      {INVARIANT("k == 0"), "no variable 'k' is known here"},
      {INVARIANT("i + p == 0"), "expected a number, found a pointer"},
      {INVARIANT("p < p"), "pointers are compared by '==' and '!=' only"},
      {INVARIANT("p == i"), "a pointer is compared with an integer"},
      {INVARIANT("i[2] == 0"), "'[' needs an array or a pointer before it"},
      {INVARIANT("s.vale == 0"), "struct node has no field 'vale'"},
      {INVARIANT("i.val == 0"), "no struct or union"},
      {INVARIANT("x % 2 == 0"), "must be an integer"},
      {INVARIANT("a[x] == 0"), "an index must be an integer"},
      {INVARIANT("f(i)"), "'f' is no function that annotations know"},
      {INVARIANT("i(2)"), "an annotation cannot call a function"},
      {INVARIANT("(i == 0"), "expected ')', found the end of the pragma"},
      {INVARIANT("i == 0) "), "expected the end of the pragma, found ')'"},
      {INVARIANT("99999999999999999999 == i"), "the number is too large"},
      {INVARIANT("09 == i"), "a number that starts with 0 is octal"},
      {INVARIANT("1x == i"), "letters follow the number"},
      {INVARIANT("i == 1e"), "an exponent needs digits"},
      {INVARIANT("i = 1"), "expected the end of the pragma, found '='"},
      {INVARIANT("i == `"), "this has no meaning in an annotation"},
      {INVARIANT("~i == 0"), "'~' has no meaning"},
      {INVARIANT("forall k i == 0"), "expected '{', as in forall {int k"},
      {INVARIANT("forall {int k & 1} i == 0"), "expected '|' and a condition"},
      {INVARIANT("forall {int 3 | 1} 1"), "expected the name of an integer"},
      {INVARIANT("(struct node *) p == p"), "no variable 'struct' is known"},
      {INVARIANT("*i == 0"), "'*' needs an array or a pointer"},
      {INVARIANT("&3 == p"), "only a variable or a part of one has an address"},
      {"pragma 0:9:1 \"heddle collective invariant\"\n",
       "expected a name for this annotation"},
      {"pragma 0:9:1 \"heddle invariant PROC[0].i == 1\"\n",
       "say 'collective' or 'joint'"},
      {"pragma 0:9:1 \"heddle collective assume A 1\"\n",
       "expected 'invariant' or 'assert', found 'assume'"},
      {"pragma 0:9:1 \"heddle assert i == 0\"\n",
       "an assertion or assumption must stand between statements"},
      {"pragma 0:9:1 \"heddle\"\n", "found the end of the pragma"},
      {"pragma 0:1:1 \"heddle input {tol > 0}\"\n",
       "the condition of an input may mention inputs only, and 'tol' is none"},
      {"pragma 0:41:1 \"heddle input\"\n", "no declaration of a global"},
      {"pragma 0:6:9 \"heddle input\"\n", "has pointers in it"},
      {"pragma 0:5:9 \"heddle output\"\n",
       "the output 'i' is a local variable"},
      {"pragma 0:8:1 \"heddle invariant A 1\"\n"
       "pragma 0:9:1 \"heddle invariant B 1\"\n",
       "already has the invariant 'A' of another name"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hd_code *code = make(cases[i][0]);
    hd_diag *diag = hd_diag_new();
    hd_notes notes;
    hd_str out = {0};
    bool good = hd_notes_read(&notes, code, diag);
    messages(diag, &out);
    if (good || !strstr(hd_str_text(&out), cases[i][1])) {
      fprintf(stderr, "%s gives %s\n", cases[i][0], hd_str_text(&out));
      fail();
    }
    hd_str_free(&out);
    hd_notes_free(&notes);
    hd_diag_delete(diag);
    hd_code_delete(code);
  }
}

static void test_pair(void **state) {
  (void)state;
  hd_code *spec = make("pragma 0:9:1 \"heddle joint invariant L true\"\n"
                       "pragma 0:29:1 \"heddle joint invariant M "
                       "impl.x == x\"\n");
  hd_code *impl =
      make("pragma 0:9:1 \"heddle joint invariant L i == spec.i && "
           "spec.PROC[1]@main.x == x && spec.a[i] == a[i]\"\n"
           "pragma 0:19:1 \"heddle joint invariant M i == spec.k\"\n");
  hd_diag *diag = hd_diag_new();
  hd_notes s, m;
  bool good = hd_notes_read_pair(&s, spec, &m, impl, diag);
  hd_diag_print(diag, stderr, false);
  assert_true(good);
  hd_str out = {0};
  hd_formula_print(&out, &m, m.notes.data[0].formula);
  assert_string_equal(
      hd_str_text(&out),
      "i == spec.i && spec.PROC[1].x == x && spec.a[i] == a[i]");
  /* spec.k is known at the loop of the specification that has this name */
  const hd_formula *f = &m.formulas.data[m.notes.data[1].formula];
  f = &m.formulas.data[f->args[1]];
  assert_int_equal(f->op, HD_FORMULA_REMOTE);
  assert_int_equal(f->program, 1);
  assert_int_equal(f->var.index, 3);
  assert_int_equal(f->args[0], HD_NO_ID);
  hd_str_free(&out);
  hd_notes_free(&s);
  hd_notes_free(&m);
  hd_diag_delete(diag);
  hd_code_delete(spec);
  hd_code_delete(impl);
}

/* Pieces in any order: either there is a formula or a message, and a formula
 * that is printed and read again prints the same. */
static void test_fuzz(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "i",          "x",   "N",     "a",      "m",      "s",     "p",   "(",
      ")",          "[",   "]",     "{",      "}",      "&&",    "||",  "==",
      "<",          "<=",  "!=",    "!",      "-",      "+",     "*",   "/",
      "%",          "=>",  "?",     ":",      ".",      "->",    "val", "next",
      "0",          "1",   "2.5",   "forall", "exists", "int k", "|",   "k",
      "..",         "=",   "PROC[", "myrank", "abs(",   ",",     ";",   "(int)",
      "\\\\forall", "'a'", "1e",    "@main",  "spec.",  "sent(", "\\t", "#"};
  uint64_t seed = 12345;
  size_t understood = 0;
  for (int round = 0; round < 20000; round++) {
    hd_str pragma = {0};
    hd_str_puts(&pragma, "pragma 0:9:1 \"heddle collective invariant I ");
    size_t n = 1 + (size_t)(seed >> 40) % 9;
    for (size_t i = 0; i < n; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      hd_str_puts(&pragma,
                  pieces[(seed >> 33) % (sizeof pieces / sizeof *pieces)]);
      hd_str_puts(&pragma, seed >> 60 & 1 ? " " : "");
    }
    hd_str_puts(&pragma, "\"\n");
    hd_code *code = make(hd_str_text(&pragma));
    hd_diag *diag = hd_diag_new();
    hd_notes notes;
    bool good = hd_notes_read(&notes, code, diag);
    assert_true(good == (hd_diag_errors(diag) == 0));
    if (good) {
      hd_str out = {0};
      hd_formula_print(&out, &notes, notes.notes.data[0].formula);
      assert_true(out.size > 0);
      check_formula(hd_str_text(&out), hd_str_text(&out));
      hd_str_free(&out);
      understood++;
    }
    hd_notes_free(&notes);
    hd_diag_delete(diag);
    hd_code_delete(code);
    hd_str_free(&pragma);
  }
  assert_true(understood > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_formulas), cmocka_unit_test(test_quantifiers),
      cmocka_unit_test(test_attach),   cmocka_unit_test(test_messages),
      cmocka_unit_test(test_wrong),    cmocka_unit_test(test_pair),
      cmocka_unit_test(test_fuzz),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
