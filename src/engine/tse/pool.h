/* SPDX-License-Identifier: MIT */
/* The state equation as a helper of other engines: a pool of inductive
 * inequalities that grows on demand.
 *
 * Wiring it to bws:
 *   hd_tse_pool *pool = hd_tse_pool_new(net, tset, run);
 *   problem.invariants = hd_tse_pool_cert(pool);
 *   problem.exclude = hd_tse_pool_exclude;
 *   problem.exclude_context = pool;
 * The pool outlives the engine's run. */
#ifndef HD_ENGINE_TSE_POOL_H
#define HD_ENGINE_TSE_POOL_H

#include "engine/engine.h"

typedef struct hd_tse_pool hd_tse_pool;

typedef struct {
  uint64_t asked;        /* calls of hd_tse_pool_exclude */
  uint64_t programs;     /* of them answered by a linear program */
  uint64_t excluded;     /* of these, with a new inequality */
  uint64_t inequalities; /* in the pool, those about targets included */
} hd_tse_pool_stats;

/* An empty pool for `net` (with a T part, or NULL). Nothing is computed until
 * the first questions have come, so that a search that is over at once pays
 * nothing. The arguments are borrowed until hd_tse_pool_delete. */
hd_tse_pool *hd_tse_pool_new(const hd_net *net, const hd_cert *tset,
                             hd_run *run);
void hd_tse_pool_delete(hd_tse_pool *pool);
/* From now on this run has the limits. */
void hd_tse_pool_use(hd_tse_pool *pool, hd_run *run);
/* The inequalities, with the traps they use; grows at its end only. */
const hd_cert *hd_tse_pool_cert(const hd_tse_pool *pool);
hd_tse_pool_stats hd_tse_pool_get_stats(const hd_tse_pool *pool);

/* hd_problem's `exclude`: true when the state equation excludes (shared | M) for
 * all M >= tokens; an inequality that says so is then in the pool. At some
 * points it first asks about the net's targets, with more strengthening each
 * time. Programs that exclude nothing make it ask the solver less often. */
bool hd_tse_pool_exclude(void *pool, hd_shared_id shared, hd_tokens tokens);

/* Inequalities for anybody: about the targets, and bounds on single places.
 * The caller owns the certificate; it has no rows and relies on `tset`. */
hd_cert *hd_tse_invariants(const hd_net *net, const hd_cert *tset, hd_run *run);

#endif
