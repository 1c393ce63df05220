/* SPDX-License-Identifier: MIT */
#include "model/sign.h"

#include "model/calls.h"

/* Registers that have the result, by their number in the program; those whose uses
 * are still to be looked at are in `open`. */
typedef struct {
  const hd_code *code;
  bool zero;
  bool *kept;
  hd_u32s open;
} uses;

static hd_func_id function_of(const hd_code *code, const hd_cedge *e) {
  return code->locs.data[e->from].func;
}

static void keep(uses *u, uint32_t reg) {
  if (u->kept[reg])
    return;
  u->kept[reg] = true;
  hd_vec_push(&u->open, reg);
}

static void keep_target(uses *u, const hd_cedge *e, uint32_t i) {
  const hd_func *f = &u->code->funcs.data[function_of(u->code, e)];
  if (i < e->n_targets)
    keep(u, f->regs + hd_code_target(u->code, e, i));
}

static bool is_reg(const uses *u, hd_cexpr_id id, uint32_t reg) {
  const hd_cexpr *e = &u->code->exprs.data[id];
  return e->op == HD_CODE_REG && e->value == reg;
}

/* Does the comparison with the constant tell no more than the sign? */
static bool is_test(const uses *u, hd_code_op op, const hd_cexpr *with) {
  if (with->op != HD_CODE_INT)
    return false;
  int64_t k = hd_word_signed(with->value, with->type.width);
  switch (op) {
  case HD_CODE_EQ:
  case HD_CODE_NE:
    return k == 0;
  case HD_CODE_SLT:
  case HD_CODE_SGE:
    return !u->zero && (k == 0 || k == 1);
  case HD_CODE_SGT:
  case HD_CODE_SLE:
    return !u->zero && (k == 0 || k == -1);
  default:
    return false;
  }
}

/* Are all uses of the register in the expression such tests? */
static bool only_tests(const uses *u, hd_cexpr_id id, uint32_t reg) {
  const hd_cexpr *e = &u->code->exprs.data[id];
  int n = hd_code_op_arity((hd_code_op)e->op);
  if (is_reg(u, id, reg))
    return false;
  if (n == 2 && is_reg(u, e->args[0], reg) &&
      is_test(u, (hd_code_op)e->op, &u->code->exprs.data[e->args[1]]))
    return true;
  for (int i = 0; i < n; i++)
    if (!only_tests(u, e->args[i], reg))
      return false;
  return true;
}

static bool is_function(const hd_code *code, hd_cexpr_id id, hd_func_id f) {
  const hd_cexpr *e = &code->exprs.data[id];
  return e->op == HD_CODE_FUNC && e->value == f;
}

static bool names(const hd_code *code, hd_cexpr_id id, hd_func_id f) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (is_function(code, id, f))
    return true;
  for (int i = 0; i < hd_code_op_arity((hd_code_op)e->op); i++)
    if (names(code, e->args[i], f))
      return true;
  return false;
}

static bool is_in_memory(const hd_code *code, hd_func_id f) {
  for (hd_vec_each(const hd_reloc, r, &code->relocs))
    if (names(code, r->expr, f))
      return true;
  return false;
}

/* Who calls the function has its result. False: not all of them are known. */
static bool keep_returned(uses *u, hd_func_id f) {
  const hd_code *code = u->code;
  if (f == code->main || is_in_memory(code, f))
    return false;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    hd_library_fn fn = hd_call_of(code, e);
    bool sorts = fn == HD_LIB_qsort || fn == HD_LIB_bsearch;
    for (uint32_t i = 0; i < e->n_operands; i++) {
      hd_cexpr_id id = hd_code_operand(code, e, i);
      if (e->act == HD_CODE_CALL && !i && is_function(code, id, f))
        keep_target(u, e, 0);
      else if (names(code, id, f) && !sorts)
        return false;
    }
  }
  return true;
}

static bool uses_well(uses *u, const hd_cedge *e, uint32_t reg) {
  const hd_code *code = u->code;
  if (e->guard != HD_NO_ID && !only_tests(u, e->guard, reg))
    return false;
  for (uint32_t i = 0; i < e->n_operands; i++) {
    hd_cexpr_id id = hd_code_operand(code, e, i);
    if (!is_reg(u, id, reg)) {
      if (!only_tests(u, id, reg))
        return false;
    } else if (e->act == HD_CODE_STEP) {
      keep_target(u, e, i);
    } else if (e->act != HD_CODE_RETURN || e->n_operands > 1 ||
               !keep_returned(u, function_of(code, e))) {
      return false;
    }
  }
  return true;
}

/* Of a function's registers, the one with this number of the program. */
static bool looks_well(uses *u, uint32_t reg) {
  const hd_code *code = u->code;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    const hd_func *f = &code->funcs.data[function_of(code, e)];
    if (reg >= f->regs && reg < f->regs + f->n_regs &&
        !uses_well(u, e, reg - f->regs))
      return false;
  }
  return true;
}

bool hd_code_wants_sign(const hd_code *code, hd_edge_id call, bool zero) {
  uses u = {.code = code, .zero = zero};
  u.kept = hd_calloc(code->regs.size + 1, sizeof *u.kept);
  keep_target(&u, &code->edges.data[call], 0);
  bool good = true;
  while (good && u.open.size)
    good = looks_well(&u, hd_vec_pop(&u.open));
  hd_vec_free(&u.open);
  hd_free(u.kept);
  return good;
}
