/* SPDX-License-Identifier: MIT */
/* Comparing two programs, and what is looked at in concrete runs: inputs that
 * satisfy their conditions, outputs, samples of loops, candidates. */
#include "api/candidates.h"
#include "api/compare.h"
#include "front/code/code.h"
#include "front/formula/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

/* out = 0 + 1 + … + (n - 1), in a loop; v = {w[0] + w[1], w[2]}. */
static const char program[] =
    "heddle code 1\n"
    "target 64\n"
    "file 0 \"sp.c\"\n"
    "type 0 signed 4 \"int\"\n"
    "type 1 float 8 \"double\"\n"
    "type 2 array 24 of 1 count 3\n"
    "type 3 array 16 of 1 count 2\n"
    "scope 0 - 0:9:1\n"
    "global @n \"n\" size 4 align 4 type 0 at 0:2:1\n"
    "global @out \"out\" size 4 align 4 type 0 at 0:6:1\n"
    "global @w \"w\" size 24 align 16 type 2 at 0:4:1\n"
    "global @v \"v\" size 16 align 16 type 3 at 0:8:1\n"
    "function @main \"main\" () -> i32 type 0 at 0:9:1 scope 0 {\n"
    "  reg %retval i32\n"
    "  reg %i i32 \"i\" type 0 scope 0 at 0:10:7\n"
    "  reg %s i32 \"s\" type 0 scope 0 at 0:10:14\n"
    "  reg %1 i32\n"
    "  reg %2 f64\n"
    "  reg %3 f64\n"
    "  reg %4 f64\n"
    "  location 0 0:9:1\n"
    "    -> 1 0:9:1 set %retval = 0:i32\n"
    "  location 1 0:10:7\n"
    "    -> 2 0:10:7 set %i = 0:i32\n"
    "  location 2 0:10:14\n"
    "    -> 3 0:10:14 set %s = 0:i32\n"
    "  location 3 0:11:14 loop 0:11:3 scope 0\n"
    "    -> 4 0:11:14 load %1 = @n\n"
    "  location 4 0:11:3\n"
    "    -> 5 0:11:3 when slt.i1(%i, %1)\n"
    "    -> 7 0:11:3 when sge.i1(%i, %1)\n"
    "  location 5 0:12:7\n"
    "    -> 6 0:12:7 set %s = add.i32.nsw(%s, %i)\n"
    "  location 6 0:13:6\n"
    "    -> 3 0:13:6 set %i = add.i32.nsw(%i, 1:i32)\n"
    "  location 7 0:15:7\n"
    "    -> 8 0:15:7 store @out = %s\n"
    "  location 8 0:16:10\n"
    "    -> 9 0:16:10 load %2 = @w\n"
    "  location 9 0:16:17\n"
    "    -> 10 0:16:17 load %3 = ptradd.ptr.inbounds(@w, 8:i64)\n"
    "  location 10 0:16:8\n"
    "    -> 11 0:16:8 store @v = fadd.f64(%2, %3)\n"
    "  location 11 0:17:10\n"
    "    -> 12 0:17:10 load %4 = ptradd.ptr.inbounds(@w, 16:i64)\n"
    "  location 12 0:17:8\n"
    "    -> 13 0:17:8 store ptradd.ptr.inbounds(@v, 8:i64) = %4\n"
    "  location 13 0:18:3\n"
    "    -> 13 0:18:3 return 0:i32\n"
    "}\n"
    "pragma 0:1:1 \"heddle input {n >= 0 && n < 1000}\"\n"
    "pragma 0:3:1 \"heddle input\"\n"
    "pragma 0:5:1 \"heddle output\"\n"
    "pragma 0:7:1 \"heddle output\"\n";

/* The program, with one piece of its text replaced. */
static hd_code *make(const char *from, const char *to) {
  hd_str text = {0};
  const char *at = from ? strstr(program, from) : NULL;
  assert_true(!from || at);
  if (at) {
    hd_str_append(&text, program, (size_t)(at - program));
    hd_str_puts(&text, to);
    hd_str_puts(&text, at + strlen(from));
  } else {
    hd_str_puts(&text, program);
  }
  hd_source source =
      hd_source_from_text("t.code", hd_str_text(&text), text.size);
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  hd_diag_print(diag, stderr, false);
  assert_non_null(code);
  hd_diag_delete(diag);
  hd_source_free(&source);
  hd_str_free(&text);
  return code;
}

typedef struct {
  hd_code *codes[2];
  hd_notes notes[2];
  hd_diag *diag;
} two;

static two make_two(const char *from, const char *to) {
  two t = {.codes = {make(NULL, NULL), make(from, to)}, .diag = hd_diag_new()};
  assert_true(hd_notes_read_pair(&t.notes[0], t.codes[0], &t.notes[1],
                                 t.codes[1], t.diag));
  return t;
}

static void free_two(two *t) {
  for (int i = 0; i < 2; i++) {
    hd_notes_free(&t->notes[i]);
    hd_code_delete(t->codes[i]);
  }
  hd_diag_delete(t->diag);
}

static void test_inputs(void **state) {
  (void)state;
  two t = make_two(NULL, NULL);
  hd_input_values a, b;
  hd_input_values_start(&a, &t.notes[0]);
  hd_input_values_start(&b, &t.notes[1]);
  assert_int_equal(a.given.size, 2);
  for (uint64_t seed = 0; seed < 50; seed++) {
    assert_true(hd_input_values_choose(&a, seed, false));
    assert_true(hd_input_values_allowed(&a));
  }
  assert_true(hd_input_values_set(&a, "n", "7"));
  assert_true(hd_input_values_set(&a, "w[2]", "-3/2"));
  assert_false(hd_input_values_set(&a, "w[3]", "1"));
  assert_false(hd_input_values_set(&a, "m", "1"));
  assert_false(hd_input_values_set(&a, "n", "x"));
  assert_false(hd_input_values_set(&a, "n[0]", "1"));
  assert_true(hd_input_values_set(&a, "w[0]", "0.5"));
  assert_true(hd_input_values_set(&a, "w[1]", "0"));
  hd_input_values_copy(&b, &a);
  hd_texts texts = {0};
  hd_input_values_describe(&b, &texts);
  assert_int_equal(texts.size, 2);
  assert_string_equal(texts.data[0], "n = 7");
  assert_string_equal(texts.data[1], "w = {0.5, 0, -1.5}");
  for (size_t i = 0; i < texts.size; i++)
    hd_free(texts.data[i]);
  hd_vec_free(&texts);
  assert_true(hd_input_values_set(&a, "n", "-1"));
  assert_false(hd_input_values_allowed(&a));
  hd_input_values_drop(&a);
  hd_input_values_drop(&b);
  free_two(&t);
}

/* Executed with n = 5 and w = {1, 2, 3}. */
static hd_compare_run execute(two *t) {
  hd_input_values in[2];
  static const char *const given[][2] = {
      {"n", "5"}, {"w[0]", "1"}, {"w[1]", "2"}, {"w[2]", "3"}};
  for (int i = 0; i < 2; i++) {
    hd_input_values_start(&in[i], &t->notes[i]);
    for (int k = 0; k < 4; k++)
      assert_true(hd_input_values_set(&in[i], given[k][0], given[k][1]));
  }
  hd_compare_run run = {0};
  hd_compare_execute(&t->notes[0], &in[0], 1, &t->notes[1], &in[1], 1, 0, &run);
  hd_input_values_drop(&in[0]);
  hd_input_values_drop(&in[1]);
  return run;
}

static void test_execute(void **state) {
  (void)state;
  two t = make_two(NULL, NULL);
  hd_compare_run run = execute(&t);
  assert_true(run.done);
  assert_false(run.differ);
  hd_compare_run_free(&run);
  free_two(&t);

  t = make_two("set %s = add.i32.nsw(%s, %i)",
               "set %s = add.i32.nsw(%s, 3:i32)");
  run = execute(&t);
  assert_true(run.done);
  assert_true(run.differ);
  assert_string_equal(run.output, "out");
  assert_string_equal(run.spec, "10");
  assert_string_equal(run.impl, "15");
  hd_compare_run_free(&run);
  free_two(&t);

  /* only the second element of the second output */
  t = make_two("= %4", "= %2");
  run = execute(&t);
  assert_true(run.differ);
  assert_string_equal(run.output, "v[1]");
  assert_string_equal(run.spec, "3");
  assert_string_equal(run.impl, "1");
  hd_compare_run_free(&run);
  free_two(&t);

  /* rounding is no difference: (w0 + w1) - w1 + w1 */
  t = make_two("fadd.f64(%2, %3)",
               "fdiv.f64(fmul.f64(fadd.f64(%2, %3), "
               "0x3fb999999999999a:f64), 0x3fb999999999999a:f64)");
  run = execute(&t);
  assert_true(run.done);
  assert_false(run.differ);
  hd_compare_run_free(&run);
  free_two(&t);

  /* a run that does not end */
  t = make_two("set %i = add.i32.nsw(%i, 1:i32)",
               "set %i = add.i32.nsw(%i, 0:i32)");
  run = execute(&t);
  assert_false(run.done);
  assert_non_null(run.why);
  hd_compare_run_free(&run);
  free_two(&t);
}

static void test_outputs_fit(void **state) {
  (void)state;
  two t = make_two(NULL, NULL);
  assert_true(hd_compare_outputs_fit(&t.notes[0], &t.notes[1], t.diag));
  free_two(&t);
  t = make_two("pragma 0:5:1 \"heddle output\"\n", "");
  assert_false(hd_compare_outputs_fit(&t.notes[0], &t.notes[1], t.diag));
  assert_int_equal(hd_diag_errors(t.diag), 1);
  assert_false(hd_compare_outputs_fit(&t.notes[1], &t.notes[0], t.diag));
  free_two(&t);
  t = make_two("type 3 array 16 of 1 count 2", "type 3 array 16 of 0 count 4");
  assert_false(hd_compare_outputs_fit(&t.notes[0], &t.notes[1], t.diag));
  free_two(&t);
}

static bool has(const hd_texts *texts, const char *text) {
  for (size_t i = 0; i < texts->size; i++)
    if (!strcmp(texts->data[i], text))
      return true;
  return false;
}

static void test_candidates(void **state) {
  (void)state;
  two t = make_two(NULL, NULL);
  hd_samples samples;
  hd_run run = {0};
  hd_samples_take(&samples, &t.notes[0], 1, 12, 0, &run);
  assert_int_equal(samples.runs, 12);
  assert_true(samples.samples.size > 30);
  assert_true(hd_candidates_wanted(&samples, 0, 1));
  hd_texts texts = {0};
  hd_candidates_make(&samples, t.codes[0], 0, 1, &texts);
  assert_true(has(&texts, "0 <= i"));
  assert_true(has(&texts, "i <= n"));
  assert_true(has(&texts, "i * i == 2 * s + i"));
  for (size_t i = 0; i < texts.size; i++)
    hd_free(texts.data[i]);
  hd_vec_free(&texts);
  hd_samples_free(&samples);
  free_two(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_inputs),
      cmocka_unit_test(test_execute),
      cmocka_unit_test(test_outputs_fit),
      cmocka_unit_test(test_candidates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
