/* SPDX-License-Identifier: MIT */
/* Execution graphs: events in the order of their addition, and what a revisit
 * takes away. */
#include "engine/graph/state.h"

#include <string.h>

static void made_drop(graph_made *made) {
  if (!made || --made->refs)
    return;
  hd_message_drop(made->message);
  hd_free(made);
}

void hd_graph_execution_free(graph *g) {
  for (hd_vec_each(graph_event, e, &g->events))
    made_drop(e->made);
  for (hd_vec_each(graph_loc, l, &g->locs)) {
    hd_message_drop(l->initial);
    hd_vec_free(&l->order);
  }
  for (hd_vec_each(graph_ids, ids, &g->threads))
    hd_vec_free(ids);
  hd_vec_free(&g->events);
  hd_vec_free(&g->locs);
  hd_vec_free(&g->threads);
  *g = (graph){0};
}

/* The events that `map` keeps; NULL: all. */
static void copy_ids(graph_ids *to, const graph_ids *from,
                     const graph_id *map) {
  *to = (graph_ids){0};
  if (!from->size)
    return;
  hd_vec_reserve(to, from->size + 1);
  if (!map) {
    memcpy(to->data, from->data, from->size * sizeof *to->data);
    to->size = from->size;
    return;
  }
  for (size_t i = 0; i < from->size; i++)
    if (map[from->data[i]] != HD_NO_ID)
      to->data[to->size++] = map[from->data[i]];
}

static void copy_part(graph *to, const graph *from, const graph_id *map) {
  *to = (graph){.clock = from->clock};
  hd_vec_reserve(&to->events, from->events.size + 1);
  for (graph_id i = 0; i < from->events.size; i++) {
    if (map && map[i] == HD_NO_ID)
      continue;
    graph_event *e = &to->events.data[to->events.size++];
    *e = from->events.data[i];
    if (map && e->from != HD_NO_ID)
      e->from = map[e->from];
    if (e->made)
      e->made->refs++;
  }
  hd_vec_reserve(&to->locs, from->locs.size + 1);
  for (hd_vec_each(const graph_loc, l, &from->locs)) {
    graph_loc *copy = &to->locs.data[to->locs.size++];
    *copy = *l;
    if (l->initial)
      hd_message_keep(l->initial);
    copy_ids(&copy->order, &l->order, map);
  }
  hd_vec_reserve(&to->threads, from->threads.size + 1);
  for (hd_vec_each(const graph_ids, ids, &from->threads))
    copy_ids(&to->threads.data[to->threads.size++], ids, map);
}

void hd_graph_copy(graph *to, const graph *from) {
  copy_part(to, from, NULL);
}

void hd_graph_without(graph *to, const graph *from, graph_id last) {
  graph_id *map = hd_calloc(from->events.size + 1, sizeof *map);
  for (graph_id i = 0; i < from->events.size; i++)
    map[i] = i == last ? HD_NO_ID : i < last ? i : i - 1;
  copy_part(to, from, map);
  hd_free(map);
}

graph_ids *hd_graph_thread(graph *g, hd_tid thread) {
  while (g->threads.size <= thread) {
    graph_ids none = {0};
    hd_vec_push(&g->threads, none);
  }
  return &g->threads.data[thread];
}

/* … SIZE_MAX: it has no place yet. */
static size_t position(const graph *g, uint32_t loc, graph_id write) {
  const graph_loc *l = &g->locs.data[loc];
  if (write == HD_NO_ID)
    return 0;
  size_t i = l->order.size;
  while (i && l->order.data[i - 1] != write)
    i--;
  return i ? i : SIZE_MAX;
}

size_t hd_graph_position(const graph *g, uint32_t loc, graph_id write) {
  size_t at = position(g, loc, write);
  assert(at != SIZE_MAX);
  return at;
}

bool hd_graph_before(const graph *g, graph_id a, graph_id b) {
  const graph_event *x = &g->events.data[a], *y = &g->events.data[b];
  if (x->thread == y->thread)
    return x->index < y->index;
  return x->thread < y->made->n && x->made->time <= y->made->known[x->thread];
}

bool hd_graph_in_prefix(const graph *g, graph_id a, graph_id b) {
  const graph_event *x = &g->events.data[a];
  const graph_made *made = g->events.data[b].made;
  return x->thread < made->n && x->index < made->known[made->n + x->thread];
}

size_t hd_graph_least(const graph *g, uint32_t loc, hd_tid thread,
                      const uint64_t *knows, size_t n) {
  size_t least = 0;
  for (hd_vec_each(const graph_event, e, &g->events)) {
    if (e->loc != loc || !e->made ||
        (e->thread != thread &&
         !(e->thread < n && e->made->time <= knows[e->thread])))
      continue;
    graph_id id = (graph_id)(e - g->events.data);
    size_t at = position(g, loc, graph_writes(e) ? id : e->from);
    if (at > least && at != SIZE_MAX)
      least = at;
  }
  return least;
}

graph_id hd_graph_updated_by(const graph *g, uint32_t loc, graph_id write) {
  size_t at = hd_graph_position(g, loc, write);
  const graph_loc *l = &g->locs.data[loc];
  if (at == l->order.size)
    return HD_NO_ID;
  const graph_event *next = &g->events.data[l->order.data[at]];
  return next->kind == GRAPH_UPDATE && next->from == write ? l->order.data[at]
                                                           : HD_NO_ID;
}

static bool is_deleted(const graph *g, graph_id e, graph_id read,
                       graph_id write) {
  return e > read && e != write && !hd_graph_in_prefix(g, e, write);
}

void hd_graph_restrict(graph *to, const graph *from, graph_id read,
                       graph_id write, graph_id *map) {
  graph_id n = 0;
  for (graph_id i = 0; i < from->events.size; i++)
    map[i] = is_deleted(from, i, read, write) ? HD_NO_ID : n++;
  copy_part(to, from, map);
  graph_event *r = &to->events.data[map[read]];
  r->from = map[write];
  made_drop(r->made);
  r->made = NULL;
  for (hd_vec_each(graph_loc, l, &to->locs)) {
    size_t kept = 0;
    for (size_t i = 0; i < l->order.size; i++)
      if (l->order.data[i] != map[write] && l->order.data[i] != map[read])
        l->order.data[kept++] = l->order.data[i];
    l->order.size = kept;
  }
}

/* Was it there at that time, or does `write` need it? */
static bool is_previous(const graph *g, graph_id e, bool wrote, uint32_t time,
                        graph_id write) {
  const graph_event *x = &g->events.data[e];
  return (wrote ? x->written : x->stamp) <= time ||
         (e != write && hd_graph_in_prefix(g, e, write));
}

/* Of an update what it writes counts, which stands behind what it reads. */
static bool is_newest(const graph *g, graph_id at, graph_id write) {
  const graph_event *e = &g->events.data[at];
  if (!e->first)
    return false;
  if (e->loc == HD_NO_ID)
    return true;
  bool writes = graph_writes(e);
  uint32_t time = writes ? e->written : e->stamp;
  for (graph_id i = 0; writes && i < g->events.size; i++) {
    const graph_event *r = &g->events.data[i];
    if (graph_reads(r) && r->loc == e->loc && r->from == at &&
        is_previous(g, i, false, time, write))
      return false;
  }
  const graph_loc *l = &g->locs.data[e->loc];
  for (size_t i = hd_graph_position(g, e->loc, writes ? at : e->from);
       i < l->order.size; i++)
    if (is_previous(g, l->order.data[i], true, time, write))
      return false;
  return true;
}

bool hd_graph_is_maximal(const graph *g, graph_id read, graph_id write) {
  if (!is_newest(g, read, write))
    return false;
  for (graph_id i = read + 1; i < g->events.size; i++)
    if (is_deleted(g, i, read, write) && !is_newest(g, i, write))
      return false;
  return true;
}
