/* SPDX-License-Identifier: MIT */
/* Private to this folder: trace partitioning. States that come to a visible action,
 * or to a place where paths meet, are not joined as long as they differ in what an
 * alarm depends on: registers that are constants, and cells of global variables.
 *
 * What that is, is found by a look at the program, in levels: first what is tested
 * in the functions of the alarms; then, with each level, what is tested in the
 * functions that write to the cells found so far, and what is written there. */
#ifndef HD_ENGINE_UNFOLD_APART_H
#define HD_ENGINE_UNFOLD_APART_H

#include "engine/unfold/state.h"

enum {
  MAX_APART_CELLS = 24,
  MAX_APART_STOPS = 16,  /* of one action */
  MAX_APART_STATES = 24, /* at one place */
  MAX_APART_ROUNDS = 6,  /* before what is kept apart is widened, too */
};

struct apart {
  uint64_t *regs;  /* of all functions, a bitset */
  uint64_t *funcs; /* whose tests matter, likewise */
  uint32_t n;
  struct {
    hd_global_id global;
    uint32_t offset, bytes;
  } cells[MAX_APART_CELLS];
};

/* One more level, for alarms about these properties (NULL: nothing is added). False:
 * there is nothing more to be kept apart. A zeroed `set` is not ready yet. */
bool hd_apart_grow(apart *set, const hd_code *code,
                   const hd_unfold_result *result, hd_properties properties);
void hd_apart_free(apart *set);

/* In how much of it two states of the same control differ; 0 if nothing is to be
 * kept apart. */
uint32_t hd_apart_difference(analysis *a, const local *x, const local *y);

/* A thread comes to a stop where it has been before, in state `old`: what its last
 * segment, with this stamp, has done since is widened, so that loops over events
 * end. What is to be kept apart is not, unless `all`. */
void hd_apart_widen(analysis *a, stop *at, const local *old, hd_stamp stamp,
                    bool all);

#endif
