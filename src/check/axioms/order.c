/* SPDX-License-Identifier: MIT */
/* What is asked of an order of events: that there is one. */
#include "check/axioms/impl.h"

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

/* psc goes round if and only if a graph does that spells its steps out. A node is an
 * event and how far a step from one seq_cst event to the next has come:
 *   psc_base = ([Esc] ∪ [Fsc]; hb?); scb; ([Esc] ∪ hb?; [Fsc])
 *   psc_F    = [Fsc]; (hb ∪ hb; eco; hb); [Fsc]
 *   scb      = sb ∪ sb|≠loc; hb; sb|≠loc ∪ hb|loc ∪ mo ∪ rb
 *   eco      = (rf ∪ mo ∪ rb)+
 * hb is made of its steps (program order, what synchronises), mo of neighbours. No
 * part goes round by itself, so that what goes round comes by START. */
typedef enum {
  START,  /* at a seq_cst event */
  BEFORE, /* [Fsc]; hb? */
  SCB,    /* before scb */
  ALONG,  /* in sb */
  OUT,    /* sb|≠loc; hb */
  SAME,   /* hb|loc: all that are behind it in its thread, at its place */
  NEWER,  /* mo ∪ rb */
  DONE,   /* behind scb */
  BEHIND, /* …; hb? */
  FENCE,  /* [Fsc]; hb */
  FRESH,  /* …; mo or rb, of eco */
  ECO,    /* …; eco */
  BACK,   /* …; eco; hb */
  PLACES
} place;

typedef struct {
  hd_axioms *ax;
  axioms_rel rel;
  size_t *start; /* of the steps of hb from an event, in `step` */
  hd_exec_id *step;
  hd_exec_ids *readers; /* of each event: who only reads from it */
} psc;

static void lead(psc *p, place from, hd_exec_id a, place to, hd_exec_id b) {
  const size_t n = p->ax->n;
  hd_axioms_relate(&p->rel, (hd_exec_id)(from * n + a),
                   (hd_exec_id)(to * n + b));
}

/* hb, one step from a. */
static void lead_on(psc *p, place from, place to, hd_exec_id a) {
  for (size_t i = p->start[a]; i < p->start[a + 1]; i++)
    lead(p, from, a, to, p->step[i]);
}

static void find_steps(psc *p) {
  const hd_axioms *ax = p->ax;
  axioms_rel hb = {.n = ax->n};
  hd_axioms_relate_all(&hb, ax, true, false);
  for (hd_vec_each(const hd_exec_edge, e, &ax->sw))
    hd_axioms_relate(&hb, e->from, e->to);
  p->start = hd_calloc(ax->n + 2, sizeof *p->start);
  p->step = hd_calloc(hb.edges.size + 1, sizeof *p->step);
  for (hd_vec_each(const hd_exec_edge, e, &hb.edges))
    p->start[e->from]++;
  for (size_t i = 1; i <= ax->n; i++)
    p->start[i] += p->start[i - 1];
  for (hd_vec_each(const hd_exec_edge, e, &hb.edges))
    p->step[--p->start[e->from]] = e->to;
  hd_vec_free(&hb.edges);
}

static bool elsewhere(const hd_axioms *ax, hd_exec_id a, hd_exec_id b) {
  uint32_t where = axioms_event(ax, a)->place;
  return where == HD_NO_ID || where != axioms_event(ax, b)->place;
}

/* The first event of the thread behind it, or the last before it, with another place
 * (or none). */
static hd_exec_id neighbour(const hd_axioms *ax, hd_exec_id id, bool behind) {
  const hd_exec_ids *ids = &ax->threads[axioms_event(ax, id)->thread];
  for (size_t i = ax->index[id]; behind ? ++i < ids->size : i-- > 0;)
    if (elsewhere(ax, id, ids->data[i]))
      return ids->data[i];
  return HD_NO_ID;
}

/* The first write that is newer than what the event wrote or read. */
static hd_exec_id newer(const hd_axioms *ax, hd_exec_id id) {
  const hd_exec_event *e = axioms_event(ax, id);
  if (e->place == HD_NO_ID)
    return HD_NO_ID;
  const hd_exec_ids *order = &ax->x->places.data[e->place].order;
  return ax->position[id] < order->size ? order->data[ax->position[id]]
                                        : HD_NO_ID;
}

/* The first of these, which are of one thread, that happens behind a. */
static hd_exec_id first_behind(const hd_axioms *ax, hd_exec_id a,
                               const hd_exec_ids *ids) {
  size_t low = 0, high = ids->size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (hd_axioms_hb(ax, a, ids->data[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low < ids->size ? ids->data[low] : HD_NO_ID;
}

/* hb|loc, of all events of one place. Those of a's own thread are in sb. */
static void lead_same(psc *p, const hd_exec_ids *at) {
  const hd_axioms *ax = p->ax;
  hd_exec_ids *of = hd_calloc(ax->x->n_threads + 1, sizeof *of);
  hd_exec_ids threads = {0};
  for (hd_vec_each(const hd_exec_id, id, at)) {
    hd_tid t = axioms_event(ax, *id)->thread;
    if (of[t].size)
      lead(p, SAME, hd_vec_last(&of[t]), SAME, *id);
    else
      hd_vec_push(&threads, t);
    lead(p, SAME, *id, DONE, *id);
    hd_vec_push(&of[t], *id);
  }
  for (hd_vec_each(const hd_exec_id, id, at))
    for (hd_vec_each(const hd_exec_id, t, &threads)) {
      hd_exec_id b = *t == axioms_event(ax, *id)->thread
                         ? HD_NO_ID
                         : first_behind(ax, *id, &of[*t]);
      if (b != HD_NO_ID)
        lead(p, SCB, *id, SAME, b);
    }
  for (size_t t = 0; t < ax->x->n_threads; t++)
    hd_vec_free(&of[t]);
  hd_free(of);
  hd_vec_free(&threads);
}

static void lead_all_same(psc *p) {
  const hd_axioms *ax = p->ax;
  hd_exec_ids *at = hd_calloc(ax->x->places.size + 1, sizeof *at);
  for (hd_exec_id i = 0; i < ax->n; i++)
    if (axioms_event(ax, i)->place != HD_NO_ID)
      hd_vec_push(&at[axioms_event(ax, i)->place], i);
  for (size_t i = 0; i < ax->x->places.size; i++) {
    lead_same(p, &at[i]);
    hd_vec_free(&at[i]);
  }
  hd_free(at);
}

/* scb, but hb|loc. */
static void lead_scb(psc *p, hd_exec_id id) {
  const hd_axioms *ax = p->ax;
  const hd_exec_ids *own = &ax->threads[axioms_event(ax, id)->thread];
  if (ax->index[id] + 1 < own->size) {
    hd_exec_id next = own->data[ax->index[id] + 1];
    lead(p, SCB, id, ALONG, next);
    lead(p, ALONG, id, ALONG, next);
  }
  lead(p, ALONG, id, DONE, id);
  hd_exec_id after = neighbour(ax, id, true);
  for (size_t i = after == HD_NO_ID ? 0 : p->start[after];
       after != HD_NO_ID && i < p->start[after + 1]; i++)
    lead(p, SCB, id, OUT, p->step[i]);
  lead_on(p, OUT, OUT, id);
  hd_exec_id ahead = neighbour(ax, id, false);
  if (ahead != HD_NO_ID)
    lead(p, OUT, ahead, DONE, id);
  hd_exec_id write = newer(ax, id);
  if (write != HD_NO_ID)
    lead(p, SCB, id, NEWER, write);
  if (write != HD_NO_ID && hd_exec_writes(axioms_event(ax, id)))
    lead(p, NEWER, id, NEWER, write);
  lead(p, NEWER, id, DONE, id);
}

/* hb; eco; hb, from a fence to a fence. */
static void lead_eco(psc *p, hd_exec_id id) {
  const hd_axioms *ax = p->ax;
  hd_exec_id write = newer(ax, id);
  lead_on(p, FENCE, FENCE, id);
  if (write != HD_NO_ID)
    lead(p, FENCE, id, FRESH, write);
  for (hd_vec_each(const hd_exec_id, reader, &p->readers[id])) {
    lead(p, FENCE, id, ECO, *reader);
    lead(p, FRESH, id, ECO, *reader);
  }
  if (write != HD_NO_ID && hd_exec_writes(axioms_event(ax, id)))
    lead(p, FRESH, id, FRESH, write);
  lead(p, FRESH, id, ECO, id);
  lead_on(p, ECO, BACK, id);
  lead_on(p, BACK, BACK, id);
}

static void lead_event(psc *p, hd_exec_id id) {
  const hd_exec_event *e = axioms_event(p->ax, id);
  const bool sc = e->order == HD_ORDER_SEQ_CST;
  const bool fence = sc && e->kind == HD_EXEC_FENCE;
  lead_scb(p, id);
  lead_eco(p, id);
  lead_on(p, BEFORE, BEFORE, id);
  lead(p, BEFORE, id, SCB, id);
  lead(p, DONE, id, BEHIND, id);
  lead_on(p, BEHIND, BEHIND, id);
  if (sc) {
    lead(p, START, id, SCB, id);
    lead(p, DONE, id, START, id);
  }
  if (fence) {
    lead(p, START, id, BEFORE, id);
    lead(p, BEHIND, id, START, id);
    lead_on(p, START, FENCE, id);
    lead(p, FENCE, id, START, id);
    lead(p, BACK, id, START, id);
  }
}

bool hd_axioms_psc(hd_axioms *ax) {
  size_t sc = 0;
  for (hd_exec_id i = 0; i < ax->n; i++)
    sc += axioms_event(ax, i)->order == HD_ORDER_SEQ_CST;
  if (sc < 2) /* a cycle of one is one of hb and eco */
    return true;
  psc p = {.ax = ax, .rel = {.n = PLACES * ax->n}};
  assert(p.rel.n < HD_NO_ID);
  p.readers = hd_calloc(ax->n + 1, sizeof *p.readers);
  for (hd_exec_id i = 0; i < ax->n; i++)
    if (axioms_event(ax, i)->kind == HD_EXEC_READ &&
        axioms_event(ax, i)->from != HD_NO_ID)
      hd_vec_push(&p.readers[axioms_event(ax, i)->from], i);
  find_steps(&p);
  lead_all_same(&p);
  for (hd_exec_id i = 0; i < ax->n; i++)
    lead_event(&p, i);
  hd_exec_id on = HD_NO_ID;
  bool good = hd_axioms_sort(&p.rel, NULL, &on);
  for (hd_exec_id i = 0; i < ax->n; i++)
    hd_vec_free(&p.readers[i]);
  hd_free(p.readers);
  hd_free(p.start);
  hd_free(p.step);
  return good || hd_axioms_breaks(ax,
                                  "seq_cst: no order of what is seq_cst "
                                  "explains it",
                                  (hd_exec_id)(on % ax->n), HD_NO_ID);
}
