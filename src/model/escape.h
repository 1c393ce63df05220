/* SPDX-License-Identifier: MIT */
/* Which variables in memory can still be reached when their block has ended. */
#ifndef HD_MODEL_ESCAPE_H
#define HD_MODEL_ESCAPE_H

#include "model/code.h"

/* A slot of a block inside a function whose address goes further than to accesses
 * and to library functions that forget it; NULL: there is none. Only
 * the interpreter sees uses of such a slot after the end of its block. */
const hd_slot *hd_code_ends_early(const hd_code *code);

/* Is there an atomic access that orders less than its kind can, or a trylock?
 * Then two accesses can race that no run has next to each other. The edge, or
 * HD_NO_ID. */
hd_edge_id hd_code_weak_order(const hd_code *code);

#endif
