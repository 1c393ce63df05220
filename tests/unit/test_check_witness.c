/* SPDX-License-Identifier: MIT */
/* Replay of hand-made witnesses. For each
 * condition there is evidence that violates only it and is refused with its own
 * sentence, and the same repaired. */
#include "evidence_util.h"

/* --- witnesses --- */

static void witness_initial_target(void **state) {
  bench b = with_witness(make_net(1, 1, "m 0 0 w; g 0 0"), "0", "");
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_initial_target_with_too_few_threads(void **state) {
  bench b = with_witness(make_net(1, 1, "m 0 0 w; g 0 0"), "", "");
  refuse_witness(b.net, b.w, "too few tokens in place 0");
  done(b);
}

static void witness_of_figure_takes_two_iterations(void **state) {
  bench b =
      with_witness(make_net(7, 5, FIGURE "g 6 3"), "0*9", "0 1 2 3 1 2 4 5 6");
  refuse_witness(b.net, b.w,
                 "step 8, t5 (line 7: 4 2 -> 5 4): there are not "
                 "enough tokens in 2");
  done(b);
}

static void witness_of_figure_takes_seven_threads(void **state) {
  bench b = with_witness(make_net(7, 5, FIGURE "g 6 3"), "0*6",
                         "0 1 2 3 1 2 3 1 2 4 5 6");
  refuse_witness(b.net, b.w,
                 "step 9, t2 (line 4: 2 0 -> 3 1): there are not "
                 "enough tokens in 0");
  done(b);
}

static void witness_of_figure(void **state) {
  bench b = with_witness(make_net(7, 5, FIGURE "g 6 3"), "0*7",
                         "0 1 2 3 1 2 3 1 2 4 5 6");
  accept_witness(b.net, b.w);
  b.w->steps.size--;
  refuse_witness(b.net, b.w, "the shared state is 5");
  done(b);
}

static void witness_of_equation_paper(void **state) {
  bench b = with_witness(
      make_net(3, 3,
               "m 0 0 w; t 0 1 -0 +1; t 1 0 -1 +2; t 1 2 -0 +1; g 2 1*2 2"),
      "0*3", "0 1 0 2");
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_needs_the_shared_state(void **state) {
  bench b =
      with_witness(make_net(3, 2, "m 0 0 w; t 1 2 -0 +1; g 2 1"), "0", "0");
  refuse_witness(b.net, b.w,
                 "step 1, t0 (line 2: 1 0 -> 2 1): the shared "
                 "state is 0");
  done(b);
}

static void witness_needs_the_tokens(void **state) {
  bench b =
      with_witness(make_net(1, 2, "m 0 0 w; t 0 0 -0*2 +1; g 0 1"), "0", "0");
  refuse_witness(b.net, b.w, "there are not enough tokens in 0");
  done(b);
  b = with_witness(make_net(1, 2, "m 0 0 w; t 0 0 -0*2 +1; g 0 1"), "0*2", "0");
  accept_witness(b.net, b.w);
  done(b);
}

/* counters.md: an edge that changes only the shared state counts. */
static void witness_edge_that_changes_only_the_shared_state(void **state) {
  bench b = with_witness(
      make_net(3, 3, "m 0 0 w; t 0 1 -0 +1; t 1 2 -1 +1; t 2 2 -1 +2; g 2 2"),
      "0", "0 1 2");
  accept_witness(b.net, b.w);
  done(b);
}

/* counters.md: a spawn leaves its parent where it is. */
static void witness_spawn_keeps_its_parent(void **state) {
  bench b = with_witness(
      make_net(4, 4,
               "m 0 0 w; t 0 1 -0 +1; t 1 2 -1 +1 +2; t 2 3 -1 +3; g 3 3"),
      "0", "0 1 2");
  accept_witness(b.net, b.w);
  done(b);
}

/* counters.md: all threads of a target count, not only the first. */
static void witness_target_of_two_threads(void **state) {
  const char *text = "m 0 0 w; t 0 1 -0 +1; t 1 2 -0 +1; g 2 1*2";
  bench b = with_witness(make_net(3, 2, text), "0*2", "0 1");
  accept_witness(b.net, b.w);
  done(b);
  b = with_witness(make_net(3, 2, "m 0 0 w; t 0 2 -0 +1; g 2 1*2"), "0*2", "0");
  refuse_witness(b.net, b.w,
                 "not in target 0: there are too few tokens in "
                 "place 1");
  done(b);
}

static void witness_starts_within_the_maximum(void **state) {
  bench b =
      with_witness(make_net(1, 2, "m 0 0 3; m 1 1 1; g 0 0*3"), "0*4 1", "");
  refuse_witness(b.net, b.w, "in place 0: 4");
  b.w->init.data[0].count = 3;
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_starts_within_the_minimum(void **state) {
  bench b = with_witness(make_net(1, 2, "m 0 0 3; m 1 2 w; g 0 0"), "0 1", "");
  refuse_witness(b.net, b.w, "in place 1: 1");
  b.w->init.size--;
  refuse_witness(b.net, b.w, "in place 1: 0");
  done(b);
}

static void witness_start_must_be_sorted(void **state) {
  bench b = with_witness(make_net(1, 2, "m 0 0 w; m 1 0 w; g 0 0"), "1 0", "");
  refuse_witness(b.net, b.w, "not a sorted vector");
  done(b);
  b = with_witness(make_net(1, 2, "m 0 0 w; m 1 0 w; g 0 0"), "0 0", "");
  refuse_witness(b.net, b.w, "not a sorted vector");
  done(b);
}

static void witness_start_has_no_empty_entries(void **state) {
  bench b = with_witness(make_net(1, 1, "m 0 0 w; g 0"), "0*0", "");
  refuse_witness(b.net, b.w, "not a sorted vector");
  done(b);
}

static void witness_start_is_finite(void **state) {
  bench b = with_witness(make_net(1, 1, "m 0 0 w; g 0"), "0*w", "");
  refuse_witness(b.net, b.w, "not a sorted vector");
  done(b);
}

static void witness_start_names_existing_places(void **state) {
  bench b = with_witness(make_net(1, 1, "m 0 0 w; g 0"), "7", "");
  refuse_witness(b.net, b.w, "not a sorted vector");
  done(b);
}

static void witness_step_names_an_existing_transition(void **state) {
  bench b = with_witness(make_net(1, 1, "m 0 0 w; g 0"), "", "3");
  refuse_witness(b.net, b.w, "step 1, t3: there is no such transition");
  done(b);
}

static void witness_names_an_existing_target(void **state) {
  bench b = with_witness(make_net(1, 1, "m 0 0 w; g 0"), "", "");
  b.w->target = 1;
  refuse_witness(b.net, b.w, "there is no target 1");
  done(b);
}

static void witness_upper_guard_holds(void **state) {
  const char *text = "m 0 0 w; m 1 0 w; t 0 0 -0 1<=0 +2; g 0 2";
  bench b = with_witness(make_net(1, 3, text), "0 1", "0");
  text = "there are too many tokens in 1";
  refuse_witness(b.net, b.w, text);
  b.w->init.size--;
  accept_witness(b.net, b.w);
  done(b);
}

/* A guard is about the configuration before anything is taken. */
static void witness_upper_guard_counts_what_is_taken(void **state) {
  bench b = with_witness(make_net(1, 2, "m 0 0 w; t 0 0 -0*2 0<=2 +1; g 0 1"),
                         "0*3", "0");
  refuse_witness(b.net, b.w, "too many tokens in 0");
  b.w->init.data[0].count = 2;
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_transfer_moves_every_token(void **state) {
  bench b =
      with_witness(make_net(1, 2, "m 0 0 w; t 0 0 0>1; g 0 1*5"), "0*5", "0");
  accept_witness(b.net, b.w);
  done(b);
  b = with_witness(make_net(1, 2, "m 0 0 w; t 0 0 0>1; g 0 0"), "0*5", "0");
  refuse_witness(b.net, b.w, "too few tokens in place 0");
  done(b);
}

static void witness_transfer_needs_no_token(void **state) {
  bench b = with_witness(make_net(2, 2, "t 0 1 0>1; g 1"), "", "0");
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_reset_empties(void **state) {
  bench b =
      with_witness(make_net(2, 1, "m 0 0 w; t 0 1 0>!; g 1 0<=0"), "0*9", "0");
  accept_witness(b.net, b.w);
  done(b);
  b = with_witness(make_net(2, 1, "m 0 0 w; t 0 1 0>!; g 1 0"), "0*9", "0");
  refuse_witness(b.net, b.w, "too few");
  done(b);
}

static void witness_moves_happen_at_once(void **state) {
  const char *text = "m 0 0 w; m 1 0 w; t 0 0 0>1 1>0; g 0 0*3 1*2";
  bench b = with_witness(make_net(1, 2, text), "0*2 1*3", "0");
  accept_witness(b.net, b.w);
  b.w->init.data[1].count = 2;
  refuse_witness(b.net, b.w, "too few tokens in place 0");
  done(b);
}

static void witness_takes_before_it_moves(void **state) {
  bench b = with_witness(make_net(1, 3, "m 0 0 w; t 0 0 -0 0>1 +2; g 0 1*2 2"),
                         "0*2", "0");
  refuse_witness(b.net, b.w, "too few tokens in place 1");
  b.w->init.data[0].count = 3;
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_gives_after_it_moves(void **state) {
  bench b = with_witness(make_net(1, 2, "m 0 0 w; t 0 0 -0 +0 0>1; g 0 0 1"),
                         "0*2", "0");
  accept_witness(b.net, b.w);
  b.w->init.data[0].count = 1;
  refuse_witness(b.net, b.w, "too few tokens in place 1");
  done(b);
}

#define CHOICE "m 0 0 w; t 0 0 0>1 0>2; g 0 1*2 2"

static void witness_tokens_must_choose(void **state) {
  bench b = with_witness(make_net(1, 3, CHOICE), "0*3", "0");
  refuse_witness(b.net, b.w, "tokens have not chosen where to go from 0");
  add_choice(b.w, 0, 1, 2);
  refuse_witness(b.net, b.w, "tokens have not chosen");
  add_choice(b.w, 0, 2, 1);
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_no_choice_without_tokens(void **state) {
  bench b =
      with_witness(make_net(1, 3, "m 0 0 w; t 0 0 0>1 0>2; g 0"), "", "0");
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_no_more_choices_than_tokens(void **state) {
  bench b = with_witness(make_net(1, 3, CHOICE), "0*2", "0");
  add_choice(b.w, 0, 1, 2);
  add_choice(b.w, 0, 2, 1);
  refuse_witness(b.net, b.w, "more tokens make a choice than there are in 0");
  done(b);
}

static void witness_choice_is_a_move(void **state) {
  bench b = with_witness(make_net(1, 3, CHOICE), "0*3", "0");
  add_choice(b.w, 0, 0, 2);
  refuse_witness(b.net, b.w, "choice 1 is not a move");
  b.w->choices.data[0] = (hd_choice){.from = 77, .to = HD_NOWHERE, .count = 1};
  refuse_witness(b.net, b.w, "choice 1 is not a move");
  done(b);
}

static void witness_choices_lie_in_the_list(void **state) {
  bench b = with_witness(make_net(1, 3, CHOICE), "0*3", "0");
  b.w->steps.data[0].choices = (hd_range){.start = UINT32_MAX, .size = 2};
  refuse_witness(b.net, b.w, "outside the list of choices");
  done(b);
}

static void witness_choice_may_be_spelled_out(void **state) {
  bench b =
      with_witness(make_net(1, 2, "m 0 0 w; t 0 0 0>1; g 0 1*3"), "0*3", "0");
  add_choice(b.w, 0, 1, 2);
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_token_may_choose_to_vanish(void **state) {
  bench b = with_witness(make_net(1, 3, "m 0 0 w; t 0 0 0>1 0>!; g 0 1 1<=1"),
                         "0*3", "0");
  add_choice(b.w, 0, HD_NOWHERE, 2);
  add_choice(b.w, 0, 1, 1);
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_target_upper_bound(void **state) {
  bench b = with_witness(make_net(1, 1, "m 0 0 w; g 0 0 0<=2"), "0*3", "");
  refuse_witness(b.net, b.w, "there are too many tokens in place 0");
  b.w->init.data[0].count = 2;
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_target_in_any_shared_state(void **state) {
  bench b =
      with_witness(make_net(2, 2, "m 0 0 w; t 0 1 -0 +1; g * 1"), "0", "0");
  accept_witness(b.net, b.w);
  done(b);
}

static void witness_counts_have_an_end(void **state) {
  char text[100];
  snprintf(text, sizeof text, "t 0 0 +0*%u; g 0 0", HD_COUNT_MAX);
  bench b = with_witness(make_net(1, 1, text), "", "0 0 0 0");
  accept_witness(b.net, b.w);
  hd_vec_push(&b.w->steps, ((hd_step){0}));
  refuse_witness(b.net, b.w, "step 5");
  done(b);
}

#define T(name) cmocka_unit_test(name)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(witness_initial_target),
      T(witness_initial_target_with_too_few_threads),
      T(witness_of_figure_takes_two_iterations),
      T(witness_of_figure_takes_seven_threads),
      T(witness_of_figure),
      T(witness_of_equation_paper),
      T(witness_needs_the_shared_state),
      T(witness_needs_the_tokens),
      T(witness_edge_that_changes_only_the_shared_state),
      T(witness_spawn_keeps_its_parent),
      T(witness_target_of_two_threads),
      T(witness_starts_within_the_maximum),
      T(witness_starts_within_the_minimum),
      T(witness_start_must_be_sorted),
      T(witness_start_has_no_empty_entries),
      T(witness_start_is_finite),
      T(witness_start_names_existing_places),
      T(witness_step_names_an_existing_transition),
      T(witness_names_an_existing_target),
      T(witness_upper_guard_holds),
      T(witness_upper_guard_counts_what_is_taken),
      T(witness_transfer_moves_every_token),
      T(witness_transfer_needs_no_token),
      T(witness_reset_empties),
      T(witness_moves_happen_at_once),
      T(witness_takes_before_it_moves),
      T(witness_gives_after_it_moves),
      T(witness_tokens_must_choose),
      T(witness_no_choice_without_tokens),
      T(witness_no_more_choices_than_tokens),
      T(witness_choice_is_a_move),
      T(witness_choices_lie_in_the_list),
      T(witness_choice_may_be_spelled_out),
      T(witness_token_may_choose_to_vanish),
      T(witness_target_upper_bound),
      T(witness_target_in_any_shared_state),
      T(witness_counts_have_an_end),
  };
  return cmocka_run_group_tests_name("check_witness", tests, NULL, NULL);
}
