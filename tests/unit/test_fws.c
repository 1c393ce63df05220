/* SPDX-License-Identifier: MIT */
/* fws: every feature of the model, the order and the bounds, counting, the
 * mistakes of published tools, and random systems against a search written in
 * the plainest way. Every verdict's evidence goes through check/. */
#include "check/check.h"
#include "engine/fws/fws.h"
#include "engine/fws/guide.h"
#include "engine/fws/order.h"
#include "engine/fws/store.h"

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
#define NONE ((hd_tokens){0})

/* ---- dice ---- */

typedef struct {
  uint64_t x;
} dice;

static uint32_t roll(dice *d, uint32_t sides) {
  d->x += 0x9E3779B97F4A7C15u;
  uint64_t z = d->x;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (uint32_t)((z ^ z >> 31) % sides);
}

/* ---- building ---- */

/* A thread system with any number of threads in local 0. */
static hd_net *threads(uint32_t n_shared, uint32_t n_places) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", n_shared, n_places);
  net->init[0] = (hd_init){0, HD_OMEGA};
  return net;
}

/* A net with one shared state and no tokens. */
static hd_net *petri(uint32_t n_places) {
  return hd_net_new(HD_FORMAT_MIST, "t", 1, n_places);
}

static void add(hd_net *net, hd_trans_spec spec) {
  assert_true(hd_net_add_trans(net, &spec));
}

static void edge(hd_net *net, uint32_t s, uint32_t l, uint32_t t, uint32_t m) {
  add(net,
      (hd_trans_spec){
          .from = s, .to = t, .pre = TOKENS({l, 1}), .post = TOKENS({m, 1})});
}

static void spawn(hd_net *net, uint32_t s, uint32_t l, uint32_t t, uint32_t m) {
  add(net, (hd_trans_spec){.from = s,
                           .to = t,
                           .pre = TOKENS({l, 1}),
                           .post = TOKENS({l, 1}, {m, 1})});
}

/* s l ~> t m */
static void transfer(hd_net *net, uint32_t s, uint32_t l, uint32_t t,
                     uint32_t m) {
  add(net, (hd_trans_spec){
               .from = s, .to = t, .moves = &(hd_move){l, m}, .n_moves = 1});
}

static void rule(hd_net *net, hd_tokens pre, hd_tokens post) {
  add(net, (hd_trans_spec){.pre = pre, .post = post});
}

static void target(hd_net *net, uint32_t s, hd_tokens need) {
  assert_true(hd_net_add_target(net, s, need, NONE, 0));
}

/* ---- running ---- */

typedef struct {
  hd_verdict verdict;
  hd_fws_end end;
  bool certified;
  uint64_t configs, expanded;
  size_t steps;
  uint32_t threads; /* of the witness */
} outcome;

static uint64_t stat_of(const hd_result *result, const char *name) {
  for (size_t i = result->stats.size; i-- > 0;)
    if (!strcmp(result->stats.data[i].name, name))
      return (uint64_t)result->stats.data[i].value;
  return 0;
}

/* Searches and has the evidence judged. */
static outcome search(hd_net *net, hd_fws_options options, uint64_t steps) {
  hd_net_finish(net);
  hd_net_check(net);
  hd_problem problem = {.net = net};
  hd_run run = {.steps = steps};
  hd_result result = {0};
  outcome out = {.end = hd_fws_search_with(&problem, &options, &run, &result)};
  hd_str why = {0};
  out.verdict = result.verdict;
  out.configs = stat_of(&result, "fws.configurations");
  out.expanded = stat_of(&result, "fws.expanded");
  if (result.verdict == HD_UNSAFE) {
    assert_int_equal(out.end, HD_FWS_FOUND);
    assert_non_null(result.witness);
    if (!hd_check_witness(net, result.witness, &why))
      fail_msg("witness: %s", hd_str_text(&why));
    out.steps = result.witness->steps.size;
    out.threads = hd_tokens_total(hd_token_vec_view(&result.witness->init));
  } else if (result.verdict == HD_SAFE) {
    assert_int_equal(out.end, HD_FWS_EXHAUSTED);
    assert_true(result.cert || result.reason);
    out.certified = result.cert != NULL;
    if (result.cert && !hd_check_cert(net, result.cert, &why))
      fail_msg("certificate: %s", hd_str_text(&why));
  } else {
    assert_non_null(result.reason);
  }
  hd_str_free(&why);
  hd_result_free(&result);
  return out;
}

static outcome decide(hd_net *net) {
  outcome out = search(net, (hd_fws_options){0}, 20000);
  hd_net_delete(net);
  return out;
}

static void expect_unsafe(hd_net *net, size_t at_most_steps) {
  outcome out = search(net, (hd_fws_options){.order = HD_FWS_BREADTH}, 20000);
  assert_int_equal(out.verdict, HD_UNSAFE);
  assert_true(out.steps <= at_most_steps);
  assert_int_equal(decide(net).verdict, HD_UNSAFE);
}

static void expect_safe(hd_net *net) {
  outcome out = decide(net);
  assert_int_equal(out.verdict, HD_SAFE);
  assert_true(out.certified);
}

/* ---- plain systems and the mistakes of published tools ---- */

static void target_may_be_initial(void **state) {
  hd_net *net = threads(1, 1);
  target(net, 0, TOKENS({0, 1}));
  expect_unsafe(net, 0);
}

static void edges_that_only_change_the_shared_state_count(void **state) {
  hd_net *net = threads(3, 3);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 1, 2, 1);
  edge(net, 2, 1, 2, 2);
  target(net, 2, TOKENS({2, 1}));
  outcome out = search(net, (hd_fws_options){0}, 0);
  assert_int_equal(out.verdict, HD_UNSAFE);
  assert_int_equal(out.threads, 1);
  expect_unsafe(net, 3);
}

static void spawning_keeps_the_parent(void **state) {
  hd_net *net = threads(4, 4);
  edge(net, 0, 0, 1, 1);
  spawn(net, 1, 1, 2, 2);
  edge(net, 2, 1, 3, 3);
  target(net, 3, TOKENS({3, 1}));
  expect_unsafe(net, 3);
}

static void spawning_needs_the_parent(void **state) {
  hd_net *net = threads(3, 3);
  spawn(net, 0, 1, 1, 2);
  target(net, 1, TOKENS({2, 1}));
  expect_safe(net);
}

static void spawned_threads_are_new(void **state) {
  hd_net *net = threads(2, 2);
  net->init[0] = (hd_init){1, 1};
  spawn(net, 0, 0, 0, 1);
  target(net, 0, TOKENS({0, 1}, {1, 3}));
  expect_unsafe(net, 3);
}

static void all_tokens_of_a_target_count(void **state) {
  hd_net *net = threads(3, 3);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 0, 2, 2);
  target(net, 2, TOKENS({1, 2}));
  expect_safe(net);
  net = threads(3, 3);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 0, 2, 1);
  target(net, 2, TOKENS({1, 2}));
  expect_unsafe(net, 2);
}

static void disjuncts_are_not_a_conjunction(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){1, 1};
  rule(net, TOKENS({0, 1}), TOKENS({1, 1}));
  rule(net, TOKENS({0, 1}), TOKENS({2, 1}));
  target(net, 0, TOKENS({1, 1}));
  target(net, 0, TOKENS({2, 1}));
  expect_unsafe(net, 1);
  net = petri(3);
  net->init[0] = (hd_init){1, 1};
  rule(net, TOKENS({0, 1}), TOKENS({1, 1}));
  rule(net, TOKENS({0, 1}), TOKENS({2, 1}));
  target(net, 0, TOKENS({1, 1}, {2, 1}));
  expect_safe(net);
}

static void the_target_hit_is_named(void **state) {
  hd_net *net = threads(3, 2);
  edge(net, 0, 0, 2, 1);
  target(net, 1, TOKENS({1, 1}));
  target(net, 2, TOKENS({1, 1}));
  hd_net_finish(net);
  hd_problem problem = {.net = net};
  hd_run run = {0};
  hd_result result = {0};
  assert_int_equal(hd_fws_search(&problem, 4, &run, &result), HD_FWS_FOUND);
  assert_int_equal(result.witness->target, 1);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void self_loops_do_no_harm(void **state) {
  hd_net *net = threads(2, 2);
  edge(net, 0, 0, 0, 0);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 1, 1, 1);
  target(net, 1, TOKENS({1, 2}));
  expect_safe(net);
}

static void any_shared_state_will_do(void **state) {
  hd_net *net = threads(4, 3);
  edge(net, 0, 0, 3, 2);
  target(net, HD_ANY_SHARED, TOKENS({2, 1}));
  expect_unsafe(net, 1);
  net = threads(4, 3);
  edge(net, 0, 0, 3, 1);
  target(net, HD_ANY_SHARED, TOKENS({2, 1}));
  expect_safe(net);
}

static void target_without_tokens(void **state) {
  hd_net *net = threads(3, 2);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 1, 2, 0);
  target(net, 2, NONE);
  expect_unsafe(net, 2);
  net = threads(3, 2);
  edge(net, 0, 0, 1, 1);
  target(net, 2, NONE);
  expect_safe(net);
}

/* Paper 000, figure 1. */
static hd_net *figure_1(uint32_t local) {
  hd_net *net = threads(7, 5);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 0, 2, 1);
  edge(net, 2, 0, 3, 1);
  edge(net, 3, 1, 1, 2);
  edge(net, 3, 2, 4, 3);
  edge(net, 4, 2, 5, 4);
  edge(net, 5, 4, 6, 3);
  target(net, 6, TOKENS({local, 1}));
  return net;
}

static void figure_1_reachable_with_two_iterations(void **state) {
  expect_unsafe(figure_1(3), 12);
}

static void figure_1_unreachable_is_never_claimed(void **state) {
  assert_int_not_equal(decide(figure_1(4)).verdict, HD_UNSAFE);
}

/* Mutual exclusion by one flag: 0 free, 1 taken. */
static hd_net *mutex(bool broken) {
  hd_net *net = threads(2, 3);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 1, 0, 2);
  if (broken)
    edge(net, 1, 1, 0, 1);
  target(net, 1, TOKENS({1, 2}));
  return net;
}

static void mutual_exclusion_broken(void **state) {
  expect_unsafe(mutex(true), 3);
}

static void mutual_exclusion_holds_within_a_bound(void **state) {
  hd_net *net = mutex(false);
  outcome out = search(net, (hd_fws_options){.last_bound = 6}, 0);
  assert_int_equal(out.end, HD_FWS_BOUNDED);
  assert_int_equal(out.verdict, HD_UNKNOWN);
  hd_net_delete(net);
}

static void mutual_exclusion_of_threads_that_come_back_is_proved(void **state) {
  hd_net *net = threads(2, 2);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 1, 0, 0);
  target(net, 1, TOKENS({1, 2}));
  expect_safe(net);
}

/* ---- initial states ---- */

static void fixed_number_of_threads(void **state) {
  for (uint32_t n = 1; n <= 4; n++) {
    hd_net *net = threads(1, 2);
    net->init[0] = (hd_init){n, n};
    edge(net, 0, 0, 0, 1);
    target(net, 0, TOKENS({1, 3}));
    if (n >= 3)
      expect_unsafe(net, 3);
    else
      expect_safe(net);
  }
}

static void at_least_so_many(void **state) {
  hd_net *net = petri(2);
  net->init[0] = (hd_init){2, HD_OMEGA};
  net->init[1] = (hd_init){0, 0};
  rule(net, TOKENS({0, 5}), TOKENS({1, 1}));
  target(net, 0, TOKENS({1, 1}));
  outcome out = search(net, (hd_fws_options){0}, 0);
  assert_int_equal(out.verdict, HD_UNSAFE);
  assert_int_equal(out.threads, 5);
  expect_unsafe(net, 1);
}

static void witness_respects_the_least_count(void **state) {
  hd_net *net = petri(2);
  net->init[0] = (hd_init){7, HD_OMEGA};
  rule(net, TOKENS({0, 1}), TOKENS({1, 1}));
  target(net, 0, TOKENS({1, 1}));
  outcome out = search(net, (hd_fws_options){0}, 0);
  assert_int_equal(out.verdict, HD_UNSAFE);
  assert_int_equal(out.threads, 7);
  hd_net_delete(net);
}

static void intervals_start_full(void **state) {
  hd_net *net = petri(2);
  net->init[0] = (hd_init){1, 3};
  rule(net, TOKENS({0, 3}), TOKENS({1, 1}));
  target(net, 0, TOKENS({1, 1}));
  expect_unsafe(net, 1);
  net = petri(2);
  net->init[0] = (hd_init){1, 3};
  rule(net, TOKENS({0, 4}), TOKENS({1, 1}));
  target(net, 0, TOKENS({1, 1}));
  expect_safe(net);
}

static void mixed_initial_places(void **state) {
  hd_net *net = petri(4);
  net->init[0] = (hd_init){0, HD_OMEGA};
  net->init[1] = (hd_init){1, 1};
  net->init[2] = (hd_init){0, 2};
  rule(net, TOKENS({0, 10}, {1, 1}, {2, 2}), TOKENS({3, 2}));
  target(net, 0, TOKENS({3, 2}));
  expect_unsafe(net, 1);
}

static void no_token_at_all(void **state) {
  hd_net *net = petri(2);
  rule(net, TOKENS({0, 1}), TOKENS({1, 1}));
  target(net, 0, TOKENS({1, 1}));
  expect_safe(net);
}

/* ---- weights and sources ---- */

static void weights_are_taken_and_given(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){4, 4};
  rule(net, TOKENS({0, 2}), TOKENS({1, 3}));
  rule(net, TOKENS({1, 6}), TOKENS({2, 1}));
  target(net, 0, TOKENS({2, 1}));
  expect_unsafe(net, 3);
  net = petri(3);
  net->init[0] = (hd_init){4, 4};
  rule(net, TOKENS({0, 2}), TOKENS({1, 3}));
  rule(net, TOKENS({1, 7}), TOKENS({2, 1}));
  target(net, 0, TOKENS({2, 1}));
  expect_safe(net);
}

static void transitions_without_pre_make_tokens(void **state) {
  hd_net *net = petri(2);
  rule(net, NONE, TOKENS({0, 1}));
  rule(net, TOKENS({0, 3}), TOKENS({1, 1}));
  target(net, 0, TOKENS({1, 2}));
  expect_unsafe(net, 8);
}

static void counts_that_grow_for_ever_are_not_safe(void **state) {
  hd_net *net = petri(2);
  rule(net, NONE, TOKENS({0, 1}));
  target(net, 0, TOKENS({1, 1}));
  assert_int_equal(decide(net).verdict, HD_UNKNOWN);
}

static void huge_counts_are_unknown(void **state) {
  hd_net *net = petri(2);
  net->init[0] = (hd_init){1, 1};
  rule(net, TOKENS({0, 1}), TOKENS({0, HD_COUNT_MAX}));
  target(net, 0, TOKENS({1, 1}));
  assert_int_equal(decide(net).verdict, HD_UNKNOWN);
}

static void doubling_up_to_the_limit_is_unknown(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){HD_COUNT_MAX / 2, HD_COUNT_MAX / 2};
  rule(net, TOKENS({0, HD_COUNT_MAX / 4}), TOKENS({1, HD_COUNT_MAX}));
  target(net, 0, TOKENS({2, 1}));
  assert_int_equal(decide(net).verdict, HD_UNKNOWN);
}

/* ---- moves ---- */

static void transfer_moves_everyone(void **state) {
  hd_net *net = threads(2, 3);
  net->init[0] = (hd_init){3, 3};
  transfer(net, 0, 0, 1, 1);
  edge(net, 1, 0, 1, 2);
  target(net, 1, TOKENS({2, 1}));
  expect_safe(net);
  net = threads(2, 3);
  net->init[0] = (hd_init){3, 3};
  transfer(net, 0, 0, 1, 1);
  target(net, 1, TOKENS({1, 3}));
  expect_unsafe(net, 1);
}

static void transfer_needs_no_thread(void **state) {
  hd_net *net = threads(2, 3);
  net->init[0] = (hd_init){1, 1};
  transfer(net, 0, 1, 1, 2);
  target(net, 1, TOKENS({0, 1}));
  expect_unsafe(net, 1);
}

static void transfer_of_any_number(void **state) {
  hd_net *net = threads(2, 3);
  transfer(net, 0, 0, 1, 1);
  target(net, 1, TOKENS({1, 9}));
  outcome out = search(net, (hd_fws_options){0}, 0);
  assert_int_equal(out.verdict, HD_UNSAFE);
  assert_int_equal(out.threads, 9);
  expect_unsafe(net, 1);
  net = threads(2, 3);
  transfer(net, 0, 0, 1, 1);
  target(net, 1, TOKENS({0, 1}));
  expect_safe(net);
}

static void transfer_onto_itself_keeps(void **state) {
  hd_net *net = threads(2, 3);
  net->init[0] = (hd_init){2, 2};
  transfer(net, 0, 0, 1, 0);
  target(net, 1, TOKENS({0, 2}));
  expect_unsafe(net, 1);
}

static void moves_happen_at_once(void **state) {
  hd_net *net = petri(2);
  net->init[0] = (hd_init){2, 2};
  net->init[1] = (hd_init){1, 1};
  add(net, (hd_trans_spec){.moves = (hd_move[]){{0, 1}, {1, 0}}, .n_moves = 2});
  target(net, 0, TOKENS({0, 1}, {1, 2}));
  expect_unsafe(net, 1);
  net = petri(2);
  net->init[0] = (hd_init){2, 2};
  net->init[1] = (hd_init){1, 1};
  add(net, (hd_trans_spec){.moves = (hd_move[]){{0, 1}, {1, 0}}, .n_moves = 2});
  target(net, 0, TOKENS({0, 3}));
  expect_safe(net);
}

static void pre_goes_before_moves_and_post_after(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){3, 3};
  add(net, (hd_trans_spec){.pre = TOKENS({0, 1}),
                           .post = TOKENS({0, 1}, {2, 1}),
                           .moves = &(hd_move){0, 1},
                           .n_moves = 1});
  target(net, 0, TOKENS({0, 1}, {1, 2}, {2, 1}));
  expect_unsafe(net, 1);
  net = petri(3);
  net->init[0] = (hd_init){3, 3};
  add(net, (hd_trans_spec){.pre = TOKENS({0, 1}),
                           .post = TOKENS({0, 1}),
                           .moves = &(hd_move){0, 1},
                           .n_moves = 1});
  target(net, 0, TOKENS({1, 3}));
  expect_safe(net);
}

static void reset_swallows(void **state) {
  hd_net *net = threads(2, 2);
  net->init[0] = (hd_init){0, HD_OMEGA};
  transfer(net, 0, 0, 1, HD_NOWHERE);
  edge(net, 1, 0, 1, 1);
  target(net, 1, TOKENS({1, 1}));
  expect_safe(net);
}

static void each_token_chooses(void **state) {
  hd_net *net = threads(2, 4);
  net->init[0] = (hd_init){3, 3};
  add(net, (hd_trans_spec){.from = 0,
                           .to = 1,
                           .moves = (hd_move[]){{0, 1}, {0, 2}, {0, 3}},
                           .n_moves = 3});
  target(net, 1, TOKENS({1, 1}, {2, 1}, {3, 1}));
  expect_unsafe(net, 1);
  net = threads(2, 4);
  net->init[0] = (hd_init){3, 3};
  add(net, (hd_trans_spec){.from = 0,
                           .to = 1,
                           .moves = (hd_move[]){{0, 1}, {0, 2}, {0, 3}},
                           .n_moves = 3});
  target(net, 1, TOKENS({1, 2}, {2, 1}, {3, 1}));
  expect_safe(net);
}

static void any_number_of_tokens_chooses(void **state) {
  hd_net *net = threads(3, 4);
  add(net,
      (hd_trans_spec){.from = 0,
                      .to = 1,
                      .pre = TOKENS({0, 2}),
                      .moves = (hd_move[]){{0, 1}, {0, 2}, {0, HD_NOWHERE}},
                      .n_moves = 3});
  add(net, (hd_trans_spec){.from = 1,
                           .to = 2,
                           .moves = (hd_move[]){{1, 2}, {1, 3}},
                           .n_moves = 2});
  target(net, 2, TOKENS({2, 5}, {3, 4}));
  outcome out = search(net, (hd_fws_options){0}, 0);
  assert_int_equal(out.verdict, HD_UNSAFE);
  assert_int_equal(out.threads, 11);
  expect_unsafe(net, 2);
}

static void broadcast_after_a_step(void **state) {
  hd_net *net = threads(3, 4);
  edge(net, 0, 0, 0, 1);
  add(net, (hd_trans_spec){.from = 0,
                           .to = 1,
                           .pre = TOKENS({0, 1}),
                           .post = TOKENS({2, 1}),
                           .moves = (hd_move[]){{1, 3}, {0, 0}},
                           .n_moves = 2});
  target(net, 1, TOKENS({0, 1}, {2, 1}, {3, 2}));
  expect_unsafe(net, 3);
}

static void choices_in_two_places(void **state) {
  hd_net *net = petri(4);
  net->init[0] = (hd_init){2, 2};
  net->init[1] = (hd_init){3, 3};
  add(net, (hd_trans_spec){.moves = (hd_move[]){{0, 2}, {0, 3}, {1, 2}, {1, 3}},
                           .n_moves = 4});
  target(net, 0, TOKENS({2, 6}));
  outcome out = search(net, (hd_fws_options){0}, 0);
  assert_int_equal(out.verdict, HD_SAFE);
  /* the initial one, and 0 … 5 tokens in place 2 */
  assert_int_equal(out.configs, 7);
  hd_net_delete(net);
}

/* ---- upper guards ---- */

static void guarded(hd_net *net, hd_tokens pre, hd_tokens caps,
                    hd_tokens post) {
  add(net, (hd_trans_spec){.pre = pre, .caps = caps, .post = post});
}

static void upper_guards_block(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){2, 2};
  rule(net, TOKENS({0, 1}), TOKENS({1, 1}));
  guarded(net, TOKENS({1, 1}), TOKENS({0, 0}), TOKENS({2, 1}));
  target(net, 0, TOKENS({2, 1}));
  expect_unsafe(net, 3);
  net = petri(3);
  net->init[0] = (hd_init){2, 2};
  guarded(net, TOKENS({0, 1}), TOKENS({0, 1}), TOKENS({1, 1}));
  target(net, 0, TOKENS({1, 1}));
  outcome out = decide(net);
  assert_int_equal(out.verdict, HD_SAFE);
  /* with surplus thrown away it would be reachable: no certificate */
  assert_false(out.certified);
}

static void upper_guards_with_a_certificate(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){2, 2};
  guarded(net, TOKENS({0, 1}), TOKENS({1, 0}), TOKENS({1, 1}));
  target(net, 0, TOKENS({1, 2}));
  expect_safe(net);
}

static void guarded_places_try_each_initial_count(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){0, 4};
  net->init[1] = (hd_init){1, 1};
  guarded(net, TOKENS({1, 1}), TOKENS({0, 2}), TOKENS({2, 1}));
  assert_true(
      hd_net_add_target(net, 0, TOKENS({0, 2}, {2, 1}), TOKENS({0, 2}), 0));
  expect_unsafe(net, 1);
}

static void guarded_unbounded_places_are_enumerated(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){0, HD_OMEGA};
  net->init[1] = (hd_init){1, 1};
  guarded(net, TOKENS({0, 5}, {1, 1}), TOKENS({0, 5}), TOKENS({2, 1}));
  target(net, 0, TOKENS({2, 1}));
  expect_unsafe(net, 1);
}

static void guarded_unbounded_places_are_never_exhausted(void **state) {
  hd_net *net = petri(3);
  net->init[0] = (hd_init){1, HD_OMEGA};
  net->init[1] = (hd_init){1, 1};
  guarded(net, TOKENS({1, 1}), TOKENS({0, 0}), TOKENS({2, 1}));
  target(net, 0, TOKENS({2, 1}));
  assert_int_equal(decide(net).verdict, HD_UNKNOWN);
}

static void moves_into_guarded_places_are_exact(void **state) {
  /* All threads move to place 1; the guard there admits just one. */
  hd_net *net = threads(3, 3);
  net->init[0] = (hd_init){1, HD_OMEGA};
  transfer(net, 0, 0, 1, 1);
  add(net, (hd_trans_spec){.from = 1,
                           .to = 2,
                           .pre = TOKENS({1, 1}),
                           .caps = TOKENS({1, 1}),
                           .post = TOKENS({2, 1})});
  target(net, 2, TOKENS({2, 1}));
  expect_unsafe(net, 2);
  net = threads(3, 3);
  net->init[0] = (hd_init){2, 6};
  transfer(net, 0, 0, 1, 1);
  add(net, (hd_trans_spec){.from = 1,
                           .to = 2,
                           .pre = TOKENS({1, 1}),
                           .caps = TOKENS({1, 1}),
                           .post = TOKENS({2, 1})});
  target(net, 2, TOKENS({2, 1}));
  assert_int_equal(decide(net).verdict, HD_SAFE);
}

static void target_caps_ask_for_exact_counts(void **state) {
  hd_net *net = petri(2);
  net->init[0] = (hd_init){3, 3};
  rule(net, TOKENS({0, 1}), TOKENS({1, 1}));
  assert_true(hd_net_add_target(net, 0, TOKENS({1, 1}), TOKENS({0, 0}), 0));
  expect_unsafe(net, 3);
  net = petri(2);
  net->init[0] = (hd_init){3, 3};
  rule(net, TOKENS({0, 2}), TOKENS({1, 1}));
  assert_true(hd_net_add_target(net, 0, TOKENS({1, 1}), TOKENS({0, 0}), 0));
  assert_int_equal(decide(net).verdict, HD_SAFE);
}

static void contradictory_target_is_never_reached(void **state) {
  hd_net *net = petri(1);
  net->init[0] = (hd_init){3, 3};
  assert_true(hd_net_add_target(net, 0, TOKENS({0, 2}), TOKENS({0, 1}), 0));
  expect_safe(net);
}

/* A token may vanish instead of going where it would block. */
static void vanishing_matters_before_a_guard(void **state) {
  hd_net *net = threads(3, 3);
  net->init[0] = (hd_init){3, 3};
  add(net, (hd_trans_spec){.from = 0,
                           .to = 1,
                           .moves = (hd_move[]){{0, 1}, {0, HD_NOWHERE}},
                           .n_moves = 2});
  add(net, (hd_trans_spec){.from = 1,
                           .to = 2,
                           .pre = TOKENS({1, 2}),
                           .caps = TOKENS({1, 2}),
                           .post = TOKENS({2, 1})});
  target(net, 2, TOKENS({2, 1}));
  expect_unsafe(net, 2);
}

/* ---- order, bounds, limits ---- */

/* Shared state i is left when a thread has come down `deep` local steps. Noise
 * edges let threads go elsewhere. The shortest witness has rounds * (deep + 1)
 * steps and `rounds` threads. */
static hd_net *deep_bug(uint32_t rounds, uint32_t deep) {
  hd_net *net = threads(rounds + 1, deep + 4);
  for (uint32_t s = 0; s < rounds; s++) {
    for (uint32_t l = 0; l < deep; l++)
      edge(net, s, l, s, l + 1);
    edge(net, s, deep, s + 1, deep + 1);
    edge(net, s, 0, s, deep + 2);
    edge(net, s, deep + 2, s, deep + 3);
    edge(net, s, deep + 3, s, 0);
  }
  target(net, rounds, TOKENS({deep + 1, 1}));
  return net;
}

static void deep_bugs_are_found(void **state) {
  hd_net *net = deep_bug(20, 9);
  outcome out = search(net, (hd_fws_options){0}, 100000);
  assert_int_equal(out.verdict, HD_UNSAFE);
  assert_true(out.threads >= 20 && out.steps >= 200);
  assert_true(out.configs < 200000);
  outcome blind =
      search(net, (hd_fws_options){.order = HD_FWS_BREADTH}, 100000);
  assert_int_equal(blind.verdict, HD_UNKNOWN);
  hd_net_delete(net);
}

static void every_order_and_measure_agrees(void **state) {
  for (int order = HD_FWS_DIRECTED; order <= HD_FWS_BREADTH; order++)
    for (int measure = HD_FWS_BEST; measure <= HD_FWS_RELAXED; measure++) {
      hd_fws_options options = {.order = (hd_fws_order)order,
                                .measure = (hd_fws_measure)measure};
      hd_net *net = deep_bug(3, 2);
      assert_int_equal(search(net, options, 0).verdict, HD_UNSAFE);
      hd_net_delete(net);
      net = threads(2, 2);
      edge(net, 0, 0, 1, 1);
      edge(net, 1, 1, 0, 0);
      target(net, 1, TOKENS({1, 2}));
      assert_int_equal(search(net, options, 0).verdict, HD_SAFE);
      hd_net_delete(net);
    }
}

static void breadth_first_finds_a_shortest_witness(void **state) {
  hd_net *net = deep_bug(3, 4);
  outcome out = search(
      net, (hd_fws_options){.order = HD_FWS_BREADTH, .first_bound = 10}, 0);
  assert_int_equal(out.steps, 15);
  hd_net_delete(net);
}

static void astar_finds_a_short_witness_with_less(void **state) {
  hd_net *net = deep_bug(3, 4);
  hd_fws_options options = {.order = HD_FWS_BREADTH, .first_bound = 10};
  outcome breadth = search(net, options, 0);
  options.order = HD_FWS_ASTAR;
  options.measure = HD_FWS_HUB;
  outcome astar = search(net, options, 0);
  assert_int_equal(astar.steps, 15);
  assert_true(astar.expanded <= breadth.expanded);
  hd_net_delete(net);
}

static void linear_guide_is_followed(void **state) {
  hd_net *net = deep_bug(6, 6);
  int64_t potential[7], weight[10] = {6, 5, 4, 3, 2, 1, 0, 0, 20, 20};
  for (int i = 0; i < 7; i++)
    potential[i] = (6 - i) * 100;
  hd_linear guide = {.potential = potential, .weight = weight};
  outcome led =
      search(net, (hd_fws_options){.guide = &guide, .first_bound = 8}, 0);
  outcome blind = search(
      net, (hd_fws_options){.order = HD_FWS_BREADTH, .first_bound = 8}, 0);
  assert_int_equal(led.verdict, HD_UNSAFE);
  assert_true(led.configs < blind.configs);
  hd_net_delete(net);
}

/* The bound counts tokens outside the unbounded place. */
static void bound_is_sharp(void **state) {
  for (uint32_t bound = 1; bound <= 5; bound++) {
    hd_net *net = threads(1, 2);
    edge(net, 0, 0, 0, 1);
    target(net, 0, TOKENS({1, 4}));
    outcome out = search(
        net, (hd_fws_options){.first_bound = bound, .last_bound = bound}, 0);
    assert_int_equal(out.end, bound < 4 ? HD_FWS_BOUNDED : HD_FWS_FOUND);
    hd_net_delete(net);
  }
}

static void search_takes_a_bound(void **state) {
  hd_net *net = threads(1, 2);
  edge(net, 0, 0, 0, 1);
  target(net, 0, TOKENS({1, 4}));
  hd_net_finish(net);
  for (uint32_t bound = 0; bound <= 5; bound++) {
    hd_problem problem = {.net = net};
    hd_run run = {0};
    hd_result result = {0};
    hd_fws_end end = hd_fws_search(&problem, bound, &run, &result);
    assert_int_equal(end, bound < 4 ? HD_FWS_BOUNDED : HD_FWS_FOUND);
    hd_result_free(&result);
  }
  hd_net_delete(net);
}

static void engine_respects_max_threads(void **state) {
  hd_net *net = threads(1, 2);
  edge(net, 0, 0, 0, 1);
  target(net, 0, TOKENS({1, 4}));
  hd_net_finish(net);
  hd_problem problem = {.net = net, .max_threads = 3};
  hd_run run = {0};
  hd_result result = {0};
  hd_fws_engine.run(&problem, &run, &result);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_non_null(strstr(result.reason, "at most 3"));
  hd_result_free(&result);
  hd_net_delete(net);
}

static void too_heavy_initial_configuration_is_not_safe(void **state) {
  hd_net *net = petri(2);
  net->init[0] = (hd_init){5, 5};
  target(net, 0, TOKENS({1, 1}));
  outcome out = search(net, (hd_fws_options){.last_bound = 3}, 0);
  assert_int_equal(out.end, HD_FWS_BOUNDED);
  hd_net_delete(net);
}

static void step_limit_stops(void **state) {
  hd_net *net = deep_bug(20, 9);
  outcome out = search(net, (hd_fws_options){0}, 10);
  assert_int_equal(out.end, HD_FWS_STOPPED);
  hd_net_delete(net);
}

static void configuration_limit_stops(void **state) {
  hd_net *net = deep_bug(20, 9);
  outcome out = search(net, (hd_fws_options){.max_configs = 50}, 0);
  assert_int_equal(out.end, HD_FWS_STOPPED);
  assert_true(out.configs < 50 + 20);
  hd_net_delete(net);
}

static void many_ways_to_choose_stop_in_time(void **state) {
  hd_net *net = petri(8);
  net->init[0] = (hd_init){1000, 1000};
  add(net, (hd_trans_spec){
               .moves = (hd_move[]){{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}},
               .n_moves = 5});
  target(net, 0, TOKENS({7, 1}));
  outcome out = search(net, (hd_fws_options){0}, 5000);
  assert_int_equal(out.end, HD_FWS_STOPPED);
  hd_net_delete(net);
}

static void same_input_same_output(void **state) {
  hd_net *net = deep_bug(8, 5);
  outcome a = search(net, (hd_fws_options){0}, 0);
  outcome b = search(net, (hd_fws_options){0}, 0);
  assert_int_equal(a.verdict, b.verdict);
  assert_int_equal(a.configs, b.configs);
  assert_int_equal(a.expanded, b.expanded);
  assert_int_equal(a.steps, b.steps);
  hd_net_delete(net);
}

static void raising_the_bound_loses_nothing(void **state) {
  hd_net *net = deep_bug(4, 3);
  hd_net_clear_targets(net);
  target(net, 4, TOKENS({4, 99}));
  hd_fws_options once = {
      .order = HD_FWS_BREADTH, .first_bound = 5, .last_bound = 5};
  hd_fws_options rising = {.first_bound = 1, .last_bound = 5};
  assert_int_equal(search(net, once, 0).configs,
                   search(net, rising, 0).configs);
  hd_net_delete(net);
}

/* ---- counting thread states ---- */

static hd_fws_census count(hd_net *net, uint32_t n, hd_fws_threads threads) {
  hd_net_finish(net);
  hd_run run = {0};
  hd_fws_census census;
  assert_true(hd_fws_count(net, n, threads, &run, &census));
  return census;
}

static uint64_t count_states(hd_net *net, uint32_t n, hd_fws_threads threads) {
  hd_fws_census census = count(net, n, threads);
  uint64_t states = census.states;
  hd_fws_census_free(&census);
  return states;
}

/* A counter that needs c threads: its cutoff is c. */
static void counting_shows_the_cutoff(void **state) {
  const uint32_t c = 5;
  hd_net *net = threads(c + 1, 2);
  for (uint32_t s = 0; s < c; s++)
    edge(net, s, 0, s + 1, 1);
  uint64_t before = 0;
  for (uint32_t n = 1; n <= c + 2; n++) {
    uint64_t now = count_states(net, n, HD_FWS_EXACTLY);
    assert_true(n > c + 1 ? now == before : now > before);
    assert_int_equal(count_states(net, n, HD_FWS_AT_MOST), now);
    before = now;
  }
  hd_net_delete(net);
}

static void counting_names_the_states(void **state) {
  hd_net *net = threads(2, 3);
  edge(net, 0, 0, 1, 2);
  hd_fws_census census = count(net, 1, HD_FWS_EXACTLY);
  assert_int_equal(census.states, 2);
  assert_int_equal(census.configs, 2);
  assert_true(hd_bits_test(census.rows, 0));
  assert_true(hd_bits_test(census.rows + census.words, 2));
  assert_false(hd_bits_test(census.rows + census.words, 0));
  hd_fws_census_free(&census);
  hd_net_delete(net);
}

static void counting_with_spawns_stays_within(void **state) {
  hd_net *net = threads(1, 3);
  net->init[0] = (hd_init){0, HD_OMEGA};
  spawn(net, 0, 0, 0, 1);
  rule(net, TOKENS({1, 2}), TOKENS({2, 1}));
  /* with exactly two there is no room to spawn */
  assert_int_equal(count_states(net, 2, HD_FWS_EXACTLY), 1);
  assert_int_equal(count_states(net, 2, HD_FWS_AT_MOST), 2);
  assert_int_equal(count_states(net, 3, HD_FWS_AT_MOST), 3);
  hd_net_delete(net);
}

static void counting_stops_at_limits(void **state) {
  hd_net *net = deep_bug(20, 9);
  hd_net_finish(net);
  hd_run run = {.steps = 100};
  hd_fws_census census;
  assert_false(hd_fws_count(net, 10, HD_FWS_EXACTLY, &run, &census));
  hd_fws_census_free(&census);
  hd_net_delete(net);
}

/* ---- the store ---- */

static void store_keeps_what_was_put(void **state) {
  fws_store store;
  fws_bytes bytes = {0};
  fws_config config = {0};
  hd_fws_store_init(&store);
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 5000; i++) {
      hd_token tokens[] = {{i % 7, i + 1}, {i + 100, HD_OMEGA}, {1 << 23, 300}};
      bool fresh;
      hd_fws_pack(&bytes, i * 3, (hd_tokens){.data = tokens, .size = 3});
      uint32_t id = hd_fws_store_put(&store, hd_fws_packed(&bytes),
                                     (fws_node){0}, &fresh);
      assert_int_equal(id, i);
      assert_int_equal(fresh, round == 0);
      assert_int_equal(hd_fws_store_find(&store, hd_fws_packed(&bytes)), i);
      hd_fws_store_get(&store, id, &config);
      assert_int_equal(config.shared, i * 3);
      assert_true(hd_tokens_equal(hd_token_vec_view(&config.tokens),
                                  (hd_tokens){.data = tokens, .size = 3}));
    }
  hd_fws_pack(&bytes, 1, NONE);
  assert_int_equal(hd_fws_store_find(&store, hd_fws_packed(&bytes)), FWS_NONE);
  hd_fws_store_free(&store);
  hd_vec_free(&bytes);
  hd_vec_free(&config.tokens);
}

static void store_packs_extreme_numbers(void **state) {
  fws_store store;
  fws_bytes bytes = {0};
  fws_config config = {0};
  bool fresh;
  hd_token tokens[] = {{0, HD_COUNT_MAX}, {HD_MAX_STATES - 1, 1}};
  hd_fws_store_init(&store);
  hd_fws_pack(&bytes, HD_MAX_STATES - 1,
              (hd_tokens){.data = tokens, .size = 2});
  hd_fws_store_put(&store, hd_fws_packed(&bytes), (fws_node){0}, &fresh);
  hd_fws_store_get(&store, 0, &config);
  assert_int_equal(config.shared, HD_MAX_STATES - 1);
  assert_true(hd_tokens_equal(hd_token_vec_view(&config.tokens),
                              (hd_tokens){.data = tokens, .size = 2}));
  hd_fws_store_free(&store);
  hd_vec_free(&bytes);
  hd_vec_free(&config.tokens);
}

/* ---- the order ---- */

static void order_knows_three_ways(void **state) {
  fws_order order;
  hd_fws_order_init(&order, true);
  hd_fws_order_add(&order, 5, 3);
  hd_fws_order_add(&order, 2, 9);
  hd_fws_order_add(&order, 2, 1);
  hd_fws_order_add(&order, FWS_FAR, 1);
  hd_fws_order_add(&order, 7, 0);
  assert_true(hd_fws_order_check(&order));
  assert_int_equal(hd_fws_order_nearest(&order), 2);
  assert_int_equal(hd_fws_order_lightest(&order), 4);
  assert_int_equal(hd_fws_order_lightest(&order), 3);
  assert_int_equal(hd_fws_order_oldest(&order), 0);
  assert_int_equal(hd_fws_order_nearest(&order), 1);
  assert_int_equal(order.n_open, 0);
  assert_true(hd_fws_order_check(&order));
  hd_fws_order_reopen(&order, 3);
  hd_fws_order_reopen(&order, 1);
  assert_true(hd_fws_order_check(&order));
  assert_int_equal(hd_fws_order_oldest(&order), 1);
  assert_int_equal(hd_fws_order_nearest(&order), 3);
  hd_fws_order_free(&order);
}

/* Whatever is taken and opened again, each open one comes exactly once. */
static void order_loses_nothing(void **state) {
  fws_order order;
  dice d = {8};
  bool open[300] = {false};
  size_t n = 0, n_open = 0;
  hd_fws_order_init(&order, true);
  for (int i = 0; i < 5000; i++) {
    uint32_t what = roll(&d, 8), id = n ? roll(&d, (uint32_t)n) : 0;
    if (what < 3 && n < 300) {
      hd_fws_order_add(&order, roll(&d, 9) ? roll(&d, 6) : FWS_FAR,
                       roll(&d, 5));
      open[n++] = true;
      n_open++;
    } else if (what < 4 && n && !open[id]) {
      hd_fws_order_reopen(&order, id);
      open[id] = true;
      n_open++;
    } else if (what >= 4 && n_open) {
      id = what == 4   ? hd_fws_order_oldest(&order)
           : what == 5 ? hd_fws_order_lightest(&order)
                       : hd_fws_order_nearest(&order);
      assert_true(open[id]);
      open[id] = false;
      n_open--;
    }
    assert_int_equal(order.n_open, n_open);
    assert_true(hd_fws_order_check(&order));
  }
  hd_fws_order_free(&order);
}

/* ---- distances ---- */

static uint32_t distance(const hd_net *net, hd_fws_measure measure,
                         hd_shared_id shared, hd_tokens tokens) {
  fws_rules rules;
  hd_fws_rules_init(&rules, net, FWS_CAPS | FWS_TARGETS);
  fws_guide *guide = hd_fws_guide_new(&rules, measure, NULL);
  assert_int_equal(hd_fws_guide_measure(guide), measure);
  fws_config config = {.shared = shared};
  for (size_t i = 0; i < tokens.size; i++)
    hd_vec_push(&config.tokens, tokens.data[i]);
  uint32_t d = hd_fws_guide_distance(guide, &config);
  hd_vec_free(&config.tokens);
  hd_fws_guide_delete(guide);
  hd_fws_rules_free(&rules);
  return d;
}

static void distances_in_a_thread_system(void **state) {
  hd_net *net = threads(4, 4);
  edge(net, 0, 0, 1, 1);
  edge(net, 1, 1, 2, 2);
  edge(net, 2, 2, 2, 3);
  target(net, 2, TOKENS({3, 2}));
  hd_net_finish(net);
  assert_int_equal(distance(net, HD_FWS_HUB, 0, TOKENS({0, 1})), 2);
  assert_int_equal(distance(net, HD_FWS_HUB, 3, TOKENS({0, 1})), FWS_FAR);
  assert_int_equal(distance(net, HD_FWS_THREAD, 2, TOKENS({3, 2})), 0);
  assert_int_equal(distance(net, HD_FWS_THREAD, 2, TOKENS({2, 1}, {3, 1})), 1);
  assert_int_equal(distance(net, HD_FWS_THREAD, 2, TOKENS({2, 2})), 2);
  assert_int_equal(distance(net, HD_FWS_THREAD, 2, TOKENS({0, 1})), FWS_FAR);
  assert_int_equal(distance(net, HD_FWS_RELAXED, 2, TOKENS({3, 2})), 0);
  assert_int_equal(distance(net, HD_FWS_RELAXED, 2, TOKENS({2, 1}, {3, 1})), 1);
  assert_int_equal(distance(net, HD_FWS_RELAXED, 2, TOKENS({0, 1})), FWS_FAR);
  hd_net_delete(net);
}

static void distances_in_a_net_add_up(void **state) {
  hd_net *net = petri(4);
  rule(net, TOKENS({0, 1}), TOKENS({1, 1}));
  rule(net, TOKENS({0, 1}), TOKENS({2, 1}));
  rule(net, TOKENS({1, 1}, {2, 2}), TOKENS({3, 1}));
  target(net, 0, TOKENS({3, 2}));
  hd_net_finish(net);
  assert_int_equal(distance(net, HD_FWS_RELAXED, 0, TOKENS({3, 2})), 0);
  assert_int_equal(distance(net, HD_FWS_RELAXED, 0, TOKENS({1, 1}, {2, 2})), 2);
  /* each of two: one step for place 1, two for place 2, one for place 3 */
  assert_int_equal(distance(net, HD_FWS_RELAXED, 0, TOKENS({0, 1})), 8);
  assert_int_equal(distance(net, HD_FWS_RELAXED, 0, TOKENS({1, 1})), FWS_FAR);
  hd_net_delete(net);
}

static void distances_see_moves_and_sources(void **state) {
  hd_net *net = threads(2, 3);
  transfer(net, 0, 0, 1, 1);
  add(net, (hd_trans_spec){.from = 1, .to = 1, .post = TOKENS({2, 1})});
  target(net, 1, TOKENS({1, 1}, {2, 1}));
  hd_net_finish(net);
  assert_int_equal(distance(net, HD_FWS_RELAXED, 1, TOKENS({1, 1})), 1);
  assert_int_equal(distance(net, HD_FWS_RELAXED, 1, TOKENS({0, 1})), FWS_FAR);
  assert_int_equal(distance(net, HD_FWS_THREAD, 1, TOKENS({1, 1})), 1);
  assert_int_equal(distance(net, HD_FWS_THREAD, 0, TOKENS({0, 1})), 3);
  hd_net_delete(net);
}

/* ---- random systems against the plainest search ---- */

enum { PLACES = 4, MOST = 150 };

typedef struct {
  uint32_t shared, count[PLACES];
} plain;

typedef struct {
  plain list[MOST];
  size_t n;
  bool hit, full;
} plain_search;

static bool plain_hits(const hd_net *net, const plain *c) {
  for (size_t i = 0; i < net->targets.size; i++) {
    const hd_target *t = &net->targets.data[i];
    bool hit = t->shared == HD_ANY_SHARED || t->shared == c->shared;
    hd_tokens need = hd_net_view(net, t->need),
              caps = hd_net_view(net, t->caps);
    for (size_t k = 0; k < need.size; k++)
      hit = hit && c->count[need.data[k].place] >= need.data[k].count;
    for (size_t k = 0; k < caps.size; k++)
      hit = hit && c->count[caps.data[k].place] <= caps.data[k].count;
    if (hit)
      return true;
  }
  return false;
}

static void plain_put(plain_search *s, const hd_net *net, const plain *c) {
  uint32_t total = 0;
  for (size_t i = 0; i < PLACES; i++)
    total += c->count[i];
  for (size_t i = 0; i < s->n; i++)
    if (!memcmp(&s->list[i], c, sizeof *c))
      return;
  if (s->n == MOST || total > 12) {
    s->full = true;
    return;
  }
  s->list[s->n++] = *c;
  s->hit = s->hit || plain_hits(net, c);
}

/* Sends the tokens of `left`, one by one, along the moves of `t`. */
static void plain_move(plain_search *s, const hd_net *net, hd_trans_id t,
                       plain left, plain moved) {
  const hd_move *move = hd_net_moves(net, t);
  size_t n = net->trans.data[t].moves.size;
  for (size_t i = 0; i < n; i++) {
    if (!left.count[move[i].from])
      continue;
    for (size_t j = 0; j < n; j++) {
      if (move[j].from != move[i].from)
        continue;
      plain l = left, m = moved;
      l.count[move[i].from]--;
      if (move[j].to != HD_NOWHERE)
        m.count[move[j].to]++;
      plain_move(s, net, t, l, m);
    }
    return;
  }
  for (size_t i = 0; i < PLACES; i++)
    left.count[i] += moved.count[i];
  hd_tokens post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++)
    left.count[post.data[i].place] += post.data[i].count;
  left.shared = net->trans.data[t].to;
  plain_put(s, net, &left);
}

static void plain_fire(plain_search *s, const hd_net *net, hd_trans_id t,
                       plain c) {
  hd_tokens pre = hd_net_pre(net, t), caps = hd_net_caps(net, t);
  bool on = net->trans.data[t].from == c.shared;
  for (size_t i = 0; i < caps.size; i++)
    on = on && c.count[caps.data[i].place] <= caps.data[i].count;
  for (size_t i = 0; i < pre.size; i++)
    on = on && c.count[pre.data[i].place] >= pre.data[i].count;
  if (!on)
    return;
  for (size_t i = 0; i < pre.size; i++)
    c.count[pre.data[i].place] -= pre.data[i].count;
  plain_move(s, net, t, c, (plain){0});
}

static void plain_init(plain_search *s, const hd_net *net, size_t place,
                       plain c, uint32_t extra) {
  if (place == PLACES) {
    plain_put(s, net, &c);
    return;
  }
  hd_init init = net->init[place];
  uint32_t max = init.max == HD_OMEGA ? init.min + extra : init.max;
  for (c.count[place] = init.min; c.count[place] <= max; c.count[place]++)
    plain_init(s, net, place + 1, c, extra);
}

/* All that is reachable with up to `extra` tokens above the least number in
 * unbounded places. */
static void plain_run(plain_search *s, const hd_net *net, uint32_t extra) {
  *s = (plain_search){0};
  plain_init(s, net, 0, (plain){.shared = net->init_shared}, extra);
  for (size_t i = 0; i < s->n; i++)
    for (hd_trans_id t = 0; t < net->trans.size; t++)
      plain_fire(s, net, t, s->list[i]);
}

static hd_tokens random_tokens(dice *d, hd_token *into, uint32_t most) {
  size_t n = 0;
  for (uint32_t p = 0; p < PLACES; p++)
    if (roll(d, PLACES) < most)
      into[n++] = (hd_token){p, 1 + (roll(d, 4) == 0)};
  return (hd_tokens){.data = into, .size = n};
}

typedef enum { WITH_MOVES = 1, WITH_CAPS = 2, WITH_OMEGA = 4 } flavour;

static hd_net *random_system(dice *d, unsigned flavours) {
  uint32_t n_shared = 1 + roll(d, 3);
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "random", n_shared, PLACES);
  for (uint32_t p = 0; p < PLACES; p++) {
    uint32_t min = roll(d, 3) == 0 ? 1 + roll(d, 2) : 0;
    uint32_t max = roll(d, 3) == 0 ? min + 1 : min;
    if (flavours & WITH_OMEGA && roll(d, 3) == 0)
      max = HD_OMEGA;
    net->init[p] = (hd_init){min, max};
  }
  for (uint32_t i = 0, n = 3 + roll(d, 5); i < n; i++) {
    hd_token pre[PLACES], post[PLACES], cap = {roll(d, PLACES), roll(d, 2)};
    hd_move moves[4];
    hd_trans_spec spec = {.from = roll(d, n_shared), .to = roll(d, n_shared)};
    spec.pre = random_tokens(d, pre, 1);
    spec.post = random_tokens(d, post, 1);
    if (flavours & WITH_CAPS && roll(d, 3) == 0)
      spec.caps = (hd_tokens){.data = &cap, .size = 1};
    if (flavours & WITH_MOVES && roll(d, 2)) {
      spec.n_moves = 1 + roll(d, 3);
      spec.moves = moves;
      for (size_t k = 0; k < spec.n_moves; k++)
        moves[k] = (hd_move){roll(d, PLACES),
                             roll(d, 6) ? roll(d, PLACES) : HD_NOWHERE};
    }
    add(net, spec);
  }
  for (uint32_t i = 0, n = 1 + roll(d, 2); i < n; i++) {
    hd_token need[PLACES], cap = {roll(d, PLACES), roll(d, 2)};
    hd_tokens caps = NONE;
    if (flavours & WITH_CAPS && roll(d, 3) == 0)
      caps = (hd_tokens){.data = &cap, .size = 1};
    assert_true(
        hd_net_add_target(net, roll(d, 5) ? roll(d, n_shared) : HD_ANY_SHARED,
                          random_tokens(d, need, 2), caps, 0));
  }
  return net;
}

/* fws starts with the most tokens and lets none vanish that need not: only
 * without intervals and moves are its configurations not heavier. */
static bool weighs_least(const hd_net *net) {
  for (uint32_t p = 0; p < PLACES; p++)
    if (net->init[p].max != HD_OMEGA && net->init[p].max != net->init[p].min)
      return false;
  return !(net->features & HD_HAS_MOVES);
}

static void compare_random(unsigned flavours, uint64_t seed, int n) {
  static plain_search plainly;
  dice d = {seed};
  int safe = 0, unsafe = 0;
  for (int i = 0; i < n; i++) {
    hd_net *net = random_system(&d, flavours);
    outcome out = search(net, (hd_fws_options){.last_bound = 12}, 3000);
    plain_run(&plainly, net, 3);
    if (plainly.hit && out.verdict == HD_SAFE)
      fail_msg("system %d: fws misses a target", i);
    bool all = !plainly.full && !(net->features & HD_HAS_UNBOUNDED);
    if (all && out.end != HD_FWS_STOPPED)
      assert_int_equal(out.verdict, plainly.hit ? HD_UNSAFE : HD_SAFE);
    if (plainly.hit && out.end == HD_FWS_BOUNDED && weighs_least(net))
      fail_msg("system %d: fws misses a target within its bound", i);
    safe += out.verdict == HD_SAFE;
    unsafe += out.verdict == HD_UNSAFE;
    hd_net_delete(net);
  }
  assert_true(safe > n / 50 && unsafe > n / 50);
}

static void random_nets(void **state) {
  compare_random(0, 1, 1500);
}

static void random_nets_with_unbounded_places(void **state) {
  compare_random(WITH_OMEGA, 2, 1500);
}

static void random_nets_with_moves(void **state) {
  compare_random(WITH_MOVES, 3, 1500);
}

static void random_nets_with_moves_and_unbounded_places(void **state) {
  compare_random(WITH_MOVES | WITH_OMEGA, 4, 1500);
}

static void random_nets_with_caps(void **state) {
  compare_random(WITH_CAPS, 5, 1500);
}

static void random_nets_with_everything(void **state) {
  compare_random(WITH_CAPS | WITH_MOVES | WITH_OMEGA, 6, 2500);
}

/* The census against the plain search. */
static void random_censuses(void **state) {
  static plain_search plainly;
  dice d = {7};
  for (int i = 0; i < 500; i++) {
    hd_net *net = random_system(&d, i % 2 ? WITH_MOVES : 0);
    for (uint32_t p = 0; p < PLACES; p++)
      if (net->init[p].max != net->init[p].min)
        net->init[p].max = net->init[p].min;
    hd_net_finish(net);
    plain_run(&plainly, net, 0);
    if (!plainly.full) {
      uint64_t seen[3] = {0}, states = 0;
      for (size_t k = 0; k < plainly.n; k++)
        for (size_t p = 0; p < PLACES; p++)
          if (plainly.list[k].count[p])
            hd_bits_set(&seen[plainly.list[k].shared], p);
      for (size_t s = 0; s < 3; s++)
        states += hd_bits_count(&seen[s], 1);
      hd_fws_census census = count(net, 12, HD_FWS_AT_MOST);
      assert_int_equal(census.states, states);
      assert_int_equal(census.configs, plainly.n);
      hd_fws_census_free(&census);
    }
    hd_net_delete(net);
  }
}

static void no_memory_is_left(void **state) {
  size_t before = hd_mem_current();
  assert_int_equal(decide(deep_bug(4, 3)).verdict, HD_UNSAFE);
  assert_int_equal(decide(figure_1(0)).verdict, HD_UNSAFE);
  assert_int_equal(hd_mem_current(), before);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(target_may_be_initial),
      cmocka_unit_test(edges_that_only_change_the_shared_state_count),
      cmocka_unit_test(spawning_keeps_the_parent),
      cmocka_unit_test(spawning_needs_the_parent),
      cmocka_unit_test(spawned_threads_are_new),
      cmocka_unit_test(all_tokens_of_a_target_count),
      cmocka_unit_test(disjuncts_are_not_a_conjunction),
      cmocka_unit_test(the_target_hit_is_named),
      cmocka_unit_test(self_loops_do_no_harm),
      cmocka_unit_test(any_shared_state_will_do),
      cmocka_unit_test(target_without_tokens),
      cmocka_unit_test(figure_1_reachable_with_two_iterations),
      cmocka_unit_test(figure_1_unreachable_is_never_claimed),
      cmocka_unit_test(mutual_exclusion_broken),
      cmocka_unit_test(mutual_exclusion_holds_within_a_bound),
      cmocka_unit_test(mutual_exclusion_of_threads_that_come_back_is_proved),
      cmocka_unit_test(fixed_number_of_threads),
      cmocka_unit_test(at_least_so_many),
      cmocka_unit_test(witness_respects_the_least_count),
      cmocka_unit_test(intervals_start_full),
      cmocka_unit_test(mixed_initial_places),
      cmocka_unit_test(no_token_at_all),
      cmocka_unit_test(weights_are_taken_and_given),
      cmocka_unit_test(transitions_without_pre_make_tokens),
      cmocka_unit_test(counts_that_grow_for_ever_are_not_safe),
      cmocka_unit_test(huge_counts_are_unknown),
      cmocka_unit_test(doubling_up_to_the_limit_is_unknown),
      cmocka_unit_test(transfer_moves_everyone),
      cmocka_unit_test(transfer_needs_no_thread),
      cmocka_unit_test(transfer_of_any_number),
      cmocka_unit_test(transfer_onto_itself_keeps),
      cmocka_unit_test(moves_happen_at_once),
      cmocka_unit_test(pre_goes_before_moves_and_post_after),
      cmocka_unit_test(reset_swallows),
      cmocka_unit_test(each_token_chooses),
      cmocka_unit_test(any_number_of_tokens_chooses),
      cmocka_unit_test(broadcast_after_a_step),
      cmocka_unit_test(choices_in_two_places),
      cmocka_unit_test(upper_guards_block),
      cmocka_unit_test(upper_guards_with_a_certificate),
      cmocka_unit_test(guarded_places_try_each_initial_count),
      cmocka_unit_test(guarded_unbounded_places_are_enumerated),
      cmocka_unit_test(guarded_unbounded_places_are_never_exhausted),
      cmocka_unit_test(moves_into_guarded_places_are_exact),
      cmocka_unit_test(target_caps_ask_for_exact_counts),
      cmocka_unit_test(contradictory_target_is_never_reached),
      cmocka_unit_test(vanishing_matters_before_a_guard),
      cmocka_unit_test(deep_bugs_are_found),
      cmocka_unit_test(every_order_and_measure_agrees),
      cmocka_unit_test(breadth_first_finds_a_shortest_witness),
      cmocka_unit_test(astar_finds_a_short_witness_with_less),
      cmocka_unit_test(linear_guide_is_followed),
      cmocka_unit_test(bound_is_sharp),
      cmocka_unit_test(search_takes_a_bound),
      cmocka_unit_test(engine_respects_max_threads),
      cmocka_unit_test(too_heavy_initial_configuration_is_not_safe),
      cmocka_unit_test(step_limit_stops),
      cmocka_unit_test(configuration_limit_stops),
      cmocka_unit_test(many_ways_to_choose_stop_in_time),
      cmocka_unit_test(same_input_same_output),
      cmocka_unit_test(raising_the_bound_loses_nothing),
      cmocka_unit_test(counting_shows_the_cutoff),
      cmocka_unit_test(counting_names_the_states),
      cmocka_unit_test(counting_with_spawns_stays_within),
      cmocka_unit_test(counting_stops_at_limits),
      cmocka_unit_test(store_keeps_what_was_put),
      cmocka_unit_test(store_packs_extreme_numbers),
      cmocka_unit_test(order_knows_three_ways),
      cmocka_unit_test(order_loses_nothing),
      cmocka_unit_test(distances_in_a_thread_system),
      cmocka_unit_test(distances_in_a_net_add_up),
      cmocka_unit_test(distances_see_moves_and_sources),
      cmocka_unit_test(random_nets),
      cmocka_unit_test(random_nets_with_unbounded_places),
      cmocka_unit_test(random_nets_with_moves),
      cmocka_unit_test(random_nets_with_moves_and_unbounded_places),
      cmocka_unit_test(random_nets_with_caps),
      cmocka_unit_test(random_nets_with_everything),
      cmocka_unit_test(random_censuses),
      cmocka_unit_test(no_memory_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
