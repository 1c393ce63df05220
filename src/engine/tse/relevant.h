/* SPDX-License-Identifier: MIT */
/* What the counting need not look at: transitions that T excludes, or into shared
 * states from which no target's shared state can be reached; and places from
 * which neither a transition that counts nor a target takes. */
#ifndef HD_ENGINE_TSE_RELEVANT_H
#define HD_ENGINE_TSE_RELEVANT_H

#include "base/bitset.h"
#include "model/evidence.h"

/* Sets the bits of the transitions that count and of the places that matter, in
 * two bitsets that are empty. `tset` (may be NULL) is a T part. */
void hd_find_relevant(const hd_net *net, const hd_cert *tset, uint64_t *counts,
                      uint64_t *matters);

#endif
