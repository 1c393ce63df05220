/* SPDX-License-Identifier: MIT */
#include "model/escape.h"

#include "model/calls.h"
#include "model/weak.h"

/* Orders it less than its kind of access can? */
static bool is_weak(const hd_code *code, const hd_cedge *e, bool sc) {
  bool full = e->order == HD_ORDER_SEQ_CST || e->order == HD_ORDER_ACQ_REL;
  if (e->act == HD_CODE_CALL)
    return hd_library_is(hd_call_of(code, e), HD_CALL_TRIES);
  if (sc)
    return false;
  if (e->act == HD_CODE_LOAD)
    return e->order != HD_ORDER_NONE && e->order < HD_ORDER_ACQUIRE;
  if (e->act == HD_CODE_STORE)
    return e->order != HD_ORDER_NONE && e->order < HD_ORDER_RELEASE;
  if (e->act == HD_CODE_CMPXCHG)
    return !full || e->failure < HD_ORDER_ACQUIRE;
  return e->act == HD_CODE_RMW && !full;
}

hd_edge_id hd_code_weak_order(const hd_code *code, bool sc) {
  if (hd_code_weakness(code).robust == HD_ROBUST_ALONE)
    return HD_NO_ID;
  for (hd_edge_id i = 0; i < code->edges.size; i++)
    if (is_weak(code, &code->edges.data[i], sc))
      return i;
  return HD_NO_ID;
}

/* Is what is read or written as wide as an address? */
static bool is_wide(const hd_code *code, const hd_cedge *e) {
  const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
  hd_type type =
      e->act == HD_CODE_LOAD
          ? code->regs.data[f->regs + hd_code_target(code, e, 0)].type
          : code->exprs.data[hd_code_operand(code, e, 1)].type;
  return type.kind == HD_TYPE_PTR ||
         8 * hd_type_bytes(type) == code->pointer_width;
}

hd_edge_id hd_code_weak_address(const hd_code *code, bool sc) {
  for (hd_edge_id i = 0; i < code->edges.size; i++) {
    const hd_cedge *e = &code->edges.data[i];
    if (e->act != HD_CODE_CALL && is_weak(code, e, sc) && is_wide(code, e))
      return i;
  }
  return HD_NO_ID;
}
