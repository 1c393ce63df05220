/* SPDX-License-Identifier: MIT */
/* What a machine tells, and lets itself be told, where memory is weak: values of
 * atomic variables with what their writers have published. */
#include "check/interp/clocks.h"
#include "check/interp/lib.h"
#include "check/interp/message.h"
#include "check/interp/sync.h"

#include <string.h>

hd_message *hd_message_keep(hd_message *message) {
  message->refs++;
  return message;
}

void hd_message_drop(hd_message *message) {
  if (!message || --message->refs)
    return;
  hd_clock_clear(&message->clock);
  for (hd_vec_each(hd_head, head, &message->heads))
    hd_clock_clear(&head->clock);
  hd_vec_free(&message->heads);
  hd_free(message);
}

uint64_t hd_message_value(const hd_message *message) {
  uint64_t value = 0;
  memcpy(&value, message->bytes, message->size);
  return value;
}

bool hd_message_says_less(const hd_machine *m, const hd_message *a,
                          const hd_message *b) {
  if (a->size != b->size || memcmp(a->bytes, b->bytes, a->size) != 0 ||
      memcmp(a->shadow, b->shadow, a->size) != 0)
    return false;
  for (hd_tid t = 0; t < m->threads.size; t++)
    if (hd_clock_at(&a->clock, t) > hd_clock_at(&b->clock, t))
      return false;
  return true;
}

hd_message *hd_machine_message(const hd_machine *m, uint64_t address,
                               uint32_t size) {
  assert(size <= 8 && !hd_ram_wrong(m, address, size, false));
  hd_message *message = hd_calloc(1, sizeof *message);
  message->refs = 1;
  message->size = size;
  const uint8_t *shadow;
  memcpy(message->bytes, hd_ram_bytes(m, address, &shadow), size);
  if (shadow)
    memcpy(message->shadow, shadow, size);
  const hd_sync *sync = hd_sync_find(m, address, HD_SYNC_ATOMIC);
  if (!sync)
    return message;
  message->clock = hd_clock_copy(&sync->clock);
  for (hd_vec_each(const hd_head, head, &sync->heads)) {
    hd_head copy = {.thread = head->thread};
    copy.clock = hd_clock_copy(&head->clock);
    hd_vec_push(&message->heads, copy);
  }
  return message;
}

void hd_machine_put(hd_machine *m, uint64_t address, uint32_t size,
                    const hd_message *message) {
  if (hd_ram_wrong(m, address, size, false))
    return; /* it is no more: the access will say so */
  if (message) {
    assert(message->size == size);
    hd_ram_write(m, address, message->bytes, message->shadow, size);
  }
  const hd_sync *found = hd_sync_find(m, address, HD_SYNC_ATOMIC);
  if (!found && !(message && (message->clock.root || message->heads.size)))
    return;
  hd_sync *sync = hd_sync_own(m, address, HD_SYNC_ATOMIC);
  hd_clock_clear(&sync->clock);
  for (hd_vec_each(hd_head, head, &sync->heads))
    hd_clock_clear(&head->clock);
  hd_vec_clear(&sync->heads);
  if (!message)
    return;
  sync->clock = hd_clock_copy(&message->clock);
  for (hd_vec_each(const hd_head, head, &message->heads)) {
    hd_head copy = {.thread = head->thread};
    copy.clock = hd_clock_copy(&head->clock);
    hd_vec_push(&sync->heads, copy);
  }
}

static const hd_cedge *next_edge(const hd_machine *m, const hd_thread *t) {
  if (t->ended || t->wait != HD_WAIT_NONE || t->next == HD_NO_ID)
    return NULL;
  return &m->plan->code->edges.data[t->next];
}

bool hd_machine_rewind(hd_machine *m, hd_tid tid, hd_edge_id edge) {
  const hd_code *code = m->plan->code;
  if (!next_edge(m, hd_thread_of(m, tid)))
    return false;
  hd_thread *t = hd_thread_own(m, tid);
  hd_frame *top = hd_thread_top(t);
  hd_loc_id loc = code->edges.data[edge].from;
  if (top->func != code->locs.data[loc].func)
    return false;
  top->loc = loc;
  t->next = edge;
  return true;
}

bool hd_machine_at_plain(const hd_machine *m, hd_tid tid) {
  const hd_cedge *edge = next_edge(m, hd_thread_of(m, tid));
  if (!edge || (edge->act != HD_CODE_LOAD && edge->act != HD_CODE_STORE) ||
      edge->order != HD_ORDER_NONE)
    return false;
  hd_access a = hd_machine_access(m, tid);
  return a.memory && !a.local && a.size <= 8;
}

bool hd_machine_at_atomic(const hd_machine *m, hd_tid tid) {
  const hd_cedge *edge = next_edge(m, hd_thread_of(m, tid));
  if (!edge)
    return false;
  switch ((hd_code_act)edge->act) {
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
    return edge->order != HD_ORDER_NONE ||
           (m->plan->options->plain && hd_machine_at_plain(m, tid));
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
  case HD_CODE_FENCE:
    return true;
  default:
    return false;
  }
}

bool hd_machine_waiting(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  return !t->ended && t->wait != HD_WAIT_NONE;
}

bool hd_machine_readable(const hd_machine *m, uint64_t address, uint32_t size) {
  return size && size <= 8 && !hd_ram_wrong(m, address, size, false);
}

hd_library_fn hd_machine_calls(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  return next_edge(m, t) ? hd_thread_callee(m, t, NULL) : HD_LIB_NONE;
}

hd_tid hd_machine_awaits(const hd_machine *m, hd_tid tid) {
  hd_library_fn fn = hd_machine_calls(m, tid);
  uint64_t handle;
  if ((fn != HD_LIB_pthread_join && fn != HD_LIB_thrd_join) ||
      !hd_lib_arg(m, hd_thread_of(m, tid), 0, &handle))
    return HD_NO_ID;
  return hd_lib_thread_of(m, handle);
}

bool hd_machine_at_end(const hd_machine *m, hd_tid tid) {
  const hd_cedge *edge = next_edge(m, hd_thread_of(m, tid));
  if (!edge)
    return false;
  hd_library_fn fn = hd_machine_calls(m, tid);
  return edge->act == HD_CODE_RETURN ||
         (fn != HD_LIB_NONE && fn != HD_LIB_atexit &&
          hd_library_kind_of(fn) == HD_LIBRARY_EXIT);
}

uint64_t hd_machine_knows(const hd_machine *m, hd_tid tid, hd_tid other) {
  return hd_clock_at(&hd_thread_of(m, tid)->clock, other);
}

uint64_t hd_machine_will_know(const hd_machine *m, hd_tid tid, hd_tid other) {
  uint64_t known = hd_machine_knows(m, tid, other);
  for (size_t i = 0; i < m->threads.size; i++) {
    tid = m->threads.data[tid]->ended ? HD_NO_ID : hd_machine_awaits(m, tid);
    if (tid == HD_NO_ID)
      break;
    uint64_t more = hd_machine_knows(m, tid, other);
    known = more > known ? more : known;
  }
  return known;
}
