/* SPDX-License-Identifier: MIT */
/* Registers and slots that may still be read: what the others hold is no part of a
 * state. */
#ifndef HD_MODEL_LIVE_H
#define HD_MODEL_LIVE_H

#include "model/code.h"

typedef struct hd_live hd_live;

hd_live *hd_live_new(const hd_code *code);
void hd_live_delete(hd_live *live);
/* May register `reg` of the function be read from location `loc` on, before it
 * is assigned? */
bool hd_live_at(const hd_live *live, hd_loc_id loc, hd_reg_id reg);
/* May slot number `slot` of the function be read, before all of it is written? */
bool hd_live_slot(const hd_live *live, hd_loc_id loc, uint32_t slot);
/* The same for all registers: a set, NULL when every one counts. */
const uint64_t *hd_live_set(const hd_live *live, hd_loc_id loc);
/* … once the call `edge`, which is being executed, has returned? */
bool hd_live_after(const hd_live *live, hd_edge_id edge, hd_reg_id reg);

#endif
