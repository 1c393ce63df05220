/* SPDX-License-Identifier: MIT */
/* Memory, as one thread sees it: its own slots, what it holds the lock of, all
 * there is while main is alone; and for the rest what the annotation says. */
#include "check/notes/state.h"

#include <stdarg.h>
#include <stdio.h>

void give_up(walk *w, const char *format, ...) {
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

void give_up_at(walk *w, hd_edge_id edge, const char *what) {
  hd_str text = {0};
  hd_code_print_pos(&text, w->code, w->code->edges.data[edge].pos);
  give_up(w, "%s: %s", hd_str_text(&text), what);
  hd_str_free(&text);
}

static const object *object_at(const walk *w, uint32_t id) {
  return &w->notes->objects.data[id];
}

/* --- what is in there --- */

static value initial_address(const walk *w, hd_cexpr_id id) {
  const hd_cexpr *e = &w->code->exprs.data[id];
  if (e->op == HD_CODE_NULL || e->op == HD_CODE_INT)
    return hd_note_number(e->op == HD_CODE_INT ? e->value : 0);
  if (e->op == HD_CODE_GLOBAL || e->op == HD_CODE_FUNC)
    return hd_note_address(
        object_of(w->notes,
                  (object){e->op == HD_CODE_FUNC ? OBJ_FUNC : OBJ_GLOBAL,
                           (uint32_t)e->value, 0, 0}),
        0);
  return hd_note_any();
}

value initial(const walk *w, uint32_t id, uint64_t offset, uint32_t size) {
  const object *o = object_at(w, id);
  if (o->kind != OBJ_GLOBAL)
    return hd_note_any();
  const hd_global *g = &w->code->globals.data[o->index];
  if (g->external)
    return hd_note_any();
  for (uint32_t i = 0; i < g->n_relocs; i++) {
    const hd_reloc *r = &w->code->relocs.data[g->relocs + i];
    uint32_t bytes = w->code->pointer_width / 8u;
    if (r->offset == offset && size == bytes)
      return initial_address(w, r->expr);
    if (r->offset < offset + size && offset < r->offset + bytes)
      return hd_note_any();
  }
  uint64_t bits = 0;
  for (uint32_t i = 0; g->bytes && i < size; i++)
    bits |= (uint64_t)g->bytes[offset + i] << 8 * i;
  return hd_note_number(bits);
}

static bool overlaps(const cell *c, uint32_t o, uint64_t offset,
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
  const guard *g = guard_of(w->notes, o);
  return s->thread == 0 &&
         (s->virgin || (g && g->kind == GUARD_OWNER && g->id == 0));
}

static bool is_constant(const walk *w, uint32_t id) {
  const object *o = object_at(w, id);
  return o->kind == OBJ_GLOBAL && w->code->globals.data[o->index].constant;
}

/* Its own, whatever others do. */
static bool is_own(const walk *w, const state *s, uint32_t id) {
  const object *o = object_at(w, id);
  return o->kind == OBJ_SLOT && o->thread == s->thread && !is_main_slot(o);
}

value cell_get(const walk *w, const state *s, uint32_t o, uint64_t offset,
               uint32_t size) {
  bool partly = false;
  for (hd_vec_each(const cell, c, &s->cells)) {
    if (is_cell(c, o, offset, size))
      return c->value;
    partly = partly || overlaps(c, o, offset, size);
  }
  for (hd_vec_each(const uint32_t, b, &s->blurred))
    partly = partly || *b == o;
  if (partly || is_own(w, s, o))
    return hd_note_any();
  if (is_constant(w, o) || untold(w, s, o))
    return initial(w, o, offset, size);
  return supposed(w, o, offset, size);
}

static void cell_put(state *s, uint32_t o, uint64_t offset, uint32_t size,
                     const value *v) {
  bool there = false;
  for (hd_vec_each(cell, c, &s->cells)) {
    if (is_cell(c, o, offset, size)) {
      c->value = *v;
      there = true;
    } else if (overlaps(c, o, offset, size)) {
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
  for (hd_vec_each(const uint32_t, b, &s->blurred))
    if (*b == o)
      return;
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

bool may_tell(walk *w, const value *v) {
  if (v->kind == HD_NOTE_SPAN) {
    const object *o = object_at(w, v->base);
    return o->kind != OBJ_SLOT || is_main_slot(o);
  }
  for (int i = 0; v->kind == HD_NOTE_SET && i < v->n; i++) {
    if (v->elems[i].base == HD_NO_ID)
      continue;
    const object *o = object_at(w, v->elems[i].base);
    if (o->kind == OBJ_SLOT && !is_main_slot(o))
      return false;
  }
  return true;
}

/* Others may find `v` in the cell. */
static void require(walk *w, uint32_t o, uint64_t offset, uint32_t size,
                    const value *v) {
  if (!may_tell(w, v))
    give_up(w, "a variable of a function that others get to know");
  bool there = false;
  for (hd_vec_each(cell, c, &w->notes->cells)) {
    uint8_t width = (uint8_t)(8 * c->size);
    value want = *v;
    if (!overlaps(c, o, offset, size))
      continue;
    if (!is_cell(c, o, offset, size))
      want = hd_note_any();
    else
      there = true;
    if (hd_note_within(width, &want, &c->value))
      continue;
    if (!w->finding) {
      give_up(w, "a cell may get a value that the annotation excludes");
      return;
    }
    value both = hd_note_join(width, &c->value, &want);
    c->value = ++c->joins > 6 ? widened(w, width, &c->value, &both) : both;
    w->changed = true;
  }
  if (!there && w->finding) {
    hd_vec_push(&w->notes->cells, ((cell){o, offset, size, *v, 0}));
    w->changed = true;
  }
}

/* A read of what others may write. */
static value consult(walk *w, uint32_t o, uint64_t offset, uint32_t size) {
  bool there = false, partly = false;
  for (hd_vec_each(const cell, c, &w->notes->cells)) {
    there = there || is_cell(c, o, offset, size);
    partly = partly || overlaps(c, o, offset, size);
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
  if (is_own(w, s, o) || is_alone(s))
    return true;
  const guard *g = guard_of(w->notes, o);
  if (!g)
    return false;
  if (g->kind == GUARD_OWNER)
    return g->id == s->thread;
  return s->ex >> g->id & 1 || (!write && s->rd >> g->id & 1);
}

static void note_deed(walk *w, const state *s, uint32_t o, uint64_t lo,
                      uint64_t hi, bool write, bool atomic, hd_edge_id edge) {
  if (is_own(w, s, o) || is_alone(s) || is_constant(w, o))
    return;
  if (s->thread && object_at(w, o)->kind == OBJ_SLOT)
    w->main_shared = true;
  deed d = {s->thread, o, lo, hi, write, atomic, s->ex, s->rd, s->live, edge};
  for (hd_vec_each(const deed, x, &w->deeds))
    if (x->thread == d.thread && x->object == o && x->lo == lo && x->hi == hi &&
        x->write == write && x->atomic == atomic && x->ex == d.ex &&
        x->rd == d.rd && x->live == d.live && x->edge == edge)
      return;
  hd_vec_push(&w->deeds, d);
}

/* Writes are kept to see whether they hit a lock: see judge.c. */
static void note_write(walk *w, const state *s, uint32_t o, uint64_t lo,
                       uint64_t hi, hd_edge_id edge) {
  stamp x = {o, lo, hi, is_alone(s), s->ex | s->rd, edge};
  for (hd_vec_each(const stamp, y, &w->stamps))
    if (y->object == o && y->lo == lo && y->hi == hi && y->alone == x.alone &&
        y->ex == x.ex)
      return;
  hd_vec_push(&w->stamps, x);
}

/* The guard of the object is not held: it is none. */
static void unguard(walk *w, uint32_t o, hd_edge_id edge) {
  if (!w->finding) {
    give_up_at(w, edge, "an access without the lock that the annotation names");
    return;
  }
  hd_vec_push(&w->unguarded, o);
  w->changed = true;
}

/* May the thread use these bytes at all? */
static bool is_there(walk *w, const state *s, hd_note_elem e, uint64_t size,
                     bool write, hd_edge_id edge) {
  if (e.base == HD_NO_ID) {
    give_up_at(w, edge, "an address that may be none");
    return false;
  }
  const object *o = object_at(w, e.base);
  bool ok = o->kind == OBJ_GLOBAL || o->kind == OBJ_SLOT;
  if (o->kind == OBJ_SLOT && !is_main_slot(o)) {
    ok = false;
    for (hd_vec_each(const frame, f, &s->frames))
      ok = ok || (o->thread == s->thread && f->stack == o->stack);
  }
  if (o->kind == OBJ_GLOBAL) {
    const hd_global *g = &w->code->globals.data[o->index];
    ok = !g->thread_local && !g->external && !(write && g->constant);
  }
  uint64_t whole = ok ? object_size(w->notes, e.base) : 0;
  if (!ok || e.bits > whole || size > whole - e.bits)
    give_up_at(w, edge, "an access that may be outside of what is there");
  return !w->failed;
}

static bool are_there(walk *w, const state *s, const value *address,
                      uint64_t size, bool write, hd_edge_id edge) {
  if (address->kind == HD_NOTE_SPAN)
    return address->lo >= 0 &&
           is_there(w, s, (hd_note_elem){address->base, (uint64_t)address->hi},
                    size, write, edge);
  if (address->kind != HD_NOTE_SET)
    give_up_at(w, edge, "an address that is not known");
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
  return address->kind == HD_NOTE_SPAN ? 1 : address->n;
}

static target target_at(const value *address, int i) {
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
  note_deed(w, s, o, t.lo, t.hi + size, false, atomic, edge);
  if (!mine && guard_of(w->notes, o)) {
    unguard(w, o, edge);
    return hd_note_none();
  }
  if (t.lo != t.hi)
    return hd_note_any();
  /* What is not mentioned is what was supposed: it has to be there. */
  if (w->finding && !is_own(w, s, o) && !is_constant(w, o) && !untold(w, s, o))
    consult(w, o, t.lo, size);
  return mine ? cell_get(w, s, o, t.lo, size) : consult(w, o, t.lo, size);
}

value load(walk *w, state *s, const value *address, uint32_t size, bool atomic,
           hd_edge_id edge) {
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
  value any = hd_note_any();
  note_deed(w, s, t.object, t.lo, t.hi + size, true, atomic, edge);
  note_write(w, s, t.object, t.lo, t.hi + size, edge);
  if (holds(w, s, t.object, true))
    blur(s, t.object);
  else if (guard_of(w->notes, t.object))
    unguard(w, t.object, edge);
  else
    for (size_t k = 0; k < w->notes->cells.size; k++) {
      cell c = w->notes->cells.data[k];
      if (overlaps(&c, t.object, t.lo, t.hi - t.lo + size))
        require(w, c.object, c.offset, c.size, &any);
    }
}

static void store_at(walk *w, state *s, target t, uint32_t size, const value *v,
                     bool only, bool atomic, hd_edge_id edge) {
  uint32_t o = t.object;
  note_deed(w, s, o, t.lo, t.lo + size, true, atomic, edge);
  note_write(w, s, o, t.lo, t.lo + size, edge);
  if (!holds(w, s, o, true)) {
    if (guard_of(w->notes, o))
      unguard(w, o, edge);
    else
      require(w, o, t.lo, size, v);
    return;
  }
  value new = *v;
  if (!only) {
    value old = cell_get(w, s, o, t.lo, size);
    new = hd_note_join((uint8_t)(8 * size), &old, v);
  }
  cell_put(s, o, t.lo, size, &new);
}

void store(walk *w, state *s, const value *address, uint32_t size,
           const value *v, bool atomic, hd_edge_id edge) {
  if (!are_there(w, s, address, size, true, edge))
    return;
  for (int i = 0; i < count_targets(address); i++) {
    target t = target_at(address, i);
    if (t.lo == t.hi)
      store_at(w, s, t, size, v, address->n == 1, atomic, edge);
    else if (may_tell(w, v))
      havoc_at(w, s, t, size, atomic, edge);
    else
      give_up_at(w, edge, "a pointer that is lost in an array");
  }
}

void havoc(walk *w, state *s, const value *address, uint64_t size,
           hd_edge_id edge) {
  if (!are_there(w, s, address, size, true, edge))
    return;
  for (int i = 0; i < count_targets(address); i++)
    havoc_at(w, s, target_at(address, i), size, false, edge);
}

void touch(walk *w, state *s, const value *address, uint64_t size,
           hd_edge_id edge) {
  if (!are_there(w, s, address, size, false, edge))
    return;
  for (int i = 0; i < count_targets(address); i++) {
    target t = target_at(address, i);
    note_deed(w, s, t.object, t.lo, t.hi + size, false, false, edge);
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
    value v = cell_get(w, s, o, c.offset, c.size);
    require(w, o, c.offset, c.size, &v);
  }
  for (size_t i = 0; i < s->cells.size && w->finding; i++) {
    cell c = s->cells.data[i];
    if (c.object == o)
      require(w, o, c.offset, c.size, &c.value);
  }
  for (hd_vec_each(const cell, c, &s->cells))
    if (c->object == o && !may_tell(w, &c->value))
      give_up(w, "a variable of a function that others get to know");
}

static bool is_common(const walk *w, uint32_t id) {
  const object *o = object_at(w, id);
  return (o->kind == OBJ_GLOBAL && !w->code->globals.data[o->index].constant &&
          !w->code->globals.data[o->index].thread_local) ||
         is_main_slot(o);
}

/* Main, alone up to now, creates a thread. */
void publish(walk *w, state *s) {
  for (uint32_t o = 0; o < w->notes->objects.size && !w->failed; o++) {
    const guard *g = guard_of(w->notes, o);
    if (!is_common(w, o) || (g && g->kind == GUARD_OWNER && g->id == 0))
      continue;
    hand_over(w, s, o);
    if (!g || g->kind == GUARD_OWNER || !(s->ex >> g->id & 1))
      forget(s, o);
  }
  s->virgin = false;
}

void take(walk *w, state *s, uint32_t lock, bool reading, hd_edge_id edge) {
  if (lock >= MOST) {
    give_up(w, "too many locks");
    return;
  }
  if ((s->ex | s->rd) >> lock & 1) {
    give_up_at(w, edge, "a lock is taken twice");
    return;
  }
  if (reading)
    s->rd |= (uint64_t)1 << lock;
  else
    s->ex |= (uint64_t)1 << lock;
  if (is_alone(s))
    return;
  for (hd_vec_each(const guard, g, &w->notes->guards))
    if (g->kind == GUARD_LOCK && g->id == lock)
      forget(s, g->object);
}

void give(walk *w, state *s, uint32_t lock) {
  for (size_t i = 0; i < w->notes->guards.size && !is_alone(s); i++) {
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

void finish(walk *w, state *s, hd_edge_id edge) {
  if (s->ex | s->rd)
    give_up_at(w, edge, "a thread that ends with a lock in its hands");
  for (size_t i = 0; i < w->notes->guards.size && s->thread; i++) {
    guard g = w->notes->guards.data[i];
    if (g.kind == GUARD_OWNER && g.id == s->thread)
      hand_over(w, s, g.object);
  }
}
