/* SPDX-License-Identifier: MIT */
/* Values one by one: what an input, or a register in the address of a lock, may
 * be. Each value makes a state of its own, so whatever is known together stays
 * together. */
#include "engine/unfold/split.h"

#include "engine/unfold/relate.h"
#include "engine/unfold/terms.h"

static bool put(hd_value *out, size_t *n, hd_value v) {
  assert(*n <= MAX_SPLIT);
  if (*n == MAX_SPLIT)
    return false;
  out[(*n)++] = v;
  return true;
}

static bool put_ints(hd_value *out, size_t *n, uint8_t width, int64_t lo,
                     int64_t hi) {
  if (lo > hi)
    return true;
  if ((uint64_t)hi - (uint64_t)lo >= MAX_SPLIT)
    return false;
  for (int64_t x = lo;; x++) {
    if (!put(out, n, hd_value_const(width, (uint64_t)x)))
      return false;
    if (x == hi)
      return true;
  }
}

size_t hd_split_value(uint8_t width, const hd_value *v, hd_value *out) {
  size_t n = 0;
  if (v->undef || v->wild || !put_ints(out, &n, width, v->nlo, v->nhi) ||
      !put_ints(out, &n, width, v->plo, v->phi))
    return 0;
  for (int i = 0; i < v->n_targets; i++) {
    const hd_pointee *t = &v->targets[i];
    for (int64_t at = t->lo; at <= t->hi; at += t->stride) {
      if (!put(out, &n, hd_value_address(t->object, at, at)))
        return 0;
      if (!t->stride)
        break;
    }
  }
  return n;
}

bool hd_split_is_exact(const hd_value *v) {
  uint64_t bits;
  hd_object_id object;
  int64_t offset;
  return hd_value_is_const(v, &bits) ||
         hd_value_is_address(v, &object, &offset) ||
         (v->undef && !v->wild && !v->n_targets && !hd_value_has_int(v));
}

static uint8_t width_of(const analysis *a, const frame *f, hd_reg_id reg) {
  assert(reg < f->n_regs);
  return a->code->regs.data[a->code->funcs.data[f->func].regs + reg].type.width;
}

bool hd_split_reg(analysis *a, const local *l, hd_reg_id reg, locals *out) {
  hd_value values[MAX_SPLIT];
  uint8_t width = width_of(a, l->top, reg);
  size_t n = hd_split_value(width, &l->top->regs[reg], values);
  for (size_t i = 0; i < n; i++) {
    local one = hd_local_copy(l);
    hd_eval_refine_reg(&one, reg, width, &values[i]);
    if (hd_terms_fix(a, &one, &l->top->regs[reg], width, &values[i]))
      hd_vec_push(out, one);
    else
      hd_local_free(&one);
  }
  return n > 0;
}

/* A register of the expression that has some values, but not too many. */
static hd_reg_id find_reg(analysis *a, const local *l, hd_cexpr_id expr) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  hd_value values[MAX_SPLIT];
  if (e->op == HD_CODE_REG) {
    hd_reg_id reg = (hd_reg_id)e->value;
    return hd_split_value(e->type.width, &l->top->regs[reg], values) > 1
               ? reg
               : HD_NO_ID;
  }
  for (int i = 0; i < hd_code_op_arity(e->op); i++) {
    hd_reg_id reg = find_reg(a, l, e->args[i]);
    if (reg != HD_NO_ID)
      return reg;
  }
  return HD_NO_ID;
}

bool hd_split_operand(analysis *a, thread_id thread, const local *l,
                      hd_cexpr_id expr, locals *out) {
  hd_mays mays = 0;
  hd_value v = hd_eval_expr(a, thread, l, expr, &mays);
  if (hd_split_is_exact(&v))
    return false;
  hd_reg_id reg = find_reg(a, l, expr);
  return reg != HD_NO_ID && hd_split_reg(a, l, reg, out);
}

void hd_split_start(analysis *a, local start, locals *out) {
  uint32_t n_regs = start.top->n_regs;
  hd_vec_push(out, start);
  for (hd_reg_id r = 0; r < n_regs; r++)
    for (size_t i = 0; i < out->size && out->size < MAX_STATES; i++) {
      local l = out->data[i];
      if (hd_split_is_exact(&l.top->regs[r]) || l.top->regs[r].term ||
          !hd_live_at(a->live, l.top->loc, r))
        continue;
      size_t first = out->size;
      if (!hd_split_reg(a, &l, r, out))
        continue;
      /* The last one takes the place of the one that was split. */
      assert(out->size > first);
      hd_local_free(&out->data[i]);
      out->data[i] = hd_vec_pop(out);
    }
}
