/* SPDX-License-Identifier: MIT */
/* Tables, and states that are copied, compared and joined. */
#include "check/notes/state.h"

#include "base/hash.h"

#include <string.h>

/* --- tables --- */

/* Doubles the table when it is half full; entries are numbers of things. */
static void table_grow(hd_u32s *table, size_t things,
                       uint64_t (*hash)(const hd_annotation *, uint32_t),
                       const hd_annotation *n) {
  assert(!(table->size & (table->size - 1))); /* a power of two */
  if (table->size && things * 2 < table->size)
    return;
  size_t size = table->size ? table->size * 2 : 64;
  hd_vec_resize(table, size);
  for (size_t i = 0; i < size; i++)
    table->data[i] = HD_NO_ID;
  for (uint32_t x = 0; x < things; x++) {
    size_t at = hash(n, x) & (size - 1);
    while (table->data[at] != HD_NO_ID)
      at = (at + 1) & (size - 1);
    table->data[at] = x;
  }
}

static uint64_t hash_of_object(const object *o) {
  uint64_t h = hd_hash_mix(o->kind, o->index);
  return hd_hash_mix(h, (uint64_t)o->thread << 32 | o->stack);
}

static uint64_t hash_object(const hd_annotation *n, uint32_t id) {
  assert(id < n->objects.size);
  return hash_of_object(&n->objects.data[id]);
}

uint32_t hd_note_object_of(hd_annotation *n, object o) {
  table_grow(&n->object_table, n->objects.size, hash_object, n);
  size_t mask = n->object_table.size - 1, at = hash_of_object(&o) & mask;
  for (; n->object_table.data[at] != HD_NO_ID; at = (at + 1) & mask) {
    const object *x = &n->objects.data[n->object_table.data[at]];
    if (x->kind == o.kind && x->index == o.index && x->thread == o.thread &&
        x->stack == o.stack)
      return n->object_table.data[at];
  }
  assert(n->objects.size < n->object_table.size); /* it ends somewhere */
  n->object_table.data[at] = (uint32_t)n->objects.size;
  hd_vec_push(&n->objects, o);
  return (uint32_t)n->objects.size - 1;
}

static uint64_t hash_of_stack(uint32_t below, hd_edge_id edge) {
  return hd_hash_mix(1, (uint64_t)below << 32 | edge);
}

static uint64_t hash_stack(const hd_annotation *n, uint32_t id) {
  assert(id < n->stacks.size);
  return hash_of_stack(n->stacks.data[id].below, n->stacks.data[id].edge);
}

uint32_t hd_note_stack_of(hd_annotation *n, uint32_t below, hd_edge_id edge) {
  if (!n->stacks.size)
    hd_vec_push(&n->stacks, ((stack_link){HD_NO_ID, HD_NO_ID}));
  if (edge == HD_NO_ID)
    return 0;
  table_grow(&n->stack_table, n->stacks.size, hash_stack, n);
  size_t mask = n->stack_table.size - 1;
  size_t at = hash_of_stack(below, edge) & mask;
  for (; n->stack_table.data[at] != HD_NO_ID; at = (at + 1) & mask) {
    const stack_link *l = &n->stacks.data[n->stack_table.data[at]];
    if (l->below == below && l->edge == edge)
      return n->stack_table.data[at];
  }
  n->stack_table.data[at] = (uint32_t)n->stacks.size;
  hd_vec_push(&n->stacks, ((stack_link){below, edge}));
  return (uint32_t)n->stacks.size - 1;
}

uint32_t hd_note_lock_of(const hd_annotation *n, uint32_t in, uint64_t offset) {
  for (uint32_t i = 0; i < n->locks.size; i++)
    if (n->locks.data[i].object == in && n->locks.data[i].offset == offset)
      return i;
  return MOST;
}

bool hd_note_is_main_slot(const object *o) {
  return o->kind == OBJ_SLOT && !o->thread && !o->stack;
}

static hd_func_id function_of(const hd_annotation *n, const object *o) {
  if (o->stack) {
    hd_edge_id e = n->stacks.data[o->stack].edge;
    assert(n->code->edges.data[e].act == HD_CODE_CALL);
    const hd_cexpr *callee =
        &n->code->exprs
             .data[hd_code_operand(n->code, &n->code->edges.data[e], 0)];
    return callee->op == HD_CODE_FUNC ? (hd_func_id)callee->value : HD_NO_ID;
  }
  return o->thread < n->threads.size ? n->threads.data[o->thread].func
                                     : HD_NO_ID;
}

uint64_t hd_note_object_size(const hd_annotation *n, uint32_t id) {
  assert(id < n->objects.size);
  const object *o = &n->objects.data[id];
  if (o->kind == OBJ_GLOBAL)
    return n->code->globals.data[o->index].size;
  if (o->kind != OBJ_SLOT)
    return 0;
  hd_func_id f = function_of(n, o);
  if (f == HD_NO_ID || o->index >= n->code->funcs.data[f].n_slots)
    return 0;
  return n->code->slots.data[n->code->funcs.data[f].slots + o->index].size;
}

bool hd_note_is_literal(const hd_annotation *n, uint32_t id) {
  assert(id < n->objects.size && n->objects.data[id].kind == OBJ_SLOT);
  const object *o = &n->objects.data[id];
  hd_func_id f = function_of(n, o);
  return f == HD_NO_ID || o->index >= n->code->funcs.data[f].n_slots ||
         hd_code_is_literal_slot(n->code,
                                 n->code->funcs.data[f].slots + o->index);
}

const guard *hd_note_guard_of(const hd_annotation *n, uint32_t of) {
  assert(of < n->objects.size);
  uint32_t at = n->objects.data[of].guard;
  return at ? &n->guards.data[at - 1] : NULL;
}

void hd_note_guard_add(hd_annotation *n, guard g) {
  hd_vec_push(&n->guards, g);
  n->objects.data[g.object].guard = (uint32_t)n->guards.size;
}

bool hd_note_is_alone(const state *s) {
  return s->thread == 0 && !s->live;
}

/* --- states --- */

static frame frame_copy(const hd_code *code, const frame *f) {
  frame out = *f;
  size_t n = code->funcs.data[f->func].n_regs;
  out.regs = hd_calloc(n + 1, sizeof *out.regs);
  out.visits = hd_calloc(code->loops.size + 1, 1);
  memcpy(out.regs, f->regs, n * sizeof *out.regs);
  memcpy(out.visits, f->visits, code->loops.size);
  return out;
}

static void frame_free(frame *f) {
  hd_free(f->regs);
  hd_free(f->visits);
}

state hd_note_state_copy(const hd_code *code, const state *s) {
  state out = *s;
  memset(&out.frames, 0, sizeof out.frames);
  memset(&out.cells, 0, sizeof out.cells);
  memset(&out.blurred, 0, sizeof out.blurred);
  memset(&out.made, 0, sizeof out.made);
  for (hd_vec_each(const frame, f, &s->frames))
    hd_vec_push(&out.frames, frame_copy(code, f));
  for (hd_vec_each(const cell, c, &s->cells))
    hd_vec_push(&out.cells, *c);
  for (hd_vec_each(const uint32_t, b, &s->blurred))
    hd_vec_push(&out.blurred, *b);
  for (hd_vec_each(const made, m, &s->made))
    hd_vec_push(&out.made, *m);
  return out;
}

void hd_note_state_free(state *s) {
  for (hd_vec_each(frame, f, &s->frames))
    frame_free(f);
  hd_vec_free(&s->frames);
  hd_vec_free(&s->cells);
  hd_vec_free(&s->blurred);
  hd_vec_free(&s->made);
}

/* The slots of the frame are made anew, or are gone. */
static void forget_slots(hd_annotation *n, state *s, uint32_t stack) {
  size_t kept = 0;
  for (hd_vec_each(const cell, c, &s->cells)) {
    const object *o = &n->objects.data[c->object];
    if (o->kind != OBJ_SLOT || o->thread != s->thread || o->stack != stack)
      s->cells.data[kept++] = *c;
  }
  s->cells.size = kept;
}

void hd_note_frame_push(hd_annotation *n, state *s, hd_func_id func,
                        hd_edge_id call) {
  assert(func < n->code->funcs.size);
  const hd_func *f = &n->code->funcs.data[func];
  uint32_t below = s->frames.size ? top(s)->stack : 0;
  frame new = {.func = func,
               .loc = f->entry,
               .stack = hd_note_stack_of(n, below, call),
               .call = call,
               .regs = hd_calloc(f->n_regs + 1, sizeof(value)),
               .visits = hd_calloc(n->code->loops.size + 1, 1)};
  for (uint32_t i = 0; i < f->n_regs; i++)
    new.regs[i] = hd_note_any();
  hd_vec_push(&s->frames, new);
  forget_slots(n, s, new.stack);
}

/* --- ends of objects --- */

typedef struct {
  const hd_annotation *n;
  uint32_t object; /* HD_NO_ID: all slots of … */
  uint32_t thread, stack;
} ended;

static bool has_ended(const ended *x, uint32_t base) {
  assert(base == HD_NO_ID || base < x->n->objects.size);
  if (base == HD_NO_ID)
    return false;
  const object *o = &x->n->objects.data[base];
  return x->object != HD_NO_ID
             ? base == x->object
             : o->kind == OBJ_SLOT && o->thread == x->thread &&
                   o->stack == x->stack;
}

static void drop_address(const ended *x, value *v) {
  bool drop = v->kind == HD_NOTE_SPAN && has_ended(x, v->base);
  for (int i = 0; v->kind == HD_NOTE_SET && i < v->n; i++)
    drop = drop || has_ended(x, v->elems[i].base);
  if (drop)
    *v = hd_note_any();
}

static void drop_addresses(const ended *x, state *s) {
  for (hd_vec_each(frame, f, &s->frames))
    for (uint32_t r = 0; r < x->n->code->funcs.data[f->func].n_regs; r++)
      drop_address(x, &f->regs[r]);
  for (hd_vec_each(cell, c, &s->cells))
    drop_address(x, &c->value);
}

void hd_note_frame_pop(hd_annotation *n, state *s, value *results,
                       uint32_t n_results) {
  assert(s->frames.size > 1); /* the first one ends with its thread */
  ended x = {n, HD_NO_ID, s->thread, top(s)->stack};
  bool slots = n->code->funcs.data[top(s)->func].n_slots;
  forget_slots(n, s, top(s)->stack);
  frame_free(top(s));
  s->frames.size--;
  if (!slots)
    return;
  drop_addresses(&x, s);
  for (uint32_t i = 0; i < n_results; i++)
    drop_address(&x, &results[i]);
}

void hd_note_object_end(hd_annotation *n, state *s, uint32_t id) {
  assert(id < n->objects.size);
  ended x = {n, id, 0, 0};
  size_t kept = 0;
  for (hd_vec_each(const cell, c, &s->cells))
    if (c->object != id)
      s->cells.data[kept++] = *c;
  s->cells.size = kept;
  if (!hd_note_has_object(&s->blurred, id))
    hd_vec_push(&s->blurred, id);
  drop_addresses(&x, s);
}

static bool visits_same(const walk *w, const state *a, const state *b) {
  assert(a->frames.size == b->frames.size);
  for (size_t i = 0; i < a->frames.size; i++)
    if (memcmp(a->frames.data[i].visits, b->frames.data[i].visits,
               w->code->loops.size) != 0)
      return false;
  return true;
}

/* Alone and not alone suppose different things of what is not mentioned. */
bool hd_note_state_fits(const walk *w, const state *a, const state *b) {
  if (a->thread != b->thread || a->frames.size != b->frames.size ||
      a->ex != b->ex || a->rd != b->rd || a->virgin != b->virgin ||
      !a->live != !b->live)
    return false;
  for (size_t i = 0; i < a->frames.size; i++) {
    const frame *f = &a->frames.data[i], *g = &b->frames.data[i];
    if (f->func != g->func || f->loc != g->loc || f->stack != g->stack)
      return false;
  }
  return visits_same(w, a, b);
}

int32_t hd_note_made_count(const state *s, uint32_t stack, hd_edge_id edge) {
  for (hd_vec_each(const made, m, &s->made))
    if (m->stack == stack && m->edge == edge)
      return m->count;
  return 0;
}

static bool made_within(const state *a, const state *b) {
  for (hd_vec_each(const made, m, &a->made)) {
    int32_t n = hd_note_made_count(b, m->stack, m->edge);
    if (n != MANY && n != m->count)
      return false;
  }
  for (hd_vec_each(const made, m, &b->made))
    if (m->count != MANY &&
        hd_note_made_count(a, m->stack, m->edge) != m->count)
      return false;
  return true;
}

/* What `a` knows of its cell is allowed by `b`, which has none with just these
 * bytes: `b` reads there, and in all that overlaps, what is supposed. */
static bool cell_within(const walk *w, const state *a, const state *b,
                        const cell *c) {
  assert(c->size > 0 && c->size <= 8);
  uint8_t width = (uint8_t)(8 * c->size);
  for (hd_vec_each(const cell, d, &b->cells))
    if (d->object == c->object && d->offset == c->offset && d->size == c->size)
      return hd_note_within(width, &c->value, &d->value);
  if (hd_note_has_object(&b->blurred, c->object) ||
      hd_note_is_own(w, b, c->object))
    return true;
  if (hd_note_is_initial(w, b, c->object)) {
    value v = hd_note_initial(w, c->object, c->offset, c->size);
    return !hd_note_is_any(&v) && hd_note_within(width, &c->value, &v);
  }
  for (hd_vec_each(const cell, d, &w->notes->cells)) {
    if (!hd_note_overlaps(d, c->object, c->offset, c->size))
      continue;
    value v = hd_note_cell_get(w, a, d->object, d->offset, d->size);
    if (!hd_note_within((uint8_t)(8 * d->size), &v, &d->value))
      return false;
  }
  return true;
}

bool hd_note_state_within(const walk *w, const state *a, const state *b) {
  if (!hd_note_state_fits(w, a, b) || (a->live & ~b->live) ||
      (b->gone & ~a->gone) || (b->ready & ~a->ready) || (a->dead & ~b->dead) ||
      (a->joined & ~b->joined) || !made_within(a, b))
    return false;
  for (size_t i = 0; i < a->frames.size; i++) {
    const hd_func *f = &w->code->funcs.data[a->frames.data[i].func];
    for (uint32_t r = 0; r < f->n_regs; r++)
      if (!hd_note_within(w->code->regs.data[f->regs + r].type.width,
                          &a->frames.data[i].regs[r],
                          &b->frames.data[i].regs[r]))
        return false;
  }
  for (hd_vec_each(const uint32_t, o, &a->blurred))
    if (!hd_note_has_object(&b->blurred, *o))
      return false;
  for (hd_vec_each(const cell, c, &a->cells))
    if (!cell_within(w, a, b, c))
      return false;
  for (hd_vec_each(const cell, c, &b->cells)) {
    value v = hd_note_cell_get(w, a, c->object, c->offset, c->size);
    if (!hd_note_within((uint8_t)(8 * c->size), &v, &c->value))
      return false;
  }
  return true;
}
