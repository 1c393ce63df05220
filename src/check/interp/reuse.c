/* SPDX-License-Identifier: MIT */
/* Addresses that come again. What was freed may be given out once more. Whoever
 * still has the old address can tell, by comparing it: a choice of the search (hd_machine_options.reuse), among the values that somebody still has.
 * Where nobody ever compares such a value, a new address is as good as any: that is
 * seen on the way (hd_machine_told). */
#include "check/interp/lib.h"

#include <string.h>

static const hd_object *heap_object(const hd_machine *m, uint64_t address) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  return object && object->kind == HD_OBJECT_HEAP ? object : NULL;
}

/* --- who can tell --- */

static bool is_of_variable(const hd_machine *m, uint64_t address) {
  return hd_ram_is_dead(m->plan, address) ||
         hd_machine_stack_of(m, address) != HD_NO_ID;
}

enum { COMPARED = 1, FREED = 2 };

/* Which comes first is not looked at: here the one did, in another run that differs
 * in nothing but that the other may. */
static void note_fate(const hd_machine *m, const hd_object *block,
                      uint8_t fate) {
  hd_plan *plan = m->plan;
  if (plan->suspect)
    return;
  if (!plan->fates)
    plan->fates = hd_calloc(plan->code->edges.size + 1, sizeof *plan->fates);
  plan->fates[block->origin] |= fate;
  plan->suspect = plan->fates[block->origin] == (COMPARED | FREED);
}

void hd_reuse_freed(const hd_machine *m, const hd_object *block) {
  note_fate(m, block, FREED);
}

bool hd_machine_suspect(const hd_machine *m) {
  return m->plan->suspect;
}

void hd_reuse_compared(const hd_machine *m, uint64_t a, uint64_t b) {
  hd_plan *plan = m->plan;
  if (!plan->suspect) {
    const hd_object *x = heap_object(m, a), *y = x ? heap_object(m, b) : NULL;
    if (y && x != y) {
      note_fate(m, x, COMPARED);
      note_fate(m, y, COMPARED);
    }
  }
  if ((hd_ram_is_dead(plan, a) && is_of_variable(m, b)) ||
      (hd_ram_is_dead(plan, b) && is_of_variable(m, a))) {
    plan->vague =
        "the address of a variable that is gone is compared with another";
  } else if (!plan->told) {
    const hd_object *x = heap_object(m, a), *y = x ? heap_object(m, b) : NULL;
    plan->told = y && x != y && (x->freed || y->freed);
  }
}

bool hd_machine_told(const hd_machine *m) {
  return m->plan->told;
}

const char *hd_machine_vague(const hd_machine *m) {
  return m->plan->vague;
}

/* --- what somebody still has --- */

typedef struct {
  const hd_machine *m;
  hd_addresses *out;
} search;

static void look_at(search *s, uint64_t value) {
  uint64_t found = 0;
  if (value >= hd_ram_start(s->m->plan)) {
    const hd_object *object = heap_object(s->m, value);
    if (object && object->freed)
      found = object->base;
  }
  if (!found)
    return;
  size_t at = 0;
  while (at < s->out->size && s->out->data[at] < found)
    at++;
  if (at < s->out->size && s->out->data[at] == found)
    return;
  hd_vec_push(s->out, found);
  for (size_t i = s->out->size - 1; i > at; i--)
    s->out->data[i] = s->out->data[i - 1];
  s->out->data[at] = found;
}

static void look_through(search *s, const hd_objects *region) {
  uint32_t word = hd_word(s->m);
  for (size_t i = 0; region && i < region->objects.size; i++) {
    const hd_object *object = &region->objects.data[i];
    if (!object->block || object->constant || object->external)
      continue;
    for (uint64_t at = 0; at + word <= object->size; at += word) {
      uint64_t value = 0;
      memcpy(&value, object->block->bytes + at, word);
      if (value)
        look_at(s, value);
    }
  }
}

static void look_everywhere(search *s) {
  const hd_machine *m = s->m;
  look_through(s, m->globals);
  for (hd_tid t = 0; t < m->threads.size; t++) {
    const hd_thread *thread = hd_thread_of(m, t);
    look_through(s, m->stacks.data[t]);
    look_through(s, m->heaps.data[t]);
    look_at(s, thread->result.bits);
    for (hd_vec_each(const hd_machine_value, v, &thread->regs))
      look_at(s, v->bits);
    for (hd_vec_each(const hd_pair, p, &thread->keys))
      look_at(s, p->value);
  }
}

static bool allocates(hd_library_fn fn) {
  return fn == HD_LIB_malloc || fn == HD_LIB_calloc || fn == HD_LIB_realloc ||
         fn == HD_LIB_reallocarray || fn == HD_LIB_aligned_alloc ||
         fn == HD_LIB_memalign || fn == HD_LIB_valloc ||
         fn == HD_LIB_posix_memalign;
}

static bool reallocates(hd_library_fn fn) {
  return fn == HD_LIB_realloc || fn == HD_LIB_reallocarray;
}

static void candidates(const hd_machine *m, const hd_thread *t,
                       hd_library_fn fn, hd_addresses *out) {
  search s = {.m = m, .out = out};
  uint64_t old;
  if (!m->plan->options->reuse || !allocates(fn))
    return;
  look_everywhere(&s);
  /* In place. */
  if (reallocates(fn) && hd_lib_arg(m, t, 0, &old)) {
    const hd_object *object = heap_object(m, old);
    if (object && !object->freed && object->base == old)
      hd_vec_push(out, old);
  }
}

uint64_t hd_reuse_choices(const hd_machine *m, const hd_thread *t,
                          hd_library_fn fn) {
  hd_addresses all = {0};
  candidates(m, t, fn, &all);
  uint64_t n = all.size;
  hd_vec_free(&all);
  return n;
}

uint64_t hd_reuse_chosen(hd_call *c, uint64_t first) {
  if (!c->m->plan->options->reuse || c->choice < first)
    return 0;
  hd_addresses all = {0};
  candidates(c->m, c->t, c->fn, &all);
  uint64_t chosen =
      c->choice - first < all.size ? all.data[c->choice - first] : 0;
  hd_vec_free(&all);
  if (!chosen || !hd_machine_watched(c->m))
    return chosen;
  hd_str text = {0};
  bool here = !heap_object(c->m, chosen)->freed;
  hd_str_printf(&text, "%s %s ", hd_library_name(c->fn),
                here ? "leaves in its place" : "gives the address of");
  hd_machine_print_address(&text, c->m, chosen, 1);
  hd_str_puts(&text, here ? "" : " again");
  hd_machine_tell(c->m, HD_EVENT_STEP, c->tid, HD_NO_ID, 0, hd_str_text(&text));
  hd_str_free(&text);
  return chosen;
}
