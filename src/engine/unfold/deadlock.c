/* SPDX-License-Identifier: MIT */
/* Deadlocks: nobody can move, and not all threads have ended; or some threads wait
 * for each other.
 *
 * Where one thread waits for what it holds itself that is seen at the thread. For
 * the others a quick argument comes first. A thread holds its own end and the
 * locks it owns; one that waits for a lock or for the end of a thread gives edges
 * from all that it holds to that. In a deadlock one can go from thread to thread
 * for ever along such edges, so without a cycle among the edges of all histories
 * there is none. That does not count where a thread waits for something nobody in
 * particular has to give (a semaphore, a condition, a barrier), or ends with a
 * lock.
 *
 * Otherwise circles are searched for, of threads each of which waits for what the
 * next one holds or has ended with; then configurations in which every living thread
 * stands before an action that cannot happen. A configuration is the union of the
 * histories of its threads' last events; so one such event is chosen for each
 * thread, with one of its stops, the end of the thread among them. Chosen events
 * must not exclude each other, and none may know a later event of another's
 * thread. What owners, counts and waiters are behind all of them is known exactly
 * (I3), so whether an action can happen is, too. A thread that may go on from its
 * last event in several ways waits as soon as one of its stops does: branches
 * depend on values, which are not exact. A segment without a stop (it ends the
 * program, or runs for ever) is in no deadlock.
 *
 * Why cutoffs hide no deadlock. Say a run of the program leads to one; take a
 * configuration of the structure without cutoffs whose states contain the run's,
 * and of those one that is least in the order of histories (structure.c). If it
 * contained a cutoff e, for f, it would be the history of e and a rest. The state
 * behind e is one of those behind f, with the same places of threads, owners,
 * counts and waiters; so the same rest of the run is possible behind f. That is a
 * smaller configuration, since the order is kept by extensions. So the least one
 * has no cutoff, and it is found here: its threads are before the actions the
 * run's are before, and none of them can happen.
 *
 * When main returns the program ends, with whatever others wait for: there is no
 * deadlock behind that. Waits for a signal: a first unfolding does not tell who
 * has been signalled; all waits count as if nobody had. If there is a deadlock
 * then, signals have to become events for another one (`signals`). */
#include "base/bitset.h"
#include "engine/unfold/event.h"
#include "model/endless.h"

/* --- the order of locks --- */

typedef struct {
  structure *s;
  size_t n, words;
  uint64_t *edges; /* n rows */
  uint8_t *colour; /* 0 new, 1 on the way, 2 done */
  bool unclear;    /* the argument does not hold */
} graph;

static bool holds(const structure *s, event_id e, thread_id thread,
                  resource_id r) {
  const resource_key *key = &s->resources.items[r].key;
  if (key->kind == RES_LIFE)
    return key->what == thread;
  const resource_state *x = hd_structure_state(s, e, r);
  return x && (x->owner == thread ||
               (thread < 64 && (x->readers >> thread & 1) != 0));
}

static void add_edges(graph *g, const waiting *w) {
  assert(w->event < g->s->events.size);
  structure *s = g->s;
  const event *e = &s->events.data[w->event];
  if (e->stops.data[w->stop].edge == HD_NO_ID)
    for (resource_id r = 0; r < g->n; r++)
      g->unclear = g->unclear || (s->resources.items[r].key.kind != RES_LIFE &&
                                  holds(s, w->event, e->thread, r));
  if (!hd_sync_may_block(s, w))
    return;
  if (!hd_sync_has_owner(s, w)) {
    g->unclear = true;
    return;
  }
  /* What the thread owns does not make it wait, or (once) for ever. */
  resource_id wanted = w->resources[0];
  const resource_state *x = hd_structure_state(s, w->event, wanted);
  if (x && x->owner == e->thread) {
    event_id last[MAX_RESOURCES] = {hd_structure_last(s, w->event, wanted),
                                    HD_NO_ID};
    g->unclear = g->unclear || !hd_sync_enabled(s, w, last);
    return;
  }
  for (resource_id r = 0; r < g->n; r++)
    if (holds(s, w->event, e->thread, r))
      hd_bits_set(g->edges + r * g->words, wanted);
}

static bool has_cycle(graph *g, resource_id r) {
  assert(r < g->n && g->colour[r] == 0);
  g->colour[r] = 1;
  for (resource_id next = 0; next < g->n; next++)
    if (hd_bits_test(g->edges + r * g->words, next) &&
        (g->colour[next] == 1 || (g->colour[next] == 0 && has_cycle(g, next))))
      return true;
  g->colour[r] = 2;
  return false;
}

static bool is_ordered(structure *s) {
  /* The ends of threads that nobody joins are held, too. */
  for (thread_id t = 0; t <= s->a->threads.size; t++)
    hd_structure_resource(s, (resource_key){RES_LIFE, t, 0});
  graph g = {.s = s, .n = s->resources.size};
  g.words = hd_bits_words(g.n);
  g.edges = hd_calloc(g.n * g.words, sizeof *g.edges);
  g.colour = hd_calloc(g.n, sizeof *g.colour);
  for (size_t i = 0; i < s->waits.size && !g.unclear; i++)
    add_edges(&g, &s->waits.data[i]);
  for (resource_id r = 0; r < g.n && !g.unclear; r++)
    g.unclear = g.colour[r] == 0 && has_cycle(&g, r);
  hd_free(g.edges);
  hd_free(g.colour);
  return !g.unclear;
}

/* --- configurations in which nobody can move --- */

enum { MAX_STEPS = 5000000 };

/* A thread that waits, or has ended, with its last event. */
typedef struct {
  event_id event;
  uint32_t wait; /* of s->waits; HD_NO_ID: it has ended */
} pick;

typedef hd_vec(pick) picks;

typedef struct {
  structure *s;
  size_t n;     /* threads */
  picks *picks; /* per thread: all */
  pick *chosen; /* per thread; event HD_NO_ID: not yet */
  size_t steps;
  bool gave_up;
} search;

/* May x be the last event of its thread beside y, the last of its own? */
static bool is_last(const structure *s, event_id x, event_id y) {
  assert(x < s->events.size);
  event_id known = hd_structure_cut(s, y, s->events.data[x].thread);
  return known == HD_NO_ID || known == x || hd_structure_before(s, known, x);
}

static bool fits(const search *q, event_id e) {
  const structure *s = q->s;
  for (thread_id u = 0; u < q->n; u++) {
    event_id f = q->chosen[u].event;
    if (f != HD_NO_ID && (!is_last(s, e, f) || !is_last(s, f, e) ||
                          hd_structure_conflict(s, e, f)))
      return false;
  }
  return true;
}

static event_id last_of_all(const search *q, resource_id r) {
  event_id last = HD_NO_ID;
  for (thread_id u = 0; u < q->n; u++) {
    if (q->chosen[u].event == HD_NO_ID)
      continue;
    event_id x = hd_structure_last(q->s, q->chosen[u].event, r);
    if (last == HD_NO_ID ||
        (x != HD_NO_ID && hd_structure_before(q->s, last, x)))
      last = x;
  }
  return last;
}

static bool is_stuck(const search *q, const waiting *w) {
  assert(w->n_resources > 0 && w->n_resources <= MAX_RESOURCES);
  event_id before[MAX_RESOURCES] = {HD_NO_ID, HD_NO_ID};
  for (uint32_t i = 0; i < w->n_resources; i++)
    before[i] = last_of_all(q, w->resources[i]);
  return hd_sync_is_stuck(q->s, w, before);
}

/* All threads are chosen: does somebody wait, and nobody not? */
static bool all_are_stuck(const search *q) {
  bool some = false;
  for (thread_id u = 0; u < q->n; u++) {
    if (q->chosen[u].event == HD_NO_ID || q->chosen[u].wait == HD_NO_ID)
      continue;
    if (!is_stuck(q, &q->s->waits.data[q->chosen[u].wait]))
      return false;
    some = true;
  }
  return some;
}

static bool exists(const search *q, thread_id thread) {
  for (thread_id u = 0; u < q->n; u++)
    if (q->chosen[u].event != HD_NO_ID &&
        hd_structure_cut(q->s, q->chosen[u].event, thread) != HD_NO_ID)
      return true;
  return false;
}

/* The next thread to choose for: one that somebody waits to end, since that
 * leaves least to choose; else the first. HD_NO_ID: none is left. */
static thread_id next_thread(const search *q) {
  thread_id first = HD_NO_ID;
  for (thread_id t = 0; t < q->n; t++) {
    if (q->chosen[t].event != HD_NO_ID) {
      if (q->chosen[t].wait == HD_NO_ID)
        continue;
      const waiting *w = &q->s->waits.data[q->chosen[t].wait];
      const resource_key *key = &q->s->resources.items[w->resources[0]].key;
      if (key->kind == RES_LIFE && q->chosen[key->what].event == HD_NO_ID)
        return key->what;
    } else if (first == HD_NO_ID && exists(q, t)) {
      first = t;
    }
  }
  return first;
}

static bool find(search *q) {
  thread_id t = next_thread(q);
  if (t == HD_NO_ID)
    return all_are_stuck(q);
  for (size_t i = 0; i < q->picks[t].size; i++) {
    pick p = q->picks[t].data[i];
    if (++q->steps > MAX_STEPS || !hd_run_tick(q->s->a->run)) {
      q->gave_up = true;
      return false;
    }
    if (!fits(q, p.event))
      continue;
    assert(q->chosen[t].event == HD_NO_ID);
    q->chosen[t] = p;
    if (find(q) || q->gave_up)
      return true;
    q->chosen[t].event = HD_NO_ID;
  }
  return false;
}

/* Some waits are over for good once they are: then there is no need to look. */
static bool may_be_stuck(structure *s, const waiting *w) {
  assert(w->event < s->events.size);
  if (!hd_sync_may_block(s, w))
    return false;
  if (s->resources.items[w->resources[0]].key.kind != RES_LIFE)
    return true;
  const resource_state *x = hd_structure_state(s, w->event, w->resources[0]);
  return !x || !x->exited;
}

static void collect(search *q) {
  structure *s = q->s;
  for (uint32_t i = 0; i < s->waits.size; i++) {
    const waiting *w = &s->waits.data[i];
    assert(s->events.data[w->event].thread < q->n);
    if (may_be_stuck(s, w))
      hd_vec_push(&q->picks[s->events.data[w->event].thread],
                  ((pick){w->event, i}));
  }
  for (event_id e = 0; e < s->events.size; e++) {
    const event *x = &s->events.data[e];
    if (x->kind == EV_EXIT && !x->cutoff && !hd_structure_ends_program(s, e))
      hd_vec_push(&q->picks[x->thread], ((pick){e, HD_NO_ID}));
  }
}

/* --- circles of some threads --- */

static bool close_circle(search *q, thread_id last);

/* With `p`, where its thread holds what somebody wants. */
static bool try_holder(search *q, thread_id u, pick p) {
  assert(u < q->n && q->chosen[u].event == HD_NO_ID);
  if (++q->steps > MAX_STEPS || !hd_run_tick(q->s->a->run)) {
    q->gave_up = true;
    return true;
  }
  if (!fits(q, p.event))
    return false;
  q->chosen[u] = p;
  if (p.wait == HD_NO_ID ? all_are_stuck(q) : close_circle(q, u))
    return true;
  q->chosen[u].event = HD_NO_ID;
  return false;
}

/* The last one that was chosen waits for what another thread holds: one that was
 * chosen before, or has ended, or waits itself for what … */
static bool close_circle(search *q, thread_id last) {
  assert(last < q->n && q->chosen[last].wait < q->s->waits.size);
  const structure *s = q->s;
  const waiting *w = &s->waits.data[q->chosen[last].wait];
  if (!hd_sync_has_owner(q->s, w))
    return false;
  for (thread_id u = 0; u < q->n; u++) {
    if (u == last)
      continue;
    event_id e = q->chosen[u].event;
    if (e != HD_NO_ID) {
      if (holds(s, e, u, w->resources[0]) && all_are_stuck(q))
        return true;
      continue;
    }
    for (hd_vec_each(const pick, p, &q->picks[u]))
      if (holds(s, p->event, u, w->resources[0]) && try_holder(q, u, *p))
        return true;
  }
  return false;
}

/* Some threads wait for each other, whatever the others do. */
static bool find_circle(search *q) {
  for (thread_id t = 0; t < q->n; t++)
    for (size_t i = 0; i < q->picks[t].size; i++) {
      pick p = q->picks[t].data[i];
      if (p.wait == HD_NO_ID)
        continue;
      q->chosen[t] = p;
      if (close_circle(q, t))
        return !q->gave_up;
      q->chosen[t].event = HD_NO_ID;
    }
  return false;
}

/* A thread waits for what nobody in particular has to give: when no run goes on
 * for ever, whoever could give it comes to an end, and there is nobody left to
 * wait beside. Else not all is known. */
static void look_for_endless(structure *s) {
  hd_loc_id loop = hd_code_endless(s->a->code);
  if (loop == HD_NO_ID)
    return;
  for (hd_vec_each(const waiting, w, &s->waits)) {
    if (!may_be_stuck(s, w) || hd_sync_has_owner(s, w))
      continue;
    hd_edge_id edge = s->events.data[w->event].stops.data[w->stop].edge;
    hd_str text = {0};
    hd_code_print_pos(&text, s->a->code, s->a->code->locs.data[loop].pos);
    hd_analysis_alarm(s->a, HD_PROPERTY_DEADLOCK, edge, HD_NO_ID,
                      "a thread may wait for ever beside the loop at %s",
                      hd_str_text(&text));
    hd_str_free(&text);
    return;
  }
}

/* Without spurious wake-ups there may be less than there seems to be. */
static bool unsure(structure *s) {
  if (s->a->signals || !s->a->options->no_spurious)
    return false;
  for (hd_vec_each(const waiting, w, &s->waits))
    if (hd_sync_needs_signal(s, w))
      return true;
  return false;
}

/* Raises the alarm; true: somebody waits for a signal that is not looked at. */
static bool report(search *q) {
  structure *s = q->s;
  hd_str text = {0};
  hd_edge_id where = HD_NO_ID;
  bool signal = false;
  for (thread_id t = 0; t < q->n; t++) {
    if (q->chosen[t].event == HD_NO_ID || q->chosen[t].wait == HD_NO_ID)
      continue;
    const waiting *w = &s->waits.data[q->chosen[t].wait];
    hd_edge_id edge = s->events.data[w->event].stops.data[w->stop].edge;
    assert(edge < s->a->code->edges.size); /* who has ended does not wait */
    signal = signal || (!s->a->signals && hd_sync_needs_signal(s, w));
    where = where == HD_NO_ID ? edge : where;
    hd_str_printf(&text, "%sthread %u may wait at ", text.size ? ", " : "", t);
    hd_code_print_pos(&text, s->a->code, s->a->code->edges.data[edge].pos);
  }
  hd_vec_clear(&s->a->now);
  for (thread_id t = 0; t < q->n; t++)
    if (q->chosen[t].event != HD_NO_ID)
      hd_vec_push(&s->a->now, q->chosen[t].event);
  hd_analysis_alarm(s->a, HD_PROPERTY_DEADLOCK, where, HD_NO_ID, "%s for ever",
                    hd_str_text(&text));
  hd_str_free(&text);
  return signal || unsure(s);
}

static bool search_all(structure *s) {
  search q = {.s = s, .n = s->a->threads.size + 1};
  q.picks = hd_calloc(q.n, sizeof *q.picks);
  q.chosen = hd_calloc(q.n, sizeof *q.chosen);
  for (thread_id t = 0; t < q.n; t++)
    q.chosen[t].event = HD_NO_ID;
  collect(&q);
  bool signal = false, circle = find_circle(&q);
  if (circle)
    signal = report(&q);
  for (size_t i = 0; i < q.picks[0].size && !q.gave_up && !circle; i++) {
    q.chosen[0] = q.picks[0].data[i];
    if (find(&q) && !q.gave_up) {
      signal = report(&q);
      break;
    }
  }
  if (q.gave_up)
    hd_analysis_alarm(s->a, HD_PROPERTY_DEADLOCK, 0, HD_NO_ID,
                      "there are too many ways to wait to look at all");
  else
    look_for_endless(s);
  for (thread_id t = 0; t < q.n; t++)
    hd_vec_free(&q.picks[t]);
  hd_free(q.picks);
  hd_free(q.chosen);
  return signal;
}

void hd_structure_relocks(structure *s) {
  for (hd_vec_each(const waiting, w, &s->waits)) {
    if (!hd_sync_locks_again(s, w))
      continue;
    hd_edge_id edge = s->events.data[w->event].stops.data[w->stop].edge;
    hd_structure_look_at(s, w->event, HD_NO_ID);
    hd_analysis_alarm(s->a, HD_PROPERTY_SYNC, edge, HD_NO_ID,
                      "a thread may lock a mutex that it holds");
  }
}

bool hd_structure_deadlocks(structure *s) {
  for (hd_vec_each(const waiting, w, &s->waits))
    if (hd_sync_waits_for_itself(s, w)) {
      hd_edge_id edge = s->events.data[w->event].stops.data[w->stop].edge;
      hd_structure_look_at(s, w->event, HD_NO_ID);
      hd_analysis_alarm(s->a, HD_PROPERTY_DEADLOCK, edge, HD_NO_ID,
                        "a thread may wait for what it holds itself");
      return unsure(s);
    }
  return !is_ordered(s) && search_all(s);
}
