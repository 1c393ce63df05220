/* SPDX-License-Identifier: MIT */
/* Memory that nobody has the address of any more. What is in it, and who accessed it
 * last, is no part of a state. A program could make the address again out of bits;
 * who accesses such memory ends the run as something that is not supported, so
 * nothing is taken for equal that is not. */
#include "check/interp/joins.h"
#include "check/interp/memory.h"
#include "check/interp/message.h"
#include "check/interp/state.h"
#include "model/live.h"

#include <string.h>

typedef struct {
  hd_machine *m;
  hd_addresses work, found; /* bases of objects: to be read; all */
} search;

static void reach(search *s, uint64_t address) {
  int64_t offset;
  if (!address || hd_ram_owner(s->m, address, NULL) == HD_NO_ID)
    return;
  const hd_object *o = hd_ram_find(s->m, address, &offset);
  if (!o || o->kind != HD_OBJECT_HEAP || o->freed || o->lost || offset < 0 ||
      (uint64_t)offset > o->size)
    return;
  for (hd_vec_each(const uint64_t, base, &s->found))
    if (*base == o->base)
      return;
  hd_vec_push(&s->found, o->base);
  hd_vec_push(&s->work, o->base);
}

/* Every place could hold an address, aligned or not. */
static void scan_bytes(search *s, const uint8_t *bytes, uint64_t size) {
  uint64_t word = s->m->plan->wide ? 8 : 4;
  for (uint64_t i = 0; i + word <= size; i++) {
    uint64_t address = 0;
    memcpy(&address, bytes + i, word);
    reach(s, address);
  }
}

static void scan(search *s, const hd_object *o) {
  if (o->block && !o->constant)
    scan_bytes(s, o->block->bytes, o->block->size);
}

static void scan_region(search *s, const hd_objects *region) {
  if (region)
    for (hd_vec_each(const hd_object, o, &region->objects))
      scan(s, o);
}

/* What will be read of the variables of a thread. */
static void scan_thread(search *s, const hd_thread *t) {
  const hd_code *code = s->m->plan->code;
  const hd_live *live = s->m->plan->live;
  const hd_objects *stack = s->m->stacks.data[t->id];
  for (size_t f = 0; f < t->frames.size; f++) {
    const hd_frame *frame = &t->frames.data[f];
    const hd_func *func = &code->funcs.data[frame->func];
    bool top = f + 1 == t->frames.size || frame->edge == HD_NO_ID;
    hd_loc_id loc = top ? frame->loc : code->edges.data[frame->edge].to;
    for (hd_reg_id r = 0; r < func->n_regs; r++)
      if (hd_live_at(live, loc, r))
        reach(s, t->regs.data[frame->regs + r].bits);
    size_t end = f + 1 < t->frames.size ? t->frames.data[f + 1].objects
                                        : stack->objects.size;
    for (size_t i = frame->objects; i < end; i++)
      if (i - frame->objects >= func->n_slots ||
          hd_live_slot(live, loc, (uint32_t)(i - frame->objects)))
        scan(s, &stack->objects.data[i]);
  }
  size_t own = t->frames.size ? t->frames.data[0].objects : stack->objects.size;
  for (size_t i = 0; i < own; i++)
    scan(s, &stack->objects.data[i]);
  for (hd_vec_each(const hd_pair, pair, &t->keys))
    reach(s, pair->value);
  for (hd_vec_each(const hd_pair, pair, &t->cleanups))
    reach(s, pair->value);
  reach(s, t->object);
  reach(s, t->mutex);
}

static void mark(search *s) {
  hd_machine *m = s->m;
  for (size_t h = 0; h < m->heaps.size; h++)
    for (size_t i = 0; i < m->heaps.data[h]->objects.size; i++) {
      const hd_object *o = &m->heaps.data[h]->objects.data[i];
      bool found = o->freed || o->lost || o->sync;
      for (hd_vec_each(const uint64_t, base, &s->found))
        found = found || *base == o->base;
      int64_t offset;
      if (!found)
        hd_ram_own(m, o->base, &offset)->lost = true;
    }
}

static bool may_lose(const hd_machine *m) {
  if (hd_plan_checks(m->plan, HD_PROPERTY_LEAK) || !m->plan->live)
    return false;
  for (size_t h = 0; h < m->heaps.size; h++)
    for (hd_vec_each(const hd_object, o, &m->heaps.data[h]->objects))
      if (!o->freed && !o->lost)
        return true;
  return false;
}

void hd_machine_lose(hd_machine *m, const hd_told *messages, size_t n) {
  if (!may_lose(m))
    return;
  search s = {.m = m};
  scan_region(&s, m->globals);
  scan_region(&s, m->statics);
  for (size_t i = 0; i < n; i++)
    scan_bytes(&s, messages[i].message->bytes, messages[i].message->size);
  for (size_t i = 0; i < m->threads.size; i++) {
    const hd_thread *t = m->threads.data[i];
    reach(&s, t->result.bits);
    if (!t->ended)
      scan_thread(&s, t);
  }
  for (size_t i = 0; i < m->atexits.size; i++)
    reach(&s, m->atexits.data[i].value);
  while (s.work.size) {
    int64_t offset;
    scan(&s, hd_ram_find(m, hd_vec_pop(&s.work), &offset));
  }
  mark(&s);
  hd_vec_free(&s.work);
  hd_vec_free(&s.found);
}

bool hd_machine_is_lost(const hd_machine *m, uint64_t address) {
  int64_t offset;
  const hd_object *o = hd_ram_find(m, address, &offset);
  return o && o->lost;
}
