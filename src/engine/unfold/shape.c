/* SPDX-License-Identifier: MIT */
/* The event structure as others see it: for every event what it directly depends
 * on, and with which earlier ones it is in direct conflict: one excludes the
 * other, but neither excludes what the other depends on. */
#include "base/bitset.h"
#include "engine/unfold/event.h"

static void add_cause(const structure *s, hd_u32s *causes, event_id c) {
  if (c == HD_NO_ID)
    return;
  for (size_t i = 0; i < causes->size; i++)
    if (causes->data[i] == c || structure_before(s, c, causes->data[i]))
      return;
  size_t kept = 0;
  for (size_t i = 0; i < causes->size; i++)
    if (!structure_before(s, causes->data[i], c))
      causes->data[kept++] = causes->data[i];
  causes->size = kept;
  hd_vec_push(causes, c);
}

static bool excludes_one(const structure *s, event_id e,
                         const hd_u32s *causes) {
  for (hd_vec_each(const uint32_t, c, causes))
    if (structure_conflict(s, e, *c))
      return true;
  return false;
}

void structure_shape(const structure *s, hd_unfold_shape *shape) {
  hd_unfold_shape_clear(shape);
  for (event_id id = 0; id < s->events.size; id++) {
    const event *e = &s->events.data[id];
    hd_unfold_event out = {.thread = e->thread,
                           .edge = e->edge,
                           .ends = e->kind == EV_EXIT,
                           .cutoff = e->cutoff,
                           .func = HD_NO_ID};
    if (e->kind == EV_START && e->state.top)
      out.func = e->state.top->func;
    add_cause(s, &out.causes, e->prev);
    for (uint32_t i = 0; i < e->n_resources; i++)
      add_cause(s, &out.causes, e->before[i]);
    for (event_id other = 0; other < id; other++)
      if (structure_conflict(s, id, other) &&
          !excludes_one(s, other, &out.causes) &&
          !excludes_one(s, id, &shape->data[other].causes))
        hd_vec_push(&out.conflicts, other);
    hd_vec_push(shape, out);
  }
}

/* --- maximal configurations --- */

enum { MAX_STEPS = 200000 };

/* A configuration as it grows. Events are added in the order of their numbers, so
 * one fits when it follows the last of its thread and on its resources. */
typedef struct {
  const structure *s;
  event_id *cut, *last; /* per thread, per resource */
  uint64_t *set;
  uint32_t *firsts, *nexts; /* see behind */
  size_t steps, found;
} counting;

static bool extends(const counting *c, event_id id) {
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
  const event *e = &c->s->events.data[id];
  hd_bits_set(c->set, id);
  c->cut[e->thread] = id;
  for (uint32_t i = 0; i < e->n_resources; i++)
    c->last[e->resources[i]] = id;
}

static void take_back(counting *c, event_id id) {
  const event *e = &c->s->events.data[id];
  hd_bits_clear(c->set, id);
  c->cut[e->thread] = e->kind == EV_START ? HD_NO_ID : e->prev;
  for (uint32_t i = 0; i < e->n_resources; i++)
    c->last[e->resources[i]] = e->before[i];
}

/* How many events come right behind an event, or first, on a resource. */
static uint32_t *behind(const counting *c, event_id before, resource_id r) {
  if (before == HD_NO_ID)
    return &c->firsts[r];
  const event *e = &c->s->events.data[before];
  return &c->nexts[2 * before + (e->resources[0] == r ? 0 : 1)];
}

/* Is there another event that excludes this one directly? */
static bool has_rival(const counting *c, event_id id) {
  const structure *s = c->s;
  const event *e = &s->events.data[id];
  if (e->kind == EV_START)
    return false;
  size_t own = 0;
  for (hd_vec_each(const uint32_t, x, &s->events.data[e->prev].children))
    own += s->events.data[*x].thread == e->thread;
  bool rival = own > 1;
  for (uint32_t i = 0; i < e->n_resources; i++)
    rival = rival || *behind(c, e->before[i], e->resources[i]) > 1;
  return rival;
}

static void count_from(counting *c, event_id from) {
  const structure *s = c->s;
  for (event_id id = from; id < s->events.size; id++) {
    if (c->steps++ > MAX_STEPS)
      return;
    if (!extends(c, id))
      continue;
    add(c, id);
    count_from(c, id + 1);
    take_back(c, id);
    if (!has_rival(c, id))
      return; /* a maximal one contains it */
  }
  for (event_id id = 0; id < s->events.size; id++) {
    c->steps++;
    if (!hd_bits_test(c->set, id) && extends(c, id))
      return;
  }
  c->found++;
}

size_t structure_count(const structure *s) {
  counting c = {.s = s};
  size_t threads = s->a->threads.size + 1;
  c.cut = hd_calloc(threads, sizeof *c.cut);
  c.last = hd_calloc(s->resources.size + 1, sizeof *c.last);
  c.set = hd_calloc(hd_bits_words(s->events.size + 1), sizeof *c.set);
  c.firsts = hd_calloc(s->resources.size + 1, sizeof *c.firsts);
  c.nexts = hd_calloc(2 * s->events.size + 1, sizeof *c.nexts);
  for (hd_vec_each(const event, e, &s->events))
    for (uint32_t i = 0; i < e->n_resources; i++)
      ++*behind(&c, e->before[i], e->resources[i]);
  for (size_t t = 0; t < threads; t++)
    c.cut[t] = HD_NO_ID;
  for (size_t r = 0; r < s->resources.size; r++)
    c.last[r] = HD_NO_ID;
  count_from(&c, 0);
  hd_free(c.cut);
  hd_free(c.last);
  hd_free(c.set);
  hd_free(c.firsts);
  hd_free(c.nexts);
  return c.found;
}

void hd_unfold_shape_clear(hd_unfold_shape *shape) {
  for (hd_vec_each(hd_unfold_event, e, shape)) {
    hd_vec_free(&e->causes);
    hd_vec_free(&e->conflicts);
  }
  hd_vec_clear(shape);
}
