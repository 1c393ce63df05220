/* SPDX-License-Identifier: MIT */
/* The phase form of a net: its shared state also remembers which of some sets
 * of places and shared states have been given a token so far.
 *
 * With sets K0, K1, … the phase is a number whose bit i says that some
 * transition has led into Ki: by its new shared state, its post tokens or a
 * move. Shared state s in phase h is number h * n_shared + s, a copy of
 * transition t in phase h is number h * n_trans + t, of target g number
 * h * n_targets + g; phase 0 is as the net itself. Nothing else changes: the
 * runs are the same. As long as bit i is not set, a set Ki that starts empty is
 * empty; that is what proofs use it for. */
#ifndef HD_MODEL_PHASES_H
#define HD_MODEL_PHASES_H

#include "model/net.h"

/* A set of places (n_places bits) and of shared states (n_shared bits). */
typedef struct {
  uint64_t *places, *shared;
} hd_phase;

#define HD_MAX_PHASES 6 /* sets, so 2^6 copies */

/* The phase form of `net`. NULL, with a sentence in `why`, when there are too
 * many sets, or the result would have too many states or transitions. */
hd_net *hd_phases(const hd_net *net, const hd_phase *sets, size_t n,
                  hd_str *why);
/* The phase after `t` fired in phase `h`. */
uint32_t hd_phases_after(const hd_net *net, const hd_phase *sets, size_t n,
                         hd_trans_id t, uint32_t h);

#endif
