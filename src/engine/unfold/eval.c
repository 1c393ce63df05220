/* SPDX-License-Identifier: MIT */
/* Expressions and conditions over the abstract state of a thread.
 *
 * A condition refines what it is about: the registers in it, through operations
 * that can be inverted, and memory cells that such a register was loaded from and
 * that nobody wrote since (mirrors). What intervals cannot keep (x == y) is
 * remembered as a fact while the registers do not change. */
#include "engine/unfold/relate.h"
#include "engine/unfold/terms.h"

#include <string.h>

static hd_value eval_leaf(analysis *a, thread_id thread, const local *l,
                          const hd_cexpr *e) {
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    return hd_value_const(e->type.width, e->value);
  case HD_CODE_NULL:
    return hd_value_const(e->type.width, 0);
  case HD_CODE_REG:
    assert(e->value < l->top->n_regs);
    return l->top->regs[e->value];
  case HD_CODE_GLOBAL: {
    bool tls = a->code->globals.data[e->value].thread_local;
    object_key key = {.kind = tls ? OBJ_TLS : OBJ_GLOBAL,
                      .thread = tls ? thread : 0,
                      .what = (uint32_t)e->value};
    return hd_value_address(hd_analysis_object(a, key), 0, 0);
  }
  case HD_CODE_FUNC: {
    object_key key = {.kind = OBJ_FUNC, .what = (uint32_t)e->value};
    return hd_value_address(hd_analysis_object(a, key), 0, 0);
  }
  case HD_CODE_SLOT: {
    const hd_func *f = &a->code->funcs.data[l->top->func];
    assert(e->value < f->n_slots);
    object_key key = {.kind = OBJ_SLOT,
                      .thread = thread,
                      .what = f->slots + (uint32_t)e->value,
                      .depth = l->top->depth};
    return hd_value_address(hd_analysis_object(a, key), 0, 0);
  }
  default:
    return hd_value_undefined();
  }
}

/* Splits the distance of a PTRADD into a fixed part, which is left out of the
 * value, and the rest, which is a multiple of `*step`. */
static hd_value eval_distance(analysis *a, thread_id thread, const local *l,
                              hd_cexpr_id expr, int64_t *fixed, uint32_t *step,
                              hd_mays *mays) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  uint8_t width = e->type.width;
  if (e->op == HD_CODE_ADD) {
    int64_t fixed_right = 0;
    uint32_t steps[2] = {1, 1};
    hd_value parts[2];
    parts[0] = eval_distance(a, thread, l, e->args[0], fixed, &steps[0], mays);
    parts[1] =
        eval_distance(a, thread, l, e->args[1], &fixed_right, &steps[1], mays);
    hd_type types[2] = {e->type, e->type};
    *fixed = (int64_t)((uint64_t)*fixed + (uint64_t)fixed_right);
    uint64_t zero;
    if (hd_value_is_const(&parts[0], &zero) && zero == 0)
      *step = steps[1];
    else if (hd_value_is_const(&parts[1], &zero) && zero == 0)
      *step = steps[0];
    else
      *step = steps[0] == steps[1] ? steps[0] : 1;
    return hd_value_apply(HD_CODE_ADD, 0, e->type, types, parts, mays);
  }
  hd_value v = hd_eval_expr(a, thread, l, expr, mays);
  uint64_t bits;
  if (hd_value_is_const(&v, &bits)) {
    *fixed = width == 64 ? (int64_t)bits : (int64_t)(int32_t)(uint32_t)bits;
    return hd_value_const(width, 0);
  }
  *fixed = 0;
  *step = 1;
  if (e->op == HD_CODE_MUL || e->op == HD_CODE_SHL) {
    const hd_cexpr *by = &a->code->exprs.data[e->args[1]];
    if (by->op == HD_CODE_INT && e->op == HD_CODE_MUL && by->value > 0 &&
        by->value < UINT32_MAX)
      *step = (uint32_t)by->value;
    if (by->op == HD_CODE_INT && e->op == HD_CODE_SHL && by->value < 31)
      *step = (uint32_t)1 << by->value;
  }
  return v;
}

/* No object is larger. */
#define MAX_DISTANCE ((int64_t)INT32_MAX)

static hd_value eval_address(analysis *a, thread_id thread, const local *l,
                             const hd_cexpr *e, hd_mays *mays) {
  assert(e->op == HD_CODE_PTRADD);
  hd_value base = hd_eval_expr(a, thread, l, e->args[0], mays);
  int64_t fixed = 0;
  uint32_t step = 1;
  hd_value by = eval_distance(a, thread, l, e->args[1], &fixed, &step, mays);
  if (base.undef || by.undef)
    *mays |= HD_MAY_BE_UNDEFINED;
  if (base.undef) {
    hd_value any = hd_value_any(e->type.width);
    any.wild = any.undef = true;
    return any;
  }
  if (by.undef) /* some distance, in the same object or an error */
    by = hd_value_any(e->type.width);
  if (e->flags & HD_CODE_INBOUNDS) { /* further away is an error in any case */
    hd_value near = hd_value_signed(e->type.width, -MAX_DISTANCE, MAX_DISTANCE);
    by = hd_value_meet(e->type.width, &by, &near);
  }
  return hd_value_move(e->type.width, &base, fixed, &by, step);
}

/* Is the register `a` what is in a cell, and so is `b`? */
static bool is_deposited(const frame *f, const hd_cexpr *a, const hd_cexpr *b,
                         hd_cexpr_id expr) {
  if (a->op != HD_CODE_REG || !f->mirrors[a->value].bytes)
    return false;
  const mirror *m = &f->mirrors[a->value];
  if (b->op == HD_CODE_REG)
    return mirror_same(m, &f->mirrors[b->value]);
  for (uint32_t i = 0; i < f->n_deposits; i++)
    if (f->deposits[i].expr == expr && mirror_same(m, &f->deposits[i].cell))
      return true;
  return false;
}

/* A comparison of two values of which both are what is in one cell; also if that
 * was never set, unless that is asked about: then it has some value, but one. */
static bool compares_same(const analysis *a, const frame *f,
                          const hd_cexpr *e) {
  if (e->op < HD_CODE_EQ || e->op > HD_CODE_SGE)
    return false;
  const hd_cexpr *x = &a->code->exprs.data[e->args[0]];
  const hd_cexpr *y = &a->code->exprs.data[e->args[1]];
  if (!is_deposited(f, x, y, e->args[1]) && !is_deposited(f, y, x, e->args[0]))
    return false;
  const hd_cexpr *reg = x->op == HD_CODE_REG ? x : y;
  return !f->regs[reg->value].undef ||
         !(a->options->checks >> HD_PROPERTY_UNINIT & 1);
}

/* Does the comparison hold for equal ones? */
static bool holds_for_equal(hd_code_op op) {
  assert(op >= HD_CODE_EQ && op <= HD_CODE_SGE);
  return op == HD_CODE_EQ || op == HD_CODE_ULE || op == HD_CODE_UGE ||
         op == HD_CODE_SLE || op == HD_CODE_SGE;
}

static bool is_heap(const analysis *a, hd_object_id object) {
  return object_of(a, object)->kind == OBJ_HEAP;
}

/* A variable whose function or block may have been left. */
static bool is_left(const analysis *a, const local *l, hd_object_id object) {
  uint8_t kind = (uint8_t)object_of(a, object)->kind;
  hd_life life = hd_memory_life(l->memory, object);
  return (kind == OBJ_SLOT || kind == OBJ_ALLOCA) &&
         (life == HD_LIFE_DEAD || life == HD_LIFE_MAYBE);
}

/* May v be just behind an object, and w be the start of another, which may lie
 * there? */
static bool may_touch(const local *l, const hd_pointee *v,
                      const hd_pointee *w) {
  int64_t size = (int64_t)hd_memory_size(l->memory, v->object);
  return v->object != w->object && size && v->hi >= size && v->lo <= size &&
         w->lo <= 0 && w->hi >= 0;
}

static bool is_literal(const analysis *a, const object_key *key) {
  return key->kind == OBJ_GLOBAL
             ? hd_code_is_literal(a->code, key->what)
             : key->kind == OBJ_SLOT &&
                   hd_code_is_literal_slot(a->code, key->what);
}

/* May they be in two literals that are one? */
static bool may_share(const analysis *a, const hd_pointee *v,
                      const hd_pointee *w) {
  const object_key *x = object_of(a, v->object);
  const object_key *y = object_of(a, w->object);
  if (v->object == w->object || !is_literal(a, x) || !is_literal(a, y))
    return false;
  if (x->kind == OBJ_SLOT || y->kind == OBJ_SLOT)
    return true; /* whatever is in it */
  if (v->lo == v->hi && w->lo == w->hi)
    return hd_code_may_share(a->code, x->what, v->lo, y->what, w->lo);
  return true;
}

void hd_eval_compared(analysis *a, const local *l, const hd_value *v,
                      const hd_value *w) {
  for (int i = 0; i < v->n_targets; i++)
    for (int k = 0; k < w->n_targets; k++)
      if (v->targets[i].object != w->targets[k].object &&
          (is_left(a, l, v->targets[i].object) ||
           is_left(a, l, w->targets[k].object)))
        hd_analysis_give_up(a, a->code->out[a->code->out_start[l->top->loc]],
                            "the address of a variable that may be gone is "
                            "compared with another");
  for (int i = 0; i < v->n_targets; i++)
    for (int k = 0; k < w->n_targets; k++)
      if (may_touch(l, &v->targets[i], &w->targets[k]) ||
          may_touch(l, &w->targets[k], &v->targets[i]))
        hd_analysis_give_up(
            a, a->code->out[a->code->out_start[l->top->loc]],
            "the address behind an object is compared with that "
            "of another");
      else if (may_share(a, &v->targets[i], &w->targets[k]))
        hd_analysis_give_up(a, a->code->out[a->code->out_start[l->top->loc]],
                            "addresses in two literals are compared, which "
                            "may be one");
  for (int i = 0; a->frees && i < v->n_targets; i++)
    for (int k = 0; k < w->n_targets; k++) {
      hd_object_id x = v->targets[i].object, y = w->targets[k].object;
      if (x == y || !is_heap(a, x) || !is_heap(a, y) ||
          (!a->threads.size && !a->modular &&
           hd_memory_life(l->memory, x) == HD_LIFE_ALIVE &&
           hd_memory_life(l->memory, y) == HD_LIFE_ALIVE))
        continue;
      hd_analysis_give_up(a, a->code->out[a->code->out_start[l->top->loc]],
                          "addresses of memory that may have been freed are "
                          "compared, and may come again");
    }
}

hd_value hd_eval_expr(analysis *a, thread_id thread, const local *l,
                      hd_cexpr_id expr, hd_mays *mays) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  int n = hd_code_op_arity(e->op);
  if (!n)
    return eval_leaf(a, thread, l, e);
  if (e->op == HD_CODE_PTRADD)
    return eval_address(a, thread, l, e, mays);
  if (compares_same(a, l->top, e))
    return hd_value_const(1, holds_for_equal(e->op));
  hd_value args[3];
  hd_type types[3];
  for (int i = 0; i < n; i++) {
    args[i] = hd_eval_expr(a, thread, l, e->args[i], mays);
    types[i] = a->code->exprs.data[e->args[i]].type;
  }
  hd_mays here = 0;
  if (e->op >= HD_CODE_EQ && e->op <= HD_CODE_SGE)
    hd_eval_compared(a, l, &args[0], &args[1]);
  hd_value v = hd_value_apply(e->op, e->flags, e->type, types, args, &here);
  if (here && a->terms)
    here = hd_terms_undefined(a, l, e, types, args, here);
  *mays |= here;
  if (a->terms && (here | HD_MAY_OVERFLOW | HD_MAY_LEAVE_ARRAY) ==
                      (HD_MAY_OVERFLOW | HD_MAY_LEAVE_ARRAY))
    hd_terms_apply(a, e, types, args, &v);
  return v;
}

/* --- conditions --- */

static void refine_expr(analysis *a, thread_id thread, local *l,
                        hd_cexpr_id expr, const hd_value *value);
static bool assume(analysis *a, thread_id thread, local *l, hd_cexpr_id expr,
                   bool truth);

void hd_eval_refine_reg(local *l, hd_reg_id reg, uint8_t width,
                        const hd_value *value) {
  assert(reg < l->top->n_regs);
  hd_value both = hd_value_meet(width, &l->top->regs[reg], value);
  if (hd_value_same(&both, &l->top->regs[reg]))
    return;
  l->top = hd_frame_own(l->top);
  mirror m = l->top->mirrors[reg];
  l->top->regs[reg] = both;
  if (!m.bytes)
    return;
  hd_pointee at = {m.object, 0, m.offset, m.offset};
  hd_value old = hd_memory_load(l->memory, &at, m.bytes);
  both = hd_value_meet(width, &old, value);
  if (8 * m.bytes == width && !hd_value_is_none(&both))
    hd_memory_refine(&l->memory, &at, m.bytes, &both);
}

/* x + c = v: x = v - c; and the like. */
static void refine_sum(analysis *a, thread_id thread, local *l,
                       const hd_cexpr *e, const hd_value *value) {
  assert(e->op == HD_CODE_ADD || e->op == HD_CODE_SUB);
  hd_mays mays = 0;
  hd_value right = hd_eval_expr(a, thread, l, e->args[1], &mays);
  uint64_t bits;
  if (!hd_value_is_const(&right, &bits) || value->undef || value->wild ||
      value->n_targets)
    return;
  hd_type types[2] = {e->type, e->type};
  hd_value args[2] = {*value, right};
  hd_value inner =
      hd_value_apply(e->op == HD_CODE_ADD ? HD_CODE_SUB : HD_CODE_ADD, 0,
                     e->type, types, args, &mays);
  refine_expr(a, thread, l, e->args[0], &inner);
}

static void refine_cast(analysis *a, thread_id thread, local *l,
                        const hd_cexpr *e, const hd_value *value) {
  assert(hd_code_op_arity(e->op) == 1);
  hd_mays mays = 0;
  hd_type inner = a->code->exprs.data[e->args[0]].type;
  hd_value old = hd_eval_expr(a, thread, l, e->args[0], &mays);
  if (value->undef || value->wild || value->n_targets || old.undef)
    return;
  hd_value back;
  if (e->op == HD_CODE_TRUNC) {
    /* Only where the truncation loses nothing is it known what was there. */
    hd_value narrow = hd_value_any(e->type.width);
    hd_code_op up = HD_CODE_SEXT;
    hd_value all = hd_value_apply(up, 0, inner, &e->type, &narrow, &mays);
    if (!hd_value_within(&old, &all)) {
      up = HD_CODE_ZEXT;
      all = hd_value_apply(up, 0, inner, &e->type, &narrow, &mays);
    }
    if (!hd_value_within(&old, &all))
      return;
    back = hd_value_apply(up, 0, inner, &e->type, value, &mays);
  } else {
    /* The extension is one to one: take the low bits of what is possible. */
    hd_value wide = hd_value_any(inner.width);
    hd_value range = hd_value_apply(e->op, 0, e->type, &inner, &wide, &mays);
    hd_value both = hd_value_meet(e->type.width, value, &range);
    if (hd_value_is_none(&both))
      return;
    back = hd_value_apply(HD_CODE_TRUNC, 0, inner, &e->type, &both, &mays);
  }
  refine_expr(a, thread, l, e->args[0], &back);
}

static void refine_expr(analysis *a, thread_id thread, local *l,
                        hd_cexpr_id expr, const hd_value *value) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  switch ((hd_code_op)e->op) {
  case HD_CODE_REG:
    hd_eval_refine_reg(l, (hd_reg_id)e->value, e->type.width, value);
    break;
  case HD_CODE_ADD:
  case HD_CODE_SUB:
    refine_sum(a, thread, l, e, value);
    break;
  case HD_CODE_TRUNC:
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT:
    refine_cast(a, thread, l, e, value);
    break;
  default:
    break;
  }
}

/* Every comparison as EQ, ULT or SLT. */
static fact normal(hd_code_op op, hd_cexpr_id a, hd_cexpr_id b, bool truth) {
  assert(op >= HD_CODE_EQ && op <= HD_CODE_SGE);
  static const struct {
    uint8_t op;
    bool swap, negate;
  } forms[] = {
      {HD_CODE_EQ, false, false},  {HD_CODE_EQ, false, true},
      {HD_CODE_ULT, false, false}, {HD_CODE_ULT, true, true},
      {HD_CODE_ULT, true, false},  {HD_CODE_ULT, false, true},
      {HD_CODE_SLT, false, false}, {HD_CODE_SLT, true, true},
      {HD_CODE_SLT, true, false},  {HD_CODE_SLT, false, true},
  };
  bool swap = forms[op - HD_CODE_EQ].swap;
  if (forms[op - HD_CODE_EQ].op == HD_CODE_EQ)
    swap = a > b;
  return (fact){.op = forms[op - HD_CODE_EQ].op,
                .truth = truth != forms[op - HD_CODE_EQ].negate,
                .a = swap ? b : a,
                .b = swap ? a : b};
}

/* A fact with the same operands: 1 it says the same, -1 the opposite, 0 none. */
static int known(const frame *f, const fact *x) {
  for (uint32_t i = 0; i < f->n_facts; i++) {
    const fact *y = &f->facts[i];
    if (y->op == x->op && y->a == x->a && y->b == x->b)
      return y->truth == x->truth ? 1 : -1;
    /* equal ones are not less, either way */
    if (y->op == HD_CODE_EQ && y->truth && x->op != HD_CODE_EQ && x->truth &&
        ((y->a == x->a && y->b == x->b) || (y->a == x->b && y->b == x->a)))
      return -1;
    if (x->op == HD_CODE_EQ && x->truth && y->op != HD_CODE_EQ && y->truth &&
        ((y->a == x->a && y->b == x->b) || (y->a == x->b && y->b == x->a)))
      return -1;
  }
  return 0;
}

static bool is_leaf_const(const hd_code *code, hd_cexpr_id expr) {
  return code->exprs.data[expr].op == HD_CODE_INT ||
         code->exprs.data[expr].op == HD_CODE_NULL;
}

static void remember(const hd_code *code, local *l, const fact *x) {
  assert(!known(l->top, x)); /* neither it nor its opposite */
  /* Against a constant the interval says it already. */
  if (is_leaf_const(code, x->a) || is_leaf_const(code, x->b) ||
      l->top->n_facts == MAX_FACTS)
    return;
  frame *f = l->top = hd_frame_own(l->top);
  if (!f->facts)
    f->facts = hd_calloc(MAX_FACTS, sizeof *f->facts);
  f->facts[f->n_facts++] = *x;
}

static bool assume_comparison(analysis *a, thread_id thread, local *l,
                              const hd_cexpr *e, bool truth) {
  const hd_code *code = a->code;
  hd_mays mays = 0;
  /* (int)(x < y) != 0 */
  const hd_cexpr *left = &code->exprs.data[e->args[0]];
  const hd_cexpr *right = &code->exprs.data[e->args[1]];
  if ((e->op == HD_CODE_EQ || e->op == HD_CODE_NE) &&
      (left->op == HD_CODE_ZEXT || left->op == HD_CODE_SEXT) &&
      right->op == HD_CODE_INT && right->value == 0 &&
      code->exprs.data[left->args[0]].type.width == 1)
    return assume(a, thread, l, left->args[0], truth == (e->op == HD_CODE_NE));
  fact x = normal(e->op, e->args[0], e->args[1], truth);
  int what = known(l->top, &x);
  if (what < 0 ||
      (compares_same(a, l->top, e) && truth != holds_for_equal(e->op)))
    return false;
  hd_value v = hd_eval_expr(a, thread, l, e->args[0], &mays);
  hd_value w = hd_eval_expr(a, thread, l, e->args[1], &mays);
  if (!hd_value_refine(e->op, truth, left->type.width, &v, &w))
    return false;
  refine_expr(a, thread, l, e->args[0], &v);
  refine_expr(a, thread, l, e->args[1], &w);
  if (!what)
    remember(code, l, &x);
  return hd_relate_assume(a, thread, l, e->op, truth, e->args[0], e->args[1]);
}

static bool assume(analysis *a, thread_id thread, local *l, hd_cexpr_id expr,
                   bool truth) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  assert(e->type.kind == HD_TYPE_INT && e->type.width == 1);
  hd_mays mays = 0;
  if (e->op >= HD_CODE_EQ && e->op <= HD_CODE_SGE)
    return assume_comparison(a, thread, l, e, truth);
  if (e->op == HD_CODE_XOR && a->code->exprs.data[e->args[1]].op == HD_CODE_INT)
    return assume(a, thread, l, e->args[0],
                  truth != (a->code->exprs.data[e->args[1]].value & 1));
  hd_value v = hd_eval_expr(a, thread, l, expr, &mays);
  if (!v.undef && !v.wild && !hd_value_contains(&v, 1, truth))
    return false;
  if ((e->op == HD_CODE_AND && truth) || (e->op == HD_CODE_OR && !truth))
    return assume(a, thread, l, e->args[0], truth) &&
           assume(a, thread, l, e->args[1], truth);
  hd_value wanted = hd_value_const(1, truth);
  if (!v.undef)
    refine_expr(a, thread, l, expr, &wanted);
  return true;
}

/* With what inputs decide; that has to be looked at first, since registers that
 * are narrowed to one value forget their terms. */
bool hd_eval_assume(analysis *a, thread_id thread, local *l, hd_cexpr_id expr,
                    bool truth) {
  if (!a->terms)
    return assume(a, thread, l, expr, truth);
  hd_mays mays = 0;
  hd_value v = hd_eval_expr(a, thread, l, expr, &mays);
  return assume(a, thread, l, expr, truth) &&
         hd_terms_assume(a, l, &v, 1, truth);
}

bool hd_eval_assume_value(analysis *a, thread_id thread, local *l,
                          hd_cexpr_id expr, bool nonzero) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  if (e->type.width == 1)
    return hd_eval_assume(a, thread, l, expr, nonzero);
  if ((e->op == HD_CODE_ZEXT || e->op == HD_CODE_SEXT) &&
      a->code->exprs.data[e->args[0]].type.width == 1)
    return hd_eval_assume(a, thread, l, e->args[0], nonzero);
  hd_mays mays = 0;
  hd_value v = hd_eval_expr(a, thread, l, expr, &mays);
  hd_value zero = hd_value_const(e->type.width, 0);
  if (!hd_value_refine(HD_CODE_NE, nonzero, e->type.width, &v, &zero))
    return false;
  hd_value old = hd_eval_expr(a, thread, l, expr, &mays);
  refine_expr(a, thread, l, expr, &v);
  return !a->terms ||
         hd_terms_assume(a, l, &old, (uint8_t)e->type.width, nonzero);
}
