/* SPDX-License-Identifier: MIT */
/* Inequalities on demand.
 *
 * A program costs as much as hundreds of comparisons in a backward search, and
 * excludes either a whole family of configurations or nothing. Whether it pays
 * shows quickly: after each program that excludes nothing the pool lets twice as
 * many questions pass unanswered before it asks the solver again, and after one
 * that excludes something a quarter as many. So a net on which the equation has
 * nothing to say costs a number of programs that is logarithmic in the number
 * of questions, up to the largest pause. */
#include "engine/tse/pool.h"
#include "engine/tse/strengthen.h"

#define TARGET_EFFORT 2000 /* simplex iterations for a target, at the start */
#define MAX_TARGETS 64     /* that the start looks at */
#define MAX_PAUSE 4096
#define PLACE_EFFORT 100000 /* iterations for all bounds on places */

struct hd_tse_pool {
  const hd_net *net;
  const hd_cert *tset;
  hd_run *run;
  hd_cert *cert;
  hd_strong *strong;
  uint64_t pause, wait; /* questions to let pass after the next failure; now */
  hd_tse_pool_stats stats;
};

/* True when every target is excluded in the end. */
static bool exclude_targets(hd_tse_pool *pool) {
  const hd_net *net = pool->net;
  bool all = true;
  for (size_t i = 0; i < net->targets.size; i++) {
    const hd_target *target = &net->targets.data[i];
    hd_tokens need = hd_net_view(net, target->need);
    if (hd_eq_known(pool->cert, pool->tset, target->shared, need))
      continue;
    hd_eq_status status = HD_EQ_UNKNOWN;
    if (i < MAX_TARGETS && hd_run_check(pool->run))
      status = hd_strong_exclude(pool->strong, target->shared, need,
                                 TARGET_EFFORT, pool->run, NULL);
    all = all && status == HD_EQ_EXCLUDED;
  }
  return all;
}

hd_tse_pool *hd_tse_pool_new(const hd_net *net, const hd_cert *tset,
                             hd_run *run, bool *targets_out) {
  hd_tse_pool *pool = hd_calloc(1, sizeof *pool);
  pool->net = net;
  pool->tset = tset;
  pool->run = run;
  pool->cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
  pool->strong = hd_strong_new(net, tset, pool->cert);
  bool all = exclude_targets(pool);
  if (targets_out)
    *targets_out = all;
  return pool;
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

bool hd_tse_pool_exclude(void *context, hd_shared_id shared, hd_tokens tokens) {
  hd_tse_pool *pool = context;
  pool->stats.asked++;
  if (pool->wait) {
    pool->wait--;
    return false;
  }
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
  pool->wait = pool->pause;
  return false;
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
  hd_tse_pool *pool = hd_tse_pool_new(net, tset, run, NULL);
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
