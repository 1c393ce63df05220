/* SPDX-License-Identifier: MIT */
/* Best-first search over the ends of quotient paths.
 *
 * It terminates: the quotient is acyclic, a loop is summarised at most once in
 * a component, and so there are finitely many ends; `limit` keeps their number
 * bearable.
 *
 * Why nothing is missed: every run of the system is a walk over shared states.
 * In a simple component a walk that comes in at shared state y and leaves at x
 * is the way from y to x followed by kappa >= 0 rounds from x to x. Zero rounds
 * and kappa >= 1 rounds are two different ends, because the summary of theorem
 * 3 holds for kappa >= 1 only. Rounds that lower no counter lead to a larger
 * configuration than no rounds and are left out. */
#include "engine/concolic/paths.h"

#include "base/hash.h"

#include <string.h>

#define HD_MAP end_map
#define HD_KEY hd_shared_id
#define HD_VAL hd_u32s
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

/* Terms in the summaries of all ends together; some 70 MB. */
#define TERM_LIMIT 500000
/* Seconds for one system of loop counts. */
#define SMT_SECONDS 5.0

typedef struct {
  uint64_t first, second; /* the lower, the earlier */
  uint32_t id;
} queued;

typedef struct {
  hd_paths *paths;
  const hd_quotient *q;
  const hd_threads *view;
  hd_vec(queued) heap;
  end_map at; /* shared state -> its ends */
  hd_summary work, child;
  hd_segment round;
  hd_rows rows;
  size_t terms; /* kept in all ends */
  bool found, gave_up;
} search;

/* ---- queue ---- */

static bool is_before(const queued *a, const queued *b) {
  return a->first != b->first ? a->first < b->first : a->second < b->second;
}

/* The paper's order, then the components from the last to the first, so that
 * all ends of a component are known when the first one is taken and the larger
 * ones can be dropped, then length. */
static void enqueue(search *s, uint32_t id) {
  const hd_path_end *end = &s->paths->ends.data[id];
  uint64_t before = s->q->components.size - 1 - s->q->component_of[end->shared];
  queued q = {.first = (uint64_t)end->kind << 32 | before,
              .second = (uint64_t)end->length << 32 | id,
              .id = id};
  hd_vec_push(&s->heap, q);
  size_t i = s->heap.size - 1;
  for (; i && is_before(&q, &s->heap.data[(i - 1) / 2]); i = (i - 1) / 2)
    s->heap.data[i] = s->heap.data[(i - 1) / 2];
  s->heap.data[i] = q;
}

static uint32_t dequeue(search *s) {
  uint32_t id = s->heap.data[0].id;
  queued last = hd_vec_pop(&s->heap);
  size_t i = 0, n = s->heap.size;
  for (size_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n &&
        is_before(&s->heap.data[child + 1], &s->heap.data[child]))
      child++;
    if (!is_before(&s->heap.data[child], &last))
      break;
    s->heap.data[i] = s->heap.data[child];
  }
  if (n)
    s->heap.data[i] = last;
  return id;
}

/* ---- giving up ends ---- */

static hd_component_kind kind_at(const search *s, hd_shared_id shared) {
  return s->q->components.data[s->q->component_of[shared]].kind;
}

static bool never_zero(const hd_summary_term *t, uint32_t loops) {
  for (uint32_t i = 1; i <= loops; i++)
    if (t->c[i] < 0)
      return false;
  return t->c[0] > 0;
}

static bool outside_tset(const search *s, hd_shared_id shared,
                         const hd_summary *summary) {
  const hd_cert *tset = s->paths->tset;
  if (!tset || !tset->rows || shared >= tset->n_shared)
    return false;
  const uint64_t *row = tset->rows[shared];
  if (!row)
    return true;
  for (hd_vec_each(const hd_summary_term, t, &summary->terms))
    if (t->local < tset->n_places && !hd_bits_test(row, t->local) &&
        never_zero(t, summary->n_loops))
      return true;
  return false;
}

/* The part of the final condition that no edge on the way back can change. */
static bool fails_already(search *s, hd_shared_id shared,
                          const hd_summary *summary) {
  if (!s->q->settled)
    return false;
  const uint64_t *settled = s->q->settled[s->q->component_of[shared]];
  hd_counts_rows(&s->rows, summary, s->view->available, settled);
  int64_t k[HD_MAX_LOOPS];
  hd_counts_stats unused = {0};
  return hd_counts_solve(&s->rows, summary->n_loops, 0, k, &unused) ==
         HD_COUNTS_NONE;
}

/* Does another end at `shared` than `but` want no more? Of two equal ends only
 * the first is ever added, so ends do not drop each other. Parked ends are left
 * to the explicit search. */
static bool is_covered(search *s, hd_shared_id shared, uint32_t but,
                       const hd_summary *summary) {
  hd_u32s *ids = end_map_find(&s->at, shared);
  if (!ids || s->paths->exhaustive || kind_at(s, shared) == HD_SPAGHETTI)
    return false;
  for (hd_vec_each(const uint32_t, id, ids))
    if (*id != but &&
        hd_summary_covers(summary, &s->paths->ends.data[*id].summary)) {
      s->paths->stats.covered++;
      return true;
    }
  return false;
}

static void report(const search *s, const hd_path *path,
                   const hd_summary *summary, hd_counts_status status) {
  if (s->paths->tested)
    s->paths->tested(s->paths->context, s->paths, path, summary, status);
}

/* Adds an end with the summary `s->child`, unless it can be given up. */
static void add_end(search *s, hd_path_end end) {
  hd_paths *p = s->paths;
  if (outside_tset(s, end.shared, &s->child)) {
    p->stats.outside++;
    return;
  }
  if (is_covered(s, end.shared, HD_NO_ID, &s->child))
    return;
  s->terms += s->child.terms.size;
  if (p->ends.size >= p->limit || s->terms > TERM_LIMIT) {
    s->gave_up = true;
    return;
  }
  uint32_t id = (uint32_t)p->ends.size;
  hd_summary_copy(&end.summary, &s->child);
  hd_vec_push(&p->ends, end);
  p->stats.ends++;
  if (!p->exhaustive && fails_already(s, end.shared, &s->child)) {
    p->stats.settled++;
    report(s, &(hd_path){.end = id}, &s->child, HD_COUNTS_NONE);
    return;
  }
  hd_vec_push(end_map_put(&s->at, end.shared, (hd_u32s){0}, NULL), id);
  enqueue(s, id);
}

/* ---- going backward ---- */

static void test_initial(search *s, hd_path path) {
  hd_paths *p = s->paths;
  p->stats.paths++;
  hd_counts_rows(&s->rows, &s->work, s->view->available, NULL);
  hd_counts_status status = hd_counts_solve(
      &s->rows, s->work.n_loops, SMT_SECONDS, path.k, &p->stats.counts);
  report(s, &path, &s->work, status);
  if (status == HD_COUNTS_UNKNOWN)
    s->gave_up = true;
  if (status != HD_COUNTS_FOUND)
    return;
  s->found = true;
  p->found = path;
}

static void extend(search *s, const hd_path *path, uint32_t edge) {
  const hd_view_edge *e = &s->view->edges.data[edge];
  const hd_path_end *parent = &s->paths->ends.data[path->end];
  hd_path_end end = {.shared = e->from,
                     .parent = path->end,
                     .goal = parent->goal,
                     .edge = edge,
                     .steps = path->steps,
                     .loop = path->loop,
                     .length = parent->length + path->steps + 1,
                     .kind = parent->kind};
  if (kind_at(s, e->from) > end.kind)
    end.kind = kind_at(s, e->from);
  hd_summary_copy(&s->child, &s->work);
  if (!hd_summary_edge(&s->child, e, s->view->available))
    s->gave_up = true;
  else
    add_end(s, end);
}

/* Leaves the component at `at` by every way back there is. */
static void leave(search *s, const hd_path *path, hd_shared_id at) {
  if (at == s->view->init_shared)
    test_initial(s, *path);
  for (uint32_t i = s->q->in_start[at];
       i < s->q->in_start[at + 1] && !s->found && !s->gave_up; i++) {
    uint32_t edge = s->q->in_ids[i];
    if (!hd_quotient_inside(s->q, &s->view->edges.data[edge]))
      extend(s, path, edge);
  }
}

/* Walks back through the component of end `path->end`, whose shared state has
 * the summary `s->work`. */
static void walk(search *s, hd_path path) {
  hd_shared_id at = s->paths->ends.data[path.end].shared;
  uint32_t n = s->q->components.data[s->q->component_of[at]].n_shared;
  for (;;) {
    leave(s, &path, at);
    if (++path.steps == n || s->found || s->gave_up)
      return;
    const hd_view_edge *e = &s->view->edges.data[s->q->loop_in[at]];
    if (!hd_summary_edge(&s->work, e, s->view->available)) {
      s->gave_up = true;
      return;
    }
    at = e->from;
  }
}

static void expand(search *s, uint32_t id) {
  hd_shared_id shared = s->paths->ends.data[id].shared;
  hd_summary_copy(&s->work, &s->paths->ends.data[id].summary);
  walk(s, (hd_path){.end = id});
  if (kind_at(s, shared) == HD_TRIVIAL || s->found || s->gave_up)
    return;
  hd_summary_copy(&s->work, &s->paths->ends.data[id].summary);
  hd_quotient_round(s->q, shared, &s->round);
  if (!hd_summary_loop_helps(&s->work, &s->round, s->view->available))
    return;
  if (s->work.n_loops == HD_MAX_LOOPS ||
      !hd_summary_loop(&s->work, &s->round, s->view->available)) {
    s->gave_up = true;
    return;
  }
  s->paths->stats.loops++;
  walk(s, (hd_path){.end = id, .loop = s->work.n_loops});
}

static void add_goals(search *s) {
  const hd_net *net = s->view->net;
  for (uint32_t i = 0; i < s->view->goals.size && !s->gave_up; i++) {
    const hd_goal *goal = &s->view->goals.data[i];
    if (s->q->component_of[goal->shared] == HD_NO_ID)
      continue;
    hd_summary_start(&s->child,
                     hd_net_view(net, net->targets.data[goal->target].need),
                     s->view->available);
    add_end(s, (hd_path_end){.shared = goal->shared,
                             .parent = HD_NO_ID,
                             .goal = i,
                             .edge = HD_NO_ID,
                             .kind = kind_at(s, goal->shared)});
  }
}

static void show(search *s, hd_run *run) {
  if (!hd_run_wants_progress(run))
    return;
  hd_progress progress = {.engine = "concolic",
                          .names = {"ends", "queue", "paths", "loops"},
                          .values = {s->paths->ends.size, s->heap.size,
                                     s->paths->stats.paths,
                                     s->paths->stats.loops}};
  hd_run_show(run, &progress);
}

static void finish(search *s) {
  for (size_t i = 0; i < s->at.size; i++)
    hd_vec_free(&s->at.items[i].val);
  end_map_free(&s->at);
  hd_vec_free(&s->heap);
  hd_summary_free(&s->work);
  hd_summary_free(&s->child);
  hd_vec_free(&s->round);
  hd_vec_free(&s->rows);
}

hd_paths_status hd_paths_run(hd_paths *paths, hd_run *run) {
  search s = {
      .paths = paths, .q = paths->quotient, .view = paths->quotient->view};
  bool stopped = false;
  add_goals(&s);
  while (s.heap.size && !s.found && !s.gave_up && !stopped) {
    uint32_t id = dequeue(&s);
    stopped = !hd_run_tick(run);
    show(&s, run);
    const hd_path_end *end = &paths->ends.data[id];
    if (is_covered(&s, end->shared, id, &end->summary))
      continue;
    if (kind_at(&s, end->shared) == HD_SPAGHETTI)
      hd_vec_push(&paths->parked, id);
    else
      expand(&s, id);
  }
  bool found = s.found, gave_up = s.gave_up;
  finish(&s);
  if (found)
    return HD_PATHS_FOUND;
  if (stopped)
    return HD_PATHS_STOPPED;
  if (gave_up)
    return HD_PATHS_TOO_MANY;
  return paths->parked.size ? HD_PATHS_PARKED : HD_PATHS_NONE;
}

void hd_paths_free(hd_paths *paths) {
  for (hd_vec_each(hd_path_end, end, &paths->ends))
    hd_summary_free(&end->summary);
  hd_vec_free(&paths->ends);
  hd_vec_free(&paths->parked);
}

/* ---- unrolling ---- */

static void reverse(uint32_t *data, size_t n) {
  for (size_t i = 0; i < n / 2; i++) {
    uint32_t t = data[i];
    data[i] = data[n - 1 - i];
    data[n - 1 - i] = t;
  }
}

/* Appends the `steps` loop edges that lead to `shared`, forward. */
static void append_steps(const hd_quotient *q, hd_shared_id shared,
                         uint32_t steps, hd_u32s *edges) {
  size_t start = edges->size;
  for (uint32_t i = 0; i < steps; i++) {
    hd_vec_push(edges, q->loop_in[shared]);
    shared = q->view->edges.data[q->loop_in[shared]].from;
  }
  if (steps)
    reverse(edges->data + start, steps);
}

/* What lies before end `id` within its component. */
static bool append_component(const hd_paths *paths, uint32_t id, uint32_t steps,
                             int64_t rounds, size_t limit, hd_u32s *edges) {
  const hd_quotient *q = paths->quotient;
  hd_shared_id shared = paths->ends.data[id].shared;
  uint32_t n = q->components.data[q->component_of[shared]].n_edges;
  if ((hd_i128)rounds * n + steps + edges->size > limit)
    return false;
  append_steps(q, shared, steps, edges);
  for (int64_t i = 0; i < rounds; i++)
    append_steps(q, shared, n, edges);
  return true;
}

bool hd_paths_unroll_end(const hd_paths *paths, const hd_path *path,
                         size_t limit, hd_u32s *edges) {
  for (uint32_t id = path->end; paths->ends.data[id].parent != HD_NO_ID;) {
    const hd_path_end *end = &paths->ends.data[id];
    hd_vec_push(edges, end->edge);
    int64_t rounds = end->loop ? 1 + path->k[end->loop - 1] : 0;
    if (!append_component(paths, end->parent, end->steps, rounds, limit, edges))
      return false;
    id = end->parent;
  }
  return true;
}

bool hd_paths_unroll(const hd_paths *paths, const hd_path *path, size_t limit,
                     hd_u32s *edges) {
  int64_t rounds = path->loop ? 1 + path->k[path->loop - 1] : 0;
  return append_component(paths, path->end, path->steps, rounds, limit,
                          edges) &&
         hd_paths_unroll_end(paths, path, limit, edges);
}
