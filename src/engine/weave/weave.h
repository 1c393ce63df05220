/* SPDX-License-Identifier: MIT */
/* Few threads, data without bounds: proves assertions of programs with two to six
 * threads, main among them, whose loops have no bound and whose memory is at places
 * that are known.
 *
 *   threads   each thread as a graph, calls expanded, places once for each value of
 *             what addresses and locks are computed from (threads.c, known.c)
 *   product   where all of them stand, in as few orders as are needed: a thread
 *             whose next action conflicts with nothing that others may still do
 *             goes first; where assertions come behind all joins only, threads
 *             that do not meet go round their loops in lock-step (product.c)
 *   zones     bounds of variables and differences wherever all stand (zones.c)
 *   affine    equations there (affine.c)
 *   clauses   what may fail by these, to Z3; and a Horn clause for each step, to
 *             its Spacer (clauses.c)
 *
 * Integers are those of mathematics, with the right remainder; where it counts which
 * number one is, that it is the right one is part of what is proved. SAFE holds for
 * all inputs and all interleavings. Never UNSAFE. */
#ifndef HD_ENGINE_WEAVE_WEAVE_H
#define HD_ENGINE_WEAVE_WEAVE_H

#include "base/run.h"
#include "model/code.h"
#include "model/result.h"

/* Is the program of that form? */
bool hd_weave_applies(const hd_code *code);
/* About assertions, only. `result` is all zero; the caller frees it.
 * `malloc_fails`: it may. */
void hd_weave_prove(const hd_code *code, bool malloc_fails, hd_run *run,
                    hd_result *result);

#endif
