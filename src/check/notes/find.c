/* SPDX-License-Identifier: MIT */
/* Making an annotation: the walk of the judge, with what leads out of it added
 * until nothing does. */
#include "check/notes/state.h"

enum { ROUNDS = 400, JOINS = 3, CELL_JOINS = 6 };

/* --- joining --- */

static value widened(const walk *w, uint8_t width, const value *old,
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
  if (widen)
    both = widened(w, width, a, &both);
  assert(hd_note_within(width, a, &both) && hd_note_within(width, b, &both));
  return both;
}

static void join_made(state *into, const state *s) {
  for (hd_vec_each(const made, m, &s->made))
    if (hd_note_made_count(into, m->stack, m->edge) == 0)
      hd_vec_push(&into->made, ((made){m->stack, m->edge, MANY}));
  for (hd_vec_each(made, m, &into->made))
    if (hd_note_made_count(s, m->stack, m->edge) != m->count)
      m->count = MANY;
}

static void state_join(walk *w, state *into, const state *s, bool widen) {
  assert(hd_note_state_fits(w, s, into));
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
    value a = hd_note_cell_get(w, into, c->object, c->offset, c->size);
    value b = hd_note_cell_get(w, s, c->object, c->offset, c->size);
    c->value = joined(w, (uint8_t)(8 * c->size), &a, &b, widen);
  }
  hd_vec_clear(&into->cells);
  for (hd_vec_each(const cell, c, &all))
    hd_vec_push(&into->cells, *c);
  hd_vec_free(&all);
  for (hd_vec_each(const uint32_t, o, &s->blurred))
    if (!hd_note_has_object(&into->blurred, *o))
      hd_vec_push(&into->blurred, *o);
  into->live |= s->live;
  into->gone &= s->gone;
  into->ready &= s->ready;
  into->dead |= s->dead;
  into->joined |= s->joined;
  join_made(into, s);
}

/* --- what is added --- */

static void widen_cell(walk *w, cell *c, const value *v) {
  uint8_t width = (uint8_t)(8 * c->size);
  value both = hd_note_join(width, &c->value, v);
  assert(hd_note_within(width, &c->value, &both)); /* it only grows */
  c->value =
      ++c->joins > CELL_JOINS ? widened(w, width, &c->value, &both) : both;
  w->changed = true;
}

static void unguard(walk *w, uint32_t of) {
  assert(hd_note_guard_of(w->notes, of)); /* it was said to have one */
  hd_vec_push(&w->unguarded, of);
  w->changed = true;
}

static void note_place(walk *w, const state *s) {
  for (hd_vec_each(place, p, &w->notes->places)) {
    if (!hd_note_state_fits(w, s, &p->state))
      continue;
    if (!hd_note_state_within(w, s, &p->state)) {
      state_join(w, &p->state, s, ++p->joins > JOINS);
      p->pending = true;
    }
    return;
  }
  place new = {.state = hd_note_state_copy(w->code, s), .pending = true};
  hd_vec_push(&w->notes->places, new);
}

static uint32_t new_thread(walk *w, const thread *t) {
  hd_vec_push(&w->notes->threads, *t);
  w->changed = true;
  return (uint32_t)w->notes->threads.size - 1;
}

static const finding adding = {widen_cell, unguard, note_place, new_thread};

/* --- finding --- */

static void forget_all(hd_annotation *n) {
  for (hd_vec_each(place, p, &n->places))
    hd_note_state_free(&p->state);
  hd_vec_clear(&n->places);
  hd_vec_clear(&n->cells);
  n->threads.size = 1;
}

/* Until nothing is added. */
static bool settle(walk *w) {
  for (int round = 0; round < ROUNDS && !w->failed; round++) {
    w->changed = false;
    for (uint32_t t = 0; t < w->notes->threads.size && !w->failed; t++)
      hd_note_walk_thread(w, t);
    bool more = false;
    for (size_t i = 0; i < w->notes->places.size && !w->failed; i++) {
      if (!w->notes->places.data[i].pending)
        continue;
      w->notes->places.data[i].pending = false;
      hd_note_walk_place(w, i);
      more = true;
    }
    if (w->unguarded.size)
      return !w->failed;
    for (hd_vec_each(place, p, &w->notes->places))
      p->pending = p->pending || w->changed;
    for (hd_vec_each(const place, p, &w->notes->places))
      more = more || p->pending;
    if (!more && !w->changed)
      return !w->failed;
  }
  hd_note_refuse(w, "no annotation was found in a reasonable time");
  return false;
}

/* What protects an object, as all accesses to it tell. */
static bool protection(const walk *w, uint32_t of, guard *g) {
  uint64_t common = UINT64_MAX;
  bool written = false, several = false;
  uint32_t first = HD_NO_ID;
  for (hd_vec_each(const deed, d, &w->deeds)) {
    if (d->object != of)
      continue;
    common &= d->write ? d->ex : d->ex | d->rd;
    written = written || d->write;
    several = several || (first != HD_NO_ID && first != d->thread);
    first = d->thread;
  }
  if (first == HD_NO_ID || !written)
    return false;
  *g = (guard){of, GUARD_OWNER, first};
  if (!several && w->notes->threads.data[first].nr != MANY)
    return true;
  for (uint32_t l = MOST; l-- > 0;)
    if (common >> l & 1) {
      *g = (guard){of, GUARD_LOCK, l};
      return true;
    }
  return false;
}

static void choose_guards(walk *w) {
  assert(!w->notes->guards.size);
  for (uint32_t o = 0; o < w->notes->objects.size; o++) {
    guard g;
    if (protection(w, o, &g))
      hd_note_guard_add(w->notes, g);
  }
}

/* Those that were not held, and those of threads that are not created after all. */
static void drop_guards(walk *w) {
  hd_annotation *n = w->notes;
  size_t all = n->guards.size;
  n->guards.size = 0;
  for (size_t i = 0; i < all; i++) {
    guard g = n->guards.data[i];
    n->objects.data[g.object].guard = 0;
    if (!hd_note_has_object(&w->unguarded, g.object) &&
        (g.kind == GUARD_LOCK || g.id < n->threads.size))
      hd_note_guard_add(n, g);
  }
  hd_vec_clear(&w->unguarded);
}

static void find_steps(walk *w) {
  for (hd_vec_each(const hd_cexpr, e, &w->code->exprs))
    if (e->op == HD_CODE_INT && e->type.kind == HD_TYPE_INT &&
        w->steps.size < 200) {
      unsigned shift = 64u - e->type.width;
      int64_t x = (int64_t)(e->value << shift) >> shift;
      hd_vec_push(&w->steps, x);
      if (x > INT64_MIN)
        hd_vec_push(&w->steps, x - 1);
      if (x < INT64_MAX)
        hd_vec_push(&w->steps, x + 1);
    }
}

static bool find(walk *w) {
  find_steps(w);
  w->finding = &adding;
  if (!settle(w))
    return false;
  choose_guards(w);
  for (;;) {
    forget_all(w->notes);
    hd_note_walk_clear(w);
    if (!settle(w))
      return false;
    bool done = !w->unguarded.size;
    drop_guards(w);
    if (done)
      return true;
  }
}

/* --- ways to try --- */

static hd_annotation *attempt(const hd_code *code, uint8_t unroll, bool joints,
                              hd_run *run, hd_str *why) {
  enum { STEPS = 400000 };
  hd_annotation *n = hd_note_new(code);
  walk w;
  hd_run mine = *run;
  mine.steps = mine.ticks + STEPS;
  n->unroll = unroll;
  hd_vec_clear(why);
  hd_note_walk_init(&w, n, &mine, why);
  w.joints = joints;
  bool ok = find(&w);
  hd_note_walk_free(&w);
  if (ok)
    return n;
  hd_annotation_delete(n);
  return NULL;
}

static int size_of(hd_properties set) {
  int n = 0;
  for (; set; set &= set - 1)
    n++;
  return n;
}

/* A short annotation if that is enough; one that keeps the rounds of loops
 * apart; one that keeps little apart. */
hd_annotation *hd_annotation_find(const hd_code *code, hd_properties wanted,
                                  hd_run *run, hd_str *why) {
  static const struct {
    uint8_t unroll;
    bool joints;
  } ways[] = {{2, false}, {20, false}, {2, true}};
  hd_annotation *best = NULL;
  hd_properties most = 0;
  hd_str reason = {0};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    if (best && most == (wanted & HD_ANNOTATION_KNOWN))
      break;
    hd_annotation *n = attempt(code, ways[i].unroll, ways[i].joints, run, why);
    hd_walked walked;
    hd_properties proved =
        n ? hd_annotation_judge(n, wanted, run, &walked, why) : 0;
    if (n && (!best || size_of(proved) > size_of(most))) {
      hd_annotation_delete(best);
      best = n;
      most = proved;
      hd_annotation_claim(n, wanted);
    } else {
      hd_annotation_delete(n);
    }
    if (why->size)
      hd_str_free(&reason), hd_str_puts(&reason, hd_str_text(why));
  }
  hd_vec_clear(why);
  hd_str_puts(why, hd_str_text(&reason));
  hd_str_free(&reason);
  return best;
}
