/* SPDX-License-Identifier: MIT */
/* Variables that are read though they were never set, as inputs: the same code
 * graph, in which a declaration that leaves a variable without a value (`set %x =
 * undef`, which heddle-cc writes where somebody might read it) gives it any
 * value. That is what verifiers mostly mean by such a program; C leaves open
 * whether it means anything at all. What one run reads is one value until the
 * declaration is reached again. */
#ifndef HD_MODEL_UNSET_H
#define HD_MODEL_UNSET_H

#include "model/code.h"

/* NULL when there is no such variable. Locations and edges have the same numbers
 * in the result, which shares with `code` what does not differ: `code` must
 * outlive it and must not change. Pointers stay unset. */
hd_code *hd_unset_new(const hd_code *code);
void hd_unset_delete(hd_code *inputs);

#endif
