/* SPDX-License-Identifier: MIT */
/* Annotations: what they prove must be true of random programs, and what was
 * changed in one must be refused or still be true. With names of code graphs as
 * arguments: prints what can be proved of each. */
#include "check/notes/notes.h"

#include "engine/explore/explore.h"
#include "base/io.h"
#include "explore_util.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define USUAL (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK))

enum { PROGRAMS = 300 };

static hd_properties prove(const hd_code *code, hd_str *why) {
  hd_run run = {0}, other = {0};
  hd_notes *n = hd_notes_find(code, USUAL, &run, why);
  hd_properties proved = n ? hd_notes_judge(n, USUAL, &other, why) : 0;
  hd_notes_delete(n);
  return proved;
}

static void compare(uint64_t seed, size_t proofs[3]) {
  static const hd_property of[] = {HD_PROPERTY_ASSERT, HD_PROPERTY_RACE,
                                   HD_PROPERTY_DEADLOCK};
  hd_str text = random_program(seed), why = {0};
  hd_code *code = read_code(hd_str_text(&text));
  hd_properties proved = prove(code, &why);
  for (int i = 0; i < 3; i++) {
    if (!(proved >> of[i] & 1))
      continue;
    proofs[i]++;
    hd_explore_options options = {.seed = 1};
    hd_explore_result result = {0};
    hd_run run = {.steps = 40000};
    options.machine.checks = (hd_properties)1 << of[i];
    hd_explore(code, &options, &run, &result);
    if (result.findings[of[i]].verdict == HD_UNSAFE)
      fail_msg("seed %llu: %s is proved and violated\n%s",
               (unsigned long long)seed, hd_property_name(of[i]),
               hd_str_text(&text));
    hd_explore_result_free(&result);
  }
  hd_code_delete(code);
  hd_str_free(&text);
  hd_str_free(&why);
}

static void test_random(void **state) {
  (void)state;
  size_t proofs[3] = {0};
  const char *more = getenv("HEDDLE_PROGRAMS");
  uint64_t n = more ? strtoull(more, NULL, 10) : PROGRAMS;
  for (uint64_t seed = 1; seed <= n; seed++)
    compare(seed, proofs);
  printf("# proofs: %zu assert, %zu race, %zu deadlock\n", proofs[0], proofs[1],
         proofs[2]);
  assert_true(proofs[0] > n / 50 && proofs[1] > n / 50 && proofs[2] > n / 50);
}

static int try_files(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    hd_source source;
    hd_diag *diag = hd_diag_new();
    hd_str why = {0};
    if (!hd_source_read(argv[i], &source, diag))
      return 2;
    hd_code *code = hd_code_read(&source, diag);
    if (!code)
      return 2;
    hd_properties proved = code->main == HD_NO_ID ? 0 : prove(code, &why);
    printf("%s:", argv[i]);
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
      if (proved >> p & 1)
        printf(" %s", hd_property_name(p));
    printf(" # %s\n", hd_str_text(&why));
    hd_str_free(&why);
    hd_code_delete(code);
    hd_source_free(&source);
    hd_diag_delete(diag);
  }
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
  };
  if (argc > 1)
    return try_files(argc, argv);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
