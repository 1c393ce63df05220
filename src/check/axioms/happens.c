/* SPDX-License-Identifier: MIT */
/* What synchronises with what, and happens before. */
#include "check/axioms/impl.h"

/* --- sw = [rel]; ([F]; sb)?; rs; rf; [rlx]; (sb; [F])?; [acq] --- */

/* The last release fence of the thread before the event. */
static hd_exec_id fence_before(const hd_axioms *ax, hd_exec_id id) {
  const hd_exec_event *e = axioms_event(ax, id);
  const hd_exec_ids *ids = &ax->threads[e->thread];
  for (size_t i = ax->index[id]; i-- > 0;) {
    const hd_exec_event *f = axioms_event(ax, ids->data[i]);
    if (f->kind == HD_EXEC_FENCE && axioms_releases(f))
      return ids->data[i];
  }
  return HD_NO_ID;
}

/* The first acquire fence of the thread behind the event. */
static hd_exec_id fence_behind(const hd_axioms *ax, hd_exec_id id) {
  const hd_exec_event *e = axioms_event(ax, id);
  const hd_exec_ids *ids = &ax->threads[e->thread];
  for (size_t i = ax->index[id] + 1; i < ids->size; i++) {
    const hd_exec_event *f = axioms_event(ax, ids->data[i]);
    if (f->kind == HD_EXEC_FENCE && axioms_acquires(f))
      return ids->data[i];
  }
  return HD_NO_ID;
}

static void synchronise(hd_axioms *ax, hd_exec_id from, hd_exec_id read) {
  hd_exec_edge edge = {.from = from, .to = read};
  if (axioms_acquires(axioms_event(ax, read)))
    hd_vec_push(&ax->sw, edge);
  edge.to = fence_behind(ax, read);
  if (edge.to != HD_NO_ID)
    hd_vec_push(&ax->sw, edge);
}

/* `head` begins a release sequence that `read` reads from. */
static void from_head(hd_axioms *ax, hd_exec_id head, hd_exec_id read) {
  if (axioms_releases(axioms_event(ax, head)))
    synchronise(ax, head, read);
  hd_exec_id fence = fence_before(ax, head);
  if (fence != HD_NO_ID)
    synchronise(ax, fence, read);
}

/* rs = [W]; (sb; [W])? at the same place, but with C23; (rf; rmw)*. */
static void from_sequences(hd_axioms *ax, hd_exec_id read) {
  hd_exec_id w = axioms_event(ax, read)->from;
  while (w != HD_NO_ID && axioms_atomic(axioms_event(ax, w))) {
    const hd_exec_event *e = axioms_event(ax, w);
    from_head(ax, w, read);
    const hd_exec_ids *ids = &ax->threads[e->thread];
    for (size_t i = 0; i < ax->index[w] && !ax->c23; i++) {
      const hd_exec_event *own = axioms_event(ax, ids->data[i]);
      if (own->place == e->place && hd_exec_writes(own) && axioms_atomic(own))
        from_head(ax, ids->data[i], read);
    }
    w = e->kind == HD_EXEC_UPDATE ? e->from : HD_NO_ID;
  }
}

/* --- hb = (sb ∪ sw)+ --- */

static void learn(hd_axioms *ax, hd_exec_id id, hd_exec_id from) {
  const size_t t = ax->x->n_threads;
  for (size_t i = 0; i < t; i++)
    if (ax->known[from * t + i] > ax->known[id * t + i])
      ax->known[id * t + i] = ax->known[from * t + i];
}

bool hd_axioms_happens(hd_axioms *ax) {
  axioms_rel rel = {.n = ax->n};
  hd_axioms_relate_all(&rel, ax, true, true);
  if (!hd_axioms_sort(&rel, ax->sorted, &ax->a))
    return hd_axioms_breaks(
        ax, "no thin air: program order and reading go round", ax->a, HD_NO_ID);
  for (hd_exec_id i = 0; i < ax->n; i++)
    if (hd_exec_reads(axioms_event(ax, i)) &&
        axioms_atomic(axioms_event(ax, i)))
      from_sequences(ax, i);
  for (hd_vec_each(const hd_exec_edge, e, &ax->x->edges))
    hd_vec_push(&ax->sw, *e);
  size_t *start = hd_calloc(ax->n + 2, sizeof *start);
  hd_exec_id *into = hd_calloc(ax->sw.size + 1, sizeof *into);
  for (hd_vec_each(const hd_exec_edge, e, &ax->sw))
    start[e->to + 1]++;
  for (size_t i = 0; i < ax->n; i++)
    start[i + 1] += start[i];
  for (size_t i = ax->sw.size; i-- > 0;)
    into[--start[ax->sw.data[i].to + 1]] = ax->sw.data[i].from;
  /* now start[i + 1] is where the list of i begins */
  for (size_t k = 0; k < ax->n; k++) {
    hd_exec_id id = ax->sorted[k];
    const hd_exec_event *e = axioms_event(ax, id);
    if (ax->index[id])
      learn(ax, id, ax->threads[e->thread].data[ax->index[id] - 1]);
    size_t end = id + 2 <= ax->n ? start[id + 2] : ax->sw.size;
    for (size_t i = start[id + 1]; i < end; i++)
      learn(ax, id, into[i]);
    ax->known[id * ax->x->n_threads + e->thread] = ax->index[id] + 1;
  }
  hd_free(start);
  hd_free(into);
  return true;
}
