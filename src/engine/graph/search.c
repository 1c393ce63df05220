/* SPDX-License-Identifier: MIT */
/* All execution graphs, each once: TruSt. A graph is extended by the next event
 * of the first thread that has one. A read reads from every write that coherence
 * allows. A write is put into every place of its order, and every read of its
 * location that it does not depend on is revisited: the events that were added
 * behind the read and that the write does not depend on are taken away, and the
 * read reads from the write; but only if those events were the one continuation
 * that stands for all. */
#include "engine/graph/graph.h"
#include "engine/graph/node.h"
#include "model/calls.h"

#include <string.h>

static void visit(graph_search *s, node *n);
static void revisit_all(graph_search *s, const node *n, graph_id write);

/* Has the thread come to a wait by this read, of something that is not the newest,
 * and nobody can notice that it was there? Whatever others do then they also do
 * when it reads the newest; so this graph is not needed. */
static bool waits_for_old(const node *n, graph_id id) {
  const graph_event *e = &n->g.events.data[id];
  const play_thread *t = &n->p.threads.data[e->thread];
  return e->kind == GRAPH_READ && !e->blocked &&
         (t->state == THREAD_SPINS || t->state == THREAD_ASSUMES) &&
         t->done == e->index + 1 && t->wrote <= e->index &&
         (!e->first || hd_graph_position(&n->g, e->loc, e->from) !=
                           n->g.locs.data[e->loc].order.size);
}

/* A graph with everything executed, the event as the last: goes on with it if it
 * is one. Frees it. */
static void go_on(graph_search *s, node *n, graph_id id, uint32_t loc) {
  if (n->p.failed) {
    if (hd_graph_allowed(&n->g, s->model))
      hd_graph_end_badly(s, n);
    hd_graph_node_free(n);
    return;
  }
  if (!hd_graph_allowed(&n->g, s->model)) {
    hd_graph_node_free(n);
    return;
  }
  if (loc != HD_NO_ID)
    hd_play_settle(&n->p, &n->g, loc);
  hd_play_advance(&n->p);
  if (!n->p.failed && waits_for_old(n, id))
    hd_graph_node_free(n);
  else
    visit(s, n);
}

static void place(graph_search *s, node *n, graph_id write, size_t at,
                  bool last) {
  node next;
  hd_graph_node_take(&next, n, last);
  hd_graph_insert(&next.g, write, at);
  go_on(s, &next, write, next.g.events.data[write].loc);
}

/* --- revisits --- */

/* `read` of the restricted graph is all that is not executed, and reads from
 * `write`, which has no place in its order yet. */
static void revisit_read(graph_search *s, const node *n, graph_id read,
                         graph_id write) {
  hd_tid thread = n->g.events.data[read].thread;
  uint32_t loc = n->g.events.data[read].loc;
  bool memory = n->g.locs.data[loc].size != 0;
  if (n->p.threads.data[thread].state != THREAD_AT)
    return;
  size_t least = hd_graph_least_of(n, thread, loc);
  node probe;
  hd_graph_node_copy(&probe, n);
  play_next next = hd_play_look(&probe.p, &probe.g, thread);
  hd_turn_choices choices = {0};
  hd_graph_choices_of(s, &probe, thread, next.choices, &choices);
  hd_graph_node_free(&probe);
  const graph_event *w = &n->g.events.data[write];
  for (size_t c = 0; c < choices.size && !s->stop; c++) {
    node again;
    hd_graph_node_copy(&again, n);
    graph_event *r = &again.g.events.data[read];
    r->kind = next.event.kind;
    r->order = next.event.order;
    r->choice = choices.data[c];
    r->first = c == 0;
    hd_play_event(&again.p, &again.g, read);
    bool updates = again.g.events.data[read].kind == GRAPH_UPDATE;
    size_t first =
        w->kind == GRAPH_UPDATE
            ? hd_graph_position(&n->g, loc, w->from)
            : hd_graph_least(&n->g, loc, w->thread, w->made->known, w->made->n);
    size_t last =
        w->kind == GRAPH_UPDATE ? first : n->g.locs.data[loc].order.size;
    for (size_t at = first; at <= last && !s->stop; at++) {
      if (!hd_graph_may_insert(&n->g, loc, at) || at < least)
        continue;
      node next_node;
      hd_graph_node_copy(&next_node, &again);
      hd_graph_insert(&next_node.g, write, at);
      s->revisits++;
      if (updates) { /* its write is new, too */
        next_node.g.events.data[read].written = next_node.g.clock++;
        if (memory && !next_node.p.failed)
          revisit_all(s, &next_node, read);
        hd_graph_insert(&next_node.g, read, at + 1);
      }
      if (s->stop)
        hd_graph_node_free(&next_node);
      else
        go_on(s, &next_node, read, memory ? loc : HD_NO_ID);
    }
    hd_graph_node_free(&again);
  }
  hd_vec_free(&choices);
}

static void restricted(graph_search *s, const node *n, graph_id read,
                       graph_id write, node *out, graph_id *r, graph_id *w) {
  graph_id *map = hd_calloc(n->g.events.size + 1, sizeof *map);
  hd_graph_restrict(&out->g, &n->g, read, write, map);
  *r = map[read];
  *w = map[write];
  hd_free(map);
  hd_play_start(&out->p, s);
}

/* Executing the graph without `read` came to an end: counts if there is such a
 * graph, with `write` where it must be, or newest. */
static void end_revisit(graph_search *s, const node *n, graph_id read,
                        graph_id write) {
  graph g;
  hd_graph_without(&g, &n->g, read);
  graph_id w = write < read ? write : write - 1;
  const graph_event *e = &g.events.data[w];
  size_t at = e->kind == GRAPH_UPDATE ? hd_graph_position(&g, e->loc, e->from)
                                      : g.locs.data[e->loc].order.size;
  bool real = hd_graph_may_insert(&g, e->loc, at);
  hd_graph_insert(&g, w, at);
  if (real && hd_graph_allowed(&g, s->model))
    hd_graph_end_badly(s, n);
  hd_graph_execution_free(&g);
}

/* Is no other update left that reads what the write, if it is one, reads? */
static bool is_atomic(const graph *g, graph_id write) {
  const graph_event *w = &g->events.data[write];
  return w->kind != GRAPH_UPDATE ||
         hd_graph_may_insert(g, w->loc, hd_graph_position(g, w->loc, w->from));
}

static bool may_revisit(const graph *g, graph_id read, graph_id write) {
  const graph_event *r = &g->events.data[read], *w = &g->events.data[write];
  return graph_reads(r) && r->loc == w->loc && read != write &&
         !hd_graph_in_prefix(g, read, write) &&
         hd_graph_is_maximal(g, read, write);
}

/* Of memory; the write is executed, and in no order yet. */
static void revisit_all(graph_search *s, const node *n, graph_id write) {
  for (graph_id r = 0; r < n->g.events.size && !s->stop; r++) {
    if (!may_revisit(&n->g, r, write))
      continue;
    node again;
    graph_id read, w;
    restricted(s, n, r, write, &again, &read, &w);
    if (is_atomic(&again.g, w)) {
      hd_play_all(&again.p, &again.g, read, HD_NO_ID);
      if (again.p.failed)
        end_revisit(s, &again, read, w);
      else
        revisit_read(s, &again, read, w);
    }
    hd_graph_node_free(&again);
  }
}

/* The operation comes earlier in the order of what it waits for: before the
 * update that now reads what it reads. */
static void revisit_wait(graph_search *s, const node *n, graph_id write) {
  for (graph_id r = 0; r < n->g.events.size && !s->stop; r++) {
    if (!may_revisit(&n->g, r, write))
      continue;
    node again;
    graph_id read, w;
    restricted(s, n, r, write, &again, &read, &w);
    bool fits = is_atomic(&again.g, w);
    hd_tid thread = again.g.events.data[w].thread;
    if (fits)
      hd_play_all(&again.p, &again.g, read, w);
    if (again.p.failed)
      hd_graph_end_badly(s,
                         &again); /* without either: a part of what there was */
    fits = fits && !again.p.failed && thread < again.p.threads.size &&
           again.p.threads.data[thread].state == THREAD_AT &&
           hd_machine_enabled(again.p.machine, thread);
    uint64_t many = fits ? hd_machine_choices(again.p.machine, thread) : 0;
    for (uint64_t c = 0; c < many && !s->stop; c++) {
      node made;
      hd_graph_node_copy(&made, &again);
      made.g.events.data[w].choice = c;
      made.g.events.data[w].first = c == 0;
      hd_play_event(&made.p, &made.g, w);
      if (!made.p.failed)
        hd_play_advance(&made.p);
      if (made.p.failed)
        end_revisit(s, &made, read, w);
      else
        revisit_read(s, &made, read, w);
      hd_graph_node_free(&made);
    }
    hd_graph_node_free(&again);
  }
}

/* --- the next event --- */

static void add_choices(graph_search *s, node *n, const play_next *next) {
  hd_turn_choices choices = {0};
  hd_graph_choices_of(s, n, next->event.thread, next->choices, &choices);
  for (size_t c = 0; c < choices.size && !s->stop; c++) {
    node one;
    hd_graph_node_take(&one, n, c + 1 == choices.size);
    graph_event e = next->event;
    e.choice = choices.data[c];
    e.first = c == 0;
    graph_id id = hd_graph_add_event(&one, e);
    hd_play_event(&one.p, &one.g, id);
    go_on(s, &one, id, HD_NO_ID);
  }
  hd_vec_free(&choices);
}

static void add_read(graph_search *s, node *n, const play_next *next) {
  uint32_t loc = next->event.loc;
  size_t least = hd_graph_least_of(n, next->event.thread, loc);
  for (size_t at = n->g.locs.data[loc].order.size + 1;
       at-- > least && !s->stop;)
    for (uint64_t c = 0; c < next->choices && !s->stop; c++) {
      node one;
      graph_event e = next->event;
      e.from = hd_graph_source_at(&n->g, loc, at);
      hd_graph_node_take(&one, n, at == least && c + 1 == next->choices);
      e.choice = c;
      e.first = c == 0;
      graph_id id = hd_graph_add_event(&one, e);
      hd_play_event(&one.p, &one.g, id);
      if (one.g.events.data[id].kind == GRAPH_READ) {
        go_on(s, &one, id, loc);
        continue;
      }
      if (!one.p.failed)
        revisit_all(s, &one, id);
      if (hd_graph_may_insert(&one.g, loc, at) && !s->stop) {
        hd_graph_insert(&one.g, id, at);
        go_on(s, &one, id, loc);
      } else
        hd_graph_node_free(&one);
    }
}

static void add_write(graph_search *s, node *n, const play_next *next) {
  uint32_t loc = next->event.loc;
  size_t least = hd_graph_least_of(n, next->event.thread, loc);
  node one;
  hd_graph_node_take(&one, n, true);
  graph_event e = next->event;
  e.first = true;
  graph_id id = hd_graph_add_event(&one, e);
  hd_play_event(&one.p, &one.g, id);
  if (!one.p.failed)
    revisit_all(s, &one, id);
  while (least <= one.g.locs.data[loc].order.size &&
         !hd_graph_may_insert(&one.g, loc, least))
    least++;
  for (size_t at = one.g.locs.data[loc].order.size + 1;
       at-- > least && !s->stop;)
    if (hd_graph_may_insert(&one.g, loc, at))
      place(s, &one, id, at, at == least);
  hd_graph_node_free(&one);
}

/* As far as is known without executing it. */
static void set_prefix(node *n, graph_id id) {
  graph_event *e = &n->g.events.data[id];
  const play_thread *t = &n->p.threads.data[e->thread];
  uint32_t k = (uint32_t)n->p.threads.size;
  graph_made *made = hd_calloc(1, sizeof *made + 2 * k * sizeof *made->known);
  made->refs = 1;
  made->n = k;
  made->time = hd_machine_knows(n->p.machine, e->thread, e->thread);
  for (hd_tid i = 0; i < k; i++) {
    uint64_t count = i < t->depends.size ? t->depends.data[i] : 0;
    if (e->from != HD_NO_ID) {
      const graph_made *from = n->g.events.data[e->from].made;
      if (i < from->n && from->known[from->n + i] > count)
        count = from->known[from->n + i];
    }
    made->known[i] = hd_machine_knows(n->p.machine, e->thread, i);
    made->known[k + i] = count;
  }
  made->known[k + e->thread] = e->index + 1;
  e->made = made;
}

static void add_wait(graph_search *s, node *n, const play_next *next) {
  uint32_t loc = next->event.loc;
  size_t least = hd_graph_least_of(n, next->event.thread, loc);
  size_t last = n->g.locs.data[loc].order.size;
  for (size_t at = least; at < last && !s->stop; at++) {
    node one;
    hd_graph_node_copy(&one, n);
    graph_event e = next->event;
    e.from = hd_graph_source_at(&n->g, loc, at);
    e.first = true;
    graph_id id = hd_graph_add_event(&one, e);
    set_prefix(&one, id);
    revisit_wait(s, &one, id);
    hd_graph_node_free(&one);
  }
  for (uint64_t c = 0; c < next->choices && !s->stop; c++) {
    node one;
    graph_event e = next->event;
    e.from = hd_graph_source_at(&n->g, loc, last);
    hd_graph_node_take(&one, n, c + 1 == next->choices);
    e.choice = c;
    e.first = c == 0;
    graph_id id = hd_graph_add_event(&one, e);
    hd_play_event(&one.p, &one.g, id);
    if (!one.g.events.data[id].blocked) {
      if (!one.p.failed) /* those that wait after what it reads */
        revisit_all(s, &one, id);
      hd_graph_insert(&one.g, id, last);
    }
    if (s->stop)
      hd_graph_node_free(&one);
    else
      go_on(s, &one, id, HD_NO_ID);
  }
}

/* Was a byte accessed by atomic operations and others, which was not known? */
static bool is_mixed(const graph_search *s) {
  return hd_mixes_count(s->options.mixes) > s->mixes;
}

static void visit(graph_search *s, node *n) {
  enum { LONGEST = 3000 }; /* events: the search goes as deep */
  hd_play_advance(&n->p);
  hd_graph_note_cuts(s, n);
  s->steps++;
  if (is_mixed(s) && !s->stop)
    s->again = s->stop = true;
  if (n->g.events.size > LONGEST) {
    hd_graph_give_up(s, "an execution has more than 3,000 atomic actions");
    s->stop = s->partial = true;
  }
  if (!hd_run_tick(s->run)) {
    hd_graph_give_up(s, hd_run_why(s->run));
    s->stop = s->partial = true;
  }
  hd_tid t = 0;
  while (t < n->p.threads.size && (n->p.threads.data[t].state != THREAD_AT ||
                                   !hd_machine_alive(n->p.machine, t)))
    t++;
  if (s->stop) {
  } else if (n->p.failed) {
    hd_graph_end_badly(s, n);
  } else if (t == n->p.threads.size ||
             hd_machine_status_of(n->p.machine) == HD_MACHINE_EXITED) {
    hd_graph_finish(s, n);
  } else {
    play_next next = hd_play_look(&n->p, &n->g, t);
    bool wait =
        next.event.loc != HD_NO_ID && !n->g.locs.data[next.event.loc].size;
    if (n->p.failed)
      hd_graph_end_badly(s, n);
    else if (next.event.kind == GRAPH_CHOICE || next.event.kind == GRAPH_FENCE)
      add_choices(s, n, &next);
    else if (wait)
      add_wait(s, n, &next);
    else if (next.event.kind == GRAPH_WRITE)
      add_write(s, n, &next);
    else
      add_read(s, n, &next);
  }
  hd_graph_node_free(n);
}

/* --- the engine --- */

static void tell_numbers(graph_search *s) {
  hd_explore_result *r = s->result;
  if (s->partial)
    hd_findings_stat(r, "graph.seen", "", (double)s->executions,
                     "complete execution graphs, but not all");
  else
    hd_findings_stat(r, "graph.executions", "", (double)s->executions,
                     "complete execution graphs");
  hd_findings_stat(r, "graph.blocked", "", (double)s->blocked,
                   "execution graphs in which a thread waits for ever");
  hd_findings_stat(r, "graph.revisits", "", (double)s->revisits,
                   "reads that a later write was given to");
  hd_findings_stat(r, "graph.steps", "", (double)s->steps, "graphs extended");
}

static void conclude(graph_search *s) {
  hd_explore_result *r = s->result;
  bool found = false;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    found = found || r->findings[p].verdict == HD_UNSAFE;
  if (s->incomplete)
    hd_findings_rest(r, HD_UNKNOWN, s->why_code, s->why);
  else if (s->raced && !hd_memmodel_keeps_races(s->model))
    hd_findings_rest(r, HD_UNKNOWN, HD_WHY_OTHER,
                     "there is a data race, which --property=race shows");
  else if (found)
    hd_findings_rest(r, HD_UNKNOWN, HD_WHY_OTHER,
                     "runs end at another violation before");
  else
    hd_findings_rest(r, HD_SAFE, HD_WHY_OTHER, NULL);
  hd_finding *deadlock = &r->findings[HD_PROPERTY_DEADLOCK];
  if (s->stuck && deadlock->asked && deadlock->verdict == HD_SAFE) {
    deadlock->verdict = HD_UNKNOWN;
    deadlock->reason =
        hd_strdup("a thread may wait for ever while others go round");
  }
  if (!s->states)
    tell_numbers(s);
}

/* All graphs; stops at a violation, or a race. True: once more, as atomic accesses to
 * a byte were not remembered that is accessed otherwise, too. */
static bool search_graphs(graph_search *s) {
  s->mixes = hd_mixes_count(s->options.mixes);
  node n = {0};
  hd_play_start(&n.p, s);
  if (hd_machine_status_of(n.p.machine) != HD_MACHINE_RUNNING &&
      hd_machine_status_of(n.p.machine) != HD_MACHINE_EXITED)
    n.p.failed = true;
  visit(s, &n);
  bool again = s->again || (!s->stop && is_mixed(s));
  s->stop = s->stop && !again;
  s->again = false;
  return again;
}

static void search_all(graph_search *s) {
  const bool crowded = s->crowded;
  s->options.mixes = hd_mixes_new();
  if (s->states)
    hd_graph_search_states(s);
  else
    while (search_graphs(s))
      s->executions = s->blocked = s->revisits = 0;
  hd_mixes_delete(s->options.mixes);
  s->options.mixes = NULL;
  if (s->early && s->result->findings[HD_PROPERTY_MEMORY].asked &&
      !s->result->findings[HD_PROPERTY_MEMORY].also &&
      (s->visits || !s->options.clocks))
    hd_graph_give_up(s, "main may end before others, which use its variables");
  if (s->crowded == crowded)
    return;
  s->stop = s->stuck = false;
  s->executions = s->blocked = s->revisits = 0;
  search_all(s);
}

/* There is a race. Once more, with plain accesses as events that order nothing:
 * where races have no meaning, for other violations that come with them. */
static void search_races(graph_search *s) {
  bool asked = s->checks >> HD_PROPERTY_RACE & 1;
  if (!s->raced || s->incomplete ||
      (asked && !hd_memmodel_keeps_races(s->model)))
    return;
  s->options.plain = true;
  s->options.checks = s->checks & ~hd_property_bit(HD_PROPERTY_RACE);
  s->stop = s->stuck = false;
  s->executions = s->blocked = s->revisits = 0;
  search_all(s);
}

/* Is there more than main that creates threads? Then their numbers depend on
 * who comes first. */
static bool creates_elsewhere(const hd_code *code) {
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    if (e->act != HD_CODE_CALL || code->locs.data[e->from].func == code->main)
      continue;
    const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
    hd_library_fn fn =
        callee->op == HD_CODE_FUNC
            ? hd_library_find(code->funcs.data[callee->value].name)
            : HD_LIB_NONE;
    if (fn == HD_LIB_pthread_create || fn == HD_LIB_thrd_create)
      return true;
  }
  return false;
}

/* Beside weak orders: else all is sequentially consistent. */
static bool tries_locks(const hd_code *code) {
  bool tries = false;
  for (hd_vec_each(const hd_func, f, &code->funcs)) {
    hd_library_fn fn = f->defined ? HD_LIB_NONE : hd_library_find(f->name);
    tries = tries || (fn != HD_LIB_NONE && hd_library_is(fn, HD_CALL_TRIES));
  }
  return tries && hd_code_weakness(code).robust == HD_ROBUST_NOT;
}

/* What the program has that makes states of memory larger. */
static void look_at_orders(graph_search *s) {
  for (hd_vec_each(const hd_cedge, e, &s->code->edges)) {
    s->fences = s->fences || e->act == HD_CODE_FENCE;
    s->buffers =
        s->buffers || (e->act == HD_CODE_STORE && e->order != HD_ORDER_NONE &&
                       e->order != HD_ORDER_SEQ_CST);
    s->heads = s->heads || (e->act == HD_CODE_STORE && !s->options.c23 &&
                            e->order == HD_ORDER_RELAXED);
  }
}

static void decide(const hd_code *code, const hd_explore_options *options,
                   bool states, hd_run *run, hd_explore_result *result) {
  graph_search s = {.code = code,
                    .options = options->machine,
                    .model = options->memory,
                    .one_wait = hd_code_may(code, HD_DO_PARK) ||
                                hd_code_may(code, HD_DO_WAKE),
                    .creations = creates_elsewhere(code),
                    .states = states,
                    .run = run,
                    .start = hd_now(),
                    .result = result,
                    .shrinks = options->no_shrink ? NULL : options,
                    .checks = options->machine.checks};
  look_at_orders(&s);
  hd_findings_start(result, options);
  s.options.checks |= hd_property_bit(HD_PROPERTY_RACE);
  s.options.clocks = true;
  s.options.stale = s.tries =
      (s.model == HD_MEMORY_C11 || s.model == HD_MEMORY_RC11) &&
      tries_locks(code);
  s.options.footprints = true;
  s.options.halts = true;
  s.options.exact = true;
  s.options.observe = NULL;
  /* Every execution of TSO is one of release and acquire. */
  s.options.sc = s.options.sc || (states && s.model == HD_MEMORY_TSO &&
                                  !(s.checks >> HD_PROPERTY_RACE & 1));
  if (s.one_wait && s.options.spurious && !states)
    hd_graph_give_up(&s, "under weak memory, wake-ups without a signal are not "
                         "looked at (--no-spurious leaves them out)");
  search_all(&s);
  search_races(&s);
  conclude(&s);
  hd_free(s.why);
}

void hd_graph(const hd_code *code, const hd_explore_options *options,
              hd_run *run, hd_explore_result *result) {
  decide(code, options, false, run, result);
}

void hd_views(const hd_code *code, const hd_explore_options *options,
              hd_run *run, hd_explore_result *result) {
  decide(code, options, true, run, result);
}
