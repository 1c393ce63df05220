/* SPDX-License-Identifier: MIT */
/* Runs of a thread system, at random: states that occur need not be asked for. */
#ifndef HD_ENGINE_PAIRS_SIMULATE_H
#define HD_ENGINE_PAIRS_SIMULATE_H

#include "engine/pairs/system.h"

/* Two threads at places a <= b, the first is OF_FIRST in the lookup. */
typedef void (*pon_state)(void *context, uint32_t a, uint32_t b, plookup lookup,
                          void *state);

typedef struct psimulation psimulation;

psimulation *hd_pairs_simulation_new(const psystem *system, pon_state visit,
                                     void *context);
/* A step that fails just ends the run, and is not reported. */
void hd_pairs_simulation_go_on(psimulation *simulation);
void hd_pairs_simulation_delete(psimulation *m);

/* Some runs from the start. A step that fails and can be taken, or NULL. */
const pstep *hd_pairs_simulate(psimulation *m, hd_run *run);
/* A run from a state with up to three threads (HD_NO_ID = none). */
const pstep *hd_pairs_simulate_from(psimulation *m, const uint32_t places[3],
                                    plookup lookup, void *state);

#endif
