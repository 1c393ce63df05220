/* SPDX-License-Identifier: MIT */
/* The thread-modular analysis against all interleavings: what it calls safe must
 * not be violated in any run of a random program. */
#include "engine/explore/explore.h"
#include "engine/modular/modular.h"

#include "unfold_kinds.h"
#include "unfold_mixed.h"
#include "unfold_truth.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define ASKED (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK) | BIT(OVERFLOW))

typedef struct {
  size_t programs, violated, proved, open, gave_up;
} tally;

/* Some runs, then all of them as far as that goes. */
static bool is_violated(const hd_code *code, hd_property p, uint64_t seed) {
  hd_explore_options options = {.machine.checks = (hd_properties)1 << p,
                                .seed = seed,
                                .runs = 30,
                                .max_moves = 300,
                                .max_states = 20000,
                                .first_only = true,
                                .no_shrink = true};
  hd_run run = {0};
  bool bad = false;
  for (int all = 0; all < 2 && !bad; all++) {
    hd_explore_result found = {0};
    (all ? hd_explore : hd_fuzz)(code, &options, &run, &found);
    bad = found.findings[p].verdict == HD_UNSAFE;
    hd_explore_result_free(&found);
  }
  return bad;
}

static void compare(uint64_t seed, hd_str text, tally *t) {
  hd_code *code = read_code(hd_str_text(&text));
  hd_unfold_options o = {.checks = ASKED,
                         .widen = (uint32_t)(seed % 3),
                         .partition = (uint32_t)(seed % 4),
                         .unroll = (uint32_t)(seed % 5)};
  hd_run run = {0};
  hd_unfold_result found = {0};
  hd_modular_prove(code, &o, &run, &found);
  t->programs++;
  t->gave_up += found.reason != NULL;
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++) {
    if (!(ASKED >> p & 1))
      continue;
    bool safe = found.verdicts[p] == HD_SAFE;
    t->proved += safe;
    t->open += !safe;
    if (!safe || !is_violated(code, p, seed))
      continue;
    fputs(hd_str_text(&text), stderr);
    fail_msg("program %llu: '%s' is violated, but called safe",
             (unsigned long long)seed, hd_property_name(p));
  }
  hd_unfold_result_free(&found);
  hd_code_delete(code);
  hd_str_free(&text);
}

/* More of them: HEDDLE_PROGRAMS=N, from number HEDDLE_FIRST on. */
static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

static void run_all(const char *what, hd_str (*make)(uint64_t)) {
  uint64_t first = setting("HEDDLE_FIRST", 0);
  uint64_t n = setting("HEDDLE_PROGRAMS", 400);
  tally t = {0};
  for (uint64_t seed = first; seed < first + n; seed++)
    compare(seed, make(seed), &t);
  print_message("%s: %zu programs, %zu proofs, %zu open, given up %zu times\n",
                what, t.programs, t.proved, t.open, t.gave_up);
  assert_true(t.proved > n / 4);
}

static void test_wild(void **state) {
  (void)state;
  run_all("wild", random_program);
}

static void test_orderly(void **state) {
  (void)state;
  run_all("orderly", orderly_program);
}

static void test_waits(void **state) {
  (void)state;
  run_all("waits", waiting_program);
}

/* Arrays of locks, memory from malloc, bytes that wrap around. */
static void test_mixed(void **state) {
  (void)state;
  run_all("mixed", mixed_program);
}

/* Mutexes that are taken again. */
static void test_kinds(void **state) {
  (void)state;
  run_all("kinds", kinds_program);
}

/* Truth in registers. */
static void test_truth(void **state) {
  (void)state;
  run_all("truth", truth_program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wild),  cmocka_unit_test(test_orderly),
      cmocka_unit_test(test_waits), cmocka_unit_test(test_mixed),
      cmocka_unit_test(test_truth), cmocka_unit_test(test_kinds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
