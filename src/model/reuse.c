/* SPDX-License-Identifier: MIT */
#include "model/reuse.h"

#include "model/library.h"

static hd_library_fn called(const hd_code *code, const hd_cedge *e) {
  if (e->act != HD_CODE_CALL)
    return HD_LIB_NONE;
  const hd_cexpr *f = &code->exprs.data[code->operands.data[e->operands]];
  return f->op != HD_CODE_FUNC || code->funcs.data[f->value].defined
             ? HD_LIB_NONE
             : hd_library_find(code->funcs.data[f->value].name);
}

hd_edge_id hd_code_compares_ids(const hd_code *code) {
  bool creates = false;
  hd_edge_id found = HD_NO_ID;
  for (hd_edge_id i = 0; i < code->edges.size; i++) {
    const hd_cedge *e = &code->edges.data[i];
    hd_library_fn fn = called(code, e);
    creates =
        creates || fn == HD_LIB_pthread_create || fn == HD_LIB_thrd_create;
    bool tells = fn == HD_LIB_pthread_equal || fn == HD_LIB_thrd_equal;
    if (tells && found == HD_NO_ID)
      found = i;
  }
  return creates ? found : HD_NO_ID;
}

bool hd_code_frees(const hd_code *code) {
  for (hd_vec_each(const hd_func, f, &code->funcs)) {
    hd_library_fn fn = f->defined ? HD_LIB_NONE : hd_library_find(f->name);
    if (fn == HD_LIB_free || fn == HD_LIB_realloc || fn == HD_LIB_reallocarray)
      return true;
  }
  return false;
}
