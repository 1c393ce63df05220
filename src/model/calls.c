/* SPDX-License-Identifier: MIT */
#include "model/calls.h"

#include <string.h>

hd_library_fn hd_call_library(const hd_code *code, hd_func_id func) {
  assert(func < code->funcs.size);
  const hd_func *f = &code->funcs.data[func];
  return f->defined ? HD_LIB_NONE : hd_library_find(f->name);
}

hd_func_id hd_call_callee(const hd_code *code, const hd_cedge *edge) {
  if (edge->act != HD_CODE_CALL)
    return HD_NO_ID;
  assert(edge->n_operands > 0);
  const hd_cexpr *f = &code->exprs.data[hd_code_operand(code, edge, 0)];
  return f->op == HD_CODE_FUNC ? (hd_func_id)f->value : HD_NO_ID;
}

hd_library_fn hd_call_of(const hd_code *code, const hd_cedge *edge) {
  hd_func_id func = hd_call_callee(code, edge);
  return func == HD_NO_ID ? HD_LIB_NONE : hd_call_library(code, func);
}

bool hd_code_may(const hd_code *code, hd_action action) {
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    if (hd_library_action(hd_call_library(code, f)) == action)
      return true;
  return false;
}

bool hd_func_is_section(const hd_func *func) {
  static const char prefix[] = "__VERIFIER_atomic_";
  return func->defined && !strncmp(func->name, prefix, sizeof prefix - 1);
}
