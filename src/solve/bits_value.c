/* SPDX-License-Identifier: MIT */
/* Operations on values, as SMT-LIB defines them: what is constant, and what a
 * model says, is computed here and not asked of Z3. */
#include "solve/bits.h"

#include "base/word.h"

static uint64_t divide(hd_bv_op op, uint64_t x, uint64_t y, uint8_t width) {
  int64_t a = hd_word_signed(x, width), b = hd_word_signed(y, width);
  bool whole = b == -1; /* the one quotient that overflows wraps */
  switch (op) {
  case HD_BV_UDIV:
    return y ? x / y : UINT64_MAX;
  case HD_BV_UREM:
    return y ? x % y : x;
  case HD_BV_SDIV:
    return !y ? (a < 0 ? 1 : UINT64_MAX) : whole ? 0 - x : (uint64_t)(a / b);
  default:
    return !y ? x : whole ? 0 : (uint64_t)(a % b);
  }
}

static uint64_t compute(hd_bv_op op, uint64_t x, uint64_t y, uint8_t width) {
  int64_t a = hd_word_signed(x, width), b = hd_word_signed(y, width);
  switch (op) {
  case HD_BV_ADD:
    return x + y;
  case HD_BV_SUB:
    return x - y;
  case HD_BV_MUL:
    return x * y;
  case HD_BV_AND:
    return x & y;
  case HD_BV_OR:
    return x | y;
  case HD_BV_XOR:
    return x ^ y;
  case HD_BV_SHL:
    return y < width ? x << y : 0;
  case HD_BV_LSHR:
    return y < width ? x >> y : 0;
  case HD_BV_ASHR:
    return (uint64_t)(a >> (y < width ? y : width - 1u));
  case HD_BV_EQ:
    return x == y;
  case HD_BV_ULT:
    return x < y;
  case HD_BV_ULE:
    return x <= y;
  case HD_BV_SLT:
    return a < b;
  case HD_BV_SLE:
    return a <= b;
  default:
    return divide(op, x, y, width);
  }
}

uint64_t hd_bv_compute(hd_bv_op op, uint64_t x, uint64_t y, uint8_t width) {
  assert(x <= hd_word_mask(width) && y <= hd_word_mask(width));
  return compute(op, x, y, width) & hd_word_mask(width);
}
