/* SPDX-License-Identifier: MIT */
/* The axioms, one after the other. */
#include "check/axioms/impl.h"

bool hd_axioms_breaks(hd_axioms *ax, const char *axiom, hd_exec_id a,
                      hd_exec_id b) {
  ax->broken = axiom;
  ax->a = a;
  ax->b = b;
  return false;
}

bool hd_axioms_hb(const hd_axioms *ax, hd_exec_id a, hd_exec_id b) {
  return a != b &&
         ax->known[b * ax->x->n_threads + axioms_event(ax, a)->thread] >
             ax->index[a];
}

/* --- is it a graph at all? --- */

static bool has_events(hd_axioms *ax) {
  const hd_execution *x = ax->x;
  for (hd_exec_id i = 0; i < ax->n; i++) {
    const hd_exec_event *e = axioms_event(ax, i);
    bool memory = hd_exec_reads(e) || hd_exec_writes(e);
    if (e->thread >= x->n_threads ||
        memory != (e->place != HD_NO_ID && e->place < x->places.size))
      return hd_axioms_breaks(ax, "no graph: an event is nowhere", i, HD_NO_ID);
    ax->index[i] = (uint32_t)ax->threads[e->thread].size;
    hd_vec_push(&ax->threads[e->thread], i);
  }
  for (hd_vec_each(const hd_exec_edge, e, &x->edges))
    if (e->from >= ax->n || e->to >= ax->n)
      return hd_axioms_breaks(ax, "no graph: an arrow is nowhere", HD_NO_ID,
                              HD_NO_ID);
  return true;
}

/* mo: the order of each place has all of its writes, each once. */
static bool has_order(hd_axioms *ax) {
  for (uint32_t p = 0; p < ax->x->places.size; p++) {
    const hd_exec_ids *order = &ax->x->places.data[p].order;
    for (size_t k = 0; k < order->size; k++) {
      hd_exec_id w = order->data[k];
      if (w >= ax->n || axioms_event(ax, w)->place != p ||
          !hd_exec_writes(axioms_event(ax, w)) || ax->position[w])
        return hd_axioms_breaks(ax, "no graph: the order of writes is none",
                                w < ax->n ? w : HD_NO_ID, HD_NO_ID);
      ax->position[w] = (uint32_t)k + 1;
    }
  }
  for (hd_exec_id i = 0; i < ax->n; i++)
    if (hd_exec_writes(axioms_event(ax, i)) && !ax->position[i])
      return hd_axioms_breaks(ax, "no graph: a write is in no order", i,
                              HD_NO_ID);
  return true;
}

/* rf: of the same place, with that value. */
static bool has_sources(hd_axioms *ax) {
  for (hd_exec_id i = 0; i < ax->n; i++) {
    const hd_exec_event *e = axioms_event(ax, i);
    if (!hd_exec_reads(e))
      continue;
    const hd_exec_place *place = &ax->x->places.data[e->place];
    if (e->from == HD_NO_ID) {
      if (e->valued && place->known && place->first != e->read)
        return hd_axioms_breaks(ax, "no graph: it reads another value", i,
                                HD_NO_ID);
      continue;
    }
    if (e->from >= ax->n || e->from == i)
      return hd_axioms_breaks(ax, "no graph: it reads nothing", i, HD_NO_ID);
    const hd_exec_event *w = axioms_event(ax, e->from);
    if (w->place != e->place || !hd_exec_writes(w))
      return hd_axioms_breaks(
          ax, "no graph: it reads from no write of its place", i, e->from);
    if (e->valued && w->valued && w->written != e->read)
      return hd_axioms_breaks(ax, "no graph: it reads another value", i,
                              e->from);
  }
  return true;
}

static uint32_t source_position(const hd_axioms *ax, hd_exec_id read) {
  hd_exec_id from = axioms_event(ax, read)->from;
  return from == HD_NO_ID ? 0 : ax->position[from];
}

static bool is_atomic(hd_axioms *ax) {
  for (hd_exec_id i = 0; i < ax->n; i++) {
    const hd_exec_event *e = axioms_event(ax, i);
    if (e->kind == HD_EXEC_UPDATE &&
        source_position(ax, i) + 1 != ax->position[i])
      return hd_axioms_breaks(
          ax, "atomicity: a write is between an update and what it reads", i,
          e->from);
    if (e->kind == HD_EXEC_READ)
      ax->position[i] = source_position(ax, i);
  }
  return true;
}

/* --- coherence: hb; eco? is irreflexive --- */

/* The newest that the first `n` events of a thread at this place have written, or
 * read. */
typedef struct {
  hd_exec_id event;
  uint32_t wrote, read; /* positions, + 1; 0 = none */
} seen;

typedef hd_vec(seen) seens;

static const seen *last_known(const hd_axioms *ax, const seens *list,
                              uint32_t known) {
  size_t low = 0, high = list->size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ax->index[list->data[middle].event] < known)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? &list->data[low - 1] : NULL;
}

/* Is the event behind all that happens before it? A write is newer than all that
 * was written or read, a read is not older. */
static bool is_behind(hd_axioms *ax, const seens *lists, hd_exec_id b) {
  const hd_exec_event *e = axioms_event(ax, b);
  const size_t t = ax->x->n_threads;
  for (size_t i = 0; i < t; i++) {
    uint32_t known = ax->known[b * t + i];
    if (i == e->thread)
      known = ax->index[b];
    const seen *s = last_known(ax, &lists[i], known);
    if (!s)
      continue;
    uint32_t newest = s->wrote > s->read ? s->wrote : s->read;
    uint32_t own = ax->position[b] + 1;
    if (hd_exec_writes(e) ? newest >= own : newest > own)
      return hd_axioms_breaks(ax,
                              hd_exec_writes(e)
                                  ? "coherence: it writes before what happens "
                                    "before it"
                                  : "coherence: it reads what was overwritten "
                                    "before it",
                              b, s->event);
  }
  return true;
}

static bool is_coherent_at(hd_axioms *ax, const hd_exec_ids *events) {
  const size_t t = ax->x->n_threads;
  seens *lists = hd_calloc(t + 1, sizeof *lists);
  for (hd_vec_each(const hd_exec_id, id, events)) {
    const hd_exec_event *e = axioms_event(ax, *id);
    seens *list = &lists[e->thread];
    seen s = {.event = *id};
    if (list->size) {
      s = hd_vec_last(list);
      s.event = *id;
    }
    uint32_t own = ax->position[*id] + 1;
    if (hd_exec_writes(e) && own > s.wrote)
      s.wrote = own;
    if (!hd_exec_writes(e) && own > s.read)
      s.read = own;
    hd_vec_push(list, s);
  }
  bool good = true;
  for (size_t i = 0; i < events->size && good; i++)
    good = is_behind(ax, lists, events->data[i]);
  for (size_t i = 0; i < t; i++)
    hd_vec_free(&lists[i]);
  hd_free(lists);
  return good;
}

static bool is_coherent(hd_axioms *ax) {
  hd_exec_ids *at = hd_calloc(ax->x->places.size + 1, sizeof *at);
  for (hd_exec_id i = 0; i < ax->n; i++)
    if (axioms_event(ax, i)->place != HD_NO_ID)
      hd_vec_push(&at[axioms_event(ax, i)->place], i);
  bool good = true;
  for (uint32_t p = 0; p < ax->x->places.size; p++) {
    good = good && is_coherent_at(ax, &at[p]);
    hd_vec_free(&at[p]);
  }
  hd_free(at);
  return good;
}

/* --- all of them --- */

static bool is_allowed(hd_axioms *ax, hd_memory_model model) {
  if (ax->x->wrong)
    return hd_axioms_breaks(ax, ax->x->wrong, HD_NO_ID, HD_NO_ID);
  if (!has_events(ax) || !has_order(ax) || !has_sources(ax) || !is_atomic(ax) ||
      !hd_axioms_happens(ax) || !is_coherent(ax))
    return false;
  switch (model) {
  case HD_MEMORY_C11:
  case HD_MEMORY_RC11:
    return hd_axioms_psc(ax);
  case HD_MEMORY_SC:
    return hd_axioms_interleaves(ax);
  case HD_MEMORY_TSO:
    return hd_axioms_tso(ax);
  }
  return false;
}

hd_axioms *hd_axioms_new(const hd_execution *x, hd_memory_model model,
                         bool c23) {
  hd_axioms *ax = hd_calloc(1, sizeof *ax);
  size_t n = x->events.size, t = x->n_threads;
  *ax = (hd_axioms){.x = x,
                    .c23 = c23,
                    .n = n,
                    .threads = hd_calloc(t + 1, sizeof *ax->threads),
                    .index = hd_calloc(n + 1, sizeof *ax->index),
                    .position = hd_calloc(n + 1, sizeof *ax->position),
                    .sorted = hd_calloc(n + 1, sizeof *ax->sorted),
                    .known = hd_calloc(n * t + 1, sizeof *ax->known),
                    .a = HD_NO_ID,
                    .b = HD_NO_ID};
  is_allowed(ax, model);
  return ax;
}

void hd_axioms_delete(hd_axioms *ax) {
  if (!ax)
    return;
  for (size_t i = 0; i < ax->x->n_threads; i++)
    hd_vec_free(&ax->threads[i]);
  hd_free(ax->threads);
  hd_free(ax->index);
  hd_free(ax->position);
  hd_free(ax->sorted);
  hd_free(ax->known);
  hd_vec_free(&ax->sw);
  hd_free(ax);
}

const char *hd_axioms_broken(const hd_axioms *ax, hd_exec_id *a,
                             hd_exec_id *b) {
  if (a)
    *a = ax->broken ? ax->a : HD_NO_ID;
  if (b)
    *b = ax->broken ? ax->b : HD_NO_ID;
  return ax->broken;
}

static bool is_race(const hd_axioms *ax, hd_exec_id i, hd_exec_id k) {
  const hd_exec_event *a = axioms_event(ax, i), *b = axioms_event(ax, k);
  return a->thread != b->thread && a->place == b->place &&
         (a->stores || b->stores) && (!axioms_atomic(a) || !axioms_atomic(b)) &&
         !hd_axioms_hb(ax, i, k) && !hd_axioms_hb(ax, k, i);
}

bool hd_axioms_race(const hd_axioms *ax, hd_edge_id first, hd_edge_id second) {
  hd_exec_ids *at = hd_calloc(ax->x->places.size + 1, sizeof *at);
  for (hd_exec_id i = 0; i < ax->n; i++) {
    const hd_exec_event *e = axioms_event(ax, i);
    if (e->place != HD_NO_ID && (second == HD_NO_ID || e->edge == second))
      hd_vec_push(&at[e->place], i);
  }
  bool found = false;
  for (hd_exec_id i = 0; i < ax->n && !found; i++) {
    const hd_exec_event *e = axioms_event(ax, i);
    if (e->place == HD_NO_ID || (first != HD_NO_ID && e->edge != first))
      continue;
    const hd_exec_ids *others = &at[e->place];
    for (size_t k = 0; k < others->size && !found; k++)
      found = is_race(ax, i, others->data[k]);
  }
  for (uint32_t p = 0; p < ax->x->places.size; p++)
    hd_vec_free(&at[p]);
  hd_free(at);
  return found;
}
