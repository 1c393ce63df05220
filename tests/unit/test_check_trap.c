/* SPDX-License-Identifier: MIT */
/* Traps, and inequalities that use them or each other. For each condition
 * there is evidence that violates only it and is refused with its own sentence,
 * and the same repaired. */
#include "evidence_util.h"

/* Adds a trap; `shared` and `places` are lists. */
static void add_trap(hd_cert *cert, const char *shared, const char *places) {
  hd_trap *trap = hd_cert_add_trap(cert);
  hd_token_vec s = make_vector(shared), p = make_vector(places);
  for (size_t i = 0; i < s.size; i++)
    hd_bits_set(trap->shared, s.data[i].place);
  for (size_t i = 0; i < p.size; i++)
    hd_bits_set(trap->places, p.data[i].place);
  hd_vec_free(&s);
  hd_vec_free(&p);
}

/* The last inequality uses trap `trap`. */
static void use_trap(hd_cert *cert, uint32_t trap, int64_t times) {
  hd_linear *linear = &hd_vec_last(&cert->linear);
  if (!linear->traps.size)
    linear->traps.start = (uint32_t)cert->trap_uses.size;
  linear->traps.size++;
  hd_vec_push(&cert->trap_uses, ((hd_trap_use){.trap = trap, .times = times}));
}

/* Two tokens go round; one of them always stays in 0 or 1, so that 2 never has
 * two. */
#define PAIR "t 0 0 -0*2 +0 +2; t 0 0 -2 +1; t 0 0 -1 +0; g 0 2*2"

static bench pair(const char *more) {
  char text[300];
  snprintf(text, sizeof text, "m 0 2 2; " PAIR "%s", more);
  bench b = with_backward(make_net(1, 3, text));
  add_trap(b.c, "", "0 1");
  add_linear(b.c, 1, NULL, "0 0 1");
  use_trap(b.c, 0, 1);
  return b;
}

static void trap_proves_what_an_inequality_cannot(void **state) {
  bench b = pair("");
  accept_cert(b.net, b.c);
  b.c->linear.data[0].traps.size = 0;
  refuse_cert(b.net, b.c, "inequality 1 is not inductive: transition t0");
  done(b);
}

static void trap_holds_initially(void **state) {
  bench b = with_backward(make_net(1, 3, "m 0 0 2; " PAIR));
  add_trap(b.c, "", "0 1");
  add_linear(b.c, 1, NULL, "0 0 1");
  use_trap(b.c, 0, 1);
  refuse_cert(b.net, b.c, "trap 1 may hold no token initially");
  done(b);
}

static void trap_is_not_emptied(void **state) {
  bench b = pair("; t 0 0 -0 +2");
  refuse_cert(b.net, b.c,
              "trap 1 is not one: transition t3 (line 6: 0 0 -> 0 "
              "2) takes from it and gives nothing back");
  done(b);
}

static void trap_that_is_too_small(void **state) {
  bench b = pair("");
  hd_bits_clear(b.c->traps.data[0].places, 0);
  refuse_cert(b.net, b.c, "trap 1 may hold no token initially");
  hd_bits_set(b.c->traps.data[0].places, 0);
  hd_bits_clear(b.c->traps.data[0].places, 1);
  refuse_cert(b.net, b.c, "is not inductive");
  done(b);
}

static void trap_times_count(void **state) {
  bench b = pair("");
  b.c->trap_uses.data[0].times = 2;
  refuse_cert(b.net, b.c, "inequality 1 does not hold initially");
  b.c->linear.data[0].bound = 2;
  b.c->linear.data[0].weight[2] = 2;
  accept_cert(b.net, b.c);
  done(b);
}

static void trap_raises_the_bound_by_as_much(void **state) {
  bench b = pair("");
  b.c->linear.data[0].bound = 0;
  refuse_cert(b.net, b.c, "inequality 1 does not hold initially");
  done(b);
}

/* The shared state is a token, too. */
static void trap_of_shared_states(void **state) {
  const char *text = "m 0 2 2; t 0 1 -0 +1; t 1 0 -1 +0; g 0 1*2; g 1 1*3";
  bench b = with_backward(make_net(2, 2, text));
  add_trap(b.c, "0 1", "");
  add_linear(b.c, 2, NULL, "1 1");
  use_trap(b.c, 0, 1);
  refuse_cert(b.net, b.c, "target 0");
  done(b);
  b = with_backward(make_net(2, 2, "m 0 2 2; t 0 1 -0 +1; g 1 1*3"));
  add_trap(b.c, "0", "1");
  add_linear(b.c, 2, NULL, "1 1");
  use_trap(b.c, 0, 1);
  /* Raised: 0 once, 1 twice and shared state 0 once are at most 3. */
  accept_cert(b.net, b.c);
  done(b);
}

static void trap_of_shared_states_is_left(void **state) {
  bench b = with_backward(make_net(2, 2, "m 0 2 2; t 0 1 -0 +1; g 1 1*3"));
  add_trap(b.c, "0", "0");
  add_linear(b.c, 2, NULL, "1 1");
  use_trap(b.c, 0, 1);
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t0");
  done(b);
}

/* Tokens are moved from 0 to 1, or on the way there vanish. */
static bench moving(const char *move) {
  char text[200];
  snprintf(text, sizeof text, "m 0 2 2; t 0 0 %s; g 0 2*2", move);
  bench b = with_backward(make_net(1, 3, text));
  add_trap(b.c, "", "0 1");
  add_linear(b.c, 1, NULL, "0 0 0");
  use_trap(b.c, 0, 1);
  return b;
}

static void trap_moves_within(void **state) {
  bench b = moving("0>1");
  refuse_cert(b.net, b.c, "target 0");
  done(b);
}

static void trap_moves_out(void **state) {
  bench b = moving("0>2");
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t0");
  done(b);
  b = moving("0>1 0>2");
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t0");
  done(b);
}

static void trap_tokens_vanish(void **state) {
  bench b = moving("0>!");
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t0");
  done(b);
}

static void trap_moves_out_and_gives_back(void **state) {
  bench b = moving("0>2 +1");
  refuse_cert(b.net, b.c, "inequality 1 is not inductive");
  done(b);
}

static void trap_moves_of_absent_places(void **state) {
  bench b = moving("1>2");
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t0");
  add_row(b.c, 0, "0 2");
  refuse_cert(b.net, b.c, "target 0");
  done(b);
}

/* Who only makes what nobody needs may take from a trap: without it the run is
 * still a run. */
static void trap_and_transitions_nobody_needs(void **state) {
  const char *start = "m 0 2 2; " PAIR;
  char text[300];
  snprintf(text, sizeof text, "%s; t 0 0 -0 +3", start);
  bench b = with_backward(make_net(1, 4, text));
  add_trap(b.c, "", "0 1");
  add_linear(b.c, 1, NULL, "0 0 1 0");
  use_trap(b.c, 0, 1);
  accept_cert(b.net, b.c);
  done(b);
  snprintf(text, sizeof text, "%s; t 0 0 -0 +3; t 0 0 -3 +2", start);
  b = with_backward(make_net(1, 4, text));
  add_trap(b.c, "", "0 1");
  add_linear(b.c, 1, NULL, "0 0 1 1");
  use_trap(b.c, 0, 1);
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t3");
  done(b);
}

/* With upper guards a run may need whoever takes tokens away. */
static void trap_and_upper_guards(void **state) {
  bench b = with_backward(make_net(
      1, 4,
      "m 0 2 2; t 0 0 -0*2 +0 +2; t 0 0 -0 +3; t 0 0 -2 0<=0 +1; g 0 2*2"));
  add_trap(b.c, "", "0 1");
  add_linear(b.c, 1, NULL, "0 0 1 0");
  use_trap(b.c, 0, 1);
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t1");
  done(b);
  b = with_backward(
      make_net(1, 4, "m 0 2 2; t 0 0 -0*2 +0 +2; t 0 0 -0 +3; g 0 2 0<=0"));
  add_trap(b.c, "", "0 1");
  add_linear(b.c, 1, NULL, "0 0 1 0");
  use_trap(b.c, 0, 1);
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t1");
  done(b);
}

/* A target may need what only a transition with moves takes. */
static void trap_and_moves_somebody_needs(void **state) {
  bench b =
      with_backward(make_net(1, 4, "m 0 2 2; t 0 0 -0 +3; t 0 0 3>2; g 0 2*2"));
  add_trap(b.c, "", "0");
  add_linear(b.c, 1, NULL, "0 0 1 1");
  use_trap(b.c, 0, 1);
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t0");
  done(b);
}

static void trap_must_be_there(void **state) {
  bench b = pair("");
  b.c->trap_uses.data[0].trap = 1;
  refuse_cert(b.net, b.c, "uses a trap that does not exist");
  b.c->trap_uses.data[0] = (hd_trap_use){.trap = 0, .times = 0};
  refuse_cert(b.net, b.c, "or not at all");
  b.c->trap_uses.data[0].times = -1;
  refuse_cert(b.net, b.c, "or not at all");
  b.c->trap_uses.data[0].times = 1;
  b.c->linear.data[0].traps = (hd_range){.start = UINT32_MAX, .size = 2};
  refuse_cert(b.net, b.c, "outside the list");
  done(b);
}

static void trap_must_be_complete(void **state) {
  bench b = pair("");
  b.c->traps.data[0].stage = 2;
  refuse_cert(b.net, b.c, "a trap is incomplete");
  done(b);
}

static void trap_must_come_first(void **state) {
  bench b = pair("");
  b.c->traps.data[0].stage = 1;
  refuse_cert(b.net, b.c, "inequality 1 uses trap 1, which comes later");
  done(b);
}

static void trap_with_enormous_numbers(void **state) {
  bench b = pair("");
  b.c->trap_uses.data[0].times = INT64_MAX;
  refuse_cert(b.net, b.c, "inequality 1 has too large numbers");
  done(b);
}

/* Transition 3 would empty the trap, but needs two tokens in 3, where there is
 * never more than one. */
static void trap_relies_on_inequalities_before_it(void **state) {
  const char *text = "m 0 2 2; m 3 1 1; " PAIR "; t 0 0 -0 -3*2 +2";
  bench b = with_backward(make_net(1, 4, text));
  add_linear(b.c, 1, NULL, "0 0 0 1");
  add_trap(b.c, "", "0 1");
  add_linear(b.c, 1, NULL, "0 0 1 0");
  use_trap(b.c, 0, 1);
  accept_cert(b.net, b.c);
  b.c->traps.data[0].stage = 0;
  refuse_cert(b.net, b.c, "trap 1 is not one: transition t3");
  done(b);
}

static void inequality_relies_on_those_before_it(void **state) {
  const char *text = "m 0 1 1; t 0 0 -0*2 +1; g 0 1";
  bench b = with_backward(make_net(1, 2, text));
  add_linear(b.c, 0, NULL, "0 1");
  refuse_cert(b.net, b.c, "inequality 1 is not inductive");
  add_linear(b.c, 1, NULL, "1 0");
  refuse_cert(b.net, b.c, "inequality 1 is not inductive");
  hd_linear first = b.c->linear.data[0];
  b.c->linear.data[0] = b.c->linear.data[1];
  b.c->linear.data[1] = first;
  accept_cert(b.net, b.c);
  done(b);
}

#define T(f) cmocka_unit_test(f)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(trap_proves_what_an_inequality_cannot),
      T(trap_holds_initially),
      T(trap_is_not_emptied),
      T(trap_that_is_too_small),
      T(trap_times_count),
      T(trap_raises_the_bound_by_as_much),
      T(trap_of_shared_states),
      T(trap_of_shared_states_is_left),
      T(trap_moves_within),
      T(trap_moves_out),
      T(trap_tokens_vanish),
      T(trap_moves_out_and_gives_back),
      T(trap_moves_of_absent_places),
      T(trap_and_transitions_nobody_needs),
      T(trap_and_upper_guards),
      T(trap_and_moves_somebody_needs),
      T(trap_must_be_there),
      T(trap_must_be_complete),
      T(trap_must_come_first),
      T(trap_with_enormous_numbers),
      T(trap_relies_on_inequalities_before_it),
      T(inequality_relies_on_those_before_it),
  };
  return cmocka_run_group_tests_name("check_trap", tests, NULL, NULL);
}
