/* SPDX-License-Identifier: MIT */
/* Robustness: has a program only executions that are interleavings? Then its
 * interleavings are all there is to be searched (Lahav and Margalit, PLDI 2019;
 * Margalit and Lahav, POPL 2021).
 *
 * An execution is an interleaving if program order, reading, modification order and
 * reading before make no cycle. Take one that is none and has as few events as
 * possible, and from it an event e that no other needs: what is left is an
 * interleaving, and e, of the place x, stands in the order before a write of x that
 * e's thread is *aware* of: one that comes before the thread's last event by those
 * relations. Among the interleavings of what is left there is one in which that
 * write is the last of x when e's turn comes. So it is enough to ask, whenever a
 * thread of an interleaving comes to an access: is it aware of the last write, and
 * may it yet, as no happens-before says so, read something older or write before
 * it?
 *
 * If what it reads makes it go round, it may: without that round all others do
 * what they do (docs/engines/graph.md, "Waiting").
 *
 * What a thread is aware of is kept where `graph` keeps what it depends on
 * (graph_made): here that is also what it overwrites, and who read that before. */
#include "engine/graph/robust.h"

bool hd_robust_is_aware(const node *n, hd_tid thread, graph_id write) {
  const play_thread *t = &n->p.threads.data[thread];
  const graph_event *w = &n->g.events.data[write];
  return w->thread < t->depends.size && w->index < t->depends.data[w->thread];
}

/* The last write of a place; HD_NO_ID: its initial value. */
static graph_id last_of(const graph *g, uint32_t loc) {
  const graph_ids *order = &g->locs.data[loc].order;
  return order->size ? order->data[order->size - 1] : HD_NO_ID;
}

bool hd_robust_lags(const node *n, hd_tid thread, uint32_t loc) {
  graph_id last = last_of(&n->g, loc);
  return last != HD_NO_ID && hd_robust_is_aware(n, thread, last) &&
         hd_graph_least_of(n, thread, loc) < n->g.locs.data[loc].order.size;
}

/* --- what a state has of it --- */

/* Is the write in what `counts` says, of each thread, about its first events? */
static bool covers(const graph *g, const uint64_t *counts, size_t n,
                   graph_id write) {
  if (write == HD_NO_ID)
    return true;
  const graph_event *w = &g->events.data[write];
  return w->thread < n && w->index < counts[w->thread];
}

/* Of what one waits for it matters only where it is tried. */
static void put_bits(const node *x, const robust_places *places,
                     const uint64_t *counts, size_t n, hd_levels *out) {
  const graph *g = &x->g;
  const bool tries = x->p.search->tries;
  for (size_t i = 0; i < places->size; i++) {
    uint32_t loc = places->data[i];
    hd_vec_push(out, (tries || g->locs.data[loc].size) &&
                         covers(g, counts, n, last_of(g, loc)));
  }
}

/* Who reads what is last of a place, and who writes behind it, becomes aware of what
 * its writer was, or all who accessed it were. */
static void put_place(const node *n, const robust_places *places, uint32_t loc,
                      hd_levels *out) {
  const graph *g = &n->g;
  hd_vec(uint64_t) all = {0};
  graph_id last = last_of(g, loc);
  for (size_t id = 0; id < g->events.size; id++) {
    const graph_event *e = &g->events.data[id];
    if (e->loc != loc || !e->made || (id != last && graph_writes(e)))
      continue;
    for (size_t i = 0; i < e->made->n; i++) {
      uint64_t count = e->made->known[e->made->n + i];
      if (i == all.size)
        hd_vec_push(&all, count);
      all.data[i] = count > all.data[i] ? count : all.data[i];
    }
  }
  const graph_made *made = last == HD_NO_ID ? NULL : g->events.data[last].made;
  put_bits(n, places, made ? made->known + made->n : NULL, made ? made->n : 0,
           out);
  put_bits(n, places, all.data, all.size, out);
  hd_vec_free(&all);
}

void hd_robust_encode(const node *n, const robust_places *places,
                      hd_bytes *same, hd_levels *levels) {
  for (hd_tid t = 0; t < n->p.threads.size; t++) {
    const play_thread *thread = &n->p.threads.data[t];
    if (hd_machine_alive(n->p.machine, t) ||
        !hd_machine_joined(n->p.machine, t))
      put_bits(n, places, thread->depends.data, thread->depends.size, levels);
    if (n->p.search->model == HD_MEMORY_TSO)
      hd_vec_push(same, hd_graph_buffers(&n->g, t));
  }
  for (size_t i = 0; i < places->size; i++)
    put_place(n, places, places->data[i], levels);
}
