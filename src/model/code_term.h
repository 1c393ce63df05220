/* SPDX-License-Identifier: MIT */
/* Operations of the program graph as terms over bit vectors. */
#ifndef HD_MODEL_CODE_TERM_H
#define HD_MODEL_CODE_TERM_H

#include "model/code.h"
#include "solve/bits.h"

/* An operation on two integers as one on bit vectors. */
typedef struct {
  bool known; /* there is one */
  uint8_t op; /* hd_bv_op */
  bool swap;  /* of the operands */
  bool negate;
} hd_code_meaning;
hd_code_meaning hd_code_meaning_of(hd_code_op op);

/* The result, of `width` bits, of an operation on integers of at most 64 bits;
 * false: there is no term for it. What is undefined in C, like a division by
 * zero, gives what SMT-LIB says. */
HD_MUST_USE bool hd_code_term(hd_bv *bv, hd_code_op op, uint8_t width,
                              const hd_bv_term *args, hd_bv_term *out);

#endif
