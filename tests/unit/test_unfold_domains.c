/* SPDX-License-Identifier: MIT */
/* Relations between variables against all runs: what unfold proves with octagons
 * is not violated in any run of a random program about numbers that wrap around,
 * and it proves what intervals cannot. */
#include "engine/explore/explore.h"
#include "engine/unfold/unfold.h"

#include "relation_random.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define ASKED (BIT(ASSERT) | BIT(RACE))

typedef struct {
  size_t programs, violated, complete, proved[HD_DOMAIN_CONCRETE + 1], gave_up,
      inexact;
} tally;

/* 1: some run violates an assertion; 0: none does; -1: not known. */
static int truth(const hd_code *code) {
  hd_explore_options options = {.machine.checks = BIT(ASSERT),
                                .max_states = 20000};
  hd_run run = {0};
  hd_explore_result found = {0};
  hd_explore(code, &options, &run, &found);
  hd_verdict v = found.findings[HD_PROPERTY_ASSERT].verdict;
  hd_explore_result_free(&found);
  return v == HD_UNSAFE ? 1 : v == HD_SAFE ? 0 : -1;
}

static bool proves(const hd_code *code, const hd_unfold_options *o, tally *t) {
  hd_run run = {0};
  hd_unfold_result found = {0};
  hd_unfold(code, o, &run, &found);
  bool safe = found.verdicts[HD_PROPERTY_ASSERT] == HD_SAFE;
  t->gave_up += found.reason != NULL;
  hd_unfold_result_free(&found);
  return safe;
}

static void compare(uint64_t seed, tally *t) {
  hd_str text = related_program(seed);
  hd_code *code = read_code(hd_str_text(&text));
  int bad = truth(code);
  t->programs++;
  t->violated += bad > 0;
  t->complete += bad == 0;
  static const struct {
    hd_domain domain;
    uint32_t widen, partition, unroll;
  } ways[] = {
      {HD_DOMAIN_INTERVAL, 1, 1, 1}, {HD_DOMAIN_OCTAGON, 1, 1, 1},
      {HD_DOMAIN_OCTAGON, 4, 1, 2},  {HD_DOMAIN_OCTAGON, 0, 0, 0},
      {HD_DOMAIN_OCTAGON, 2, 2, 3},  {HD_DOMAIN_CONCRETE, 0, 0, 0},
      {HD_DOMAIN_AUTO, 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    hd_unfold_options o = {.checks = ASKED,
                           .domain = ways[i].domain,
                           .widen = ways[i].widen,
                           .partition = ways[i].partition,
                           .unroll = ways[i].unroll,
                           .max_events = 300,
                           .max_steps = 20000};
    bool safe = proves(code, &o, t);
    if (bad > 0 && safe) {
      fputs(hd_str_text(&text), stderr);
      fail_msg("program %llu is violated, but unfold (domain %d, widen %u, "
               "partition %u, unroll %u) calls it safe",
               (unsigned long long)seed, o.domain, o.widen, o.partition,
               o.unroll);
    }
    if (i < 2 || o.domain == HD_DOMAIN_CONCRETE)
      t->proved[o.domain] += safe;
    if (bad == 0 && !safe && o.domain == HD_DOMAIN_CONCRETE)
      t->inexact++;
  }
  hd_code_delete(code);
  hd_str_free(&text);
}

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

/* More of them: HEDDLE_PROGRAMS=N, from number HEDDLE_FIRST on. */
static void test_related(void **state) {
  (void)state;
  uint64_t first = setting("HEDDLE_FIRST", 0);
  uint64_t n = setting("HEDDLE_PROGRAMS", 400);
  tally t = {0};
  for (uint64_t seed = first; seed < first + n; seed++)
    compare(seed, &t);
  print_message("%zu programs, %zu violated, %zu not, proved by intervals %zu, "
                "by octagons %zu, one by one %zu (not %zu), given up %zu "
                "times\n",
                t.programs, t.violated, t.complete,
                t.proved[HD_DOMAIN_INTERVAL], t.proved[HD_DOMAIN_OCTAGON],
                t.proved[HD_DOMAIN_CONCRETE], t.inexact, t.gave_up);
  assert_true(t.violated > n / 5 && t.complete > n / 5);
  assert_true(t.proved[HD_DOMAIN_OCTAGON] > t.proved[HD_DOMAIN_INTERVAL]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_related),
  };
  return cmocka_run_group_tests_name("unfold_domains", tests, NULL, NULL);
}
