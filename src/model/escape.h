/* SPDX-License-Identifier: MIT */
/* Accesses that keep others apart without ordering them. */
#ifndef HD_MODEL_ESCAPE_H
#define HD_MODEL_ESCAPE_H

#include "model/code.h"

/* Is there an atomic access that orders less than its kind can, or a trylock?
 * Then two accesses can race that no run has next to each other. With `sc` every
 * atomic access counts as seq_cst. The edge, or HD_NO_ID. */
hd_edge_id hd_code_weak_order(const hd_code *code, bool sc);
/* … an atomic one, of what may be an address: who gets to an object by it is not
 * ordered behind those who made the object. */
hd_edge_id hd_code_weak_address(const hd_code *code, bool sc);

#endif
