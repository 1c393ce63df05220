/* SPDX-License-Identifier: MIT */
/* Covers, and certificates for split nets. For each
 * condition there is evidence that violates only it and is refused with its own
 * sentence, and the same repaired. */
#include "evidence_util.h"

static bench plain_basis(void) {
  bench b = with_backward(make_net(2, 4, "m 0 0 w; t 0 1 -0 -1 +3; g 1 3"));
  add_config(b.c, 1, "3");
  add_config(b.c, 0, "0 1");
  return b;
}

/* --- covers --- */

/* Threads enter a section one by one: 1 is the section, shared 1 is locked. */
#define MUTEX "m 0 0 w; t 0 1 -0 +1; t 1 0 -1 +0;"

static bench mutex_cover(const char *target) {
  char text[200];
  snprintf(text, sizeof text, MUTEX "%s", target);
  bench b = with_cover(make_net(2, 2, text));
  add_config(b.c, 0, "0*w");
  add_config(b.c, 1, "0*w 1");
  return b;
}

static void cover_proves_mutual_exclusion(void **state) {
  bench b = mutex_cover("g 1 1*2; g 0 1; g * 1*2");
  accept_cert(b.net, b.c);
  accept_closed(b.net, b.c);
  done(b);
}

static void cover_has_no_target(void **state) {
  bench b = mutex_cover("g 1 1*2; g 1 0*5 1");
  refuse_cert(b.net, b.c, "target 1 lies below the cover: 1|0*5,1");
  accept_closed(b.net, b.c);
  done(b);
}

static void cover_has_no_target_in_any_shared_state(void **state) {
  bench b = mutex_cover("g * 1");
  refuse_cert(b.net, b.c, "target 0 lies below the cover: 1|1");
  done(b);
}

static void cover_has_the_initial_configurations(void **state) {
  bench b = mutex_cover("g 1 1*2");
  b.c->tokens.data[0].count = HD_COUNT_MAX;
  refuse_cert(b.net, b.c,
              "the initial configurations, up to 0|0*w, do not lie "
              "below an element of the cover");
  done(b);
}

/* Two elements that only together have the initial maximum are not enough. */
static void cover_has_the_initial_maximum_in_one_element(void **state) {
  bench b = with_cover(make_net(1, 2, "m 0 0 2; m 1 0 2; g 0 0*3"));
  add_config(b.c, 0, "0*2");
  add_config(b.c, 0, "1*2");
  refuse_cert(b.net, b.c, "do not lie below");
  add_config(b.c, 0, "0*2 1*2");
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_is_closed(void **state) {
  bench b = mutex_cover("g 1 1*2");
  b.c->tokens.data[1].count = 7;
  refuse_cert(b.net, b.c,
              "the cover is not closed: transition t0 (line 2: 0 0 "
              "-> 1 1) leads from 0|0*w to 1|0*w,1, which is not "
              "below it");
  done(b);
}

static void cover_needs_every_element(void **state) {
  bench b = mutex_cover("g 1 1*2");
  b.c->configs.size--;
  refuse_cert(b.net, b.c, "the cover is not closed");
  done(b);
}

static void cover_enabled_only_with_enough_tokens(void **state) {
  bench b = with_cover(make_net(2, 2, "m 0 0 1; t 0 1 -0*2 +1; g 1"));
  add_config(b.c, 0, "0");
  accept_cert(b.net, b.c);
  done(b);
  b = with_cover(make_net(2, 2, "m 0 0 2; t 0 1 -0*2 +1; g 1 1*2"));
  add_config(b.c, 0, "0*2");
  refuse_cert(b.net, b.c, "leads from 0|0,0 to 1|1, which");
  add_config(b.c, 1, "1");
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_of_a_growing_net_needs_omega(void **state) {
  bench b = with_cover(make_net(1, 2, "m 0 1 1; t 0 0 -0 +0 +1; g 0 0*2"));
  add_config(b.c, 0, "0 1*1000");
  refuse_cert(b.net, b.c, "leads from 0|0,1*1000 to 0|0,1*1001");
  b.c->tokens.data[1].count = HD_OMEGA;
  accept_cert(b.net, b.c);
  done(b);
}

/* A sum beyond the largest count is not a finite count any more. */
static void cover_counts_have_an_end(void **state) {
  bench b = with_cover(make_net(1, 2, "m 0 1 1; t 0 0 -0 +0 +1; g 0 0*2"));
  add_config(b.c, 0, "0 1");
  b.c->tokens.data[1].count = HD_COUNT_MAX;
  refuse_cert(b.net, b.c, "0|0,1*w, which is not below it");
  done(b);
}

static void cover_transfer_adds_up(void **state) {
  const char *text = "m 0 0 2; m 1 0 3; t 0 1 0>1; g 1 0; g 1 1*6";
  bench b = with_cover(make_net(2, 2, text));
  add_config(b.c, 0, "0*2 1*3");
  add_config(b.c, 1, "1*4");
  refuse_cert(b.net, b.c, "to 1|1*5, which is not below it");
  b.c->tokens.data[2].count = 5;
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_transfer_of_omega(void **state) {
  const char *text = "m 0 0 w; m 1 0 3; t 0 1 0>1; g 1 0";
  bench b = with_cover(make_net(2, 2, text));
  add_config(b.c, 0, "0*w 1*3");
  add_config(b.c, 1, "1*w");
  accept_cert(b.net, b.c);
  b.c->tokens.data[2].count = 100;
  refuse_cert(b.net, b.c, "to 1|1*w, which");
  done(b);
}

static void cover_reset(void **state) {
  const char *text = "m 0 0 w; m 1 0 3; t 0 1 0>!; g 1 0";
  bench b = with_cover(make_net(2, 2, text));
  add_config(b.c, 0, "0*w 1*3");
  add_config(b.c, 1, "1*3");
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_choice(void **state) {
  const char *text = "m 0 0 2; t 0 1 0>1 0>2; g 1 1*2 2";
  bench b = with_cover(make_net(2, 3, text));
  add_config(b.c, 0, "0*2");
  add_config(b.c, 1, "1*2");
  add_config(b.c, 1, "2*2");
  refuse_cert(b.net, b.c, "to 1|1,2, which");
  add_config(b.c, 1, "1 2");
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_choice_of_omega(void **state) {
  const char *text = "m 0 0 w; t 0 1 0>1 0>2; g 1 0";
  bench b = with_cover(make_net(2, 3, text));
  add_config(b.c, 0, "0*w");
  add_config(b.c, 1, "1*w");
  add_config(b.c, 1, "2*w");
  refuse_cert(b.net, b.c, "to 1|1*w,2*w, which");
  add_config(b.c, 1, "1*w 2*w");
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_choice_to_vanish(void **state) {
  const char *text = "m 0 0 3; t 0 1 0>1 0>!; g 1 0";
  bench b = with_cover(make_net(2, 3, text));
  add_config(b.c, 0, "0*3");
  add_config(b.c, 1, "1*2");
  refuse_cert(b.net, b.c, "to 1|1,1,1, which");
  b.c->tokens.data[1].count = 3;
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_upper_guard(void **state) {
  /* Below the guard place 0 has at most one token. */
  const char *text = "m 0 0 w; t 0 1 0<=1; t 0 1 0<=2 +1; g 1 0*3";
  bench b = with_cover(make_net(2, 2, text));
  add_config(b.c, 0, "0*w");
  add_config(b.c, 1, "0*2");
  refuse_cert(b.net, b.c, "transition t1");
  add_config(b.c, 1, "0 1");
  refuse_cert(b.net, b.c, "to 1|0,0,1, which");
  add_config(b.c, 1, "0*2 1");
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_zero_test(void **state) {
  const char *text = "m 0 0 w; m 1 1 w; t 0 1 0<=0 -1 +1; g 1 0";
  bench b = with_cover(make_net(2, 2, text));
  add_config(b.c, 0, "0*w 1*w");
  add_config(b.c, 1, "1*w");
  accept_cert(b.net, b.c);
  done(b);
}

static void cover_ignores_places(void **state) {
  const char *text = "m 0 1 1; m 2 0 5; t 0 0 -0 -2 +1 +2*2; g 0 0 1";
  bench b = with_cover(make_net(1, 3, text));
  add_config(b.c, 0, "0");
  add_config(b.c, 0, "1");
  refuse_cert(b.net, b.c, "the initial configurations");
  hd_vec_push(&b.c->ignored, 2);
  accept_cert(b.net, b.c);
  accept_closed(b.net, b.c);
  done(b);
}

static void cover_ignored_places_have_tokens(void **state) {
  /* Place 2 starts empty, but who ignores it must take its tokens for given. */
  const char *text = "m 0 1 1; t 0 0 -0 -2 +1; g 0 1";
  bench b = with_cover(make_net(1, 3, text));
  add_config(b.c, 0, "0");
  accept_cert(b.net, b.c);
  hd_vec_push(&b.c->ignored, 2);
  refuse_cert(b.net, b.c, "to 0|1, which");
  done(b);
}

static void cover_ignored_places_of_a_target(void **state) {
  bench b = with_cover(make_net(1, 2, "m 0 1 1; g 0 0 1"));
  add_config(b.c, 0, "0");
  accept_cert(b.net, b.c);
  hd_vec_push(&b.c->ignored, 1);
  refuse_cert(b.net, b.c, "target 0 lies below the cover");
  done(b);
}

static void cover_moves_out_of_ignored_places(void **state) {
  bench b = with_cover(make_net(2, 2, "m 0 0 1; t 0 1 0>1; g 1 0"));
  add_config(b.c, 0, "0");
  add_config(b.c, 1, "1");
  accept_cert(b.net, b.c);
  hd_vec_push(&b.c->ignored, 0);
  refuse_cert(b.net, b.c, "target 0");
  done(b);
  b = with_cover(make_net(2, 2, "m 0 0 1; t 0 1 0>1; g 1 1*9"));
  hd_vec_push(&b.c->ignored, 0);
  add_config(b.c, 0, "");
  add_config(b.c, 1, "1");
  refuse_cert(b.net, b.c, "to 1|1*w, which");
  done(b);
}

static void cover_ignored_list_is_sorted(void **state) {
  bench b = with_cover(make_net(1, 3, "m 0 1 1; g 0 0*2"));
  add_config(b.c, 0, "0");
  hd_vec_push(&b.c->ignored, 2);
  accept_cert(b.net, b.c);
  hd_vec_push(&b.c->ignored, 1);
  refuse_cert(b.net, b.c, "the ignored places are not a sorted list");
  b.c->ignored.data[1] = 3;
  refuse_cert(b.net, b.c, "the ignored places are not a sorted list");
  done(b);
}

static void cover_only_where_a_target_may_follow(void **state) {
  const char *text = "m 0 0 1; t 0 1 -0 +1; t 0 2 -0 +2; g 2 2*2";
  bench b = with_cover(make_net(3, 3, text));
  add_config(b.c, 0, "0");
  add_config(b.c, 2, "2");
  accept_cert(b.net, b.c);
  refuse_closed(b.net, b.c, "transition t0");
  add_config(b.c, 1, "1");
  accept_closed(b.net, b.c);
  done(b);
}

static void cover_with_rows(void **state) {
  /* T says that 1 never has tokens, so t1 is of no interest and t2 neither. */
  const char *text =
      "m 0 0 1; t 0 0 -0 +0; t 0 1 -1 +2; t 1 2 -2 +2; g 2 2*2; g 2 2";
  bench b = with_cover(make_net(3, 3, text));
  hd_vec_push(&b.c->ignored, 1);
  add_config(b.c, 0, "0");
  refuse_cert(b.net, b.c, "transition t1");
  add_row(b.c, 0, "0");
  accept_cert(b.net, b.c);
  accept_closed(b.net, b.c);
  hd_bits_clear(b.c->rows[0], 0);
  refuse_cert(b.net, b.c, "T does not hold initially");
  done(b);
}

static void cover_kind_is_asked_for(void **state) {
  bench b = plain_basis();
  refuse_closed(b.net, b.c, "the certificate is not a cover");
  done(b);
}

static void cover_without_targets(void **state) {
  bench b = mutex_cover("");
  refuse_cert(b.net, b.c, "the model has no target");
  accept_closed(b.net, b.c);
  done(b);
}

static void cover_target_upper_bounds(void **state) {
  bench b = mutex_cover("g 1 1 1<=0");
  accept_cert(b.net, b.c);
  done(b);
  b = mutex_cover("g 1 1 1<=1");
  refuse_cert(b.net, b.c, "target 0 lies below the cover");
  done(b);
}

/* --- split nets --- */

/* A lock as a net: 0 free, 1 held; 2 outside, 3 inside. */
#define SPLIT                                                                  \
  "m 0 1 1; m 2 0 w; t 0 0 -0 -2 +1 +3; t 0 0 -1 -3 +0 +2; g 0 3*2; g 0 0 3"

static bench split_cert(hd_cert_kind kind) {
  bench b = {.net = make_net(1, 4, SPLIT), .c = hd_cert_new(kind, 2, 4)};
  hd_vec_push(&b.c->control, 0);
  hd_vec_push(&b.c->control, 1);
  return b;
}

static void split_cover(void **state) {
  bench b = split_cert(HD_CERT_COVER);
  add_config(b.c, 0, "2*w");
  add_config(b.c, 1, "2*w 3");
  accept_cert(b.net, b.c);
  accept_closed(b.net, b.c);
  b.c->tokens.data[2].count = 2;
  refuse_cert(b.net, b.c, "target 0 lies below the cover");
  done(b);
}

static void split_basis(void **state) {
  bench b = split_cert(HD_CERT_BACKWARD);
  add_config(b.c, 0, "3");
  add_config(b.c, 1, "3*2");
  accept_cert(b.net, b.c);
  b.c->configs.size--;
  refuse_cert(b.net, b.c, "target 0 is not accounted for");
  done(b);
}

static void split_linear(void **state) {
  bench b = split_cert(HD_CERT_BACKWARD);
  add_linear(b.c, 0, "0 -1", "0 0 0 1");
  accept_cert(b.net, b.c);
  done(b);
}

static void split_of_places_that_are_no_control(void **state) {
  bench b = split_cert(HD_CERT_COVER);
  b.c->control.data[1] = 2;
  refuse_cert(b.net, b.c, "the net cannot be split: ");
  b.c->control.data[1] = 0;
  refuse_cert(b.net, b.c, "the net cannot be split: ");
  b.c->control.data[1] = 99;
  refuse_cert(b.net, b.c, "the net cannot be split: ");
  done(b);
}

static void split_of_a_thread_system(void **state) {
  bench b = mutex_cover("g 1 1*2");
  hd_vec_push(&b.c->control, 0);
  refuse_cert(b.net, b.c, "the net cannot be split: ");
  done(b);
}

static void split_dimensions(void **state) {
  bench b = split_cert(HD_CERT_COVER);
  b.c->n_shared = 1;
  refuse_cert(b.net, b.c, "the certificate is for 1 shared states");
  done(b);
}

#define T(name) cmocka_unit_test(name)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(cover_proves_mutual_exclusion),
      T(cover_has_no_target),
      T(cover_has_no_target_in_any_shared_state),
      T(cover_has_the_initial_configurations),
      T(cover_has_the_initial_maximum_in_one_element),
      T(cover_is_closed),
      T(cover_needs_every_element),
      T(cover_enabled_only_with_enough_tokens),
      T(cover_of_a_growing_net_needs_omega),
      T(cover_counts_have_an_end),
      T(cover_transfer_adds_up),
      T(cover_transfer_of_omega),
      T(cover_reset),
      T(cover_choice),
      T(cover_choice_of_omega),
      T(cover_choice_to_vanish),
      T(cover_upper_guard),
      T(cover_zero_test),
      T(cover_ignores_places),
      T(cover_ignored_places_have_tokens),
      T(cover_ignored_places_of_a_target),
      T(cover_moves_out_of_ignored_places),
      T(cover_ignored_list_is_sorted),
      T(cover_only_where_a_target_may_follow),
      T(cover_with_rows),
      T(cover_kind_is_asked_for),
      T(cover_without_targets),
      T(cover_target_upper_bounds),
      T(split_cover),
      T(split_basis),
      T(split_linear),
      T(split_of_places_that_are_no_control),
      T(split_of_a_thread_system),
      T(split_dimensions),
  };
  return cmocka_run_group_tests_name("check_cover", tests, NULL, NULL);
}
