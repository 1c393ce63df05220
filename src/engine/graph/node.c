/* SPDX-License-Identifier: MIT */
/* What both searches do with a graph and the machine that executed it: add events,
 * put writes into their order, report how it ends. */
#include "engine/graph/node.h"

#include "check/interp/player.h"
#include "engine/explore/shrink.h"

void hd_graph_node_copy(node *to, const node *from) {
  hd_graph_copy(&to->g, &from->g);
  hd_play_copy(&to->p, &from->p);
}

void hd_graph_node_free(node *n) {
  hd_graph_execution_free(&n->g);
  hd_graph_play_free(&n->p);
}

void hd_graph_node_take(node *to, node *from, bool last) {
  if (!last) {
    hd_graph_node_copy(to, from);
    return;
  }
  *to = *from;
  *from = (node){0};
}

/* --- ends --- */

void hd_graph_give_up(graph_search *s, const char *why) {
  const double least = 1.5;
  double now = hd_now(), more = now - s->start;
  more = more > least ? more : least;
  if (!s->incomplete &&
      (s->run->deadline <= 0 || now + more < s->run->deadline))
    s->run->deadline = now + more;
  s->incomplete = true;
  if (!s->why)
    s->why = hd_strdup(why);
}

/* Turns that say what is read and what is written where. */
static void tell_sources(const node *n, hd_turns *turns) {
  const graph *g = &n->g;
  for (graph_id i = 0; i < g->events.size; i++) {
    const graph_event *e = &g->events.data[i];
    uint32_t number = i < n->p.turn_of.size ? n->p.turn_of.data[i] : 0;
    if (!number || e->loc == HD_NO_ID || !g->locs.data[e->loc].size)
      continue;
    hd_turn *turn = &turns->data[number - 1];
    if (graph_reads(e))
      turn->from =
          e->from == HD_NO_ID ? HD_TURN_INITIAL : n->p.turn_of.data[e->from];
    if (!graph_writes(e))
      continue;
    const graph_loc *l = &g->locs.data[e->loc];
    size_t at = 0;
    while (at < l->order.size && l->order.data[at] != i)
      at++;
    turn->after = at && at < l->order.size
                      ? n->p.turn_of.data[l->order.data[at - 1]]
                      : HD_TURN_INITIAL;
  }
}

static void note_unasked(graph_search *s, const hd_violation *v) {
  hd_str what = {0};
  hd_str_printf(&what, "%s: %s", hd_property_name(v->property),
                v->message ? v->message : "");
  hd_findings_note_unasked(s->result, v->property, hd_str_text(&what));
  hd_str_free(&what);
}

static void report(graph_search *s, const node *n) {
  const double shrinking = 0.5; /* seconds */
  const hd_machine *m = n->p.machine;
  bool found = false;
  for (size_t i = 0; i < hd_machine_violations(m); i++) {
    const hd_violation *v = hd_machine_violation(m, i);
    hd_finding *f = &s->result->findings[v->property];
    if (!f->asked || f->verdict == HD_UNSAFE) {
      if (!f->asked && !hd_memmodel_keeps_races(s->model))
        note_unasked(s, v);
      continue;
    }
    found = true;
    s->raced = s->raced || v->property == HD_PROPERTY_RACE;
    f->verdict = HD_UNSAFE;
    f->violation = *v;
    f->violation.message = hd_strdup(v->message ? v->message : "");
    for (size_t k = 0; k < n->p.turns.size; k++)
      hd_vec_push(&f->turns, n->p.turns.data[k]);
    tell_sources(n, &f->turns);
    if (hd_turns_weak(&f->turns) && s->shrinks)
      hd_shrink_weak(s->code, s->shrinks, v, shrinking, s->run, &f->turns);
  }
  s->raced = s->raced || (!found && hd_machine_violations(m));
  s->stop = s->stop || found || s->raced;
}

/* The machine has come to an end, or to something that is not treated. */
void hd_graph_end_badly(graph_search *s, const node *n) {
  const hd_machine *m = n->p.machine;
  hd_str text = {0};
  if (n->p.crowded) {
    s->crowded = s->stop = true;
  } else if (n->p.refused) {
    hd_access a = hd_machine_access(m, n->p.refuser);
    hd_code_print_pos(&text, s->code, s->code->edges.data[a.edge].pos);
    hd_str_printf(&text, ": %s: not treated by graph", n->p.refused);
    hd_graph_give_up(s, hd_str_text(&text));
  } else if (hd_machine_violations(m)) {
    report(s, n);
  } else if (hd_findings_note_end(s->result, m)) {
    if (!s->incomplete)
      s->why_code = hd_machine_why_code(m);
    hd_graph_give_up(s, *hd_machine_why(m) ? hd_machine_why(m)
                                           : "a run ends early");
  }
  hd_str_free(&text);
}

void hd_graph_note_cuts(graph_search *s, const node *n) {
  s->visits = s->visits || hd_machine_visited(n->p.machine);
  for (hd_tid i = 0; i < n->p.threads.size && !s->incomplete; i++) {
    if (n->p.threads.data[i].state != THREAD_CUT)
      continue;
    hd_machine *m = hd_machine_copy(n->p.machine);
    hd_machine_move(m, (hd_turn){.thread = i});
    hd_findings_note_end(s->result, m);
    s->incomplete = true;
    s->why = hd_strdup(hd_machine_why(m));
    hd_machine_delete(m);
  }
}

/* Waits a thread for what nobody in particular has to give, while others go round
 * for ever, as they have read what is newest? */
static bool is_stuck(const node *n) {
  bool waits = false, spins = false;
  for (hd_tid i = 0; i < n->p.threads.size; i++) {
    if (!hd_machine_alive(n->p.machine, i))
      continue;
    uint8_t state = n->p.threads.data[i].state;
    if (state == THREAD_ASSUMES || state == THREAD_ENDS || state == THREAD_CUT)
      return false;
    if (state == THREAD_WAITS || state == THREAD_BLOCKED)
      waits = waits || hd_machine_access(n->p.machine, i).open;
    if (state != THREAD_SPINS)
      continue;
    spins = true;
    if (i >= n->g.threads.size || !n->g.threads.data[i].size)
      continue;
    const graph_ids *ids = &n->g.threads.data[i];
    const graph_event *last = &n->g.events.data[ids->data[ids->size - 1]];
    if (last->loc != HD_NO_ID && last->kind == GRAPH_READ &&
        hd_graph_position(&n->g, last->loc, last->from) !=
            n->g.locs.data[last->loc].order.size)
      return false;
  }
  return waits && spins;
}

/* Is main the last? Others may use its variables when they are gone. */
static bool all_joined(const node *n) {
  for (hd_tid i = 1; i < n->p.threads.size; i++)
    if (!hd_machine_joined(n->p.machine, i))
      return false;
  return true;
}

/* No event can be added. Who could end all others does so now. */
void hd_graph_finish(graph_search *s, node *n) {
  bool blocked = false;
  for (hd_tid i = 0; i < n->p.threads.size && !s->stop; i++) {
    if (hd_machine_status_of(n->p.machine) != HD_MACHINE_RUNNING ||
        !hd_machine_alive(n->p.machine, i))
      continue;
    uint8_t state = n->p.threads.data[i].state;
    if (state == THREAD_CUT)
      continue; /* as if it ended there */
    if (state != THREAD_ENDS) {
      blocked = true;
      if (state == THREAD_WAITS && hd_machine_enabled(n->p.machine, i))
        hd_graph_give_up(s, "a thread waits in a way that graph does not know");
      continue;
    }
    s->early = s->early || !all_joined(n);
    if (s->checks >> HD_PROPERTY_LEAK & 1)
      hd_graph_give_up(
          s, "main may end before others, when memory is still in use");
    node end;
    hd_graph_node_copy(&end, n);
    hd_turn turn = {.thread = i};
    hd_vec_push(&end.p.turns, turn);
    hd_machine_move(end.p.machine, turn);
    if (s->states && hd_machine_violations(end.p.machine) &&
        !hd_graph_allowed(&end.g, s->model))
      hd_graph_give_up(s, "a violation that seq_cst may exclude");
    else if (hd_machine_violations(end.p.machine) ||
             hd_machine_status_of(end.p.machine) != HD_MACHINE_EXITED)
      hd_graph_end_badly(s, &end);
    hd_graph_node_free(&end);
  }
  if (hd_machine_vague(n->p.machine))
    hd_graph_give_up(s, hd_machine_vague(n->p.machine));
  else if (hd_machine_told(n->p.machine))
    hd_graph_give_up(s, "addresses are compared that may come again");
  s->stuck = s->stuck || (blocked && is_stuck(n));
  if (blocked || hd_machine_status_of(n->p.machine) == HD_MACHINE_DEADLOCK)
    s->blocked++;
  else
    s->executions++;
}

/* --- steps --- */

graph_id hd_graph_add_event(node *n, graph_event e) {
  graph_id id = (graph_id)n->g.events.size;
  e.stamp = e.written = n->g.clock++;
  hd_vec_push(&n->g.events, e);
  hd_vec_push(hd_graph_thread(&n->g, e.thread), id);
  return id;
}

void hd_graph_insert(graph *g, graph_id write, size_t position) {
  graph_loc *l = &g->locs.data[g->events.data[write].loc];
  hd_vec_push(&l->order, write);
  for (size_t i = l->order.size - 1; i > position; i--)
    l->order.data[i] = l->order.data[i - 1];
  l->order.data[position] = write;
}

size_t hd_graph_least_of(const node *n, hd_tid thread, uint32_t loc) {
  uint64_t knows[64] = {0}, *all = knows;
  size_t k = n->p.threads.size;
  if (k > 64)
    all = hd_calloc(k, sizeof *all);
  for (hd_tid i = 0; i < k; i++)
    all[i] = hd_machine_knows(n->p.machine, thread, i);
  size_t least = hd_graph_least(&n->g, loc, thread, all, k);
  if (all != knows)
    hd_free(all);
  return least;
}

graph_id hd_graph_source_at(const graph *g, uint32_t loc, size_t position) {
  return position ? g->locs.data[loc].order.data[position - 1] : HD_NO_ID;
}

/* May a write be put at the position: is it not between an update and what that
 * reads? */
bool hd_graph_may_insert(const graph *g, uint32_t loc, size_t position) {
  return hd_graph_updated_by(g, loc, hd_graph_source_at(g, loc, position)) ==
         HD_NO_ID;
}

/* The choices an event has in this state, the first of which stands for all. */
void hd_graph_choices_of(graph_search *s, const node *n, hd_tid thread,
                         uint64_t many, hd_turn_choices *out) {
  enum { MOST = 4096 };
  const hd_machine *m = n->p.machine;
  bool input = hd_machine_is_input(m, thread);
  if (many == 1) {
    hd_vec_push(out, 0);
    return;
  }
  if (input && hd_machine_is_open_input(m, thread))
    hd_graph_give_up(s, "an input can be any pointer");
  if (input && hd_machine_input_classes(m, thread, MOST, out) && out->size)
    return;
  hd_vec_clear(out);
  hd_opaque *opaque = s->options.opaque;
  if (many > MOST && input && s->states &&
      !(opaque && hd_opaque_failed(opaque))) {
    s->opaque = true;
    if (opaque)
      hd_opaque_choices(opaque, m, thread, n->p.drawn, out);
    return; /* without: the search begins again */
  }
  if (many > MOST)
    hd_graph_give_up(s, "an input has too many values for graph");
  for (uint64_t c = 0; c < (many > MOST ? 64 : many); c++)
    hd_vec_push(out, c);
}
