/* SPDX-License-Identifier: MIT */
/* Every file of tests/golden: the messages about it are, to the byte, those in
 * the file beside it. HEDDLE_GOLDEN=update writes these anew. */
#include "front_util.h"

#include "front/targets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#include "files_util.h"

/* A golden file read as what its name says; messages name it by its base name
 * only. Targets are those of a fixed model. */
static char *golden_messages(const char *path) {
  hd_diag *diag = hd_diag_new();
  hd_source source;
  assert_true(hd_source_read(path, &source, diag));
  hd_free(source.name);
  source.name = hd_strdup(base_name(path));
  bool good;
  if (ends_with(path, ".prop")) {
    bool net_prop = !strncmp(source.name, "net-", 4);
    hd_net *net = net_prop ? parse_text("vars p q r rules init p=0,q=0,r=0",
                                        HD_FORMAT_MIST)
                           : parse_text("3 4\n", HD_FORMAT_TTS);
    good = hd_text_check(&source, "a target", diag) &&
           hd_targets_parse(net, hd_region_all(&source), true, diag);
    hd_net_delete(net);
  } else {
    hd_format format;
    assert_true(hd_format_of_path(path, &format));
    hd_net *net = hd_front_parse(&source, format, diag);
    good = net != NULL;
    hd_net_delete(net);
  }
  assert_int_equal(good, hd_diag_errors(diag) == 0);
  char *messages = take_messages(diag);
  hd_source_free(&source);
  hd_diag_delete(diag);
  return messages;
}

static char *expected_path(const char *path) {
  hd_str name = {0};
  hd_str_printf(&name, "%s.expected", path);
  return hd_str_take(&name);
}

/* The messages about one file are, to the byte, the expected ones. */
static void golden(void **state) {
  const char *path = *state;
  char *messages = golden_messages(path), *other = expected_path(path);
  if (getenv("HEDDLE_GOLDEN")) {
    FILE *out = fopen(other, "w");
    fputs(messages, out);
    fclose(out);
  }
  hd_diag *diag = hd_diag_new();
  hd_source expected;
  assert_true(hd_source_read(other, &expected, diag));
  assert_string_equal(messages, expected.text);
  assert_true(messages[0]);
  hd_source_free(&expected);
  hd_diag_delete(diag);
  hd_free(messages);
  hd_free(other);
}

int main(void) {
  tests all = {0};
  paths files = files_below(HD_SOURCE_ROOT "/tests/golden");
  for (hd_vec_each(heap_text, path, &files))
    if (!ends_with(*path, ".expected"))
      add_test(&all, base_name(*path), golden, *path);
  size_t n = all.size;
  int failed =
      _cmocka_run_group_tests("golden", all.data, all.size, NULL, NULL);
  hd_vec_free(&all);
  free_paths(&files);
  if (n < 60 || hd_mem_current()) {
    fprintf(stderr, "%zu golden files, %zu bytes left\n", n, hd_mem_current());
    return 1;
  }
  return failed;
}
