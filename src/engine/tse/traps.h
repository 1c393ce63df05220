/* SPDX-License-Identifier: MIT */
/* Traps: sets of places and shared states that, once they hold a token, always
 * do: every transition that takes from the set also gives to it. A trap that
 * holds a token initially is a constraint the state equation does not know. */
#ifndef HD_ENGINE_TSE_TRAPS_H
#define HD_ENGINE_TSE_TRAPS_H

#include "engine/tse/equation.h"

/* After HD_EQ_POSSIBLE: looks for initially marked traps that the solution
 * leaves (nearly) empty, adds them to the certificate and to the equation.
 * Returns how many; 0 means that no trap contradicts the solution, or that none
 * was found. */
uint32_t hd_traps_refute(hd_eq *eq, hd_run *run);

#endif
