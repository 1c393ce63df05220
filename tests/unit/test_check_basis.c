/* SPDX-License-Identifier: MIT */
/* The basis of backward certificates, and malformed certificates. For each
 * condition there is evidence that violates only it and is refused with its own
 * sentence, and the same repaired. */
#include "evidence_util.h"

/* --- the basis --- */

/* The backward search goes round the loop twice, with ever fewer 2s. */
static bench figure_basis(void) {
  bench b = with_backward(make_net(7, 5, FIGURE "g 6 4"));
  add_config(b.c, 6, "4");
  add_config(b.c, 5, "4*2");
  add_config(b.c, 4, "2 4");
  add_config(b.c, 3, "2*2 4");
  add_config(b.c, 2, "0 2*2 4");
  add_config(b.c, 1, "0*2 2*2 4");
  add_config(b.c, 0, "0*3 2*2 4");
  add_config(b.c, 3, "0*2 1 2 4");
  add_config(b.c, 2, "0*3 2 4");
  add_config(b.c, 1, "0*4 2 4");
  add_config(b.c, 0, "0*5 2 4");
  add_config(b.c, 3, "0*4 1 4");
  add_config(b.c, 2, "0*5 4");
  add_config(b.c, 1, "0*6 4");
  add_config(b.c, 0, "0*7 4");
  return b;
}

/* counters.md: paper 000's (6,4) is unreachable. */
static void basis_of_figure(void **state) {
  bench b = figure_basis();
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_of_figure_needs_every_element(void **state) {
  bench b = figure_basis();
  for (size_t i = 0; i < b.c->configs.size; i++) {
    hd_config removed = b.c->configs.data[i];
    b.c->configs.data[i] = hd_vec_last(&b.c->configs);
    b.c->configs.size--;
    hd_str why = {0};
    assert_false(hd_check_cert(b.net, b.c, &why));
    assert_non_null(
        strstr(hd_str_text(&why), i ? "the basis is not closed" : "target 0"));
    hd_str_free(&why);
    b.c->configs.size++;
    b.c->configs.data[i] = removed;
  }
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_of_figure_needs_every_count(void **state) {
  bench b = figure_basis();
  for (size_t i = 0; i < b.c->tokens.size; i++) {
    b.c->tokens.data[i].count++;
    hd_str why = {0};
    assert_false(hd_check_cert(b.net, b.c, &why));
    hd_str_free(&why);
    b.c->tokens.data[i].count--;
  }
  accept_cert(b.net, b.c);
  done(b);
}

/* (6,3) is reachable: no basis with the target is closed and not initial. */
static void basis_below_an_initial_configuration(void **state) {
  bench b = with_backward(make_net(2, 2, "m 0 0 2; t 0 1 -0*2 +1; g 1 1"));
  add_config(b.c, 1, "1");
  add_config(b.c, 0, "0*2");
  refuse_cert(b.net, b.c,
              "basis element 0|0,0 lies below an initial configuration");
  done(b);
}

static void basis_above_the_initial_maximum(void **state) {
  bench b = with_backward(make_net(2, 2, "m 0 0 1; t 0 1 -0*2 +1; g 1 1"));
  add_config(b.c, 1, "1");
  add_config(b.c, 0, "0*2");
  accept_cert(b.net, b.c);
  done(b);
}

/* A lower bound does not make a small configuration less initial. */
static void basis_below_the_initial_minimum(void **state) {
  bench b = with_backward(make_net(2, 2, "m 0 5 7; t 0 1 -0*2 +1; g 1 1"));
  add_config(b.c, 1, "1");
  add_config(b.c, 0, "0*2");
  refuse_cert(b.net, b.c, "lies below an initial configuration");
  done(b);
}

static void basis_predecessor_is_named(void **state) {
  bench b = with_backward(
      make_net(3, 3, "m 0 0 1; t 0 1 -0 +1; t 1 2 -1*2 +2; g 2 2"));
  add_config(b.c, 2, "2");
  refuse_cert(b.net, b.c,
              "the basis is not closed: transition t1 (line 3: 1 => 2: 1>=2 -> "
              "1'=1-2, 2'=2+1;) into basis element 2|2 has the predecessor "
              "1|1,1, which nothing accounts for");
  add_config(b.c, 1, "1*2");
  refuse_cert(b.net, b.c, "transition t0");
  add_config(b.c, 0, "0 1");
  accept_cert(b.net, b.c);
  done(b);
}

/* counters.md: the pre-image of a spawn asks for the parent only once. */
static void basis_spawn_predecessor(void **state) {
  bench b = with_backward(
      make_net(3, 3, "m 0 1 1; t 0 1 -0 +1; t 1 2 -1 +1 +2; g 2 1*2 2"));
  add_config(b.c, 2, "1*2 2");
  add_config(b.c, 1, "1*3");
  refuse_cert(b.net, b.c, "has the predecessor 1|1,1, which");
  b.c->tokens.data[2].count = 2;
  add_config(b.c, 0, "0 1");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_spawn_of_own_kind(void **state) {
  /* One thread in 0 makes any number of them: 0|0,0 is reachable, and its
   * predecessor is 0|0. */
  bench b = with_backward(make_net(1, 1, "m 0 1 1; t 0 0 -0 +0*2; g 0 0*2"));
  add_config(b.c, 0, "0*2");
  refuse_cert(b.net, b.c, "has the predecessor 0|0, which");
  add_config(b.c, 0, "0");
  refuse_cert(b.net, b.c, "lies below an initial configuration");
  done(b);
}

static void basis_within_one_shared_state(void **state) {
  /* A net: 0 and 1 exclude each other. */
  const char *text =
      "m 2 1 1; m 3 0 w; t 0 0 -2 -3 +0; t 0 0 -0 +2 +3; t 0 0 -2 -3 +1;"
      "t 0 0 -1 +2 +3; t 0 0 +3; g 0 0 1";
  bench b = with_backward(make_net(1, 4, text));
  add_config(b.c, 0, "0 1");
  refuse_cert(b.net, b.c, "transition t0");
  add_config(b.c, 0, "1 2 3");
  add_config(b.c, 0, "0 2 3");
  refuse_cert(b.net, b.c, "0|1,2");
  add_config(b.c, 0, "1 2");
  add_config(b.c, 0, "0 2");
  add_config(b.c, 0, "2*2");
  add_config(b.c, 0, "0*2");
  add_config(b.c, 0, "1*2");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_transfer_predecessor(void **state) {
  /* Tokens in 1 after the transfer were in 0 or in 1 before. */
  const char *text = "m 0 0 1; m 1 0 1; t 0 1 0>1; g 1 1*3";
  bench b = with_backward(make_net(2, 2, text));
  add_config(b.c, 1, "1*3");
  add_config(b.c, 0, "0*3");
  add_config(b.c, 0, "0*2 1");
  add_config(b.c, 0, "1*3");
  refuse_cert(b.net, b.c, "has the predecessor 0|0,1,1, which");
  add_config(b.c, 0, "0 1*2");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_no_tokens_left_in_a_source(void **state) {
  bench b = with_backward(make_net(2, 2, "m 0 0 w; t 0 1 0>1; g 1 0"));
  add_config(b.c, 1, "0");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_source_refilled_by_post(void **state) {
  bench b = with_backward(make_net(2, 2, "m 0 0 w; t 0 1 0>1 +0; g 1 0"));
  add_config(b.c, 1, "0");
  refuse_cert(b.net, b.c, "has the predecessor 0|, which");
  done(b);
}

static void basis_reset_predecessor(void **state) {
  bench b = with_backward(make_net(2, 2, "m 0 0 w; t 0 1 0>!; g 1 1"));
  add_config(b.c, 1, "1");
  refuse_cert(b.net, b.c, "has the predecessor 0|1, which");
  add_config(b.c, 0, "1");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_choice_predecessors(void **state) {
  /* A token in 2 may have come from 0 or from 1. */
  const char *text = "m 3 0 w; t 0 1 0>2 0>3 1>2; g 1 2*2";
  bench b = with_backward(make_net(2, 4, text));
  add_config(b.c, 1, "2*2");
  add_config(b.c, 0, "2*2");
  add_config(b.c, 0, "0 2");
  add_config(b.c, 0, "1 2");
  add_config(b.c, 0, "0*2");
  add_config(b.c, 0, "1*2");
  refuse_cert(b.net, b.c, "has the predecessor 0|0,1, which");
  add_config(b.c, 0, "0 1");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_move_that_may_stay(void **state) {
  const char *text = "m 1 0 w; t 0 1 0>0 0>1; g 1 0";
  bench b = with_backward(make_net(2, 2, text));
  add_config(b.c, 1, "0");
  refuse_cert(b.net, b.c, "has the predecessor 0|0, which");
  add_config(b.c, 0, "0");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_swap_predecessor(void **state) {
  bench b = with_backward(make_net(1, 2,
                                   "m 0 0 w; m 1 0 3; t 0 0 0>1 1>0;"
                                   "g 0 0*4 1*4"));
  add_config(b.c, 0, "0*4 1*4");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_too_many_predecessors(void **state) {
  char text[400];
  int n = snprintf(text, sizeof text, "t 0 1");
  for (int i = 0; i < 20; i++)
    n += snprintf(text + n, sizeof text - (size_t)n, " %d>20", i);
  snprintf(text + n, sizeof text - (size_t)n, "; g 1 20*1000000");
  bench b = with_backward(make_net(2, 21, text));
  add_config(b.c, 1, "20*1000000");
  for (hd_place_id p = 0; p < 21; p++) {
    char place[10];
    snprintf(place, sizeof place, "%u", p);
    add_config(b.c, 0, place);
  }
  refuse_cert(b.net, b.c, "has too many predecessors to look at");
  done(b);
}

static void basis_predecessor_counts_have_an_end(void **state) {
  char text[200];
  snprintf(text, sizeof text, "t 0 1 0>1 0>2; g 1 1*%u 2*%u", HD_COUNT_MAX,
           HD_COUNT_MAX);
  bench b = with_backward(make_net(2, 3, text));
  snprintf(text, sizeof text, "1*%u 2*%u", HD_COUNT_MAX, HD_COUNT_MAX);
  add_config(b.c, 1, text);
  hd_str why = {0};
  assert_false(hd_check_cert(b.net, b.c, &why));
  hd_str_free(&why);
  done(b);
}

/* A predecessor that breaks an upper guard is none, nor is anything above. */
static void basis_upper_guard(void **state) {
  const char *text = "m 0 0 w; m 1 0 w; t 0 1 -0 1<=0 +2; g 1 1 2";
  bench b = with_backward(make_net(2, 3, text));
  add_config(b.c, 1, "1 2");
  accept_cert(b.net, b.c);
  done(b);
  b = with_backward(make_net(2, 3,
                             "m 0 0 w; m 1 0 w; t 0 1 -0 1<=1 +2;"
                             "g 1 1 2"));
  add_config(b.c, 1, "1 2");
  refuse_cert(b.net, b.c, "has the predecessor 0|0,1, which");
  done(b);
}

/* An upper guard that a predecessor fits under is no reason to leave it out. */
static void basis_upper_guard_is_otherwise_ignored(void **state) {
  const char *text = "m 0 1 1; m 1 3 3; t 0 1 -0 1<=0 +2; g 1 2";
  bench b = with_backward(make_net(2, 3, text));
  add_config(b.c, 1, "2");
  refuse_cert(b.net, b.c, "has the predecessor 0|0, which");
  done(b);
}

static void basis_target_upper_bound_is_ignored(void **state) {
  bench b = with_backward(make_net(1, 2, "m 0 0 w; g 0 0 1<=0"));
  refuse_cert(b.net, b.c, "target 0 is not accounted for");
  done(b);
}

static void basis_contradictory_target(void **state) {
  bench b = with_backward(make_net(1, 2, "m 0 0 w; g 0 0*2 0<=1"));
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_accounts_for_every_target(void **state) {
  bench b = with_backward(
      make_net(2, 3, "m 0 0 w; t 0 1 -0 +0; g 1 1; g 1 2; g 1 1*2"));
  add_config(b.c, 1, "1");
  add_config(b.c, 0, "1");
  refuse_cert(b.net, b.c, "target 1 is not accounted for: 1|2");
  add_config(b.c, 1, "2");
  add_config(b.c, 0, "2");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_target_in_any_shared_state(void **state) {
  bench b = with_backward(make_net(3, 2, "m 0 0 w; t 0 1 -0 +0; g * 1"));
  add_config(b.c, 1, "1");
  add_config(b.c, 0, "1");
  refuse_cert(b.net, b.c, "target 0 is not accounted for: 2|1");
  add_config(b.c, 2, "1");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_within_rows(void **state) {
  /* 0|1,2 would be initial-like, but 2 is never reached. */
  const char *text = "m 0 0 w; t 0 1 -0 -2 +1; t 0 1 -0 +0; g 1 1";
  bench b = with_backward(make_net(2, 3, text));
  add_config(b.c, 1, "1");
  add_config(b.c, 0, "1");
  refuse_cert(b.net, b.c, "has the predecessor 0|0,2, which");
  add_row(b.c, 0, "0 1");
  add_row(b.c, 1, "0 1");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_within_inequalities(void **state) {
  const char *text = "m 0 1 1; t 0 0 -0 +1; t 0 0 -1 +0; t 0 1 -0 -1 +2; g 1 2";
  bench b = with_backward(make_net(2, 3, text));
  add_config(b.c, 1, "2");
  refuse_cert(b.net, b.c, "has the predecessor 0|0,1, which");
  add_config(b.c, 0, "2");
  add_linear(b.c, 1, NULL, "1 1 0");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_element_that_is_excluded_claims_nothing(void **state) {
  const char *text = "m 0 1 1; t 0 1 -0 +1; t 0 2 -0 +1; g 2 1*2; g 1 1*2";
  bench b = with_backward(make_net(3, 2, text));
  add_config(b.c, 1, "1*2");
  add_config(b.c, 2, "1*2");
  refuse_cert(b.net, b.c, "the basis is not closed");
  add_linear(b.c, 1, NULL, "1 1");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_only_where_a_target_may_follow(void **state) {
  /* 2 does not lead to the target's shared state 1: nothing about it matters,
   * but an element there is not wrong either. */
  bench b =
      with_backward(make_net(3, 3, "m 0 1 1; t 0 2 -0 +2; t 0 1 -1 +2; g 1 2"));
  add_config(b.c, 1, "2");
  add_config(b.c, 0, "1");
  add_config(b.c, 2, "2");
  accept_cert(b.net, b.c);
  done(b);
}

static void basis_covers_by_smaller_elements(void **state) {
  bench b =
      with_backward(make_net(2, 4, "m 0 0 w; t 0 1 -0 -1 -2*3 +3; g 1 3"));
  add_config(b.c, 1, "3");
  add_config(b.c, 0, "2*4");
  refuse_cert(b.net, b.c, "not closed");
  add_config(b.c, 0, "2*2");
  accept_cert(b.net, b.c);
  done(b);
}

/* --- malformed certificates --- */

static bench plain_basis(void) {
  bench b = with_backward(make_net(2, 4, "m 0 0 w; t 0 1 -0 -1 +3; g 1 3"));
  add_config(b.c, 1, "3");
  add_config(b.c, 0, "0 1");
  return b;
}

static void malformed_dimensions(void **state) {
  bench b = plain_basis();
  accept_cert(b.net, b.c);
  b.c->n_shared = 3;
  refuse_cert(b.net, b.c,
              "the certificate is for 3 shared states and 4 "
              "places, the model has 2 and 4");
  b.c->n_shared = 2;
  b.c->n_places = 5;
  refuse_cert(b.net, b.c, "and 5 places");
  b.c->n_places = 4;
  done(b);
}

static void malformed_kind(void **state) {
  bench b = plain_basis();
  int odd = 17;
  memcpy(&b.c->kind, &odd, sizeof b.c->kind);
  refuse_cert(b.net, b.c, "no known kind");
  done(b);
}

static void malformed_shared_state(void **state) {
  bench b = plain_basis();
  b.c->configs.data[1].shared = 2;
  refuse_cert(b.net, b.c,
              "configuration 2 of the certificate has a shared "
              "state that does not exist");
  done(b);
}

static void malformed_range(void **state) {
  bench b = plain_basis();
  b.c->configs.data[1].tokens.start = UINT32_MAX;
  refuse_cert(b.net, b.c, "lies outside the pool");
  b.c->configs.data[1].tokens = (hd_range){.start = 1, .size = 3};
  refuse_cert(b.net, b.c, "lies outside the pool");
  done(b);
}

static void malformed_place(void **state) {
  bench b = plain_basis();
  b.c->tokens.data[2].place = 4;
  refuse_cert(b.net, b.c, "has a place that does not exist");
  done(b);
}

static void malformed_order(void **state) {
  bench b = plain_basis();
  b.c->tokens.data[1].place = 2;
  refuse_cert(b.net, b.c, "is not sorted by place");
  b.c->tokens.data[1].place = 1;
  refuse_cert(b.net, b.c, "is not sorted by place");
  done(b);
}

static void malformed_counts(void **state) {
  bench b = plain_basis();
  b.c->tokens.data[0].count = 0;
  refuse_cert(b.net, b.c, "has an entry without tokens");
  b.c->tokens.data[0].count = HD_COUNT_MAX + 1;
  refuse_cert(b.net, b.c, "has a count that is too large");
  b.c->tokens.data[0].count = HD_OMEGA;
  refuse_cert(b.net, b.c, "has a count that is too large");
  done(b);
}

static void malformed_backward_with_ignored_places(void **state) {
  bench b = plain_basis();
  hd_vec_push(&b.c->ignored, 2);
  refuse_cert(b.net, b.c, "only a cover can ignore places");
  done(b);
}

static void malformed_cover_with_inequalities(void **state) {
  bench b = with_cover(make_net(1, 1, "m 0 0 w; g 0 0"));
  add_linear(b.c, 1, NULL, "0");
  refuse_cert(b.net, b.c, "a cover has no inequalities");
  done(b);
}

#define T(name) cmocka_unit_test(name)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(basis_of_figure),
      T(basis_of_figure_needs_every_element),
      T(basis_of_figure_needs_every_count),
      T(basis_below_an_initial_configuration),
      T(basis_above_the_initial_maximum),
      T(basis_below_the_initial_minimum),
      T(basis_predecessor_is_named),
      T(basis_spawn_predecessor),
      T(basis_spawn_of_own_kind),
      T(basis_within_one_shared_state),
      T(basis_transfer_predecessor),
      T(basis_no_tokens_left_in_a_source),
      T(basis_source_refilled_by_post),
      T(basis_reset_predecessor),
      T(basis_choice_predecessors),
      T(basis_move_that_may_stay),
      T(basis_swap_predecessor),
      T(basis_too_many_predecessors),
      T(basis_predecessor_counts_have_an_end),
      T(basis_upper_guard),
      T(basis_upper_guard_is_otherwise_ignored),
      T(basis_target_upper_bound_is_ignored),
      T(basis_contradictory_target),
      T(basis_accounts_for_every_target),
      T(basis_target_in_any_shared_state),
      T(basis_within_rows),
      T(basis_within_inequalities),
      T(basis_element_that_is_excluded_claims_nothing),
      T(basis_only_where_a_target_may_follow),
      T(basis_covers_by_smaller_elements),
      T(malformed_dimensions),
      T(malformed_kind),
      T(malformed_shared_state),
      T(malformed_range),
      T(malformed_place),
      T(malformed_order),
      T(malformed_counts),
      T(malformed_backward_with_ignored_places),
      T(malformed_cover_with_inequalities),
  };
  return cmocka_run_group_tests_name("check_basis", tests, NULL, NULL);
}
