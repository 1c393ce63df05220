/* SPDX-License-Identifier: MIT */
#include "engine/concolic/quotient.h"

#include <string.h>

/* Past this many words the settled locals are not kept. */
#define SETTLED_LIMIT ((size_t)1 << 21)

/* ---- slicing ---- */

static bool row_allows(const hd_cert *tset, const hd_threads *view,
                       const hd_view_edge *e) {
  if (!tset || !tset->rows || e->from >= tset->n_shared)
    return true;
  const uint64_t *row = tset->rows[e->from];
  if (!row)
    return false;
  return e->take == view->pool || hd_bits_test(row, e->take);
}

/* Shared states reached from those in `queue` over the edges in `used`, forward
 * or backward. */
static uint64_t *reach(const hd_threads *view, const uint64_t *used,
                       hd_u32s *queue, bool forward) {
  size_t n = view->edges.size;
  uint64_t *seen = hd_calloc(hd_bits_words(view->n_shared), sizeof *seen);
  uint32_t *start = hd_calloc((size_t)view->n_shared + 2, sizeof *start);
  uint32_t *next = hd_alloc((n ? n : 1) * sizeof *next);
  for (uint32_t i = 0; i < n; i++)
    start[(forward ? view->edges.data[i].from : view->edges.data[i].to) + 2]++;
  for (uint32_t s = 0; s < view->n_shared; s++)
    start[s + 2] += start[s + 1];
  for (uint32_t i = 0; i < n; i++)
    next[start[(forward ? view->edges.data[i].from : view->edges.data[i].to) +
               1]++] = i;
  for (size_t i = 0; i < queue->size; i++)
    hd_bits_set(seen, queue->data[i]);
  for (size_t head = 0; head < queue->size; head++) {
    hd_shared_id s = queue->data[head];
    for (uint32_t i = start[s]; i < start[s + 1]; i++) {
      const hd_view_edge *e = &view->edges.data[next[i]];
      hd_shared_id t = forward ? e->to : e->from;
      if (!hd_bits_test(used, next[i]) || hd_bits_test(seen, t))
        continue;
      hd_bits_set(seen, t);
      hd_vec_push(queue, t);
    }
  }
  hd_free(start);
  hd_free(next);
  return seen;
}

/* Fills in `used`; gives the shared states kept as a bitset. */
static uint64_t *slice(hd_quotient *q, const hd_cert *tset) {
  const hd_threads *view = q->view;
  for (uint32_t i = 0; i < view->edges.size; i++)
    if (row_allows(tset, view, &view->edges.data[i]))
      hd_bits_set(q->used, i);
  hd_u32s queue = {0};
  hd_vec_push(&queue, view->init_shared);
  q->reached = reach(view, q->used, &queue, true);
  hd_vec_clear(&queue);
  for (hd_vec_each(const hd_goal, goal, &view->goals))
    hd_vec_push(&queue, goal->shared);
  uint64_t *kept = reach(view, q->used, &queue, false);
  hd_vec_free(&queue);
  for (size_t w = 0; w < hd_bits_words(view->n_shared); w++)
    kept[w] &= q->reached[w];
  for (uint32_t i = 0; i < view->edges.size; i++) {
    const hd_view_edge *e = &view->edges.data[i];
    if (!hd_bits_test(kept, e->from) || !hd_bits_test(kept, e->to))
      hd_bits_clear(q->used, i);
    q->n_used += hd_bits_test(q->used, i);
  }
  return kept;
}

static void index_edges(hd_quotient *q) {
  const hd_threads *view = q->view;
  q->in_start = hd_calloc((size_t)view->n_shared + 2, sizeof *q->in_start);
  q->in_ids = hd_calloc(q->n_used ? q->n_used : 1, sizeof *q->in_ids);
  for (uint32_t i = 0; i < view->edges.size; i++)
    if (hd_bits_test(q->used, i))
      q->in_start[view->edges.data[i].to + 2]++;
  for (uint32_t s = 0; s < view->n_shared; s++)
    q->in_start[s + 2] += q->in_start[s + 1];
  for (uint32_t i = 0; i < view->edges.size; i++)
    if (hd_bits_test(q->used, i))
      q->in_ids[q->in_start[view->edges.data[i].to + 1]++] = i;
}

/* ---- components: Tarjan, without recursion, over the edges reversed ---- */

typedef struct {
  hd_quotient *q;
  uint32_t *index, *low, *cursor;
  hd_u32s stack, calls;
  uint32_t now;
} tarjan;

static void enter(tarjan *t, hd_shared_id s) {
  t->index[s] = t->low[s] = ++t->now;
  t->cursor[s] = t->q->in_start[s];
  hd_vec_push(&t->stack, s);
  hd_vec_push(&t->calls, s);
}

static void close_component(tarjan *t, hd_shared_id root) {
  hd_component component = {0};
  hd_shared_id s;
  do {
    s = hd_vec_pop(&t->stack);
    t->q->component_of[s] = (uint32_t)t->q->components.size;
    component.n_shared++;
  } while (s != root);
  hd_vec_push(&t->q->components, component);
}

static void step(tarjan *t) {
  hd_quotient *q = t->q;
  hd_shared_id s = hd_vec_last(&t->calls);
  if (t->cursor[s] < q->in_start[s + 1]) {
    hd_shared_id p = q->view->edges.data[q->in_ids[t->cursor[s]++]].from;
    if (!t->index[p])
      enter(t, p);
    else if (q->component_of[p] == HD_NO_ID && t->index[p] < t->low[s])
      t->low[s] = t->index[p];
    return;
  }
  t->calls.size--;
  if (t->calls.size && t->low[s] < t->low[hd_vec_last(&t->calls)])
    t->low[hd_vec_last(&t->calls)] = t->low[s];
  if (t->low[s] == t->index[s])
    close_component(t, s);
}

/* A component is closed after everything that leads to it, which makes the
 * numbers a topological order. */
static void find_components(hd_quotient *q, const uint64_t *kept) {
  uint32_t n = q->view->n_shared;
  tarjan t = {.q = q,
              .index = hd_calloc(n, sizeof(uint32_t)),
              .low = hd_calloc(n, sizeof(uint32_t)),
              .cursor = hd_calloc(n, sizeof(uint32_t))};
  for (hd_shared_id s = 0; s < n; s++) {
    if (!hd_bits_test(kept, s) || t.index[s])
      continue;
    enter(&t, s);
    while (t.calls.size)
      step(&t);
  }
  hd_free(t.index);
  hd_free(t.low);
  hd_free(t.cursor);
  hd_vec_free(&t.stack);
  hd_vec_free(&t.calls);
}

/* Without expansion edges: each thread state the loop arrives at is the one it
 * departs from. The edges of a simple loop into and out of `s`. */
static bool is_real_at(const hd_view_edge *in, const hd_view_edge *out) {
  return in->give == out->take;
}

static void classify(hd_quotient *q) {
  const hd_threads *view = q->view;
  for (uint32_t i = 0; i < view->edges.size; i++) {
    const hd_view_edge *e = &view->edges.data[i];
    if (!hd_bits_test(q->used, i) || !hd_quotient_inside(q, e))
      continue;
    q->components.data[q->component_of[e->to]].n_edges++;
    q->loop_in[e->to] = i;
  }
  /* A strongly connected graph with as many edges as nodes is a cycle. */
  for (hd_vec_each(hd_component, c, &q->components))
    c->kind = !c->n_edges                ? HD_TRIVIAL
              : c->n_edges > c->n_shared ? HD_SPAGHETTI
                                         : HD_SIMPLE_REAL;
  for (hd_shared_id s = 0; s < view->n_shared; s++) {
    if (q->loop_in[s] == HD_NO_ID)
      continue;
    hd_component *c = &q->components.data[q->component_of[s]];
    if (c->kind == HD_SPAGHETTI) {
      q->loop_in[s] = HD_NO_ID;
      continue;
    }
    const hd_view_edge *out = &view->edges.data[q->loop_in[s]];
    const hd_view_edge *in = &view->edges.data[q->loop_in[out->from]];
    if (!is_real_at(in, out))
      c->kind = HD_SIMPLE_EXPANDED;
  }
}

/* ---- what can still be lowered ---- */

static void find_settled(hd_quotient *q) {
  const hd_threads *view = q->view;
  size_t words = hd_bits_words(view->n_locals), n = q->components.size;
  if (words && n > SETTLED_LIMIT / words)
    return;
  q->settled = hd_calloc(n, sizeof *q->settled);
  for (size_t c = 0; c < n; c++)
    q->settled[c] = hd_calloc(words, sizeof(uint64_t)); /* lowered, for now */
  hd_u32s *by_target = hd_calloc(n, sizeof *by_target);
  for (uint32_t i = 0; i < view->edges.size; i++)
    if (hd_bits_test(q->used, i))
      hd_vec_push(&by_target[q->component_of[view->edges.data[i].to]], i);
  for (size_t c = 0; c < n; c++) {
    for (hd_vec_each(const uint32_t, i, &by_target[c])) {
      const hd_view_edge *e = &view->edges.data[*i];
      hd_bits_set(q->settled[c], e->give);
      if (!hd_quotient_inside(q, e))
        hd_bits_union(q->settled[c], q->settled[q->component_of[e->from]],
                      words);
    }
    hd_vec_free(&by_target[c]);
  }
  hd_free(by_target);
  for (size_t c = 0; c < n; c++)
    for (hd_place_id l = 0; l < view->n_locals; l++)
      if (hd_bits_test(q->settled[c], l))
        hd_bits_clear(q->settled[c], l);
      else
        hd_bits_set(q->settled[c], l);
}

hd_quotient *hd_quotient_new(const hd_threads *view, const hd_cert *tset) {
  hd_quotient *q = hd_calloc(1, sizeof *q);
  q->view = view;
  q->used = hd_calloc(hd_bits_words(view->edges.size) + 1, sizeof *q->used);
  size_t bytes = view->n_shared * sizeof(uint32_t);
  q->component_of = hd_alloc(bytes);
  q->loop_in = hd_alloc(bytes);
  memset(q->component_of, 0xFF, bytes);
  memset(q->loop_in, 0xFF, bytes);
  uint64_t *kept = slice(q, tset);
  index_edges(q);
  find_components(q, kept);
  hd_free(kept);
  classify(q);
  find_settled(q);
  return q;
}

void hd_quotient_delete(hd_quotient *q) {
  if (!q)
    return;
  if (q->settled)
    for (size_t c = 0; c < q->components.size; c++)
      hd_free(q->settled[c]);
  hd_free(q->settled);
  hd_free(q->used);
  hd_free(q->reached);
  hd_free(q->component_of);
  hd_free(q->loop_in);
  hd_free(q->in_start);
  hd_free(q->in_ids);
  hd_vec_free(&q->components);
  hd_free(q);
}

void hd_quotient_round(const hd_quotient *q, hd_shared_id shared,
                       hd_segment *round) {
  hd_vec_clear(round);
  hd_shared_id at = shared;
  do {
    const hd_view_edge *e = &q->view->edges.data[q->loop_in[at]];
    hd_segment_add(round, e);
    at = e->from;
  } while (at != shared);
}
