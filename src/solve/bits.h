/* SPDX-License-Identifier: MIT */
/* Terms over bit vectors of 1 to 64 bits, decided by Z3. A term that does not
 * depend on a variable is a constant, and is computed here. The same term made
 * twice has one number. Terms live as long as the solver. */
#ifndef HD_SOLVE_BITS_H
#define HD_SOLVE_BITS_H

#include "solve/smt.h" /* hd_smt_status */

typedef struct hd_bv hd_bv;
typedef uint32_t hd_bv_term;

typedef enum {
  HD_BV_ADD,
  HD_BV_SUB,
  HD_BV_MUL,
  HD_BV_UDIV, /* by 0: all ones, as SMT-LIB has it */
  HD_BV_SDIV,
  HD_BV_UREM,
  HD_BV_SREM,
  HD_BV_AND,
  HD_BV_OR,
  HD_BV_XOR,
  HD_BV_SHL,
  HD_BV_LSHR,
  HD_BV_ASHR,
  HD_BV_EQ, /* this and the following: one bit */
  HD_BV_ULT,
  HD_BV_ULE,
  HD_BV_SLT,
  HD_BV_SLE,
} hd_bv_op;

/* The operation on values of `width` bits each; the result has as many, or one
 * bit. */
uint64_t hd_bv_compute(hd_bv_op op, uint64_t x, uint64_t y, uint8_t width);

hd_bv *hd_bv_new(void);
void hd_bv_delete(hd_bv *bv);

hd_bv_term hd_bv_const(hd_bv *bv, uint8_t width, uint64_t value);
hd_bv_term hd_bv_var(hd_bv *bv, uint8_t width);
uint8_t hd_bv_width(const hd_bv *bv, hd_bv_term t);
bool hd_bv_is_const(const hd_bv *bv, hd_bv_term t, uint64_t *value);
/* Variables that the term depends on, as a set of bits by their numbers modulo 64:
 * two terms without a common bit have no common variable. */
uint64_t hd_bv_support(const hd_bv *bv, hd_bv_term t);
/* Both of one width. */
hd_bv_term hd_bv_apply(hd_bv *bv, hd_bv_op op, hd_bv_term a, hd_bv_term b);
hd_bv_term hd_bv_not(hd_bv *bv, hd_bv_term a); /* of one bit */
/* `c` has one bit. */
hd_bv_term hd_bv_choose(hd_bv *bv, hd_bv_term c, hd_bv_term yes, hd_bv_term no);
/* To another width: cut off, or filled up with zeros or the sign. */
hd_bv_term hd_bv_resize(hd_bv *bv, hd_bv_term a, uint8_t width, bool sign);

/* Can all of these, of one bit each, be 1? */
hd_smt_status hd_bv_solve(hd_bv *bv, const hd_bv_term *terms, size_t n,
                          double seconds);
/* The same, and one of `some` with them, unless there are none of those; for
 * many small questions. */
hd_smt_status hd_bv_solve_some(hd_bv *bv, const hd_bv_term *terms, size_t n,
                               const hd_bv_term *some, size_t m,
                               double seconds);
/* The work that questions took since it was last asked for, for hd_run_spend: by
 * Z3's own steps, so it is the same with every run. */
uint64_t hd_bv_work(hd_bv *bv);
/* After HD_SMT_SAT, until the next question. */
uint64_t hd_bv_value(const hd_bv *bv, hd_bv_term t);

#endif
