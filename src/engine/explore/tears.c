/* SPDX-License-Identifier: MIT */
/* Library calls that touch many bytes. The machine makes them in one move, or in
 * pieces of 8 bytes; in truth another thread can come in between any two bytes. That makes no difference unless it
 * touches the same bytes: then the call is part of a race, and what was explored
 * is not all that can happen. */
#include "engine/explore/common.h"

#include "model/calls.h"

bool hd_edge_tears(const hd_code *code, hd_edge_id id) {
  assert(id == HD_NO_ID || id < code->edges.size);
  if (id == HD_NO_ID || code->edges.data[id].act != HD_CODE_CALL)
    return false;
  const hd_cedge *edge = &code->edges.data[id];
  if (hd_call_callee(code, edge) == HD_NO_ID)
    return true; /* who knows */
  return hd_library_is(hd_call_of(code, edge), HD_CALL_TORN);
}

bool hd_code_tears(const hd_code *code) {
  for (hd_edge_id id = 0; id < code->edges.size; id++)
    if (hd_edge_tears(code, id))
      return true;
  return false;
}
