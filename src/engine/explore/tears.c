/* SPDX-License-Identifier: MIT */
/* Library calls that touch many bytes. The machine makes them in one move, or in
 * pieces of 8 bytes; in truth another thread can come in between any two bytes. That makes no difference unless it
 * touches the same bytes: then the call is part of a race, and what was explored
 * is not all that can happen. */
#include "engine/explore/common.h"

#include "model/library.h"

static bool many_accesses(hd_library_fn fn) {
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_HEAP:
    return fn == HD_LIB_realloc || fn == HD_LIB_reallocarray ||
           fn == HD_LIB_strdup || fn == HD_LIB_strndup;
  case HD_LIBRARY_MEMORY:
  case HD_LIBRARY_STRING:
  case HD_LIBRARY_NUMBER:
  case HD_LIBRARY_SORT:
  case HD_LIBRARY_OUTPUT:
    return true;
  default:
    return false;
  }
}

bool hd_edge_tears(const hd_code *code, hd_edge_id id) {
  if (id == HD_NO_ID || code->edges.data[id].act != HD_CODE_CALL)
    return false;
  const hd_cedge *edge = &code->edges.data[id];
  const hd_cexpr *callee =
      &code->exprs.data[code->operands.data[edge->operands]];
  if (callee->op != HD_CODE_FUNC)
    return true; /* who knows */
  const hd_func *func = &code->funcs.data[callee->value];
  return !func->defined && many_accesses(hd_library_find(func->name));
}

bool hd_code_tears(const hd_code *code) {
  for (hd_edge_id id = 0; id < code->edges.size; id++)
    if (hd_edge_tears(code, id))
      return true;
  return false;
}
