/* SPDX-License-Identifier: MIT */
/* Globals whose value may still be read: what the others hold is no part of a
 * state, although all threads see them. */
#ifndef HD_MODEL_LIVE_GLOBALS_H
#define HD_MODEL_LIVE_GLOBALS_H

#include "model/code.h"

typedef struct hd_live_globals hd_live_globals;

hd_live_globals *hd_live_globals_new(const hd_code *code);
void hd_live_globals_delete(hd_live_globals *live);
/* Of a set of globals: the number of its words. */
size_t hd_live_globals_words(const hd_live_globals *live);
/* Is this global among those that can be found dead? Then it has a bit. */
bool hd_live_globals_has(const hd_live_globals *live, hd_global_id global,
                         uint32_t *bit);
/* Adds those that a thread with a frame at `loc` (of the call that it waits for,
 * when it does) may read before it has written them, until the frame is left. */
void hd_live_globals_at(const hd_live_globals *live, hd_loc_id loc,
                        uint64_t *set);

#endif
