/* SPDX-License-Identifier: MIT */
/* Which graphs a memory model allows, beyond coherence and atomicity, which
 * hold by construction, as does that program order and reading make no cycle. */
#include "base/bitset.h"
#include "engine/graph/state.h"

#include <string.h>

typedef struct {
  const graph *g;
  size_t n, words;
  size_t *position; /* of what it writes, or reads; by event */
} view;

static size_t position_of(const graph *g, graph_id id) {
  const graph_event *e = &g->events.data[id];
  return e->loc == HD_NO_ID || e->kind == GRAPH_CHOICE
             ? 0
             : hd_graph_position(g, e->loc, graph_writes(e) ? id : e->from);
}

/* Extended coherence order: reads from, modification order, reads before, and
 * their compositions. */
static bool eco(const view *v, graph_id a, graph_id b) {
  const graph_event *x = &v->g->events.data[a], *y = &v->g->events.data[b];
  if (a == b || x->loc != y->loc || x->loc == HD_NO_ID)
    return false;
  if (graph_writes(x) && y->kind == GRAPH_READ)
    return v->position[a] <= v->position[b];
  return v->position[a] < v->position[b];
}

static bool is_memory(const graph *g, const graph_event *e) {
  return e->loc != HD_NO_ID && g->locs.data[e->loc].size != 0;
}

/* mo and rb between two events. */
static bool overwrites(const view *v, graph_id a, graph_id b) {
  const graph_event *x = &v->g->events.data[a], *y = &v->g->events.data[b];
  return a != b && is_memory(v->g, x) && x->loc == y->loc && graph_writes(y) &&
         v->position[a] < v->position[b];
}

static graph_id neighbour(const graph *g, graph_id id, bool later) {
  const graph_event *e = &g->events.data[id];
  const graph_ids *ids = &g->threads.data[e->thread];
  for (size_t i = e->index; later ? ++i < ids->size : i-- > 0;) {
    const graph_event *other = &g->events.data[ids->data[i]];
    if (e->loc == HD_NO_ID || other->loc != e->loc)
      return ids->data[i];
  }
  return HD_NO_ID;
}

/* The relation scb of RC11; `after[a]` is the first event behind a, and
 * `ahead[b]` the last before b, with another location. */
static bool scb(const view *v, const graph_id *after, const graph_id *ahead,
                graph_id a, graph_id b) {
  const graph *g = v->g;
  const graph_event *x = &g->events.data[a], *y = &g->events.data[b];
  if (a == b)
    return false;
  if (x->thread == y->thread)
    return x->index < y->index || overwrites(v, a, b);
  if (overwrites(v, a, b))
    return true;
  if (x->loc != HD_NO_ID && x->loc == y->loc && hd_graph_before(g, a, b))
    return true;
  return after[a] != HD_NO_ID && ahead[b] != HD_NO_ID &&
         hd_graph_before(g, after[a], ahead[b]);
}

static bool visit(const uint64_t *rows, size_t n, size_t words, size_t at,
                  uint8_t *state) {
  state[at] = 1;
  for (size_t next = hd_bits_next(rows + at * words, n, 0); next < n;
       next = hd_bits_next(rows + at * words, n, next + 1))
    if (state[next] == 1 ||
        (!state[next] && !visit(rows, n, words, next, state)))
      return false;
  state[at] = 2;
  return true;
}

static bool is_acyclic(const uint64_t *rows, size_t n) {
  uint8_t *state = hd_calloc(n + 1, 1);
  bool good = true;
  for (size_t i = 0; i < n && good; i++)
    good = state[i] || visit(rows, n, hd_bits_words(n), i, state);
  hd_free(state);
  return good;
}

/* Sequential consistency: some order of all events explains it. */
static bool interleaves(const view *v) {
  uint64_t *rows = hd_calloc(v->n * v->words + 1, sizeof *rows);
  for (graph_id a = 0; a < v->n; a++)
    for (graph_id b = 0; b < v->n; b++)
      if (a != b && (hd_graph_before(v->g, a, b) || eco(v, a, b)))
        hd_bits_set(rows + a * v->words, b);
  bool good = is_acyclic(rows, v->n);
  hd_free(rows);
  return good;
}

/* Partial sequential consistency: psc = psc_base ∪ psc_F is acyclic. */
static bool orders_sc(const view *v, const graph_ids *sc) {
  const graph *g = v->g;
  size_t n = v->n, w = v->words, k = sc->size, kw = hd_bits_words(k);
  graph_id *after = hd_calloc(2 * n + 1, sizeof *after), *ahead = after + n;
  for (graph_id i = 0; i < n; i++) {
    after[i] = neighbour(g, i, true);
    ahead[i] = neighbour(g, i, false);
  }
  uint64_t *sets = hd_calloc(3 * w + 1, sizeof *sets);
  uint64_t *base = sets, *far = sets + w, *into = sets + 2 * w;
  uint64_t *rows = hd_calloc(k * kw + 1, sizeof *rows);
  for (size_t i = 0; i < k; i++) {
    graph_id a = sc->data[i];
    bool fence = g->events.data[a].kind == GRAPH_FENCE;
    memset(base, 0, 2 * w * sizeof *base);
    for (graph_id x = 0; x < n; x++) {
      bool behind = fence && x != a && hd_graph_before(g, a, x);
      if (x != a && !behind)
        continue;
      for (graph_id y = 0; y < n; y++) {
        if (scb(v, after, ahead, x, y))
          hd_bits_set(base, y);
        if (behind && is_memory(g, &g->events.data[x]) && eco(v, x, y))
          hd_bits_set(far, y);
      }
    }
    for (size_t j = 0; j < k; j++) {
      graph_id b = sc->data[j];
      bool fenced = g->events.data[b].kind == GRAPH_FENCE, edge = false;
      memset(into, 0, w * sizeof *into);
      hd_bits_set(into, b);
      for (graph_id y = 0; fenced && y < n; y++)
        if (y != b && hd_graph_before(g, y, b))
          hd_bits_set(into, y);
      for (size_t x = 0; x < w; x++)
        edge = edge || base[x] & into[x];
      if (fence && fenced && a != b) {
        edge = edge || hd_graph_before(g, a, b);
      }
      if (fence && fenced) {
        into[b / 64] &= ~((uint64_t)1 << b % 64);
        for (size_t x = 0; x < w; x++)
          edge = edge || far[x] & into[x];
      }
      if (edge)
        hd_bits_set(rows + i * kw, j);
    }
  }
  bool good = is_acyclic(rows, k);
  hd_free(after);
  hd_free(sets);
  hd_free(rows);
  return good;
}

/* TSO, for programs whose accesses are what x86 makes of them: some order of all
 * events in which only a store and a later load of the same thread, with nothing
 * between them that empties the buffer, may change places. */
static bool drains(const graph_event *e) {
  return e->kind == GRAPH_UPDATE || e->locked ||
         (e->order == HD_ORDER_SEQ_CST && e->kind != GRAPH_READ);
}

bool hd_graph_buffers(const graph *g, hd_tid thread) {
  const graph_ids *ids =
      thread < g->threads.size ? &g->threads.data[thread] : NULL;
  for (size_t i = ids ? ids->size : 0; i-- > 0;) {
    const graph_event *e = &g->events.data[ids->data[i]];
    if (drains(e) || e->kind == GRAPH_WRITE)
      return !drains(e);
  }
  return false;
}

/* Weaker fences and choices are no instructions that order anything. */
static bool is_nothing(const graph_event *e) {
  return e->kind == GRAPH_CHOICE || (e->kind == GRAPH_FENCE && !drains(e));
}

static bool kept_by_tso(const graph *g, graph_id a, graph_id b) {
  const graph_event *x = &g->events.data[a], *y = &g->events.data[b];
  if (is_nothing(x) || is_nothing(y))
    return false;
  if (x->kind != GRAPH_WRITE || y->kind != GRAPH_READ)
    return true;
  const graph_ids *ids = &g->threads.data[x->thread];
  for (size_t i = x->index; i <= y->index; i++)
    if (drains(&g->events.data[ids->data[i]]))
      return true;
  return false;
}

static bool buffers(const view *v) {
  const graph *g = v->g;
  uint64_t *rows = hd_calloc(v->n * v->words + 1, sizeof *rows);
  for (graph_id a = 0; a < v->n; a++)
    for (graph_id b = 0; b < v->n; b++) {
      const graph_event *x = &g->events.data[a], *y = &g->events.data[b];
      bool same = x->thread == y->thread;
      bool edge = same ? x->index < y->index && kept_by_tso(g, a, b)
                       : graph_reads(y) && y->from == a;
      edge = edge || overwrites(v, a, b);
      /* What locks, creation and joining order. */
      edge = edge || (!same && x->loc != HD_NO_ID && x->loc == y->loc &&
                      !is_memory(g, x) && v->position[a] < v->position[b]);
      if (a != b && edge)
        hd_bits_set(rows + a * v->words, b);
    }
  bool good = is_acyclic(rows, v->n);
  hd_free(rows);
  return good;
}

bool hd_graph_allowed(const graph *g, hd_memory_model model) {
  const bool c = model == HD_MEMORY_C11 || model == HD_MEMORY_RC11;
  graph_ids sc = {0};
  for (hd_vec_each(const graph_event, e, &g->events))
    if (e->order == HD_ORDER_SEQ_CST &&
        (e->kind == GRAPH_FENCE || is_memory(g, e)))
      hd_vec_push(&sc, (graph_id)(e - g->events.data));
  bool good = true;
  if (!c || sc.size > 1) {
    view v = {.g = g,
              .n = g->events.size,
              .words = hd_bits_words(g->events.size),
              .position = hd_calloc(g->events.size + 1, sizeof(size_t))};
    for (graph_id i = 0; i < v.n; i++)
      v.position[i] = position_of(g, i);
    good = c                       ? orders_sc(&v, &sc)
           : model == HD_MEMORY_SC ? interleaves(&v)
                                   : buffers(&v);
    hd_free(v.position);
  }
  hd_vec_free(&sc);
  return good;
}
