/* SPDX-License-Identifier: MIT */
/* Expressions as sums of variables, in the sense of clauses.c. */
#include "engine/weave/weave_impl.h"

static const hd_i128 most = (hd_i128)1 << 66;

static bool small(hd_i128 n) {
  return n < most && n > -most;
}

static void add_term(weave_form *f, uint32_t var, hd_i128 by) {
  for (uint32_t i = 0; i < f->n; i++)
    if (f->terms[i].var == var) {
      f->terms[i].by += by;
      f->over = f->over || !small(f->terms[i].by);
      if (!f->terms[i].by)
        f->terms[i] = f->terms[--f->n];
      return;
    }
  if (f->n == WEAVE_TERMS || !small(by)) {
    f->over = true;
    return;
  }
  f->terms[f->n].var = var;
  f->terms[f->n++].by = by;
}

static void add_rest(weave_form *f, hd_i128 scale, hd_i128 n) {
  if (!small(n) || !small(scale) || !small(f->rest)) {
    f->over = true;
    return;
  }
  /* below 2^67 each: the product may be too much */
  hd_i128 product;
  if (__builtin_mul_overflow(scale, n, &product) || !small(product))
    f->over = true;
  else
    f->rest += product;
}

bool hd_weave_constant(const weave_program *p, const weave_edge *e,
                       hd_cexpr_id id, int64_t *value) {
  weave_known known = hd_weave_fold(p, e->frame, e->env, id);
  uint8_t width = p->code->exprs.data[id].type.width;
  if (known.kind != WEAVE_NUMBER || width < 2)
    return false;
  *value = hd_word_signed(known.bits, width);
  return true;
}

typedef struct {
  const weave_program *p;
  const weave_edge *e;
  bool strict;
  weave_form *f;
} former;

static bool linear(const former *c, hd_cexpr_id id, hd_i128 scale);

static bool multiple(const former *c, hd_cexpr_id id, hd_i128 scale,
                     hd_i128 by) {
  hd_i128 product;
  if (__builtin_mul_overflow(scale, by, &product) || !small(product))
    c->f->over = true;
  return !c->f->over && linear(c, id, product);
}

static bool product_of(const former *c, const hd_cexpr *e, hd_i128 scale) {
  int64_t by;
  for (int i = 0; i < 2; i++)
    if (hd_weave_constant(c->p, c->e, e->args[i], &by))
      return multiple(c, e->args[1 - i], scale, by);
  return false;
}

static bool linear(const former *c, hd_cexpr_id id, hd_i128 scale) {
  const hd_cexpr *e = &c->p->code->exprs.data[id];
  int64_t value;
  if (e->type.width == 1 || e->type.kind == HD_TYPE_FLOAT)
    return false;
  if (hd_weave_constant(c->p, c->e, id, &value)) {
    add_rest(c->f, scale, value);
    return true;
  }
  switch ((hd_code_op)e->op) {
  case HD_CODE_REG:
    add_term(c->f, hd_weave_reg(c->p, c->e->frame, e->value), scale);
    return true;
  case HD_CODE_ADD:
    return linear(c, e->args[0], scale) && linear(c, e->args[1], scale);
  case HD_CODE_SUB:
    return linear(c, e->args[0], scale) && linear(c, e->args[1], -scale);
  case HD_CODE_XOR: /* ~a is -1 - a */
    if (!hd_weave_constant(c->p, c->e, e->args[1], &value) || value != -1)
      return false;
    add_rest(c->f, scale, -1);
    return linear(c, e->args[0], -scale);
  case HD_CODE_MUL:
    return product_of(c, e, scale);
  case HD_CODE_SHL:
    return hd_weave_constant(c->p, c->e, e->args[1], &value) && value >= 0 &&
           value < e->type.width && value < 64 &&
           multiple(c, e->args[0], scale, (hd_i128)1 << value);
  case HD_CODE_TRUNC:
    return linear(c, e->args[0], scale);
  case HD_CODE_ZEXT:
  case HD_CODE_SEXT: /* the clauses demand that it is in range */
    return c->strict && linear(c, e->args[0], scale);
  default:
    return false;
  }
}

bool hd_weave_form(const weave_program *p, const weave_edge *e, bool strict,
                   hd_cexpr_id id, int sign, weave_form *f) {
  const former c = {p, e, strict, f};
  return linear(&c, id, sign) && !f->over;
}

bool hd_weave_form_of(const weave_program *p, const weave_edge *e, bool strict,
                      const weave_value *v, uint8_t width, weave_form *f) {
  *f = (weave_form){0};
  if (width < 2)
    return false;
  switch ((weave_value_kind)v->kind) {
  case WEAVE_ANY:
    return false;
  case WEAVE_CONST:
    f->rest = hd_word_signed(v->bits, width);
    return true;
  case WEAVE_COPY:
    add_term(f, v->var, 1);
    return true;
  case WEAVE_EXPR:
    return hd_weave_form(p, e, strict, v->expr, 1, f);
  case WEAVE_MIXED:
    break;
  }
  add_term(f, v->var, 1);
  return (v->rmw == HD_RMW_ADD || v->rmw == HD_RMW_SUB) &&
         hd_weave_form(p, e, strict, v->expr, v->rmw == HD_RMW_ADD ? 1 : -1, f);
}
