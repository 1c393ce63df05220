/* SPDX-License-Identifier: MIT */
/* C programs with any number of threads: states and closure against their
 * definitions, and verdicts against all interleavings of few threads. */
#include "api/unbounded.h"
#include "front/code/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "small_random.h"

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

/* --- verdicts --- */

typedef struct {
  hd_verdict verdict;
  char *reason;
} answer;

static answer unbounded(const char *text, uint32_t max_threads, bool spurious) {
  hd_code *code = parse(text);
  hd_unbounded_options options = {.max_threads = max_threads,
                                  .machine = {.spurious = spurious}};
  hd_run run = {.deadline = hd_now() + 20, .memory = (size_t)1 << 29};
  hd_unbounded_run made = {0};
  hd_result result = {0};
  hd_verify_status status =
      hd_verify_unbounded(code, &options, &run, &made, &result);
  if (status == HD_VERIFY_INTERNAL)
    fail_msg("%s\n%s", result.reason, text);
  answer a = {.verdict = result.verdict,
              .reason = result.reason ? hd_strdup(result.reason) : NULL};
  if (a.verdict == HD_UNSAFE)
    assert_true(made.turns.size && made.violation.message);
  if (a.verdict == HD_SAFE)
    assert_true(result.cert || result.reason);
  hd_unbounded_run_free(&made);
  hd_result_free(&result);
  hd_code_delete(code);
  return a;
}

static hd_verdict explored(const char *text, bool spurious) {
  hd_code *code = parse(text);
  hd_explore_options options = {
      .machine = {.checks = (hd_properties)1 << HD_PROPERTY_ASSERT,
                  .spurious = spurious}};
  hd_run run = {.deadline = hd_now() + 2, .memory = (size_t)1 << 29};
  hd_explore_result result = {0};
  hd_explore(code, &options, &run, &result);
  hd_verdict verdict = result.findings[HD_PROPERTY_ASSERT].verdict;
  hd_explore_result_free(&result);
  hd_code_delete(code);
  return verdict;
}

typedef struct {
  int safe, unsafe, unknown, compared, exact;
} tally;

/* The program of one seed: with any number of threads, and with few. */
static void compare(uint64_t seed, unsigned kind, tally *t) {
  char *endless = random_program(seed, kind, -1);
  bool spurious = seed & 1;
  answer any = unbounded(endless, 0, spurious);
  if (getenv("HD_SMALL_TRACE"))
    print_message("seed %llu kind %u: %s %s\n", (unsigned long long)seed, kind,
                  hd_verdict_name(any.verdict), any.reason ? any.reason : "");
  t->safe += any.verdict == HD_SAFE;
  t->unsafe += any.verdict == HD_UNSAFE;
  t->unknown += any.verdict == HD_UNKNOWN;
  for (int n = 1; n <= 3; n++) {
    char *few = random_program(seed, kind, n);
    hd_verdict all = explored(few, spurious);
    if (all == HD_UNSAFE && any.verdict == HD_SAFE)
      fail_msg("seed %llu kind %u: safe, but %d threads fail\n%s",
               (unsigned long long)seed, kind, n, few);
    /* The endless main held after n threads is the one with n. */
    answer bounded = unbounded(endless, (uint32_t)n + 1, spurious);
    if (all != HD_UNKNOWN && bounded.verdict != HD_UNKNOWN) {
      t->exact++;
      if (bounded.verdict != all)
        fail_msg("seed %llu kind %u, %d threads: %s, but all interleavings "
                 "say %s\n%s",
                 (unsigned long long)seed, kind, n,
                 hd_verdict_name(bounded.verdict), hd_verdict_name(all), few);
    }
    t->compared += all != HD_UNKNOWN;
    hd_free(bounded.reason);
    hd_free(few);
    if (all == HD_UNSAFE)
      break;
  }
  hd_free(any.reason);
  hd_free(endless);
}

/* HD_SMALL_SEEDS: how many programs of each kind. */
static void test_random(void **state) {
  (void)state;
  const char *many = getenv("HD_SMALL_SEEDS");
  uint64_t n = many ? strtoull(many, NULL, 10) : 12;
  static const unsigned kinds[] = {0,
                                   HD_WITH_COND,
                                   HD_WITH_RWLOCK,
                                   HD_WITH_SEM | HD_WITH_CALL,
                                   HD_WITH_ATOMIC | HD_WITH_INPUT,
                                   HD_WITH_ONCE | HD_WITH_TLS,
                                   255};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    tally t = {0};
    for (uint64_t seed = 1; seed <= n; seed++)
      compare(seed, kinds[k], &t);
    print_message("kind %3u: %d safe, %d unsafe, %d unknown; %d compared, %d "
                  "exactly\n",
                  kinds[k], t.safe, t.unsafe, t.unknown, t.compared, t.exact);
    assert_true(t.compared > 0 && t.safe + t.unsafe > (int)n / 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
