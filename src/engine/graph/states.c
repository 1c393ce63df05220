/* SPDX-License-Identifier: MIT */
/* States of weak memory. A state is that of the machine, and of each atomic place
 * the writes that somebody may still read, or write before, with what they publish and
 * who knows of them. From a state every thread makes its next event in every way
 * that coherence and atomicity allow: a read reads from any write that is not
 * older than what its thread knows, a write goes to any place of the order behind
 * that. Every execution of RC11 is made so, in an order of its events that
 * program order and reading allow, and every part of it on the way.
 *
 * Who comes back to where it was, and has changed nothing since, only knows more: what
 * is possible then is possible without that round. What a thread has gone through since
 * it changed anything is a part of the state, so that this decides the same for
 * all ways to a state.
 *
 * The axiom about seq_cst does not keep executions away, as two ways to one state
 * may differ in it. So SAFE is a proof, and a violation counts if the axioms allow
 * the graph it was found by; else nothing is known. */
#include "engine/graph/graph.h"
#include "engine/graph/key.h"
#include "engine/graph/robust.h"

typedef struct {
  graph_search *s;
  graph_seen *seen;
  bool cycles, waits;
  bool all;       /* reads that come to the same are all made */
  bool again;     /* a byte turned out to be accessed plainly, too */
  uint64_t mixes; /* how many of those states tell apart */
  size_t values;  /* that inputs are tried with, beside those of opaque.c */
  uint32_t depth;
  uint64_t states, unknown;
} state_search;

static bool visit(state_search *x, node *n);

/* --- steps --- */

/* A violation counts in a graph that the axioms allow. */
static void end_run(state_search *x, const node *n) {
  bool found = hd_machine_violations(n->p.machine) != 0;
  if (found && !hd_graph_allowed(&n->g, x->s->model))
    x->unknown++;
  else
    hd_graph_end_badly(x->s, n);
}

static bool go_on(state_search *x, node *n, uint32_t loc) {
  if (n->p.failed) {
    end_run(x, n);
    hd_graph_node_free(n);
    return true;
  }
  if (loc != HD_NO_ID)
    hd_play_settle(&n->p, &n->g, loc);
  return visit(x, n);
}

static bool make_choices(state_search *x, const node *n,
                         const play_next *next) {
  hd_turn_choices choices = {0};
  bool fresh = false;
  hd_graph_choices_of(x->s, n, next->event.thread, next->choices, &choices);
  for (size_t c = 0; c < choices.size && !x->s->stop; c++) {
    node one;
    hd_graph_node_copy(&one, n);
    graph_event e = next->event;
    e.choice = choices.data[c];
    one.p.drawn = hd_opaque_drawn(n->p.machine, e.thread, e.choice, n->p.drawn);
    hd_play_event(&one.p, &one.g, hd_graph_add_event(&one, e));
    fresh = go_on(x, &one, HD_NO_ID) || fresh;
  }
  hd_vec_free(&choices);
  return fresh;
}

/* A lock that is free may be found taken by who does not know that it was given up.
 * Some interleaving does that, too, unless the thread is aware of what came last. */
static bool finds_older(state_search *x, const node *n, const play_next *next) {
  const graph_ids *order = &n->g.locs.data[next->event.loc].order;
  const hd_tid thread = next->event.thread;
  if (!x->s->robust || !hd_machine_stale(n->p.machine, thread))
    return false;
  if (order->size && hd_robust_is_aware(n, thread, hd_vec_last(order))) {
    x->s->weaker = next->event.edge;
    x->s->stop = true;
  }
  return true;
}

static void make_wait(state_search *x, const node *n, const play_next *next) {
  uint32_t loc = next->event.loc;
  size_t last = n->g.locs.data[loc].order.size;
  uint64_t choices = finds_older(x, n, next) ? 1 : next->choices;
  for (uint64_t c = 0; c < choices && !x->s->stop; c++) {
    node one;
    hd_graph_node_copy(&one, n);
    graph_event e = next->event;
    e.from = hd_graph_source_at(&n->g, loc, last);
    e.choice = c;
    graph_id id = hd_graph_add_event(&one, e);
    hd_play_event(&one.p, &one.g, id);
    hd_graph_insert(&one.g, id, last);
    go_on(x, &one, HD_NO_ID);
  }
}

static void make_access(state_search *x, const node *n, const play_next *next,
                        size_t at, uint64_t choice) {
  uint32_t loc = next->event.loc;
  node one;
  hd_graph_node_copy(&one, n);
  graph_event e = next->event;
  if (e.kind != GRAPH_WRITE)
    e.from = hd_graph_source_at(&n->g, loc, at);
  e.choice = choice;
  graph_id id = hd_graph_add_event(&one, e);
  hd_play_event(&one.p, &one.g, id);
  if (one.g.events.data[id].kind == GRAPH_READ) {
    go_on(x, &one, loc);
  } else if (hd_graph_may_insert(&n->g, loc, at)) {
    hd_graph_insert(&one.g, id, at);
    go_on(x, &one, loc);
  } else {
    hd_graph_node_free(&one);
  }
}

/* Is there an older write that says the same, or less? Who reads that may still do
 * whatever who reads this one may. */
static bool is_idle(const node *n, const play_next *next, size_t least,
                    size_t at) {
  if (next->event.kind != GRAPH_READ)
    return false;
  uint32_t loc = next->event.loc;
  const hd_message *this = hd_graph_message_at(&n->g, loc, at);
  for (size_t older = least; older < at; older++)
    if (hd_message_says_less(n->p.machine,
                             hd_graph_message_at(&n->g, loc, older), this))
      return true;
  return false;
}

/* The value as the initial one of its place, which publishes nothing. */
static void put_bare(node *n, uint32_t loc, size_t at) {
  graph_loc *l = &n->g.locs.data[loc];
  const hd_message *from = hd_graph_message_at(&n->g, loc, at);
  hd_machine_put(n->p.machine, l->address, l->size, from);
  hd_machine_put(n->p.machine, l->address, l->size, NULL);
  hd_message *bare = hd_machine_message(n->p.machine, l->address, l->size);
  hd_message_drop(l->initial);
  l->initial = bare;
}

/* The thread reads something older, or writes before it, as no interleaving does:
 * is it in a round that comes to nothing? What else the older write publishes, and who
 * may read it, is no part of a state. */
static bool is_harmless(const node *n, const play_next *next, size_t at,
                        uint64_t choice) {
  graph_event e = next->event;
  if (e.kind == GRAPH_WRITE)
    return false;
  const bool free = hd_graph_may_insert(&n->g, e.loc, at);
  node one;
  hd_graph_node_copy(&one, n);
  put_bare(&one, e.loc, at);
  uint64_t value = hd_message_value(one.g.locs.data[e.loc].initial);
  bool harmless = !hd_machine_is_lost(one.p.machine, value);
  e.choice = choice;
  graph_id id = hd_graph_add_event(&one, e);
  hd_play_event(&one.p, &one.g, id);
  if (harmless && !(graph_writes(&one.g.events.data[id]) && !free)) {
    if (!one.p.failed)
      hd_play_advance(&one.p);
    uint8_t state = one.p.threads.data[e.thread].state;
    harmless = !one.p.failed && hd_machine_alive(one.p.machine, e.thread) &&
               (state == THREAD_SPINS || state == THREAD_ASSUMES);
  }
  hd_graph_node_free(&one);
  return harmless;
}

/* Was there such a value before? */
static bool is_again(const graph *g, uint32_t loc, size_t at) {
  for (size_t i = 0; i < at; i++)
    if (hd_message_value(hd_graph_message_at(g, loc, i)) ==
            hd_message_value(hd_graph_message_at(g, loc, at)) &&
        hd_graph_may_insert(g, loc, i) == hd_graph_may_insert(g, loc, at))
      return true;
  return false;
}

/* Has the thread's next access, to memory, an effect that no interleaving has? */
static void look_for_more(state_search *x, const node *n,
                          const play_next *next) {
  hd_tid thread = next->event.thread;
  uint32_t loc = next->event.loc;
  if (x->s->calm || !hd_robust_lags(n, thread, loc))
    return;
  /* Who is aware of the last write by nothing but what stays in order reads it. */
  if (x->s->model == HD_MEMORY_TSO &&
      (next->event.kind != GRAPH_READ || !hd_graph_buffers(&n->g, thread)))
    return;
  bool harmless = next->event.kind != GRAPH_WRITE;
  const size_t last = n->g.locs.data[loc].order.size;
  for (size_t at = 0; harmless && at < last; at++)
    if (!is_again(&n->g, loc, at))
      for (uint64_t c = 0; c < next->choices && harmless; c++)
        harmless = is_harmless(n, next, at, c);
  if (harmless)
    return;
  x->s->weaker = next->event.edge;
  x->s->stop = true;
}

/* All that the thread can do next. True: a new state was found. */
static bool make_next(state_search *x, node *n, hd_tid thread) {
  play_next next = hd_play_look(&n->p, &n->g, thread);
  uint32_t loc = next.event.loc;
  bool fresh = true;
  if (n->p.failed) {
    hd_graph_end_badly(x->s, n);
    n->p.failed = false;
    n->p.refused = NULL;
  } else if (next.event.kind == GRAPH_CHOICE ||
             next.event.kind == GRAPH_FENCE) {
    fresh = make_choices(x, n, &next);
  } else if (!n->g.locs.data[loc].size) {
    if (next.enabled)
      make_wait(x, n, &next);
  } else {
    size_t least = hd_graph_least_of(n, thread, loc);
    bool reads = next.event.kind != GRAPH_WRITE;
    if (x->s->robust) {
      look_for_more(x, n, &next);
      least = n->g.locs.data[loc].order.size;
    }
    for (size_t at = least; at <= n->g.locs.data[loc].order.size && !x->s->stop;
         at++)
      for (uint64_t c = 0; c < (reads ? next.choices : 1) && !x->s->stop; c++)
        if (x->all || !is_idle(n, &next, least, at))
          make_access(x, n, &next, at, c);
  }
  return fresh;
}

/* Does nobody notice when the thread does what is next: a fence, a choice? */
static bool is_private(const node *n, hd_tid thread) {
  const play_thread *t = &n->p.threads.data[thread];
  if (t->state != THREAD_AT || !hd_machine_alive(n->p.machine, thread))
    return false;
  hd_access a = hd_machine_access(n->p.machine, thread);
  const hd_cedge *edge = &n->p.search->code->edges.data[a.edge];
  return hd_machine_at_atomic(n->p.machine, thread) &&
         edge->act == HD_CODE_FENCE;
}

static void expand(state_search *x, node *n) {
  size_t size = n->p.threads.size;
  for (hd_tid t = 0; t < size && !x->s->stop; t++)
    if (is_private(n, t) && make_next(x, n, t))
      return;
  bool any = false;
  for (hd_tid t = 0; t < size && !x->s->stop; t++) {
    if (!hd_machine_alive(n->p.machine, t))
      continue;
    bool enabled = hd_machine_enabled(n->p.machine, t);
    hd_access a = hd_machine_access(n->p.machine, t);
    x->waits = x->waits || (a.open && (a.spurious || !enabled));
    if (n->p.threads.data[t].state != THREAD_AT)
      continue;
    any = any || enabled;
    make_next(x, n, t);
  }
  if (!any && !x->s->stop)
    hd_graph_finish(x->s, n);
}

/* Is a thread where it was, before an event that it could make then? Who goes round
 * without any is not in the way of others, and goes on for ever. */
static bool goes_round(state_search *x, const node *n) {
  for (hd_tid t = 0; t < n->p.threads.size; t++)
    if (n->p.threads.data[t].state == THREAD_SPINS &&
        hd_machine_alive(n->p.machine, t)) {
      x->cycles = true;
      if (hd_machine_at_atomic(n->p.machine, t))
        return true;
    }
  return false;
}

/* Has the search learned that its states or its choices are too few? */
static bool is_new(const state_search *x) {
  const hd_opaque *opaque = x->s->options.opaque;
  return hd_mixes_count(x->s->options.mixes) > x->mixes ||
         (x->s->opaque && !opaque) ||
         (opaque && hd_opaque_found(opaque) > x->values);
}

/* True: the state is new. Frees the node. */
static bool visit(state_search *x, node *n) {
  enum { DEEPEST = 5000 };
  hd_play_advance(&n->p);
  hd_graph_note_cuts(x->s, n);
  if (!hd_run_tick(x->s->run)) {
    hd_graph_give_up(x->s, hd_run_why(x->s->run));
    x->s->stop = true;
  } else if (x->depth > DEEPEST) {
    hd_graph_give_up(x->s, "an execution has more than 5,000 atomic actions");
    x->s->stop = true;
  }
  if (hd_machine_vague(n->p.machine))
    hd_graph_give_up(x->s, hd_machine_vague(n->p.machine));
  else if (hd_machine_told(n->p.machine))
    hd_graph_give_up(x->s, "addresses are compared that may come again");
  if (x->s->stop || n->p.failed) {
    if (!x->s->stop)
      end_run(x, n);
    hd_graph_node_free(n);
    return true;
  }
  if (goes_round(x, n)) {
    hd_graph_node_free(n);
    return false;
  }
  if (is_new(x))
    x->again = x->s->stop = true;
  graph_key key = hd_graph_key_of(n);
  uint32_t entry;
  bool open;
  if (!hd_graph_seen_put(x->seen, &key, x->all, &entry, &open)) {
    x->cycles = x->cycles || open;
    hd_graph_node_free(n);
    return false;
  }
  x->states++;
  x->depth++;
  if (hd_machine_status_of(n->p.machine) == HD_MACHINE_EXITED)
    hd_graph_finish(x->s, n);
  else
    expand(x, n);
  x->depth--;
  hd_graph_seen_close(x->seen, entry);
  hd_graph_node_free(n);
  return true;
}

enum { OPAQUE_LOCAL = 500000 };

/* True: once more, as what was taken for one state may be several; or as what was
 * found was not allowed, but something else that comes to the same may be. */
static bool search(graph_search *s, bool *all) {
  state_search x = {.s = s,
                    .seen = hd_graph_seen_new(),
                    .all = *all,
                    .mixes = hd_mixes_count(s->options.mixes)};
  if (s->opaque && !s->options.opaque) {
    s->options.opaque = hd_opaque_new();
    if (!s->options.max_local) /* what is compared is looked at: slow */
      s->options.max_local = OPAQUE_LOCAL;
  }
  x.values = s->options.opaque ? hd_opaque_found(s->options.opaque) : 0;
  node n = {0};
  hd_play_start(&n.p, s);
  if (hd_machine_status_of(n.p.machine) != HD_MACHINE_RUNNING &&
      hd_machine_status_of(n.p.machine) != HD_MACHINE_EXITED)
    n.p.failed = true;
  visit(&x, &n);
  hd_graph_seen_delete(x.seen);
  const hd_opaque *opaque = s->options.opaque;
  if (opaque && hd_opaque_failed(opaque))
    hd_graph_give_up(s, "an input has too many values for views");
  else if (x.again || (!s->stop && is_new(&x)))
    return true;
  bool more = x.unknown && !*all && !s->robust && !s->stop;
  *all = *all || more;
  if (more)
    return true;
  if (x.unknown)
    hd_graph_give_up(
        s, "a violation that seq_cst may exclude: views does not say");
  s->stuck = x.waits && x.cycles;
  hd_findings_stat(s->result, "views.states", "", (double)x.states,
                   "states, with what threads know");
  return false;
}

static void search_all(graph_search *s) {
  bool all = false;
  while (search(s, &all)) {
    s->stop = s->stuck = s->incomplete = false;
    s->executions = s->blocked = 0;
    hd_free(s->why);
    s->why = NULL;
    s->why_code = HD_WHY_OTHER;
  }
  hd_opaque_delete(s->options.opaque);
  s->options.opaque = NULL;
}

/* Is it known before that there are only interleavings? Under TSO if no store waits. */
static bool is_calm(const graph_search *s) {
  return s->model == HD_MEMORY_SC ||
         (s->model == HD_MEMORY_TSO && !s->buffers && !s->options.plain);
}

/* Interleavings, for most of the time. False: they are not all there is, or not all
 * were seen. */
static bool try_interleavings(graph_search *s) {
  const double most = 0.75;
  hd_run *whole = s->run, run = *whole;
  double now = hd_now();
  if (run.deadline > 0 && !s->calm)
    run.deadline = now + (run.deadline - now) * most;
  s->run = &run;
  s->robust = true;
  s->calm = is_calm(s);
  s->weaker = HD_NO_ID;
  search_all(s);
  s->run = whole;
  return s->weaker == HD_NO_ID && (!s->incomplete || s->calm);
}

void hd_graph_search_states(graph_search *s) {
  if (try_interleavings(s)) {
    s->result->interleaves = !s->stop && !s->incomplete;
    hd_findings_stat(s->result, "views.interleavings", "",
                     s->result->interleaves,
                     "1: all executions are interleavings");
    return;
  }
  s->robust = s->stop = s->stuck = s->incomplete = false;
  hd_free(s->why);
  s->why = NULL;
  s->why_code = HD_WHY_OTHER;
  s->executions = s->blocked = 0;
  search_all(s);
}
