/* SPDX-License-Identifier: MIT */
/* The event structure: causality, conflict, and the order in which events come.
 *
 * The events of a thread form a tree, and so do those on a resource: each has one
 * before it. Two events are in conflict when their histories have gone different
 * ways in one of these trees, which the last events of each thread and resource
 * tell. So conflict is not stored.
 *
 * A thread that stands before an action (`waiting`) makes an event with each
 * event that may come last on the action's resource: one whose history does not
 * conflict with the thread's, knows all that the thread knows of the resource
 * (it is below that in the resource's tree), and nothing that the thread does
 * later. Each such pair is looked at once, when the younger of both appears. */
#include "base/bitset.h"
#include "engine/unfold/apart.h"
#include "engine/unfold/event.h"
#include "engine/unfold/terms.h"

#include <string.h>

/* --- relations --- */

typedef hd_vec(uint64_t) words;

static bool test(const uint64_t *data, size_t size, uint32_t bit) {
  return bit / 64 < size && hd_bits_test(data, bit);
}

bool hd_structure_before(const structure *s, event_id x, event_id y) {
  assert(y < s->events.size);
  const event *e = &s->events.data[y];
  return test(e->past.data, e->past.size, x);
}

event_id hd_structure_last(const structure *s, event_id e, resource_id r) {
  assert(e < s->events.size);
  const hd_u32s *last = &s->events.data[e].last;
  return r < last->size ? last->data[r] : HD_NO_ID;
}

event_id hd_structure_cut(const structure *s, event_id e, thread_id thread) {
  assert(e < s->events.size);
  const hd_u32s *cut = &s->events.data[e].cut;
  return thread < cut->size ? cut->data[thread] : HD_NO_ID;
}

/* One of them is on the way to the other, or there is only one. */
static bool one_way(const structure *s, event_id x, event_id y) {
  return x == y || x == HD_NO_ID || y == HD_NO_ID ||
         (x < y ? hd_structure_before(s, x, y) : hd_structure_before(s, y, x));
}

bool hd_structure_conflict(const structure *s, event_id x, event_id y) {
  if (x == y || hd_structure_before(s, x, y) || hd_structure_before(s, y, x))
    return false;
  const event *e = &s->events.data[x], *f = &s->events.data[y];
  size_t n = e->cut.size < f->cut.size ? e->cut.size : f->cut.size;
  for (size_t t = 0; t < n; t++)
    if (!one_way(s, e->cut.data[t], f->cut.data[t]))
      return true;
  n = e->last.size < f->last.size ? e->last.size : f->last.size;
  for (size_t r = 0; r < n; r++)
    if (!one_way(s, e->last.data[r], f->last.data[r]))
      return true;
  return false;
}

resource_id hd_structure_resource(structure *s, resource_key key) {
  bool fresh;
  resource_id id = *resource_map_put(&s->resources, key,
                                     (resource_id)s->resources.size, &fresh);
  if (fresh) {
    resource_use use = {0};
    hd_vec_push(&s->uses, use);
  }
  return id;
}

#define ADD_WORDS(to, from)                                                    \
  do {                                                                         \
    while ((to)->size < (from)->size)                                          \
      hd_vec_push(to, (uint64_t)0);                                            \
    for (size_t w_ = 0; w_ < (from)->size; w_++)                               \
      (to)->data[w_] |= (from)->data[w_];                                      \
  } while (0)

#define ADD_BIT(to, bit)                                                       \
  do {                                                                         \
    while ((to)->size <= (bit) / 64)                                           \
      hd_vec_push(to, (uint64_t)0);                                            \
    hd_bits_set((to)->data, bit);                                              \
  } while (0)

static size_t count_bits(const uint64_t *data, size_t size) {
  size_t n = 0;
  for (size_t i = 0; i < size; i++)
    n += (size_t)__builtin_popcountll(data[i]);
  return n;
}

/* --- candidates --- */

/* The later of two events of one chain, within one configuration. */
event_id hd_structure_later(const structure *s, event_id x, event_id y) {
  if (x == HD_NO_ID || y == HD_NO_ID)
    return x == HD_NO_ID ? y : x;
  return x == y || hd_structure_before(s, y, x) ? x : y;
}

/* Events are added in the order of their histories. */
static bool smaller(const structure *s, const candidate *x,
                    const candidate *y) {
  int sign = hd_cutoff_compare(s, x, y, NULL);
  return sign < 0 || (sign == 0 && x->prev < y->prev);
}

static void push_candidate(structure *s, candidate c) {
  assert(c.size > 0); /* it is in its own history */
  hd_vec_push(&s->queue, c);
  size_t at = s->queue.size - 1;
  while (at && smaller(s, &s->queue.data[at], &s->queue.data[(at - 1) / 2])) {
    candidate swap = s->queue.data[at];
    s->queue.data[at] = s->queue.data[(at - 1) / 2];
    s->queue.data[(at - 1) / 2] = swap;
    at = (at - 1) / 2;
  }
}

static candidate pop_candidate(structure *s) {
  assert(s->queue.size > 0);
  candidate *q = s->queue.data;
  candidate top = q[0];
  q[0] = hd_vec_pop(&s->queue);
  size_t n = s->queue.size, at = 0;
  for (;;) {
    size_t least = at;
    for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < n; child++)
      if (smaller(s, &q[child], &q[least]))
        least = child;
    if (least == at)
      return top;
    candidate swap = q[at];
    q[at] = q[least];
    q[least] = swap;
    at = least;
  }
}

/* The size of the history of a candidate, with itself. */
static uint32_t history_size(structure *s, const candidate *c) {
  words all = {0};
  const event *prev = &s->events.data[c->prev];
  ADD_WORDS(&all, &prev->past);
  ADD_BIT(&all, c->prev);
  for (uint32_t i = 0; i < c->n_resources; i++)
    if (c->before[i] != HD_NO_ID) {
      ADD_WORDS(&all, &s->events.data[c->before[i]].past);
      ADD_BIT(&all, c->before[i]);
    }
  uint32_t n = (uint32_t)count_bits(all.data, all.size) + 1;
  hd_vec_free(&all);
  return n;
}

/* May `d`, which is not above what the thread knows of the resource, be the last
 * on it in the history of the next event of the thread behind event e? If not,
 * nothing below d can. */
static bool may_precede(structure *s, event_id e, event_id d) {
  if (d == HD_NO_ID)
    return true;
  if (s->events.data[d].cutoff)
    return false;
  /* d must not know of a later event of the thread. */
  event_id own = hd_structure_cut(s, d, s->events.data[e].thread);
  if (own != HD_NO_ID && own != e && !hd_structure_before(s, own, e))
    return false;
  return !hd_structure_conflict(s, e, d);
}

/* Two histories that are both fine with the thread's, but with each other? */
static bool compatible(structure *s, event_id x, event_id y) {
  return x == HD_NO_ID || y == HD_NO_ID || x == y ||
         !hd_structure_conflict(s, x, y);
}

static void offer(structure *s, const waiting *w, const event_id *before) {
  assert(w->n_resources <= MAX_RESOURCES);
  for (uint32_t i = 0; i < w->n_resources; i++)
    for (uint32_t k = 0; k < w->n_resources; k++) {
      if (!compatible(s, before[i], before[k]))
        return;
      /* What the other history knows of this resource must be known here. */
      event_id known = i == k || before[k] == HD_NO_ID
                           ? HD_NO_ID
                           : hd_structure_last(s, before[k], w->resources[i]);
      if (known != HD_NO_ID && known != before[i] &&
          (before[i] == HD_NO_ID || !hd_structure_before(s, known, before[i])))
        return;
    }
  if (!hd_sync_enabled(s, w, before) ||
      (s->only_creations && !hd_sync_is_creation(s, w)))
    return;
  candidate c = {
      .prev = w->event, .stop = w->stop, .n_resources = w->n_resources};
  memcpy(c.resources, w->resources, sizeof c.resources);
  memcpy(c.before, before, sizeof c.before);
  c.size = history_size(s, &c);
  hd_cutoff_lead(s, &c);
  c.woken = HD_NO_ID;
  uint64_t waiters = hd_sync_wakes(s, w, before);
  if (!waiters)
    push_candidate(s, c);
  for (; waiters; waiters &= waiters - 1) { /* whichever */
    c.woken = (thread_id)__builtin_ctzll(waiters);
    push_candidate(s, c);
  }
}

/* What is right behind event d (HD_NO_ID: nothing) on resource r. */
static const hd_u32s *behind(const structure *s, event_id d, resource_id r) {
  if (d == HD_NO_ID)
    return &s->uses.data[r].first;
  const event *e = &s->events.data[d];
  return &e->next[event_slot(e, r)];
}

/* All choices for the resources from number i on; the one for `fixed` is given
 * (HD_NO_ID as resource: none is). */
static void offer_all(structure *s, const waiting *w, uint32_t i,
                      event_id *before, resource_id fixed, event_id given) {
  if (i == w->n_resources) {
    offer(s, w, before);
    return;
  }
  resource_id r = w->resources[i];
  if (r == fixed) {
    before[i] = given;
    if (may_precede(s, w->event, given))
      offer_all(s, w, i + 1, before, fixed, given);
    return;
  }
  /* Down the resource's tree, from what the thread knows. */
  hd_u32s todo = {0};
  hd_vec_push(&todo, hd_structure_last(s, w->event, r));
  while (todo.size) {
    event_id d = hd_vec_pop(&todo);
    if (!may_precede(s, w->event, d))
      continue;
    before[i] = d;
    offer_all(s, w, i + 1, before, fixed, given);
    const hd_u32s *more = behind(s, d, r);
    for (hd_vec_each(const uint32_t, x, more))
      hd_vec_push(&todo, *x);
  }
  hd_vec_free(&todo);
}

/* --- new events --- */

static void set_at(hd_u32s *list, uint32_t at, uint32_t value) {
  while (list->size <= at)
    hd_vec_push(list, HD_NO_ID);
  list->data[at] = value;
}

static void learn(structure *s, event *e, event_id from) {
  assert(from < s->events.size);
  const event *f = &s->events.data[from];
  ADD_WORDS(&e->past, &f->past);
  ADD_BIT(&e->past, from);
  for (uint32_t t = 0; t < f->cut.size; t++)
    set_at(&e->cut, t,
           hd_structure_later(s, t < e->cut.size ? e->cut.data[t] : HD_NO_ID,
                              f->cut.data[t]));
  for (uint32_t r = 0; r < f->last.size; r++)
    set_at(&e->last, r,
           hd_structure_later(s, r < e->last.size ? e->last.data[r] : HD_NO_ID,
                              f->last.data[r]));
}

typedef struct {
  structure *s;
  event_id own; /* whose segment the first memory ends */
  const event *x, *y;
} histories;

static bool has_seen(const structure *s, const event *config, event_id own,
                     hd_stamp stamp) {
  event_id id = (stamp - 1) / 2; /* see stamp_of_action */
  if (stamp == 0 || id == own)
    return true;
  assert(id < s->events.size);
  const event *writer = &s->events.data[id];
  event_id last = writer->thread < config->cut.size
                      ? config->cut.data[writer->thread]
                      : HD_NO_ID;
  if (last == HD_NO_ID || s->events.data[last].thread != writer->thread)
    return false;
  uint32_t seq = s->events.data[last].seq;
  return seq > writer->seq ||
         (seq == writer->seq && stamp == stamp_of_action(id));
}

static int choose(void *context, hd_stamp x, hd_stamp y) {
  const histories *h = context;
  if (has_seen(h->s, h->x, h->own, y))
    return 1;
  return has_seen(h->s, h->y, HD_NO_ID, x) ? 2 : 0;
}

/* Memory of the thread and of what came before on the resources. A race that
 * shows here is found by the race check as well. False: what they know cannot
 * all be true, there is no such history. */
static bool merge_memories(structure *s, event *e) {
  event running = {.cut = {0}};
  const event *prev = &s->events.data[e->prev];
  for (uint32_t t = 0; t < prev->cut.size; t++)
    hd_vec_push(&running.cut, prev->cut.data[t]);
  for (uint32_t i = 0; i < e->n_resources; i++) {
    event_id d = e->before[i];
    if (d == HD_NO_ID || d == e->prev || hd_structure_before(s, d, e->prev))
      continue;
    const event *other = &s->events.data[d];
    histories h = {s, e->prev, &running, other};
    hd_object_id race = HD_NO_ID;
    hd_memory *both = hd_memory_merge(e->state.memory, other->state.memory,
                                      choose, &h, &race);
    hd_memory_drop(e->state.memory);
    e->state.memory = both;
    if (!both)
      break;
    for (uint32_t t = 0; t < other->cut.size; t++)
      set_at(&running.cut, t,
             hd_structure_later(
                 s, t < running.cut.size ? running.cut.data[t] : HD_NO_ID,
                 other->cut.data[t]));
  }
  hd_vec_free(&running.cut);
  return e->state.memory != NULL;
}

/* --- places --- */

frame *hd_structure_place(const structure *s, event_id e, thread_id thread) {
  event_id last = hd_structure_cut(s, e, thread);
  assert(last != HD_NO_ID); /* the thread is there */
  const event *f = &s->events.data[last];
  return f->thread == thread ? f->state.top : f->child;
}

bool hd_structure_ends_program(const structure *s, event_id e) {
  assert(e < s->events.size);
  const event *x = &s->events.data[e];
  return x->kind == EV_EXIT && x->thread == 0 &&
         hd_stop_returns(s->a->code,
                         &s->events.data[x->prev].stops.data[x->stop]);
}

void hd_structure_look_at(structure *s, event_id x, event_id y) {
  hd_vec_clear(&s->a->now);
  hd_vec_push(&s->a->now, x);
  if (y != HD_NO_ID)
    hd_vec_push(&s->a->now, y);
}

/* --- unfolding --- */

static void add_waiting(structure *s, event_id e, uint32_t stop_index) {
  assert(stop_index < s->events.data[e].stops.size);
  assert(!s->events.data[e].cutoff);
  waiting w = {.event = e, .stop = stop_index};
  if (!hd_sync_resources(s, e, stop_index, &w))
    return;
  uint32_t number = (uint32_t)s->waits.size;
  hd_vec_push(&s->waits, w);
  for (uint32_t i = 0; i < w.n_resources; i++) {
    resource_id r = w.resources[i];
    event_id known = hd_structure_last(s, e, r);
    hd_u32s *list = known == HD_NO_ID
                        ? &s->uses.data[r].waiters
                        : &s->events.data[known]
                               .waiters[event_slot(&s->events.data[known], r)];
    hd_vec_push(list, number);
  }
  event_id before[MAX_RESOURCES] = {HD_NO_ID, HD_NO_ID};
  offer_all(s, &w, 0, before, HD_NO_ID, HD_NO_ID);
}

static void offer_behind(structure *s, const hd_u32s *waiters, resource_id r,
                         event_id e) {
  for (size_t k = 0; k < waiters->size; k++) {
    waiting w = s->waits.data[waiters->data[k]];
    event_id before[MAX_RESOURCES] = {HD_NO_ID, HD_NO_ID};
    offer_all(s, &w, 0, before, r, e);
  }
}

/* Threads that may go on behind the new event: those that know something above
 * it in the resource's tree. Only then it is put there itself, so that a thread
 * that waits for two resources meets it once. */
static void wake(structure *s, event_id id) {
  for (uint32_t i = 0; i < s->events.data[id].n_resources; i++) {
    resource_id r = s->events.data[id].resources[i];
    event_id up = s->events.data[id].before[i];
    for (event_id at = up; at != HD_NO_ID;) {
      const event *e = &s->events.data[at];
      uint32_t slot = event_slot(e, r);
      offer_behind(s, &e->waiters[slot], r, id);
      at = e->before[slot];
    }
    offer_behind(s, &s->uses.data[r].waiters, r, id);
    hd_u32s *list =
        up == HD_NO_ID
            ? &s->uses.data[r].first
            : &s->events.data[up].next[event_slot(&s->events.data[up], r)];
    hd_vec_push(list, id);
  }
}

/* Locks are known by their address. When its memory is written or goes away it
 * would be another lock: that is not modelled while it is in use. */
static void check_locks(structure *s, event_id id) {
  assert(s->uses.size == s->resources.size);
  assert(id < s->events.size);
  const event *e = &s->events.data[id];
  for (hd_vec_each(const touch, t, &e->touches)) {
    if ((!t->write && !t->dies) || t->sync ||
        !hd_analysis_has_locks(s->a, t->object))
      continue;
    for (resource_id r = 0; r < e->last.size; r++) {
      const resource_key *key = &s->resources.items[r].key;
      const resource_state *x = hd_structure_state(s, id, r);
      if (key->kind != RES_SYNC || key->what != t->object || !x ||
          t->hi <= key->offset || t->lo >= key->offset + s->uses.data[r].bytes)
        continue;
      bool held = x->owner != HD_NO_ID || x->readers || x->waiters;
      if (held || (!t->dies && !hd_resource_is_idle(x)))
        hd_analysis_give_up(s->a, t->edge, "the memory of a lock changes");
    }
  }
}

/* Where states are kept apart, loops over events end by widening: a thread that
 * has been before this action in its history, the last time and maybe often. */
static void widen_stop(structure *s, event_id id, stop *at) {
  assert(id < s->events.size);
  const event *e = &s->events.data[id];
  const local *last = NULL;
  uint32_t times = 0;
  if (at->edge == HD_NO_ID)
    return;
  while (e->prev != HD_NO_ID && s->events.data[e->prev].thread == e->thread &&
         times <= MAX_APART_ROUNDS) {
    const stop *old = &s->events.data[e->prev].stops.data[e->stop];
    e = &s->events.data[e->prev];
    if (old->edge != at->edge ||
        !hd_frame_same_control(old->state.top, at->state.top))
      continue;
    last = last ? last : &old->state;
    times++;
  }
  if (last)
    hd_apart_widen(s->a, at, last, stamp_of_segment(id),
                   times > MAX_APART_ROUNDS);
}

static void run_segment(structure *s, event_id id) {
  assert(id < s->events.size);
  event *e = &s->events.data[id];
  if (!e->state.top)
    return;
  stops found = {0};
  touches seen = {0};
  if (s->a->terms)
    hd_terms_begin(s->a, e->seq, &e->condition);
  hd_structure_look_at(s, id, HD_NO_ID);
  double start = hd_now();
  hd_memo_run(s->memo, s->a, e->thread, hd_local_copy(&e->state),
              stamp_of_segment(id), &found, &seen);
  s->a->result->times.segments += hd_now() - start;
  s->a->result->segments++;
  e = &s->events.data[id];
  e->stops.data = found.data;
  e->stops.size = found.size;
  e->stops.cap = found.cap;
  for (hd_vec_each(const touch, t, &seen))
    hd_vec_push(&e->touches, *t);
  hd_vec_free(&seen);
  check_locks(s, id);
  for (uint32_t i = 0; s->a->options->apart && i < found.size; i++)
    widen_stop(s, id, &s->events.data[id].stops.data[i]);
  for (uint32_t i = 0; i < found.size && !s->a->gave_up; i++)
    add_waiting(s, id, i);
}

/* A thread that was created starts right behind its creation. */
static void add_event(structure *s, event fresh);

static void start_child(structure *s, event_id creation) {
  assert(creation < s->events.size);
  const event *c = &s->events.data[creation];
  assert(c->created != HD_NO_ID && c->child);
  event e = {.kind = EV_START,
             .thread = c->created,
             .seq = 1,
             .prev = creation,
             .edge = HD_NO_ID,
             .created = HD_NO_ID};
  learn(s, &e, creation);
  e.state.top = hd_frame_keep(c->child);
  e.state.memory = hd_memory_keep(c->state.memory);
  hd_terms_add(&e.condition, &c->condition);
  e.clock = hd_clock_set(c->clock, e.thread, 1);
  add_event(s, e);
}

/* Completes and adds it; runs the thread on behind it. */
static void add_event(structure *s, event fresh) {
  event_id id = (event_id)s->events.size;
  assert(fresh.prev == HD_NO_ID || fresh.prev < id); /* causes come first */
  assert(fresh.n_resources <= MAX_RESOURCES);
  fresh.size = (uint32_t)count_bits(fresh.past.data, fresh.past.size) + 1;
  hd_vec_push(&s->events, fresh);
  event *e = &s->events.data[id];
  if (e->prev != HD_NO_ID)
    hd_vec_push(&s->events.data[e->prev].children, id);
  set_at(&e->cut, e->thread, id);
  for (uint32_t i = 0; i < e->n_resources; i++) {
    assert(e->before[i] == HD_NO_ID || e->before[i] < id);
    set_at(&e->last, e->resources[i], id);
    const event *up = &s->events.data[e->before[i]];
    e->nth[i] = e->before[i] == HD_NO_ID
                    ? 1
                    : up->nth[event_slot(up, e->resources[i])] + 1;
  }
  if (e->kind == EV_ACTION || e->kind == EV_EXIT) {
    hd_structure_look_at(s, id, HD_NO_ID);
    bool goes_on = hd_sync_apply(s, id);
    e = &s->events.data[id];
    if (!goes_on) {
      e->cutoff = true; /* nothing follows */
      return;
    }
    if (e->created != HD_NO_ID)
      set_at(&e->cut, e->created, id);
  }
  s->a->result->events++;
  s->a->loose = s->a->loose || hd_structure_is_loose(s, id);
  /* A start only stands for the rest of the creation, which it looks like. */
  if (e->kind != EV_START && hd_cutoff_search(s, id)) {
    s->events.data[id].cutoff = true;
    s->a->cuts = true;
    s->a->result->cutoffs += !s->events.data[id].over;
    return;
  }
  wake(s, id);
  run_segment(s, id);
  if (s->events.data[id].created != HD_NO_ID)
    start_child(s, id);
}

static void add_candidate(structure *s, const candidate *c) {
  const event *prev = &s->events.data[c->prev];
  assert(!prev->cutoff && c->stop < prev->stops.size);
  const stop *at = &prev->stops.data[c->stop];
  event e = {.kind = at->edge == HD_NO_ID ? EV_EXIT : EV_ACTION,
             .thread = prev->thread,
             .seq = prev->seq + 1,
             .prev = c->prev,
             .stop = c->stop,
             .edge = at->edge,
             .n_resources = c->n_resources,
             .woken = c->woken,
             .created = HD_NO_ID,
             .creates = prev->creates};
  memcpy(e.resources, c->resources, sizeof e.resources);
  memcpy(e.before, c->before, sizeof e.before);
  e.state = hd_local_copy(&at->state);
  hd_terms_add_path(&e.condition, e.state.path);
  hd_trail_drop(e.state.path);
  e.state.path = NULL;
  hd_terms_add(&e.condition, &prev->condition);
  for (uint32_t i = 0; i < c->n_resources; i++)
    if (c->before[i] != HD_NO_ID)
      hd_terms_add(&e.condition, &s->events.data[c->before[i]].condition);
  e.clock = hd_clock_set(prev->clock, e.thread, e.seq);
  learn(s, &e, c->prev);
  for (uint32_t i = 0; i < c->n_resources; i++)
    if (c->before[i] != HD_NO_ID)
      learn(s, &e, c->before[i]);
  if (merge_memories(s, &e)) {
    add_event(s, e);
    return;
  }
  hd_vec_free(&e.past);
  hd_vec_free(&e.cut);
  hd_vec_free(&e.last);
  hd_vec_free(&e.condition);
  hd_clock_drop(e.clock);
  hd_local_free(&e.state);
}

/* An event is compared with those that are there. */
static bool count_event(structure *s) {
  return hd_run_spend(s->a->run, 1 + s->events.size / 16) &&
         hd_run_check(s->a->run);
}

void hd_structure_unfold(structure *s, local start) {
  event e = {.kind = EV_START,
             .seq = 1,
             .prev = HD_NO_ID,
             .edge = HD_NO_ID,
             .created = HD_NO_ID,
             .state = start};
  e.clock = hd_clock_set(NULL, 0, 1);
  s->memo = hd_memo_new();
  add_event(s, e);
  while (s->queue.size && !s->a->gave_up && count_event(s)) {
    candidate c = pop_candidate(s);
    add_candidate(s, &c);
    if (s->a->options->max_events &&
        s->events.size > s->a->options->max_events) {
      hd_analysis_give_up(s->a, HD_NO_ID, "more than %zu events",
                          s->a->options->max_events);
      break;
    }
    if (hd_run_wants_progress(s->a->run)) {
      hd_progress progress = {
          .engine = "unfold",
          .names = {"events", "cutoffs", "queue"},
          .values = {s->events.size, s->a->result->cutoffs, s->queue.size}};
      hd_run_show(s->a->run, &progress);
    }
  }
}

void hd_structure_free(structure *s) {
  for (hd_vec_each(event, e, &s->events)) {
    hd_vec_free(&e->past);
    for (int i = 0; i < MAX_RESOURCES; i++) {
      hd_vec_free(&e->next[i]);
      hd_vec_free(&e->waiters[i]);
    }
    hd_vec_free(&e->cut);
    hd_vec_free(&e->last);
    hd_vec_free(&e->children);
    hd_vec_free(&e->condition);
    hd_clock_drop(e->clock);
    hd_local_free(&e->state);
    hd_frame_drop(e->child);
    for (hd_vec_each(stop, x, &e->stops))
      hd_local_free(&x->state);
    hd_vec_free(&e->stops);
    hd_vec_free(&e->touches);
    for (uint32_t i = 0; i < e->n_resources; i++)
      hd_clock_drop(e->after[i].sync);
  }
  for (hd_vec_each(resource_use, u, &s->uses)) {
    hd_vec_free(&u->first);
    hd_vec_free(&u->waiters);
  }
  for (size_t i = 0; i < s->signs.size; i++)
    hd_vec_free(&s->signs.items[i].val);
  hd_vec_free(&s->events);
  hd_vec_free(&s->waits);
  hd_vec_free(&s->queue);
  hd_vec_free(&s->uses);
  resource_map_free(&s->resources);
  sign_map_free(&s->signs);
  hd_memo_delete(s->memo);
}
