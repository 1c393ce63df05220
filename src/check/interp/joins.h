/* SPDX-License-Identifier: MIT */
/* Threads whose numbers mean nothing to the program.
 *
 * A program has *nameless* threads when main alone makes them, puts their handles
 * into variables of its own (or global ones, or blocks that it allocates) that serve
 * for nothing else, and
 * reads those only to join them, all in one go: from the first such read to the
 * last join main does nothing that others notice, and asks for no results. Then it
 * makes no difference which of the handles lies where, nor how far main has come
 * with joining before all have ended: states that differ in no more than the
 * numbers of threads (other than main's, which is 0) behave the same.
 *
 * What the graph tells is found here; that main joins all of them, and each once,
 * is looked at when it begins to. */
#ifndef HD_CHECK_INTERP_JOINS_H
#define HD_CHECK_INTERP_JOINS_H

#include "check/interp/plan.h"

typedef struct hd_joins {
  uint8_t *slots;   /* of code->slots: has handles and nothing else */
  uint8_t *globals; /* likewise */
  uint8_t
      *blocks; /* edges of main whose blocks, of the heap or the stack, have */
  uint8_t *edges; /* reads of handles and joins */
} hd_joins;

/* NULL: numbers of threads may matter. The plan knows what is visible. */
hd_joins *hd_joins_find(const hd_plan *plan);
void hd_joins_delete(hd_joins *joins);

/* Is main about to join? */
bool hd_joins_at(const hd_machine *m);
/* It is: will it join every thread that can be, once, before it does anything
 * else? */
bool hd_joins_all(const hd_machine *m);

#endif
