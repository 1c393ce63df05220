/* SPDX-License-Identifier: MIT */
/* Few threads, data without bounds: proves assertions of programs with two to six
 * threads that are each created in one place, whose loops have no bound and whose
 * variables are integers.
 *
 *   threads   each thread as a graph, calls expanded (threads.c)
 *   product   where all of them stand, in as few orders as are needed: a thread
 *             whose next action conflicts with nothing that others may still do
 *             goes first; where assertions come behind all joins only, threads
 *             that do not meet go round their loops in lock-step (product.c)
 *   affine    equations that hold wherever all stand (affine.c)
 *   clauses   a Horn clause for each step, to Z3's Spacer (clauses.c)
 *
 * Integers are those of mathematics; that none leaves its type is part of what is
 * proved. SAFE holds for all inputs and all interleavings. Never UNSAFE. */
#ifndef HD_ENGINE_WEAVE_WEAVE_H
#define HD_ENGINE_WEAVE_WEAVE_H

#include "base/run.h"
#include "model/code.h"
#include "model/result.h"

/* Is the program of that form? */
bool hd_weave_applies(const hd_code *code);
/* About assertions, only. `result` is all zero; the caller frees it. */
void hd_weave_prove(const hd_code *code, hd_run *run, hd_result *result);

#endif
