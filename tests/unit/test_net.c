/* SPDX-License-Identifier: MIT */
#include "model/evidence.h"
#include "model/net.h"
#include "model/split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define TOKENS(...)                                                            \
  (hd_tokens) {                                                                \
    .data = (const hd_token[]){__VA_ARGS__},                                   \
    .size = sizeof((const hd_token[]){__VA_ARGS__}) / sizeof(hd_token)         \
  }

static void covers_compares_place_by_place(void **state) {
  hd_tokens a = TOKENS({1, 2}, {4, 1}), b = TOKENS({1, 1}), c = TOKENS({2, 1});
  assert_true(hd_tokens_covers(a, b));
  assert_false(hd_tokens_covers(b, a));
  assert_false(hd_tokens_covers(a, c));
  assert_true(hd_tokens_covers(a, (hd_tokens){0}));
  assert_true(hd_tokens_covers(TOKENS({1, HD_OMEGA}), b));
  assert_false(hd_tokens_covers(b, TOKENS({1, HD_OMEGA})));
}

static void normalise_sorts_and_adds(void **state) {
  hd_token_vec v = {0};
  hd_vec_push(&v, ((hd_token){5, 1}));
  hd_vec_push(&v, ((hd_token){2, 3}));
  hd_vec_push(&v, ((hd_token){5, 2}));
  hd_vec_push(&v, ((hd_token){7, 0}));
  assert_true(hd_token_vec_normalise(&v));
  assert_int_equal(v.size, 2);
  assert_int_equal(v.data[0].place, 2);
  assert_int_equal(v.data[1].count, 3);
  hd_vec_free(&v);
}

static void normalise_reports_overflow(void **state) {
  hd_token_vec v = {0};
  hd_vec_push(&v, ((hd_token){1, HD_COUNT_MAX}));
  hd_vec_push(&v, ((hd_token){1, 1}));
  assert_false(hd_token_vec_normalise(&v));
  hd_vec_free(&v);
}

static void signature_is_monotone(void **state) {
  for (uint32_t p = 0; p < 500; p++) {
    hd_tokens small = TOKENS({p, 1}), large = TOKENS({p, 4}, {p + 9, 1});
    uint64_t s = hd_tokens_signature(small), l = hd_tokens_signature(large);
    assert_true((s & ~l) == 0);
  }
}

static hd_net *two_threads(void) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 3, 4);
  net->init[0] = (hd_init){0, HD_OMEGA};
  hd_trans_spec a = {
      .from = 0, .to = 1, .pre = TOKENS({0, 1}), .post = TOKENS({1, 1})};
  hd_trans_spec b = {.from = 1,
                     .to = 2,
                     .pre = TOKENS({1, 1}),
                     .post = TOKENS({2, 1}, {1, 1}),
                     .line = 7};
  assert_true(hd_net_add_trans(net, &a));
  assert_true(hd_net_add_trans(net, &b));
  assert_true(hd_net_add_target(net, 2, TOKENS({2, 1}), (hd_tokens){0}, 0));
  hd_net_finish(net);
  return net;
}

static void indices_group_by_shared_state(void **state) {
  hd_net *net = two_threads();
  assert_int_equal(net->from_start[0], 0);
  assert_int_equal(net->from_start[1], 1);
  assert_int_equal(net->from_start[3], 2);
  assert_int_equal(net->to_ids[net->to_start[2]], 1);
  assert_int_equal(net->to_start[1] - net->to_start[0], 0);
  assert_true(net->features & HD_HAS_UNBOUNDED);
  assert_true(net->features & HD_HAS_WEIGHTS);
  hd_net_delete(net);
}

static void below_init_needs_shared_state_and_counts(void **state) {
  hd_net *net = two_threads();
  assert_true(hd_net_below_init(net, 0, TOKENS({0, 1000})));
  assert_false(hd_net_below_init(net, 1, TOKENS({0, 1})));
  assert_false(hd_net_below_init(net, 0, TOKENS({1, 1})));
  hd_net_delete(net);
}

static void transitions_print_in_tts_notation(void **state) {
  hd_net *net = two_threads();
  hd_str out = {0};
  hd_net_print_trans(&out, net, 0);
  hd_str_puts(&out, "; ");
  hd_net_print_trans(&out, net, 1);
  assert_string_equal(hd_str_text(&out), "0 0 -> 1 1; 1 1 +> 2 2");
  hd_str_free(&out);
  hd_net_delete(net);
}

static void configurations_print_as_multisets(void **state) {
  hd_net *net = two_threads();
  hd_str out = {0};
  hd_net_print_config(&out, net, 1, TOKENS({0, HD_OMEGA}, {1, 2}, {3, 5}));
  assert_string_equal(hd_str_text(&out), "1|0*w,1,1,3*5");
  hd_str_free(&out);
  hd_net_delete(net);
}

static void restrict_keeps_everything_else(void **state) {
  hd_net *net = two_threads();
  hd_net *part = hd_net_restrict(net, (hd_trans_id[]){1}, 1);
  assert_int_equal(part->trans.size, 1);
  assert_int_equal(part->trans.data[0].line, 7);
  assert_int_equal(part->targets.size, 1);
  assert_int_equal(part->init[0].max, HD_OMEGA);
  hd_net_delete(part);
  hd_net_delete(net);
}

static void places_can_be_added_one_by_one(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, 5);
  for (int i = 0; i < 100; i++) {
    char name[16];
    int n = snprintf(name, sizeof name, "x%d", i);
    hd_place_id p = hd_net_add_place(net, name, (size_t)n);
    assert_int_equal(p, 5 + i);
    net->init[p].max = (hd_count)i;
  }
  assert_string_equal(net->place_names[3], "3");
  assert_string_equal(net->place_names[104], "x99");
  hd_net_delete(net);
}

static void witness_init_is_the_least(void **state) {
  hd_net *net = two_threads();
  hd_witness *w = hd_witness_new();
  hd_vec_push(&w->steps, ((hd_step){.trans = 0}));
  hd_vec_push(&w->steps, ((hd_step){.trans = 1}));
  assert_true(hd_witness_find_init(w, net));
  assert_int_equal(w->init.size, 1);
  assert_int_equal(w->init.data[0].count, 1);
  net->init[0].max = 0;
  assert_false(hd_witness_find_init(w, net));
  hd_witness_delete(w);
  hd_net_delete(net);
}

/* q0 --a--> q1 with a thread place p: control {q0, q1}. */
static hd_net *controlled(bool broken) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, 3);
  net->init[0] = (hd_init){1, 1};
  net->init[2] = (hd_init){0, HD_OMEGA};
  hd_trans_spec a = {.pre = TOKENS({0, 1}, {2, 1}),
                     .post = broken ? TOKENS({1, 1}, {0, 1})
                                    : TOKENS({1, 1}, {2, 1})};
  assert_true(hd_net_add_trans(net, &a));
  assert_true(
      hd_net_add_target(net, 0, TOKENS({1, 1}, {2, 3}), (hd_tokens){0}, 0));
  assert_true(
      hd_net_add_target(net, 0, TOKENS({0, 1}, {1, 1}), (hd_tokens){0}, 0));
  hd_net_finish(net);
  return net;
}

static void split_turns_control_places_into_shared_states(void **state) {
  hd_net *net = controlled(false);
  hd_str why = {0};
  hd_net *split = hd_split(net, (uint32_t[]){0, 1}, 2, &why);
  assert_non_null(split);
  assert_int_equal(split->n_shared, 2);
  assert_int_equal(split->trans.data[0].from, 0);
  assert_int_equal(split->trans.data[0].to, 1);
  assert_int_equal(hd_net_pre(split, 0).size, 1);
  assert_int_equal(split->targets.data[0].shared, 1);
  assert_int_equal(split->targets.data[1].shared, HD_ANY_SHARED);
  assert_int_equal(split->targets.data[1].need.size, 2);
  hd_net_delete(split);
  hd_net_delete(net);
}

static void split_refuses_what_is_not_control(void **state) {
  hd_net *net = controlled(true);
  hd_str why = {0};
  assert_null(hd_split(net, (uint32_t[]){0, 1}, 2, &why));
  assert_non_null(strstr(hd_str_text(&why), "transition 0"));
  hd_str_free(&why);
  assert_null(hd_split(net, (uint32_t[]){0, 0}, 2, &why));
  hd_str_free(&why);
  assert_null(hd_split(net, (uint32_t[]){2}, 1, &why));
  hd_str_free(&why);
  hd_net_delete(net);
}

static int nothing_leaks(void **state) {
  return hd_mem_current() ? -1 : 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(covers_compares_place_by_place),
      cmocka_unit_test(normalise_sorts_and_adds),
      cmocka_unit_test(normalise_reports_overflow),
      cmocka_unit_test(signature_is_monotone),
      cmocka_unit_test(indices_group_by_shared_state),
      cmocka_unit_test(below_init_needs_shared_state_and_counts),
      cmocka_unit_test(transitions_print_in_tts_notation),
      cmocka_unit_test(configurations_print_as_multisets),
      cmocka_unit_test(restrict_keeps_everything_else),
      cmocka_unit_test(places_can_be_added_one_by_one),
      cmocka_unit_test(witness_init_is_the_least),
      cmocka_unit_test(split_turns_control_places_into_shared_states),
      cmocka_unit_test(split_refuses_what_is_not_control),
  };
  return cmocka_run_group_tests_name("net", tests, NULL, nothing_leaks);
}
