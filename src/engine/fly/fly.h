/* SPDX-License-Identifier: MIT */
/* Karp–Miller on the fly over a program graph (paper 001, algorithm 3): the
 * search of engine/km over an open system whose transitions are the steps of
 * the program. A pair (shared state, local state) is executed when a
 * configuration has a thread there for the first time; counters exist for local
 * states that are occupied, and only for them.
 *
 * When the search is complete, its maximal configurations are a certificate
 * about the net of the pairs executed; the net is then the exact reachable part
 * of the program. When a thread can violate an assertion, the net of the pairs
 * executed until then holds a run to it.
 *
 * Where extraction by thread-modular exploration (model/extract.h) drowns in
 * combinations that never occur, this does not. */
#ifndef HD_ENGINE_FLY_FLY_H
#define HD_ENGINE_FLY_FLY_H

#include "engine/engine.h"
#include "model/extract.h"

/* The net of what was executed, with the verdict and its evidence about that
 * net, and figures, in `result`. NULL, with a sentence in `why`, at a limit of
 * `run` or for a program with broadcasts. With options->portable, or where a
 * witness is too long, there is a net without a verdict. */
hd_extract *hd_fly_run(hd_finite *finite, const hd_extract_options *options,
                       hd_km_order order, hd_run *run, hd_result *result,
                       hd_str *why);

#endif
