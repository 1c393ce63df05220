/* SPDX-License-Identifier: MIT */
/* km on systems with known answers, on its own data structures, and against a
 * naive backward search on random nets. Every verdict's evidence is judged by
 * check/ and, a second time, by the plain code of this file. */
#include "check/check.h"
#include "engine/km/km.h"
#include "engine/km/search.h"
#include "front/front.h"

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

enum { W = -1 }; /* omega in expected covers */

/* --- helpers --- */

static hd_net *parse(const char *text, hd_format format) {
  hd_source source = hd_source_from_text("test", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_net *net = hd_front_parse(&source, format, diag);
  if (!net)
    hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  hd_source_free(&source);
  assert_non_null(net);
  return net;
}

/* Counts of a plain replay; false when the witness is not one. */
static bool replay(const hd_net *net, const hd_witness *witness) {
  int64_t *counts = hd_calloc(net->n_places, sizeof *counts);
  bool ok = true;
  for (size_t i = 0; i < witness->init.size; i++)
    counts[witness->init.data[i].place] = witness->init.data[i].count;
  for (hd_place_id p = 0; p < net->n_places; p++)
    ok = ok && counts[p] >= net->init[p].min &&
         (net->init[p].max == HD_OMEGA || counts[p] <= net->init[p].max);
  hd_shared_id shared = net->init_shared;
  for (size_t k = 0; k < witness->steps.size && ok; k++) {
    hd_trans_id t = witness->steps.data[k].trans;
    hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
    ok = net->trans.data[t].from == shared;
    for (size_t i = 0; i < pre.size; i++) {
      counts[pre.data[i].place] -= pre.data[i].count;
      ok = ok && counts[pre.data[i].place] >= 0;
    }
    for (size_t i = 0; i < post.size; i++)
      counts[post.data[i].place] += post.data[i].count;
    shared = net->trans.data[t].to;
  }
  const hd_target *target = &net->targets.data[witness->target];
  hd_tokens need = hd_net_view(net, target->need);
  ok = ok && (target->shared == shared || target->shared == HD_ANY_SHARED);
  for (size_t i = 0; i < need.size; i++)
    ok = ok && counts[need.data[i].place] >= (int64_t)need.data[i].count;
  hd_free(counts);
  return ok;
}

/* True when an element of the cover is above (shared | counts). */
static bool in_cover(const hd_cert *cert, hd_shared_id shared,
                     const hd_count *counts) {
  for (hd_vec_each(const hd_config, config, &cert->configs)) {
    hd_tokens tokens = hd_cert_view(cert, config);
    bool above = config->shared == shared;
    for (hd_place_id p = 0; p < cert->n_places && above; p++) {
      bool ignored = false;
      for (size_t i = 0; i < cert->ignored.size; i++)
        ignored = ignored || cert->ignored.data[i] == p;
      above = ignored || hd_tokens_at(tokens, p) >= counts[p];
    }
    if (above)
      return true;
  }
  return false;
}

/* Closure of a complete cover (nothing ignored, every transition). */
static bool closed(const hd_net *net, const hd_cert *cert) {
  hd_count *counts = hd_calloc(net->n_places, sizeof *counts);
  for (hd_place_id p = 0; p < net->n_places; p++)
    counts[p] = net->init[p].max;
  bool ok = !cert->ignored.size && in_cover(cert, net->init_shared, counts);
  for (hd_vec_each(const hd_config, config, &cert->configs)) {
    hd_tokens tokens = hd_cert_view(cert, config);
    for (hd_trans_id t = 0; t < net->trans.size && ok; t++) {
      hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
      if (net->trans.data[t].from != config->shared ||
          !hd_tokens_covers(tokens, pre))
        continue;
      for (hd_place_id p = 0; p < net->n_places; p++)
        counts[p] = hd_tokens_at(tokens, p);
      for (size_t i = 0; i < pre.size; i++)
        if (counts[pre.data[i].place] != HD_OMEGA)
          counts[pre.data[i].place] -= pre.data[i].count;
      for (size_t i = 0; i < post.size; i++)
        if (counts[post.data[i].place] != HD_OMEGA)
          counts[post.data[i].place] += post.data[i].count;
      ok = in_cover(cert, net->trans.data[t].to, counts);
    }
  }
  hd_free(counts);
  return ok;
}

static void judge(const hd_net *net, const hd_result *result) {
  hd_str why = {0};
  bool good = true;
  if (result->verdict == HD_UNSAFE)
    good = hd_check_witness(net, result->witness, &why) &&
           replay(net, result->witness);
  if (result->verdict == HD_SAFE && net->targets.size)
    good = hd_check_cert(net, result->cert, &why);
  if (!good)
    print_error("evidence refused: %s\n", hd_str_text(&why));
  assert_true(good);
  hd_str_free(&why);
}

static hd_result run_km(const hd_net *net) {
  hd_run run = {0};
  hd_result result = {0};
  hd_problem problem = {.net = net};
  hd_km_engine.run(&problem, &run, &result);
  judge(net, &result);
  return result;
}

static double stat_of(const hd_result *result, const char *name) {
  for (hd_vec_each(const hd_stat, stat, &result->stats))
    if (!strcmp(stat->name, name))
      return stat->value;
  fail_msg("no statistic %s", name);
  return 0;
}

static void expect_net(hd_net *net, hd_verdict verdict) {
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, verdict);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void expect(const char *text, hd_format format, hd_verdict verdict) {
  expect_net(parse(text, format), verdict);
}

/* A thread system that starts with exactly `threads` threads. */
static void expect_threads(const char *text, const char *threads,
                           hd_verdict verdict) {
  hd_net *net = parse(text, HD_FORMAT_TTS);
  hd_diag *diag = hd_diag_new();
  assert_true(hd_front_set_threads(net, threads, "test", diag));
  hd_diag_delete(diag);
  hd_net_finish(net);
  expect_net(net, verdict);
}

static hd_result cover_of(const hd_net *net) {
  hd_run run = {0};
  hd_result result = {0};
  hd_km_cover(net, &run, &result);
  assert_int_equal(result.verdict, HD_SAFE);
  hd_str why = {0};
  if (!hd_check_cover(net, result.cert, &why))
    fail_msg("cover refused: %s", hd_str_text(&why));
  hd_str_free(&why);
  assert_true(closed(net, result.cert));
  return result;
}

/* The cover has exactly these elements: shared state, then counts. */
static void expect_cover(const hd_net *net, size_t n, const int *elements) {
  hd_result result = cover_of(net);
  assert_int_equal(result.cert->configs.size, n);
  hd_count *counts = hd_calloc(net->n_places, sizeof *counts);
  for (size_t i = 0; i < n; i++) {
    const int *element = elements + i * (1 + net->n_places);
    bool found = false;
    for (hd_vec_each(const hd_config, config, &result.cert->configs)) {
      hd_tokens tokens = hd_cert_view(result.cert, config);
      bool same = (int)config->shared == element[0];
      for (hd_place_id p = 0; p < net->n_places; p++) {
        hd_count count = hd_tokens_at(tokens, p);
        same = same && (count == HD_OMEGA ? W : (int)count) == element[1 + p];
      }
      found = found || same;
    }
    assert_true(found);
  }
  hd_free(counts);
  hd_result_free(&result);
}

/* --- the papers' examples --- */

static hd_net *figure_2_3(void) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "figure 2.3", 2, 3);
  net->init[0] = (hd_init){1, 1};
  const hd_trans_spec edges[] = {
      {.from = 0, .to = 1, .pre = TOKENS({0, 1}), .post = TOKENS({1, 1})},
      {.from = 0, .to = 1, .pre = TOKENS({0, 1}), .post = TOKENS({2, 1})},
      {.from = 1, .to = 0, .pre = TOKENS({2, 1}), .post = TOKENS({0, 2})},
      {.from = 1, .to = 0, .pre = TOKENS({1, 1}), .post = TOKENS({0, 2})}};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    assert_true(hd_net_add_trans(net, &edges[i]));
  hd_net_finish(net);
  return net;
}

/* The tree's labels are [p,(1,0,0)], [q,(0,1,0)], [q,(0,0,1)], [p,(w,0,0)],
 * [q,(w,1,0)], [q,(w,0,1)]; the last three are maximal. */
static void figure_2_3_of_paper_001(void **state) {
  hd_net *net = figure_2_3();
  expect_cover(net, 3, (const int[]){0, W, 0, 0, 1, W, 1, 0, 1, W, 0, 1});
  hd_net_delete(net);
}

static void figure_2_3_needs_one_acceleration(void **state) {
  hd_net *net = figure_2_3();
  hd_result result = cover_of(net);
  assert_int_equal(stat_of(&result, "km.accelerations"), 1);
  assert_int_equal(stat_of(&result, "km.maximal"), 3);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void figure_2_3_pumps_as_often_as_asked(void **state) {
  hd_net *net = figure_2_3();
  assert_true(
      hd_net_add_target(net, 1, TOKENS({0, 50}, {2, 1}), (hd_tokens){0}, 0));
  hd_net_finish(net);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNSAFE);
  assert_int_equal(result.witness->steps.size, 101);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* The classic construction, rules 1 to 4 of section 2.3, written here once more
 * for three counters: the tree as text, one node a line, children indented. */
typedef struct {
  int shared, counts[3];
} plain_label;

static bool plain_covers(const plain_label *a, const plain_label *b) {
  bool covers = a->shared == b->shared;
  for (int i = 0; i < 3; i++)
    covers = covers && a->counts[i] >= b->counts[i];
  return covers;
}

static void plain_tree(const hd_net *net, const plain_label *branch, int depth,
                       hd_str *out) {
  enum { OMEGA = 1000 };
  const plain_label *now = &branch[depth];
  hd_str_printf(out, "%*s%c", 2 * depth, "", now->shared ? 'q' : 'p');
  for (int i = 0; i < 3; i++)
    if (now->counts[i] >= OMEGA)
      hd_str_puts(out, " w");
    else
      hd_str_printf(out, " %d", now->counts[i]);
  hd_str_puts(out, "\n");
  for (int i = 0; i < depth; i++)
    if (!memcmp(&branch[i], now, sizeof *now))
      return; /* an end, 4.a */
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    plain_label next[20];
    assert_true(depth < 18);
    memcpy(next, branch, (size_t)(depth + 1) * sizeof *next);
    plain_label *made = &next[depth + 1];
    *made = *now;
    made->shared = (int)net->trans.data[t].to;
    bool enabled = (int)net->trans.data[t].from == now->shared;
    hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
    for (size_t i = 0; i < pre.size; i++)
      made->counts[pre.data[i].place] -= (int)pre.data[i].count;
    for (int i = 0; i < 3; i++)
      enabled = enabled && made->counts[i] >= 0;
    for (size_t i = 0; i < post.size; i++)
      made->counts[post.data[i].place] += (int)post.data[i].count;
    if (!enabled)
      continue;
    plain_label plain = *made;
    for (int i = 0; i <= depth; i++) /* 4.b.i */
      for (int k = 0; k < 3; k++)
        if (plain_covers(&plain, &branch[i]) &&
            branch[i].counts[k] < plain.counts[k])
          made->counts[k] = OMEGA;
    for (int k = 0; k < 3; k++)
      if (made->counts[k] > OMEGA / 2)
        made->counts[k] = OMEGA;
    plain_tree(net, next, depth + 1, out);
  }
}

/* The tree of figure 2.4. Its labels below the third level are those printed:
 * [p,(w,0,0)], [q,(w,1,0)], [q,(w,0,1)]. What is printed as the root's child,
 * [p,(w,0,1)], is no label of this VASS: every step out of p leads to q, and
 * what is in the second or third counter in p stays 0. */
static void figure_2_4_of_paper_001(void **state) {
  hd_net *net = figure_2_3();
  hd_str tree = {0};
  plain_label root[20] = {{.shared = 0, .counts = {1, 0, 0}}};
  plain_tree(net, root, 0, &tree);
  assert_string_equal(hd_str_text(&tree), "p 1 0 0\n"
                                          "  q 0 1 0\n"
                                          "    p w 0 0\n"
                                          "      q w 1 0\n"
                                          "        p w 0 0\n"
                                          "      q w 0 1\n"
                                          "        p w 0 0\n"
                                          "  q 0 0 1\n"
                                          "    p w 0 0\n"
                                          "      q w 1 0\n"
                                          "        p w 0 0\n"
                                          "      q w 0 1\n"
                                          "        p w 0 0\n");
  hd_str_free(&tree);
  assert_true(
      hd_net_add_target(net, 0, TOKENS({0, 1}, {2, 1}), (hd_tokens){0}, 0));
  hd_net_finish(net);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_SAFE);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* Every order finds the same maximal configurations. */
static void orders_find_the_same(void **state) {
  static const hd_km_order orders[] = {HD_KM_LARGEST, HD_KM_DFS, HD_KM_BFS};
  for (size_t i = 0; i < 3; i++) {
    hd_net *net = figure_2_3();
    hd_km_search search;
    hd_run run = {0};
    hd_km_search_init(&search, net, false);
    search.order = orders[i];
    assert_int_equal(hd_km_search_run(&search, &run), HD_KM_COMPLETE);
    assert_int_equal(search.store.n_live, 3);
    hd_km_search_check(&search);
    hd_km_search_free(&search);
    hd_net_delete(net);
  }
}

static const char figure_1[] = "7 5\n0 0 -> 1 1\n1 0 -> 2 1\n2 0 -> 3 1\n"
                               "3 1 -> 1 2\n3 2 -> 4 3\n4 2 -> 5 4\n"
                               "5 4 -> 6 3\n";

static void with_target(const char *system, const char *target,
                        hd_verdict verdict) {
  char text[2048];
  snprintf(text, sizeof text, "%s%s\n", system, target);
  expect(text, HD_FORMAT_TTS, verdict);
}

static void figure_1_of_paper_000_unreachable(void **state) {
  with_target(figure_1, "6|4", HD_SAFE);
}

static void figure_1_of_paper_000_reachable(void **state) {
  with_target(figure_1, "6|3", HD_UNSAFE);
}

static void the_witness_of_paper_002(void **state) {
  const char *edges = "3 3\n0 0 -> 1 1\n1 1 -> 0 2\n1 0 -> 2 1\n";
  with_target(edges, "2|1,1,2", HD_UNSAFE);
  with_target(edges, "2|1,1,1", HD_SAFE);
  const char *three = "3 3\n0 0 -> 1 1\n1 1 -> 0 2\n1 0 -> 2 1\n2|1,1,2\n";
  expect_threads(three, "2", HD_SAFE);
  expect_threads(three, "3", HD_UNSAFE);
}

/* --- mistakes of published implementations --- */

static void edges_that_change_only_the_shared_state(void **state) {
  expect("3 3\n0 0 -> 1 1\n1 1 -> 2 1\n2 1 -> 2 2\n2|2\n", HD_FORMAT_TTS,
         HD_UNSAFE);
  expect_threads("3 3\n0 0 -> 1 1\n1 1 -> 2 1\n2 1 -> 2 2\n2|2\n", "1",
                 HD_UNSAFE);
}

static void a_spawn_does_not_ask_for_the_child(void **state) {
  expect_threads("2 2\n0 0 +> 1 1\n1|0,1\n", "1", HD_UNSAFE);
  expect_threads("2 2\n0 0 +> 1 1\n1|1,1\n", "1", HD_SAFE);
}

static void a_spawn_does_not_consume_its_parent(void **state) {
  const char *text = "4 4\n0 0 -> 1 1\n1 1 +> 2 2\n2 1 -> 3 3\n3|3\n";
  expect(text, HD_FORMAT_TTS, HD_UNSAFE);
  expect_threads(text, "1", HD_UNSAFE);
}

static void the_initial_state_is_tested(void **state) {
  expect("1 1\n0|0\n", HD_FORMAT_TTS, HD_UNSAFE);
  expect_threads("1 1\n0|0\n", "1", HD_UNSAFE);
  expect_threads("1 1\n0|0,0\n", "1", HD_SAFE);
}

static void targets_with_several_threads(void **state) {
  const char *lock = "2 2\n0 0 -> 1 1\n1 1 -> 0 0\n";
  with_target(lock, "1|1", HD_UNSAFE);
  with_target(lock, "1|1,1", HD_SAFE);
  with_target(lock, "1|1,0,0,0", HD_UNSAFE);
}

static void self_loops_are_harmless(void **state) {
  expect("2 2\n0 0 -> 0 0\n0 0 -> 1 1\n1 1 -> 1 1\n1|1,1\n", HD_FORMAT_TTS,
         HD_SAFE);
}

static void disjuncts_of_a_target_stay_apart(void **state) {
  const char *rules = "vars x y z\nrules x >= 1 -> x' = x-1, y' = y+1;\n"
                      "init x = 1, y = 0, z = 0\n";
  char text[256];
  snprintf(text, sizeof text, "%starget y >= 1 z >= 1\n", rules);
  expect(text, HD_FORMAT_MIST, HD_UNSAFE);
  snprintf(text, sizeof text, "%starget y >= 1, z >= 1\n", rules);
  expect(text, HD_FORMAT_MIST, HD_SAFE);
  snprintf(text, sizeof text, "%starget y >= 2 z >= 1\n", rules);
  expect(text, HD_FORMAT_MIST, HD_SAFE);
}

static void the_second_target_is_named(void **state) {
  hd_net *net = parse("vars x y z\nrules x >= 1 -> x' = x-1, y' = y+1;\n"
                      "init x = 1, y = 0, z = 0\ntarget z >= 1 y >= 1\n",
                      HD_FORMAT_MIST);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNSAFE);
  assert_int_equal(result.witness->target, 1);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* --- initial configurations --- */

static void exactly_so_many_threads(void **state) {
  const char *text = "2 2\n0 0 -> 0 1\n0|1,1,1\n";
  expect_threads(text, "2", HD_SAFE);
  expect_threads(text, "3", HD_UNSAFE);
  expect(text, HD_FORMAT_TTS, HD_UNSAFE);
}

static void intervals_start_at_their_upper_end(void **state) {
  const char *form = "vars x y\nrules x >= 1, y >= 1 -> x' = x-1, y' = y-1;\n"
                     "init x in [1,3], y >= 2\ntarget x >= %d, y >= 7\n";
  char text[256];
  snprintf(text, sizeof text, form, 3);
  expect(text, HD_FORMAT_MIST, HD_UNSAFE);
  snprintf(text, sizeof text, form, 4);
  expect(text, HD_FORMAT_MIST, HD_SAFE);
}

static void lower_bounds_are_kept_in_the_witness(void **state) {
  hd_net *net = parse("vars x y\nrules x >= 1 -> x' = x-1, y' = y+1;\n"
                      "init x >= 5, y = 0\ntarget y >= 2\n",
                      HD_FORMAT_MIST);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNSAFE);
  assert_int_equal(hd_tokens_at(hd_token_vec_view(&result.witness->init), 0),
                   5);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* --- accelerations --- */

static void a_loop_of_three_steps(void **state) {
  hd_net *net = parse("vars a b c d\nrules a >= 1 -> a' = a-1, b' = b+1;\n"
                      "b >= 1 -> b' = b-1, c' = c+1;\n"
                      "c >= 1 -> c' = c-1, a' = a+1, d' = d+1;\n"
                      "init a = 1, b = 0, c = 0, d = 0\ntarget d >= 1\n",
                      HD_FORMAT_MIST);
  expect_cover(net, 3,
               (const int[]){0, 1, 0, 0, W, 0, 0, 1, 0, W, 0, 0, 0, 1, W});
  hd_net_delete(net);
}

static void a_loop_that_eats_an_unbounded_place(void **state) {
  hd_net *net = parse("vars a b\nrules a >= 2 -> a' = a-2, b' = b+1;\n"
                      "init a >= 0, b = 0\ntarget b >= 9\n",
                      HD_FORMAT_MIST);
  expect_cover(net, 1, (const int[]){0, W, W});
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNSAFE);
  assert_int_equal(result.witness->steps.size, 9);
  assert_int_equal(hd_tokens_at(hd_token_vec_view(&result.witness->init), 0),
                   18);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* d needs c pumped, c needs b, b needs a: three loops inside each other. */
static const char nested[] = "vars s a b c d\n"
                             "rules s >= 1 -> a' = a+1;\n"
                             "s >= 1, a >= 2 -> a' = a-2, b' = b+1;\n"
                             "s >= 1, b >= 2 -> b' = b-2, c' = c+1;\n"
                             "s >= 1, c >= 2 -> c' = c-2, d' = d+1;\n"
                             "init s = 1, a = 0, b = 0, c = 0, d = 0\n";

static void nested_accelerations_unroll(void **state) {
  char text[512];
  snprintf(text, sizeof text, "%starget d >= 5, b >= 3, a >= 1\n", nested);
  hd_net *net = parse(text, HD_FORMAT_MIST);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNSAFE);
  /* 5 d from 10 c from 20 b from 40 a; 3 b from 6 a; 1 a */
  assert_in_range(result.witness->steps.size, 5 + 10 + 20 + 40 + 3 + 6 + 1,
                  2 * (5 + 10 + 20 + 40 + 3 + 6 + 1));
  hd_result_free(&result);
  hd_net_delete(net);
}

/* The inner loop (state 1) must be run anew in every round of the outer. */
static void a_loop_inside_a_loop(void **state) {
  expect("vars p q x y z\n"
         "rules p >= 1 -> p' = p-1, q' = q+1;\n"
         "q >= 1 -> x' = x+1;\n"
         "q >= 1, x >= 3 -> q' = q-1, p' = p+1, x' = x-3, y' = y+1;\n"
         "p >= 1, y >= 2 -> y' = y-2, z' = z+1;\n"
         "init p = 1, q = 0, x = 0, y = 0, z = 0\n"
         "target z >= 4, y >= 1, p >= 1\n",
         HD_FORMAT_MIST, HD_UNSAFE);
}

/* The loop makes ten x at a time in state 1 and uses up one a round: a hundred
 * rounds need it ten times, all in the first round. */
static void an_inner_loop_is_pumped_once(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 2, 3);
  net->init[0] = (hd_init){1, 1};
  const hd_trans_spec edges[] = {
      {.from = 0, .to = 1, .pre = TOKENS({0, 1}), .post = TOKENS({0, 1})},
      {.from = 1,
       .to = 1,
       .pre = TOKENS({0, 1}),
       .post = TOKENS({0, 1}, {1, 10})},
      {.from = 1, .to = 0, .pre = TOKENS({1, 1}), .post = TOKENS({2, 1})}};
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    assert_true(hd_net_add_trans(net, &edges[i]));
  assert_true(hd_net_add_target(net, 0, TOKENS({2, 100}), (hd_tokens){0}, 0));
  hd_net_finish(net);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNSAFE);
  assert_int_equal(result.witness->steps.size, 100 + 100 + 10);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void accelerations_stay_in_their_shared_state(void **state) {
  /* (0|1) is reached twice as large only through shared state 1. */
  hd_net *net = parse("2 2\n0 0 +> 1 1\n1 1 -> 1 1\n1|1,1\n", HD_FORMAT_TTS);
  net->init[0] = (hd_init){1, 1};
  hd_net_finish(net);
  expect_cover(net, 2, (const int[]){0, 1, 0, 1, 1, 1});
  expect_net(net, HD_SAFE);
}

static void a_remembered_loop_serves_elsewhere(void **state) {
  /* Once s pumps x on one side of the choice it pumps on the other at once. */
  hd_net *net = parse("vars s c l r x\n"
                      "rules s >= 1 -> x' = x+1;\n"
                      "c >= 1 -> c' = c-1, l' = l+1;\n"
                      "c >= 1 -> c' = c-1, r' = r+1;\n"
                      "init s = 1, c = 1, l = 0, r = 0, x = 0\n"
                      "target x >= 1\n",
                      HD_FORMAT_MIST);
  hd_result result = cover_of(net);
  assert_int_equal(result.cert->configs.size, 3);
  assert_int_equal(stat_of(&result, "km.accelerations"), 1);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* Learned where x is unbounded (the side with more tokens, which is explored
 * first), the loop must not fire where there are two. */
static void a_loop_that_eats_needs_plenty(void **state) {
  const char *rules = "vars c l r x y\n"
                      "rules c >= 1 -> c' = c-1, l' = l+5;\n"
                      "c >= 1 -> c' = c-1, r' = r+1, x' = x+2;\n"
                      "l >= 5 -> x' = x+1;\n"
                      "x >= 1 -> x' = x-1, y' = y+1;\n"
                      "init c = 1, l = 0, r = 0, x = 0, y = 0\n";
  char text[512];
  snprintf(text, sizeof text, "%starget r >= 1, y >= 2\n", rules);
  expect(text, HD_FORMAT_MIST, HD_UNSAFE);
  snprintf(text, sizeof text, "%starget r >= 1, y >= 3\n", rules);
  expect(text, HD_FORMAT_MIST, HD_SAFE);
}

/* --- what is left aside --- */

static void irrelevant_places_are_ignored(void **state) {
  hd_net *net = parse("vars x y z junk\n"
                      "rules x >= 1 -> x' = x-1, junk' = junk+1;\n"
                      "y >= 1 -> y' = y-1, z' = z+1;\n"
                      "init x = 1, y = 1, z = 0, junk = 0\ntarget z >= 2\n",
                      HD_FORMAT_MIST);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_SAFE);
  assert_int_equal(result.cert->ignored.size, 2);
  assert_int_equal(result.cert->ignored.data[0], 0);
  assert_int_equal(result.cert->ignored.data[1], 3);
  assert_int_equal(result.cert->configs.size, 2);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void states_that_cannot_reach_the_target_are_not_entered(void **state) {
  hd_net *net = parse("4 3\n0 0 -> 1 1\n0 0 -> 3 2\n3 0 -> 3 1\n3 1 -> 3 2\n"
                      "1 1 -> 0 0\n2|1\n1 1 -> 2 2\n",
                      HD_FORMAT_TTS);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_SAFE);
  for (size_t i = 0; i < result.cert->configs.size; i++)
    assert_int_not_equal(result.cert->configs.data[i].shared, 3);
  hd_result_free(&result);
  result = cover_of(net);
  assert_int_equal(result.cert->configs.size, 4);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void cover_ignores_targets(void **state) {
  hd_net *net = parse("2 2\n0 0 -> 1 1\n1 1 -> 0 0\n1|1\n", HD_FORMAT_TTS);
  expect_cover(net, 2, (const int[]){0, W, 0, 1, W, 1});
  expect_net(net, HD_UNSAFE);
}

static void a_net_without_targets_is_explored(void **state) {
  hd_net *net = figure_2_3();
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_SAFE);
  assert_int_equal(result.cert->configs.size, 3);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void a_net_without_transitions(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, 0);
  hd_net_finish(net);
  expect_cover(net, 1, (const int[]){0});
  hd_net_delete(net);
  expect("vars x\nrules\ninit x = 1\ntarget x >= 2\n", HD_FORMAT_MIST, HD_SAFE);
}

static void transitions_from_nothing(void **state) {
  expect("vars x y\nrules true -> x' = x+1;\n"
         "x >= 3 -> x' = x-3, y' = y+1;\ninit x = 0, y = 0\n"
         "target y >= 2\n",
         HD_FORMAT_MIST, HD_UNSAFE);
}

static void duplicate_transitions_count_once(void **state) {
  hd_net *net =
      parse("2 2\n0 0 -> 1 1\n0 0 -> 1 1\n0 0 -> 1 1\n1|1,1\n", HD_FORMAT_TTS);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_SAFE);
  assert_int_equal(stat_of(&result, "km.fired"), 1);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* --- limits --- */

static void counts_too_large_are_unknown(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, 3);
  net->init[0] = (hd_init){2, 2};
  hd_trans_spec t = {.pre = TOKENS({0, 1}), .post = TOKENS({1, HD_COUNT_MAX})};
  assert_true(hd_net_add_trans(net, &t));
  assert_true(
      hd_net_add_target(net, 0, TOKENS({1, 1}, {2, 1}), (hd_tokens){0}, 0));
  hd_net_finish(net);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_string_equal(result.reason, "counts too large");
  hd_result_free(&result);
  hd_net_delete(net);
}

static void add_step(hd_net *net, hd_shared_id from, hd_tokens pre,
                     hd_tokens post) {
  hd_trans_spec spec = {
      .from = from, .to = (from + 1) % net->n_shared, .pre = pre, .post = post};
  assert_true(hd_net_add_trans(net, &spec));
}

static hd_net *expensive_loop(bool gives_back) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 4, 2);
  hd_tokens much = TOKENS({0, HD_COUNT_MAX}), none = {0};
  net->init[0] = (hd_init){0, HD_OMEGA};
  add_step(net, 0, much, none);
  add_step(net, 1, much, none);
  add_step(net, 2, none, gives_back ? much : none);
  add_step(net, 3, none,
           gives_back ? TOKENS({0, HD_COUNT_MAX}, {1, 1}) : TOKENS({1, 1}));
  assert_true(hd_net_add_target(net, 0, TOKENS({1, 3}), none, 0));
  hd_net_finish(net);
  return net;
}

/* One round needs twice HD_COUNT_MAX, and gives it back. */
static void needs_of_a_loop_too_large_are_unknown(void **state) {
  hd_net *net = expensive_loop(true);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_string_equal(result.reason, "counts too large");
  hd_result_free(&result);
  hd_net_delete(net);
}

/* The loop can be found, but three rounds need too much. */
static void witnesses_with_counts_too_large_are_unknown(void **state) {
  hd_net *net = expensive_loop(false);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_non_null(strstr(result.reason, "counts of its witness"));
  hd_result_free(&result);
  hd_net_delete(net);
}

static void too_long_witnesses_are_unknown(void **state) {
  enum { LEVELS = 30 };
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "t", 1, LEVELS + 1);
  net->init[0] = (hd_init){0, HD_OMEGA};
  for (uint32_t i = 0; i < LEVELS; i++) {
    hd_token pre = {.place = i, .count = 2};
    hd_token post = {.place = i + 1, .count = 1};
    hd_trans_spec t = {.pre = {.data = &pre, .size = 1},
                       .post = {.data = &post, .size = 1}};
    assert_true(hd_net_add_trans(net, &t));
  }
  assert_true(
      hd_net_add_target(net, 0, TOKENS({LEVELS, 1}), (hd_tokens){0}, 0));
  hd_net_finish(net);
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_non_null(strstr(result.reason, "witness is too long"));
  hd_result_free(&result);
  hd_net_delete(net);
}

static const char hard[] =
    "vars a b c d e f\n"
    "rules a >= 1 -> a' = a-1, b' = b+1;\nb >= 1 -> b' = b-1, c' = c+1;\n"
    "c >= 1 -> c' = c-1, d' = d+1;\nd >= 1 -> d' = d-1, e' = e+1;\n"
    "e >= 2 -> e' = e-1, f' = f+1;\n"
    "init a = 200, b = 0, c = 0, d = 0, e = 0, f = 0\ntarget f >= 200\n";

static void limits_end_in_unknown(void **state) {
  hd_net *net = parse(hard, HD_FORMAT_MIST);
  hd_run run = {.steps = 50};
  hd_result result = {0};
  hd_problem problem = {.net = net};
  hd_km_engine.run(&problem, &run, &result);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_string_equal(result.reason, "step limit reached");
  hd_result_free(&result);
  run = (hd_run){.deadline = hd_now()};
  hd_km_engine.run(&problem, &run, &result);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_string_equal(result.reason, "time limit reached");
  hd_result_free(&result);
  hd_net_delete(net);
}

static void note_progress(void *context, const hd_progress *progress) {
  assert_string_equal(progress->engine, "km");
  assert_string_equal(progress->names[3], "accelerations");
  ++*(int *)context;
}

static void progress_is_shown(void **state) {
  hd_net *net = parse(hard, HD_FORMAT_MIST);
  int shown = 0;
  hd_run run = {.steps = 50, .show = note_progress, .show_context = &shown};
  hd_result result = {0};
  hd_problem problem = {.net = net};
  hd_km_engine.run(&problem, &run, &result);
  assert_true(shown > 0);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void what_it_refuses(void **state) {
  assert_int_equal(hd_km_engine.refuses,
                   HD_HAS_MOVES | HD_HAS_CAPS | HD_HAS_TARGET_CAPS);
  assert_true(hd_km_engine.complete);
}

static void a_loop_that_only_an_omega_allows(void **state) {
  /* b is fed by an unbounded place; the loop eats b and makes c. */
  hd_net *net = parse("vars a b c\nrules a >= 1 -> a' = a-1, b' = b+1;\n"
                      "b >= 3 -> b' = b-3, c' = c+2;\n"
                      "init a >= 0, b = 0, c = 0\ntarget c >= 5\n",
                      HD_FORMAT_MIST);
  expect_cover(net, 1, (const int[]){0, W, W, W});
  hd_result result = run_km(net);
  assert_int_equal(result.verdict, HD_UNSAFE);
  assert_int_equal(result.witness->steps.size, 3 + 9);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* --- data structures --- */

static uint64_t draw_state;

static uint32_t draw(uint32_t n) {
  draw_state ^= draw_state << 13;
  draw_state ^= draw_state >> 7;
  draw_state ^= draw_state << 17;
  return (uint32_t)((draw_state >> 11) % n);
}

static void seed_draw(uint64_t seed) {
  draw_state = seed * 0x9E3779B97F4A7C15u + 88172645463325252u;
  for (int i = 0; i < 8; i++)
    (void)draw(2);
}

enum { INDEX_PLACES = 9 };

static hd_km_probe probe_of(hd_tokens tokens) {
  return (hd_km_probe){.tokens = tokens,
                       .signature = hd_tokens_signature(tokens),
                       .total = hd_tokens_total(tokens)};
}

static void draw_vector(hd_token_vec *v) {
  hd_vec_clear(v);
  for (uint32_t p = 0; p < INDEX_PLACES; p++)
    if (draw(3) == 0)
      hd_vec_push(v, ((hd_token){.place = p, .count = 1 + draw(3)}));
}

/* small <= large outside the places of `omega`. */
static bool list_below(hd_tokens small, hd_tokens large, uint64_t omega) {
  for (size_t i = 0; i < small.size; i++)
    if (!(omega >> small.data[i].place & 1) &&
        hd_tokens_at(large, small.data[i].place) < small.data[i].count)
      return false;
  return true;
}

static void index_agrees_with_a_list(void **state) {
  enum { ROUNDS = 3000 };
  seed_draw(7);
  hd_km_index index = {0};
  hd_token_vec pool = {0}, v = {0};
  hd_vec(hd_range) spans = {0};
  hd_u32s live = {0}, stack = {0}, found = {0};
  for (uint32_t round = 0; round < ROUNDS; round++) {
    draw_vector(&v);
    hd_km_vectors vectors = {.pool = pool.data, .spans = spans.data};
    hd_tokens tokens = hd_token_vec_view(&v);
    hd_km_probe probe = probe_of(tokens);
    uint64_t omega = draw(1u << INDEX_PLACES);
    bool above = false;
    size_t below = 0, below_omega = 0;
    for (size_t i = 0; i < live.size; i++) {
      hd_range r = spans.data[live.data[i]];
      hd_tokens other = {.data = pool.data + r.start, .size = r.size};
      above = above || list_below(tokens, other, 0);
      below += list_below(other, tokens, 0);
      below_omega += list_below(other, tokens, omega);
    }
    assert_int_equal(hd_km_index_covers(&index, vectors, &probe, &stack),
                     above);
    hd_vec_clear(&found);
    hd_km_index_below(&index, vectors, &probe, NULL, &stack, &found);
    assert_int_equal(found.size, below);
    hd_vec_clear(&found);
    probe.total = UINT32_MAX;
    probe.signature = UINT64_MAX;
    hd_km_index_below(&index, vectors, &probe, &omega, &stack, &found);
    assert_int_equal(found.size, below_omega);
    if (live.size && draw(3) == 0) { /* remove one */
      size_t at = draw((uint32_t)live.size);
      uint32_t id = live.data[at];
      hd_range r = spans.data[id];
      hd_km_index_remove(
          &index, (hd_tokens){.data = pool.data + r.start, .size = r.size}, id);
      live.data[at] = hd_vec_pop(&live);
      continue;
    }
    hd_range span = {.start = (uint32_t)pool.size, .size = (uint32_t)v.size};
    for (size_t i = 0; i < v.size; i++)
      hd_vec_push(&pool, v.data[i]);
    hd_vec_push(&live, (uint32_t)spans.size);
    hd_km_entry entry = {.signature = hd_tokens_signature(tokens),
                         .total = hd_tokens_total(tokens),
                         .id = (uint32_t)spans.size};
    hd_vec_push(&spans, span);
    hd_km_index_add(
        &index, (hd_km_vectors){.pool = pool.data, .spans = spans.data}, entry);
  }
  assert_int_equal(index.size, live.size);
  hd_km_index_free(&index);
  hd_vec_free(&pool);
  hd_vec_free(&v);
  hd_vec_free(&spans);
  hd_vec_free(&live);
  hd_vec_free(&stack);
  hd_vec_free(&found);
}

static void system_sorts_transitions_by_key(void **state) {
  /* Place 0 is needed by all, so the others are the keys. */
  hd_net *net = parse("vars m a b c\nrules m >= 1, a >= 1 -> a' = a-1;\n"
                      "m >= 1, b >= 1 -> b' = b-1, c' = c+1;\n"
                      "m >= 1, c >= 1 -> c' = c-1, a' = a+1;\n"
                      "init m = 1, a = 0, b = 1, c = 0\ntarget a >= 2\n",
                      HD_FORMAT_MIST);
  hd_km_system system;
  hd_km_system_init(&system, net, true);
  assert_int_equal(system.n_places, 4);
  assert_int_equal(system.trans.size, 2); /* the first only takes */
  assert_int_equal(system.groups.size, 2);
  assert_int_equal(system.groups.data[0].place, 2);
  assert_int_equal(system.groups.data[1].place, 3);
  hd_km_system_free(&system);
  hd_net_delete(net);
}

static const char loops[] = "vars a b c d\n"
                            "rules a >= 2 -> a' = a-1, b' = b+1;\n"
                            "b >= 1 -> b' = b-1, a' = a+1, c' = c+1;\n"
                            "c >= 5 -> c' = c-5, d' = d+1;\n"
                            "init a = 2, b = 0, c = 0, d = 0\n"
                            "target d >= 9\n";

/* Learns `body` (last step first) and compares its pre and gain. */
static uint32_t expect_loop(hd_km_accels *accels, size_t n,
                            const uint32_t *body, hd_tokens pre, size_t gains,
                            const uint32_t *gain) {
  hd_u32s steps = {0};
  for (size_t i = 0; i < n; i++)
    hd_vec_push(&steps, body[i]);
  uint32_t id = hd_km_accels_learn(accels, 0, &steps);
  hd_vec_free(&steps);
  assert_int_not_equal(id, HD_KM_NONE);
  const hd_km_accel *a = &accels->list.data[id];
  assert_true(hd_tokens_equal(hd_km_accel_pre(accels, a), pre));
  assert_int_equal(a->gain.size, gains);
  for (size_t i = 0; i < gains; i++)
    assert_int_equal(accels->gain.data[a->gain.start + i], gain[i]);
  return id;
}

static void what_a_loop_needs_and_gains(void **state) {
  hd_net *net = parse(loops, HD_FORMAT_MIST);
  hd_km_system system;
  hd_km_accels accels;
  hd_km_system_init(&system, net, true);
  assert_int_equal(system.trans.size, 3);
  hd_km_accels_init(&accels, &system);
  uint32_t first = expect_loop(&accels, 2, (const uint32_t[]){1, 0},
                               TOKENS({0, 2}), 1, (const uint32_t[]){2});
  /* begun at its other end */
  expect_loop(&accels, 2, (const uint32_t[]){0, 1}, TOKENS({0, 1}, {1, 1}), 1,
              (const uint32_t[]){2});
  /* only takes from c: that must be unbounded */
  expect_loop(&accels, 1, (const uint32_t[]){2}, TOKENS({2, HD_OMEGA}), 1,
              (const uint32_t[]){3});
  /* the first one provides c */
  expect_loop(&accels, 2, (const uint32_t[]){2, first | HD_KM_ACCEL},
              TOKENS({0, 2}), 2, (const uint32_t[]){2, 3});
  /* too late: c is needed before */
  expect_loop(&accels, 2, (const uint32_t[]){first | HD_KM_ACCEL, 2},
              TOKENS({0, 2}, {2, 5}), 2, (const uint32_t[]){2, 3});
  hd_km_accels_free(&accels);
  hd_km_system_free(&system);
  hd_net_delete(net);
}

/* --- random nets against a naive backward search --- */

enum { PLACES = 6, MAX_BASIS = 500 };

typedef struct {
  hd_shared_id shared;
  uint32_t count[PLACES];
} dense;

typedef hd_vec(dense) dense_list;

static bool dense_below(const dense *a, const dense *b) {
  bool below = a->shared == b->shared;
  for (int p = 0; p < PLACES; p++)
    below = below && a->count[p] <= b->count[p];
  return below;
}

static void add_minimal(dense_list *list, dense d) {
  for (size_t i = 0; i < list->size; i++)
    if (dense_below(&list->data[i], &d))
      return;
  hd_vec_push(list, d);
}

static dense predecessor(const hd_net *net, hd_trans_id t, dense d) {
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++) {
    uint32_t *c = &d.count[post.data[i].place];
    *c = *c > post.data[i].count ? *c - post.data[i].count : 0;
  }
  for (size_t i = 0; i < pre.size; i++)
    d.count[pre.data[i].place] += pre.data[i].count;
  d.shared = net->trans.data[t].from;
  return d;
}

static bool dense_initial(const hd_net *net, const dense *d) {
  bool initial = d->shared == net->init_shared;
  for (hd_place_id p = 0; p < net->n_places; p++)
    initial = initial && d->count[p] <= net->init[p].max;
  return initial;
}

/* Is one of `goals` covered? HD_UNKNOWN when the search grows too large. */
static hd_verdict backward(const hd_net *net, const dense_list *goals) {
  dense_list list = {0};
  for (size_t i = 0; i < goals->size; i++)
    add_minimal(&list, goals->data[i]);
  hd_verdict verdict = HD_SAFE;
  for (size_t i = 0; i < list.size && verdict == HD_SAFE; i++) {
    if (dense_initial(net, &list.data[i]))
      verdict = HD_UNSAFE;
    for (hd_trans_id t = 0; t < net->trans.size; t++)
      if (net->trans.data[t].to == list.data[i].shared)
        add_minimal(&list, predecessor(net, t, list.data[i]));
    if (list.size > MAX_BASIS)
      verdict = HD_UNKNOWN;
  }
  hd_vec_free(&list);
  return verdict;
}

static hd_verdict oracle(const hd_net *net) {
  dense_list goals = {0};
  for (size_t i = 0; i < net->targets.size; i++) {
    hd_tokens need = hd_net_view(net, net->targets.data[i].need);
    dense d = {0};
    for (size_t k = 0; k < need.size; k++)
      d.count[need.data[k].place] = need.data[k].count;
    for (d.shared = 0; d.shared < net->n_shared; d.shared++)
      if (net->targets.data[i].shared == d.shared ||
          net->targets.data[i].shared == HD_ANY_SHARED)
        hd_vec_push(&goals, d);
  }
  hd_verdict verdict = backward(net, &goals);
  hd_vec_free(&goals);
  return verdict;
}

typedef enum {
  PLAIN_THREADS,
  SPAWNS,
  WEIGHTS,
  SMALL_NETS,
  COUNTERS, /* many states, small changes */
  SHAPES
} shape;
typedef enum { PARAMETRIC, FIXED, MIXED, STARTS } start;

static void add_random_tokens(hd_token_vec *v, uint32_t places, uint32_t most,
                              uint32_t heaviest) {
  for (uint32_t n = draw(most + 1); n; n--)
    hd_vec_push(
        v, ((hd_token){.place = draw(places), .count = 1 + draw(heaviest)}));
  assert_true(hd_token_vec_normalise(v));
}

static void add_random_trans(hd_net *net, shape kind) {
  hd_token_vec pre = {0}, post = {0};
  uint32_t n = net->n_places;
  if (kind == PLAIN_THREADS || kind == SPAWNS) {
    hd_token parent = {.place = draw(n), .count = 1};
    hd_vec_push(&pre, parent);
    if (kind == SPAWNS && draw(3) == 0)
      hd_vec_push(&post, parent);
    hd_vec_push(&post, ((hd_token){.place = draw(n), .count = 1}));
  } else if (kind == COUNTERS) {
    add_random_tokens(&pre, n, 1, 2);
    add_random_tokens(&post, n, 1, 2);
  } else {
    add_random_tokens(&pre, n, 2, kind == WEIGHTS ? 3 : 1);
    add_random_tokens(&post, n, 3, kind == WEIGHTS ? 3 : 1);
  }
  hd_trans_spec spec = {.from = draw(net->n_shared),
                        .to = draw(net->n_shared),
                        .pre = hd_token_vec_view(&pre),
                        .post = hd_token_vec_view(&post)};
  assert_true(hd_net_add_trans(net, &spec));
  hd_vec_free(&pre);
  hd_vec_free(&post);
}

static hd_net *random_net(shape kind, start begin) {
  bool threads = kind == PLAIN_THREADS || kind == SPAWNS;
  uint32_t shared = 1 + draw(threads || kind == COUNTERS ? 4 : 2);
  hd_net *net =
      hd_net_new(HD_FORMAT_TTS, "random", shared, 3 + draw(PLACES - 2));
  for (hd_place_id p = 0; p < net->n_places; p++) {
    hd_count few = draw(3);
    if (begin == PARAMETRIC && (p == 0 || draw(6) == 0))
      net->init[p] = (hd_init){0, HD_OMEGA};
    if (begin == FIXED)
      net->init[p] = (hd_init){few, few};
    if (begin == MIXED)
      net->init[p] = (hd_init){few / 2, draw(3) ? few : HD_OMEGA};
  }
  for (uint32_t n = 3 + draw(threads || kind == COUNTERS ? 14 : 8); n; n--)
    add_random_trans(net, kind);
  for (uint32_t n = 1 + draw(3) * draw(2); n; n--) {
    hd_token_vec need = {0};
    add_random_tokens(&need, net->n_places, 3, 2);
    hd_shared_id at = draw(5) ? draw(shared) : HD_ANY_SHARED;
    assert_true(hd_net_add_target(net, at, hd_token_vec_view(&need),
                                  (hd_tokens){0}, 0));
    hd_vec_free(&need);
  }
  hd_net_finish(net);
  return net;
}

/* Everything below each element of the cover is coverable: asks the oracle
 * with a few tokens for each omega. */
static void expect_coverable(const hd_net *net, const hd_cert *cert) {
  for (hd_vec_each(const hd_config, config, &cert->configs)) {
    hd_tokens tokens = hd_cert_view(cert, config);
    dense d = {.shared = config->shared};
    for (size_t i = 0; i < tokens.size; i++)
      d.count[tokens.data[i].place] =
          tokens.data[i].count == HD_OMEGA ? 4 : tokens.data[i].count;
    dense_list goal = {.data = &d, .size = 1, .cap = 1};
    assert_int_not_equal(backward(net, &goal), HD_SAFE);
  }
}

static void expect_antichain(const hd_cert *cert) {
  for (hd_vec_each(const hd_config, a, &cert->configs))
    for (hd_vec_each(const hd_config, b, &cert->configs))
      assert_true(
          a == b || a->shared != b->shared ||
          !hd_tokens_covers(hd_cert_view(cert, a), hd_cert_view(cert, b)));
}

static void compare_with_oracle(uint64_t seed, shape kind, start begin) {
  seed_draw(seed);
  size_t held = hd_mem_current();
  hd_net *net = random_net(kind, begin);
  hd_verdict truth = oracle(net);
  hd_run run = {.steps = 200000};
  hd_problem problem = {.net = net, .order = (hd_km_order)(seed % 3)};
  hd_result result = {0};
  hd_km_engine.run(&problem, &run, &result);
  judge(net, &result);
  if (truth != HD_UNKNOWN && result.verdict != truth)
    fail_msg("seed %llu shape %d start %d: %s, not %s",
             (unsigned long long)seed, (int)kind, (int)begin,
             hd_verdict_name(result.verdict), hd_verdict_name(truth));
  hd_result_free(&result);
  if (seed % 4 == 0) {
    result = cover_of(net);
    expect_antichain(result.cert);
    if (seed % 16 == 0)
      expect_coverable(net, result.cert);
    hd_result_free(&result);
  }
  hd_net_delete(net);
  assert_int_equal(hd_mem_current(), held);
}

static void compare_shape(shape kind) {
  for (int begin = 0; begin < STARTS; begin++)
    for (uint64_t seed = 1; seed <= 600; seed++)
      compare_with_oracle(seed, kind, (start)begin);
}

static void random_thread_systems(void **state) {
  compare_shape(PLAIN_THREADS);
}

static void random_systems_with_spawns(void **state) {
  compare_shape(SPAWNS);
}

static void random_nets_with_weights(void **state) {
  compare_shape(WEIGHTS);
}

static void random_ordinary_nets(void **state) {
  compare_shape(SMALL_NETS);
}

static void random_counter_machines(void **state) {
  compare_shape(COUNTERS);
}

/* The net with places, shared states and transitions in another order. */
static hd_net *shuffled(const hd_net *net) {
  uint32_t place[PLACES], shared[8], n = (uint32_t)net->trans.size;
  uint32_t turn = draw(net->n_places), spin = draw(net->n_shared);
  for (uint32_t p = 0; p < net->n_places; p++)
    place[p] = (p + turn) % net->n_places;
  for (uint32_t s = 0; s < net->n_shared; s++)
    shared[s] = (s + spin) % net->n_shared;
  hd_net *copy =
      hd_net_new(HD_FORMAT_TTS, "copy", net->n_shared, net->n_places);
  copy->init_shared = shared[net->init_shared];
  for (uint32_t p = 0; p < net->n_places; p++)
    copy->init[place[p]] = net->init[p];
  for (uint32_t t = n; t-- > 0;) {
    hd_token_vec vectors[2] = {{0}, {0}};
    for (int k = 0; k < 2; k++) {
      hd_tokens from = k ? hd_net_post(net, t) : hd_net_pre(net, t);
      for (size_t i = 0; i < from.size; i++)
        hd_vec_push(&vectors[k], ((hd_token){place[from.data[i].place],
                                             from.data[i].count}));
    }
    hd_trans_spec spec = {.from = shared[net->trans.data[t].from],
                          .to = shared[net->trans.data[t].to],
                          .pre = hd_token_vec_view(&vectors[0]),
                          .post = hd_token_vec_view(&vectors[1])};
    assert_true(hd_net_add_trans(copy, &spec));
    hd_vec_free(&vectors[0]);
    hd_vec_free(&vectors[1]);
  }
  hd_net_finish(copy);
  return copy;
}

static void order_and_names_do_not_matter(void **state) {
  for (uint64_t seed = 5000; seed < 5400; seed++) {
    seed_draw(seed);
    hd_net *net = random_net((shape)(seed % SHAPES), (start)(seed % STARTS));
    hd_net *copy = shuffled(net);
    hd_result a = cover_of(net), b = cover_of(copy);
    assert_int_equal(a.cert->configs.size, b.cert->configs.size);
    hd_result_free(&a);
    hd_result_free(&b);
    hd_net_delete(net);
    hd_net_delete(copy);
  }
}

static void the_same_run_twice(void **state) {
  for (uint64_t seed = 6000; seed < 6200; seed++) {
    seed_draw(seed);
    hd_net *net = random_net((shape)(seed % SHAPES), (start)(seed % STARTS));
    hd_result a = run_km(net), b = run_km(net);
    assert_int_equal(a.verdict, b.verdict);
    assert_int_equal(a.stats.size, b.stats.size);
    for (size_t i = 0; i < a.stats.size; i++)
      assert_true(a.stats.data[i].value == b.stats.data[i].value);
    hd_result_free(&a);
    hd_result_free(&b);
    hd_net_delete(net);
  }
}

/* S1, S2 and K4 on the search's own structures after complete runs. */
static void invariants_hold_at_the_end(void **state) {
  for (uint64_t seed = 7000; seed < 7300; seed++) {
    seed_draw(seed);
    hd_net *net = random_net((shape)(seed % SHAPES), (start)(seed % STARTS));
    hd_km_search search;
    hd_run run = {0};
    hd_km_search_init(&search, net, false);
    assert_int_equal(hd_km_search_run(&search, &run), HD_KM_COMPLETE);
    if (search.store.nodes.size < 300)
      hd_km_search_check(&search);
    hd_km_search_free(&search);
    hd_net_delete(net);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_2_3_of_paper_001),
      cmocka_unit_test(figure_2_4_of_paper_001),
      cmocka_unit_test(orders_find_the_same),
      cmocka_unit_test(figure_2_3_needs_one_acceleration),
      cmocka_unit_test(figure_2_3_pumps_as_often_as_asked),
      cmocka_unit_test(figure_1_of_paper_000_unreachable),
      cmocka_unit_test(figure_1_of_paper_000_reachable),
      cmocka_unit_test(the_witness_of_paper_002),
      cmocka_unit_test(edges_that_change_only_the_shared_state),
      cmocka_unit_test(a_spawn_does_not_ask_for_the_child),
      cmocka_unit_test(a_spawn_does_not_consume_its_parent),
      cmocka_unit_test(the_initial_state_is_tested),
      cmocka_unit_test(targets_with_several_threads),
      cmocka_unit_test(self_loops_are_harmless),
      cmocka_unit_test(disjuncts_of_a_target_stay_apart),
      cmocka_unit_test(the_second_target_is_named),
      cmocka_unit_test(exactly_so_many_threads),
      cmocka_unit_test(intervals_start_at_their_upper_end),
      cmocka_unit_test(lower_bounds_are_kept_in_the_witness),
      cmocka_unit_test(a_loop_of_three_steps),
      cmocka_unit_test(a_loop_that_eats_an_unbounded_place),
      cmocka_unit_test(a_loop_that_only_an_omega_allows),
      cmocka_unit_test(nested_accelerations_unroll),
      cmocka_unit_test(a_loop_inside_a_loop),
      cmocka_unit_test(an_inner_loop_is_pumped_once),
      cmocka_unit_test(accelerations_stay_in_their_shared_state),
      cmocka_unit_test(a_remembered_loop_serves_elsewhere),
      cmocka_unit_test(a_loop_that_eats_needs_plenty),
      cmocka_unit_test(irrelevant_places_are_ignored),
      cmocka_unit_test(states_that_cannot_reach_the_target_are_not_entered),
      cmocka_unit_test(cover_ignores_targets),
      cmocka_unit_test(a_net_without_targets_is_explored),
      cmocka_unit_test(a_net_without_transitions),
      cmocka_unit_test(transitions_from_nothing),
      cmocka_unit_test(duplicate_transitions_count_once),
      cmocka_unit_test(counts_too_large_are_unknown),
      cmocka_unit_test(needs_of_a_loop_too_large_are_unknown),
      cmocka_unit_test(witnesses_with_counts_too_large_are_unknown),
      cmocka_unit_test(too_long_witnesses_are_unknown),
      cmocka_unit_test(limits_end_in_unknown),
      cmocka_unit_test(progress_is_shown),
      cmocka_unit_test(what_it_refuses),
      cmocka_unit_test(index_agrees_with_a_list),
      cmocka_unit_test(system_sorts_transitions_by_key),
      cmocka_unit_test(what_a_loop_needs_and_gains),
      cmocka_unit_test(random_thread_systems),
      cmocka_unit_test(random_systems_with_spawns),
      cmocka_unit_test(random_nets_with_weights),
      cmocka_unit_test(random_ordinary_nets),
      cmocka_unit_test(random_counter_machines),
      cmocka_unit_test(order_and_names_do_not_matter),
      cmocka_unit_test(the_same_run_twice),
      cmocka_unit_test(invariants_hold_at_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
