/* SPDX-License-Identifier: MIT */
/* Excluding a configuration with all that is known to strengthen the state
 * equation, in a way that leaves a certificate:
 *
 *   traps   the solution empties a trap that cannot be emptied: a new row
 *   stages  the solution fires a transition whose own precondition the equation
 *           excludes: that transition never fires, its column goes, and every
 *           later inequality may increase under it
 *
 * Both are repeated until the equation has no solution, or has one that neither
 * refutes, or the effort is spent. What was tried for each transition is
 * remembered, so that many targets cost little more than one. */
#ifndef HD_ENGINE_TSE_STRENGTHEN_H
#define HD_ENGINE_TSE_STRENGTHEN_H

#include "engine/tse/equation.h"

typedef struct hd_strong hd_strong;

/* The equation of a problem with its memory; as hd_eq_new. */
hd_strong *hd_strong_new(const hd_net *net, const hd_cert *tset, hd_cert *cert);
void hd_strong_delete(hd_strong *strong);
hd_eq *hd_strong_equation(hd_strong *strong);
/* Transitions shown never to fire. */
uint64_t hd_strong_dead(const hd_strong *strong);

/* As hd_eq_exclude, but the inequality need not be the last one. `effort` bounds
 * the work, counted in simplex iterations (those of programs with many thousand
 * columns count for more) and spent even when the answer is HD_EQ_POSSIBLE; 0:
 * one program, no strengthening. `*settled`, if not NULL, says that more effort
 * would not help. After HD_EQ_POSSIBLE the equation holds a solution for the
 * target. */
hd_eq_status hd_strong_exclude(hd_strong *strong, hd_shared_id shared,
                               hd_tokens need, uint64_t effort, hd_run *run,
                               bool *settled);

#endif
