/* SPDX-License-Identifier: MIT */
/* What is asked of an order of events: that there is one. */
#include "check/axioms/impl.h"

#include "base/bitset.h"

#include <string.h>

/* --- relations --- */

void hd_axioms_relate(axioms_rel *rel, hd_exec_id a, hd_exec_id b) {
  hd_exec_edge edge = {.from = a, .to = b};
  hd_vec_push(&rel->edges, edge);
}

void hd_axioms_relate_all(axioms_rel *rel, const hd_axioms *ax, bool sb,
                          bool rf) {
  for (size_t t = 0; sb && t < ax->x->n_threads; t++)
    for (size_t i = 1; i < ax->threads[t].size; i++)
      hd_axioms_relate(rel, ax->threads[t].data[i - 1], ax->threads[t].data[i]);
  for (hd_exec_id i = 0; rf && i < ax->n; i++)
    if (hd_exec_reads(axioms_event(ax, i)) &&
        axioms_event(ax, i)->from != HD_NO_ID)
      hd_axioms_relate(rel, axioms_event(ax, i)->from, i);
  for (hd_vec_each(const hd_exec_edge, e, &ax->x->edges))
    hd_axioms_relate(rel, e->from, e->to);
}

bool hd_axioms_sort(axioms_rel *rel, uint32_t *sorted, hd_exec_id *on) {
  size_t n = rel->n, done = 0, open = 0;
  size_t *start = hd_calloc(n + 1, sizeof *start);
  hd_exec_id *to = hd_calloc(rel->edges.size + 1, sizeof *to);
  uint32_t *left = hd_calloc(n + 1, sizeof *left);
  uint32_t *queue = hd_calloc(n + 1, sizeof *queue);
  for (hd_vec_each(const hd_exec_edge, e, &rel->edges)) {
    start[e->from]++;
    left[e->to]++;
  }
  for (size_t i = 1; i <= n; i++)
    start[i] += start[i - 1];
  for (hd_vec_each(const hd_exec_edge, e, &rel->edges))
    to[--start[e->from]] = e->to;
  for (hd_exec_id i = 0; i < n; i++)
    if (!left[i])
      queue[open++] = i;
  for (; done < open; done++) {
    hd_exec_id i = queue[done];
    for (size_t k = start[i]; k < start[i + 1]; k++)
      if (!--left[to[k]])
        queue[open++] = to[k];
  }
  for (hd_exec_id i = 0; i < n && done < n; i++)
    if (left[i])
      *on = i;
  if (sorted)
    memcpy(sorted, queue, done * sizeof *queue);
  hd_free(start);
  hd_free(to);
  hd_free(left);
  hd_free(queue);
  hd_vec_free(&rel->edges);
  return done == n;
}

/* mo and rb, each step of them. */
static void relate_writes(axioms_rel *rel, const hd_axioms *ax) {
  for (hd_vec_each(const hd_exec_place, p, &ax->x->places))
    for (size_t k = 1; k < p->order.size; k++)
      hd_axioms_relate(rel, p->order.data[k - 1], p->order.data[k]);
  for (hd_exec_id i = 0; i < ax->n; i++) {
    const hd_exec_event *e = axioms_event(ax, i);
    const hd_exec_ids *order =
        e->kind == HD_EXEC_READ ? &ax->x->places.data[e->place].order : NULL;
    if (order && ax->position[i] < order->size)
      hd_axioms_relate(rel, i, order->data[ax->position[i]]);
  }
}

bool hd_axioms_interleaves(hd_axioms *ax) {
  axioms_rel rel = {.n = ax->n};
  hd_axioms_relate_all(&rel, ax, true, true);
  relate_writes(&rel, ax);
  return hd_axioms_sort(&rel, NULL, &ax->a) ||
         hd_axioms_breaks(ax, "no order of all events explains it", ax->a,
                          HD_NO_ID);
}

/* --- TSO --- */

/* What empties the buffer of stores: locked instructions, also those that change
 * nothing, and fences; a seq_cst store
 * is one or the other. What starts threads or waits makes calls. */
static bool drains(const hd_exec_event *e) {
  return e->kind == HD_EXEC_UPDATE || e->locked || e->kind == HD_EXEC_SYNC ||
         (e->order == HD_ORDER_SEQ_CST && e->kind != HD_EXEC_READ);
}

/* Of program order all but a store and a later load is kept, and that, too, with
 * what empties the buffer between them; a thread sees its own stores at once, so
 * what it reads from itself orders nothing. */
bool hd_axioms_tso(hd_axioms *ax) {
  axioms_rel rel = {.n = ax->n};
  hd_axioms_relate_all(&rel, ax, false, false);
  relate_writes(&rel, ax);
  for (hd_exec_id i = 0; i < ax->n; i++) {
    const hd_exec_event *e = axioms_event(ax, i);
    if (hd_exec_reads(e) && e->from != HD_NO_ID &&
        axioms_event(ax, e->from)->thread != e->thread)
      hd_axioms_relate(&rel, e->from, i);
  }
  for (size_t t = 0; t < ax->x->n_threads; t++) {
    hd_exec_id strict = HD_NO_ID, write = HD_NO_ID;
    for (hd_vec_each(const hd_exec_id, id, &ax->threads[t])) {
      const hd_exec_event *e = axioms_event(ax, *id);
      if (e->kind == HD_EXEC_FENCE && !drains(e))
        continue;
      if (strict != HD_NO_ID)
        hd_axioms_relate(&rel, strict, *id);
      if (write != HD_NO_ID && (hd_exec_writes(e) || drains(e)))
        hd_axioms_relate(&rel, write, *id);
      if (drains(e) || hd_exec_reads(e))
        strict = *id;
      if (hd_exec_writes(e))
        write = *id;
    }
  }
  return hd_axioms_sort(&rel, NULL, &ax->a) ||
         hd_axioms_breaks(ax, "TSO: no order of stores and loads explains it",
                          ax->a, HD_NO_ID);
}

/* --- partial sequential consistency of RC11 --- */

typedef struct {
  hd_axioms *ax;
  size_t words;
  hd_exec_id *after; /* the first event behind it with another place */
  hd_exec_id *ahead; /* the last before it */
  uint64_t *scb;     /* a row an event */
} psc;

static bool elsewhere(const hd_axioms *ax, hd_exec_id a, hd_exec_id b) {
  uint32_t place = axioms_event(ax, a)->place;
  return place == HD_NO_ID || place != axioms_event(ax, b)->place;
}

static hd_exec_id neighbour(const hd_axioms *ax, hd_exec_id id, bool behind) {
  const hd_exec_ids *ids = &ax->threads[axioms_event(ax, id)->thread];
  for (size_t i = ax->index[id]; behind ? ++i < ids->size : i-- > 0;)
    if (elsewhere(ax, id, ids->data[i]))
      return ids->data[i];
  return HD_NO_ID;
}

/* mo ∪ rb: b writes what is newer than what a wrote or read. */
static bool overwrites(const hd_axioms *ax, hd_exec_id a, hd_exec_id b) {
  const hd_exec_event *x = axioms_event(ax, a), *y = axioms_event(ax, b);
  return x->place != HD_NO_ID && x->place == y->place && hd_exec_writes(y) &&
         ax->position[a] < ax->position[b];
}

/* scb = sb ∪ sb|≠loc; hb; sb|≠loc ∪ hb|loc ∪ mo ∪ rb */
static bool in_scb(const psc *p, hd_exec_id a, hd_exec_id b) {
  const hd_axioms *ax = p->ax;
  const hd_exec_event *x = axioms_event(ax, a), *y = axioms_event(ax, b);
  if (a == b)
    return false;
  if (x->thread == y->thread && ax->index[a] < ax->index[b])
    return true;
  if (overwrites(ax, a, b))
    return true;
  if (x->place != HD_NO_ID && x->place == y->place && hd_axioms_hb(ax, a, b))
    return true;
  return p->after[a] != HD_NO_ID && p->ahead[b] != HD_NO_ID &&
         hd_axioms_hb(ax, p->after[a], p->ahead[b]);
}

/* eco = (rf ∪ mo ∪ rb)+: at one place, from older to newer. */
static bool in_eco(const hd_axioms *ax, hd_exec_id a, hd_exec_id b) {
  const hd_exec_event *x = axioms_event(ax, a), *y = axioms_event(ax, b);
  if (a == b || x->place == HD_NO_ID || x->place != y->place)
    return false;
  if (hd_exec_writes(x) && y->kind == HD_EXEC_READ)
    return ax->position[a] <= ax->position[b];
  return ax->position[a] < ax->position[b];
}

static void find_scb(psc *p) {
  const hd_axioms *ax = p->ax;
  for (hd_exec_id i = 0; i < ax->n; i++) {
    p->after[i] = neighbour(ax, i, true);
    p->ahead[i] = neighbour(ax, i, false);
  }
  for (hd_exec_id a = 0; a < ax->n; a++)
    for (hd_exec_id b = 0; b < ax->n; b++)
      if (in_scb(p, a, b))
        hd_bits_set(p->scb + a * p->words, b);
}

/* ([Esc] ∪ [Fsc]; hb?); scb from a, into `base`; [Fsc]; hb; eco into `far`. */
static void go_from(const psc *p, hd_exec_id a, uint64_t *base, uint64_t *far) {
  const hd_axioms *ax = p->ax;
  memset(base, 0, p->words * sizeof *base);
  memset(far, 0, p->words * sizeof *far);
  hd_bits_union(base, p->scb + a * p->words, p->words);
  if (axioms_event(ax, a)->kind != HD_EXEC_FENCE)
    return;
  for (hd_exec_id x = 0; x < ax->n; x++) {
    if (!hd_axioms_hb(ax, a, x))
      continue;
    hd_bits_union(base, p->scb + x * p->words, p->words);
    for (hd_exec_id y = 0; y < ax->n; y++)
      if (in_eco(ax, x, y))
        hd_bits_set(far, y);
  }
}

/* psc_base ∪ psc_F from a to b. */
static bool in_psc(const psc *p, hd_exec_id a, hd_exec_id b,
                   const uint64_t *base, const uint64_t *far) {
  const hd_axioms *ax = p->ax;
  bool fence = axioms_event(ax, a)->kind == HD_EXEC_FENCE;
  if (hd_bits_test(base, b))
    return true;
  if (axioms_event(ax, b)->kind != HD_EXEC_FENCE)
    return false;
  if (fence && hd_axioms_hb(ax, a, b))
    return true;
  for (hd_exec_id y = 0; y < ax->n; y++)
    if (hd_axioms_hb(ax, y, b) &&
        (hd_bits_test(base, y) || (fence && hd_bits_test(far, y))))
      return true;
  return false;
}

bool hd_axioms_psc(hd_axioms *ax) {
  hd_exec_ids sc = {0};
  for (hd_exec_id i = 0; i < ax->n; i++)
    if (axioms_event(ax, i)->order == HD_ORDER_SEQ_CST)
      hd_vec_push(&sc, i);
  if (sc.size < 2) { /* a cycle of one is one of hb and eco */
    hd_vec_free(&sc);
    return true;
  }
  psc p = {.ax = ax, .words = hd_bits_words(ax->n)};
  p.after = hd_calloc(2 * ax->n + 1, sizeof *p.after);
  p.ahead = p.after + ax->n;
  p.scb = hd_calloc(ax->n * p.words + 1, sizeof *p.scb);
  find_scb(&p);
  uint64_t *base = hd_calloc(2 * p.words + 1, sizeof *base);
  axioms_rel rel = {.n = ax->n};
  bool self = false;
  for (size_t i = 0; i < sc.size && !self; i++) {
    go_from(&p, sc.data[i], base, base + p.words);
    for (size_t k = 0; k < sc.size; k++)
      if (in_psc(&p, sc.data[i], sc.data[k], base, base + p.words)) {
        hd_axioms_relate(&rel, sc.data[i], sc.data[k]);
        self = self || i == k;
      }
  }
  hd_exec_id on = HD_NO_ID;
  bool good = hd_axioms_sort(&rel, NULL, &on);
  hd_free(p.after);
  hd_free(p.scb);
  hd_free(base);
  hd_vec_free(&sc);
  return good || hd_axioms_breaks(ax,
                                  "seq_cst: no order of what is seq_cst "
                                  "explains it",
                                  on, HD_NO_ID);
}
