/* SPDX-License-Identifier: MIT */
/* Proofs by a closed set of states of all threads together, made by the judge's own
 * rules: its evaluator and values (check/notes), its names of the library, its locks;
 * nothing of the machine (check/interp) or the engines.
 *
 * A state has every thread just behind a visible action: an atomic access, a lock,
 * the creation or the end of a thread. A move is all that one thread does up to and
 * with its next visible action. What it does before that action is plain accesses,
 * which are looked at for races: the plain accesses that two threads are about to make
 * in one state must not touch. docs/evidence.md says why these moves are enough, and
 * what makes a state free of deadlocks.
 *
 * Values are single numbers and addresses, ranges of numbers, or anything; where a
 * condition may go either way both are followed. What is not known by name, may be
 * undefined, or would need a weak order of atomic accesses refuses the proof. */
#ifndef HD_CHECK_JOINT_H
#define HD_CHECK_JOINT_H

#include "base/run.h"
#include "model/code.h"
#include "model/property.h"

/* The graph has operands in one order; where C leaves it open nothing is proved. */
#define HD_UNORDERED_OPERANDS                                                  \
  "operands may use the same memory in an order that C leaves open"

typedef struct {
  uint64_t states, moves, steps;
  size_t threads;            /* the most that were there at once */
  size_t locations, reached; /* of all functions; somebody came there */
  bool closed;               /* all states were seen */
} hd_joint_walked;

/* Those of `asked` that hold in all states, of which there are at most `most`; 0, with
 * a reason in `why`, when it cannot be told. A race leaves nothing proved: other
 * executions than these are possible then. */
hd_properties hd_joint_judge(const hd_code *code, hd_properties asked,
                             uint64_t most, hd_run *run, hd_joint_walked *out,
                             hd_str *why);

#endif
