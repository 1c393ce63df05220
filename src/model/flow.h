/* SPDX-License-Identifier: MIT */
/* What the data of a program graph depends on: slicing and liveness, for
 * model/finite.c. */
#ifndef HD_MODEL_FLOW_H
#define HD_MODEL_FLOW_H

#include "model/program.h"

/* Sets the bits of the variables that matter to some guard: they occur in one,
 * or in a value assigned to one that does. */
void hd_flow_slice(const hd_program *program, uint64_t *kept);

/* For each location the local variables that may be read before they are
 * written, among `kept`: locs * words words, the caller frees them. */
uint64_t *hd_flow_live(const hd_program *program, const uint64_t *kept);

/* Sets the variables whose current value occurs in `expr` in `uses`, and those
 * whose next value does in `nexts`. */
void hd_flow_uses(const hd_program *program, hd_expr_id expr, uint64_t *uses,
                  uint64_t *nexts);

#endif
