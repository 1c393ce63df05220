/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/bitset.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/run.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define HD_MAP int_map
#define HD_KEY uint32_t
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

static void vec_grows_and_keeps(void **state) {
  hd_u32s v = {0};
  for (uint32_t i = 0; i < 1000; i++)
    hd_vec_push(&v, i * i);
  assert_int_equal(v.size, 1000);
  uint32_t i = 0;
  for (hd_vec_each(uint32_t, p, &v)) {
    assert_int_equal(*p, i * i);
    i++;
  }
  assert_int_equal(hd_vec_pop(&v), 999 * 999);
  hd_vec_free(&v);
  for (hd_vec_each(uint32_t, p, &v))
    fail_msg("an empty vector has no element %u", *p);
}

static void memory_is_counted(void **state) {
  size_t before = hd_mem_current();
  void *p = hd_alloc(1000);
  assert_true(hd_mem_current() >= before + 1000);
  assert_true(hd_mem_peak() >= hd_mem_current());
  hd_free(p);
  assert_int_equal(hd_mem_current(), before);
}

static void arena_rewinds(void **state) {
  hd_arena arena;
  hd_arena_init(&arena);
  char *a = hd_arena_strndup(&arena, "hello", 4);
  assert_string_equal(a, "hell");
  hd_arena_mark mark = hd_arena_save(&arena);
  for (int i = 0; i < 100; i++)
    memset(hd_arena_alloc(&arena, 5000), i, 5000);
  hd_arena_rewind(&arena, mark);
  assert_string_equal(a, "hell");
  void *big = hd_arena_alloc(&arena, 1 << 20);
  memset(big, 1, 1 << 20);
  hd_arena_free(&arena);
}

static void map_keeps_insertion_order(void **state) {
  int_map map = {0};
  for (uint32_t i = 0; i < 1000; i++) {
    bool fresh;
    int_map_put(&map, i * 7919 % 1009, i, &fresh);
    assert_true(fresh);
  }
  assert_int_equal(map.size, 1000);
  for (uint32_t i = 0; i < 1000; i++) {
    assert_int_equal(map.items[i].val, i);
    assert_int_equal(*int_map_find(&map, i * 7919 % 1009), i);
  }
  assert_null(int_map_find(&map, 5000));
  bool fresh;
  assert_int_equal(*int_map_put(&map, 7919 % 1009, 77, &fresh), 1);
  assert_false(fresh);
  int_map_free(&map);
}

static void bits_union_reports_change(void **state) {
  uint64_t a[3] = {0}, b[3] = {0};
  hd_bits_set(a, 5);
  hd_bits_set(a, 130);
  assert_true(hd_bits_union(b, a, 3));
  assert_false(hd_bits_union(b, a, 3));
  assert_int_equal(hd_bits_count(b, 3), 2);
  assert_int_equal(hd_bits_next(b, 190, 0), 5);
  assert_int_equal(hd_bits_next(b, 190, 6), 130);
  assert_int_equal(hd_bits_next(b, 190, 131), 190);
  hd_bits_clear(b, 5);
  assert_true(hd_bits_subset(b, a, 3));
  assert_false(hd_bits_subset(a, b, 3));
}

static void str_formats_and_is_taken(void **state) {
  hd_str s = {0};
  assert_string_equal(hd_str_text(&s), "");
  for (int i = 0; i < 100; i++)
    hd_str_printf(&s, "%d,", i);
  char *text = hd_str_take(&s);
  assert_int_equal(strlen(text), 10 * 2 + 90 * 3);
  assert_string_equal(hd_str_text(&s), "");
  hd_free(text);
}

/* What `diag` prints; valid until the next call. */
static char *printed(hd_diag *diag) {
  static char text[20000];
  memset(text, 0, sizeof text);
  FILE *out = fmemopen(text, sizeof text - 1, "w");
  hd_diag_print(diag, out, false);
  fclose(out);
  return text;
}

static void diagnostics_show_line_and_caret(void **state) {
  hd_source source = hd_source_from_text("f.tts", "3 4\n0 x -> 1 1\n", 15);
  hd_diag *diag = hd_diag_new();
  hd_diag_error(diag, &source, hd_source_pos(&source, 6, 1),
                "expected a number, got '%s'", "x");
  char *text = printed(diag);
  assert_string_equal(text, "f.tts:2:3: error: expected a number, got 'x'\n"
                            "  0 x -> 1 1\n"
                            "    ^\n");
  assert_int_equal(hd_diag_errors(diag), 1);
  hd_diag_delete(diag);
  hd_source_free(&source);
}

static void long_lines_are_cut_around_the_caret(void **state) {
  char line[5000];
  memset(line, 'a', sizeof line);
  line[3000] = 'X';
  hd_source source = hd_source_from_text("f", line, sizeof line);
  hd_diag *diag = hd_diag_new();
  hd_diag_error(diag, &source, (hd_pos){1, 3001, 1}, "here");
  char *text = printed(diag);
  char *excerpt = strchr(text, '\n') + 1, *caret = strchr(excerpt, '\n') + 1;
  assert_int_equal(excerpt[strchr(caret, '^') - caret], 'X');
  assert_true(strlen(text) < 400);
  hd_diag_delete(diag);
  hd_source_free(&source);
}

static void diagnostics_stop_at_twenty(void **state) {
  hd_diag *diag = hd_diag_new();
  for (int i = 0; i < 30; i++)
    hd_diag_file_error(diag, "f", "error %d", i);
  assert_true(hd_diag_full(diag));
  char *text = printed(diag);
  assert_non_null(strstr(text, "error 19"));
  assert_null(strstr(text, "error 20"));
  assert_non_null(strstr(text, "10 further errors"));
  hd_diag_delete(diag);
}

static void reading_a_directory_is_an_error(void **state) {
  hd_diag *diag = hd_diag_new();
  hd_source source;
  assert_false(hd_source_read(".", &source, diag));
  assert_false(hd_source_read("no/such/file", &source, diag));
  char *text = printed(diag);
  assert_non_null(strstr(text, "is a directory"));
  assert_non_null(strstr(text, "cannot open"));
  hd_diag_delete(diag);
}

static void output_is_complete_or_absent(void **state) {
  char dir[] = "hd-test-XXXXXX";
  assert_non_null(mkdtemp(dir));
  char path[64];
  snprintf(path, sizeof path, "%s/out", dir);
  hd_diag *diag = hd_diag_new();
  hd_output output;
  assert_true(hd_output_open(&output, path, diag));
  fputs("half", output.file);
  hd_output_abandon(&output);
  assert_int_equal(access(path, F_OK), -1);
  assert_true(hd_output_open(&output, path, diag));
  fputs("whole", output.file);
  assert_true(hd_output_close(&output, diag));
  assert_int_equal(access(path, F_OK), 0);
  unlink(path);
  assert_int_equal(rmdir(dir), 0);
  hd_diag_delete(diag);
}

static void a_full_disk_is_reported(void **state) {
  if (access("/dev/full", W_OK))
    skip();
  hd_diag *diag = hd_diag_new();
  hd_output output;
  assert_true(hd_output_open(&output, "/dev/full", diag));
  fputs("text", output.file);
  assert_false(hd_output_close(&output, diag));
  assert_int_equal(hd_diag_errors(diag), 1);
  hd_diag_delete(diag);
}

static void run_stops_at_the_step_limit(void **state) {
  hd_run run = {.steps = 10};
  int n = 0;
  while (hd_run_tick(&run))
    n++;
  assert_int_equal(n, 10);
  assert_string_equal(hd_run_why(&run), "step limit reached");
  assert_false(hd_run_tick(&run));
}

static void run_stops_at_the_deadline(void **state) {
  hd_run run = {.deadline = hd_now() + 0.01};
  while (hd_run_tick(&run))
    ;
  assert_string_equal(hd_run_why(&run), "time limit reached");
}

static void run_stops_when_cancelled(void **state) {
  volatile sig_atomic_t flag = 0;
  hd_run run = {.cancel = &flag};
  assert_true(hd_run_check(&run));
  flag = 1;
  assert_false(hd_run_check(&run));
  assert_string_equal(hd_run_why(&run), "interrupted");
}

static int nothing_leaks(void **state) {
  return hd_mem_current() ? -1 : 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vec_grows_and_keeps),
      cmocka_unit_test(memory_is_counted),
      cmocka_unit_test(arena_rewinds),
      cmocka_unit_test(map_keeps_insertion_order),
      cmocka_unit_test(bits_union_reports_change),
      cmocka_unit_test(str_formats_and_is_taken),
      cmocka_unit_test(diagnostics_show_line_and_caret),
      cmocka_unit_test(long_lines_are_cut_around_the_caret),
      cmocka_unit_test(diagnostics_stop_at_twenty),
      cmocka_unit_test(reading_a_directory_is_an_error),
      cmocka_unit_test(output_is_complete_or_absent),
      cmocka_unit_test(a_full_disk_is_reported),
      cmocka_unit_test(run_stops_at_the_step_limit),
      cmocka_unit_test(run_stops_at_the_deadline),
      cmocka_unit_test(run_stops_when_cancelled),
  };
  return cmocka_run_group_tests_name("base", tests, NULL, nothing_leaks);
}
