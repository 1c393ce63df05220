/* SPDX-License-Identifier: MIT */
/* Values of expressions, and what follows when a condition holds. */
#include "check/notes/compute.h"
#include "check/notes/state.h"

/* --- expressions --- */

static value leaf(walk *w, const state *s, const hd_cexpr *e) {
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    return hd_note_number(e->value);
  case HD_CODE_NULL:
    return hd_note_number(0);
  case HD_CODE_REG:
    return top(s)->regs[e->value];
  case HD_CODE_GLOBAL:
    if (w->code->globals.data[e->value].thread_local)
      return hd_note_any(); /* one name, many objects */
  /* fallthrough */
  case HD_CODE_FUNC:
    return hd_note_address(
        hd_note_object_of(
            w->notes, (object){e->op == HD_CODE_FUNC ? OBJ_FUNC : OBJ_GLOBAL,
                               (uint32_t)e->value, 0, 0, 0}),
        0);
  case HD_CODE_SLOT:
    return hd_note_address(
        hd_note_object_of(w->notes, (object){OBJ_SLOT, (uint32_t)e->value,
                                             s->thread, top(s)->stack, 0}),
        0);
  default:
    return hd_note_any();
  }
}

/* Pointers that leave their object are not followed any further. */
static value stay(const walk *w, value v) {
  if (v.kind == HD_NOTE_SPAN &&
      (v.lo < 0 || (uint64_t)v.hi > hd_note_object_size(w->notes, v.base)))
    return hd_note_any();
  for (int i = 0; v.kind == HD_NOTE_SET && i < v.n; i++)
    if (v.elems[i].base != HD_NO_ID &&
        v.elems[i].bits > hd_note_object_size(w->notes, v.elems[i].base))
      return hd_note_any();
  return v;
}

/* Constants may be kept in one another, and what is only declared need not be
 * there. */
static hd_note_facts facts_of(const void *context, uint32_t base) {
  const hd_annotation *n = context;
  const object *o = &n->objects.data[base];
  hd_note_facts f = {.size = hd_note_object_size(n, base)};
  switch (o->kind) {
  case OBJ_GLOBAL:
    f.nullable = n->code->globals.data[o->index].external;
    f.merged = n->code->globals.data[o->index].constant;
    f.align = f.nullable ? 0 : n->code->globals.data[o->index].align;
    break;
  case OBJ_FUNC:
    f.code = true;
    f.nullable = !n->code->funcs.data[o->index].defined;
    break;
  case OBJ_SLOT:
    f.merged = hd_note_is_literal(n, base);
    break;
  case OBJ_THREAD:
  case OBJ_OPAQUE:
    f.opaque = true;
    break;
  }
  return f;
}

hd_note_world hd_note_world_of(walk *w) {
  return (hd_note_world){facts_of, w->notes, &w->open};
}

value hd_note_eval(walk *w, const state *s, hd_cexpr_id id) {
  assert(id < w->code->exprs.size);
  const hd_cexpr *e = &w->code->exprs.data[id];
  if (hd_code_op_arity((hd_code_op)e->op) == 0)
    return leaf(w, s, e);
  if (w->failed)
    return hd_note_any();
  if (!hd_run_tick(w->run))
    hd_note_refuse(w, "%s", hd_run_why(w->run));
  value a = hd_note_eval(w, s, e->args[0]);
  if (e->op == HD_CODE_SELECT) {
    value b = hd_note_eval(w, s, e->args[1]),
          c = hd_note_eval(w, s, e->args[2]);
    bool yes = hd_note_may(&a, 1), no = hd_note_may(&a, 0);
    return yes && no ? hd_note_join(e->type.width, &b, &c)
           : yes     ? b
           : no      ? c
                     : hd_note_none();
  }
  value b = hd_note_number(0);
  if (e->args[1] != HD_NO_ID)
    b = hd_note_eval(w, s, e->args[1]);
  bool bad = false;
  hd_note_world world = hd_note_world_of(w);
  value v = hd_note_apply(&world, e, w->code->exprs.data[e->args[0]].type, &a,
                          &b, &bad);
  if (bad)
    hd_note_refuse(w, "an operation that may have no value, in %s",
                   w->code->funcs.data[top(s)->func].name);
  return stay(w, v);
}

/* --- conditions --- */

static bool may_be(const value *v, bool truth) {
  if (v->kind == HD_NOTE_RANGE)
    return truth || (v->lo <= 0 && v->hi >= 0);
  if (v->kind != HD_NOTE_SET)
    return true;
  for (int i = 0; i < v->n; i++)
    if (v->elems[i].base != HD_NO_ID || (v->elems[i].bits != 0) == truth)
      return true;
  return false;
}

static void registers_in(const hd_code *code, hd_cexpr_id id, hd_u32s *out) {
  assert(id < code->exprs.size);
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_REG) {
    for (hd_vec_each(const uint32_t, r, out))
      if (*r == e->value)
        return;
    hd_vec_push(out, (uint32_t)e->value);
  }
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    registers_in(code, e->args[i], out);
}

/* Of a register with few values those stay with which the condition may hold. */
static void sift(walk *w, state *s, hd_cexpr_id id, bool truth, uint32_t reg) {
  value *slot = &top(s)->regs[reg], all = *slot, kept = hd_note_none();
  if (all.kind != HD_NOTE_SET || all.n < 2)
    return;
  for (int i = 0; i < all.n; i++) {
    *slot = hd_note_address(all.elems[i].base, all.elems[i].bits);
    value v = hd_note_eval(w, s, id);
    if (may_be(&v, truth))
      kept.elems[kept.n++] = all.elems[i];
  }
  *slot = kept;
}

hd_code_op hd_note_opposite(hd_code_op op) {
  switch (op) {
  case HD_CODE_SLT:
    return HD_CODE_SGE;
  case HD_CODE_SGE:
    return HD_CODE_SLT;
  case HD_CODE_SGT:
    return HD_CODE_SLE;
  case HD_CODE_SLE:
    return HD_CODE_SGT;
  case HD_CODE_ULT:
    return HD_CODE_UGE;
  case HD_CODE_UGE:
    return HD_CODE_ULT;
  case HD_CODE_UGT:
    return HD_CODE_ULE;
  case HD_CODE_ULE:
    return HD_CODE_UGT;
  case HD_CODE_EQ:
    return HD_CODE_NE;
  default:
    return HD_CODE_EQ;
  }
}

hd_code_op hd_note_mirrored(hd_code_op op) {
  switch (op) {
  case HD_CODE_SLT:
    return HD_CODE_SGT;
  case HD_CODE_SGT:
    return HD_CODE_SLT;
  case HD_CODE_SLE:
    return HD_CODE_SGE;
  case HD_CODE_SGE:
    return HD_CODE_SLE;
  case HD_CODE_ULT:
    return HD_CODE_UGT;
  case HD_CODE_UGT:
    return HD_CODE_ULT;
  case HD_CODE_ULE:
    return HD_CODE_UGE;
  case HD_CODE_UGE:
    return HD_CODE_ULE;
  default:
    return op;
  }
}

/* reg OP x holds: what is left of an interval. Unsigned comparisons with a number
 * below 2^(width-1) are as signed ones, for what is not negative. */
value hd_note_narrowed(hd_code_op op, uint8_t width, const value *v, int64_t lo,
                       int64_t hi) {
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

static void narrow(walk *w, state *s, const hd_cexpr *e, hd_code_op op,
                   int side) {
  const hd_cexpr *r = &w->code->exprs.data[e->args[side]];
  int64_t lo, hi;
  if (r->op != HD_CODE_REG || r->type.kind != HD_TYPE_INT ||
      top(s)->regs[r->value].kind != HD_NOTE_RANGE)
    return;
  value other = hd_note_eval(w, s, e->args[1 - side]);
  if (!hd_note_bounds(r->type.width, &other, &lo, &hi))
    return;
  top(s)->regs[r->value] =
      hd_note_narrowed(side ? hd_note_mirrored(op) : op, r->type.width,
                       &top(s)->regs[r->value], lo, hi);
}

void hd_note_refine(walk *w, state *s, hd_cexpr_id id, bool truth) {
  assert(id < w->code->exprs.size);
  const hd_cexpr *e = &w->code->exprs.data[id];
  hd_u32s regs = {0};
  registers_in(w->code, id, &regs);
  for (hd_vec_each(const uint32_t, r, &regs))
    sift(w, s, id, truth, *r);
  hd_vec_free(&regs);
  if (e->op == HD_CODE_ZEXT || e->op == HD_CODE_SEXT) {
    hd_note_refine(w, s, e->args[0], truth);
  } else if (e->op == HD_CODE_XOR && e->type.width == 1) {
    const hd_cexpr *b = &w->code->exprs.data[e->args[1]];
    if (b->op == HD_CODE_INT)
      hd_note_refine(w, s, e->args[0], truth != (b->value & 1));
  } else if (e->type.width == 1 && ((e->op == HD_CODE_AND && truth) ||
                                    (e->op == HD_CODE_OR && !truth))) {
    hd_note_refine(w, s, e->args[0], truth);
    hd_note_refine(w, s, e->args[1], truth);
  } else if (hd_note_compares((hd_code_op)e->op)) {
    hd_code_op op = (hd_code_op)e->op;
    const hd_cexpr *b = &w->code->exprs.data[e->args[1]];
    if ((op == HD_CODE_NE || op == HD_CODE_EQ) && b->op == HD_CODE_INT &&
        !b->value && w->code->exprs.data[e->args[0]].op == HD_CODE_ZEXT)
      hd_note_refine(w, s, e->args[0], truth == (op == HD_CODE_NE));
    op = truth ? op : hd_note_opposite(op);
    narrow(w, s, e, op, 0);
    narrow(w, s, e, op, 1);
  }
}
