/* SPDX-License-Identifier: MIT */
/* What follows for registers when a condition holds. */
#include "check/notes/value.h"

#include "check/notes/compute.h"

static void registers_in(const hd_code *code, hd_cexpr_id id, hd_u32s *out) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_REG) {
    for (hd_vec_each(const uint32_t, r, out))
      if (code->exprs.data[*r].value == e->value)
        return;
    hd_vec_push(out, id);
  }
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    registers_in(code, e->args[i], out);
}

/* Of a register with few values those stay with which the condition may hold. */
static void sift(const hd_note_frame *f, hd_cexpr_id id, bool truth,
                 const hd_cexpr *reg) {
  hd_note_value all = f->get(f->context, reg), kept = hd_note_none();
  if (all.kind != HD_NOTE_SET || all.n < 2)
    return;
  for (int i = 0; i < all.n; i++) {
    hd_note_value one = hd_note_address(all.elems[i].base, all.elems[i].bits);
    f->set(f->context, reg, &one);
    one = f->eval(f->context, id);
    if (hd_note_may_be(&one, truth))
      kept.elems[kept.n++] = all.elems[i];
  }
  f->set(f->context, reg, &kept);
}

/* The comparison that holds when this one does not; … with operands changed. */
static hd_code_op opposite(hd_code_op op) {
  static const hd_code_op ops[] = {
      HD_CODE_NE,  HD_CODE_EQ,  HD_CODE_UGE, HD_CODE_UGT, HD_CODE_ULE,
      HD_CODE_ULT, HD_CODE_SGE, HD_CODE_SGT, HD_CODE_SLE, HD_CODE_SLT};
  return ops[op - HD_CODE_EQ];
}

static hd_code_op mirrored(hd_code_op op) {
  static const hd_code_op ops[] = {
      HD_CODE_EQ,  HD_CODE_NE,  HD_CODE_UGT, HD_CODE_UGE, HD_CODE_ULT,
      HD_CODE_ULE, HD_CODE_SGT, HD_CODE_SGE, HD_CODE_SLT, HD_CODE_SLE};
  return ops[op - HD_CODE_EQ];
}

/* reg OP x holds: what is left of an interval. Unsigned comparisons with a number
 * below 2^(width-1) are as signed ones, for what is not negative. */
hd_note_value hd_note_narrowed(hd_code_op op, uint8_t width,
                               const hd_note_value *v, int64_t lo, int64_t hi) {
  int64_t least, most, a, b;
  hd_note_limits(width, &least, &most);
  bool known = hd_note_bounds(width, v, &a, &b);
  bool plain = known && a >= 0 && lo >= 0;
  switch (op) {
  case HD_CODE_EQ:
    return hd_note_cut(width, v, lo, hi);
  case HD_CODE_NE:
    if (lo != hi || !known)
      return *v;
    return a == lo   ? hd_note_cut(width, v, lo == most ? most : lo + 1, most)
           : b == lo ? hd_note_cut(width, v, least, lo == least ? lo : lo - 1)
                     : *v;
  case HD_CODE_ULT:
    if (!plain)
      return lo >= 0 && known && hi > 0 ? hd_note_cut(width, v, 0, hi - 1) : *v;
    return hi > least ? hd_note_cut(width, v, least, hi - 1) : hd_note_none();
  case HD_CODE_SLT:
    return hi > least ? hd_note_cut(width, v, least, hi - 1) : hd_note_none();
  case HD_CODE_ULE:
    if (!plain)
      return lo >= 0 && known ? hd_note_cut(width, v, 0, hi) : *v;
    return hd_note_cut(width, v, least, hi);
  case HD_CODE_SLE:
    return hd_note_cut(width, v, least, hi);
  case HD_CODE_UGT:
    if (!plain)
      return *v;
    return lo < most ? hd_note_cut(width, v, lo + 1, most) : hd_note_none();
  case HD_CODE_SGT:
    return lo < most ? hd_note_cut(width, v, lo + 1, most) : hd_note_none();
  case HD_CODE_UGE:
    return plain ? hd_note_cut(width, v, lo, most) : *v;
  case HD_CODE_SGE:
    return hd_note_cut(width, v, lo, most);
  default:
    return *v;
  }
}

static void narrow(const hd_note_frame *f, const hd_cexpr *e, hd_code_op op,
                   int side) {
  const hd_cexpr *r = &f->code->exprs.data[e->args[side]];
  int64_t lo, hi;
  if (r->op != HD_CODE_REG || r->type.kind != HD_TYPE_INT)
    return;
  hd_note_value v = f->get(f->context, r);
  if (v.kind != HD_NOTE_RANGE)
    return;
  hd_note_value other = f->eval(f->context, e->args[1 - side]);
  if (!hd_note_bounds(r->type.width, &other, &lo, &hi))
    return;
  v = hd_note_narrowed(side ? mirrored(op) : op, r->type.width, &v, lo, hi);
  f->set(f->context, r, &v);
}

void hd_note_condition(const hd_note_frame *f, hd_cexpr_id id, bool truth) {
  const hd_cexpr *e = &f->code->exprs.data[id];
  const hd_cexpr *b =
      e->args[1] == HD_NO_ID ? NULL : &f->code->exprs.data[e->args[1]];
  hd_code_op op = (hd_code_op)e->op;
  hd_u32s regs = {0};
  registers_in(f->code, id, &regs);
  for (hd_vec_each(const uint32_t, r, &regs))
    sift(f, id, truth, &f->code->exprs.data[*r]);
  hd_vec_free(&regs);
  if (op == HD_CODE_ZEXT || op == HD_CODE_SEXT) {
    hd_note_condition(f, e->args[0], truth);
  } else if (op == HD_CODE_XOR && e->type.width == 1) {
    if (b->op == HD_CODE_INT)
      hd_note_condition(f, e->args[0], truth != (b->value & 1));
  } else if (e->type.width == 1 &&
             ((op == HD_CODE_AND && truth) || (op == HD_CODE_OR && !truth))) {
    hd_note_condition(f, e->args[0], truth);
    hd_note_condition(f, e->args[1], truth);
  } else if (hd_note_compares(op)) {
    if ((op == HD_CODE_NE || op == HD_CODE_EQ) && b->op == HD_CODE_INT &&
        !b->value && f->code->exprs.data[e->args[0]].op == HD_CODE_ZEXT)
      hd_note_condition(f, e->args[0], truth == (op == HD_CODE_NE));
    op = truth ? op : opposite(op);
    narrow(f, e, op, 0);
    narrow(f, e, op, 1);
  }
}
