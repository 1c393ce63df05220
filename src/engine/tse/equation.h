/* SPDX-License-Identifier: MIT */
/* The state equation of a net as a linear program, and the inductive
 * inequalities that its infeasibility gives.
 *
 * One column x_t >= 0 for each transition that may fire: how often it fires.
 * One row for each place that starts with finitely many tokens:
 *   max_p + sum_t effect_t(p) * x_t >= need_p,
 * one for each shared state: arrivals minus departures are what the initial and
 * the target's shared state say, and one for each trap Q that is known to keep
 * a token: max_Q + sum_t effect_t(Q) * x_t >= 1. A place that starts with
 * unboundedly many tokens gives no row. A move (transfer, reset) is a column of
 * its own that takes one token from a place and puts it into another.
 *
 * A program without solution gives multipliers w_p >= 0, pi_s and l_Q >= 0, and
 * these an inequality of model/evidence.h that excludes the target:
 *   pi_s + sum_p w_p * M(p) <= bound.
 * They come out of floating point and mean nothing until every condition has
 * been checked in integers; HD_EQ_EXCLUDED is returned only then. */
#ifndef HD_ENGINE_TSE_EQUATION_H
#define HD_ENGINE_TSE_EQUATION_H

#include "base/run.h"
#include "model/evidence.h"

typedef enum {
  HD_EQ_UNKNOWN = 0, /* time is up, or no exact proof came out */
  HD_EQ_POSSIBLE,    /* the equation has a rational solution */
  HD_EQ_EXCLUDED,    /* an inequality was added to the certificate */
} hd_eq_status;

typedef struct hd_eq hd_eq;

typedef struct {
  uint64_t programs;   /* linear programs solved */
  uint64_t excluded;   /* of them without solution, with an exact proof */
  uint64_t repaired;   /* proofs that needed rational elimination */
  uint64_t inexact;    /* infeasible in floating point only */
  uint64_t iterations; /* of the simplex */
  uint64_t traps;      /* trap rows added */
} hd_eq_stats;

/* The equation of `net`; `tset` (may be NULL) is a T part: transitions that are
 * not enabled within it do not exist. `cert` collects the inequalities and
 * traps; it must outlive the equation, have the net's dimensions and be empty
 * but for rows. */
hd_eq *hd_eq_new(const hd_net *net, const hd_cert *tset, hd_cert *cert);
void hd_eq_delete(hd_eq *eq);
const hd_net *hd_eq_net(const hd_eq *eq);
hd_cert *hd_eq_cert(const hd_eq *eq);
const hd_eq_stats *hd_eq_get_stats(const hd_eq *eq);

/* Can (shared | M) with M >= need be reached, as far as the equation knows?
 * `shared` may be HD_ANY_SHARED. HD_EQ_EXCLUDED comes with an inequality at the
 * end of the certificate's list that holds in every reachable configuration
 * and not in these. */
hd_eq_status hd_eq_exclude(hd_eq *eq, hd_shared_id shared, hd_tokens need,
                           hd_run *run);

/* --- after HD_EQ_POSSIBLE: the solution --- */

/* The fewest firings, as a rational number. */
double hd_eq_length(const hd_eq *eq);
/* How often the transitions with the effect of `t` fire, all together. */
double hd_eq_fired(const hd_eq *eq, hd_trans_id t);
/* Tokens at `place` at the end, when initially bounded places start with as
 * many as they can and the others with none: for those a negative number says
 * how many are taken. */
double hd_eq_marking(hd_eq *eq, hd_place_id place);
/* The shared state at the end, HD_ANY_SHARED when the solution mixes several. */
hd_shared_id hd_eq_shared(const hd_eq *eq);
/* A lower bound on the number of firings from (s | M) to the target, as a linear
 * function:  (potential[s] + sum weight[p] * M(p)) / scale,  exact for the
 * initial configuration. The caller frees potential and weight. */
void hd_eq_distance(hd_eq *eq, double scale, hd_tokens need,
                    hd_linear *distance);

/* The transitions that stand for all with the same effect. */
const hd_trans_id *hd_eq_leaders(const hd_eq *eq, size_t *n);
/* May the transitions with the effect of `t` still fire? */
bool hd_eq_open(const hd_eq *eq, hd_trans_id t);

/* --- strengthening --- */

/* Takes `t` out of the equation: some inequality in the certificate excludes
 * what it needs, or no open target can need it. */
void hd_eq_kill(hd_eq *eq, hd_trans_id t);
bool hd_eq_alive(const hd_eq *eq, hd_trans_id t);
/* Adds the row of trap number `trap` of the certificate. */
void hd_eq_add_trap(hd_eq *eq, uint32_t trap);

/* --- what is known --- */

/* True when (shared | need), and so all above it, violates the inequality;
 * `shared` is a state. */
bool hd_eq_violates(const hd_linear *linear, hd_shared_id shared,
                    hd_tokens need);
/* True when the T part `tset` (may be NULL), the T part of `cert` or one of its
 * inequalities excludes (shared | M) for all M >= need. */
bool hd_eq_known(const hd_cert *cert, const hd_cert *tset, hd_shared_id shared,
                 hd_tokens need);

#endif
