/* SPDX-License-Identifier: MIT */
/* Proofs by sums over all threads (sums.h) and facts about single ones, each
 * making the other stronger:
 *
 *   facts   conditions that hold of every thread at a spot; of many candidates
 *           those that are left when what a step breaks was given up, with the
 *           sums as premise;
 *   sums    that no step changes, with the facts as premise.
 *
 * Both are inductive in the end, so a step that fails and contradicts them cannot
 * be made, by any number of threads. */
#ifndef HD_ENGINE_PAIRS_TALLY_H
#define HD_ENGINE_PAIRS_TALLY_H

#include "engine/pairs/system.h"
#include "solve/bits.h"

typedef struct {
  bool proved;
  const pstep *failing; /* a step that may fail, as far as is known; or NULL */
  bool inductive; /* what is known holds, unless something of `left` … */
  pfailures left; /* … happened before */
  size_t sums, facts;
  uint64_t questions;
} ptally;

/* `meetings`: see hd_pairs_saturate. */
void hd_pairs_tally(const psystem *system, hd_run *run, hd_bv *bv,
                    ptally *tally, pmeetings *meetings);

#endif
