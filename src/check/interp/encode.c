/* SPDX-License-Identifier: MIT */
/* The state as bytes, and what is lost at the end.
 *
 * Encoded is what later behaviour can depend on: the contents of memory with its
 * undefined bits, frames and registers that are still read, what threads wait
 * for, locks that are not in their initial state. Freed objects count only by
 * their number. */
#include "base/bitset.h"
#include "check/interp/lib.h"
#include "check/interp/memory.h"
#include "check/interp/state.h"
#include "check/interp/sync.h"
#include "model/live.h"
#include "model/live_globals.h"

#include <string.h>

static void put(hd_bytes *out, const void *data, size_t size) {
  if (!size)
    return;
  hd_vec_reserve(out, out->size + size);
  memcpy(out->data + out->size, data, size);
  out->size += size;
}

/* Numbers of any size, short ones shorter. */
static void number(hd_bytes *out, uint64_t value) {
  hd_vec_reserve(out, out->size + 10);
  while (value >= 0x80) {
    out->data[out->size++] = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  out->data[out->size++] = (uint8_t)value;
}

static bool all_zero(const uint8_t *bytes, uint64_t size) {
  for (uint64_t i = 0; i < size; i++)
    if (bytes[i])
      return false;
  return true;
}

static void encode_object(hd_bytes *out, const hd_object *object) {
  if (!object->block || object->constant || object->external) {
    number(out, object->freed);
    return;
  }
  const hd_block *block = object->block;
  bool undefined = block->shadow && !all_zero(block->shadow, block->size);
  number(out, undefined ? 3 : 2);
  number(out, object->size);
  put(out, block->bytes, block->size);
  if (undefined)
    put(out, block->shadow, block->size);
}

static void encode_region(hd_bytes *out, const hd_region *region) {
  number(out, region ? region->objects.size : 0);
  if (region)
    for (hd_vec_each(hd_object, object, &region->objects))
      encode_object(out, object);
}

static void encode_frame(hd_bytes *out, const hd_frame *frame, bool top) {
  number(out, frame->func);
  number(out, frame->loc);
  if (!top)
    number(out, frame->edge);
  number(out, frame->kind);
  number(out, frame->data);
}

static bool is_target(const hd_code *code, const hd_cedge *edge,
                      hd_reg_id reg) {
  for (uint32_t i = 0; i < edge->n_targets; i++)
    if (code->targets.data[edge->targets + i] == reg)
      return true;
  return false;
}

/* A register that is not read any more counts only when pointers in it are
 * looked for at the end. Few are live, most of the time. */
static void encode_frame_registers(hd_bytes *out, const hd_machine *m,
                                   const hd_thread *t, const hd_frame *frame,
                                   bool top) {
  const hd_code *code = m->plan->code;
  const hd_cedge *call =
      !top && frame->edge != HD_NO_ID ? &code->edges.data[frame->edge] : NULL;
  uint32_t n = code->funcs.data[frame->func].n_regs;
  const uint64_t *live = NULL;
  if (!hd_plan_checks(m->plan, HD_PROPERTY_LEAK))
    live = hd_live_set(m->plan->live, call ? call->to : frame->loc);
  for (hd_reg_id reg = 0; reg < n; reg++) {
    if (live)
      reg = (hd_reg_id)hd_bits_next(live, n, reg);
    if (reg == n)
      break;
    /* what the call gives is not there yet */
    if (live && call && is_target(code, call, reg))
      continue;
    const hd_value *value = &t->regs.data[frame->regs + reg];
    number(out, value->bits);
    number(out, value->undef);
  }
}

static void encode_registers(hd_bytes *out, const hd_machine *m,
                             const hd_thread *t) {
  if (!m->plan->live)
    m->plan->live = hd_live_new(m->plan->code);
  for (size_t i = 0; i < t->frames.size; i++)
    encode_frame_registers(out, m, t, &t->frames.data[i],
                           i + 1 == t->frames.size);
}

static void encode_thread(hd_bytes *out, const hd_machine *m,
                          const hd_thread *t) {
  uint32_t flags = (uint32_t)t->ended | (uint32_t)t->detached << 1 |
                   (uint32_t)t->joined << 2 | (uint32_t)t->exiting << 3 |
                   (uint32_t)t->timed << 4 | (uint32_t)t->wait << 5;
  number(out, flags);
  /* The result of a thread nobody will ask matters no more. */
  bool asked = !t->ended || (!t->joined && !t->detached);
  if (asked) {
    number(out, t->result.bits);
    number(out, t->result.undef);
  }
  if (t->ended)
    return;
  number(out, t->atomic | (uint64_t)t->cancel[0] << 62 |
                  (uint64_t)t->cancel[1] << 63);
  number(out, t->round);
  number(out, t->object);
  number(out, t->mutex);
  number(out, (uint64_t)t->code);
  number(out, t->done);
  number(out, t->frames.size);
  for (size_t i = 0; i < t->frames.size; i++)
    encode_frame(out, &t->frames.data[i],
                 i + 1 == t->frames.size && t->wait == HD_WAIT_NONE);
  encode_registers(out, m, t);
  number(out, t->keys.size);
  for (hd_vec_each(hd_pair, pair, &t->keys)) {
    number(out, pair->key);
    number(out, pair->value);
  }
  number(out, t->cleanups.size);
  for (hd_vec_each(hd_pair, pair, &t->cleanups)) {
    number(out, pair->key);
    number(out, pair->value);
  }
  hd_lib_sort_encode(out, t->sort);
  encode_region(out, m->stacks.data[t->id]);
}

static void encode_syncs(hd_bytes *out, const hd_machine *m) {
  for (hd_vec_each(hd_sync, sync, &m->syncs->items)) {
    if (!hd_sync_matters(m, sync))
      continue;
    number(out, sync->address);
    number(out, (uint64_t)sync->kind << 8 | (uint64_t)sync->type << 1 |
                    sync->destroyed);
    number(out, sync->owner);
    number(out, sync->count);
    number(out, sync->limit);
  }
  number(out, 0);
  for (hd_vec_each(hd_reader, reader, &m->syncs->readers)) {
    number(out, reader->address);
    number(out, reader->thread);
    number(out, reader->count);
  }
  number(out, 0);
}

const uint64_t *hd_machine_live_globals(const hd_machine *m, hd_tid except) {
  hd_plan *plan = m->plan;
  if (!plan->live_globals) {
    plan->live_globals = hd_live_globals_new(plan->code);
    plan->live_set = hd_calloc(hd_live_globals_words(plan->live_globals) + 1,
                               sizeof *plan->live_set);
  }
  memset(plan->live_set, 0,
         hd_live_globals_words(plan->live_globals) * sizeof *plan->live_set);
  for (size_t i = 0; i < m->threads.size; i++) {
    const hd_thread *t = m->threads.data[i];
    if (t->ended || i == except)
      continue;
    for (hd_vec_each(hd_frame, frame, &t->frames)) {
      bool calls = frame->edge != HD_NO_ID;
      hd_live_globals_at(plan->live_globals,
                         calls ? plan->code->edges.data[frame->edge].from
                               : frame->loc,
                         plan->live_set);
    }
  }
  return plan->live_set;
}

/* Dead ones are left out, unless pointers in them are looked for at the end. */
static void encode_globals(hd_bytes *out, const hd_machine *m) {
  if (hd_plan_checks(m->plan, HD_PROPERTY_LEAK)) {
    encode_region(out, m->globals);
    return;
  }
  const uint64_t *live = hd_machine_live_globals(m, HD_NO_ID);
  for (size_t g = 0; g < m->globals->objects.size; g++) {
    uint32_t bit;
    if (!hd_live_globals_has(m->plan->live_globals, (hd_global_id)g, &bit) ||
        hd_bits_test(live, bit))
      encode_object(out, &m->globals->objects.data[g]);
  }
}

static void encode(const hd_machine *m, hd_bytes *out, bool only_live) {
  number(out, m->status);
  number(out, m->atomic);
  number(out, (uint64_t)m->exit_code);
  number(out, m->timed);
  number(out, m->threads.size);
  for (size_t i = 0; i < m->threads.size; i++) {
    encode_thread(out, m, m->threads.data[i]);
    encode_region(out, m->heaps.data[i]);
  }
  if (only_live)
    encode_globals(out, m);
  else
    encode_region(out, m->globals);
  encode_region(out, m->statics);
  encode_syncs(out, m);
  for (hd_vec_each(hd_key, key, &m->keys)) {
    number(out, key->destructor);
    number(out, key->used);
  }
  for (hd_vec_each(hd_pair, handler, &m->atexits))
    number(out, handler->key);
}

void hd_machine_encode(const hd_machine *m, hd_bytes *out) {
  encode(m, out, false);
}

void hd_machine_encode_live(const hd_machine *m, hd_bytes *out) {
  encode(m, out, true);
}

/* --- leaks --- */

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
    const hd_region *heap = s->m->heaps.data[i];
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

/* Every place of an object could hold a pointer, aligned or not. */
static void scan(search *s, const hd_object *object) {
  uint32_t word = hd_word(s->m);
  if (!object->block || object->size < word)
    return;
  for (uint64_t i = 0; i + word <= object->size; i++) {
    uint64_t address = 0;
    memcpy(&address, object->block->bytes + i, word);
    if (address)
      reach(s, address);
  }
}

static void scan_region(search *s, const hd_region *region) {
  if (region)
    for (hd_vec_each(hd_object, object, &region->objects))
      scan(s, object);
}

static void report_lost(search *s, hd_tid tid) {
  for (size_t i = 0; i < s->m->heaps.size; i++) {
    const hd_region *heap = s->m->heaps.data[i];
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
      for (hd_vec_each(hd_value, value, &t->regs))
        reach(&s, value->bits);
      for (hd_vec_each(hd_pair, pair, &t->keys))
        reach(&s, pair->value);
    } else if (!t->joined && !t->detached && t->ended) {
      reach(&s, t->result.bits);
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
