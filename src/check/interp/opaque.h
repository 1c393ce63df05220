/* SPDX-License-Identifier: MIT */
/* Inputs of which only counts whether they are equal (opaque.c). All of these do
 * nothing where options->opaque is NULL. */
#ifndef HD_CHECK_INTERP_OPAQUE_H
#define HD_CHECK_INTERP_OPAQUE_H

#include "check/interp/state.h"

/* An operator is applied; `from` is the width of its first operand. */
void hd_opaque_apply(hd_opaque *o, hd_code_op op, uint8_t from, uint64_t a,
                     uint64_t b);
/* A read-modify-write that is no exchange; a compare-exchange compares. */
void hd_opaque_modify(hd_opaque *o, uint64_t old, uint64_t value);
void hd_opaque_compare(hd_opaque *o, uint64_t a, uint64_t b);
/* A library function is called with this argument, or at all. */
void hd_opaque_pass(hd_opaque *o, uint64_t argument);
void hd_opaque_call(hd_opaque *o, hd_library_fn fn);

#endif
