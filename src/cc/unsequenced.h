/* SPDX-License-Identifier: MIT */
/* Expressions that change a variable twice, or change and use it, in no order (C17
 * 6.5: undefined), and constant ones that leave their type, as INT_MAX + 1. LLVM's
 * text has the first in one order and a value for the second; clang says where they
 * are. */
#ifndef HD_CC_UNSEQUENCED_H
#define HD_CC_UNSEQUENCED_H

#include "cc/pragma.h"

/* How the text of such a place begins among the pragmas; then comes the variable. */
#define HD_CC_UNSEQUENCED "unsequenced "

/* Moves those among clang's messages to `out`; what is left of these goes to stderr. */
void hd_cc_take_unsequenced(const char *messages, hd_arena *arena,
                            cc_pragmas *out);
/* … and that of an expression that clang has computed; then comes what is wrong with
 * it. */
#define HD_CC_COMPUTED "computed "

/* The variable, if this is such a place; else NULL. */
const char *hd_cc_unsequenced(const cc_pragma *pragma);
/* What is wrong with the constant expression there; else NULL. */
const char *hd_cc_computed(const cc_pragma *pragma);

#endif
