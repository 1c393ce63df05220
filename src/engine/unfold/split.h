/* SPDX-License-Identifier: MIT */
/* Private to this folder: one state a value. */
#ifndef HD_ENGINE_UNFOLD_SPLIT_H
#define HD_ENGINE_UNFOLD_SPLIT_H

#include "engine/unfold/state.h"

enum {
  MAX_SPLIT = 16,  /* values that are told apart */
  MAX_STATES = 64, /* that a segment may begin with */
};

typedef hd_vec(local) locals;

/* The single values of `v` in out[MAX_SPLIT]; 0: too many, or not known. */
size_t hd_split_value(uint8_t width, const hd_value *v, hd_value *out);
/* One value, or certainly undefined. */
bool hd_split_is_exact(const hd_value *v);
/* A copy of the state for every value of the register; false: too many. */
bool hd_split_reg(analysis *a, const local *l, hd_reg_id reg, locals *out);
/* A copy for every value of a register that keeps `expr` from being exact; false:
 * it is exact, or that does not help. */
bool hd_split_operand(analysis *a, thread_id thread, const local *l,
                      hd_cexpr_id expr, locals *out);
/* The state (taken over) with the values of live registers told apart, where they
 * are few: what an action gave back. */
void hd_split_start(analysis *a, local start, locals *out);

#endif
