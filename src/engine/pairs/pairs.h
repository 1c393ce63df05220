/* SPDX-License-Identifier: MIT */
/* Invariants of pairs of threads: proves the assertions of C programs for any
 * number of threads, with integers that are not bounded by the program.
 *
 * Other engines for any number of threads either count threads in states of
 * finitely many values (model/small.h), or know one interval for each variable
 * (modular). Both fail where it is a relation that counts: `value > seen`, a
 * ticket that only one thread has, a lock made of an integer that protects
 * another one. Here what is known is said by predicates over the shared
 * variables and the variables of one or two threads, decided by Z3 bit for bit,
 * with wrap-around.
 *
 *   system      the program as steps (system.h); what is not of that form is
 *               refused
 *   predicates  from the program's conditions and assignments and by weakest
 *               preconditions (predicates.h)
 *   proof       the strongest inductive statement about all pairs of threads
 *               that clauses of two predicates can make (proof.h); when a step
 *               that fails is still possible, again with more predicates
 *
 * Why pairs and not a counter abstraction of the predicates: with one thread's
 * predicates alone the tickets of two waiting threads could be the same, and a
 * write to a shared variable would have to be a broadcast to all others. Two
 * threads see both, and exclusion by any kind of lock is a fact about two.
 *
 *
 * What that cannot say are numbers of threads: `count == N * K` when all were
 * joined. Where it ends without a proof, sums over all threads are tried
 * (tally.h).
 *
 * SAFE: the statement holds for any number of threads, and no step can fail. It
 * is the result of questions that the solver all answered with no. Never UNSAFE:
 * a step that may fail is UNKNOWN, with its line. It ends since there are
 * finitely many levels, predicates and clauses. */
#ifndef HD_ENGINE_PAIRS_PAIRS_H
#define HD_ENGINE_PAIRS_PAIRS_H

#include "base/run.h"
#include "model/code.h"
#include "model/result.h"

/* About assertions, only. `result` is all zero; the caller frees it.
 * `malloc_fails`: it may. */
void hd_pairs_prove(const hd_code *code, bool malloc_fails, hd_run *run,
                    hd_result *result);

/* Two actions that somebody fears a race of. */
typedef struct {
  hd_edge_id a, b;
} hd_pairs_fear;

/* SAFE: no two threads are ever about to do two such actions with the same bytes.
 * What else there is to fear is for the caller to know, and that it is enough to
 * look at neighbours (hd_code_weak_order). */
void hd_pairs_keep_apart(const hd_code *code, bool malloc_fails,
                         const hd_pairs_fear *fears, size_t n, hd_run *run,
                         hd_result *result);

#endif
