/* SPDX-License-Identifier: MIT */
/* The search of all states without reduction: it must agree with explore on
 * random programs, whatever is violated must replay, and limits are said. */
#include "check/states/states.h"

#include "engine/explore/explore.h"
#include "explore_util.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)

enum { PROGRAMS = 250 };

typedef struct {
  size_t safe, unsafe, open;
} tally;

/* What explore says about one property, and the search about it alone. */
static void compare(uint64_t seed, hd_property property, tally *t) {
  hd_str text = random_program(seed);
  hd_code *code = read_code(hd_str_text(&text));
  hd_explore_options explore = {.seed = 1};
  hd_states_options states = {.max_states = 20000};
  hd_explore_result a = {0};
  hd_states_result b = {0};
  hd_run run = {.steps = 40000}, other = {0};
  explore.machine.checks = states.machine.checks = (hd_properties)1 << property;
  hd_explore(code, &explore, &run, &a);
  hd_states_search(code, &states, &other, &b);
  const hd_finding *f = &a.findings[property];
  bool violated = b.violated >> property & 1;
  if ((f->verdict == HD_SAFE && violated) ||
      (f->verdict == HD_UNSAFE && b.complete))
    fail_msg("seed %llu, %s: explore says %s, the search %s\n%s",
             (unsigned long long)seed, hd_property_name(property),
             hd_verdict_name(f->verdict), violated ? "unsafe" : "safe",
             hd_str_text(&text));
  assert_false(b.complete && (b.violated || b.why));
  assert_true(b.complete || b.violated || b.why);
  if (violated) {
    explore.machine.clocks = property == HD_PROPERTY_RACE;
    hd_replayed r =
        hd_replay(code, &explore.machine, &b.turns, explore.machine.checks);
    assert_true(r.violated);
    hd_replayed_free(&r);
  }
  t->safe += b.complete;
  t->unsafe += violated;
  t->open += !b.complete && !violated;
  hd_states_result_free(&b);
  hd_explore_result_free(&a);
  hd_code_delete(code);
  hd_str_free(&text);
}

static void test_random(void **state) {
  static const hd_property of[] = {HD_PROPERTY_ASSERT, HD_PROPERTY_RACE,
                                   HD_PROPERTY_DEADLOCK};
  (void)state;
  tally t = {0};
  const char *more = getenv("HEDDLE_PROGRAMS");
  uint64_t n = more ? strtoull(more, NULL, 10) : PROGRAMS;
  for (uint64_t seed = 1; seed <= n; seed++)
    compare(seed, of[seed % 3], &t);
  printf("# %zu safe, %zu unsafe, %zu open\n", t.safe, t.unsafe, t.open);
  assert_true(t.safe > n / 10 && t.unsafe > n / 10);
}

static void test_limit(void **state) {
  (void)state;
  hd_str text = random_program(3);
  hd_code *code = read_code(hd_str_text(&text));
  hd_states_options options = {.max_states = 2};
  hd_states_result r = {0};
  hd_run run = {0};
  hd_states_search(code, &options, &run, &r);
  assert_false(r.complete);
  assert_string_equal(r.why, "too many states");
  hd_states_result_free(&r);
  hd_code_delete(code);
  hd_str_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
