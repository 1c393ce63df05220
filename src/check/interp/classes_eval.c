/* SPDX-License-Identifier: MIT */
/* Expressions over intervals of values of an input (classes.c): each comparison is
 * decided for the whole range, or the range is cut where its answer changes. */
#include "check/interp/classes_impl.h"

#include "model/eval.h"

outcome hd_classes_cut_at(walk *w, uint64_t distance) {
  assert(distance > 0 && distance <= w->to - w->from);
  w->cut = w->from + distance;
  return CUT;
}

static outcome halve(walk *w) {
  return hd_classes_cut_at(w, (w->to - w->from) / 2 + 1);
}

/* Where `s` gets to `value`, if it follows the input. */
static outcome cut_before(walk *w, const span *s, uint64_t value) {
  if (s->unit && value > s->lo && value <= s->hi)
    return hd_classes_cut_at(w, value - s->lo);
  return w->to > w->from ? halve(w) : STOPPED;
}

static uint64_t sign_bit(uint8_t width) {
  return (uint64_t)1 << (width - 1);
}

static bool crosses(const span *s, uint8_t width) {
  return s->lo < sign_bit(width) && s->hi >= sign_bit(width);
}

static bool is_signed_compare(uint8_t op) {
  return op >= HD_CODE_SLT && op <= HD_CODE_SGE;
}

/* Both are undecided: the first number of the interval that may answer
 * otherwise than those before it. */
static uint64_t turning(uint8_t op, const span *s, uint64_t c, bool left) {
  switch (op) {
  case HD_CODE_ULT: /* s < c, or c < s */
  case HD_CODE_UGE:
    return left ? c : c + 1;
  case HD_CODE_ULE:
  case HD_CODE_UGT:
    return left ? c + 1 : c;
  default: /* EQ, NE */
    return c > s->lo ? c : c + 1;
  }
}

static bool decide(uint8_t op, const span *a, const span *b, bool *yes) {
  switch (op) {
  case HD_CODE_EQ:
  case HD_CODE_NE:
    *yes = (op == HD_CODE_EQ) == (is_const(a) && is_const(b) && a->lo == b->lo);
    return a->hi < b->lo || b->hi < a->lo || (is_const(a) && is_const(b));
  case HD_CODE_ULT:
  case HD_CODE_UGE:
    *yes = (op == HD_CODE_ULT) == (a->hi < b->lo);
    return a->hi < b->lo || a->lo >= b->hi;
  default: /* ULE, UGT */
    *yes = (op == HD_CODE_ULE) == (a->hi <= b->lo);
    return a->hi <= b->lo || a->lo > b->hi;
  }
}

outcome hd_classes_compare(walk *w, uint8_t op, uint8_t width, span a, span b,
                           span *out) {
  if (is_signed_compare(op)) {
    uint64_t sign = sign_bit(width);
    if (crosses(&a, width))
      return cut_before(w, &a, sign);
    if (crosses(&b, width))
      return cut_before(w, &b, sign);
    a.lo ^= sign, a.hi ^= sign, b.lo ^= sign, b.hi ^= sign;
    op = (uint8_t)(op - HD_CODE_SLT + HD_CODE_ULT);
  }
  bool yes;
  if (decide(op, &a, &b, &yes)) {
    *out = exactly(yes);
    return FINE;
  }
  if (is_const(&b))
    return cut_before(w, &a, turning(op, &a, b.lo, true));
  if (is_const(&a))
    return cut_before(w, &b, turning(op, &b, a.lo, false));
  return STOPPED;
}

/* An interval plus or minus a constant. Where it lies on one side of 0, what does
 * not overflow at its ends overflows nowhere. */
static outcome shift(walk *w, const hd_cexpr *e, const span *s, uint64_t c,
                     span *out) {
  uint64_t mask = hd_word_mask(e->type.width);
  hd_code_op op = (hd_code_op)e->op;
  if (e->flags & HD_CODE_NSW && crosses(s, e->type.width))
    return cut_before(w, s, sign_bit(e->type.width));
  hd_evaluated lo = hd_evaluate_op(op, e->flags, e->type, e->type, s->lo, c);
  hd_evaluated hi = hd_evaluate_op(op, e->flags, e->type, e->type, s->hi, c);
  if (lo.flags || hi.flags)
    return halve(w);
  *out = *s;
  out->lo = lo.bits;
  out->hi = hi.bits;
  if (out->lo <= out->hi)
    return FINE;
  return cut_before(w, s, (op == HD_CODE_SUB ? c : 0 - c) & mask);
}

static outcome cast(walk *w, const hd_cexpr *e, hd_type from, const span *s,
                    span *out) {
  uint64_t mask = hd_word_mask(e->type.width);
  *out = *s;
  if (e->op == HD_CODE_ZEXT)
    return FINE;
  if (e->op == HD_CODE_SEXT) {
    if (crosses(s, from.width))
      return cut_before(w, s, sign_bit(from.width));
    out->lo = (uint64_t)hd_word_signed(s->lo, from.width) & mask;
    out->hi = (uint64_t)hd_word_signed(s->hi, from.width) & mask;
    return FINE;
  }
  if (s->hi - s->lo > mask || (s->lo & mask) > (s->hi & mask))
    return STOPPED;
  out->lo &= mask;
  out->hi &= mask;
  return FINE;
}

static outcome operate(walk *w, const hd_cexpr *e, hd_type from, const span *a,
                       const span *b, span *out) {
  bool binary = e->args[1] != HD_NO_ID;
  if (is_const(a) && (!binary || is_const(b))) {
    hd_evaluated r = hd_evaluate_op((hd_code_op)e->op, e->flags, e->type, from,
                                    a->lo, b->lo);
    *out = exactly(r.bits);
    return r.flags ? STOPPED : FINE;
  }
  if (e->op >= HD_CODE_EQ && e->op <= HD_CODE_SGE)
    return hd_classes_compare(w, e->op, from.width, *a, *b, out);
  if (e->op == HD_CODE_TRUNC || e->op == HD_CODE_ZEXT || e->op == HD_CODE_SEXT)
    return cast(w, e, from, a, out);
  if ((e->op == HD_CODE_ADD || e->op == HD_CODE_SUB) && is_const(b))
    return shift(w, e, a, b->lo, out);
  if (e->op == HD_CODE_ADD && is_const(a))
    return shift(w, e, b, a->lo, out);
  return STOPPED;
}

static bool understood(const walk *w, const hd_cexpr *e) {
  bool good = (e->op >= HD_CODE_ADD && e->op <= HD_CODE_SGE) ||
              e->op == HD_CODE_TRUNC || e->op == HD_CODE_ZEXT ||
              e->op == HD_CODE_SEXT;
  return good && e->type.kind == HD_TYPE_INT &&
         w->code->exprs.data[e->args[0]].type.kind == HD_TYPE_INT;
}

outcome hd_classes_eval(walk *w, hd_cexpr_id id, span *out) {
  const hd_cexpr *e = &w->code->exprs.data[id];
  if (e->op == HD_CODE_INT || e->op == HD_CODE_NULL) {
    *out = exactly(e->op == HD_CODE_NULL ? 0 : e->value);
    return FINE;
  }
  if (e->op == HD_CODE_REG) {
    *out = w->regs.data[hd_vec_last(&w->frames).regs + e->value];
    return out->known ? FINE : STOPPED;
  }
  if (!understood(w, e))
    return STOPPED;
  span a, b = exactly(0);
  outcome o = hd_classes_eval(w, e->args[0], &a);
  if (o == FINE && e->args[1] != HD_NO_ID)
    o = hd_classes_eval(w, e->args[1], &b);
  return o != FINE
             ? o
             : operate(w, e, w->code->exprs.data[e->args[0]].type, &a, &b, out);
}
