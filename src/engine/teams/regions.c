/* SPDX-License-Identifier: MIT */
/* Regions, from barrier to barrier, and the program around them. */
#include "engine/teams/state.h"

#include "base/hash.h"
#include "check/interp/memory.h"

static void walk_from(hd_team_walker *k, size_t entry,
                      const hd_team_walk_state *state) {
  hd_team_walk *w = k->w;
  hd_team_walk_state s = {0};
  hd_team_walk_copy(&s, state);
  for (size_t i = 0; i < w->intervals.size; i++)
    if (w->intervals.data[i].entry == entry)
      w->intervals.data[i].n = 0; /* it was walked before, with less */
  hd_interval interval = {
      .first = w->accesses.size,
      .entry = entry,
      .place = entry == SIZE_MAX ? entry : k->entries.data[entry].place};
  /* A loop may begin right here. */
  hd_team_walk_states others = {0};
  hd_loc_id at = hd_vec_last(&s.frames).loc;
  if (w->code->locs.data[at].loop != HD_NO_ID) {
    hd_team_walk_shape *shape = hd_team_walk_shape_of(k, at);
    if (!shape->barrier || s.serial)
      hd_team_walk_generalise(k, &s, shape, &others);
  }
  hd_team_walk_follow(k, &s, NULL);
  for (size_t i = 0; i < others.size; i++)
    hd_team_walk_follow(k, &others.data[i], NULL);
  hd_vec_free(&others);
  interval.n = w->accesses.size - interval.first;
  hd_vec_push(&w->intervals, interval);
  hd_team_walk_settle(k, entry);
}

/* Calls the region's function. */
static void begin(hd_team_walker *k, hd_team_walk_state *s, hd_func_id body,
                  hd_team_term argument, hd_edge_id edge) {
  hd_team_walk *w = k->w;
  hd_team_terms *t = w->terms;
  hd_team_term at = hd_team_walk_task_object(k, s);
  hd_team_walk_store(k, s, HD_NO_ID, at, 4, w->number, false, false);
  hd_team_term zero = hd_team_term_const(t, 0);
  hd_vec_push(&s->facts, hd_team_term_make(t, HD_TEAM_LE, zero, w->number));
  hd_vec_push(&s->facts, hd_team_term_lt(t, w->number, w->size));
  int64_t most = w->most;
  w->alone = most == 1;
  if (most > 0)
    hd_vec_push(&s->facts, hd_team_term_make(t, HD_TEAM_LE, w->size,
                                             hd_team_term_const(t, most)));
  hd_team_term args[] = {at, at, argument};
  hd_team_walk_enter(k, s, body, edge, args, 3);
}

/* With the objects in `written` as those that the region writes. */
static void walk_once(hd_team_walker *k, const hd_team_walk_state *start) {
  walk_from(k, SIZE_MAX, start);
  for (bool more = true; more && !k->w->why.size;) {
    more = false;
    for (size_t i = 0; i < k->entries.size && !k->w->why.size; i++) {
      if (!k->entries.data[i].fresh)
        continue;
      k->entries.data[i].fresh = false;
      hd_team_walk_state s = {0};
      hd_team_walk_copy(&s, &k->entries.data[i].state);
      walk_from(k, i, &s);
      hd_team_walk_drop(&s);
      more = true;
    }
  }
  hd_team_walk_align(k);
}

static void forget_all(hd_team_walk *w) {
  hd_vec_clear(&w->accesses);
  hd_vec_clear(&w->intervals);
  hd_vec_clear(&w->facts);
  hd_vec_clear(&w->locks);
  hd_vec_clear(&w->parts);
  hd_vec_clear(&w->tasks);
  hd_vec_clear(&w->depends_on);
  hd_vec_clear(&w->pending);
  w->depends = w->ordered_by_chance = w->waits = w->may_fail = false;
}

/* The region with `s` as the state of the thread that comes to it. */
static void walk_region(hd_team_walker *k, const hd_team_walk_state *s,
                        hd_func_id body, hd_team_term argument,
                        hd_edge_id edge) {
  hd_team_walk *w = k->w;
  w->common = hd_team_term_symbols(w->terms);
  w->number = hd_team_term_symbol(w->terms, false, 32);
  w->size = hd_team_term_symbol(w->terms, !s->team, 32);
  hd_team_walk_team team = {
      .slots = s->objects,
      .heap = s->heap,
      .first_slots = s->team ? s->team->first_slots : s->objects,
      .first_heap = s->team ? s->team->first_heap : s->heap,
      .region_slots = s->objects,
      .region_heap = s->heap,
      .depth = s->frames.size,
      .loops = s->loops.size,
      .parts = s->parts.size,
      .counters = s->counters.size};
  size_t before;
  do {
    before = w->written.size + w->grown;
    forget_all(w);
    hd_team_walk_state start = {0};
    hd_team_walk_copy(&start, s);
    start.team = &team;
    start.serial = w->league ? 1 : 0;
    start.around = s->share.distributed ? s->share : (hd_team_walk_share){0};
    start.locks.size = start.met.size = 0;
    start.pending.size = 0;
    start.task = start.record = 0;
    start.share = (hd_team_walk_share){0};
    if (s->team) /* these are other threads, but for the first one */
      hd_team_walk_forget_threads(k, &start);
    begin(k, &start, body, argument, edge);
    walk_once(k, &start);
    hd_team_walk_drop(&start);
    for (hd_vec_each(hd_team_walk_entry, e, &k->entries))
      hd_team_walk_drop(&e->state);
    hd_vec_clear(&k->entries);
    hd_team_walk_forget_arrivals(k);
  } while (before != w->written.size + w->grown && !w->why.size);
  hd_vec_free(&k->entries);
  hd_vec_free(&k->ends);
  hd_vec_free(&k->joints);
  hd_vec_free(&k->arrivals);
}

/* What the region has done to the memory of who came to it. */
static void take_over(hd_team_walker *k, hd_team_walk_state *s,
                      const hd_team_walk *inner) {
  hd_team_walk *w = k->w;
  for (size_t i = 0; i < inner->written.size; i++) {
    uint64_t object = inner->written.data[i];
    hd_team_walk_havoc(k, s, object);
    if (s->team && !hd_team_walk_is_own(s, object))
      hd_team_walk_write(w, object);
  }
  w->waits = w->waits || inner->waits || s->locks.size;
  w->depends = w->depends || inner->depends;
  w->ordered_by_chance = w->ordered_by_chance || inner->ordered_by_chance;
  w->prints = w->prints || inner->prints;
  if (inner->may_fail && !w->may_fail)
    w->failing = inner->failing;
  w->may_fail = w->may_fail || inner->may_fail;
}

/* For who is outside: its accesses are those of the thread that came here. */
static void hand_on(hd_team_walk *w, const hd_team_walk_state *s,
                    const hd_team_walk *inner) {
  for (size_t i = 0; i < inner->accesses.size; i++) {
    hd_team_access a = inner->accesses.data[i];
    bool mine = hd_team_walk_is_newer(a.object, s->team->region_slots,
                                      s->team->region_heap);
    if ((mine && !s->pending.size && !s->record) ||
        hd_team_walk_is_newer(a.object, s->objects, s->heap))
      continue;
    size_t facts = w->facts.size, locks = w->locks.size, parts = w->parts.size;
    for (size_t j = 0; j < a.n_facts; j++)
      hd_vec_push(&w->facts, inner->facts.data[a.facts + j]);
    for (size_t j = 0; j < a.n_locks; j++)
      hd_vec_push(&w->locks, inner->locks.data[a.locks + j]);
    for (size_t j = 0; j < a.n_parts; j++) {
      hd_part p = inner->parts.data[a.parts + j];
      size_t from = p.counters;
      p.counters = w->facts.size;
      for (size_t n = 0; n < p.n_counters; n++)
        hd_vec_push(&w->facts, inner->facts.data[from + n]);
      hd_vec_push(&w->parts, p);
    }
    a.facts = facts;
    a.locks = locks;
    a.parts = parts;
    a.mine = mine;
    a.task = s->record;
    for (size_t j = 0; j < s->locks.size; j++)
      hd_vec_push(&w->locks, s->locks.data[j]);
    a.n_locks += s->locks.size;
    a.pending = w->pending.size;
    a.n_pending = s->pending.size;
    for (size_t j = 0; j < s->pending.size; j++)
      hd_vec_push(&w->pending, s->pending.data[j]);
    a.counters = w->facts.size;
    a.n_counters = s->pending.size ? s->loops.size : 0;
    for (size_t j = 0; j < a.n_counters; j++)
      hd_vec_push(&w->facts, s->loops.data[j].counter);
    hd_vec_push(&w->accesses, a);
  }
}

static hd_team_walk_habit_of *
habit_of(hd_team_walker *k, const hd_team_walk_state *s, hd_edge_id edge) {
  hd_vec(hd_edge_id) calls = {0};
  for (size_t i = 0; i < s->frames.size; i++)
    hd_vec_push(&calls, s->frames.data[i].call);
  hd_team_walk_habit_of one = {
      .edge = edge,
      .calls = hd_hash_bytes(calls.data, calls.size * sizeof *calls.data),
      .objects = s->objects,
      .heap = s->heap};
  hd_vec_free(&calls);
  for (hd_vec_each(hd_team_walk_habit_of, h, &k->graph->habits))
    if (h->edge == edge && h->calls == one.calls && h->objects == one.objects &&
        h->heap == one.heap)
      return h;
  hd_vec_push(&k->graph->habits, one);
  return &hd_vec_last(&k->graph->habits);
}

/* In a round that only looks for what changes, the region does what it did when it
 * was walked the last time; that is checked when it is walked again. */
static bool take_habit(hd_team_walker *k, hd_team_walk_state *s,
                       hd_edge_id edge) {
  hd_team_walk_habit_of *h = habit_of(k, s, edge);
  if (!k->probing || !h->walked || k->graph->cautious)
    return false;
  h->relied_on = true;
  for (size_t i = 0; i < h->written.size; i++) {
    uint64_t object = h->written.data[i];
    hd_team_walk_havoc(k, s, object);
    if (s->team && !hd_team_walk_is_own(s, object))
      hd_team_walk_write(k->w, object);
  }
  return true;
}

static void keep_habit(hd_team_walker *k, const hd_team_walk_state *s,
                       hd_edge_id edge, const hd_team_walk *inner) {
  hd_team_walk_habit_of *h = habit_of(k, s, edge);
  if (h->relied_on && inner->written.size > h->written.size) {
    k->graph->surprised = true;
    hd_team_walk_refuse(k, edge, "the region changes more than it seemed to");
  }
  h->walked = true;
  hd_vec_clear(&h->written);
  for (size_t i = 0; i < inner->written.size; i++)
    hd_vec_push(&h->written, inner->written.data[i]);
}

void hd_team_walk_fork(hd_team_walker *k, hd_team_walk_state *s,
                       hd_func_id body, hd_team_term argument, hd_edge_id edge,
                       bool league) {
  hd_team_walk *w = k->w;
  hd_team_walk inner = {.outer = w,
                        .machine = w->machine,
                        .code = w->code,
                        .run = w->run,
                        .logic = w->logic,
                        .terms = w->terms,
                        .league = league,
                        .exact = w->exact,
                        .level = s->team ? w->level + 1 : 0};
  int64_t lanes = k->graph->threads - HD_TEAM_WALK_LANES;
  inner.lanes = lanes >= 0 && !league;
  inner.safelen = inner.lanes ? lanes : 0;
  inner.most = league ? k->graph->teams : inner.lanes ? 0 : k->graph->threads;
  k->graph->threads = k->graph->teams = 0;
  if (take_habit(k, s, edge))
    return;
  hd_team_walker ik = {.w = &inner, .graph = k->graph};
  const hd_team_walk_habit_of *likely = habit_of(k, s, edge);
  for (size_t i = 0; i < likely->written.size; i++)
    hd_vec_push(&inner.written, likely->written.data[i]);
  walk_region(&ik, s, body, argument, edge);
  keep_habit(k, s, edge, &inner);
  hd_edge_id one, other;
  w->regions++;
  bool meet =
      !inner.why.size && !k->probing && hd_teams_conflict(&inner, &one, &other);
  /* With more that is known, perhaps not. */
  if (meet && !inner.why.size && hd_teams_find_exclusive(&inner)) {
    inner.hint = 0;
    ik = (hd_team_walker){.w = &inner, .graph = k->graph};
    walk_region(&ik, s, body, argument, edge);
    meet = !inner.why.size && hd_teams_conflict(&inner, &one, &other);
  }
  if (meet)
    hd_teams_tell_conflict(&inner, one, other);
  w->hint = w->hint ? w->hint : inner.hint;
  if (inner.why.size)
    hd_team_walk_refuse(k, HD_NO_ID, "%s", hd_str_text(&inner.why));
  take_over(k, s, &inner);
  if (s->team && !k->probing)
    hand_on(w, s, &inner);
  hd_team_walk_free(&inner);
}

static void graph_free(hd_team_walk_graph *g) {
  for (size_t i = 0; i < g->shapes.size; i++) {
    hd_free(g->shapes.data[i]->body);
    hd_vec_free(&g->shapes.data[i]->sets);
    hd_vec_free(&g->shapes.data[i]->cells);
    hd_vec_free(&g->shapes.data[i]->chosen);
    hd_vec_free(&g->shapes.data[i]->objects);
    hd_free(g->shapes.data[i]);
  }
  hd_vec_free(&g->shapes);
  for (size_t i = 0; i < g->habits.size; i++)
    hd_vec_free(&g->habits.data[i].written);
  hd_vec_free(&g->habits);
  hd_vec_free(&g->lent);
  hd_free(g->barriers);
}

static bool region(hd_team_walk *w, uint64_t body, uint64_t argument,
                   bool cautious) {
  hd_team_walk_graph graph = {.cautious = cautious};
  hd_team_walker k = {.w = w, .graph = &graph};
  hd_team_walk_state none = {0};
  hd_func_id f = hd_ram_func_at(w->machine, body);
  w->exact = true;
  graph.barriers = hd_calloc(w->code->funcs.size, 1);
  if (f == HD_NO_ID)
    hd_team_walk_refuse(&k, HD_NO_ID, "which region is executed is not known");
  else
    walk_region(&k, &none, f, hd_team_term_const(w->terms, (int64_t)argument),
                HD_NO_ID);
  graph_free(&graph);
  return graph.surprised;
}

bool hd_team_walk_region(hd_team_walk *w, uint64_t body, uint64_t argument) {
  const hd_team_walk fresh = *w;
  if (region(w, body, argument, false)) {
    hd_team_walk_free(w);
    *w = fresh;
    (void)region(w, body, argument, true);
  }
  return !w->why.size;
}

static bool program(hd_team_walk *w, bool cautious) {
  hd_team_walk_graph graph = {.cautious = cautious};
  hd_team_walker k = {.w = w, .graph = &graph};
  hd_team_walk_state s = {.serial = 1};
  hd_team_terms *t = w->terms;
  graph.barriers = hd_calloc(w->code->funcs.size, 1);
  hd_team_term args[] = {hd_team_term_symbol(t, true, 32),
                         hd_team_walk_allocate(&k, &s),
                         hd_team_walk_allocate(&k, &s)};
  hd_vec_push(&s.facts, hd_team_term_make(t, HD_TEAM_LE,
                                          hd_team_term_const(t, 0), args[0]));
  hd_team_walk_enter(&k, &s, w->code->main, HD_NO_ID, args, 3);
  hd_team_walk_follow(&k, &s, NULL);
  graph_free(&graph);
  return graph.surprised;
}

bool hd_team_walk_program(hd_team_walk *w) {
  const hd_team_walk fresh = *w;
  if (program(w, false)) {
    hd_team_walk_free(w);
    *w = fresh;
    (void)program(w, true);
  }
  return !w->why.size;
}

void hd_team_walk_free(hd_team_walk *w) {
  hd_vec_free(&w->accesses);
  hd_vec_free(&w->intervals);
  hd_vec_free(&w->facts);
  hd_vec_free(&w->locks);
  hd_vec_free(&w->parts);
  for (size_t i = 0; i < w->sites.size; i++)
    hd_vec_free(&w->sites.data[i].stack);
  hd_vec_free(&w->sites);
  hd_vec_free(&w->tasks);
  hd_vec_free(&w->depends_on);
  hd_vec_free(&w->pending);
  hd_vec_free(&w->written);
  hd_vec_free(&w->exclusive);
  hd_vec_free(&w->captured);
  hd_vec_free(&w->carried);
  hd_vec_free(&w->renewed);
  hd_vec_free(&w->statics);
  hd_team_walk_free_habits(w);
  hd_str_free(&w->why);
}
