/* SPDX-License-Identifier: MIT */
/* The operations of expressions on defined values. In a header so that the
 * evaluator's loop has them inside it; included by eval.c only. The engines have
 * theirs in model/eval.c and solve/bits_value.c: that these say the same twice is
 * wanted, what the engines find is replayed here. */
#ifndef HD_CHECK_INTERP_OPERATE_H
#define HD_CHECK_INTERP_OPERATE_H

#include "base/float.h"
#include "check/interp/eval.h"

#include <math.h>

static inline uint64_t hd_op_byte_swap(uint64_t bits, uint8_t width) {
  return __builtin_bswap64(bits) >> (64 - width);
}

static inline uint64_t hd_op_count_leading(uint64_t bits, uint8_t width) {
  return bits ? (uint64_t)__builtin_clzll(bits) - (64u - width) : width;
}

static inline uint64_t hd_op_count_trailing(uint64_t bits, uint8_t width) {
  return bits ? (uint64_t)__builtin_ctzll(bits) : width;
}

/* f32 arithmetic in float, so that it is rounded once. */
static inline uint64_t hd_op_float_op(hd_code_op op, uint8_t width, uint64_t a,
                                      uint64_t b) {
  if (width == 32) {
    float x = hd_f32_value(a), y = hd_f32_value(b);
    switch (op) {
    case HD_CODE_FADD:
      return hd_f32_bits(x + y);
    case HD_CODE_FSUB:
      return hd_f32_bits(x - y);
    case HD_CODE_FMUL:
      return hd_f32_bits(x * y);
    case HD_CODE_FDIV:
      return hd_f32_bits(x / y);
    default:
      return hd_f32_bits(fmodf(x, y));
    }
  }
  double x = hd_f64_value(a), y = hd_f64_value(b);
  switch (op) {
  case HD_CODE_FADD:
    return hd_f64_bits(x + y);
  case HD_CODE_FSUB:
    return hd_f64_bits(x - y);
  case HD_CODE_FMUL:
    return hd_f64_bits(x * y);
  case HD_CODE_FDIV:
    return hd_f64_bits(x / y);
  default:
    return hd_f64_bits(fmod(x, y));
  }
}

static inline bool hd_op_float_compare(hd_code_op op, double x, double y) {
  bool unordered = isnan(x) || isnan(y);
  switch (op) {
  case HD_CODE_FOEQ:
    return !unordered && x == y;
  case HD_CODE_FOGT:
    return !unordered && x > y;
  case HD_CODE_FOGE:
    return !unordered && x >= y;
  case HD_CODE_FOLT:
    return !unordered && x < y;
  case HD_CODE_FOLE:
    return !unordered && x <= y;
  case HD_CODE_FONE:
    return !unordered && x != y;
  case HD_CODE_FORD:
    return !unordered;
  case HD_CODE_FUEQ:
    return unordered || x == y;
  case HD_CODE_FUGT:
    return unordered || x > y;
  case HD_CODE_FUGE:
    return unordered || x >= y;
  case HD_CODE_FULT:
    return unordered || x < y;
  case HD_CODE_FULE:
    return unordered || x <= y;
  case HD_CODE_FUNE:
    return unordered || x != y;
  default:
    assert(op == HD_CODE_FUNO);
    return unordered;
  }
}

/* Bounds are exact: 2^(w-1) and 2^w are floats. */
static inline bool hd_op_float_fits(hd_code_op op, double x, uint8_t width) {
  double whole = trunc(x);
  if (op == HD_CODE_FPTOSI)
    return whole >= -ldexp(1, width - 1) && whole < ldexp(1, width - 1);
  return whole >= 0 && whole < ldexp(1, width);
}

static inline bool hd_op_mul_overflows(bool is_signed, uint8_t w, uint64_t a,
                                       uint64_t b) {
  if (is_signed) {
    hd_i128 r = (hd_i128)hd_word_signed(a, w) * hd_word_signed(b, w);
    return r != hd_word_signed((uint64_t)r & hd_word_mask(w), w);
  }
  uint64_t r;
  return __builtin_mul_overflow(a, b, &r) || (r & hd_word_mask(w)) != r;
}

/* Does the exact result of ADD, SUB, MUL leave the type? */
static inline bool hd_op_overflows(hd_code_op op, bool is_signed, uint8_t w,
                                   uint64_t a, uint64_t b) {
  uint64_t mask = hd_word_mask(w), r;
  switch (op) {
  case HD_CODE_ADD:
    r = (a + b) & mask;
    return is_signed ? ((a ^ r) & (b ^ r)) >> (w - 1) & 1 : r < a;
  case HD_CODE_SUB:
    r = (a - b) & mask;
    return is_signed ? ((a ^ b) & (a ^ r)) >> (w - 1) & 1 : a < b;
  case HD_CODE_MUL:
    return hd_op_mul_overflows(is_signed, w, a, b);
  default:
    assert(op == HD_CODE_SHL);
    r = (a << b) & mask;
    if (is_signed)
      return hd_word_signed(r, w) >> b != hd_word_signed(a, w);
    return r >> b != a;
  }
}

/* The result of an operation whose operands are defined and for which it has
 * one. `w` is the width of the result, `from` that of the first operand. */
static inline __attribute__((always_inline)) bool
hd_op_apply(hd_code_op op, uint8_t flags, uint8_t w, uint8_t from, uint64_t a,
            uint64_t b, uint64_t c, uint64_t *out) {
  uint64_t mask = hd_word_mask(w);
  switch (op) {
  case HD_CODE_ADD:
  case HD_CODE_SUB:
  case HD_CODE_MUL:
    if ((flags & HD_CODE_NSW && hd_op_overflows(op, true, w, a, b)) ||
        (flags & HD_CODE_NUW && hd_op_overflows(op, false, w, a, b)))
      return false;
    *out = (op == HD_CODE_ADD   ? a + b
            : op == HD_CODE_SUB ? a - b
                                : a * b) &
           mask;
    return true;
  case HD_CODE_UDIV:
    if (!b || (flags & HD_CODE_EXACT && a % b))
      return false;
    *out = a / b;
    return true;
  case HD_CODE_UREM:
    if (!b)
      return false;
    *out = a % b;
    return true;
  case HD_CODE_SDIV:
  case HD_CODE_SREM: {
    int64_t x = hd_word_signed(a, w), y = hd_word_signed(b, w);
    if (!y || (y == -1 && a == (uint64_t)1 << (w - 1)))
      return false;
    if (op == HD_CODE_SDIV && flags & HD_CODE_EXACT && x % y)
      return false;
    *out = (uint64_t)(op == HD_CODE_SDIV ? x / y : x % y) & mask;
    return true;
  }
  case HD_CODE_SHL:
    if (b >= w || (flags & HD_CODE_NSW && hd_op_overflows(op, true, w, a, b)) ||
        (flags & HD_CODE_NUW && hd_op_overflows(op, false, w, a, b)))
      return false;
    *out = (a << b) & mask;
    return true;
  case HD_CODE_LSHR:
    if (b >= w || (flags & HD_CODE_EXACT && a >> b << b != a))
      return false;
    *out = a >> b;
    return true;
  case HD_CODE_ASHR:
    if (b >= w || (flags & HD_CODE_EXACT && a >> b << b != a))
      return false;
    *out = (uint64_t)(hd_word_signed(a, w) >> b) & mask;
    return true;
  case HD_CODE_AND:
    *out = a & b;
    return true;
  case HD_CODE_OR:
    *out = a | b;
    return true;
  case HD_CODE_XOR:
    *out = a ^ b;
    return true;
  case HD_CODE_EQ:
    *out = a == b;
    return true;
  case HD_CODE_NE:
    *out = a != b;
    return true;
  case HD_CODE_ULT:
    *out = a < b;
    return true;
  case HD_CODE_ULE:
    *out = a <= b;
    return true;
  case HD_CODE_UGT:
    *out = a > b;
    return true;
  case HD_CODE_UGE:
    *out = a >= b;
    return true;
  case HD_CODE_SLT:
    *out = hd_word_signed(a, from) < hd_word_signed(b, from);
    return true;
  case HD_CODE_SLE:
    *out = hd_word_signed(a, from) <= hd_word_signed(b, from);
    return true;
  case HD_CODE_SGT:
    *out = hd_word_signed(a, from) > hd_word_signed(b, from);
    return true;
  case HD_CODE_SGE:
    *out = hd_word_signed(a, from) >= hd_word_signed(b, from);
    return true;
  case HD_CODE_SADD_OVERFLOWS:
  case HD_CODE_UADD_OVERFLOWS:
    *out =
        hd_op_overflows(HD_CODE_ADD, op == HD_CODE_SADD_OVERFLOWS, from, a, b);
    return true;
  case HD_CODE_SSUB_OVERFLOWS:
  case HD_CODE_USUB_OVERFLOWS:
    *out =
        hd_op_overflows(HD_CODE_SUB, op == HD_CODE_SSUB_OVERFLOWS, from, a, b);
    return true;
  case HD_CODE_SMUL_OVERFLOWS:
  case HD_CODE_UMUL_OVERFLOWS:
    *out =
        hd_op_overflows(HD_CODE_MUL, op == HD_CODE_SMUL_OVERFLOWS, from, a, b);
    return true;
  case HD_CODE_FADD:
  case HD_CODE_FSUB:
  case HD_CODE_FMUL:
  case HD_CODE_FDIV:
  case HD_CODE_FREM:
    *out = hd_op_float_op(op, w, a, b);
    return true;
  case HD_CODE_FNEG:
    *out = a ^ (uint64_t)1 << (w - 1);
    return true;
  case HD_CODE_FABS:
    *out = a & ~((uint64_t)1 << (w - 1));
    return true;
  case HD_CODE_FOEQ:
  case HD_CODE_FOGT:
  case HD_CODE_FOGE:
  case HD_CODE_FOLT:
  case HD_CODE_FOLE:
  case HD_CODE_FONE:
  case HD_CODE_FORD:
  case HD_CODE_FUEQ:
  case HD_CODE_FUGT:
  case HD_CODE_FUGE:
  case HD_CODE_FULT:
  case HD_CODE_FULE:
  case HD_CODE_FUNE:
  case HD_CODE_FUNO:
    *out = hd_op_float_compare(op, hd_float_value(a, from),
                               hd_float_value(b, from));
    return true;
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_BITCAST:
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    *out = a & mask;
    return true;
  case HD_CODE_SEXT:
    *out = (uint64_t)hd_word_signed(a, from) & mask;
    return true;
  case HD_CODE_FPTRUNC:
  case HD_CODE_FPEXT:
    *out = hd_float_bits(hd_float_value(a, from), w);
    return true;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI: {
    double x = hd_float_value(a, from);
    if (!hd_op_float_fits(op, x, w))
      return false;
    *out = (op == HD_CODE_FPTOSI ? (uint64_t)(int64_t)x : (uint64_t)x) & mask;
    return true;
  }
  case HD_CODE_SITOFP:
    *out = w == 32 ? hd_f32_bits((float)hd_word_signed(a, from))
                   : hd_f64_bits((double)hd_word_signed(a, from));
    return true;
  case HD_CODE_UITOFP:
    *out = w == 32 ? hd_f32_bits((float)a) : hd_f64_bits((double)a);
    return true;
  case HD_CODE_PTRADD: {
    /* Past 2^31 the sum would get to some other object. */
    int64_t delta = hd_word_signed(b, w);
    if (w == 64 && flags & HD_CODE_INBOUNDS &&
        (delta > INT32_MAX || delta < INT32_MIN))
      return false;
    *out = (a + b) & mask;
    return true;
  }
  case HD_CODE_SELECT:
    *out = a ? b : c;
    return true;
  case HD_CODE_CTPOP:
    *out = (uint64_t)__builtin_popcountll(a);
    return true;
  case HD_CODE_CTLZ:
    *out = hd_op_count_leading(a, w);
    return true;
  case HD_CODE_CTTZ:
    *out = hd_op_count_trailing(a, w);
    return true;
  case HD_CODE_BSWAP:
    *out = hd_op_byte_swap(a, w);
    return true;
  case HD_CODE_ABS:
    if (flags & HD_CODE_NSW && a == (uint64_t)1 << (w - 1))
      return false;
    *out = (hd_word_signed(a, w) < 0 ? 0 - a : a) & mask;
    return true;
  case HD_CODE_SMIN:
    *out = hd_word_signed(a, w) < hd_word_signed(b, w) ? a : b;
    return true;
  case HD_CODE_SMAX:
    *out = hd_word_signed(a, w) > hd_word_signed(b, w) ? a : b;
    return true;
  case HD_CODE_WITHIN:
    *out = a;
    return a < b;
  case HD_CODE_UMIN:
    *out = a < b ? a : b;
    return true;
  case HD_CODE_UMAX:
    *out = a > b ? a : b;
    return true;
  default:
    hd_bug("operation %d in an expression", (int)op);
  }
}

#endif
