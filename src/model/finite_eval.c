/* SPDX-License-Identifier: MIT */
/* Three-valued evaluation in the state a step starts from. */
#include "model/finite_impl.h"

#define OPEN HD_UNDECIDED

static uint8_t invert(uint8_t a) {
  return a == OPEN ? OPEN : !a;
}

/* The variable's value before the step. */
static uint8_t eval_var(const hd_finite *f, hd_var_id var,
                        hd_finite_leaves *leaves) {
  if (!hd_bits_test(f->kept, var))
    return 0;
  bool open =
      f->some_open && f->open_bit[var] != HD_NO_ID &&
      hd_finite_bit(f, f->shared_now, f->local_now, var, f->open_bit[var]);
  if (!open)
    return hd_finite_bit(f, f->shared_now, f->local_now, var, f->bit[var]);
  if (leaves && !leaves->var && f->var_decided[var] == OPEN)
    leaves->var = &f->var_decided[var];
  return f->var_decided[var];
}

static uint8_t eval_next(const hd_finite *f, hd_var_id var,
                         hd_finite_leaves *leaves) {
  const hd_assign *a = f->assigned[var];
  return a ? hd_finite_eval(f, a->value, leaves) : eval_var(f, var, leaves);
}

static uint8_t eval_choice(const hd_finite *f, hd_expr_id id,
                           hd_finite_leaves *leaves) {
  if (leaves && !leaves->choice && f->decided[id] == OPEN)
    leaves->choice = &f->decided[id];
  return f->decided[id];
}

/* AND, with `zero` 0; OR is the same with 0 and 1 exchanged. */
static uint8_t eval_and(const hd_finite *f, const hd_expr *e, uint8_t zero,
                        hd_finite_leaves *leaves) {
  uint8_t a = hd_finite_eval(f, e->args[0], leaves);
  if (a == zero)
    return zero;
  uint8_t b = hd_finite_eval(f, e->args[1], leaves);
  return b == zero ? zero : a == OPEN ? OPEN : b;
}

static uint8_t eval_xor(const hd_finite *f, const hd_expr *e,
                        hd_finite_leaves *leaves) {
  uint8_t a = hd_finite_eval(f, e->args[0], leaves);
  uint8_t b = hd_finite_eval(f, e->args[1], leaves);
  return a == OPEN || b == OPEN ? OPEN : a ^ b;
}

static uint8_t eval_ite(const hd_finite *f, const hd_expr *e,
                        hd_finite_leaves *leaves) {
  uint8_t c = hd_finite_eval(f, e->args[0], leaves);
  if (c != OPEN)
    return hd_finite_eval(f, e->args[c ? 1 : 2], leaves);
  uint8_t a = hd_finite_eval(f, e->args[1], leaves);
  uint8_t b = hd_finite_eval(f, e->args[2], leaves);
  return a == b ? a : OPEN;
}

static uint8_t eval_node(const hd_finite *f, hd_expr_id id,
                         hd_finite_leaves *leaves) {
  const hd_expr *e = &f->program->exprs.data[id];
  switch (e->op) {
  case HD_OP_CONST:
    return (uint8_t)e->value;
  case HD_OP_VAR:
    return eval_var(f, (hd_var_id)e->value, leaves);
  case HD_OP_NEXT:
    return eval_next(f, (hd_var_id)e->value, leaves);
  case HD_OP_CHOICE:
    return eval_choice(f, id, leaves);
  case HD_OP_NOT:
    return invert(hd_finite_eval(f, e->args[0], leaves));
  case HD_OP_AND:
    return eval_and(f, e, 0, leaves);
  case HD_OP_OR:
    return eval_and(f, e, 1, leaves);
  case HD_OP_XOR:
  case HD_OP_NE:
    return eval_xor(f, e, leaves);
  case HD_OP_EQ:
    return invert(eval_xor(f, e, leaves));
  case HD_OP_ITE:
    return eval_ite(f, e, leaves);
  }
  hd_bug("operator %d", (int)e->op);
}

uint8_t hd_finite_eval(const hd_finite *f, hd_expr_id id,
                       hd_finite_leaves *leaves) {
  if (!leaves)
    return eval_node(f, id, NULL);
  hd_finite_leaves before = *leaves;
  uint8_t value = eval_node(f, id, leaves);
  if (value != OPEN) /* what it looked at on the way does not matter */
    *leaves = before;
  return value;
}
