/* SPDX-License-Identifier: MIT */
/* The strongest invariant of all pairs of threads that some predicates can
 * say. */
#ifndef HD_ENGINE_PAIRS_PROOF_H
#define HD_ENGINE_PAIRS_PROOF_H

#include "engine/pairs/predicates.h"

typedef struct {
  bool proved;
  const pstep *failing; /* a step that may fail, as far as is known; or NULL */
  const char *reason;   /* why it stopped; NULL: it came to its end */
  uint64_t questions, models;
  size_t pairs, rules;
} pproof;

/* `left`, if not NULL, gets what could not be excluded, and `proved` says that the
 * rest is inductive; else nothing may be left.
 * What the system's deeds show to be apart is noted in `meetings`, which may be
 * NULL, once the rest is proved. */
void hd_pairs_saturate(const psystem *system, const ppredicates *predicates,
                       hd_run *run, hd_bv *bv, pproof *proof,
                       pmeetings *meetings, pfailures *left);

#endif
