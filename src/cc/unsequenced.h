/* SPDX-License-Identifier: MIT */
/* Expressions that change a variable twice, or change and use it, in no order (C17
 * 6.5: undefined), and constant ones that have no value, as INT_MAX + 1. LLVM's
 * text has the first in one order and a value for the second; clang says where they
 * are. */
#ifndef HD_CC_UNSEQUENCED_H
#define HD_CC_UNSEQUENCED_H

#include "cc/func.h"

/* Moves those among clang's messages to `out`; what is left of these goes to stderr. */
void hd_cc_take_unsequenced(const char *messages, hd_arena *arena,
                            cc_pragmas *out);
/* Is it such a place? */
bool hd_cc_is_undefined(const cc_pragma *pragma);

/* Refuses what an instruction of this line is made of. */
void hd_cc_refuse_undefined(cc_func *f, hd_cpos pos);
/* At the start of a function: the constants in it that no instruction has in its
 * line (of enumerations, static variables, labels); in main, also those that are in
 * no function. */
void hd_cc_refuse_constants(cc_func *f);

#endif
