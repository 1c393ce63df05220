/* SPDX-License-Identifier: MIT */
#include "check/notes/compute.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide;

bool hd_note_compares(hd_code_op op) {
  return op >= HD_CODE_EQ && op <= HD_CODE_SGE;
}

/* --- integers --- */

static uint64_t least_bit_of_sign(unsigned width) {
  assert(width > 0 && width <= 64);
  return (uint64_t)1 << (width - 1);
}

static wide as_signed(uint64_t a, unsigned width) {
  wide x = (wide)a;
  return a & least_bit_of_sign(width) ? x - ((wide)1 << width) : x;
}

static bool truth_of(hd_code_op op, uint64_t a, uint64_t b, unsigned width) {
  wide x = as_signed(a, width), y = as_signed(b, width);
  switch (op) {
  case HD_CODE_EQ:
    return a == b;
  case HD_CODE_NE:
    return a != b;
  case HD_CODE_ULT:
    return a < b;
  case HD_CODE_ULE:
    return a <= b;
  case HD_CODE_UGT:
    return a > b;
  case HD_CODE_UGE:
    return a >= b;
  case HD_CODE_SLT:
    return x < y;
  case HD_CODE_SLE:
    return x <= y;
  case HD_CODE_SGT:
    return x > y;
  default:
    assert(op == HD_CODE_SGE);
    return x >= y;
  }
}

static bool outside(wide x, wide least, wide most) {
  return x < least || x > most;
}

static bool overflows(hd_code_op op, uint64_t a, uint64_t b, unsigned width) {
  wide half = (wide)1 << (width - 1), whole = (wide)1 << width;
  wide x = as_signed(a, width), y = as_signed(b, width), product;
  switch (op) {
  case HD_CODE_SADD_OVERFLOWS:
    return outside(x + y, -half, half - 1);
  case HD_CODE_SSUB_OVERFLOWS:
    return outside(x - y, -half, half - 1);
  case HD_CODE_SMUL_OVERFLOWS:
    return outside(x * y, -half, half - 1);
  case HD_CODE_UADD_OVERFLOWS:
    return outside((wide)a + (wide)b, 0, whole - 1);
  case HD_CODE_USUB_OVERFLOWS:
    return a < b;
  default: /* a product of two 64-bit numbers may not fit in 127 bits */
    assert(op == HD_CODE_UMUL_OVERFLOWS);
    return __builtin_mul_overflow((wide)a, (wide)b, &product) ||
           product >= whole;
  }
}

static hd_note_outcome divide(hd_code_op op, uint64_t a, uint64_t b,
                              unsigned width, uint64_t *bits) {
  assert(op >= HD_CODE_UDIV && op <= HD_CODE_SREM);
  wide x = as_signed(a, width), y = as_signed(b, width);
  bool is_signed = op == HD_CODE_SDIV || op == HD_CODE_SREM;
  if (!b || (is_signed && y == -1 && a == least_bit_of_sign(width)))
    return HD_NOTE_NOTHING;
  *bits = op == HD_CODE_UDIV   ? a / b
          : op == HD_CODE_UREM ? a % b
          : op == HD_CODE_SDIV ? (uint64_t)(x / y)
                               : (uint64_t)(x % y);
  return HD_NOTE_EXACT;
}

static hd_note_outcome shift(hd_code_op op, uint64_t a, uint64_t b,
                             unsigned width, uint64_t *bits) {
  assert(op == HD_CODE_SHL || op == HD_CODE_LSHR || op == HD_CODE_ASHR);
  if (b >= width)
    return HD_NOTE_OPEN;
  *bits = op == HD_CODE_SHL    ? a << b
          : op == HD_CODE_LSHR ? a >> b
                               : (uint64_t)(as_signed(a, width) >> b);
  return HD_NOTE_EXACT;
}

static hd_note_outcome integers(hd_code_op op, uint64_t a, uint64_t b,
                                unsigned width, uint64_t *bits) {
  switch (op) {
  case HD_CODE_ADD:
  case HD_CODE_PTRADD:
    *bits = a + b;
    return HD_NOTE_EXACT;
  case HD_CODE_SUB:
    *bits = a - b;
    return HD_NOTE_EXACT;
  case HD_CODE_MUL:
    *bits = a * b;
    return HD_NOTE_EXACT;
  case HD_CODE_AND:
    *bits = a & b;
    return HD_NOTE_EXACT;
  case HD_CODE_OR:
    *bits = a | b;
    return HD_NOTE_EXACT;
  case HD_CODE_XOR:
    *bits = a ^ b;
    return HD_NOTE_EXACT;
  case HD_CODE_UDIV:
  case HD_CODE_SDIV:
  case HD_CODE_UREM:
  case HD_CODE_SREM:
    return divide(op, a, b, width, bits);
  case HD_CODE_SHL:
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    return shift(op, a, b, width, bits);
  case HD_CODE_SMIN:
  case HD_CODE_SMAX:
    *bits = truth_of(HD_CODE_SLT, a, b, width) == (op == HD_CODE_SMIN) ? a : b;
    return HD_NOTE_EXACT;
  case HD_CODE_UMIN:
  case HD_CODE_UMAX:
    *bits = (a < b) == (op == HD_CODE_UMIN) ? a : b;
    return HD_NOTE_EXACT;
  case HD_CODE_WITHIN:
    *bits = a;
    return a < b ? HD_NOTE_EXACT : HD_NOTE_NOTHING;
  default:
    return HD_NOTE_OPEN;
  }
}

static hd_note_outcome one_integer(hd_code_op op, uint64_t a, unsigned width,
                                   uint64_t *bits) {
  *bits = 0;
  switch (op) {
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
  case HD_CODE_BITCAST:
    *bits = a;
    return HD_NOTE_EXACT;
  case HD_CODE_SEXT:
    *bits = (uint64_t)as_signed(a, width);
    return HD_NOTE_EXACT;
  case HD_CODE_ABS:
    *bits = a & least_bit_of_sign(width) ? 0 - a : a;
    return HD_NOTE_EXACT;
  case HD_CODE_CTPOP:
    for (unsigned i = 0; i < width; i++)
      *bits += a >> i & 1;
    return HD_NOTE_EXACT;
  case HD_CODE_CTTZ:
    while (*bits < width && !(a >> *bits & 1))
      ++*bits;
    return HD_NOTE_EXACT;
  case HD_CODE_CTLZ:
    while (*bits < width && !(a >> (width - 1 - *bits) & 1))
      ++*bits;
    return HD_NOTE_EXACT;
  case HD_CODE_BSWAP:
    for (unsigned i = 0; i < width; i += 8)
      *bits |= (a >> i & 0xff) << (width - 8 - i);
    return width % 8 ? HD_NOTE_OPEN : HD_NOTE_EXACT;
  default:
    return HD_NOTE_OPEN;
  }
}

/* --- floats, of 32 and 64 bits --- */

static double number_of(uint64_t bits, unsigned width) {
  assert(width == 32 || width == 64);
  uint32_t half = (uint32_t)bits;
  float f;
  double d;
  memcpy(&f, &half, sizeof f);
  memcpy(&d, &bits, sizeof d);
  return width == 32 ? (double)f : d;
}

/* Rounded to the width; which of the NaNs comes out is not said. */
static hd_note_outcome give_float(double x, unsigned width, uint64_t *bits) {
  assert(width == 32 || width == 64);
  float f = (float)x;
  uint32_t half;
  memcpy(&half, &f, sizeof half);
  memcpy(bits, &x, sizeof *bits);
  if (width == 32)
    *bits = half;
  return isnan(x) ? HD_NOTE_OPEN : HD_NOTE_EXACT;
}

static bool float_truth(hd_code_op op, double x, double y) {
  bool apart = isnan(x) || isnan(y);
  switch (op) {
  case HD_CODE_FOEQ:
    return x == y;
  case HD_CODE_FUEQ:
    return apart || x == y;
  case HD_CODE_FONE:
    return !apart && x != y;
  case HD_CODE_FUNE:
    return x != y;
  case HD_CODE_FOLT:
    return x < y;
  case HD_CODE_FULT:
    return apart || x < y;
  case HD_CODE_FOLE:
    return x <= y;
  case HD_CODE_FULE:
    return apart || x <= y;
  case HD_CODE_FOGT:
    return x > y;
  case HD_CODE_FUGT:
    return apart || x > y;
  case HD_CODE_FOGE:
    return x >= y;
  case HD_CODE_FUGE:
    return apart || x >= y;
  case HD_CODE_FORD:
    return !apart;
  default:
    assert(op == HD_CODE_FUNO);
    return apart;
  }
}

/* A number of `width` bits; what does not fit is undefined. */
static hd_note_outcome to_integer(double x, unsigned width, bool is_signed,
                                  uint64_t *bits) {
  double least = is_signed ? -ldexp(1, (int)width - 1) : 0;
  double past = ldexp(1, is_signed ? (int)width - 1 : (int)width);
  x = trunc(x);
  if (!(x >= least && x < past))
    return HD_NOTE_OPEN;
  *bits = is_signed ? (uint64_t)(int64_t)x : (uint64_t)x;
  return HD_NOTE_EXACT;
}

/* Sums, products and quotients of two floats are rounded once, even if they are
 * computed as doubles before: 53 bits are more than twice 24. */
static hd_note_outcome floats(hd_code_op op, hd_type type, unsigned width,
                              uint64_t a, uint64_t b, uint64_t *bits) {
  double x = number_of(a, width), y = number_of(b, width);
  uint64_t sign = least_bit_of_sign(width);
  switch (op) {
  case HD_CODE_FADD:
    return give_float(x + y, width, bits);
  case HD_CODE_FSUB:
    return give_float(x - y, width, bits);
  case HD_CODE_FMUL:
    return give_float(x * y, width, bits);
  case HD_CODE_FDIV:
    return give_float(x / y, width, bits);
  case HD_CODE_FPEXT:
  case HD_CODE_FPTRUNC:
    return give_float(x, type.width, bits);
  case HD_CODE_FNEG:
    *bits = a ^ sign;
    return HD_NOTE_EXACT;
  case HD_CODE_FABS:
    *bits = a & ~sign;
    return HD_NOTE_EXACT;
  case HD_CODE_FPTOSI:
  case HD_CODE_FPTOUI:
    return to_integer(x, type.width, op == HD_CODE_FPTOSI, bits);
  case HD_CODE_BITCAST:
    *bits = a;
    return HD_NOTE_EXACT;
  default:
    if (op < HD_CODE_FOEQ || op > HD_CODE_FUNO)
      return HD_NOTE_OPEN;
    *bits = float_truth(op, x, y);
    return HD_NOTE_EXACT;
  }
}

/* Once rounded, too: not by way of a double. */
static hd_note_outcome to_float(hd_code_op op, hd_type type, hd_type from,
                                uint64_t a, uint64_t *bits) {
  assert(from.kind == HD_TYPE_INT && type.kind == HD_TYPE_FLOAT);
  wide x = op == HD_CODE_SITOFP ? as_signed(a, from.width) : (wide)a;
  return give_float(type.width == 32 ? (double)(float)x : (double)x, type.width,
                    bits);
}

/* --- all --- */

static hd_note_outcome raw(hd_code_op op, hd_type type, hd_type from,
                           uint64_t a, uint64_t b, uint64_t *bits) {
  if (from.kind == HD_TYPE_FLOAT)
    return floats(op, type, from.width, a, b, bits);
  if (op == HD_CODE_SITOFP || op == HD_CODE_UITOFP)
    return to_float(op, type, from, a, bits);
  if (hd_note_compares(op)) {
    *bits = truth_of(op, a, b, from.width);
    return HD_NOTE_EXACT;
  }
  if (op >= HD_CODE_SADD_OVERFLOWS && op <= HD_CODE_UMUL_OVERFLOWS) {
    *bits = overflows(op, a, b, from.width);
    return HD_NOTE_EXACT;
  }
  if (hd_code_op_arity(op) == 1)
    return one_integer(op, a, from.width, bits);
  return integers(op, a, b, from.width, bits);
}

hd_note_outcome hd_note_compute(hd_code_op op, hd_type type, hd_type from,
                                uint64_t a, uint64_t b, uint64_t *bits) {
  assert(type.width > 0 && type.width <= 64);
  hd_note_outcome outcome = raw(op, type, from, a, b, bits);
  *bits &= hd_word_mask(type.width);
  return outcome;
}
