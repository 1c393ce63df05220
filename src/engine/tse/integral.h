/* SPDX-License-Identifier: MIT */
/* The state equation over the integers, decided by an SMT solver: the paper's
 * own way, kept for what rational numbers cannot say, and as the measure for
 * the linear program (bench/equation.c). */
#ifndef HD_ENGINE_TSE_INTEGRAL_H
#define HD_ENGINE_TSE_INTEGRAL_H

#include "engine/tse/equation.h"

typedef enum {
  HD_INTEGRAL_UNKNOWN = 0,
  HD_INTEGRAL_POSSIBLE,
  HD_INTEGRAL_NONE, /* no integer solution: unreachable, without certificate */
} hd_integral_status;

/* Is there an integer solution for the target, with the traps and without the
 * dead transitions of `eq`? `seconds` <= 0: no limit. */
hd_integral_status hd_eq_integral(const hd_eq *eq, hd_shared_id shared,
                                  hd_tokens need, double seconds);

#endif
