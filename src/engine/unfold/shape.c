/* SPDX-License-Identifier: MIT */
/* The event structure as others see it: for every event what it directly depends
 * on, and with which earlier ones it is in direct conflict: one excludes the
 * other, but neither excludes what the other depends on. */
#include "base/bitset.h"
#include "engine/unfold/event.h"

static void add_cause(const structure *s, hd_u32s *causes, event_id c) {
  assert(c == HD_NO_ID || c < s->events.size);
  if (c == HD_NO_ID)
    return;
  for (size_t i = 0; i < causes->size; i++)
    if (causes->data[i] == c || hd_structure_before(s, c, causes->data[i]))
      return;
  size_t kept = 0;
  for (size_t i = 0; i < causes->size; i++)
    if (!hd_structure_before(s, causes->data[i], c))
      causes->data[kept++] = causes->data[i];
  causes->size = kept;
  hd_vec_push(causes, c);
}

static bool excludes_one(const structure *s, event_id e,
                         const hd_u32s *causes) {
  for (hd_vec_each(const uint32_t, c, causes))
    if (hd_structure_conflict(s, e, *c))
      return true;
  return false;
}

void hd_structure_shape(const structure *s, hd_unfold_shape *shape) {
  hd_unfold_shape_clear(shape);
  for (event_id id = 0; id < s->events.size; id++) {
    const event *e = &s->events.data[id];
    hd_unfold_event out = {.thread = e->thread,
                           .edge = e->edge,
                           .ends = e->kind == EV_EXIT,
                           .cutoff = e->cutoff && !e->over,
                           .func = HD_NO_ID};
    if (e->kind == EV_START && e->state.top)
      out.func = e->state.top->func;
    add_cause(s, &out.causes, e->prev);
    for (uint32_t i = 0; i < e->n_resources; i++)
      add_cause(s, &out.causes, e->before[i]);
    for (event_id other = 0; other < id; other++)
      if (hd_structure_conflict(s, id, other) &&
          !excludes_one(s, other, &out.causes) &&
          !excludes_one(s, id, &shape->data[other].causes))
        hd_vec_push(&out.conflicts, other);
    hd_vec_push(shape, out);
  }
}

/* --- maximal configurations --- */

enum { MAX_STEPS = 40000000 };

/* A configuration as it grows, and events it shall do without. Events are looked
 * at in the order of their numbers, so one fits when it follows the last of its
 * thread and on its resources. It is left out only as long as another one can
 * still exclude it; so most ways lead to a maximal configuration. */
typedef struct {
  const structure *s;
  event_id *cut, *last; /* per thread, per resource */
  uint64_t *set;
  hd_u32s without;
  hd_u32s *firsts, *nexts; /* what comes right behind, cutoffs too */
  size_t threads, steps, found;
} counting;

static bool extends(const counting *c, event_id id) {
  assert(id < c->s->events.size);
  const event *e = &c->s->events.data[id];
  if (e->kind == EV_START) {
    if (e->prev == HD_NO_ID)
      return c->cut[0] == HD_NO_ID;
    return hd_bits_test(c->set, e->prev) && c->cut[e->thread] == HD_NO_ID;
  }
  if (c->cut[e->thread] != e->prev)
    return false;
  for (uint32_t i = 0; i < e->n_resources; i++)
    if (c->last[e->resources[i]] != e->before[i])
      return false;
  return true;
}

static void add(counting *c, event_id id) {
  assert(id < c->s->events.size);
  const event *e = &c->s->events.data[id];
  hd_bits_set(c->set, id);
  c->cut[e->thread] = id;
  for (uint32_t i = 0; i < e->n_resources; i++)
    c->last[e->resources[i]] = id;
}

static void take_back(counting *c, event_id id) {
  /* What was added last goes first. */
  assert(hd_bits_test(c->set, id));
  assert(c->cut[c->s->events.data[id].thread] == id);
  assert(id < c->s->events.size);
  const event *e = &c->s->events.data[id];
  hd_bits_clear(c->set, id);
  c->cut[e->thread] = e->kind == EV_START ? HD_NO_ID : e->prev;
  for (uint32_t i = 0; i < e->n_resources; i++)
    c->last[e->resources[i]] = e->before[i];
}

/* The events right behind one, or first, on a resource. */
static hd_u32s *behind(const counting *c, event_id before, resource_id r) {
  if (before == HD_NO_ID)
    return &c->firsts[r];
  const event *e = &c->s->events.data[before];
  return &c->nexts[2 * before + event_slot(e, r)];
}

/* Can the event still get into the configuration, without those left out? */
static bool is_possible(counting *c, event_id id) {
  c->steps += 16 + c->without.size;
  for (hd_vec_each(const uint32_t, d, &c->without))
    if (*d == id || hd_structure_before(c->s, *d, id))
      return false;
  for (size_t t = 0; t < c->threads; t++)
    if (c->cut[t] != HD_NO_ID && hd_structure_conflict(c->s, c->cut[t], id))
      return false;
  return true;
}

/* Can something still exclude it? What comes before it is there, so that is an
 * event in its place in its thread or on a resource. */
static bool can_be_excluded(counting *c, event_id id) {
  const structure *s = c->s;
  const event *e = &s->events.data[id];
  if (e->kind == EV_START)
    return false;
  for (hd_vec_each(const uint32_t, x, &s->events.data[e->prev].children))
    if (*x != id && s->events.data[*x].thread == e->thread &&
        (hd_bits_test(c->set, *x) || is_possible(c, *x)))
      return true;
  for (uint32_t i = 0; i < e->n_resources; i++)
    for (hd_vec_each(const uint32_t, x,
                     behind(c, e->before[i], e->resources[i])))
      if (*x != id && (hd_bits_test(c->set, *x) || is_possible(c, *x)))
        return true;
  return false;
}

static bool all_can_be_excluded(counting *c) {
  for (size_t i = 0; i < c->without.size; i++)
    if (!can_be_excluded(c, c->without.data[i]))
      return false;
  return true;
}

/* Forgets those that the configuration excludes now; gives the old ones back. */
static hd_u32s settle_excluded(counting *c) {
  hd_u32s old = c->without;
  c->without = (hd_u32s){0};
  for (hd_vec_each(const uint32_t, d, &old))
    if (extends(c, *d))
      hd_vec_push(&c->without, *d);
  return old;
}

static void count_from(counting *c, event_id from) {
  assert(from <= c->s->events.size);
  const structure *s = c->s;
  for (event_id id = from; id < s->events.size; id++) {
    if (c->steps++ > MAX_STEPS)
      return;
    if (!extends(c, id))
      continue;
    add(c, id);
    hd_u32s old = settle_excluded(c);
    if (all_can_be_excluded(c))
      count_from(c, id + 1);
    hd_vec_free(&c->without);
    c->without = old;
    take_back(c, id);
    hd_vec_push(&c->without, id);
    if (all_can_be_excluded(c))
      count_from(c, id + 1);
    (void)hd_vec_pop(&c->without);
    return;
  }
  c->found += c->without.size == 0;
}

size_t hd_structure_count(const structure *s) {
  counting c = {.s = s, .threads = s->a->threads.size + 1};
  c.cut = hd_calloc(c.threads, sizeof *c.cut);
  c.last = hd_calloc(s->resources.size + 1, sizeof *c.last);
  c.set = hd_calloc(hd_bits_words(s->events.size + 1), sizeof *c.set);
  c.firsts = hd_calloc(s->resources.size + 1, sizeof *c.firsts);
  c.nexts = hd_calloc(2 * s->events.size + 1, sizeof *c.nexts);
  for (event_id id = 0; id < s->events.size; id++)
    for (uint32_t i = 0; i < s->events.data[id].n_resources; i++) {
      const event *e = &s->events.data[id];
      hd_vec_push(behind(&c, e->before[i], e->resources[i]), id);
    }
  for (size_t t = 0; t < c.threads; t++)
    c.cut[t] = HD_NO_ID;
  for (size_t r = 0; r < s->resources.size; r++)
    c.last[r] = HD_NO_ID;
  count_from(&c, 0);
  for (size_t i = 0; i < 2 * s->events.size; i++)
    hd_vec_free(&c.nexts[i]);
  for (size_t i = 0; i < s->resources.size; i++)
    hd_vec_free(&c.firsts[i]);
  hd_free(c.nexts);
  hd_free(c.firsts);
  hd_free(c.cut);
  hd_free(c.last);
  hd_free(c.set);
  hd_vec_free(&c.without);
  return c.found;
}

void hd_unfold_shape_clear(hd_unfold_shape *shape) {
  for (hd_vec_each(hd_unfold_event, e, shape)) {
    hd_vec_free(&e->causes);
    hd_vec_free(&e->conflicts);
  }
  hd_vec_clear(shape);
}
