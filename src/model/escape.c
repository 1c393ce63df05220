/* SPDX-License-Identifier: MIT */
#include "model/escape.h"

#include "model/calls.h"

hd_edge_id hd_code_weak_order(const hd_code *code, bool sc) {
  for (hd_edge_id i = 0; i < code->edges.size; i++) {
    const hd_cedge *e = &code->edges.data[i];
    bool full = e->order == HD_ORDER_SEQ_CST || e->order == HD_ORDER_ACQ_REL;
    bool weak = false;
    if (e->act == HD_CODE_CALL)
      weak = hd_library_is(hd_call_of(code, e), HD_CALL_TRIES);
    else if (sc)
      weak = false;
    else if (e->act == HD_CODE_LOAD)
      weak = e->order != HD_ORDER_NONE && e->order < HD_ORDER_ACQUIRE;
    else if (e->act == HD_CODE_STORE)
      weak = e->order != HD_ORDER_NONE && e->order < HD_ORDER_RELEASE;
    else if (e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG)
      weak = !full;
    if (weak)
      return i;
  }
  return HD_NO_ID;
}
