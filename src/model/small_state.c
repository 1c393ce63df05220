/* SPDX-License-Identifier: MIT */
/* Threads taken apart and put together, and memory.
 *
 * A local state as bytes: the wait, the locks, the thread-local variables, then
 * the frames from the outermost; a frame is its location and kind and those of
 * its registers and slots that matter there. A caller matters from behind its
 * call on. */
#include "model/small_impl.h"

#include "base/hash.h"

#include <string.h>

/* --- tables --- */

void hd_small_table_init(hd_small_table *t) {
  hd_vec_push(&t->starts, (size_t)0);
}

void hd_small_table_free(hd_small_table *t) {
  hd_vec_free(&t->pool);
  hd_vec_free(&t->starts);
  hd_free(t->slots);
}

static size_t slot_of(const hd_small_table *t, const uint8_t *bytes,
                      size_t size) {
  size_t at = (size_t)hd_hash_bytes(bytes, size) & (t->n_slots - 1);
  for (; t->slots[at]; at = (at + 1) & (t->n_slots - 1)) {
    size_t n;
    const uint8_t *other = hd_small_table_at(t, t->slots[at] - 1, &n);
    if (n == size && (!n || !memcmp(other, bytes, n)))
      break;
  }
  return at;
}

static void rehash(hd_small_table *t) {
  t->n_slots = t->n_slots ? t->n_slots * 2 : 64;
  hd_free(t->slots);
  t->slots = hd_calloc(t->n_slots, sizeof *t->slots);
  for (size_t i = 0; i < hd_small_table_size(t); i++) {
    size_t n;
    const uint8_t *bytes = hd_small_table_at(t, (hd_modular_state)i, &n);
    t->slots[slot_of(t, bytes, n)] = (uint32_t)i + 1;
  }
}

hd_modular_state hd_small_table_put(hd_small_table *t, const uint8_t *bytes,
                                    size_t size) {
  if (2 * (hd_small_table_size(t) + 1) >= t->n_slots)
    rehash(t);
  size_t at = slot_of(t, bytes, size);
  if (!t->slots[at]) {
    size_t start = t->pool.size;
    hd_vec_resize(&t->pool, start + size);
    if (size)
      memcpy(t->pool.data + start, bytes, size);
    hd_vec_push(&t->starts, t->pool.size);
    t->slots[at] = (uint32_t)hd_small_table_size(t);
  }
  return t->slots[at] - 1;
}

/* --- frames --- */

void hd_small_work_free(hd_small_work *w) {
  hd_vec_free(&w->frames);
  hd_vec_free(&w->regs);
  hd_vec_free(&w->states);
  hd_vec_free(&w->memory);
  hd_vec_free(&w->unset);
  hd_vec_free(&w->owned);
  hd_vec_free(&w->acts);
}

void hd_small_work_clear(const hd_small *s, hd_small_work *w) {
  hd_vec_clear(&w->frames);
  hd_vec_clear(&w->regs);
  hd_vec_clear(&w->states);
  hd_vec_clear(&w->owned);
  hd_vec_clear(&w->acts);
  w->parked = HD_PARKED_NOT;
  w->cond = w->mutex = 0;
  w->timed = false;
  w->code = 0;
  size_t n = s->start_tls.size;
  hd_vec_resize(&w->memory, n);
  hd_vec_resize(&w->unset, n);
  if (n) {
    memcpy(w->memory.data, s->start_tls.data, n);
    memset(w->unset.data, 0, n);
  }
}

void hd_small_push(const hd_small *s, hd_small_work *w, hd_func_id func,
                   hd_small_frame_kind kind) {
  const hd_func *f = &s->code->funcs.data[func];
  hd_small_frame frame = {.func = func,
                          .loc = f->entry,
                          .kind = (uint8_t)kind,
                          .atomic = s->funcs[func].atomic,
                          .regs = (uint32_t)w->regs.size,
                          .memory = (uint32_t)w->memory.size};
  hd_vec_push(&w->frames, frame);
  size_t regs = w->regs.size, memory = w->memory.size;
  hd_vec_resize(&w->regs, regs + f->n_regs);
  hd_vec_resize(&w->states, regs + f->n_regs);
  for (size_t i = regs; i < regs + f->n_regs; i++) {
    w->regs.data[i] = 0;
    w->states.data[i] = HD_REG_UNSET;
  }
  size_t bytes = s->funcs[func].memory;
  hd_vec_resize(&w->memory, memory + bytes);
  hd_vec_resize(&w->unset, memory + bytes);
  if (bytes) {
    memset(w->memory.data + memory, 0, bytes);
    memset(w->unset.data + memory, 1, bytes);
  }
}

void hd_small_pop(const hd_small *s, hd_small_work *w) {
  (void)s;
  hd_small_frame frame = hd_vec_pop(&w->frames);
  w->regs.size = w->states.size = frame.regs;
  w->memory.size = w->unset.size = frame.memory;
}

bool hd_small_matters(const hd_small *s, const hd_small_work *w, size_t i,
                      uint32_t var) {
  const hd_code *code = s->code;
  hd_loc_id loc = w->frames.data[i].loc;
  if (i + 1 == w->frames.size)
    return hd_small_live(s, loc, var);
  const hd_cedge *call = &code->edges.data[code->out[code->out_start[loc]]];
  for (uint32_t t = 0; t < call->n_targets; t++)
    if (hd_code_target(code, call, t) == var)
      return false;
  return hd_small_live(s, call->to, var);
}

/* --- bytes --- */

static void put(hd_bytes *out, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++)
    hd_vec_push(out, (uint8_t)(value >> 8 * i));
}

static void put_bytes(hd_bytes *out, const uint8_t *bytes, size_t size) {
  if (!size)
    return;
  hd_vec_resize(out, out->size + size);
  memcpy(out->data + out->size - size, bytes, size);
}

static void put_frame(const hd_small *s, const hd_small_work *w, size_t i,
                      hd_bytes *out) {
  const hd_small_frame *frame = &w->frames.data[i];
  const hd_func *f = &s->code->funcs.data[frame->func];
  put(out, frame->loc, 4);
  put(out, frame->kind, 1);
  if (frame->kind == HD_FRAME_KIND_ONCE)
    put(out, frame->data, 8);
  for (uint32_t r = 0; r < f->n_regs; r++)
    if (hd_small_matters(s, w, i, r)) {
      put(out, w->states.data[frame->regs + r], 1);
      put(out, w->regs.data[frame->regs + r], 8);
    }
  for (uint32_t k = 0; k < f->n_slots; k++)
    if (hd_small_matters(s, w, i, f->n_regs + k)) {
      size_t at = frame->memory + s->slot_at[f->slots + k];
      size_t size = s->code->slots.data[f->slots + k].size;
      put_bytes(out, w->memory.data + at, size);
      put_bytes(out, w->unset.data + at, size);
    }
}

void hd_small_serialise(const hd_small *s, const hd_small_work *w,
                        hd_bytes *out) {
  put(out, w->parked, 1);
  if (w->parked) {
    put(out, w->cond, 8);
    put(out, w->mutex, 8);
    put(out, w->timed, 1);
    put(out, w->code, 1);
  }
  put(out, w->owned.size, 4);
  for (hd_vec_each(const hd_small_own, own, &w->owned)) {
    put(out, own->address, 8);
    put(out, own->kind, 1);
    put(out, own->depth, 1);
  }
  put_bytes(out, w->memory.data, s->start_tls.size);
  put_bytes(out, w->unset.data, s->start_tls.size);
  put(out, w->frames.size, 4);
  for (size_t i = 0; i < w->frames.size; i++)
    put_frame(s, w, i, out);
}

hd_modular_state hd_small_encode(hd_small *s, const hd_small_work *w) {
  hd_vec_clear(&s->scratch);
  hd_small_serialise(s, w, &s->scratch);
  return hd_small_table_put(&s->local, s->scratch.data, s->scratch.size);
}

static uint64_t get(const uint8_t **at, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++)
    value |= (uint64_t) * (*at)++ << 8 * i;
  return value;
}

static void get_bytes(const uint8_t **at, uint8_t *to, size_t size) {
  if (size)
    memcpy(to, *at, size);
  *at += size;
}

/* The location and the kind; what matters can be told once all frames are
 * there, so values come in a second pass over the same bytes. */
static void get_frame(const hd_small *s, hd_small_work *w, size_t i,
                      const uint8_t **at) {
  hd_small_frame *frame = &w->frames.data[i];
  const hd_func *f = &s->code->funcs.data[frame->func];
  for (uint32_t r = 0; r < f->n_regs; r++)
    if (hd_small_matters(s, w, i, r)) {
      w->states.data[frame->regs + r] = (uint8_t)get(at, 1);
      w->regs.data[frame->regs + r] = get(at, 8);
    }
  for (uint32_t k = 0; k < f->n_slots; k++)
    if (hd_small_matters(s, w, i, f->n_regs + k)) {
      size_t start = frame->memory + s->slot_at[f->slots + k];
      size_t size = s->code->slots.data[f->slots + k].size;
      get_bytes(at, w->memory.data + start, size);
      get_bytes(at, w->unset.data + start, size);
    }
}

void hd_small_decode(const hd_small *s, hd_modular_state local,
                     hd_small_work *w) {
  size_t size;
  const uint8_t *at = hd_small_table_at(&s->local, local, &size);
  const uint8_t *end = at + size;
  hd_small_work_clear(s, w);
  w->parked = (uint8_t)get(&at, 1);
  if (w->parked) {
    w->cond = get(&at, 8);
    w->mutex = get(&at, 8);
    w->timed = get(&at, 1);
    w->code = (uint8_t)get(&at, 1);
  }
  size_t owned = (size_t)get(&at, 4);
  for (size_t i = 0; i < owned; i++) {
    hd_small_own own = {.address = get(&at, 8)};
    own.kind = (uint8_t)get(&at, 1);
    own.depth = (uint8_t)get(&at, 1);
    hd_vec_push(&w->owned, own);
  }
  get_bytes(&at, w->memory.data, s->start_tls.size);
  get_bytes(&at, w->unset.data, s->start_tls.size);
  size_t frames = (size_t)get(&at, 4);
  for (size_t i = 0; i < frames; i++) {
    hd_loc_id loc = (hd_loc_id)get(&at, 4);
    hd_small_frame_kind kind = (hd_small_frame_kind)get(&at, 1);
    hd_small_push(s, w, s->code->locs.data[loc].func, kind);
    hd_small_frame *frame = hd_small_top(w);
    frame->loc = loc;
    if (kind == HD_FRAME_KIND_ONCE)
      frame->data = get(&at, 8);
    /* The last frame is the top; all before it are callers. */
    if (i + 1 < frames) {
      hd_vec_push(&w->frames, *frame);
      get_frame(s, w, i, &at);
      w->frames.size--;
    } else {
      get_frame(s, w, i, &at);
    }
  }
  assert(at == end);
  (void)end;
}

/* --- addresses --- */

uint64_t hd_small_address(const void *context, const hd_cexpr *leaf) {
  const hd_small *s = context;
  uint64_t number = leaf->value + 1;
  if (leaf->op == HD_CODE_FUNC)
    number = s->func_base + leaf->value;
  else if (leaf->op == HD_CODE_SLOT)
    number =
        s->slot_base + (s->w->frames.size - 1) * s->frame_slots + leaf->value;
  else if (s->code->globals.data[leaf->value].thread_local)
    number = s->tls_base + leaf->value;
  return number << s->shift;
}

static int64_t offset_of(const hd_small *s, uint64_t address) {
  return (int64_t)(address & (((uint64_t)1 << s->shift) - 1));
}

/* Is it in a literal, and not in a global variable? */
static bool in_literal_slot(const hd_small *s, uint64_t number) {
  if (number < s->slot_base || !s->frame_slots)
    return false;
  uint64_t frame = (number - s->slot_base) / s->frame_slots;
  uint32_t slot = (uint32_t)((number - s->slot_base) % s->frame_slots);
  if (frame >= s->w->frames.size)
    return false;
  const hd_func *f = &s->code->funcs.data[s->w->frames.data[frame].func];
  return slot < f->n_slots && hd_code_is_literal_slot(s->code, f->slots + slot);
}

static bool in_literal(const hd_small *s, uint64_t number) {
  return number && number <= s->code->globals.size
             ? hd_code_is_literal(s->code, (hd_global_id)(number - 1))
             : in_literal_slot(s, number);
}

/* The start of an object may be the end of another: which size that has is not
 * looked up. */
static bool may_meet(const void *context, uint64_t a, uint64_t b) {
  const hd_small *s = context;
  uint64_t x = a >> s->shift, y = b >> s->shift;
  int64_t i = offset_of(s, a), k = offset_of(s, b);
  size_t n = s->code->globals.size;
  return (i && !k) || (k && !i) ||
         (x != y && (in_literal_slot(s, x) || in_literal_slot(s, y)) &&
          in_literal(s, x) && in_literal(s, y)) ||
         (x && y && x <= n && y <= n &&
          hd_code_may_share(s->code, (hd_global_id)(x - 1), i,
                            (hd_global_id)(y - 1), k));
}

hd_evaluated hd_small_eval(const hd_small *s, hd_cexpr_id expr) {
  const hd_small_work *w = s->w;
  const hd_small_frame *top = &w->frames.data[w->frames.size - 1];
  bool any = w->regs.size > 0; /* none: there is nothing to point to */
  hd_eval_env env = {.code = s->code,
                     .regs = any ? w->regs.data + top->regs : NULL,
                     .states = any ? w->states.data + top->regs : NULL,
                     .address = hd_small_address,
                     .context = s,
                     .object_shift = s->shift,
                     .may_meet = may_meet,
                     .modulus = s->funcs[top->func].modulus};
  return hd_evaluate(&env, expr);
}

hd_func_id hd_small_func_at(const hd_small *s, uint64_t address) {
  uint64_t number = address >> s->shift;
  if (number < s->func_base || number >= s->func_base + s->code->funcs.size ||
      address != number << s->shift)
    return HD_NO_ID;
  return (hd_func_id)(number - s->func_base);
}

bool hd_small_is_private(const hd_small *s, uint64_t value) {
  uint64_t number = value >> s->shift;
  return number >= s->tls_base &&
         number < s->slot_base + (uint64_t)s->frame_slots * HD_SMALL_DEPTH;
}

static bool fits(uint64_t offset, uint64_t size, uint64_t room) {
  return offset <= room && size <= room - offset;
}

static hd_small_place find_own(const hd_small *s, uint64_t number,
                               uint64_t offset, uint64_t size) {
  hd_small_place p = {.trouble = "access to what is no variable"};
  hd_small_work *w = s->w;
  size_t base;
  uint64_t room;
  if (number < s->slot_base) {
    hd_global_id g = (hd_global_id)(number - s->tls_base);
    if (g >= s->code->globals.size || s->global_at[g] == HD_NO_ID)
      return p;
    base = s->global_at[g];
    room = s->code->globals.data[g].size;
  } else {
    uint64_t frame = (number - s->slot_base) / s->frame_slots;
    uint32_t slot = (uint32_t)((number - s->slot_base) % s->frame_slots);
    if (frame >= w->frames.size)
      return p;
    const hd_func *f = &s->code->funcs.data[w->frames.data[frame].func];
    if (slot >= f->n_slots)
      return p;
    base = w->frames.data[frame].memory + s->slot_at[f->slots + slot];
    room = s->code->slots.data[f->slots + slot].size;
  }
  p.trouble = "access out of bounds";
  if (!fits(offset, size, room))
    return p;
  p.bytes = w->memory.data + base + offset;
  p.unset = w->unset.data + base + offset;
  p.trouble = NULL;
  return p;
}

hd_small_place hd_small_find(const hd_small *s, uint64_t address,
                             uint64_t size) {
  uint64_t number = address >> s->shift;
  uint64_t offset = address - (number << s->shift);
  if (number >= s->tls_base)
    return find_own(s, number, offset, size);
  hd_small_place p = {.trouble = number ? "access to what is no variable"
                                        : "access through a null pointer"};
  if (!number || number > s->code->globals.size)
    return p;
  hd_global_id g = (hd_global_id)(number - 1);
  const hd_global *global = &s->code->globals.data[g];
  p.trouble = "access to a variable that is not defined in the program";
  if (global->external || !s->initial[g])
    return p;
  p.trouble = "access out of bounds";
  if (!fits(offset, size, global->size))
    return p;
  p.trouble = NULL;
  p.constant = s->global_at[g] == HD_NO_ID;
  p.shared = !p.constant;
  p.at = p.shared ? s->global_at[g] + (uint32_t)offset : 0;
  p.bytes = p.shared ? s->now.data + p.at : s->initial[g] + offset;
  return p;
}
