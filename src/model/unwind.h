/* SPDX-License-Identifier: MIT */
/* A bound on loops: the same code graph, with a counter in every frame for each
 * of its loops. Whoever goes round more often than allowed gets to an
 * HD_CODE_UNSUPPORTED, so that nothing can be called safe that lies beyond.
 * Loops that are entered in their middle (irreducible) are not bounded. */
#ifndef HD_MODEL_UNWIND_H
#define HD_MODEL_UNWIND_H

#include "model/code.h"

/* Edges of `code` have the same numbers in the result, so runs and violations
 * of one are those of the other; locations do not. `code` gets new expressions
 * and must outlive the result. `most` is how often control may go back to the
 * head, at most UINT32_MAX. */
hd_code *hd_unwind_new(hd_code *code, uint32_t most);
void hd_unwind_delete(hd_code *unwound);

#endif
