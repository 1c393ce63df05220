/* SPDX-License-Identifier: MIT */
/* The value of an expression of the code graph, from the values of registers.
 *
 * Exact for every width; floats as the host computes them. Where the expression
 * is undefined the flags of the result say so, and why; the value is then the
 * natural one (two's complement wraps, a shift counts modulo the width), unless
 * there is none. The interpreter (check/interp) has an evaluator of its own, so
 * that replaying what was found with this one means something. */
#ifndef HD_MODEL_EVAL_H
#define HD_MODEL_EVAL_H

#include "model/code.h"

/* What is known about the value in a register. */
typedef enum {
  HD_REG_UNSET, /* it was never assigned */
  HD_REG_EXACT,
  /* It stands for many values of an input that all compare alike with the
   * constants of the function (themselves, or with a constant added), and of
   * which there is one for each remainder
   * modulo `modulus`. Only such uses are exact. */
  HD_REG_SAMPLE,
} hd_reg_state;

enum {
  HD_EVAL_OVERFLOW = 1, /* nsw, nuw or exact does not hold */
  HD_EVAL_SHIFT = 2,    /* by the width or more */
  HD_EVAL_ZERO = 4,     /* division by zero, or overflow of one: no value */
  HD_EVAL_UNDEF = 8,    /* undef, or a float that no integer can hold */
  HD_EVAL_UNSET = 16,   /* a register that was never assigned */
  HD_EVAL_ADDRESS = 32, /* depends on where objects lie in memory */
  HD_EVAL_SAMPLE = 64,  /* the very value of a HD_REG_SAMPLE register */
  HD_EVAL_VAGUE = 128,  /* another use of such a value */
};

typedef struct {
  uint64_t bits; /* masked to the width */
  uint8_t flags; /* set of HD_EVAL_… */
} hd_evaluated;

typedef struct {
  const hd_code *code;
  const uint64_t *regs;  /* values of the frame's registers */
  const uint8_t *states; /* hd_reg_state of each */
  /* The address of a leaf GLOBAL, FUNC or SLOT. */
  uint64_t (*address)(const void *context, const hd_cexpr *leaf);
  const void *context;
  /* Pointers to something are at least 2^object_shift, those into different
   * objects differ in the bits above. 0: pointers are just numbers. */
  uint8_t object_shift;
  /* May pointers into two objects be equal where these lie next to each other, or
   * in each other? */
  bool (*may_meet)(const void *context, uint64_t a, uint64_t b);
  uint64_t modulus; /* of samples, at least 1 */
} hd_eval_env;

hd_evaluated hd_evaluate(const hd_eval_env *env, hd_cexpr_id expr);
/* What an RMW leaves in memory. */
uint64_t hd_evaluate_rmw(hd_rmw rmw, hd_type type, uint64_t old,
                         uint64_t value);
/* The operation itself, on values masked to their widths; `from` is the type of
 * the operands, `type` of the result. */
hd_evaluated hd_evaluate_op(hd_code_op op, unsigned flags, hd_type type,
                            hd_type from, uint64_t a, uint64_t b);

bool hd_code_compares(hd_code_op op); /* EQ … SGE */
/* A register and a constant added or subtracted, where wrapping round is
 * defined: how compilers ask for a range. */
bool hd_code_is_shifted(const hd_code *code, const hd_cexpr *e);

#endif
