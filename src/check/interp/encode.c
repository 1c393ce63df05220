/* SPDX-License-Identifier: MIT */
/* The state as bytes.
 *
 * Encoded is what later behaviour can depend on: the contents of memory with its
 * undefined bits, frames and registers that are still read, what threads wait
 * for, locks that are not in their initial state. Freed objects count only by
 * their number. */
#include "base/bitset.h"
#include "check/interp/heap.h"
#include "check/interp/joins.h"
#include "check/interp/lib.h"
#include "check/interp/memory.h"
#include "check/interp/state.h"
#include "check/interp/symbolic.h"
#include "check/interp/sync.h"
#include "model/live.h"
#include "model/live_globals.h"

#include <stdlib.h>
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

/* What is being written: the machine, or a part of it. With `nameless` numbers of
 * threads are left out: an address in the stack or heap of a thread is written as
 * one of thread 1, when the part is that thread's own, or else as one of thread 2,
 * and the thread goes to `refs`. */
typedef struct {
  const hd_machine *m;
  hd_bytes *out;
  bool nameless;
  bool unbounded; /* without the counters of a bound on loops */
  hd_tid self;    /* whose part, or HD_NO_ID */
  hd_u32s refs;   /* threads that addresses lead to, in the order they come */
  bool odd;       /* numbers of threads cannot be left out */
  /* With `heaps`: blocks that threads but main have made are written when an
   * address leads to them, and numbered in that order, those of each thread. What
   * nobody has the address of any more is not written. */
  bool heaps;
  hd_u32s starts;       /* of each thread, in `numbers` */
  hd_u32s numbers;      /* of each block; 0 = not met yet */
  hd_u32s counts;       /* of each thread: how many were met */
  hd_vec(uint64_t) met; /* addresses of blocks still to be written */
} encoder;

static void put_number(encoder *e, uint64_t value) {
  number(e->out, value);
}

/* Could the number be an address of a thread other than main? Its object and the
 * place in it are looked at, so that other numbers hardly ever are. */
static hd_tid leads_to(encoder *e, uint64_t bits, uint64_t *relative) {
  int64_t offset;
  hd_tid tid = hd_ram_owner(e->m, bits, relative);
  if (tid == HD_NO_ID || !tid)
    return HD_NO_ID;
  const hd_object *object = hd_ram_find(e->m, bits, &offset);
  if (!e->m->plan->wide || !object || offset < 0 ||
      (uint64_t)offset > object->size) {
    e->odd = true;
    return HD_NO_ID;
  }
  return tid;
}

/* The address of a block by its new number. */
static uint64_t renumbered(encoder *e, uint64_t bits) {
  uint64_t index;
  const hd_object *block = hd_heap_block(e->m, bits, &index);
  if (!block) {
    hd_tid owner = hd_ram_owner(e->m, bits, NULL);
    if (owner != HD_NO_ID && owner &&
        hd_machine_stack_of(e->m, bits) == HD_NO_ID)
      e->m->plan->obscured = true; /* of a block that is not there yet */
    return bits;
  }
  hd_tid tid = hd_ram_owner(e->m, block->base, NULL);
  uint32_t *number = &e->numbers.data[e->starts.data[tid] + index];
  if (!*number) {
    *number = ++e->counts.data[tid];
    hd_vec_push(&e->met, block->base);
  }
  return hd_heap_renumber(bits, index, *number - 1);
}

/* The number without the thread it may lead to. */
static uint64_t anonymous(encoder *e, uint64_t bits) {
  enum { OTHER_BIT = 50 }; /* of the address of thread 2, not of 1 */
  uint64_t relative, fresh = e->heaps ? renumbered(e, bits) : bits;
  if (!e->nameless)
    return fresh;
  hd_tid tid = leads_to(e, bits, &relative);
  if (tid == HD_NO_ID)
    return bits;
  relative += fresh - bits;
  if (tid == e->self)
    return relative;
  hd_vec_push(&e->refs, tid);
  return relative + ((uint64_t)1 << OTHER_BIT);
}

/* A number that may be an address. */
static void put_value(encoder *e, uint64_t value) {
  number(e->out, e->nameless || e->heaps ? anonymous(e, value) : value);
}

/* Numbers of terms are no addresses. */
static void put_word(encoder *e, hd_machine_value value) {
  if (hd_symbolic(e->m, value))
    put_number(e, value.bits);
  else
    put_value(e, value.bits);
  put_number(e, value.undef);
}

static bool any_symbolic(const encoder *e, const uint8_t *shadow,
                         uint64_t size) {
  return shadow && e->m->plan->options->symbols && !all_zero(shadow, size);
}

/* Addresses are where they are aligned; elsewhere their numbers stay. */
static void put_memory(encoder *e, const uint8_t *bytes, const uint8_t *shadow,
                       uint64_t size) {
  size_t start = e->out->size;
  put(e->out, bytes, size);
  uint64_t word = e->m->plan->wide ? 8 : 4;
  bool looks = e->nameless || e->heaps;
  for (uint64_t i = 0; looks && i + word <= size; i++) {
    uint64_t bits = 0, relative;
    memcpy(&bits, bytes + i, word);
    if (hd_ram_owner(e->m, bits, NULL) + 1 <= 1 ||
        any_symbolic(e, shadow ? shadow + i : NULL, word))
      continue;
    if (i % word) {
      e->odd =
          e->odd || (e->nameless && leads_to(e, bits, &relative) != HD_NO_ID);
      continue;
    }
    bits = anonymous(e, bits);
    memcpy(e->out->data + start + i, &bits, word);
  }
}

/* A variable with handles: that there is one counts, not which. */
static void put_handles(encoder *e, const hd_block *block) {
  uint64_t word = e->m->plan->wide ? 8 : 4;
  for (uint64_t i = 0; i + word <= block->size; i += word) {
    uint64_t handle = 0;
    memcpy(&handle, block->bytes + i, word);
    put_number(e, handle != 0);
  }
}

static bool has_handles(const encoder *e, const hd_object *object) {
  const hd_joins *joins = e->m->plan->joins;
  return e->nameless &&
         ((object->kind == HD_OBJECT_SLOT && joins->slots[object->origin]) ||
          (object->kind == HD_OBJECT_GLOBAL &&
           joins->globals[object->origin]) ||
          ((object->kind == HD_OBJECT_HEAP ||
            object->kind == HD_OBJECT_ALLOCA) &&
           object->origin < e->m->plan->code->edges.size &&
           joins->blocks[object->origin]));
}

static void encode_object(encoder *e, const hd_object *object) {
  if (!object->block || object->constant || object->external) {
    put_number(e, object->freed);
    return;
  }
  if (object->lost) {
    put_number(e, 5);
    return;
  }
  const hd_block *block = object->block;
  bool undefined = block->shadow && !all_zero(block->shadow, block->size);
  put_number(e, undefined ? 3 : 2);
  put_number(e, object->size);
  if (has_handles(e, object))
    put_handles(e, block);
  else
    put_memory(e, block->bytes, block->shadow, block->size);
  if (undefined)
    put(e->out, block->shadow, block->size);
}

static void encode_region(encoder *e, const hd_objects *region) {
  put_number(e, region ? region->objects.size : 0);
  if (region)
    for (hd_vec_each(hd_object, object, &region->objects))
      encode_object(e, object);
}

/* --- heaps --- */

static void begin_heaps(encoder *e) {
  const hd_machine *m = e->m;
  uint32_t blocks = 0;
  e->heaps = m->plan->options->heaps && m->plan->wide && !m->plan->obscured &&
             !hd_plan_checks(m->plan, HD_PROPERTY_LEAK);
  for (size_t t = 1; e->heaps && t < m->heaps.size; t++) {
    blocks += m->heaps.data[t] ? (uint32_t)m->heaps.data[t]->objects.size : 0;
    e->heaps = !m->threads.data[t]->sort; /* it has addresses */
  }
  e->heaps = e->heaps && !m->threads.data[0]->sort;
  e->heaps = e->heaps && blocks;
  if (!e->heaps)
    return;
  blocks = 0;
  for (size_t t = 0; t < m->heaps.size; t++) {
    hd_vec_push(&e->starts, blocks);
    if (t && m->heaps.data[t])
      blocks += (uint32_t)m->heaps.data[t]->objects.size;
  }
  hd_vec_resize(&e->numbers, blocks);
  memset(e->numbers.data, 0, blocks * sizeof *e->numbers.data);
  hd_vec_resize(&e->counts, m->heaps.size);
  memset(e->counts.data, 0, m->heaps.size * sizeof *e->counts.data);
}

static void end_heaps(encoder *e) {
  hd_vec_free(&e->starts);
  hd_vec_free(&e->numbers);
  hd_vec_free(&e->counts);
  hd_vec_free(&e->met);
}

/* The blocks that were met, with their names: in the order they were. What is seen
 * from where (hd_machine_class) goes by where they were made. */
static void encode_met(encoder *e) {
  for (size_t i = 0; i < e->met.size; i++) {
    int64_t offset;
    const hd_object *object = hd_ram_find(e->m, e->met.data[i], &offset);
    put_value(e, object->base);
    put_number(e, object->origin);
    encode_object(e, object);
  }
  hd_vec_clear(&e->met);
  put_number(e, 0);
}

static void encode_heap(encoder *e, hd_tid tid) {
  if (!tid || !e->heaps)
    encode_region(e, e->m->heaps.data[tid]);
}

static void encode_frame(encoder *e, const hd_frame *frame, bool top) {
  put_number(e, frame->func);
  put_number(e, frame->loc);
  if (!top)
    put_number(e, frame->edge);
  put_number(e, frame->kind);
  put_value(e, frame->data);
}

static bool is_target(const hd_code *code, const hd_cedge *edge,
                      hd_reg_id reg) {
  for (uint32_t i = 0; i < edge->n_targets; i++)
    if (hd_code_target(code, edge, i) == reg)
      return true;
  return false;
}

/* A register that is not read any more counts only when pointers in it are
 * looked for at the end. Few are live, most of the time. */
static void encode_frame_registers(encoder *e, const hd_thread *t,
                                   const hd_frame *frame, bool top) {
  const hd_plan *plan = e->m->plan;
  const hd_code *code = plan->code;
  const hd_cedge *call =
      !top && frame->edge != HD_NO_ID ? &code->edges.data[frame->edge] : NULL;
  uint32_t n = code->funcs.data[frame->func].n_regs;
  const uint64_t *live = NULL;
  if (!hd_plan_checks(plan, HD_PROPERTY_LEAK))
    live = hd_live_set(plan->live, call ? call->to : frame->loc);
  for (hd_reg_id reg = 0; reg < n; reg++) {
    if (live)
      reg = (hd_reg_id)hd_bits_next(live, n, reg);
    if (reg == n)
      break;
    /* what the call gives is not there yet */
    if (live && call && is_target(code, call, reg))
      continue;
    if (e->unbounded &&
        code->regs.data[code->funcs.data[frame->func].regs + reg].rounds)
      continue;
    const hd_machine_value *value = &t->regs.data[frame->regs + reg];
    put_word(e, *value);
  }
}

/* Of variables in memory that are not read any more only that they are there. */
static void encode_stack(encoder *e, const hd_thread *t) {
  const hd_plan *plan = e->m->plan;
  const hd_objects *region = e->m->stacks.data[t->id];
  size_t i = 0, n = region ? region->objects.size : 0;
  put_number(e, n);
  for (size_t f = 0; f <= t->frames.size; f++) {
    const hd_frame *frame = f ? &t->frames.data[f - 1] : NULL;
    size_t end = f < t->frames.size ? t->frames.data[f].objects : n;
    bool calls = f && f < t->frames.size && frame->edge != HD_NO_ID;
    for (; i < end; i++) {
      const hd_object *object = &region->objects.data[i];
      hd_loc_id loc = calls ? plan->code->edges.data[frame->edge].to
                      : f   ? frame->loc
                            : 0;
      if (!frame || object->kind != HD_OBJECT_SLOT ||
          hd_plan_checks(plan, HD_PROPERTY_LEAK) ||
          hd_live_slot(plan->live, loc,
                       object->origin -
                           plan->code->funcs.data[frame->func].slots))
        encode_object(e, object);
      else
        put_number(e, 4 + object->freed);
    }
  }
}

static void encode_registers(encoder *e, const hd_thread *t) {
  hd_plan *plan = e->m->plan;
  if (!plan->live)
    plan->live = hd_live_new(plan->code);
  for (size_t i = 0; i < t->frames.size; i++)
    encode_frame_registers(e, t, &t->frames.data[i], i + 1 == t->frames.size);
}

static void encode_pairs(encoder *e, const hd_pair *pairs, size_t n) {
  put_number(e, n);
  for (size_t i = 0; i < n; i++) {
    put_value(e, pairs[i].key);
    put_value(e, pairs[i].value);
  }
}

static void encode_thread(encoder *e, const hd_thread *t) {
  uint32_t flags = (uint32_t)t->ended | (uint32_t)t->detached << 1 |
                   (uint32_t)t->joined << 2 | (uint32_t)t->exiting << 3 |
                   (uint32_t)t->timed << 4 | (uint32_t)t->wait << 5;
  put_number(e, flags);
  if (e->m->plan->ids)
    put_number(e, t->handle);
  /* The result of a thread nobody will ask matters no more. */
  bool asked = !t->ended || (!t->joined && !t->detached);
  if (asked) {
    put_word(e, t->result);
  }
  if (t->ended)
    return;
  put_number(e, t->atomic | (uint64_t)t->cancelled << 61 |
                    (uint64_t)t->cancel[0] << 62 |
                    (uint64_t)t->cancel[1] << 63);
  put_number(e, t->round);
  put_value(e, t->object);
  /* Which id is stored next does not count. */
  put_value(e, e->nameless && t->wait == HD_WAIT_CREATED ? 1 : t->mutex);
  put_number(e, (uint64_t)t->code);
  put_number(e, t->done);
  if (e->m->plan->options->symbols)
    put_number(e, t->inputs);
  put_number(e, t->frames.size);
  for (size_t i = 0; i < t->frames.size; i++)
    encode_frame(e, &t->frames.data[i],
                 i + 1 == t->frames.size && t->wait == HD_WAIT_NONE);
  encode_registers(e, t);
  encode_pairs(e, t->keys.data, t->keys.size);
  encode_pairs(e, t->cleanups.data, t->cleanups.size);
  hd_lib_sort_encode(e->out, t->sort);
  e->odd = e->odd || t->sort; /* it has addresses */
  encode_stack(e, t);
}

/* Without names: who owns a lock is said with the thread. */
static void encode_syncs(encoder *e) {
  const hd_machine *m = e->m;
  for (hd_vec_each(hd_sync, sync, &m->syncs->items)) {
    if (!hd_sync_matters(m, sync))
      continue;
    put_value(e, sync->address);
    put_number(e, (uint64_t)sync->live << 14 | (uint64_t)sync->health << 12 |
                      (uint64_t)sync->kind << 8 | (uint64_t)sync->type << 1 |
                      sync->destroyed);
    put_number(e, e->nameless ? sync->owner == HD_NO_ID : sync->owner);
    put_number(e, sync->count);
    put_number(e, sync->limit);
  }
  put_number(e, 0);
  for (hd_vec_each(hd_lock_reader, reader, &m->syncs->readers)) {
    if (e->nameless)
      continue;
    put_value(e, reader->address);
    put_number(e, reader->thread);
    put_number(e, reader->count);
  }
  put_number(e, 0);
}

static void encode_owned(encoder *e, hd_tid tid) {
  const hd_machine *m = e->m;
  put_number(e, m->atomic == tid);
  for (hd_vec_each(hd_sync, sync, &m->syncs->items))
    if (sync->owner == tid) {
      put_number(e, sync->kind + 1u);
      put_value(e, sync->address);
    }
  put_number(e, 0);
  for (hd_vec_each(hd_lock_reader, reader, &m->syncs->readers))
    if (reader->thread == tid) {
      put_number(e, reader->count);
      put_value(e, reader->address);
    }
  put_number(e, 0);
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
static void encode_globals(encoder *e) {
  const hd_machine *m = e->m;
  if (hd_plan_checks(m->plan, HD_PROPERTY_LEAK)) {
    encode_region(e, m->globals);
    return;
  }
  const uint64_t *live = hd_machine_live_globals(m, HD_NO_ID);
  for (size_t g = 0; g < m->globals->objects.size; g++) {
    uint32_t bit;
    if (!hd_live_globals_has(m->plan->live_globals, (hd_global_id)g, &bit) ||
        hd_bits_test(live, bit))
      encode_object(e, &m->globals->objects.data[g]);
  }
}

static void encode_rest(encoder *e, bool only_live) {
  const hd_machine *m = e->m;
  if (only_live)
    encode_globals(e);
  else
    encode_region(e, m->globals);
  encode_region(e, m->statics);
  encode_syncs(e);
  for (hd_vec_each(hd_tls_key, key, &m->keys)) {
    put_number(e, key->destructor);
    put_number(e, (uint64_t)key->rank << 1 | key->used);
  }
  for (hd_vec_each(hd_pair, handler, &m->atexits))
    put_number(e, handler->key);
}

static void encode_status(const hd_machine *m, hd_bytes *out) {
  number(out, m->status);
  number(out, (uint64_t)m->exit_code);
  /* Of seeds no more: where they are forgotten, rand may give any numbers. */
  number(out, (uint64_t)m->pid << 1 | (m->seeds.n != 0));
  number(out, m->timed);
  number(out, m->looks);
  number(out, m->threads.size);
}

static void encode(const hd_machine *m, hd_bytes *out, bool only_live) {
  encoder e = {.m = m, .out = out, .self = HD_NO_ID};
  if (only_live)
    begin_heaps(&e);
  encode_status(m, out);
  number(out, m->atomic);
  for (hd_tid i = 0; i < m->threads.size; i++) {
    encode_thread(&e, m->threads.data[i]);
    encode_heap(&e, i);
  }
  encode_rest(&e, only_live);
  encode_met(&e);
  end_heaps(&e);
}

void hd_machine_encode(const hd_machine *m, hd_bytes *out) {
  encode(m, out, false);
}

void hd_machine_encode_thread(const hd_machine *m, hd_tid tid, hd_bytes *out) {
  encoder e = {.m = m, .out = out, .self = HD_NO_ID, .unbounded = true};
  encode_thread(&e, m->threads.data[tid]);
  encode_owned(&e, tid);
}

void hd_machine_encode_live(const hd_machine *m, hd_bytes *out) {
  encode(m, out, true);
}

/* --- states up to the numbers of threads --- */

/* What belongs to one thread (main: with all that belongs to none). */
typedef struct {
  hd_tid thread;
  uint32_t start, size;    /* in `bytes` */
  uint32_t refs, end_refs; /* in `e.refs` */
  const uint8_t *bytes;
} part;

typedef struct {
  encoder e;
  hd_bytes bytes;
  hd_vec(part) parts; /* of the threads but main */
  hd_u32s names;      /* of each thread */
  hd_vec(uint8_t) referred;
} namer;

static int compare_parts(const void *a, const void *b) {
  const part *x = a, *y = b;
  uint32_t shorter = x->size < y->size ? x->size : y->size;
  int order = memcmp(x->bytes + x->start, y->bytes + y->start, shorter);
  if (!order)
    order = (x->size > y->size) - (x->size < y->size);
  return order ? order : (x->thread > y->thread) - (x->thread < y->thread);
}

static part write_part(namer *n, hd_tid tid) {
  encoder *e = &n->e;
  const hd_thread *t = hd_thread_of(e->m, tid);
  part p = {.thread = tid,
            .start = (uint32_t)n->bytes.size,
            .refs = (uint32_t)e->refs.size};
  e->self = tid;
  encode_thread(e, t);
  if (!t->ended) {
    put_number(e, t->start);
    put_word(e, t->arg);
  }
  encode_owned(e, tid);
  encode_heap(e, tid);
  if (!tid)
    encode_rest(e, true);
  encode_met(e);
  p.size = (uint32_t)n->bytes.size - p.start;
  p.end_refs = (uint32_t)e->refs.size;
  return p;
}

static void put_part(namer *n, const part *p, hd_bytes *out) {
  number(out, p->size);
  put(out, n->bytes.data + p->start, p->size);
  number(out, p->end_refs - p->refs);
  for (uint32_t i = p->refs; i < p->end_refs; i++)
    number(out, n->names.data[n->e.refs.data[i]]);
}

/* Threads that are alike, with nobody who knows one of them: the first stands for
 * all. */
static void find_twins(namer *n, hd_tid *twins) {
  size_t size = n->names.size;
  for (hd_tid t = 0; t < size; t++)
    twins[t] = t;
  hd_vec_resize(&n->referred, size);
  memset(n->referred.data, 0, size);
  for (hd_vec_each(uint32_t, ref, &n->e.refs))
    n->referred.data[*ref] = 1;
  for (size_t i = 1; i < n->parts.size; i++) {
    const part *a = &n->parts.data[i - 1], *b = &n->parts.data[i];
    if (a->size == b->size && !n->referred.data[a->thread] &&
        !n->referred.data[b->thread] && a->refs == a->end_refs &&
        b->refs == b->end_refs &&
        !memcmp(n->bytes.data + a->start, n->bytes.data + b->start, a->size))
      twins[b->thread] = twins[a->thread];
  }
}

bool hd_machine_encode_nameless(const hd_machine *m, hd_bytes *out,
                                hd_tid *twins) {
  namer n = {.e = {.m = m, .nameless = true}};
  hd_tid threads = (hd_tid)m->threads.size;
  bool names = !m->plan->joins || m->advanced;
  n.e.out = &n.bytes;
  part main = {0};
  if (!names) {
    begin_heaps(&n.e);
    main = write_part(&n, 0);
    for (hd_tid t = 1; t < threads && !n.e.odd; t++)
      hd_vec_push(&n.parts, write_part(&n, t));
    names = n.e.odd;
  }
  number(out, names);
  if (names) {
    hd_machine_encode_live(m, out);
    for (hd_tid t = 0; twins && t < threads; t++)
      twins[t] = t;
  } else {
    for (hd_vec_each(part, p, &n.parts))
      p->bytes = n.bytes.data;
    if (n.parts.size)
      qsort(n.parts.data, n.parts.size, sizeof *n.parts.data, compare_parts);
    hd_vec_resize(&n.names, threads);
    n.names.data[0] = 0;
    for (size_t i = 0; i < n.parts.size; i++)
      n.names.data[n.parts.data[i].thread] = (uint32_t)i + 1;
    encode_status(m, out);
    put_part(&n, &main, out);
    for (hd_vec_each(const part, p, &n.parts))
      put_part(&n, p, out);
    if (twins)
      find_twins(&n, twins);
  }
  hd_vec_free(&n.e.refs);
  end_heaps(&n.e);
  hd_vec_free(&n.bytes);
  hd_vec_free(&n.parts);
  hd_vec_free(&n.names);
  hd_vec_free(&n.referred);
  return !names;
}

bool hd_machine_asymmetric(const hd_machine *m) {
  return !m->plan->joins || m->plan->partial;
}

bool hd_machine_joins(const hd_machine *m) {
  return m->joining && hd_joins_at(m);
}

bool hd_machine_awaited(const hd_machine *m, hd_tid tid) {
  return !hd_thread_of(m, tid)->detached;
}

static bool owns_any(const hd_machine *m, hd_tid tid) {
  for (hd_vec_each(const hd_sync, sync, &m->syncs->items))
    if (sync->owner == tid)
      return true;
  for (hd_vec_each(const hd_lock_reader, reader, &m->syncs->readers))
    if (reader->thread == tid)
      return true;
  return false;
}

bool hd_machine_patient(const hd_machine *m, hd_tid tid) {
  if (tid || !hd_machine_joins(m) || owns_any(m, 0))
    return false;
  bool waits = false, moves = false;
  for (hd_tid i = 1; i < m->threads.size && !(waits && moves); i++) {
    const hd_thread *t = hd_thread_of(m, i);
    waits = waits || (!t->ended && !t->detached);
    moves = moves ||
            (!t->ended && hd_machine_enabled(m, i) && !hd_lib_spurious(m, t));
  }
  return waits && moves;
}

void hd_machine_start_of(const hd_machine *m, hd_tid tid, hd_func_id *func,
                         uint64_t *arg) {
  const hd_thread *t = hd_thread_of(m, tid);
  *func = t->start;
  *arg = t->arg.bits;
}

hd_tid hd_machine_owner(const hd_machine *m, uint64_t address,
                        uint64_t *relative) {
  return hd_ram_owner(m, address, relative);
}
