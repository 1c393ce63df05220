/* SPDX-License-Identifier: MIT */
/* The machine in somebody else's hands, for calls that it does not execute. */
#include "check/interp/host.h"

#include "check/interp/lib.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the call is that the thread stands before. */
static hd_library_fn next_call(const hd_machine *m, hd_tid thread,
                               hd_host_call *call) {
  if (!hd_machine_runs(m) || hd_thread_of(m, thread)->ended)
    return HD_LIB_NONE;
  hd_func_id func = HD_NO_ID;
  const hd_thread *t = hd_thread_of(m, thread);
  hd_library_fn fn = hd_thread_callee(m, t, &func);
  if (fn == HD_LIB_NONE)
    return fn;
  *call = (hd_host_call){.fn = fn,
                         .name = m->plan->code->funcs.data[func].name,
                         .edge = t->next,
                         .n = hd_lib_args(m, t)};
  return fn;
}

bool hd_host_waits_in(const hd_machine *m, hd_tid thread, hd_host_call *call) {
  return hd_library_kind_of(next_call(m, thread, call)) == HD_LIBRARY_MPI;
}

bool hd_host_waits(const hd_machine *m, hd_host_call *call) {
  return hd_host_waits_in(m, m->served, call);
}

void hd_host_serve(hd_machine *m, hd_tid thread) {
  assert(thread < hd_machine_threads(m));
  m->served = thread;
}

/* Is any of its frames in a file of the program, rather than of a model? */
bool hd_host_in_program(const hd_machine *m, hd_tid thread) {
  const hd_code *code = m->plan->code;
  for (size_t i = 0; i < hd_machine_depth(m, thread); i++) {
    hd_frame_at at = hd_machine_frame(m, thread, i);
    if (at.edge != HD_NO_ID && code->edges.data[at.edge].pos.file != HD_NO_ID)
      return true;
  }
  return false;
}

bool hd_host_before(const hd_machine *m, hd_library_fn fn, hd_host_call *call) {
  return next_call(m, m->served, call) == fn;
}

bool hd_host_args(hd_machine *m, uint32_t loose, hd_host_call *call) {
  const hd_code *code = m->plan->code;
  hd_thread *t = hd_thread_own(m, m->served);
  const hd_cedge *edge = &code->edges.data[t->next];
  hd_thread_top(t)->edge = t->next;
  if (call->n > HD_HOST_ARGS) {
    hd_host_refuse(m, "%s: too many arguments", call->name);
    return false;
  }
  for (uint32_t i = 0; i < call->n; i++) {
    hd_machine_value value;
    if (!hd_eval_or_fail(m, t, hd_code_operand(code, edge, 1 + i),
                         !(loose >> i & 1), &value))
      return false;
    call->args[i] = value.bits;
  }
  return true;
}

void hd_host_return(hd_machine *m, uint64_t bits) {
  if (!hd_machine_runs(m))
    return;
  hd_thread *t = hd_thread_own(m, m->served);
  hd_thread_top(t)->edge = t->next;
  hd_machine_value value = {bits, 0};
  hd_thread_finish_call(m, t, &value, 1);
  hd_machine_continue(m, m->served);
}

bool hd_host_check(hd_machine *m, uint64_t address, uint64_t size, bool write) {
  if (!size)
    return true;
  m->hosted = true;
  bool ok = hd_ram_check(m, m->served, address, size, write, false);
  m->hosted = false;
  return ok;
}

bool hd_host_read(hd_machine *m, uint64_t address, uint64_t size,
                  uint8_t *bytes, uint8_t *shadow) {
  if (!size)
    return true;
  if (!hd_host_check(m, address, size, false))
    return false;
  if (m->watched.size && !m->apart)
    hd_machine_touch(m, m->served, address, size, false, false);
  const uint8_t *unset, *from = hd_ram_bytes(m, address, &unset);
  memcpy(bytes, from, size);
  if (unset)
    memcpy(shadow, unset, size);
  else
    memset(shadow, 0, size);
  return true;
}

bool hd_host_write(hd_machine *m, uint64_t address, uint64_t size,
                   const uint8_t *bytes, const uint8_t *shadow) {
  if (!size)
    return true;
  if (!hd_host_check(m, address, size, true))
    return false;
  if (m->watched.size && !m->apart)
    hd_machine_touch(m, m->served, address, size, true, false);
  hd_ram_write(m, address, bytes, shadow, size);
  if (hd_machine_watched(m))
    hd_machine_tell_write(m, m->served, address, size);
  return true;
}

void hd_host_claim(hd_machine *m, uint64_t address, uint64_t size, bool written,
                   uint32_t owner, hd_edge_id edge) {
  hd_claim claim = {.address = address,
                    .size = size,
                    .owner = owner,
                    .edge = edge,
                    .written = written};
  if (size)
    hd_vec_push(&m->claims, claim);
}

void hd_host_release(hd_machine *m, uint32_t owner) {
  size_t kept = 0;
  for (size_t i = 0; i < m->claims.size; i++)
    if (m->claims.data[i].owner != owner)
      m->claims.data[kept++] = m->claims.data[i];
  m->claims.size = kept;
  kept = 0;
  for (size_t i = 0; i < m->watched.size; i++)
    if (m->watched.data[i].owner != owner)
      m->watched.data[kept++] = m->watched.data[i];
  m->watched.size = kept;
}

void hd_host_watch(hd_machine *m, uint64_t address, uint64_t size,
                   uint32_t owner) {
  hd_claim range = {.address = address, .size = size, .owner = owner};
  if (size)
    hd_vec_push(&m->watched, range);
}

void hd_host_apart(hd_machine *m, bool apart) {
  m->apart = apart;
}

bool hd_host_touched(hd_machine *m, uint64_t *address, uint64_t *size,
                     bool *write, bool *atomic, hd_edge_id *edge) {
  if (!m->touched.size)
    return false;
  hd_claim access = hd_vec_pop(&m->touched);
  *address = access.address;
  *size = access.size;
  *write = access.written;
  *atomic = access.atomic;
  *edge = access.edge;
  return true;
}

const char *hd_host_wrong(const hd_machine *m, uint64_t address, uint64_t size,
                          bool write) {
  return hd_ram_wrong(m, address, size, write);
}

const hd_claim *hd_host_claimed(const hd_machine *m, uint64_t address,
                                uint64_t size, bool write) {
  for (hd_vec_each(hd_claim, claim, &m->claims))
    if (size && (write || claim->written) &&
        address < claim->address + claim->size &&
        claim->address < address + size)
      return claim;
  return NULL;
}

hd_edge_id hd_host_claim_edge(const hd_claim *claim) {
  return claim->edge;
}

void hd_host_ends(hd_machine *m, uint64_t address, uint64_t size) {
  const hd_claim *claim = hd_host_claimed(m, address, size, true);
  if (!claim || !hd_machine_runs(m))
    return;
  hd_str place = {0};
  hd_code_print_pos(&place, m->plan->code,
                    m->plan->code->edges.data[claim->edge].pos);
  hd_machine_violate(m, m->served, HD_PROPERTY_MEMORY,
                     "the buffer is gone before the operation is complete that "
                     "was begun at %s",
                     hd_str_text(&place));
  hd_str_free(&place);
}

uint32_t hd_host_claim_owner(const hd_claim *claim) {
  return claim->owner;
}

uint64_t hd_host_alloc(hd_machine *m, uint64_t size) {
  return hd_ram_push(m, m->served, HD_OBJECT_HEAP,
                     hd_thread_edge(hd_thread_of(m, m->served)), size, 16,
                     false);
}

bool hd_host_free(hd_machine *m, uint64_t address) {
  int64_t offset;
  hd_object *object = hd_ram_own(m, address, &offset);
  if (object && object->kind == HD_OBJECT_HEAP && !object->freed && !offset) {
    hd_ram_free(m, object);
    return true;
  }
  hd_machine_violate(m, m->served, HD_PROPERTY_MEMORY,
                     "freeing what was not allocated, or twice");
  return hd_machine_runs(m);
}

bool hd_host_run(hd_machine *m, uint64_t function, const uint64_t *args,
                 size_t n) {
  hd_func_id func = hd_ram_func_at(m, function);
  hd_machine_value values[4] = {{0, 0}};
  hd_thread *t = hd_thread_own(m, m->served);
  size_t depth = t->frames.size;
  assert(n <= 4);
  if (func == HD_NO_ID || !m->plan->code->funcs.data[func].defined) {
    hd_host_refuse(m, "a function that is not defined in the program");
    return false;
  }
  for (size_t i = 0; i < n; i++)
    values[i].bits = args[i];
  hd_thread_top(t)->edge = t->next;
  if (!hd_thread_push(m, t, func, values, n, HD_FRAME_HOST))
    return false;
  hd_machine_continue(m, m->served);
  hd_host_call call;
  while (hd_machine_runs(m) &&
         hd_thread_of(m, m->served)->frames.size > depth) {
    if (hd_host_waits(m, &call) || hd_machine_choices(m, m->served) != 1)
      hd_host_refuse(m, "MPI or an input in a function that MPI calls");
    else
      hd_machine_move(m, (hd_turn){.thread = m->served});
  }
  return hd_machine_runs(m);
}

uint64_t hd_host_constant(hd_machine *m, const void *bytes, uint64_t size) {
  return hd_ram_static(m, bytes, size, false);
}

bool hd_host_leaves_open(hd_machine *m) {
  m->timed = m->timed || m->plan->options->exact;
  return m->plan->options->exact;
}

void hd_host_return_time(hd_machine *m) {
  if (!hd_machine_runs(m))
    return;
  hd_thread *t = hd_thread_own(m, m->served);
  hd_thread_top(t)->edge = t->next;
  hd_machine_value value = {0x3ff0000000000000u, 0}; /* 1.0 */
  if (hd_host_leaves_open(m))
    value = (hd_machine_value){0, UINT64_MAX};
  hd_thread_finish_call(m, t, &value, 1);
  hd_machine_continue(m, m->served);
}

void hd_host_refuse(hd_machine *m, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_machine_stop(m, m->served, HD_MACHINE_UNSUPPORTED, "%s", text);
}

hd_func_id hd_host_function(const hd_machine *m, uint64_t address) {
  return hd_ram_func_at(m, address);
}

uint64_t hd_host_function_address(const hd_machine *m, hd_func_id func) {
  return hd_ram_func(m, func);
}
