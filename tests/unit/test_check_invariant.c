/* SPDX-License-Identifier: MIT */
/* T and inequalities, the parts of a certificate that are invariants. For each
 * condition there is evidence that violates only it and is refused with its own
 * sentence, and the same repaired. */
#include "evidence_util.h"

/* --- T --- */

/* 0 -> 1 by a thread that becomes 1; nobody gets to 2. */
#define LOCK "m 0 0 w; t 0 1 -0 +1; t 1 0 -1 +0; t 1 2 -2 +2;"

static bench lock_rows(const char *target) {
  char text[200];
  snprintf(text, sizeof text, LOCK "%s", target);
  bench b = with_backward(make_net(3, 3, text));
  add_row(b.c, 0, "0 1");
  add_row(b.c, 1, "0 1");
  return b;
}

static void rows_prove_an_unreached_place(void **state) {
  bench b = lock_rows("g 0 2; g 2 0; g * 2");
  accept_cert(b.net, b.c);
  done(b);
}

static void rows_do_not_prove_a_reached_place(void **state) {
  bench b = lock_rows("g 0 2; g 1 1");
  refuse_cert(b.net, b.c, "target 1 is not accounted for: 1|1");
  done(b);
}

static void rows_need_the_initial_shared_state(void **state) {
  bench b = with_backward(make_net(3, 3, LOCK "g 0 2"));
  add_row(b.c, 1, "0 1");
  refuse_cert(b.net, b.c,
              "T does not hold initially: it has no row for shared state 0");
  done(b);
}

static void rows_need_the_initial_places(void **state) {
  bench b = with_backward(make_net(3, 3, LOCK "m 2 0 1; g 1 2"));
  add_row(b.c, 0, "0 1");
  add_row(b.c, 1, "0 1");
  refuse_cert(b.net, b.c,
              "T does not hold initially: place 2 is not in the "
              "row of shared state 0");
  done(b);
}

static void rows_need_a_row_where_transitions_lead(void **state) {
  bench b = with_backward(make_net(3, 3, LOCK "g 0 2"));
  add_row(b.c, 0, "0");
  refuse_cert(b.net, b.c,
              "transition t0 (line 2: 0 0 -> 1 1) is enabled "
              "within it, and there is no row for shared state 1");
  done(b);
}

static void rows_keep_the_old_places(void **state) {
  bench b = with_backward(make_net(3, 3, LOCK "g 0 2"));
  add_row(b.c, 0, "0 1");
  add_row(b.c, 1, "1");
  refuse_cert(b.net, b.c,
              "can leave tokens in place 0, which is not in the "
              "row of shared state 1");
  done(b);
}

static void rows_have_the_places_of_post(void **state) {
  bench b = with_backward(make_net(3, 3, LOCK "g 0 2"));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "0");
  refuse_cert(b.net, b.c,
              "transition t0 (line 2: 0 0 -> 1 1) can leave tokens "
              "in place 1");
  done(b);
}

static void rows_have_the_destinations_of_moves(void **state) {
  const char *text = "m 0 0 w; t 0 1 0>1; g 1 2";
  bench b = with_backward(make_net(2, 3, text));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "0");
  refuse_cert(b.net, b.c, "can leave tokens in place 1");
  add_row(b.c, 1, "1");
  accept_cert(b.net, b.c);
  done(b);
}

static void rows_drop_what_is_moved_away(void **state) {
  bench b = with_backward(make_net(2, 3, "m 0 0 w; t 0 1 0>1; g 1 0"));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "1");
  accept_cert(b.net, b.c);
  done(b);
  b = with_backward(make_net(2, 3, "m 0 0 w; t 0 1 0>!; g 1 0"));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "");
  accept_cert(b.net, b.c);
  done(b);
}

static void rows_keep_what_may_stay(void **state) {
  bench b = with_backward(make_net(2, 3, "m 0 0 w; t 0 1 0>0 0>1; g 1 0"));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "1");
  refuse_cert(b.net, b.c, "can leave tokens in place 0");
  done(b);
}

static void rows_keep_what_is_given_back(void **state) {
  bench b = with_backward(make_net(2, 3, "m 0 1 w; t 0 1 -0 0>1 +0; g 1 0"));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "1");
  refuse_cert(b.net, b.c, "can leave tokens in place 0");
  done(b);
}

static void rows_follow_moves_of_present_places_only(void **state) {
  bench b = with_backward(make_net(2, 4, "m 0 0 w; t 0 1 0>1 2>3; g 1 3"));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "1");
  accept_cert(b.net, b.c);
  done(b);
}

static void rows_with_parallel_transitions(void **state) {
  /* The second transition moves place 0 away, the first does not. */
  bench b =
      with_backward(make_net(2, 3, "m 0 0 w; t 0 1 0>1; t 0 1 -0 +1; g 1 2"));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "1");
  refuse_cert(b.net, b.c, "transition t1");
  add_row(b.c, 1, "0");
  accept_cert(b.net, b.c);
  done(b);
}

static void rows_ignore_contradictory_guards(void **state) {
  bench b = with_backward(make_net(2, 2, "m 0 0 w; t 0 1 -0*2 0<=1 +1; g 1 1"));
  add_row(b.c, 0, "0");
  accept_cert(b.net, b.c);
  done(b);
  b = with_backward(make_net(2, 2, "m 0 0 w; t 0 1 -0*2 0<=2 +1; g 1 1"));
  add_row(b.c, 0, "0");
  refuse_cert(b.net, b.c, "is enabled within it");
  done(b);
}

/* From shared state 2 the target in 1 cannot be reached: what happens there is
 * of no interest. */
static void rows_only_where_a_target_may_follow(void **state) {
  const char *text = "m 0 0 w; t 0 1 -0 +1; t 0 2 -0 +2; t 2 2 -0 +1; g 1 2";
  bench b = with_backward(make_net(3, 3, text));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "0 1");
  accept_cert(b.net, b.c);
  done(b);
  b = with_backward(make_net(3, 3,
                             "m 0 0 w; t 0 1 -0 +1; t 0 2 -0 +2;"
                             "t 2 1 -0 +1; g 1 2"));
  add_row(b.c, 0, "0");
  add_row(b.c, 1, "0 1");
  refuse_cert(b.net, b.c, "there is no row for shared state 2");
  done(b);
}

/* A transition out of a shared state without a row must not be used to call
 * other shared states of no interest. */
static void rows_cannot_justify_themselves(void **state) {
  bench b =
      with_backward(make_net(3, 3, "m 0 0 w; t 0 1 -0 +1; t 1 2 -1 +2; g 2 2"));
  add_row(b.c, 0, "0");
  refuse_cert(b.net, b.c, "there is no row for shared state 1");
  done(b);
}

static void rows_of_an_empty_certificate(void **state) {
  bench b = with_backward(make_net(3, 3, LOCK "g 0 2"));
  refuse_cert(b.net, b.c, "target 0 is not accounted for: 0|2");
  done(b);
}

static void certificate_needs_a_target(void **state) {
  bench b = with_backward(make_net(3, 3, LOCK));
  refuse_cert(b.net, b.c, "the model has no target");
  done(b);
}

static void certificate_without_a_way_to_the_target(void **state) {
  /* No transition leads to shared state 2, and the target is not initial: a
   * basis with the target alone is closed. */
  bench b = with_backward(make_net(3, 2, "m 0 0 w; t 0 1 -0 +1; g 2 0"));
  add_config(b.c, 2, "0");
  accept_cert(b.net, b.c);
  done(b);
}

/* --- inequalities --- */

/* One token goes round in 0, 1, 2; 3 is a supply. */
#define RING "m 0 1 1; m 3 0 w; t 0 0 -0 -3 +1; t 0 0 -1 +2 +3; t 0 0 -2 +0;"

static void linear_proves_mutual_exclusion(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1 2; g 0 1*2"));
  add_linear(b.c, 1, NULL, "1 1 1 0");
  accept_cert(b.net, b.c);
  done(b);
}

static void linear_excludes_only_above_the_bound(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1"));
  add_linear(b.c, 1, NULL, "1 1 1 0");
  refuse_cert(b.net, b.c, "target 0 is not accounted for");
  done(b);
}

static void linear_holds_initially(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1 2"));
  add_linear(b.c, 0, NULL, "1 1 1 0");
  refuse_cert(b.net, b.c,
              "inequality 1 does not hold initially: its bound is "
              "exceeded");
  done(b);
}

static void linear_holds_for_the_largest_start(void **state) {
  bench b = with_backward(make_net(1, 2, "m 0 0 2; t 0 0 -0 +1; g 0 1*3"));
  add_linear(b.c, 2, NULL, "1 1");
  accept_cert(b.net, b.c);
  b.c->linear.data[0].bound = 1;
  refuse_cert(b.net, b.c, "does not hold initially");
  done(b);
}

static void linear_has_no_weight_where_unbounded(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1 2"));
  add_linear(b.c, 1, NULL, "1 1 1 1");
  refuse_cert(b.net, b.c,
              "inequality 1 does not hold initially: place 3 has a "
              "weight and is unbounded");
  done(b);
}

static void linear_is_not_increased(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1 2"));
  add_linear(b.c, 1, NULL, "1 1 2 0");
  refuse_cert(b.net, b.c,
              "inequality 1 is not inductive: transition t1 (line "
              "4: ");
  done(b);
}

static void linear_counts_tokens_with_their_number(void **state) {
  const char *text = "m 0 4 4; t 0 0 -0*2 +1; t 0 0 -1 +0*2; g 0 1*3";
  bench b = with_backward(make_net(1, 2, text));
  add_linear(b.c, 4, NULL, "1 2");
  accept_cert(b.net, b.c);
  b.c->linear.data[0].weight[1] = 3;
  refuse_cert(b.net, b.c, "increases its left side");
  done(b);
}

/* counters.md: with spawns; the parent stays. */
static void linear_with_potentials(void **state) {
  const char *text = "m 0 1 1; t 0 1 -0 +0 +1; g 1 1*2; g 0 1";
  bench b = with_backward(make_net(2, 2, text));
  add_linear(b.c, 1, "1 0", "0 1");
  accept_cert(b.net, b.c);
  b.c->linear.data[0].potential[1] = 1;
  refuse_cert(b.net, b.c, "increases its left side");
  done(b);
}

static void linear_without_potentials(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1 2"));
  add_linear(b.c, 1, NULL, "1 1 1 0");
  hd_free(b.c->linear.data[0].potential);
  b.c->linear.data[0].potential = NULL;
  accept_cert(b.net, b.c);
  done(b);
}

static void linear_moves_do_not_gain_weight(void **state) {
  const char *text = "m 0 0 1; t 0 0 0>1; t 0 0 1>!; g 0 1*2";
  bench b = with_backward(make_net(1, 2, text));
  add_linear(b.c, 1, NULL, "1 1");
  accept_cert(b.net, b.c);
  b.c->linear.data[0].weight[1] = 2;
  b.c->linear.data[0].bound = 3;
  refuse_cert(b.net, b.c, "moves tokens to a place of more weight");
  done(b);
}

static void linear_moves_of_absent_places_do_not_count(void **state) {
  const char *text = "m 0 0 1; t 0 0 0>1 2>1; g 0 1*2";
  bench b = with_backward(make_net(1, 3, text));
  add_linear(b.c, 1, NULL, "1 1 0");
  refuse_cert(b.net, b.c, "moves tokens to a place of more weight");
  add_row(b.c, 0, "0 1");
  accept_cert(b.net, b.c);
  done(b);
}

static void linear_uses_t(void **state) {
  const char *text = "m 0 1 1; t 0 0 -0 +1; t 0 0 -2 +1*5; g 0 1*2";
  bench b = with_backward(make_net(1, 3, text));
  add_linear(b.c, 1, NULL, "1 1 0");
  refuse_cert(b.net, b.c, "transition t1");
  add_row(b.c, 0, "0 1");
  accept_cert(b.net, b.c);
  done(b);
}

static void linear_weights_are_not_negative(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1 2"));
  add_linear(b.c, 1, NULL, "1 1 1 -1");
  refuse_cert(b.net, b.c, "inequality 1 has a negative weight for place 3");
  done(b);
}

static void linear_has_weights(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1 2"));
  add_linear(b.c, 1, NULL, "1 1 1 0");
  hd_free(b.c->linear.data[0].weight);
  b.c->linear.data[0].weight = NULL;
  refuse_cert(b.net, b.c, "inequality 1 has no weights");
  done(b);
}

/* Sums of the largest numbers must not wrap around. */
static void linear_with_enormous_numbers(void **state) {
  char text[200];
  snprintf(text, sizeof text, "m 0 %u %u; m 1 %u %u; t 0 1 -0 +2*%u; g 1 2",
           HD_COUNT_MAX, HD_COUNT_MAX, HD_COUNT_MAX, HD_COUNT_MAX,
           HD_COUNT_MAX);
  bench b = with_backward(make_net(2, 3, text));
  add_linear(b.c, INT64_MAX, NULL, "0 0 0");
  hd_linear *linear = &b.c->linear.data[0];
  linear->weight[0] = linear->weight[1] = INT64_MAX;
  refuse_cert(b.net, b.c, "does not hold initially");
  linear->weight[0] = linear->weight[1] = 0;
  linear->potential[0] = INT64_MIN;
  linear->potential[1] = INT64_MAX;
  linear->weight[2] = INT64_MAX;
  refuse_cert(b.net, b.c, "increases its left side");
  linear->potential[0] = INT64_MAX;
  linear->potential[1] = INT64_MIN;
  refuse_cert(b.net, b.c, "increases its left side");
  done(b);
}

static void linear_second_inequality_counts(void **state) {
  bench b = with_backward(make_net(1, 4, RING "g 0 1 2"));
  add_linear(b.c, 7, NULL, "1 1 1 0");
  refuse_cert(b.net, b.c, "target 0");
  add_linear(b.c, 1, NULL, "1 1 1 0");
  accept_cert(b.net, b.c);
  b.c->linear.data[1].weight[0] = 0;
  refuse_cert(b.net, b.c, "inequality 2 is not inductive");
  done(b);
}

#define T(name) cmocka_unit_test(name)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(rows_prove_an_unreached_place),
      T(rows_do_not_prove_a_reached_place),
      T(rows_need_the_initial_shared_state),
      T(rows_need_the_initial_places),
      T(rows_need_a_row_where_transitions_lead),
      T(rows_keep_the_old_places),
      T(rows_have_the_places_of_post),
      T(rows_have_the_destinations_of_moves),
      T(rows_drop_what_is_moved_away),
      T(rows_keep_what_may_stay),
      T(rows_keep_what_is_given_back),
      T(rows_follow_moves_of_present_places_only),
      T(rows_with_parallel_transitions),
      T(rows_ignore_contradictory_guards),
      T(rows_only_where_a_target_may_follow),
      T(rows_cannot_justify_themselves),
      T(rows_of_an_empty_certificate),
      T(certificate_needs_a_target),
      T(certificate_without_a_way_to_the_target),
      T(linear_proves_mutual_exclusion),
      T(linear_excludes_only_above_the_bound),
      T(linear_holds_initially),
      T(linear_holds_for_the_largest_start),
      T(linear_has_no_weight_where_unbounded),
      T(linear_is_not_increased),
      T(linear_counts_tokens_with_their_number),
      T(linear_with_potentials),
      T(linear_without_potentials),
      T(linear_moves_do_not_gain_weight),
      T(linear_moves_of_absent_places_do_not_count),
      T(linear_uses_t),
      T(linear_weights_are_not_negative),
      T(linear_has_weights),
      T(linear_with_enormous_numbers),
      T(linear_second_inequality_counts),
  };
  return cmocka_run_group_tests_name("check_invariant", tests, NULL, NULL);
}
