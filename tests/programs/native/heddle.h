/* SPDX-License-Identifier: MIT */
/* What a program may ask of the verifier, for native runs. */
#ifndef HEDDLE_H
#define HEDDLE_H

/* Any value from lo to hi, both included. */
int heddle_nondet_int(int lo, int hi);
/* Runs in which the condition is 0 do not count. */
void heddle_assume(int condition);
/* The condition is not 0. */
void heddle_assert(int condition);
/* No other thread moves between begin and end. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

#endif
