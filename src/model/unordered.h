/* SPDX-License-Identifier: MIT */
/* Where the order in which C leaves operands to be evaluated can matter. clang
 * takes them from left to right, others do not (C17 6.5: the calls in f() + g() or
 * h(f(), g()), and the reading of x in x + f(), come in any order). */
#ifndef HD_MODEL_UNORDERED_H
#define HD_MODEL_UNORDERED_H

#include "model/code.h"

/* The edge that puts together two values, of calls and of what is read, of which one
 * writes what the other uses, or may do so as far as addresses can be followed;
 * HD_NO_ID: there is none. */
hd_edge_id hd_code_unordered(const hd_code *code);
/* The same, and of which both only look at what other threads do: then it is the
 * order in which they see it. */
hd_edge_id hd_code_unordered_looks(const hd_code *code);

#endif
