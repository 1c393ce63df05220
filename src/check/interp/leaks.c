/* SPDX-License-Identifier: MIT */
/* What is lost at the end. */
#include "check/interp/lib.h"
#include "check/interp/memory.h"
#include "check/interp/state.h"
#include "check/interp/symbolic.h"

#include <string.h>

typedef struct {
  hd_machine *m;
  hd_addresses work;   /* bases of objects whose bytes are to be read */
  uint8_t **reachable; /* of each heap object of each thread */
} search;

/* Marks the heap object an address leads to. */
static void reach(search *s, uint64_t address) {
  int64_t offset;
  const hd_object *object = hd_ram_find(s->m, address, &offset);
  if (!object || object->kind != HD_OBJECT_HEAP || object->freed ||
      offset < 0 || (uint64_t)offset > object->size)
    return;
  for (size_t i = 0; i < s->m->heaps.size; i++) {
    const hd_objects *heap = s->m->heaps.data[i];
    if (!heap->objects.size || object < heap->objects.data ||
        object >= heap->objects.data + heap->objects.size)
      continue;
    uint8_t *mark = &s->reachable[i][object - heap->objects.data];
    if (!*mark) {
      *mark = 1;
      hd_vec_push(&s->work, object->base);
    }
    return;
  }
}

/* What depends on inputs that are variables is no pointer. */
static bool is_open(const hd_machine *m, const hd_block *block, uint64_t at,
                    uint32_t size) {
  for (uint32_t i = 0; m->plan->options->symbols && block->shadow && i < size;
       i++)
    if (block->shadow[at + i])
      return true;
  return false;
}

/* Every place of an object could hold a pointer, aligned or not. */
static void scan(search *s, const hd_object *object) {
  uint32_t word = hd_word(s->m);
  if (!object->block || object->size < word)
    return;
  for (uint64_t i = 0; i + word <= object->size; i++) {
    uint64_t address = 0;
    memcpy(&address, object->block->bytes + i, word);
    if (address && !is_open(s->m, object->block, i, word))
      reach(s, address);
  }
}

static void scan_region(search *s, const hd_objects *region) {
  if (region)
    for (hd_vec_each(hd_object, object, &region->objects))
      scan(s, object);
}

static void report_lost(search *s, hd_tid tid) {
  for (size_t i = 0; i < s->m->heaps.size; i++) {
    const hd_objects *heap = s->m->heaps.data[i];
    for (size_t k = 0; k < heap->objects.size; k++) {
      const hd_object *object = &heap->objects.data[k];
      if (object->freed || s->reachable[i][k])
        continue;
      hd_str text = {0};
      hd_machine_print_address(&text, s->m, object->base, object->size);
      hd_violation violation = {.property = HD_PROPERTY_LEAK,
                                .thread = tid,
                                .other = HD_NO_ID,
                                .edge = object->origin,
                                .other_edge = HD_NO_ID};
      hd_str_puts(&text, " is never freed");
      violation.message = hd_str_take(&text);
      hd_machine_add_violation(s->m, violation);
    }
  }
}

void hd_machine_find_leaks(hd_machine *m, hd_tid tid) {
  if (!hd_plan_checks(m->plan, HD_PROPERTY_LEAK))
    return;
  search s = {.m = m,
              .reachable = hd_calloc(m->heaps.size + 1, sizeof *s.reachable)};
  for (size_t i = 0; i < m->heaps.size; i++)
    s.reachable[i] = hd_calloc(m->heaps.data[i]->objects.size + 1, 1);
  scan_region(&s, m->globals);
  scan_region(&s, m->statics);
  for (size_t i = 0; i < m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(m, (hd_tid)i);
    /* main's own variables are gone when it returns. */
    bool gone = t->exiting && t->frames.size && hd_thread_returns(m, t);
    if (!t->ended && !gone) {
      scan_region(&s, m->stacks.data[i]);
      for (hd_vec_each(hd_machine_value, value, &t->regs))
        if (!hd_symbolic(m, *value))
          reach(&s, value->bits);
      for (hd_vec_each(hd_pair, pair, &t->keys))
        reach(&s, pair->value);
    } else if (!t->joined && !t->detached && t->ended) {
      reach(&s, hd_symbolic(m, t->result) ? 0 : t->result.bits);
    }
  }
  while (s.work.size) {
    uint64_t base = hd_vec_pop(&s.work);
    int64_t offset;
    scan(&s, hd_ram_find(m, base, &offset));
  }
  report_lost(&s, tid);
  for (size_t i = 0; i < m->heaps.size; i++)
    hd_free(s.reachable[i]);
  hd_free(s.reachable);
  hd_vec_free(&s.work);
}
