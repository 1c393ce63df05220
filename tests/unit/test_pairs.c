/* SPDX-License-Identifier: MIT */
/* Pairs of threads: what is called safe for any number of threads must not fail
 * with one, two or three of them. */
#include "api/unbounded.h"
#include "engine/pairs/pairs.h"
#include "front/code/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "pairs_random.h"

static hd_code *parse(const char *text) {
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("t.code", text, strlen(text));
  hd_code *code = hd_code_read(&source, diag);
  if (!code)
    fail_msg("cannot be read:\n%s", text);
  hd_source_free(&source);
  hd_diag_delete(diag);
  return code;
}

/* Steps, not seconds: what is proved does not depend on the machine. */
static hd_verdict pairs(const char *text, uint64_t steps, char **reason) {
  hd_code *code = parse(text);
  hd_run run = {.steps = steps, .memory = (size_t)1 << 30};
  hd_result result = {0};
  hd_pairs_prove(code, false, &run, &result);
  hd_verdict verdict = result.verdict;
  if (reason)
    *reason = result.reason ? hd_strdup(result.reason) : NULL;
  hd_result_free(&result);
  hd_code_delete(code);
  return verdict;
}

static hd_verdict explored(const char *text) {
  hd_code *code = parse(text);
  hd_explore_options options = {
      .machine = {.checks = (hd_properties)1 << HD_PROPERTY_ASSERT,
                  .spurious = true}};
  hd_run run = {.steps = 200000, .memory = (size_t)1 << 29};
  hd_explore_result result = {0};
  hd_explore(code, &options, &run, &result);
  hd_verdict verdict = result.findings[HD_PROPERTY_ASSERT].verdict;
  hd_explore_result_free(&result);
  hd_code_delete(code);
  return verdict;
}

typedef struct {
  unsigned safe, unknown, compared, unsafe;
} tally;

typedef char *(*maker)(uint64_t seed, unsigned kind, int threads);

static char *make_relation(uint64_t seed, unsigned kind, int threads) {
  (void)kind;
  return relation_program(seed, threads);
}

static void compare(maker make, uint64_t seed, unsigned kind, tally *t) {
  char *endless = make(seed, kind, -1), *reason = NULL;
  hd_verdict any = pairs(endless, 200000, &reason);
  if (getenv("HD_PAIRS_TRACE"))
    print_message("seed %llu kind %u: %s %s\n", (unsigned long long)seed, kind,
                  hd_verdict_name(any), reason ? reason : "");
  assert_int_not_equal(any, HD_UNSAFE);
  t->safe += any == HD_SAFE;
  t->unknown += any == HD_UNKNOWN;
  for (int n = 1; n <= 3; n++) {
    char *few = make(seed, kind, n);
    hd_verdict all = explored(few);
    if (all == HD_UNSAFE && any == HD_SAFE)
      fail_msg("seed %llu kind %u: safe, but %d threads fail\n%s",
               (unsigned long long)seed, kind, n, few);
    t->compared += all != HD_UNKNOWN;
    t->unsafe += all == HD_UNSAFE;
    /* The finite program is one of its own, too. */
    if (pairs(few, 50000, NULL) == HD_SAFE && all == HD_UNSAFE)
      fail_msg("seed %llu kind %u: %d threads called safe, but fail\n%s",
               (unsigned long long)seed, kind, n, few);
    hd_free(few);
    if (all == HD_UNSAFE)
      break;
  }
  hd_free(reason);
  hd_free(endless);
}

static uint64_t seeds(uint64_t otherwise) {
  const char *many = getenv("HD_PAIRS_SEEDS");
  return many ? strtoull(many, NULL, 10) : otherwise;
}

static uint64_t first_seed(void) {
  const char *first = getenv("HD_PAIRS_FIRST");
  return first ? strtoull(first, NULL, 10) : 1;
}

static void test_relations(void **state) {
  (void)state;
  tally t = {0};
  uint64_t first = first_seed(), n = seeds(80);
  for (uint64_t i = 0; i < n; i++)
    compare(make_relation, first + i, 0, &t);
  print_message("relations: %u safe, %u unknown; %u comparisons, %u unsafe\n",
                t.safe, t.unknown, t.compared, t.unsafe);
  assert_true(first != 1 || n < 80 || (t.safe > 5 && t.unsafe > 30));
}

static void test_small(void **state) {
  (void)state;
  static const unsigned kinds[] = {0, HD_WITH_COND, HD_WITH_SEM | HD_WITH_CALL,
                                   HD_WITH_ATOMIC | HD_WITH_INPUT,
                                   HD_WITH_TLS | HD_WITH_CALL};
  tally t = {0};
  uint64_t first = first_seed(), n = seeds(6);
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (uint64_t i = 0; i < n; i++)
      compare(random_program, first + i, kinds[k], &t);
  print_message("small: %u safe, %u unknown; %u comparisons, %u unsafe\n",
                t.safe, t.unknown, t.compared, t.unsafe);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_relations),
      cmocka_unit_test(test_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
