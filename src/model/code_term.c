/* SPDX-License-Identifier: MIT */
#include "model/code_term.h"

hd_code_meaning hd_code_meaning_of(hd_code_op op) {
  static const hd_code_meaning meanings[HD_CODE_OP_COUNT] = {
      [HD_CODE_ADD] = {true, HD_BV_ADD, 0, 0},
      [HD_CODE_SUB] = {true, HD_BV_SUB, 0, 0},
      [HD_CODE_MUL] = {true, HD_BV_MUL, 0, 0},
      [HD_CODE_UDIV] = {true, HD_BV_UDIV, 0, 0},
      [HD_CODE_SDIV] = {true, HD_BV_SDIV, 0, 0},
      [HD_CODE_UREM] = {true, HD_BV_UREM, 0, 0},
      [HD_CODE_SREM] = {true, HD_BV_SREM, 0, 0},
      [HD_CODE_SHL] = {true, HD_BV_SHL, 0, 0},
      [HD_CODE_LSHR] = {true, HD_BV_LSHR, 0, 0},
      [HD_CODE_ASHR] = {true, HD_BV_ASHR, 0, 0},
      [HD_CODE_AND] = {true, HD_BV_AND, 0, 0},
      [HD_CODE_OR] = {true, HD_BV_OR, 0, 0},
      [HD_CODE_XOR] = {true, HD_BV_XOR, 0, 0},
      [HD_CODE_EQ] = {true, HD_BV_EQ, 0, 0},
      [HD_CODE_NE] = {true, HD_BV_EQ, 0, 1},
      [HD_CODE_ULT] = {true, HD_BV_ULT, 0, 0},
      [HD_CODE_ULE] = {true, HD_BV_ULE, 0, 0},
      [HD_CODE_UGT] = {true, HD_BV_ULT, 1, 0},
      [HD_CODE_UGE] = {true, HD_BV_ULE, 1, 0},
      [HD_CODE_SLT] = {true, HD_BV_SLT, 0, 0},
      [HD_CODE_SLE] = {true, HD_BV_SLE, 0, 0},
      [HD_CODE_SGT] = {true, HD_BV_SLT, 1, 0},
      [HD_CODE_SGE] = {true, HD_BV_SLE, 1, 0},
  };
  return meanings[op];
}

static bool binary(hd_bv *bv, hd_code_op op, const hd_bv_term *args,
                   hd_bv_term *out) {
  hd_code_meaning m = hd_code_meaning_of(op);
  if (!m.known || hd_bv_width(bv, args[0]) != hd_bv_width(bv, args[1]))
    return false;
  *out = hd_bv_apply(bv, (hd_bv_op)m.op, args[m.swap], args[!m.swap]);
  if (m.negate)
    *out = hd_bv_not(bv, *out);
  return true;
}

/* The one of both that is less, or not, by this order. */
static hd_bv_term extreme(hd_bv *bv, hd_bv_op less, bool least,
                          const hd_bv_term *args) {
  hd_bv_term c = hd_bv_apply(bv, less, args[0], args[1]);
  return hd_bv_choose(bv, c, args[!least], args[least]);
}

bool hd_code_term(hd_bv *bv, hd_code_op op, uint8_t width,
                  const hd_bv_term *args, hd_bv_term *out) {
  if (width < 1 || width > 64)
    return false;
  switch (op) {
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT:
    *out = hd_bv_resize(bv, args[0], width, op == HD_CODE_SEXT);
    return true;
  case HD_CODE_SELECT:
    if (hd_bv_width(bv, args[1]) != hd_bv_width(bv, args[2]))
      return false;
    *out = hd_bv_choose(bv, args[0], args[1], args[2]);
    return true;
  case HD_CODE_BITCAST:
  case HD_CODE_WITHIN:
    *out = args[0];
    return hd_bv_width(bv, args[0]) == width;
  case HD_CODE_SMIN:
  case HD_CODE_SMAX:
    *out = extreme(bv, HD_BV_SLT, op == HD_CODE_SMIN, args);
    return true;
  case HD_CODE_UMIN:
  case HD_CODE_UMAX:
    *out = extreme(bv, HD_BV_ULT, op == HD_CODE_UMIN, args);
    return true;
  case HD_CODE_ABS: {
    hd_bv_term zero = hd_bv_const(bv, width, 0);
    hd_bv_term less = hd_bv_apply(bv, HD_BV_SLT, args[0], zero);
    hd_bv_term back = hd_bv_apply(bv, HD_BV_SUB, zero, args[0]);
    *out = hd_bv_choose(bv, less, back, args[0]);
    return true;
  }
  default:
    return binary(bv, op, args, out);
  }
}
