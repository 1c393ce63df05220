/* SPDX-License-Identifier: MIT */
/* Abstract unfoldings against all interleavings: what unfold calls safe must not
 * be violated in any run of a random program, whatever its options are. */
#include "engine/explore/explore.h"
#include "engine/unfold/unfold.h"

#include "unfold_crew.h"
#include "unfold_kinds.h"
#include "unfold_mixed.h"
#include "unfold_truth.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define ASKED                                                                  \
  (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK) | BIT(OVERFLOW) | BIT(SYNC) |       \
   BIT(MEMORY) | BIT(UNINIT))

typedef struct {
  size_t programs, violated, distant, proved, open, gave_up;
  size_t shown, to_show; /* along the ways of alarms */
  size_t known;          /* segments that were not analysed again */
} tally;

static hd_unfold_options some_options(uint64_t seed, int number) {
  rng r = rng_of(seed * 8 + (uint64_t)number);
  hd_unfold_options o = {.checks = ASKED, .max_events = 1500};
  o.domain = number == 3 ? HD_DOMAIN_OCTAGON : HD_DOMAIN_INTERVAL;
  /* Misuse makes signals events: not always. */
  if (seed % 2)
    o.checks &= ~BIT(SYNC);
  if (number) {
    o.widen = draw(&r, 4);
    o.partition = draw(&r, 4);
    o.unroll = draw(&r, 4);
    o.no_cutoffs = number == 2;
    if (number == 5 || number == 6)
      o.domain = HD_DOMAIN_CONCRETE;
    if (number == 6) /* all inputs are variables */
      o.split = 1;
    if (number >= 7) { /* and partitions, with loops over events widened */
      o.domain = number == 7 ? HD_DOMAIN_INTERVAL : HD_DOMAIN_OCTAGON;
      o.levels = 1 + draw(&r, 3);
      o.partition = 1;
    }
    if (number == 4) {
      o.domain = HD_DOMAIN_OCTAGON;
      o.partition = o.widen = o.unroll = 1;
    }
  }
  return o;
}

static void contradiction(uint64_t seed, const char *text, hd_property p,
                          const hd_unfold_options *o) {
  fputs(text, stderr);
  fail_msg("program %llu: '%s' is violated, but unfold (widen %u, partition "
           "%u, unroll %u, domain %d, split %u, levels %u, cutoffs %s) calls "
           "it safe",
           (unsigned long long)seed, hd_property_name(p), o->widen,
           o->partition, o->unroll, (int)o->domain, o->split, o->levels,
           o->no_cutoffs ? "off" : "on");
}

/* Races by vector clocks, which explore does not use: those of accesses that
 * never come one after the other. */
static bool races(const hd_code *code, uint64_t seed) {
  hd_explore_options options = {.machine.checks = BIT(RACE),
                                .seed = seed,
                                .runs = 30,
                                .max_moves = 300,
                                .first_only = true,
                                .no_shrink = true};
  hd_run run = {0};
  hd_explore_result found = {0};
  hd_fuzz(code, &options, &run, &found);
  bool bad = found.findings[HD_PROPERTY_RACE].verdict == HD_UNSAFE;
  hd_explore_result_free(&found);
  return bad;
}

/* What is violated in some run. One after the other: an assertion or an overflow
 * ends runs, and would hide what comes behind it. */
static hd_properties violated(const hd_code *code, uint64_t seed, tally *t) {
  static const hd_properties sets[] = {BIT(ASSERT),   BIT(RACE) | BIT(DEADLOCK),
                                       BIT(OVERFLOW), BIT(SYNC),
                                       BIT(MEMORY),   BIT(UNINIT)};
  hd_properties bad = 0;
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    hd_explore_options options = {.machine.checks = sets[i],
                                  .max_states = 30000};
    hd_run run = {0};
    hd_explore_result found = {0};
    hd_explore(code, &options, &run, &found);
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
      if (found.findings[p].asked && found.findings[p].verdict == HD_UNSAFE)
        bad |= (hd_properties)1 << p;
    hd_explore_result_free(&found);
  }
  if (!(bad & BIT(RACE)) && races(code, seed)) {
    bad |= BIT(RACE);
    t->distant++;
  }
  return bad;
}

/* Alarms that are violations: runs along their ways show how many. */
static void steer(const hd_code *code, const hd_unfold_options *o,
                  const hd_unfold_result *found, hd_properties truth,
                  tally *t) {
  hd_explore_options options = {.machine.checks = o->checks};
  hd_run run = {0};
  hd_explore_result shown = {0};
  hd_vec(const hd_waypoints *) ways = {0};
  for (hd_vec_each(const hd_alarm, a, &found->alarms))
    hd_vec_push(&ways, &a->way);
  hd_steer(code, &options, ways.data, ways.size, &run, &shown);
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++) {
    bool unsafe =
        shown.findings[p].asked && shown.findings[p].verdict == HD_UNSAFE;
    t->shown += unsafe;
    t->to_show += o->checks >> p & truth >> p & 1;
    if (unsafe)
      assert_int_equal(found->verdicts[p], HD_UNKNOWN);
  }
  hd_vec_free(&ways);
  hd_explore_result_free(&shown);
}

/* Segments whose results are known from before change nothing. */
static void without_memo(uint64_t seed, const hd_code *code,
                         hd_unfold_options o, const char *text,
                         const hd_unfold_result *with) {
  o.no_memo = true;
  hd_run run = {0};
  hd_unfold_result found = {0};
  hd_unfold(code, &o, &run, &found);
  assert_int_equal(found.memo_hits, 0);
  if (found.events != with->events || found.cutoffs != with->cutoffs ||
      found.steps != with->steps || found.alarms.size != with->alarms.size ||
      memcmp(found.verdicts, with->verdicts, sizeof found.verdicts) != 0) {
    fputs(text, stderr);
    fail_msg("program %llu: %zu events, %zu cutoffs, %zu steps, %zu alarms; "
             "without memo %zu, %zu, %zu, %zu",
             (unsigned long long)seed, with->events, with->cutoffs, with->steps,
             with->alarms.size, found.events, found.cutoffs, found.steps,
             found.alarms.size);
  }
  hd_unfold_result_free(&found);
}

static void compare(uint64_t seed, hd_str text, tally *t) {
  hd_code *code = read_code(hd_str_text(&text));
  hd_properties truth = violated(code, seed, t);
  t->programs++;
  for (int number = 0; number < 9; number++) {
    hd_unfold_options o = some_options(seed, number);
    hd_run mine = {0};
    hd_unfold_result found = {0};
    hd_unfold(code, &o, &mine, &found);
    t->gave_up += found.reason != NULL;
    t->known += found.memo_hits;
    if (number < 3)
      without_memo(seed, code, o, hd_str_text(&text), &found);
    if (number == 0 && !found.reason && seed % 3 == 0)
      steer(code, &o, &found, truth, t);
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++) {
      if (!(o.checks >> p & 1))
        continue;
      bool bad = truth >> p & 1;
      bool safe = found.verdicts[p] == HD_SAFE;
      if (bad && safe)
        contradiction(seed, hd_str_text(&text), p, &o);
      t->violated += bad;
      t->proved += safe;
      t->open += !bad && !safe;
    }
    hd_unfold_result_free(&found);
  }
  hd_code_delete(code);
  hd_str_free(&text);
}

/* More of them: HEDDLE_PROGRAMS=N, from number HEDDLE_FIRST on; HEDDLE_TEST=*crew
 * for one kind only. */
static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

static void show(const char *what, const tally *t) {
  print_message("%s: %zu programs, %zu violations, %zu distant races, %zu "
                "proofs, %zu open, given up %zu times, %zu of %zu shown, %zu "
                "segments known\n",
                what, t->programs, t->violated, t->distant, t->proved, t->open,
                t->gave_up, t->shown, t->to_show, t->known);
}

/* Programs of one kind; returns how many there were. */
static uint64_t compare_all(const char *what, hd_str (*program)(uint64_t),
                            uint64_t otherwise, tally *t) {
  uint64_t first = setting("HEDDLE_FIRST", 0);
  uint64_t n = setting("HEDDLE_PROGRAMS", otherwise);
  for (uint64_t seed = first; seed < first + n; seed++)
    compare(seed, program(seed), t);
  show(what, t);
  return n;
}

static void test_orderly(void **state) {
  (void)state;
  tally t = {0};
  uint64_t n = compare_all("orderly", orderly_program, 300, &t);
  /* Both sides have something to say. */
  assert_true(t.proved > 3 * n);
  assert_true(t.violated > n / 2);
  assert_true(2 * t.shown >= t.to_show);
  assert_true(t.known > n);
}

static void test_wild(void **state) {
  (void)state;
  tally t = {0};
  uint64_t n = compare_all("wild", random_program, 150, &t);
  assert_true(t.proved > n);
}

/* Threads that nobody can tell apart, which cutoffs take for each other. */
static void test_crew(void **state) {
  (void)state;
  tally t = {0};
  uint64_t n = compare_all("crew", crew_program, 120, &t);
  assert_true(t.proved > n);
  assert_true(t.violated > n / 2);
}

/* Heap, arrays of locks, bytes, pointers. */
static void test_mixed(void **state) {
  (void)state;
  tally t = {0};
  uint64_t n = compare_all("mixed", mixed_program, 150, &t);
  assert_true(t.proved > 2 * n);
  assert_true(t.violated > n / 2);
}

/* Truth in registers. */
static void test_truth(void **state) {
  (void)state;
  tally t = {0};
  uint64_t n = compare_all("truth", truth_program, 100, &t);
  assert_true(t.proved > n);
  assert_true(t.violated > n / 4);
}

/* Mutexes that are taken again. */
static void test_kinds(void **state) {
  (void)state;
  tally t = {0};
  uint64_t n = compare_all("kinds", kinds_program, 80, &t);
  assert_true(t.proved > n);
  assert_true(t.violated > n / 2);
}

/* Without data there is nothing to be unsure about: unfold finds a deadlock if
 * and only if there is one. */
static void compare_waits(uint64_t seed, bool spurious, tally *t) {
  hd_str text = waiting_program(seed);
  hd_code *code = read_code(hd_str_text(&text));
  hd_explore_options options = {.machine.checks = BIT(DEADLOCK),
                                .machine.spurious = spurious,
                                .max_states = 30000};
  hd_run run = {0};
  hd_explore_result all = {0};
  hd_explore(code, &options, &run, &all);
  hd_verdict truth = all.findings[HD_PROPERTY_DEADLOCK].verdict;
  hd_explore_result_free(&all);
  hd_unfold_options o = {.checks = BIT(DEADLOCK),
                         .no_spurious = !spurious,
                         .no_cutoffs = seed % 3 == 0,
                         .max_events = 1500};
  hd_unfold_result found = {0};
  hd_unfold(code, &o, &run, &found);
  bool safe = found.verdicts[HD_PROPERTY_DEADLOCK] == HD_SAFE;
  t->programs++;
  t->proved += safe;
  t->violated += truth == HD_UNSAFE;
  t->gave_up += found.reason != NULL;
  /* Beside a loop that may be endless it does not know. */
  bool beside = found.alarms.size &&
                strstr(found.alarms.data[0].message, " beside the loop ");
  if (truth == HD_UNSAFE
          ? safe
          : truth == HD_SAFE && !safe && !found.reason && !beside) {
    fputs(hd_str_text(&text), stderr);
    fail_msg("program %llu, spurious %d: %s, but unfold says %s",
             (unsigned long long)seed, spurious, hd_verdict_name(truth),
             safe ? "safe" : found.alarms.data[0].message);
  }
  hd_unfold_result_free(&found);
  hd_code_delete(code);
  hd_str_free(&text);
}

static void test_waits(void **state) {
  (void)state;
  uint64_t first = setting("HEDDLE_FIRST", 0);
  uint64_t n = setting("HEDDLE_PROGRAMS", 300);
  tally t = {0};
  for (uint64_t seed = first; seed < first + n; seed++)
    for (int spurious = 0; spurious < 2; spurious++)
      compare_waits(seed, spurious != 0, &t);
  show("waits", &t);
  assert_true(t.proved > n / 5);
  assert_true(t.violated > n / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orderly), cmocka_unit_test(test_wild),
      cmocka_unit_test(test_crew),    cmocka_unit_test(test_mixed),
      cmocka_unit_test(test_truth),   cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_waits),
  };
  if (getenv("HEDDLE_TEST"))
    cmocka_set_test_filter(getenv("HEDDLE_TEST"));
  return cmocka_run_group_tests(tests, NULL, NULL);
}
