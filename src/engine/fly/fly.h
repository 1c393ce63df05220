/* SPDX-License-Identifier: MIT */
/* Karp–Miller on the fly over a program graph (paper 001): only local states
 * that some thread really occupies are ever looked at.
 *
 * The net of a program is grown in rounds. A pair (shared, local) that is
 * occupied in some reachable configuration makes the pairs that its own steps
 * lead to occupied as well; those are followed at once. Which local states of
 * *other* threads can be there, too, is what the Karp–Miller search finds out:
 * it runs on the net so far, and the pairs that occur in its maximal
 * configurations and were not followed yet are the next round's. When a round
 * finds none, the net is the exact reachable part of the program; when a target
 * is covered, the net holds a run to it.
 *
 * Every pair is followed once, and the number of rounds is the depth of
 * interference between threads, not of the program. Where extraction by
 * thread-modular exploration (model/extract.h) drowns in combinations that
 * never occur, this does not. Paper 001 restarts nothing but has to remove
 * nondeterminism first. */
#ifndef HD_ENGINE_FLY_FLY_H
#define HD_ENGINE_FLY_FLY_H

#include "model/extract.h"
#include "model/result.h"

/* The exact reachable part of the program, or a part with a violation. NULL,
 * with a sentence in `why`, at a limit of `run` or for a program that makes
 * threads wait (km cannot treat broadcasts). Figures go to `result`. */
hd_extract *hd_fly_extract(hd_finite *finite, const hd_extract_options *options,
                           hd_run *run, hd_result *result, hd_str *why);

#endif
