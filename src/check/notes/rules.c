/* SPDX-License-Identifier: MIT */
#include "check/notes/rules.h"

#include "check/notes/names.h"

#include <string.h>

static bool same_type(hd_type a, hd_type b) {
  return a.kind == b.kind && a.width == b.width;
}

bool hd_note_call_fits(const hd_code *code, const hd_func *caller,
                       const hd_cedge *call, const hd_func *f) {
  assert(call->act == HD_CODE_CALL && call->n_operands > 0);
  const hd_cexpr_id *args = &code->operands.data[call->operands];
  if (f->variadic || call->n_operands - 1 != f->n_params ||
      call->n_targets > f->n_results)
    return false;
  for (uint32_t i = 0; i < f->n_params; i++)
    if (!same_type(code->exprs.data[args[i + 1]].type,
                   code->regs.data[f->regs + i].type))
      return false;
  for (uint32_t i = 0; i < call->n_targets; i++) {
    hd_reg_id target = hd_code_target(code, call, i);
    if (!same_type(code->types.data[f->results + i],
                   code->regs.data[caller->regs + target].type))
      return false;
  }
  return true;
}

bool hd_note_can_start(const hd_code *code, hd_func_id func, bool c11) {
  assert(func < code->funcs.size);
  const hd_func *f = &code->funcs.data[func];
  uint32_t width = c11 ? 32 : code->pointer_width;
  return f->defined && !f->variadic && f->n_params <= 1 && f->n_results <= 1 &&
         (!f->n_results || code->types.data[f->results].width == width) &&
         (!f->n_params ||
          code->regs.data[f->regs].type.width == code->pointer_width) &&
         !hd_note_is_section(f->name);
}

hd_code_op hd_note_update_op(const hd_cedge *update) {
  static const hd_code_op ops[] = {
      [HD_RMW_ADD] = HD_CODE_ADD,   [HD_RMW_SUB] = HD_CODE_SUB,
      [HD_RMW_AND] = HD_CODE_AND,   [HD_RMW_OR] = HD_CODE_OR,
      [HD_RMW_XOR] = HD_CODE_XOR,   [HD_RMW_MAX] = HD_CODE_SMAX,
      [HD_RMW_MIN] = HD_CODE_SMIN,  [HD_RMW_UMAX] = HD_CODE_UMAX,
      [HD_RMW_UMIN] = HD_CODE_UMIN, [HD_RMW_FADD] = HD_CODE_FADD,
      [HD_RMW_FSUB] = HD_CODE_FSUB};
  bool known = update->rmw != HD_RMW_XCHG && update->rmw != HD_RMW_NAND &&
               update->rmw < sizeof ops / sizeof *ops;
  return known ? ops[update->rmw] : HD_CODE_UNDEF;
}

static bool initial_address(const hd_code *code, hd_cexpr_id id,
                            hd_cexpr_id *root, uint64_t *bits) {
  const hd_cexpr *e = &code->exprs.data[id];
  *root = e->op == HD_CODE_NULL || e->op == HD_CODE_INT ? HD_NO_ID : id;
  *bits = e->op == HD_CODE_INT ? e->value : 0;
  if (e->op == HD_CODE_GLOBAL)
    return !code->globals.data[e->value].thread_local;
  if (e->op != HD_CODE_PTRADD)
    return e->op == HD_CODE_FUNC || *root == HD_NO_ID;
  const hd_cexpr *n = &code->exprs.data[e->args[1]];
  if (!initial_address(code, e->args[0], root, bits) || *root == HD_NO_ID ||
      code->exprs.data[*root].op != HD_CODE_GLOBAL || n->op != HD_CODE_INT ||
      n->value > code->globals.data[code->exprs.data[*root].value].size - *bits)
    return false;
  *bits += n->value;
  return true;
}

bool hd_note_initial_bytes(const hd_code *code, const hd_global *g,
                           uint64_t offset, uint32_t size, hd_cexpr_id *root,
                           uint64_t *bits) {
  uint32_t pointer = code->pointer_width / 8u;
  *root = HD_NO_ID;
  *bits = 0;
  for (uint32_t i = 0; i < g->n_relocs && !g->external; i++) {
    const hd_reloc *r = &code->relocs.data[g->relocs + i];
    if (r->offset == offset && size == pointer)
      return initial_address(code, r->expr, root, bits);
    if (r->offset < offset + size && offset < r->offset + pointer)
      return false;
  }
  for (uint32_t i = 0; g->bytes && i < size; i++)
    *bits |= (uint64_t)g->bytes[offset + i] << 8 * i;
  return !g->external;
}

bool hd_note_writes_count(const hd_global *g) {
  for (uint64_t i = 0; g->bytes && i + 1 < g->size; i++) {
    if (g->bytes[i] != '%')
      continue;
    for (i++; i < g->size && g->bytes[i] &&
              strchr("0123456789*.-+ #'hlLqjztI$", g->bytes[i]);
         i++)
      ;
    if (i < g->size && g->bytes[i] == 'n')
      return true;
  }
  return false;
}
