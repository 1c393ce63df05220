/* SPDX-License-Identifier: MIT */
/* Memory, as one thread sees it: its own slots, what it holds the lock of, all
 * there is while main is alone; and for the rest what the annotation says. */
#include "check/notes/rules.h"
#include "check/notes/state.h"

#include "base/hash.h"

#include <stdarg.h>
#include <stdio.h>

void hd_note_refuse(walk *w, const char *format, ...) {
  if (w->failed)
    return;
  w->failed = true;
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_str_puts(w->why, text);
}

void hd_note_refuse_at(walk *w, hd_edge_id edge, const char *what) {
  assert(edge < w->code->edges.size);
  hd_str text = {0};
  hd_code_print_pos(&text, w->code, w->code->edges.data[edge].pos);
  hd_note_refuse(w, "%s: %s", hd_str_text(&text), what);
  hd_str_free(&text);
}

static const object *object_at(const walk *w, uint32_t id) {
  assert(id < w->notes->objects.size);
  return &w->notes->objects.data[id];
}

/* --- what is in there --- */

value hd_note_initial(const walk *w, uint32_t id, uint64_t offset,
                      uint32_t size) {
  const object *o = object_at(w, id);
  hd_cexpr_id root;
  uint64_t bits;
  if (o->kind != OBJ_GLOBAL ||
      !hd_note_initial_bytes(w->code, &w->code->globals.data[o->index], offset,
                             size, &root, &bits))
    return hd_note_any();
  if (root == HD_NO_ID)
    return hd_note_number(bits);
  const hd_cexpr *e = &w->code->exprs.data[root];
  object to = {e->op == HD_CODE_FUNC ? OBJ_FUNC : OBJ_GLOBAL,
               (uint32_t)e->value, 0, 0, 0};
  return hd_note_address(hd_note_object_of(w->notes, to), bits);
}

bool hd_note_overlaps(const cell *c, uint32_t o, uint64_t offset,
                      uint64_t size) {
  return c->object == o && c->offset < offset + size &&
         offset < c->offset + c->size;
}

static bool is_cell(const cell *c, uint32_t o, uint64_t offset, uint32_t size) {
  return c->object == o && c->offset == offset && c->size == size;
}

/* What the annotation says; what it does not speak of may be anything. */
static value supposed(const walk *w, uint32_t o, uint64_t offset,
                      uint32_t size) {
  for (hd_vec_each(const cell, c, &w->notes->cells))
    if (is_cell(c, o, offset, size))
      return c->value;
  return hd_note_any();
}

/* Has main had it to itself from the beginning on? */
static bool untold(const walk *w, const state *s, uint32_t o) {
  const guard *g = hd_note_guard_of(w->notes, o);
  return s->thread == 0 &&
         (s->virgin || (g && g->kind == GUARD_OWNER && g->id == 0));
}

static bool is_constant(const walk *w, uint32_t id) {
  const object *o = object_at(w, id);
  return o->kind == OBJ_GLOBAL && w->code->globals.data[o->index].constant;
}

bool hd_note_has_object(const hd_u32s *list, uint32_t x) {
  for (hd_vec_each(const uint32_t, y, list))
    if (*y == x)
      return true;
  return false;
}

bool hd_note_is_initial(const walk *w, const state *s, uint32_t o) {
  return is_constant(w, o) || untold(w, s, o);
}

/* Its own, whatever others do. */
bool hd_note_is_own(const walk *w, const state *s, uint32_t id) {
  const object *o = object_at(w, id);
  return o->kind == OBJ_SLOT && o->thread == s->thread &&
         !hd_note_is_main_slot(o);
}

value hd_note_cell_get(const walk *w, const state *s, uint32_t o,
                       uint64_t offset, uint32_t size) {
  bool partly = false;
  for (hd_vec_each(const cell, c, &s->cells)) {
    if (is_cell(c, o, offset, size))
      return c->value;
    partly = partly || hd_note_overlaps(c, o, offset, size);
  }
  if (partly || hd_note_has_object(&s->blurred, o) || hd_note_is_own(w, s, o))
    return hd_note_any();
  if (hd_note_is_initial(w, s, o))
    return hd_note_initial(w, o, offset, size);
  return supposed(w, o, offset, size);
}

static void cell_put(state *s, uint32_t o, uint64_t offset, uint32_t size,
                     const value *v) {
  bool there = false;
  for (hd_vec_each(cell, c, &s->cells)) {
    if (is_cell(c, o, offset, size)) {
      c->value = *v;
      there = true;
    } else if (hd_note_overlaps(c, o, offset, size)) {
      c->value = hd_note_any();
    }
  }
  if (!there)
    hd_vec_push(&s->cells, ((cell){o, offset, size, *v, 0}));
}

static void blur(state *s, uint32_t o) {
  size_t kept = 0;
  for (hd_vec_each(const cell, c, &s->cells))
    if (c->object != o)
      s->cells.data[kept++] = *c;
  s->cells.size = kept;
  if (!hd_note_has_object(&s->blurred, o))
    hd_vec_push(&s->blurred, o);
}

/* From now on what is supposed. */
static void forget(state *s, uint32_t o) {
  size_t kept = 0;
  for (hd_vec_each(const cell, c, &s->cells))
    if (c->object != o)
      s->cells.data[kept++] = *c;
  s->cells.size = kept;
  kept = 0;
  for (hd_vec_each(const uint32_t, b, &s->blurred))
    if (*b != o)
      s->blurred.data[kept++] = *b;
  s->blurred.size = kept;
}

/* --- what the annotation has to say --- */

bool hd_note_may_tell(walk *w, const value *v) {
  if (v->kind == HD_NOTE_SPAN) {
    const object *o = object_at(w, v->base);
    return o->kind != OBJ_SLOT || hd_note_is_main_slot(o);
  }
  for (int i = 0; v->kind == HD_NOTE_SET && i < v->n; i++) {
    if (v->elems[i].base == HD_NO_ID)
      continue;
    const object *o = object_at(w, v->elems[i].base);
    if (o->kind == OBJ_SLOT && !hd_note_is_main_slot(o))
      return false;
  }
  return true;
}

/* Others may find `v` in the cell. */
static void require(walk *w, uint32_t o, uint64_t offset, uint32_t size,
                    const value *v) {
  assert(size > 0 && size <= 8);
  if (!hd_note_may_tell(w, v))
    hd_note_refuse(w, "a variable of a function that others get to know");
  bool there = false;
  for (hd_vec_each(cell, c, &w->notes->cells)) {
    uint8_t width = (uint8_t)(8 * c->size);
    value want = *v;
    if (!hd_note_overlaps(c, o, offset, size))
      continue;
    if (!is_cell(c, o, offset, size))
      want = hd_note_any();
    else
      there = true;
    if (hd_note_within(width, &want, &c->value))
      continue;
    if (!w->finding) {
      hd_note_refuse(w, "a cell may get a value that the annotation excludes");
      return;
    }
    w->finding->widen_cell(w, c, &want);
  }
  if (!there && w->finding) {
    hd_vec_push(&w->notes->cells, ((cell){o, offset, size, *v, 0}));
    w->changed = true;
  }
}

/* A read of what others may write. */
static value consult(walk *w, uint32_t o, uint64_t offset, uint32_t size) {
  assert(size > 0 && size <= 8);
  bool there = false, partly = false;
  for (hd_vec_each(const cell, c, &w->notes->cells)) {
    there = there || is_cell(c, o, offset, size);
    partly = partly || hd_note_overlaps(c, o, offset, size);
  }
  if (!there && w->finding) {
    value first = partly ? hd_note_any() : hd_note_none();
    hd_vec_push(&w->notes->cells, ((cell){o, offset, size, first, 0}));
    w->changed = true;
  }
  return supposed(w, o, offset, size);
}

/* --- who may use it --- */

/* May the thread look at it (change it) as if there were nobody else? */
static bool holds(const walk *w, const state *s, uint32_t o, bool write) {
  if (hd_note_is_own(w, s, o) || hd_note_is_alone(s))
    return true;
  const guard *g = hd_note_guard_of(w->notes, o);
  if (!g)
    return false;
  if (g->kind == GUARD_OWNER)
    return g->id == s->thread;
  return s->ex >> g->id & 1 || (!write && s->rd >> g->id & 1);
}

static uint64_t hash_deed(const deed *d) {
  uint64_t h = hd_hash_mix(d->lo, d->hi);
  h = hd_hash_mix(h, (uint64_t)d->thread << 32 | d->object);
  h = hd_hash_mix(h,
                  (uint64_t)d->edge << 2 | (uint64_t)d->write << 1 | d->atomic);
  return hd_hash_mix(hd_hash_mix(h, d->ex), hd_hash_mix(d->rd, d->live));
}

static bool same_deed(const deed *x, const deed *d) {
  return x->thread == d->thread && x->object == d->object && x->lo == d->lo &&
         x->hi == d->hi && x->write == d->write && x->atomic == d->atomic &&
         x->ex == d->ex && x->rd == d->rd && x->live == d->live &&
         x->edge == d->edge;
}

static void put_deed(walk *w, uint32_t id) {
  assert(id < w->deeds.size);
  size_t mask = w->deed_table.size - 1;
  size_t at = hash_deed(&w->deeds.data[id]) & mask;
  while (w->deed_table.data[at] != HD_NO_ID)
    at = (at + 1) & mask;
  w->deed_table.data[at] = id;
}

static void grow_deeds(walk *w) {
  if (w->deed_table.size && w->deeds.size * 2 < w->deed_table.size)
    return;
  size_t size = w->deed_table.size ? w->deed_table.size * 2 : 256;
  hd_vec_resize(&w->deed_table, size);
  for (size_t i = 0; i < size; i++)
    w->deed_table.data[i] = HD_NO_ID;
  for (uint32_t i = 0; i < w->deeds.size; i++)
    put_deed(w, i);
}

static void note_deed(walk *w, const state *s, uint32_t o, uint64_t lo,
                      uint64_t hi, bool write, bool atomic, hd_edge_id edge) {
  assert(lo <= hi);
  if (hd_note_is_own(w, s, o) || hd_note_is_alone(s) || is_constant(w, o))
    return;
  if (s->thread && object_at(w, o)->kind == OBJ_SLOT)
    w->main_shared = true;
  deed d = {s->thread, o, lo, hi, write, atomic, s->ex, s->rd, s->live, edge};
  grow_deeds(w);
  size_t mask = w->deed_table.size - 1, at = hash_deed(&d) & mask;
  for (; w->deed_table.data[at] != HD_NO_ID; at = (at + 1) & mask)
    if (same_deed(&w->deeds.data[w->deed_table.data[at]], &d))
      return;
  w->deed_table.data[at] = (uint32_t)w->deeds.size;
  hd_vec_push(&w->deeds, d);
  assert(w->deeds.size * 2 <= w->deed_table.size); /* it is never full */
}

/* What a lock has in its bytes is not for the program to read; one that is
 * written over is none, until it is made again. */
static void spare_locks(walk *w, state *s, uint32_t o, uint64_t lo, uint64_t hi,
                        bool write, hd_edge_id edge) {
  for (uint32_t i = 1; i < w->notes->locks.size && i < MOST; i++) {
    const mutex *l = &w->notes->locks.data[i];
    if (l->object != o || l->offset >= hi || lo >= l->offset + l->size)
      continue;
    if (!write || !hd_note_is_alone(s) || (s->ex | s->rd) >> i & 1) {
      hd_note_refuse_at(w, edge,
                        write ? "a write to a lock"
                              : "the bytes of a lock are read");
      return;
    }
    s->ready &= ~((uint64_t)1 << i);
    s->dead |= (uint64_t)1 << i;
  }
}

static void note_access(walk *w, state *s, uint32_t o, uint64_t lo, uint64_t hi,
                        bool write, bool atomic, hd_edge_id edge) {
  note_deed(w, s, o, lo, hi, write, atomic, edge);
  spare_locks(w, s, o, lo, hi, write, edge);
}

/* The guard of the object is not held: it is none. */
static void unguard(walk *w, uint32_t o, hd_edge_id edge) {
  if (w->finding)
    w->finding->unguard(w, o);
  else
    hd_note_refuse_at(w, edge,
                      "an access without the lock that the annotation names");
}

/* May the thread use these bytes at all? */
static bool is_there(walk *w, const state *s, hd_note_elem e, uint64_t size,
                     bool write, hd_edge_id edge) {
  if (e.base == HD_NO_ID) {
    hd_note_refuse_at(w, edge, "an address that may be none");
    return false;
  }
  const object *o = object_at(w, e.base);
  bool ok = o->kind == OBJ_GLOBAL || o->kind == OBJ_SLOT;
  if (o->kind == OBJ_SLOT && !hd_note_is_main_slot(o)) {
    ok = false;
    for (hd_vec_each(const frame, f, &s->frames))
      ok = ok || (o->thread == s->thread && f->stack == o->stack);
  }
  if (o->kind == OBJ_GLOBAL) {
    const hd_global *g = &w->code->globals.data[o->index];
    ok = !g->thread_local &&
         (!g->external || (!write && hd_note_is_stream(g->name))) &&
         !(write && g->constant);
  }
  uint64_t whole = ok ? hd_note_object_size(w->notes, e.base) : 0;
  if (!ok || e.bits > whole || size > whole - e.bits)
    hd_note_refuse_at(w, edge,
                      "an access that may be outside of what is there");
  return !w->failed;
}

static bool are_there(walk *w, const state *s, const value *address,
                      uint64_t size, bool write, hd_edge_id edge) {
  if (address->kind == HD_NOTE_SPAN)
    return address->lo >= 0 &&
           is_there(w, s, (hd_note_elem){address->base, (uint64_t)address->hi},
                    size, write, edge);
  if (address->kind != HD_NOTE_SET)
    hd_note_refuse_at(w, edge, "an address that is not known");
  for (int i = 0; i < address->n && !w->failed; i++)
    if (!is_there(w, s, address->elems[i], size, write, edge))
      return false;
  return !w->failed;
}

/* Bytes that an access may begin at: one by one, or a span of them. */
typedef struct {
  uint32_t object;
  uint64_t lo, hi;
} target;

static int count_targets(const value *address) {
  assert(address->kind == HD_NOTE_SPAN || address->kind == HD_NOTE_SET);
  return address->kind == HD_NOTE_SPAN ? 1 : address->n;
}

static target target_at(const value *address, int i) {
  assert(i < count_targets(address));
  if (address->kind == HD_NOTE_SPAN)
    return (target){address->base, (uint64_t)address->lo,
                    (uint64_t)address->hi};
  const hd_note_elem *e = &address->elems[i];
  return (target){e->base, e->bits, e->bits};
}

static value load_at(walk *w, state *s, target t, uint32_t size, bool atomic,
                     hd_edge_id edge) {
  uint32_t o = t.object;
  bool mine = holds(w, s, o, false) || is_constant(w, o);
  note_access(w, s, o, t.lo, t.hi + size, false, atomic, edge);
  if (!mine && hd_note_guard_of(w->notes, o)) {
    unguard(w, o, edge);
    return hd_note_none();
  }
  if (t.lo != t.hi)
    return hd_note_any();
  /* What is not mentioned is what was supposed: it has to be there. */
  if (w->finding && !hd_note_is_own(w, s, o) && !is_constant(w, o) &&
      !untold(w, s, o))
    consult(w, o, t.lo, size);
  return mine ? hd_note_cell_get(w, s, o, t.lo, size)
              : consult(w, o, t.lo, size);
}

value hd_note_load(walk *w, state *s, const value *address, uint32_t size,
                   bool atomic, hd_edge_id edge) {
  value out = hd_note_none();
  if (!are_there(w, s, address, size, false, edge))
    return out;
  for (int i = 0; i < count_targets(address); i++) {
    value v = load_at(w, s, target_at(address, i), size, atomic, edge);
    if (hd_note_empty(&v) && w->unguarded.size)
      return v;
    out = hd_note_join((uint8_t)(8 * size), &out, &v);
  }
  return out;
}

/* So many bytes from somewhere in the target on become anything. */
static void havoc_at(walk *w, state *s, target t, uint64_t size, bool atomic,
                     hd_edge_id edge) {
  assert(t.lo <= t.hi);
  value any = hd_note_any();
  note_access(w, s, t.object, t.lo, t.hi + size, true, atomic, edge);
  if (holds(w, s, t.object, true))
    blur(s, t.object);
  else if (hd_note_guard_of(w->notes, t.object))
    unguard(w, t.object, edge);
  else
    for (size_t k = 0; k < w->notes->cells.size; k++) {
      cell c = w->notes->cells.data[k];
      if (hd_note_overlaps(&c, t.object, t.lo, t.hi - t.lo + size))
        require(w, c.object, c.offset, c.size, &any);
    }
}

static void store_at(walk *w, state *s, target t, uint32_t size, const value *v,
                     bool only, bool atomic, hd_edge_id edge) {
  assert(t.lo == t.hi); /* one place */
  uint32_t o = t.object;
  note_access(w, s, o, t.lo, t.lo + size, true, atomic, edge);
  if (!holds(w, s, o, true)) {
    if (hd_note_guard_of(w->notes, o))
      unguard(w, o, edge);
    else
      require(w, o, t.lo, size, v);
    return;
  }
  value new = *v;
  if (!only) {
    value old = hd_note_cell_get(w, s, o, t.lo, size);
    new = hd_note_join((uint8_t)(8 * size), &old, v);
  }
  cell_put(s, o, t.lo, size, &new);
}

void hd_note_store(walk *w, state *s, const value *address, uint32_t size,
                   const value *v, bool atomic, hd_edge_id edge) {
  if (!are_there(w, s, address, size, true, edge))
    return;
  for (int i = 0; i < count_targets(address); i++) {
    target t = target_at(address, i);
    if (t.lo == t.hi)
      store_at(w, s, t, size, v, address->n == 1, atomic, edge);
    else if (hd_note_may_tell(w, v))
      havoc_at(w, s, t, size, atomic, edge);
    else
      hd_note_refuse_at(w, edge, "a pointer that is lost in an array");
  }
}

void hd_note_havoc(walk *w, state *s, const value *address, uint64_t size,
                   hd_edge_id edge) {
  if (!are_there(w, s, address, size, true, edge))
    return;
  for (int i = 0; i < count_targets(address); i++)
    havoc_at(w, s, target_at(address, i), size, false, edge);
}

void hd_note_touch(walk *w, state *s, const value *address, uint64_t size,
                   hd_edge_id edge) {
  if (!are_there(w, s, address, size, false, edge))
    return;
  for (int i = 0; i < count_targets(address); i++) {
    target t = target_at(address, i);
    note_access(w, s, t.object, t.lo, t.hi + size, false, false, edge);
  }
}

/* --- handing over --- */

/* The thread lets go of the object: what it has left there is what others may
 * suppose. */
static void hand_over(walk *w, state *s, uint32_t o) {
  for (size_t i = 0; i < w->notes->cells.size && !w->failed; i++) {
    cell c = w->notes->cells.data[i];
    if (c.object != o)
      continue;
    value v = hd_note_cell_get(w, s, o, c.offset, c.size);
    require(w, o, c.offset, c.size, &v);
  }
  for (size_t i = 0; i < s->cells.size && w->finding; i++) {
    cell c = s->cells.data[i];
    if (c.object == o)
      require(w, o, c.offset, c.size, &c.value);
  }
  for (hd_vec_each(const cell, c, &s->cells))
    if (c->object == o && !hd_note_may_tell(w, &c->value))
      hd_note_refuse(w, "a variable of a function that others get to know");
}

static bool is_common(const walk *w, uint32_t id) {
  const object *o = object_at(w, id);
  return (o->kind == OBJ_GLOBAL && !w->code->globals.data[o->index].constant &&
          !w->code->globals.data[o->index].thread_local) ||
         hd_note_is_main_slot(o);
}

/* Main, alone up to now, creates a thread. */
void hd_note_publish(walk *w, state *s) {
  assert(!s->thread); /* only main creates threads */
  for (uint32_t o = 0; o < w->notes->objects.size && !w->failed; o++) {
    const guard *g = hd_note_guard_of(w->notes, o);
    if (!is_common(w, o) || (g && g->kind == GUARD_OWNER && g->id == 0))
      continue;
    hand_over(w, s, o);
    if (!g || g->kind == GUARD_OWNER || !(s->ex >> g->id & 1))
      forget(s, o);
  }
  s->virgin = false;
}

void hd_note_take(walk *w, state *s, uint32_t lock, bool reading,
                  hd_edge_id edge) {
  if (lock >= MOST) {
    hd_note_refuse(w, "too many locks");
    return;
  }
  if ((s->ex | s->rd) >> lock & 1) {
    hd_note_refuse_at(w, edge, "a lock is taken twice");
    return;
  }
  w->sections = w->sections || lock == ATOMIC;
  if (reading)
    s->rd |= (uint64_t)1 << lock;
  else
    s->ex |= (uint64_t)1 << lock;
  assert(!(s->ex & s->rd & (uint64_t)1 << lock)); /* one or the other */
  if (hd_note_is_alone(s))
    return;
  for (hd_vec_each(const guard, g, &w->notes->guards))
    if (g->kind == GUARD_LOCK && g->id == lock)
      forget(s, g->object);
}

void hd_note_give(walk *w, state *s, uint32_t lock) {
  assert(lock < MOST);
  for (size_t i = 0; i < w->notes->guards.size && !hd_note_is_alone(s); i++) {
    guard g = w->notes->guards.data[i];
    if (g.kind != GUARD_LOCK || g.id != lock)
      continue;
    if (s->ex >> lock & 1)
      hand_over(w, s, g.object);
    forget(s, g.object);
  }
  s->ex &= ~((uint64_t)1 << lock);
  s->rd &= ~((uint64_t)1 << lock);
}

void hd_note_finish(walk *w, state *s, hd_edge_id edge) {
  if (s->ex | s->rd)
    hd_note_refuse_at(w, edge, "a thread that ends with a lock in its hands");
  for (size_t i = 0; i < w->notes->guards.size && s->thread; i++) {
    guard g = w->notes->guards.data[i];
    if (g.kind == GUARD_OWNER && g.id == s->thread)
      hand_over(w, s, g.object);
  }
}
