/* SPDX-License-Identifier: MIT */
/* What an operation gives for single numbers: the judge's own reading of
 * model/code.h. The engines have another one (model/eval.h), the machine a
 * third; tests compare them. */
#ifndef HD_CHECK_NOTES_COMPUTE_H
#define HD_CHECK_NOTES_COMPUTE_H

#include "model/code.h"

typedef enum {
  HD_NOTE_EXACT,   /* `bits` is it */
  HD_NOTE_OPEN,    /* some value of the type, not known here */
  HD_NOTE_NOTHING, /* there is none: division by zero, index out of range */
} hd_note_outcome;

/* Operands are masked to the width of `from`, their type; so is `bits` to that
 * of `type`. One operand: `b` does not matter. */
hd_note_outcome hd_note_compute(hd_code_op op, hd_type type, hd_type from,
                                uint64_t a, uint64_t b, uint64_t *bits);
/* EQ … SGE. */
bool hd_note_compares(hd_code_op op);

#endif
