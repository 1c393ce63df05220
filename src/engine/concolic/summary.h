/* SPDX-License-Identifier: MIT */
/* Presburger summaries of backward search along paths (paper 000, sections 4
 * and 5).
 *
 * Going backward through an edge changes the number n of threads wanted in a
 * local state to  max (n + delta, floor):
 *
 *   plain edge   give: max (n - 1, 0)   take: max (n + 1, 1)
 *                both the same: max (n, 1)
 *   spawn edge   give: max (n - 1, 0)   take: max (n, 1)
 *                both the same: max (n - 1, 1)
 *
 * These functions are closed under composition, so a path segment has one such
 * function for each local state (algorithm 2 with lemma 3; floor is the paper's
 * b, delta its real-edge summary), and so have kappa rounds of a loop for given
 * kappa (theorem 3). With kappa a variable, what is wanted in a local state is
 * a maximum of linear terms in the kappas: hd_summary. */
#ifndef HD_ENGINE_CONCOLIC_SUMMARY_H
#define HD_ENGINE_CONCOLIC_SUMMARY_H

#include "model/threads.h"

/* ---- functions of one counter ---- */

/* n -> max (n + delta, floor) for n >= 0; floor >= 0 and floor >= delta. */
typedef struct {
  int64_t delta, floor;
} hd_effect;

#define HD_EFFECT_NONE ((hd_effect){0, 0})

int64_t hd_effect_apply(hd_effect effect, int64_t n);
/* First `inner`, then `outer`. */
hd_effect hd_effect_compose(hd_effect outer, hd_effect inner);
/* Theorem 3: `times` >= 0 applications. */
int64_t hd_effect_repeat(hd_effect effect, int64_t n, int64_t times);
/* What going backward through `edge` does to the threads in `local`. */
hd_effect hd_effect_of(const hd_view_edge *edge, hd_place_id local);

/* The effect of a path segment on each local state it touches. */
typedef struct {
  hd_place_id local;
  hd_effect effect;
} hd_local_effect;
typedef hd_vec(hd_local_effect) hd_segment; /* in order of first touch */

/* Prolongs a segment backward by `edge`. */
void hd_segment_add(hd_segment *segment, const hd_view_edge *edge);
hd_effect hd_segment_at(const hd_segment *segment, hd_place_id local);

/* ---- what is wanted in all local states, with the kappas as variables ---- */

/* The most loops on a path; longer ones are left to explicit search. */
#define HD_MAX_LOOPS 16

/* c[0] + c[1] k1 + c[2] k2 + … with k_i = kappa_i - 1 >= 0. */
typedef struct {
  hd_place_id local;
  int64_t c[HD_MAX_LOOPS + 1];
} hd_summary_term;

/* The threads wanted in a local: the maximum of its terms and 0. Terms are
 * sorted by local; none is below another of its local for all k >= 0. */
typedef struct {
  hd_vec(hd_summary_term) terms;
  uint32_t n_loops;
} hd_summary;

void hd_summary_free(hd_summary *summary);
void hd_summary_copy(hd_summary *into, const hd_summary *from);
/* Constant counts; locals with available[l] = HD_OMEGA are never short of
 * threads and are left out, here and below. */
void hd_summary_start(hd_summary *summary, hd_tokens need,
                      const hd_count *available);
/* Backward through `edge`. False when a count passes HD_COUNT_MAX. */
HD_MUST_USE bool hd_summary_edge(hd_summary *summary, const hd_view_edge *edge,
                                 const hd_count *available);
/* Backward through a loop kappa >= 1 times, kappa a new variable; `round` is
 * the effect of going round once. False as above. Needs n_loops below
 * HD_MAX_LOOPS. */
HD_MUST_USE bool hd_summary_loop(hd_summary *summary, const hd_segment *round,
                                 const hd_count *available);
/* Could going round help? Only if it can lower some counter. */
bool hd_summary_loop_helps(const hd_summary *summary, const hd_segment *round,
                           const hd_count *available);
/* small <= large in every local for all values of the variables. (Sufficient;
 * which loops the variables stand for does not matter.) */
bool hd_summary_covers(const hd_summary *large, const hd_summary *small);
/* The value at `local` for given k's. */
int64_t hd_summary_value(const hd_summary *summary, hd_place_id local,
                         const int64_t *k);

#endif
