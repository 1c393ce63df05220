/* SPDX-License-Identifier: MIT */
/* Inputs as variables, in a machine that runs with values for them.
 *
 * A value that depends on an input is kept as terms over bit vectors, one for
 * each byte: the byte and its undefined bits together are the number of one
 * (terms.c). So such values go through registers, memory, copies and the bytes
 * of a state like others, and two states are equal only if their terms are. What
 * decides something (a branch, an address, an argument of the library) is worked
 * out from the values at hand, and the decision is kept: a run with other values
 * that decide all of them alike is the same run. Operations without a term, and
 * whoever needs the value itself, *pin* it: the decision is that it is what it is.
 *
 * So after a search of all runs with these values the conjunction of its
 * decisions describes values for which the same search finds the same. Other
 * values are asked from Z3 until none are left. */
#ifndef HD_ENGINE_EXPLORE_SYMBOLS_H
#define HD_ENGINE_EXPLORE_SYMBOLS_H

#include "check/interp/interp.h"

typedef hd_vec(uint64_t) hd_symbol_values;

/* --- for who searches --- */

hd_symbols *hd_symbols_new(void);
void hd_symbols_delete(hd_symbols *symbols);
/* The input at this edge is one, if it is of a kind that can be. */
void hd_symbols_mark(hd_symbols *symbols, hd_edge_id edge);
/* Can it be? Stands the thread before an input of integers? */
bool hd_symbols_may(const hd_machine *machine, hd_tid thread);
/* The choice that gives the input its value at hand; false: it is no variable. */
bool hd_symbols_choice(const hd_machine *machine, hd_tid thread,
                       uint64_t *choice);

/* Has a thread asked for so many that it may go on for ever? */
bool hd_symbols_crowded(const hd_symbols *symbols);

typedef enum {
  HD_SYMBOLS_MORE, /* other values are at hand now */
  HD_SYMBOLS_ALL,  /* there are none that would decide anything else */
  HD_SYMBOLS_OPEN, /* the solver does not know */
} hd_symbols_rest;
/* All runs with the values at hand were made; no machine is left. */
hd_symbols_rest hd_symbols_advance(hd_symbols *symbols, double seconds);

/* What was decided, in order, since the values were set. */
size_t hd_symbols_decisions(const hd_symbols *symbols);
/* Values for which the decisions before number i are as they were, and that one is
 * not; false: there are none, or the solver does not know. */
HD_MUST_USE bool hd_symbols_turn(hd_symbols *symbols, size_t i, double seconds,
                                 hd_symbol_values *values);
/* Begins again with these, and what was decided forgotten: no machine is left. */
void hd_symbols_set(hd_symbols *symbols, const hd_symbol_values *values);

#endif
