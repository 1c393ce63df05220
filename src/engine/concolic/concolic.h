/* SPDX-License-Identifier: MIT */
/* concolic: loops summarised, not explored (paper 000, complete and exact).
 *
 * Every run of a thread system is a walk over its shared states. The walks are
 * cut at the strongly connected components (quotient.h). Backward search along
 * a path through components that are single states or single loops is a
 * system of linear inequalities in the numbers of rounds (summary.h), solved in
 * closed form or by Z3 (counts.h); these paths are tried first (paths.h). What
 * goes through other components is searched explicitly, all such paths at once
 * (sweep.h; the engine bws for nets that are no thread systems).
 *
 * UNSAFE: the rounds are unrolled into a run, which is replayed. SAFE: every
 * path was excluded; a certificate is added where one is found within bounds,
 * otherwise `reason` says how it is known. */
#ifndef HD_ENGINE_CONCOLIC_CONCOLIC_H
#define HD_ENGINE_CONCOLIC_CONCOLIC_H

#include "engine/engine.h"

extern const hd_engine hd_concolic_engine;

/* For --explain: which paths there are, and for each how often its loops are
 * taken and why, or which local state's equation fails. `run` limits it. */
void hd_concolic_explain(const hd_problem *problem, hd_run *run, hd_str *out);

/* For `show --quotient`: a DOT digraph of the expanded diagram and, beside it,
 * its quotient; simple and spaghetti components are marked, and the path of
 * `witness` (may be NULL). False, with a sentence in `why`, when the net has no
 * thread view. */
HD_MUST_USE bool hd_concolic_draw(const hd_net *net, const hd_witness *witness,
                                  hd_str *out, hd_str *why);

#endif
