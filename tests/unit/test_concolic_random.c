/* SPDX-License-Identifier: MIT */
/* The concolic engine on whole systems: known mistakes of published tools, and
 * thousands of random systems against the plainest backward search. Evidence
 * is judged each time. */
#include "check/check.h"
#include "engine/bws/bws.h"
#include "engine/concolic/concolic.h"
#include "engine/reduce/reduce.h"
#include "engine/tse/pool.h"
#include "thread_util.h"

static double stat_of(const hd_result *result, const char *name) {
  for (hd_vec_each(const hd_stat, s, &result->stats))
    if (!strcmp(s->name, name))
      return s->value;
  return 0;
}

static void judge(const hd_net *net, const hd_result *result) {
  hd_str why = {0};
  bool ok = result->verdict == HD_UNKNOWN;
  if (result->verdict == HD_UNSAFE)
    ok = hd_check_witness(net, result->witness, &why);
  if (result->verdict == HD_SAFE && result->cert)
    ok = hd_check_cert(net, result->cert, &why);
  if (result->verdict == HD_SAFE && !result->cert)
    ok = result->reason != NULL;
  if (!ok)
    print_message("evidence: %s\n", hd_str_text(&why));
  assert_true(ok);
  hd_str_free(&why);
}

static hd_verdict run_on(const hd_net *net, const hd_cert *tset,
                         hd_result *result) {
  hd_run run = {0};
  hd_concolic_engine.run(&(hd_problem){.net = net, .tset = tset}, &run, result);
  judge(net, result);
  return result->verdict;
}

static hd_verdict verdict_of(const hd_net *net) {
  hd_result result = {0};
  hd_verdict verdict = run_on(net, NULL, &result);
  hd_result_free(&result);
  return verdict;
}

static void expect(hd_net *net, hd_verdict expected) {
  assert_int_equal(verdict_of(net), expected);
  hd_net_delete(net);
}

/* ---- known systems ---- */

static void figure1_target_64_is_safe(void **state) {
  expect(new_system(7, 5, figure1, 7, 6, 4), HD_SAFE);
}

static void figure1_target_63_is_unsafe(void **state) {
  hd_net *net = new_system(7, 5, figure1, 7, 6, 3);
  hd_result result = {0};
  assert_int_equal(run_on(net, NULL, &result), HD_UNSAFE);
  assert_int_equal(result.witness->steps.size, 12);
  assert_int_equal(result.witness->init.data[0].count, 7);
  assert_int_equal(stat_of(&result, "concolic.direct"), 1);
  assert_int_equal(stat_of(&result, "concolic.loops"), 1);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* With fewer threads than figure 1 needs. */
static void figure1_with_six_threads_is_safe(void **state) {
  for (hd_count threads = 0; threads < 10; threads++) {
    hd_net *net = new_system(7, 5, figure1, 7, 6, 3);
    net->init[0] = (hd_init){threads, threads};
    hd_net_finish(net);
    expect(net, threads < 7 ? HD_SAFE : HD_UNSAFE);
  }
}

/* cutr drops edges that change only the shared state. */
static void shared_only_edges_count(void **state) {
  static const tedge edges[] = {
      {0, 0, '-', 1, 1}, {1, 1, '-', 2, 1}, {2, 1, '-', 2, 2}};
  expect(new_system(3, 3, edges, 3, 2, 2), HD_UNSAFE);
}

/* A spawn's parent need not be wanted already, and stays. */
static void spawn_parent_is_raised_to_one(void **state) {
  static const tedge edges[] = {
      {0, 0, '-', 1, 1}, {1, 1, '+', 2, 2}, {2, 1, '-', 3, 3}};
  expect(new_system(4, 4, edges, 3, 3, 3), HD_UNSAFE);
  expect(new_system(4, 4, edges, 3, 2, 2), HD_UNSAFE);
  expect(new_system(4, 4, edges, 3, 2, 3), HD_SAFE);
}

static void initial_targets_are_seen(void **state) {
  expect(new_system(2, 2, NULL, 0, 0, 0), HD_UNSAFE);
  expect(new_system(2, 2, NULL, 0, 0, 1), HD_SAFE);
  expect(new_system(2, 2, NULL, 0, 1, 0), HD_SAFE);
}

static void several_threads_in_a_target(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 1}, {1, 0, '-', 2, 1}};
  for (uint32_t n = 1; n <= 4; n++) {
    hd_net *net = new_system(3, 2, edges, 2, 1, 1);
    hd_net_clear_targets(net);
    add_goal(net, 2, (hd_place_id[]){1, 1, 1, 1}, n);
    hd_net_finish(net);
    expect(net, n <= 2 ? HD_UNSAFE : HD_SAFE);
  }
}

static void shared_state_as_target(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 1}};
  hd_net *net = new_system(3, 2, edges, 1, 2, 1);
  hd_net_clear_targets(net);
  add_goal(net, 1, NULL, 0);
  hd_net_finish(net);
  expect(net, HD_UNSAFE);
}

static void any_shared_state_as_target(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 1}, {1, 0, '-', 2, 2}};
  for (hd_place_id local = 0; local < 4; local++) {
    hd_net *net = new_system(3, 4, edges, 2, 2, 1);
    hd_net_clear_targets(net);
    add_goal(net, HD_ANY_SHARED, &local, 1);
    hd_net_finish(net);
    expect(net, local == 3 ? HD_SAFE : HD_UNSAFE);
  }
}

/* A counting loop of constant size: the target wants `count` threads in local
 * 1, and each round makes one. */
static hd_net *counting(hd_count count, bool safe) {
  static const tedge edges[] = {
      {0, 0, '-', 1, 2}, {1, 0, '-', 2, 1}, {2, 2, '-', 1, 2}};
  hd_net *net = new_system(3, 4, edges, 3, 1, 1);
  hd_net_clear_targets(net);
  hd_token need[] = {{1, count}, {3, 1}};
  assert_true(hd_net_add_target(net, 1, (hd_tokens){need, safe ? 2 : 1},
                                (hd_tokens){0}, 0));
  hd_net_finish(net);
  return net;
}

static void long_counts_take_one_path(void **state) {
  for (hd_count count = 1; count <= 100000; count *= 10) {
    hd_net *net = counting(count, false);
    hd_result result = {0};
    assert_int_equal(run_on(net, NULL, &result), HD_UNSAFE);
    assert_int_equal(result.witness->steps.size, 1 + 2 * count);
    assert_true(stat_of(&result, "concolic.ends") < 5);
    hd_result_free(&result);
    hd_net_delete(net);
  }
}

static void long_counts_that_fail_are_not_counted(void **state) {
  hd_net *net = counting(100000, true);
  hd_result result = {0};
  assert_int_equal(run_on(net, NULL, &result), HD_SAFE);
  assert_true(stat_of(&result, "concolic.ends") < 5);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void endless_runs_are_not_written(void **state) {
  hd_net *net = counting(100000000, false);
  hd_result result = {0};
  assert_int_equal(run_on(net, NULL, &result), HD_UNKNOWN);
  assert_non_null(strstr(result.reason, "steps"));
  hd_result_free(&result);
  hd_net_delete(net);
}

/* `stages` loops in a row, each turning two threads of one local into one of
 * the next: 2^stages threads, and `stages` variables. */
static hd_net *doubling(uint32_t stages, hd_count wanted) {
  uint32_t n = 2 * stages + 1;
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "doubling", n, stages + 2);
  net->init[0] = (hd_init){0, HD_OMEGA};
  hd_place_id waste = stages + 1;
  for (uint32_t i = 0; i < stages; i++) {
    add_tedge(net, (tedge){2 * i, i, '-', 2 * i + 1, waste});
    add_tedge(net, (tedge){2 * i + 1, i, '-', 2 * i, i + 1});
    add_tedge(net, (tedge){2 * i, waste, '-', 2 * i + 2, waste});
  }
  hd_token need = {stages, wanted};
  assert_true(hd_net_add_target(net, 2 * stages, (hd_tokens){&need, 1},
                                (hd_tokens){0}, 0));
  hd_net_finish(net);
  return net;
}

static void doubling_stages_need_their_powers(void **state) {
  for (uint32_t stages = 1; stages <= 10; stages++) {
    hd_net *net = doubling(stages, 1);
    hd_result result = {0};
    assert_int_equal(run_on(net, NULL, &result), HD_UNSAFE);
    assert_true(result.witness->init.data[0].count >= 1u << stages);
    assert_int_equal(stat_of(&result, "concolic.fallback"), 0);
    hd_result_free(&result);
    net->init[0] = (hd_init){0, (1u << stages) - 1};
    hd_net_finish(net);
    assert_int_equal(verdict_of(net), HD_SAFE);
    hd_net_delete(net);
  }
}

/* A counting loop behind a spaghetti component: its rounds are forced, and not
 * gone through. */
static hd_net *counting_behind_spaghetti(hd_count n, bool reachable) {
  static const tedge edges[] = {{0, 0, '-', 1, 3}, {1, 0, '-', 1, 4},
                                {1, 4, '-', 2, 0}, {2, 0, '-', 1, 0},
                                {1, 3, '-', 3, 2}, {3, 0, '-', 4, 1},
                                {4, 2, '-', 3, 2}};
  hd_net *net = new_system(5, 6, edges, 7, 3, 1);
  hd_net_clear_targets(net);
  hd_token need[] = {{1, n}, {reachable ? 4 : 5, 1}};
  assert_true(
      hd_net_add_target(net, 3, (hd_tokens){need, 2}, (hd_tokens){0}, 0));
  hd_net_finish(net);
  return net;
}

static void rounds_behind_spaghetti_are_summarised(void **state) {
  for (hd_count n = 1; n <= 10000; n *= 10) {
    hd_net *net = counting_behind_spaghetti(n, true);
    hd_result result = {0};
    assert_int_equal(run_on(net, NULL, &result), HD_UNSAFE);
    assert_true(result.witness->steps.size >= 2 * n);
    assert_true(stat_of(&result, "concolic.sweep.steps") < 200);
    assert_int_equal(stat_of(&result, "bws.steps"), 0);
    hd_result_free(&result);
    hd_net_delete(net);
    expect(counting_behind_spaghetti(n, false), HD_SAFE);
  }
}

/* ---- random systems ---- */

typedef struct {
  uint32_t limit; /* configurations of the oracle; 0 = the usual */
  uint32_t runs, safe, unsafe, unknown, certified;
  double loops, sweeps, fallbacks, searched;
} tally;

static void compare(const hd_net *net, uint64_t seed, tally *t) {
  int truth = oracle(net, t->limit ? t->limit : 3000);
  if (truth < 0) {
    t->unknown++;
    return;
  }
  hd_result result = {0};
  hd_verdict verdict = run_on(net, NULL, &result);
  if (verdict != (truth ? HD_UNSAFE : HD_SAFE))
    print_message("seed %llu\n", (unsigned long long)seed);
  assert_int_equal(verdict, truth ? HD_UNSAFE : HD_SAFE);
  t->runs++;
  t->safe += verdict == HD_SAFE;
  t->unsafe += verdict == HD_UNSAFE;
  t->certified += verdict == HD_SAFE && result.cert;
  t->loops += stat_of(&result, "concolic.loops") > 0;
  t->sweeps += stat_of(&result, "concolic.sweep.steps") > 0;
  t->fallbacks += stat_of(&result, "concolic.fallback");
  t->searched += stat_of(&result, "concolic.searched") > 0;
  hd_result_free(&result);
}

/* With reduce before it and T pruning, as the driver does it. */
static void compare_reduced(const hd_net *net) {
  int truth = oracle(net, 3000);
  if (truth < 0)
    return;
  hd_run run = {0};
  hd_reduced *reduced = hd_reduce(net, &run);
  if (reduced->safe) {
    assert_int_equal(truth, 0);
  } else {
    hd_result result = {0};
    assert_int_equal(run_on(reduced->net, reduced->tset, &result),
                     truth ? HD_UNSAFE : HD_SAFE);
    hd_result_free(&result);
  }
  hd_reduced_delete(reduced);
}

static void report(const char *what, const tally *t) {
  print_message("%s: %u systems, %u safe (%u certified), %u unsafe, %u too "
                "large; loops in %.0f, sweeps in %.0f, searched %.0f\n",
                what, t->runs, t->safe, t->certified, t->unsafe, t->unknown,
                t->loops, t->sweeps, t->searched);
}

static void compare_rows(const char *what, const shape *sh, uint64_t first,
                         uint32_t n, tally *t) {
  for (uint64_t seed = first; seed < first + n; seed++) {
    thread_seed = seed * 0x9E3779B97F4A7C15u;
    shape mine = *sh;
    mine.components = 2 + pick(sh->components - 1);
    mine.locals = 3 + pick(sh->locals - 2);
    hd_net *net = random_row(&mine);
    random_question(net);
    compare(net, seed, t);
    if (seed % 3 == 0)
      compare_reduced(net);
    hd_net_delete(net);
  }
  report(what, t);
  assert_true(t->safe > n / 20 && t->unsafe > n / 20);
}

static void rows_of_simple_loops(void **state) {
  tally t = {0};
  compare_rows(
      "simple",
      &(shape){.components = 7, .loops = 60, .locals = 5, .bridges = 2}, 1000,
      3000, &t);
  assert_true(t.loops > 300);
}

static void rows_of_loops_with_spawns(void **state) {
  tally t = {0};
  compare_rows("spawns",
               &(shape){.components = 7,
                        .loops = 60,
                        .locals = 5,
                        .spawns = 30,
                        .bridges = 2},
               10000, 3000, &t);
  assert_true(t.loops > 300);
}

static void rows_with_spaghetti(void **state) {
  tally t = {0};
  compare_rows("spaghetti",
               &(shape){.components = 6,
                        .loops = 50,
                        .locals = 4,
                        .spaghetti = 40,
                        .bridges = 2},
               20000, 2000, &t);
  assert_true(t.sweeps > 300);
}

static void rows_with_spaghetti_and_spawns(void **state) {
  tally t = {0};
  compare_rows("tangle",
               &(shape){.components = 6,
                        .loops = 50,
                        .locals = 4,
                        .spaghetti = 40,
                        .spawns = 25,
                        .bridges = 2},
               30000, 2000, &t);
  assert_true(t.sweeps > 300);
}

/* A row of loops that turn a few threads of limited locals into the same two
 * locals, of which the target wants several: how often each loop is taken is a
 * trade-off, and equations have several unknowns. */
static hd_net *random_resources(void) {
  uint32_t loops = 2 + pick(3), locals = 2 + loops;
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "resources", 2 * loops + 1, locals);
  for (uint32_t i = 0; i < loops; i++) {
    hd_shared_id a = 2 * i, b = 2 * i + 1;
    hd_place_id mine = 2 + i, next = 2 + pick(loops);
    add_tedge(net, (tedge){a, mine, '-', b, pick(2)});
    add_tedge(net, (tedge){b, pick(2) ? mine : next, '-', a,
                           pick(3) ? pick(2) : 2 + pick(loops)});
    add_tedge(net, (tedge){pick(2) ? a : b, pick(locals), pick(4) ? '-' : '+',
                           a + 2, pick(2) ? pick(2) : 2 + pick(loops)});
    net->init[mine] = (hd_init){0, pick(9)};
  }
  hd_token need[] = {{0, 2 + pick(6)}, {1, pick(5)}};
  assert_true(hd_net_add_target(net, 2 * loops, (hd_tokens){need, 2},
                                (hd_tokens){0}, 0));
  hd_net_finish(net);
  return net;
}

static void loops_that_compete_for_threads(void **state) {
  tally t = {0};
  for (uint64_t seed = 70000; seed < 73000; seed++) {
    thread_seed = seed * 0x9E3779B97F4A7C15u;
    hd_net *net = random_resources();
    compare(net, seed, &t);
    hd_net_delete(net);
  }
  report("resources", &t);
  assert_true(t.safe > 300 && t.unsafe > 300 && t.loops > 1000 &&
              t.searched > 40);
}

/* Targets of many threads, with loops that can make them behind spaghetti: ends
 * parked with forced rounds. */
static void many_threads_behind_spaghetti(void **state) {
  tally t = {.limit = 600};
  for (uint64_t seed = 80000; seed < 80900; seed++) {
    thread_seed = seed * 0x9E3779B97F4A7C15u;
    shape sh = {.locals = 4, .spawns = pick(2) ? 20 : 0};
    /* spaghetti at 0, then a loop between 1 and 2 that makes local 1 */
    hd_net *net = hd_net_new(HD_FORMAT_TTS, "behind", 3, 4);
    net->init[0] = (hd_init){0, HD_OMEGA};
    for (int i = 0; i < 3; i++)
      add_tedge(net, random_tedge(&sh, 0, 0));
    for (uint32_t i = 0; i < 1 + pick(2); i++)
      add_tedge(net, random_tedge(&sh, 0, 1 + pick(2)));
    hd_place_id token = pick(4);
    add_tedge(net, (tedge){1, 0, '-', 2, 1});
    add_tedge(net, pick(2) ? (tedge){2, token, '-', 1, token}
                           : random_tedge(&sh, 2, 1));
    hd_token need[] = {{1, 70 + pick(10)}, {pick(4), pick(3)}};
    assert_true(hd_net_add_target(net, 1 + pick(2), (hd_tokens){need, 2},
                                  (hd_tokens){0}, 0));
    hd_net_finish(net);
    compare(net, seed, &t);
    hd_net_delete(net);
  }
  report("many", &t);
  assert_true(t.safe > 50 && t.unsafe > 50 && t.sweeps > 30);
}

static void random_graphs(void **state) {
  tally t = {0};
  for (uint64_t seed = 40000; seed < 43000; seed++) {
    thread_seed = seed * 0x9E3779B97F4A7C15u;
    hd_net *net =
        random_graph(2 + pick(6), 2 + pick(4), 3 + pick(14), pick(2) ? 25 : 0);
    random_question(net);
    compare(net, seed, &t);
    if (seed % 3 == 0)
      compare_reduced(net);
    hd_net_delete(net);
  }
  report("graphs", &t);
  assert_true(t.safe > 300 && t.unsafe > 300);
}

/* With the state equation as a judge: what it excludes is not expanded, and the
 * certificate carries its inequalities. */
static void compare_judged(const hd_net *net, int truth, uint32_t *excluded) {
  hd_run run = {0};
  hd_tse_pool *pool = hd_tse_pool_new(net, NULL, &run);
  hd_result result = {0};
  hd_problem problem = {.net = net,
                        .invariants = hd_tse_pool_cert(pool),
                        .exclude = hd_tse_pool_exclude,
                        .exclude_context = pool};
  hd_concolic_engine.run(&problem, &run, &result);
  judge(net, &result);
  assert_int_equal(result.verdict, truth ? HD_UNSAFE : HD_SAFE);
  *excluded += stat_of(&result, "concolic.sweep.excluded") > 0;
  hd_result_free(&result);
  hd_tse_pool_delete(pool);
}

static void the_state_equation_may_judge(void **state) {
  uint32_t excluded = 0, runs = 0;
  for (uint64_t seed = 90000; seed < 91200; seed++) {
    thread_seed = seed * 0x9E3779B97F4A7C15u;
    hd_net *net =
        random_graph(3 + pick(5), 4 + pick(3), 8 + pick(16), pick(2) ? 25 : 0);
    random_question(net);
    int truth = oracle(net, 2000);
    if (truth >= 0) {
      compare_judged(net, truth, &excluded);
      runs++;
    }
    hd_net_delete(net);
  }
  print_message("judged: %u systems, %u with exclusions\n", runs, excluded);
  assert_true(excluded > 20);
}

/* Transitions that take and give up to two tokens of up to two places: through
 * the chains of the thread view. */
static hd_net *random_net(uint32_t n_shared, uint32_t places, uint32_t trans) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "net", n_shared, places);
  for (uint32_t i = 0; i < trans; i++) {
    hd_token pre[2], post[2];
    for (int k = 0; k < 2; k++) {
      pre[k] = (hd_token){pick(places), 1};
      post[k] = (hd_token){pick(places), 1};
    }
    assert_true(hd_net_add_trans(
        net, &(hd_trans_spec){.from = pick(n_shared),
                              .to = pick(n_shared),
                              .pre = {.data = pre, .size = pick(3)},
                              .post = {.data = post, .size = pick(3)}}));
  }
  return net;
}

static void random_nets_through_the_thread_view(void **state) {
  tally t = {0};
  for (uint64_t seed = 50000; seed < 52000; seed++) {
    thread_seed = seed * 0x9E3779B97F4A7C15u;
    hd_net *net = random_net(1 + pick(7), 2 + pick(4), 2 + pick(8));
    random_question(net);
    compare(net, seed, &t);
    if (seed % 3 == 0)
      compare_reduced(net);
    hd_net_delete(net);
  }
  report("nets", &t);
  assert_true(t.safe > 200 && t.unsafe > 200);
}

/* ---- several initial thread states: appendix A ---- */

/* Adds fresh shared state and local with the edges (6) and (7) for the unbounded
 * locals of `net`. */
static hd_net *unique_initial(const hd_net *net) {
  hd_shared_id start = net->n_shared;
  hd_place_id origin = net->n_places;
  hd_net *u =
      hd_net_new(HD_FORMAT_TTS, "appendix", net->n_shared + 1, origin + 1);
  u->init_shared = start;
  u->init[origin] = (hd_init){0, HD_OMEGA};
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    assert_true(
        hd_net_add_trans(u, &(hd_trans_spec){.from = net->trans.data[t].from,
                                             .to = net->trans.data[t].to,
                                             .pre = hd_net_pre(net, t),
                                             .post = hd_net_post(net, t)}));
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (net->init[p].max == HD_OMEGA) {
      add_tedge(u, (tedge){start, origin, '-', net->init_shared, p});
      add_tedge(u, (tedge){net->init_shared, origin, '-', net->init_shared, p});
    }
  for (hd_vec_each(const hd_target, target, &net->targets))
    assert_true(hd_net_add_target(
        u, target->shared, hd_net_view(net, target->need), (hd_tokens){0}, 0));
  hd_net_finish(u);
  return u;
}

static void appendix_a_changes_nothing(void **state) {
  uint32_t several = 0;
  for (uint64_t seed = 60000; seed < 61000; seed++) {
    thread_seed = seed * 0x9E3779B97F4A7C15u;
    shape sh = {.components = 4, .loops = 50, .locals = 5, .bridges = 2};
    hd_net *net = random_row(&sh);
    for (hd_place_id p = 0; p < 1 + pick(3); p++)
      net->init[p] = (hd_init){0, HD_OMEGA};
    several += net->init[1].max == HD_OMEGA;
    add_goal(net, net->n_shared - 1, (hd_place_id[]){pick(5), pick(5)},
             1 + pick(2));
    hd_net_finish(net);
    hd_net *unique = unique_initial(net);
    assert_int_equal(verdict_of(net), verdict_of(unique));
    hd_net_delete(unique);
    hd_net_delete(net);
  }
  assert_true(several > 200);
}

/* ---- limits ---- */

static void limits_stop_the_engine(void **state) {
  hd_net *net = new_system(7, 5, figure1, 7, 6, 3);
  hd_result result = {0};
  hd_run run = {.steps = 1};
  hd_concolic_engine.run(&(hd_problem){.net = net}, &run, &result);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_non_null(result.reason);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void nothing_is_left(void **state) {
  assert_int_equal(hd_mem_current(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure1_target_64_is_safe),
      cmocka_unit_test(figure1_target_63_is_unsafe),
      cmocka_unit_test(figure1_with_six_threads_is_safe),
      cmocka_unit_test(shared_only_edges_count),
      cmocka_unit_test(spawn_parent_is_raised_to_one),
      cmocka_unit_test(initial_targets_are_seen),
      cmocka_unit_test(several_threads_in_a_target),
      cmocka_unit_test(shared_state_as_target),
      cmocka_unit_test(any_shared_state_as_target),
      cmocka_unit_test(long_counts_take_one_path),
      cmocka_unit_test(long_counts_that_fail_are_not_counted),
      cmocka_unit_test(endless_runs_are_not_written),
      cmocka_unit_test(doubling_stages_need_their_powers),
      cmocka_unit_test(rounds_behind_spaghetti_are_summarised),
      cmocka_unit_test(rows_of_simple_loops),
      cmocka_unit_test(rows_of_loops_with_spawns),
      cmocka_unit_test(rows_with_spaghetti),
      cmocka_unit_test(rows_with_spaghetti_and_spawns),
      cmocka_unit_test(loops_that_compete_for_threads),
      cmocka_unit_test(many_threads_behind_spaghetti),
      cmocka_unit_test(random_graphs),
      cmocka_unit_test(the_state_equation_may_judge),
      cmocka_unit_test(random_nets_through_the_thread_view),
      cmocka_unit_test(appendix_a_changes_nothing),
      cmocka_unit_test(limits_stop_the_engine),
      cmocka_unit_test(nothing_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
