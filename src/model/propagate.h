/* SPDX-License-Identifier: MIT */
/* Constant and copy propagation on a program graph, exact for any number of
 * threads.
 *
 *   shared   a shared variable that starts with a known value and to which
 *            nothing else is ever assigned is that constant. Whether something
 *            else is, is decided optimistically: all candidates are assumed to
 *            be constant until an edge that can be taken says otherwise.
 *   local    at each location: local variables that have the same value
 *            whenever a thread is there, and those that equal another local
 *            variable. Assignments, conditions (`assume x` makes x 1) and
 *            SPAWN edges, which copy the locals, tell.
 *
 * Facts are invariants of all runs: in any real run, an expression and what it
 * was replaced by have the same values. So a run of the result is a run of the
 * original, edge by edge. */
#ifndef HD_MODEL_PROPAGATE_H
#define HD_MODEL_PROPAGATE_H

#include "model/program.h"

typedef struct {
  size_t shared;  /* shared variables found constant */
  size_t reads;   /* reads of variables replaced by constants */
  size_t copies;  /* reads of variables replaced by what they are copies of */
  size_t removed; /* edges that can never be taken */
} hd_propagated;

/* A copy of `program` with the same variables, locations and edge numbers and
 * simplified expressions. Edges that can never be taken are in no location's
 * list; in `edges` they stand as steps that stay where they are with condition
 * 0, without assignments. All variables have one bit. */
hd_program *hd_program_propagate(const hd_program *program,
                                 hd_propagated *count);
#endif
