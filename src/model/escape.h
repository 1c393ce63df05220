/* SPDX-License-Identifier: MIT */
/* Which variables in memory can still be reached when their block has ended. */
#ifndef HD_MODEL_ESCAPE_H
#define HD_MODEL_ESCAPE_H

#include "model/code.h"

/* A slot of a block inside a function whose address goes further than to accesses
 * and to library functions that forget it; NULL: there is none. The graph does
 * not say when blocks end, so uses of such a slot after that are not seen. */
const hd_slot *hd_code_ends_early(const hd_code *code);

/* Is there a type with an array inside a larger object? Bounds are those of whole
 * objects. */
bool hd_code_has_inner_arrays(const hd_code *code);

#endif
