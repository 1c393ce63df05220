/* SPDX-License-Identifier: MIT */
/* What moves touch, for searches that want to know when atomic sections can be
 * swapped. */
#include "check/interp/lib.h"
#include "check/interp/state.h"

bool hd_machine_in_section(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  return !t->ended && t->atomic;
}

bool hd_machine_at_section(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  if (t->ended || t->wait != HD_WAIT_NONE || t->next == HD_NO_ID)
    return false;
  if (t->atomic)
    return true;
  hd_func_id func = HD_NO_ID;
  hd_library_fn fn = hd_thread_callee(m, t, &func);
  return fn == HD_LIB___VERIFIER_atomic_begin ||
         fn == HD_LIB_heddle_atomic_begin ||
         (func != HD_NO_ID && m->plan->funcs[func].atomic);
}

const hd_touch *hd_machine_touched(const hd_machine *m, size_t *n) {
  *n = m->plan->touched.size;
  return m->plan->touched.data;
}

bool hd_machine_blurred(const hd_machine *m) {
  return m->plan->blurred;
}

void hd_section_note(hd_machine *m, hd_tid tid, const hd_object *object,
                     uint64_t address, uint64_t size, bool write) {
  if (!size || (object && object->constant) ||
      (object && object->kind == HD_OBJECT_GLOBAL &&
       m->plan->inner[object->origin] && hd_thread_of(m, tid)->atomic))
    return;
  hd_touch touch = {
      .address = address, .size = size, .written = write, .stored = write};
  hd_vec_push(&m->plan->touched, touch);
}

void hd_section_unchanged(hd_machine *m, uint64_t address, uint64_t size) {
  if (!m->plan->touched.size)
    return;
  hd_touch *last = &hd_vec_last(&m->plan->touched);
  if (last->address == address && last->size == size)
    last->written = false;
}

void hd_section_act(hd_machine *m, const hd_thread *t) {
  if (!t->atomic || m->plan->code->edges.data[t->next].act != HD_CODE_CALL)
    return;
  hd_func_id func = HD_NO_ID;
  hd_library_fn fn = hd_thread_callee(m, t, &func);
  if (func != HD_NO_ID && m->plan->code->funcs.data[func].defined)
    return;
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_ATOMIC:
  case HD_LIBRARY_VERIFY:
  case HD_LIBRARY_MATH:
    return;
  case HD_LIBRARY_INPUT:
    m->plan->blurred |= hd_library_stores_input(fn);
    return;
  default:
    m->plan->blurred = true;
  }
}

void hd_section_stop(hd_machine *m, hd_tid tid) {
  if (m->status != HD_MACHINE_RUNNING && m->status != HD_MACHINE_DEADLOCK)
    return;
  if (hd_machine_in_section(m, tid) &&
      (!hd_machine_enabled(m, tid) || !hd_machine_is_input(m, tid)))
    m->plan->blurred = true;
}
