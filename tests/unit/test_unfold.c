/* SPDX-License-Identifier: MIT */
/* Abstract unfoldings: small programs whose events are known. */
#include "engine/explore/explore.h"
#include "engine/unfold/unfold.h"

#include "code_util.h"

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define ASKED (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK) | BIT(OVERFLOW))

typedef struct {
  hd_code *code;
  hd_unfold_options options;
  hd_unfold_result result;
} job;

static job unfold(hd_code *code, hd_unfold_options options) {
  job j = {.code = code, .options = options};
  if (!j.options.checks)
    j.options.checks = ASKED;
  hd_run run = {0};
  hd_unfold(code, &j.options, &run, &j.result);
  return j;
}

static void end(job *j) {
  hd_unfold_result_free(&j->result);
  hd_code_delete(j->code);
}

static const char *why(const job *j) {
  return j->result.reason        ? j->result.reason
         : j->result.alarms.size ? j->result.alarms.data[0].message
                                 : "";
}

static void expect(const job *j, hd_property p, hd_verdict verdict) {
  if (j->result.verdicts[p] != verdict)
    fail_msg("%s is %s, not %s (%s)", hd_property_name(p),
             hd_verdict_name(j->result.verdicts[p]), hd_verdict_name(verdict),
             why(j));
}

/* The interpreter's word: the property is violated, or is not. */
static void truth(const hd_code *code, hd_property p, hd_verdict verdict) {
  hd_explore_options options = {.machine.checks =
                                    BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK)};
  hd_run run = {0};
  hd_explore_result found = {0};
  hd_explore(code, &options, &run, &found);
  if (found.findings[p].verdict != verdict)
    fail_msg("%s is %s in fact", hd_property_name(p),
             hd_verdict_name(found.findings[p].verdict));
  hd_explore_result_free(&found);
}

/* Takes over `code`. */
static void check(hd_code *code, hd_property p, hd_verdict verdict) {
  truth(code, p, verdict);
  job j = unfold(code, (hd_unfold_options){0});
  expect(&j, p, verdict == HD_SAFE ? HD_SAFE : HD_UNKNOWN);
  end(&j);
}

/* --- mistakes that were made --- */

/* What main writes behind a creation, into the handle, is newer than what the
 * creation wrote there, for the thread that learns of it by the lock. */
static void test_handle_overwritten(void **state) {
  (void)state;
  check(program_of(
            LOCK("m") "load %a = @x\n"
                      "load %b = @th\n" UNLOCK("m") "? ne.i1(%a, 1:i32) ok\n"
                                                    "? ne.i1(%b, 77:i32) ok\n"
                                                    "call @reach_error()\n"
                                                    ":ok\n"
                                                    "return null\n",
            NULL,
            CREATE("0", "0")
                LOCK("m") "store @x = 1:i32\n"
                          "store @th = 77:i32\n" UNLOCK("m") "return 0:i32\n"),
        HD_PROPERTY_ASSERT, HD_UNSAFE);
}

/* The first thread knows that y is 5 on the short way and that it is not on the
 * long one. The second one has not looked: after it both ways look alike, and
 * the long one is a cutoff, if that is not taken care of. */
static void test_knowledge_of_others(void **state) {
  (void)state;
  static const char looks[] =
      "load %a = @y\n"
      "? eq.i1(%a, 5:i32) short\n" LOCK("n") UNLOCK("n") LOCK("n")
          UNLOCK("n") "goto on\n"
                      ":short\n" LOCK("third") UNLOCK(
                          "third") ":on\n"
                                   "set %a = 0:i32\n" LOCK(
                                       "m") "store @x = 1:i32\n" UNLOCK("m")
                                       LOCK("m") "load %b = @z\n" UNLOCK(
                                           "m") "? ne.i1(%b, 1:i32) ok\n"
                                                "load %a = @y\n"
                                                "? eq.i1(%a, 5:i32) ok\n"
                                                "call @reach_error()\n"
                                                ":ok\n"
                                                "return null\n";
  static const char answers[] = LOCK("m") "load %a = @x\n"
                                          "? ne.i1(%a, 1:i32) out\n"
                                          "store @z = 1:i32\n"
                                          ":out\n" UNLOCK("m") "return null\n";
  check(program_of(looks, answers,
                   "call %a = @heddle_nondet_int(0:i32, 9:i32)\n"
                   "store @y = %a\n" CREATE("0", "0")
                       CREATE("1", "8") "return 0:i32\n"),
        HD_PROPERTY_ASSERT, HD_UNSAFE);
}

/* On the long way y was written, without a trace in the values. What follows is
 * the same on both ways, but only behind the long one it is a race. */
static void test_race_with_the_past(void **state) {
  (void)state;
  static const char writes[] =
      "call %a = @heddle_nondet_int(0:i32, 1:i32)\n"
      "? eq.i1(%a, 0:i32) short\n"
      "store @y = 0:i32\n" LOCK("n") UNLOCK("n") LOCK("n")
          UNLOCK("n") "goto on\n"
                      ":short\n" LOCK("third")
                          UNLOCK("third") ":on\n"
                                          "set %a = 0:i32\n" LOCK("m")
                                              UNLOCK("m") "return null\n";
  static const char reads[] =
      "call %k = @pthread_mutex_trylock(@m)\n"
      "? ne.i1(%k, 0:i32) busy\n" UNLOCK("m") "return null\n"
                                              ":busy\n"
                                              "load %b = @y\n"
                                              "return null\n";
  hd_code *code = program_of(
      writes, reads, CREATE("0", "0") CREATE("1", "8") "return 0:i32\n");
  /* The two accesses never come one after the other: explore does not see it. */
  hd_explore_options options = {.machine.checks = BIT(RACE), .seed = 1};
  hd_run run = {0};
  hd_explore_result found = {0};
  hd_fuzz(code, &options, &run, &found);
  assert_int_equal(found.findings[HD_PROPERTY_RACE].verdict, HD_UNSAFE);
  hd_explore_result_free(&found);
  job j = unfold(code, (hd_unfold_options){0});
  expect(&j, HD_PROPERTY_RACE, HD_UNKNOWN);
  expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
  end(&j);
}

/* Data handed over by a flag: only if storing and loading it synchronise. */
static void hand_over(const char *store, const char *load, bool ok) {
  char writes[200], reads[300];
  snprintf(writes, sizeof writes,
           "store @y = 1:i32\nstore.%s @z = 1:i32\nreturn null\n", store);
  snprintf(reads, sizeof reads,
           ":again\nload.%s %%a = @z\n? eq.i1(%%a, 0:i32) again\n"
           "load %%b = @y\n? eq.i1(%%b, 1:i32) ok\ncall @reach_error()\n"
           ":ok\nreturn null\n",
           load);
  job j = unfold(program_of(writes, reads,
                            CREATE("0", "0") CREATE("1", "8") JOIN("0")
                                JOIN("8") "return 0:i32\n"),
                 (hd_unfold_options){0});
  expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
  expect(&j, HD_PROPERTY_RACE, ok ? HD_SAFE : HD_UNKNOWN);
  expect(&j, HD_PROPERTY_DEADLOCK, HD_SAFE);
  assert_true(j.result.cutoffs > 0); /* waiting goes round and round */
  end(&j);
}

static void test_hand_over(void **state) {
  (void)state;
  hand_over("release", "acquire", true);
  hand_over("seq_cst", "seq_cst", true);
  hand_over("relaxed", "acquire", false);
  hand_over("release", "relaxed", false);
}

/* A thread that waits within an atomic section lets the others run. */
static void test_wait_in_atomic_section(void **state) {
  (void)state;
  check(program_of(
            "call @__VERIFIER_atomic_begin()\n" LOCK("m")
                UNLOCK("m") "call @__VERIFIER_atomic_end()\n"
                            "return null\n",
            LOCK("m") "store.seq_cst @x = 1:i32\n" UNLOCK("m") "return null\n",
            CREATE("0", "0") CREATE("1", "8") JOIN("0")
                JOIN("8") "return 0:i32\n"),
        HD_PROPERTY_DEADLOCK, HD_SAFE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_handle_overwritten),
      cmocka_unit_test(test_knowledge_of_others),
      cmocka_unit_test(test_race_with_the_past),
      cmocka_unit_test(test_hand_over),
      cmocka_unit_test(test_wait_in_atomic_section),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
