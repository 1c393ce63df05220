/* SPDX-License-Identifier: MIT */
/* Where the order in which C leaves operands to be evaluated can matter. clang
 * takes them from left to right, others do not (C17 6.5: the calls in f() + g() or
 * h(f(), g()), and the reading of x in x + f(), come in any order). */
#ifndef HD_MODEL_UNORDERED_H
#define HD_MODEL_UNORDERED_H

#include "model/code.h"

/* The edge that puts together two values, of calls of functions of the program or of
 * one and a global variable, of which one writes what the other uses; HD_NO_ID: there
 * is none. With `pointers` all that is reached through them counts as one place:
 * then it may be that the order matters, where the two are not the same. */
hd_edge_id hd_code_unordered(const hd_code *code, bool pointers);

#endif
