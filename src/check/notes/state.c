/* SPDX-License-Identifier: MIT */
/* Tables, and states that are copied, compared and joined. */
#include "check/notes/state.h"

#include "model/eval.h"

#include <string.h>

uint32_t object_of(hd_notes *n, object o) {
  for (uint32_t i = 0; i < n->objects.size; i++) {
    const object *x = &n->objects.data[i];
    if (x->kind == o.kind && x->index == o.index && x->thread == o.thread &&
        x->stack == o.stack)
      return i;
  }
  hd_vec_push(&n->objects, o);
  return (uint32_t)n->objects.size - 1;
}

uint32_t stack_of(hd_notes *n, uint32_t below, hd_edge_id edge) {
  if (!n->stacks.size)
    hd_vec_push(&n->stacks, ((stack_link){HD_NO_ID, HD_NO_ID}));
  if (edge == HD_NO_ID)
    return 0;
  for (uint32_t i = 1; i < n->stacks.size; i++)
    if (n->stacks.data[i].below == below && n->stacks.data[i].edge == edge)
      return i;
  hd_vec_push(&n->stacks, ((stack_link){below, edge}));
  return (uint32_t)n->stacks.size - 1;
}

uint32_t lock_of(hd_notes *n, uint32_t in, uint64_t offset, uint32_t size) {
  for (uint32_t i = 0; i < n->locks.size; i++) {
    mutex *l = &n->locks.data[i];
    if (l->object == in && l->offset == offset) {
      l->size = size > l->size ? size : l->size;
      return i;
    }
  }
  hd_vec_push(&n->locks, ((mutex){in, offset, size}));
  return (uint32_t)n->locks.size - 1;
}

bool is_main_slot(const object *o) {
  return o->kind == OBJ_SLOT && !o->thread && !o->stack;
}

static hd_func_id function_of(const hd_notes *n, const object *o) {
  if (o->stack) {
    hd_edge_id e = n->stacks.data[o->stack].edge;
    const hd_cexpr *callee =
        &n->code->exprs
             .data[n->code->operands.data[n->code->edges.data[e].operands]];
    return callee->op == HD_CODE_FUNC ? (hd_func_id)callee->value : HD_NO_ID;
  }
  return o->thread < n->threads.size ? n->threads.data[o->thread].func
                                     : HD_NO_ID;
}

uint64_t object_size(const hd_notes *n, uint32_t id) {
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

const guard *guard_of(const hd_notes *n, uint32_t of) {
  for (hd_vec_each(const guard, g, &n->guards))
    if (g->object == of)
      return g;
  return NULL;
}

bool is_alone(const state *s) {
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

state state_copy(const hd_code *code, const state *s) {
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

void state_free(state *s) {
  for (hd_vec_each(frame, f, &s->frames))
    frame_free(f);
  hd_vec_free(&s->frames);
  hd_vec_free(&s->cells);
  hd_vec_free(&s->blurred);
  hd_vec_free(&s->made);
}

/* The slots of the frame are made anew, or are gone. */
static void forget_slots(hd_notes *n, state *s, uint32_t stack) {
  size_t kept = 0;
  for (hd_vec_each(const cell, c, &s->cells)) {
    const object *o = &n->objects.data[c->object];
    if (o->kind != OBJ_SLOT || o->thread != s->thread || o->stack != stack)
      s->cells.data[kept++] = *c;
  }
  s->cells.size = kept;
}

void frame_push(hd_notes *n, state *s, hd_func_id func, hd_edge_id call) {
  const hd_func *f = &n->code->funcs.data[func];
  uint32_t below = s->frames.size ? top(s)->stack : 0;
  frame new = {.func = func,
               .loc = f->entry,
               .stack = stack_of(n, below, call),
               .call = call,
               .regs = hd_calloc(f->n_regs + 1, sizeof(value)),
               .visits = hd_calloc(n->code->loops.size + 1, 1)};
  for (uint32_t i = 0; i < f->n_regs; i++)
    new.regs[i] = hd_note_any();
  hd_vec_push(&s->frames, new);
  forget_slots(n, s, new.stack);
}

void frame_pop(hd_notes *n, state *s) {
  forget_slots(n, s, top(s)->stack);
  frame_free(top(s));
  s->frames.size--;
}

static bool visits_same(const walk *w, const state *a, const state *b) {
  for (size_t i = 0; i < a->frames.size; i++)
    if (memcmp(a->frames.data[i].visits, b->frames.data[i].visits,
               w->code->loops.size) != 0)
      return false;
  return true;
}

/* Alone and not alone suppose different things of what is not mentioned. */
bool state_fits(const walk *w, const state *a, const state *b) {
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

static bool has(const hd_u32s *list, uint32_t x) {
  for (hd_vec_each(const uint32_t, y, list))
    if (*y == x)
      return true;
  return false;
}

static int32_t made_count(const state *s, uint32_t stack, hd_edge_id edge) {
  for (hd_vec_each(const made, m, &s->made))
    if (m->stack == stack && m->edge == edge)
      return m->count;
  return 0;
}

static bool made_within(const state *a, const state *b) {
  for (hd_vec_each(const made, m, &a->made)) {
    int32_t n = made_count(b, m->stack, m->edge);
    if (n != MANY && n != m->count)
      return false;
  }
  for (hd_vec_each(const made, m, &b->made))
    if (m->count != MANY && made_count(a, m->stack, m->edge) != m->count)
      return false;
  return true;
}

bool state_within(const walk *w, const state *a, const state *b) {
  if (!state_fits(w, a, b) || (a->live & ~b->live) || (b->gone & ~a->gone) ||
      !made_within(a, b))
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
    if (!has(&b->blurred, *o))
      return false;
  for (hd_vec_each(const cell, c, &a->cells)) {
    value v = cell_get(w, b, c->object, c->offset, c->size);
    if (!hd_note_within((uint8_t)(8 * c->size), &c->value, &v))
      return false;
  }
  for (hd_vec_each(const cell, c, &b->cells)) {
    value v = cell_get(w, a, c->object, c->offset, c->size);
    if (!hd_note_within((uint8_t)(8 * c->size), &v, &c->value))
      return false;
  }
  return true;
}

/* --- joining: only for finding --- */

value widened(const walk *w, uint8_t width, const value *old,
              const value *both) {
  int64_t lo, hi, lo2, hi2, least, most;
  if (hd_note_within(width, both, old))
    return *both;
  if (!hd_note_bounds(width, old, &lo, &hi) ||
      !hd_note_bounds(width, both, &lo2, &hi2))
    return *both;
  hd_note_limits(width, &least, &most);
  int64_t down = least, up = most;
  for (hd_vec_each(const int64_t, x, &w->steps)) {
    down = *x <= lo2 && *x > down ? *x : down;
    up = *x >= hi2 && *x < up ? *x : up;
  }
  return hd_note_range(width, lo2 < lo ? down : lo2, hi2 > hi ? up : hi2);
}

static value joined(const walk *w, uint8_t width, const value *a,
                    const value *b, bool widen) {
  value both = hd_note_join(width, a, b);
  return widen ? widened(w, width, a, &both) : both;
}

static void join_made(state *into, const state *s) {
  for (hd_vec_each(const made, m, &s->made))
    if (made_count(into, m->stack, m->edge) == 0)
      hd_vec_push(&into->made, ((made){m->stack, m->edge, MANY}));
  for (hd_vec_each(made, m, &into->made))
    if (made_count(s, m->stack, m->edge) != m->count)
      m->count = MANY;
}

void state_join(walk *w, state *into, const state *s, bool widen) {
  for (size_t i = 0; i < into->frames.size; i++) {
    const hd_func *f = &w->code->funcs.data[into->frames.data[i].func];
    for (uint32_t r = 0; r < f->n_regs; r++) {
      value *v = &into->frames.data[i].regs[r];
      *v = joined(w, w->code->regs.data[f->regs + r].type.width, v,
                  &s->frames.data[i].regs[r], widen);
    }
  }
  hd_vec(cell) all = {0};
  for (hd_vec_each(const cell, c, &into->cells))
    hd_vec_push(&all, *c);
  for (hd_vec_each(const cell, c, &s->cells)) {
    bool there = false;
    for (hd_vec_each(const cell, d, &into->cells))
      there = there || (d->object == c->object && d->offset == c->offset &&
                        d->size == c->size);
    if (!there)
      hd_vec_push(&all, *c);
  }
  for (hd_vec_each(cell, c, &all)) {
    value a = cell_get(w, into, c->object, c->offset, c->size);
    value b = cell_get(w, s, c->object, c->offset, c->size);
    c->value = joined(w, (uint8_t)(8 * c->size), &a, &b, widen);
  }
  hd_vec_clear(&into->cells);
  for (hd_vec_each(const cell, c, &all))
    hd_vec_push(&into->cells, *c);
  hd_vec_free(&all);
  for (hd_vec_each(const uint32_t, o, &s->blurred))
    if (!has(&into->blurred, *o))
      hd_vec_push(&into->blurred, *o);
  into->live |= s->live;
  into->gone &= s->gone;
  join_made(into, s);
}
