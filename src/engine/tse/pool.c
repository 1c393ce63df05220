/* SPDX-License-Identifier: MIT */
/* Inequalities on demand.
 *
 * A program costs as much as hundreds of steps of a backward search, and
 * excludes either a whole family of configurations or nothing. Whether it pays
 * shows quickly: after each program that excludes nothing the pool lets twice as
 * many questions pass unanswered before it asks the solver again, at least a
 * few for each simplex iteration, and after one that excludes something a
 * quarter as many. So a net on which the equation has nothing to say costs a
 * number of programs that is logarithmic in the number of questions, up to the
 * largest pause. */
#include "engine/tse/pool.h"
#include "engine/tse/strengthen.h"

#define MAX_TARGETS 64 /* that are asked about */
#define MAX_PAUSE 4096
#define STEPS_PER_ITERATION 4 /* questions to let pass for one */
#define PLACE_EFFORT 100000   /* iterations for all bounds on places */

/* After so many questions the targets are tried with so much effort. */
static const struct {
  uint64_t asked, effort;
} turns[] = {{32, 0}, {4000, 500}, {30000, 4000}, {300000, 32000}};

#define N_TURNS (sizeof turns / sizeof *turns)

struct hd_tse_pool {
  const hd_net *net;
  const hd_cert *tset;
  hd_run *run;
  hd_cert *cert;
  hd_strong *strong;    /* NULL until the first turn */
  size_t turn;          /* the next one */
  uint64_t pause, wait; /* questions to let pass after the next failure; now */
  hd_tse_pool_stats stats;
};

hd_tse_pool *hd_tse_pool_new(const hd_net *net, const hd_cert *tset,
                             hd_run *run) {
  hd_tse_pool *pool = hd_calloc(1, sizeof *pool);
  pool->net = net;
  pool->tset = tset;
  pool->run = run;
  pool->cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
  return pool;
}

void hd_tse_pool_use(hd_tse_pool *pool, hd_run *run) {
  pool->run = run;
}

static void try_targets(hd_tse_pool *pool, uint64_t effort) {
  const hd_net *net = pool->net;
  if (!pool->strong)
    pool->strong = hd_strong_new(net, pool->tset, pool->cert);
  for (size_t i = 0; i < net->targets.size && i < MAX_TARGETS; i++) {
    const hd_target *target = &net->targets.data[i];
    hd_tokens need = hd_net_view(net, target->need);
    if (!hd_run_check(pool->run))
      return;
    if (!hd_eq_known(pool->cert, pool->tset, target->shared, need))
      hd_strong_exclude(pool->strong, target->shared, need, effort, pool->run,
                        NULL);
  }
}

void hd_tse_pool_delete(hd_tse_pool *pool) {
  if (!pool)
    return;
  hd_strong_delete(pool->strong);
  hd_cert_delete(pool->cert);
  hd_free(pool);
}

const hd_cert *hd_tse_pool_cert(const hd_tse_pool *pool) {
  return pool->cert;
}

hd_tse_pool_stats hd_tse_pool_get_stats(const hd_tse_pool *pool) {
  hd_tse_pool_stats stats = pool->stats;
  stats.inequalities = pool->cert->linear.size;
  return stats;
}

/* One program about one configuration. */
static bool try_one(hd_tse_pool *pool, hd_shared_id shared, hd_tokens tokens) {
  const hd_eq_stats *work = hd_eq_get_stats(hd_strong_equation(pool->strong));
  uint64_t before = work->iterations;
  pool->stats.programs++;
  hd_eq_status status =
      hd_strong_exclude(pool->strong, shared, tokens, 0, pool->run, NULL);
  if (status == HD_EQ_EXCLUDED) {
    pool->stats.excluded++;
    pool->pause /= 4;
    return true;
  }
  pool->pause = 2 * pool->pause + 1;
  if (pool->pause > MAX_PAUSE)
    pool->pause = MAX_PAUSE;
  uint64_t cost = STEPS_PER_ITERATION * (work->iterations - before);
  pool->wait = pool->pause > cost ? pool->pause : cost;
  return false;
}

bool hd_tse_pool_exclude(void *context, hd_shared_id shared, hd_tokens tokens) {
  hd_tse_pool *pool = context;
  pool->stats.asked++;
  if (pool->turn < N_TURNS && pool->stats.asked >= turns[pool->turn].asked) {
    try_targets(pool, turns[pool->turn++].effort);
    if (hd_eq_known(pool->cert, pool->tset, shared, tokens))
      return true;
  }
  if (!pool->strong)
    return false;
  if (pool->wait) {
    pool->wait--;
    return false;
  }
  return try_one(pool, shared, tokens);
}

/* --- inequalities for anybody --- */

/* Looks for a bound on `place` in any shared state, small ones only. */
static void bound_place(hd_tse_pool *pool, hd_place_id place) {
  for (hd_count n = 2; n <= 17; n = 2 * n - 1) {
    hd_token token = {.place = place, .count = n};
    hd_tokens need = {.data = &token, .size = 1};
    if (hd_eq_known(pool->cert, pool->tset, HD_ANY_SHARED, need) ||
        hd_strong_exclude(pool->strong, HD_ANY_SHARED, need, 0, pool->run,
                          NULL) == HD_EQ_EXCLUDED)
      return;
  }
}

hd_cert *hd_tse_invariants(const hd_net *net, const hd_cert *tset,
                           hd_run *run) {
  hd_tse_pool *pool = hd_tse_pool_new(net, tset, run);
  try_targets(pool, turns[N_TURNS - 2].effort);
  const hd_eq_stats *stats = hd_eq_get_stats(hd_strong_equation(pool->strong));
  uint64_t end = stats->iterations + PLACE_EFFORT;
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (stats->iterations >= end || !hd_run_check(run))
      break;
    if (net->init[p].max != HD_OMEGA)
      bound_place(pool, p);
  }
  hd_cert *cert = pool->cert;
  pool->cert = NULL;
  hd_tse_pool_delete(pool);
  return cert;
}
