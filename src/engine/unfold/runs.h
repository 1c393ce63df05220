/* SPDX-License-Identifier: MIT */
/* Private to this folder: what loops do to arrays.
 *
 * A *run* says about the elements of an array from a fixed index up to (or down
 * to) one that a register gives: each of them has a value in this set. A loop
 * that fills an array extends the run by one element a round, and counting on
 * moves its end, so that the run is the same in every round. It is segmentation
 * (Cousot, Cousot, Logozzo 2011) with a single bound that moves; the elements
 * behind it are the cells of the memory.
 *
 * Runs belong to a frame and to a segment. Before anybody else can write to the
 * array, at calls and visible actions, they are settled: the elements that are
 * certainly in a run are narrowed to its values, and the run is forgotten.
 *
 * They are looked for where relations are (analysis.relate). */
#ifndef HD_ENGINE_UNFOLD_RUNS_H
#define HD_ENGINE_UNFOLD_RUNS_H

#include "engine/unfold/state.h"

/* The value was written to / read from the address that the expression gives. */
void hd_runs_stored(analysis *a, thread_id thread, local *l,
                    hd_cexpr_id address, const hd_value *valid, uint32_t bytes,
                    const hd_value *value);
hd_value hd_runs_loaded(analysis *a, thread_id thread, const local *l,
                        hd_cexpr_id address, const hd_value *valid,
                        uint32_t bytes, hd_value value);
/* The runs of a register that becomes the sum of itself and `by`; they are to be
 * put back when it has its value. */
typedef struct {
  uint32_t n;
  array_run *runs;
} moved_runs;
moved_runs hd_runs_take(const analysis *a, const local *l, hd_reg_id reg,
                        hd_cexpr_id expr, const hd_value *value);
void hd_runs_put(local *l, moved_runs *moved);

void hd_runs_settle(local *l);
/* Completes a join: of the top frames. */
void hd_runs_join(local *out, const local *x, const local *y,
                  const hd_widening *widen);

#endif
