/* SPDX-License-Identifier: MIT */
/* Updates that come in any order, and critical sections that do nothing else than
 * what can be looked at edge by edge.
 *
 * An *update* adds a number to a variable (or takes away; or sets, clears, turns
 * bits) and looks at the sum no more: `count++` as a load and a store, which take
 * place under a lock, or as one atomic action. Two updates of one kind leave the
 * same, whichever comes first.
 *
 * A *plain section* is what is between a lock call and the unlocking of the same
 * lock: loads and stores without a loop, without calls. Once begun it comes to its
 * end, unless an access fails. */
#ifndef HD_MODEL_UPDATES_H
#define HD_MODEL_UPDATES_H

#include "model/code.h"

enum {
  HD_UPDATE_KIND = 7,    /* 0 = none; of one kind they come in any order */
  HD_UPDATE_ATOMIC = 8,  /* one action; else the load or the store of one */
  HD_UPDATE_BEGINS = 16, /* a call that locks: a plain section begins … */
  HD_UPDATE_INSIDE = 32, /* a load or store in there */
  HD_UPDATE_ENDS = 64,   /* … and ends */
};

/* Of each edge: HD_UPDATE_…; to be freed. */
uint8_t *hd_code_updates(const hd_code *code);

#endif
