/* SPDX-License-Identifier: MIT */
/* Pointers to variables whose block or function has been left. Their value is
 * indeterminate from then on (C17 6.2.4); but the number of the variable, and so
 * its address, is used again by the next call or round. So they are changed to an
 * address that no object ever has. Only variables whose address was put somewhere
 * can be left behind: the others cost nothing. */
#include "check/interp/memory.h"

#include "check/interp/heap.h"
#include "check/interp/lib.h"

#include <string.h>

/* On 64 bits: far behind the object with the number, where no other object of the
 * number ever starts (memory.c: shift). On 32 bits: where nothing is. */
#define DEAD_WIDE 0x7f000000u
#define DEAD_LOW 0xF0000000u

uint64_t hd_ram_dead(const hd_plan *plan, uint64_t address) {
  return plan->wide ? (address >> 32 << 32) | DEAD_WIDE : address | DEAD_LOW;
}

bool hd_ram_is_dead(const hd_plan *plan, uint64_t address) {
  return plan->wide ? (uint32_t)address >> 24 == DEAD_WIDE >> 24 &&
                          address >= hd_ram_start(plan)
                    : address >= DEAD_LOW;
}

static bool is_variable(const hd_object *object) {
  return object->kind == HD_OBJECT_SLOT || object->kind == HD_OBJECT_ALLOCA;
}

void hd_ram_keep(hd_machine *m, hd_machine_value value) {
  int64_t offset;
  if (value.undef || value.bits < hd_ram_start(m->plan))
    return;
  const hd_object *object = hd_ram_find(m, value.bits, &offset);
  if (!object || !is_variable(object) || object->kept)
    return;
  hd_heap_publish(m, value.bits); /* others may find what is in it */
  hd_ram_own(m, value.bits, &offset)->kept = true;
}

/* --- changing them --- */

typedef struct {
  hd_machine *m;
  uint64_t from, to; /* addresses of the variable, and just behind it */
} stale;

static bool is_stale(const stale *s, uint64_t address) {
  return address >= s->from && address <= s->to;
}

static void change(const stale *s, uint64_t *address) {
  if (is_stale(s, *address))
    *address = hd_ram_dead(s->m->plan, *address);
}

/* What was never set, or depends on inputs, is no address. */
static bool is_open(const hd_object *object, uint64_t at, uint32_t size) {
  for (uint32_t i = 0; object->block->shadow && i < size; i++)
    if (object->block->shadow[at + i])
      return true;
  return false;
}

static void change_region(const stale *s, hd_objects *const *place) {
  uint32_t word = hd_word(s->m);
  for (size_t i = 0; *place && i < (*place)->objects.size; i++) {
    const hd_object *object = &(*place)->objects.data[i];
    if (!object->block || object->constant || object->external)
      continue;
    for (uint64_t at = 0; at + word <= object->size; at += word) {
      uint64_t address = 0;
      memcpy(&address, object->block->bytes + at, word);
      if (!is_stale(s, address) || is_open(object, at, word))
        continue;
      int64_t offset;
      hd_block *block = hd_ram_block(hd_ram_own(s->m, object->base, &offset));
      address = hd_ram_dead(s->m->plan, address);
      memcpy(block->bytes + at, &address, word);
      object = &(*place)->objects.data[i];
    }
  }
}

static bool has_stale(const stale *s, const hd_thread *t) {
  bool found = !t->result.undef && is_stale(s, t->result.bits);
  for (hd_vec_each(const hd_machine_value, v, &t->regs))
    found = found || (!v->undef && is_stale(s, v->bits));
  for (hd_vec_each(const hd_pair, p, &t->keys))
    found = found || is_stale(s, p->value);
  for (hd_vec_each(const hd_pair, p, &t->cleanups))
    found = found || is_stale(s, p->value);
  return found;
}

static void change_thread(const stale *s, hd_tid tid) {
  if (!has_stale(s, hd_thread_of(s->m, tid)))
    return;
  hd_thread *t = hd_thread_own(s->m, tid);
  if (!t->result.undef)
    change(s, &t->result.bits);
  for (hd_vec_each(hd_machine_value, v, &t->regs))
    if (!v->undef)
      change(s, &v->bits);
  for (hd_vec_each(hd_pair, p, &t->keys))
    change(s, &p->value);
  for (hd_vec_each(hd_pair, p, &t->cleanups))
    change(s, &p->value);
}

void hd_ram_forsake(hd_machine *m, hd_tid tid, const hd_object *object) {
  stale s = {m, object->base, object->base + object->size};
  if (!object->kept) { /* in the thread's registers, at most */
    change_thread(&s, tid);
    return;
  }
  change_region(&s, &m->globals);
  change_region(&s, &m->statics);
  for (hd_tid t = 0; t < m->threads.size; t++) {
    change_thread(&s, t);
    change_region(&s, &m->stacks.data[t]);
    change_region(&s, &m->heaps.data[t]);
  }
  for (hd_vec_each(hd_pair, handler, &m->atexits))
    change(&s, &handler->value);
}
