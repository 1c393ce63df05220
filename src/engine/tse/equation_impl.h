/* SPDX-License-Identifier: MIT */
/* The inside of hd_eq, shared by equation.c and proof.c. */
#ifndef HD_ENGINE_TSE_EQUATION_IMPL_H
#define HD_ENGINE_TSE_EQUATION_IMPL_H

#include "engine/tse/equation.h"
#include "solve/lp.h"

#define HD_EQ_NONE UINT32_MAX

/* Invariants, asserted where they are used:
 *   I1  a transition has a column iff it is alive at the start and has an effect
 *       on a shared state or on an initially bounded place
 *   I2  transitions share a column only if their effects on all shared states
 *       and all initially bounded places agree
 *   I3  a column is open (may be above zero) iff one of its users is alive
 *   I4  a bounded place without row never loses tokens to a live transition */
struct hd_eq {
  const hd_net *net;
  const hd_cert *tset;
  hd_cert *cert;
  hd_lp *lp;
  uint32_t *place_row;   /* HD_EQ_NONE: unbounded, or not yet needed (I4) */
  uint32_t *shared_row;  /* HD_EQ_NONE where there is only one shared state */
  uint32_t *col;         /* of a transition, or HD_EQ_NONE (I1) */
  uint32_t n_cols;       /* columns of transitions; those of moves follow */
  hd_u32s leader;        /* of a column: its first transition */
  uint32_t *users;       /* of a column: live transitions (I3) */
  uint64_t *alive;       /* bits over transitions */
  hd_vec(hd_move) moves; /* of transitions alive at the start, each once */
  hd_u32s trap_row;      /* of the certificate's traps, or HD_EQ_NONE */
  hd_u32s asked;         /* places the last target asked for */
  hd_shared_id target;   /* shared state of the last target */
  double *marking;       /* n_places, of the last solution, once computed */
  bool marking_known;
  uint64_t work; /* of the last program, in hd_run's steps */
  double *y;     /* scratch: multipliers of the rows */
  int64_t *z;
  size_t y_cap;
  hd_eq_stats stats;
};

/* May a run that covers the target end in shared state `s`? */
bool hd_eq_may_end(const hd_eq *eq, hd_shared_id s, hd_shared_id shared,
                   hd_tokens need);

/* After HD_LP_INFEASIBLE: multipliers made exact, checked in integers and put
 * into the certificate; HD_EQ_UNKNOWN when that fails. */
hd_eq_status hd_eq_prove(hd_eq *eq, hd_shared_id shared, hd_tokens need);

#endif
