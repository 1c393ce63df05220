/* SPDX-License-Identifier: MIT */
#include "model/threads.h"

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
#define NOTHING ((hd_tokens){0})

static uint64_t random_state;
static uint32_t pick(uint32_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 33) % n;
}

static void add(hd_net *net, hd_shared_id from, hd_tokens pre, hd_shared_id to,
                hd_tokens post) {
  assert_true(hd_net_add_trans(
      net, &(hd_trans_spec){.from = from, .to = to, .pre = pre, .post = post}));
}

static hd_threads *view_of(hd_net *net) {
  hd_net_finish(net);
  hd_str why = {0};
  hd_threads *view = hd_threads_new(net, &why);
  assert_non_null(view);
  hd_str_free(&why);
  return view;
}

static void plain_and_spawn_are_direct(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 2, 3);
  net->init[0] = (hd_init){0, HD_OMEGA};
  add(net, 0, TOKENS({0, 1}), 1, TOKENS({1, 1}));
  add(net, 1, TOKENS({1, 1}), 0, TOKENS({1, 1}, {2, 1}));
  add(net, 1, TOKENS({2, 1}), 1, TOKENS({2, 2}));
  hd_threads *view = view_of(net);
  assert_true(view->direct);
  assert_int_equal(view->pool, HD_NOWHERE);
  assert_int_equal(view->n_shared, 2);
  assert_int_equal(view->n_locals, 3);
  assert_int_equal(view->edges.size, 3);
  hd_view_edge *e = view->edges.data;
  assert_true(e[0].kind == HD_EDGE_PLAIN && e[0].take == 0 && e[0].give == 1);
  assert_true(e[1].kind == HD_EDGE_SPAWN && e[1].take == 1 && e[1].give == 2);
  assert_true(e[2].kind == HD_EDGE_SPAWN && e[2].take == 2 && e[2].give == 2);
  assert_true(e[1].from == 1 && e[1].to == 0 && e[1].origin == 1 && e[1].last);
  assert_int_equal(view->available[0], HD_OMEGA);
  assert_int_equal(view->available[1], 0);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void spawned_local_may_sort_first(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 1, 3);
  add(net, 0, TOKENS({2, 1}), 0, TOKENS({0, 1}, {2, 1}));
  hd_threads *view = view_of(net);
  assert_int_equal(view->edges.data[0].take, 2);
  assert_int_equal(view->edges.data[0].give, 0);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void edges_without_effect_are_left_out(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 2, 2);
  add(net, 0, TOKENS({1, 1}), 0, TOKENS({1, 1}));
  hd_threads *view = view_of(net);
  assert_int_equal(view->edges.size, 0);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void edges_that_change_only_the_shared_state_stay(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 2, 2);
  add(net, 0, TOKENS({1, 1}), 1, TOKENS({1, 1}));
  hd_threads *view = view_of(net);
  assert_int_equal(view->edges.size, 1);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void of_equal_edges_one_is_kept(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 2, 2);
  for (int i = 0; i < 3; i++)
    add(net, 0, TOKENS({0, 1}), 1, TOKENS({1, 1}));
  add(net, 0, TOKENS({0, 1}), 1, TOKENS({0, 1}, {1, 1}));
  hd_threads *view = view_of(net);
  assert_int_equal(view->edges.size, 2);
  assert_int_equal(view->edges.data[0].origin, 0);
  assert_int_equal(view->edges.data[1].origin, 3);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void vanishing_threads_go_to_the_pool(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 2, 2);
  add(net, 0, TOKENS({1, 1}), 1, NOTHING);
  add(net, 1, NOTHING, 0, TOKENS({0, 1}));
  add(net, 1, NOTHING, 0, NOTHING);
  hd_threads *view = view_of(net);
  assert_true(view->direct);
  assert_int_equal(view->pool, 2);
  assert_int_equal(view->n_locals, 3);
  assert_int_equal(view->available[2], HD_OMEGA);
  assert_int_equal(view->edges.data[0].give, 2);
  assert_int_equal(view->edges.data[1].take, 2);
  assert_int_equal(view->edges.data[2].take, 2);
  assert_int_equal(view->edges.data[2].give, 2);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void fixed_and_mixed_initial_states_are_kept(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 3, 4);
  net->init_shared = 2;
  net->init[0] = (hd_init){1, 1};
  net->init[1] = (hd_init){3, HD_OMEGA};
  net->init[3] = (hd_init){0, 7};
  hd_threads *view = view_of(net);
  assert_int_equal(view->init_shared, 2);
  assert_int_equal(view->available[0], 1);
  assert_int_equal(view->available[1], HD_OMEGA);
  assert_int_equal(view->available[2], 0);
  assert_int_equal(view->available[3], 7);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void goals_name_shared_states(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 3, 2);
  assert_true(hd_net_add_target(net, 1, TOKENS({1, 2}), NOTHING, 0));
  assert_true(hd_net_add_target(net, HD_ANY_SHARED, NOTHING, NOTHING, 0));
  hd_threads *view = view_of(net);
  assert_int_equal(view->goals.size, 4);
  assert_true(view->goals.data[0].shared == 1 &&
              view->goals.data[0].target == 0);
  for (uint32_t i = 0; i < 3; i++)
    assert_true(view->goals.data[1 + i].shared == i &&
                view->goals.data[1 + i].target == 1);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void refuses(hd_net *net, const char *word) {
  hd_net_finish(net);
  hd_str why = {0};
  assert_null(hd_threads_new(net, &why));
  assert_non_null(strstr(hd_str_text(&why), word));
  hd_str_free(&why);
  hd_net_delete(net);
}

static void moves_are_refused(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 2, 2);
  assert_true(hd_net_add_trans(
      net,
      &(hd_trans_spec){.to = 1, .moves = (hd_move[]){{0, 1}}, .n_moves = 1}));
  refuses(net, "transfers");
}

static void caps_are_refused(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, 2);
  assert_true(hd_net_add_trans(
      net, &(hd_trans_spec){.pre = TOKENS({0, 1}), .caps = TOKENS({1, 0})}));
  refuses(net, "upper guards");
}

static void huge_weights_are_refused(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, 2);
  add(net, 0, TOKENS({0, HD_COUNT_MAX}), 0, TOKENS({1, 1}));
  refuses(net, "weights");
}

/* The chain of transition `t`: its edges in order. */
static size_t chain_of(const hd_threads *view, hd_trans_id t,
                       hd_view_edge *chain) {
  size_t n = 0;
  for (size_t i = 0; i < view->edges.size; i++)
    if (view->edges.data[i].origin == t)
      chain[n++] = view->edges.data[i];
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(chain[i].last, i + 1 == n);
    if (i)
      assert_true(chain[i].from == chain[i - 1].to &&
                  chain[i].from >= view->net->n_shared);
  }
  return n;
}

static void chain_takes_before_it_gives(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, 3);
  add(net, 0, TOKENS({0, 1}, {1, 1}), 0, TOKENS({1, 1}));
  hd_threads *view = view_of(net);
  assert_false(view->direct);
  hd_view_edge chain[8];
  assert_int_equal(chain_of(view, 0, chain), 2);
  assert_int_equal(chain[0].take, 0);
  assert_int_equal(chain[0].give, view->pool);
  assert_int_equal(chain[1].take, 1);
  assert_int_equal(chain[1].give, 1);
  hd_threads_delete(view);
  hd_net_delete(net);
}

#define PLACES 4

static void random_tokens(hd_token_vec *v, uint32_t most) {
  hd_vec_clear(v);
  for (hd_place_id p = 0; p < PLACES; p++) {
    hd_count n = pick(3) ? 0 : 1 + pick(most);
    if (n)
      hd_vec_push(v, ((hd_token){p, n}));
  }
}

/* Fires the chain as threads would; false when some step is not enabled. */
static bool fire_chain(const hd_threads *view, const hd_view_edge *chain,
                       size_t n, int64_t *m) {
  for (size_t i = 0; i < n; i++) {
    if (chain[i].take != view->pool && m[chain[i].take]-- < 1)
      return false;
    if (chain[i].kind == HD_EDGE_SPAWN)
      m[chain[i].take]++;
    if (chain[i].give != view->pool)
      m[chain[i].give]++;
  }
  return true;
}

static bool fire_net(const hd_net *net, int64_t *m) {
  hd_tokens pre = hd_net_pre(net, 0), post = hd_net_post(net, 0);
  bool enabled = true;
  for (size_t i = 0; i < pre.size; i++)
    enabled = (m[pre.data[i].place] -= pre.data[i].count) >= 0 && enabled;
  for (size_t i = 0; i < post.size; i++)
    m[post.data[i].place] += post.data[i].count;
  return enabled;
}

static void compare_on_markings(const hd_threads *view,
                                const hd_view_edge *chain, size_t n) {
  for (uint32_t code = 0; code < 625; code++) {
    int64_t a[PLACES + 1] = {0}, b[PLACES + 1];
    for (uint32_t p = 0, c = code; p < PLACES; p++, c /= 5)
      a[p] = c % 5;
    memcpy(b, a, sizeof a);
    bool enabled = fire_net(view->net, a);
    assert_int_equal(fire_chain(view, chain, n, b), enabled);
    if (enabled)
      assert_memory_equal(a, b, sizeof a);
  }
}

static void chains_fire_like_their_transitions(void **state) {
  random_state = 7;
  hd_token_vec pre = {0}, post = {0};
  for (int round = 0; round < 2000; round++) {
    random_tokens(&pre, 3);
    random_tokens(&post, 3);
    hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 2, PLACES);
    add(net, 0, hd_token_vec_view(&pre), 1, hd_token_vec_view(&post));
    hd_threads *view = view_of(net);
    hd_view_edge chain[32];
    size_t n = chain_of(view, 0, chain);
    assert_true(n >= 1 && chain[0].from == 0 && chain[n - 1].to == 1);
    compare_on_markings(view, chain, n);
    hd_threads_delete(view);
    hd_net_delete(net);
  }
  hd_vec_free(&pre);
  hd_vec_free(&post);
}

static void states_print_with_names(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, 2);
  hd_net_name_place(net, 1, "lock");
  add(net, 0, TOKENS({0, 2}), 0, TOKENS({1, 1}));
  hd_threads *view = view_of(net);
  hd_str out = {0};
  hd_threads_print_state(&out, view, 0, 1);
  hd_threads_print_state(&out, view, 1, view->pool);
  assert_string_equal(hd_str_text(&out), "(0,lock)(+0,pool)");
  hd_str_free(&out);
  hd_threads_delete(view);
  hd_net_delete(net);
}

static void nothing_is_left(void **state) {
  assert_int_equal(hd_mem_current(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_and_spawn_are_direct),
      cmocka_unit_test(spawned_local_may_sort_first),
      cmocka_unit_test(edges_without_effect_are_left_out),
      cmocka_unit_test(edges_that_change_only_the_shared_state_stay),
      cmocka_unit_test(of_equal_edges_one_is_kept),
      cmocka_unit_test(vanishing_threads_go_to_the_pool),
      cmocka_unit_test(fixed_and_mixed_initial_states_are_kept),
      cmocka_unit_test(goals_name_shared_states),
      cmocka_unit_test(moves_are_refused),
      cmocka_unit_test(caps_are_refused),
      cmocka_unit_test(huge_weights_are_refused),
      cmocka_unit_test(chain_takes_before_it_gives),
      cmocka_unit_test(chains_fire_like_their_transitions),
      cmocka_unit_test(states_print_with_names),
      cmocka_unit_test(nothing_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
