/* SPDX-License-Identifier: MIT */
/* Deadlocks, by an argument about the order of locks.
 *
 * In a deadlock every living thread waits: for a lock that another holds, for the
 * end of another thread, or for something else. Say that a thread holds its own
 * end and the locks it owns. Then each waiting thread gives edges from all that it
 * holds to what it waits for, and in a deadlock one can go from thread to thread
 * for ever: there is a cycle. All edges that any state of the program can have are
 * known from the unfolding, where owners are exact. So without a cycle among them
 * there is no deadlock. With one, or where a thread waits for something that
 * nobody in particular has to give (semaphores, conditions, barriers), nothing is
 * known. Neither is when a thread ends with a lock. */
#include "base/bitset.h"
#include "engine/unfold/event.h"

typedef struct {
  structure *s;
  size_t n, words;
  uint64_t *edges;   /* n rows */
  hd_edge_id *where; /* per resource: somebody waits for it here */
  uint8_t *colour;   /* 0 new, 1 on the way, 2 done */
} graph;

static bool holds(const structure *s, event_id e, thread_id thread,
                  resource_id r) {
  const resource_key *key = &s->resources.items[r].key;
  if (key->kind == RES_LIFE)
    return key->what == thread;
  event_id last = structure_last(s, e, r);
  if (last == HD_NO_ID)
    return false;
  const event *f = &s->events.data[last];
  const resource_state *x = &f->after[f->resources[0] == r ? 0 : 1];
  return x->owner == thread || (thread < 64 && (x->readers >> thread & 1) != 0);
}

static void add_edges(graph *g, const waiting *w) {
  const event *e = &g->s->events.data[w->event];
  hd_edge_id edge = e->stops.data[w->stop].edge;
  int kind = sync_blocks(g->s, w);
  if (edge == HD_NO_ID)
    for (resource_id r = 0; r < g->n; r++)
      if (g->s->resources.items[r].key.kind != RES_LIFE &&
          holds(g->s, w->event, e->thread, r))
        analysis_alarm(g->s->a, HD_PROPERTY_DEADLOCK,
                       e->edge == HD_NO_ID ? 0 : e->edge, HD_NO_ID,
                       "a thread may end while it holds a lock");
  if (kind == 2)
    analysis_alarm(g->s->a, HD_PROPERTY_DEADLOCK, edge, HD_NO_ID,
                   "whether this wait ends is not known");
  if (kind != 1)
    return;
  resource_id wanted = w->resources[0];
  g->where[wanted] = edge;
  /* A recursive lock that the thread owns does not make it wait. */
  event_id last = structure_last(g->s, w->event, wanted);
  if (last != HD_NO_ID) {
    const event *f = &g->s->events.data[last];
    const resource_state *x = &f->after[f->resources[0] == wanted ? 0 : 1];
    if (x->owner == e->thread && x->mutex)
      return;
  }
  for (resource_id r = 0; r < g->n; r++)
    if (holds(g->s, w->event, e->thread, r))
      hd_bits_set(g->edges + r * g->words, wanted);
}

/* A way from r back to something on the way; then that is in a cycle. */
static bool find_cycle(graph *g, resource_id r, resource_id *found) {
  g->colour[r] = 1;
  for (resource_id next = 0; next < g->n; next++) {
    if (!hd_bits_test(g->edges + r * g->words, next))
      continue;
    if (g->colour[next] == 1) {
      *found = next;
      return true;
    }
    if (g->colour[next] == 0 && find_cycle(g, next, found))
      return true;
  }
  g->colour[r] = 2;
  return false;
}

void structure_deadlocks(structure *s) {
  graph g = {.s = s, .n = s->resources.size};
  /* The ends of threads that nobody joins are held, too. */
  for (thread_id t = 0; t <= s->a->threads.size; t++)
    structure_resource(s, (resource_key){RES_LIFE, t, 0});
  g.n = s->resources.size;
  g.words = hd_bits_words(g.n);
  g.edges = hd_calloc(g.n * g.words, sizeof *g.edges);
  g.where = hd_calloc(g.n, sizeof *g.where);
  g.colour = hd_calloc(g.n, sizeof *g.colour);
  for (hd_vec_each(const waiting, w, &s->waits))
    add_edges(&g, w);
  resource_id r = 0;
  for (resource_id from = 0; from < g.n; from++)
    if (g.colour[from] == 0 && find_cycle(&g, from, &r)) {
      analysis_alarm(s->a, HD_PROPERTY_DEADLOCK, g.where[r], HD_NO_ID,
                     "threads may wait for each other");
      break;
    }
  hd_free(g.edges);
  hd_free(g.where);
  hd_free(g.colour);
}
