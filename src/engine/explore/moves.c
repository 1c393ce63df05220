/* SPDX-License-Identifier: MIT */
/* Single moves of the exhaustive search: what is learned from them, and the
 * violations and races they show. */
#include "engine/explore/search.h"
#include "engine/explore/shrink.h"

#include <string.h>

void hd_search_incomplete(hd_search *s, const char *why) {
  if (!s->incomplete)
    s->incomplete = hd_strdup(why);
}

void hd_search_ended_early(hd_search *s, const hd_machine *machine) {
  if (!s->incomplete)
    s->why = hd_machine_why_code(machine);
  hd_search_incomplete(s, hd_machine_why(machine));
}

uint64_t hd_search_inputs(const hd_search *s) {
  return s->options->max_inputs ? s->options->max_inputs : 4096;
}

/* --- violations --- */

/* Depth-first search finds long runs: they are shrunk. */
static void add(hd_search *s, const hd_violation *violation, hd_turns *turns) {
  enum { LONG = 100, SECONDS = 1 };
  if (turns->size > LONG && !s->options->no_shrink)
    hd_shrink(s->code, s->options, violation, SECONDS, s->run, turns);
  hd_findings_add(s->result, s->code, s->options, violation, turns);
}

static void report(hd_search *s, const hd_violation *found) {
  if (!hd_findings_takes(s->result, s->code, found))
    return;
  hd_violation violation = *found;
  if (!s->result->harvest)
    violation.n_waits = 0; /* anybody who waits will do */
  assert(s->stack.size > 0);
  hd_turns turns = {0};
  hd_graph_way(&s->graph, hd_vec_last(&s->stack).node, &turns);
  for (hd_vec_each(hd_turn, turn, &s->trail))
    hd_vec_push(&turns, *turn);
  add(s, &violation, &turns);
  hd_vec_free(&turns);
}

/* Does the run that is left show the race? */
static bool shows(hd_search *s, const hd_violation *race,
                  const hd_turns *turns) {
  hd_machine_options machine = hd_search_options(s->options, true);
  hd_replayed r = hd_replay_expecting(s->code, &machine, turns,
                                      hd_property_bit(HD_PROPERTY_RACE), race);
  bool yes = r.violated && r.turns == turns->size;
  hd_replayed_free(&r);
  return yes;
}

/* Two threads stand before a race in the node: both accesses are made, in one
 * order or the other, if none of them ends the run. */
static void report_race(hd_search *s, uint32_t node, const hd_violation *race) {
  assert(race->property == HD_PROPERTY_RACE && race->thread != race->other);
  hd_turns turns = {0};
  for (int order = 0; order < 3; order++) {
    hd_graph_way(&s->graph, node, &turns);
    hd_turn first = {.thread = order == 0 ? race->thread : race->other};
    hd_turn second = {.thread = order == 0 ? race->other : race->thread};
    if (order < 2) {
      hd_vec_push(&turns, first);
      hd_vec_push(&turns, second);
    }
    if (order == 2 || shows(s, race, &turns))
      break;
  }
  add(s, race, &turns);
  hd_vec_free(&turns);
}

/* A race of a call that is not one step (tears.c). */
static void note_tear(hd_search *s, const hd_violation *race) {
  bool first = hd_edge_tears(s->code, race->edge);
  if (!s->tears || race->property != HD_PROPERTY_RACE ||
      (!first && !hd_edge_tears(s->code, race->other_edge)))
    return;
  hd_str text = {0};
  hd_edge_id edge = first ? race->edge : race->other_edge;
  hd_str_puts(&text, "other threads can come into the middle of the call at ");
  hd_code_print_pos(&text, s->code, s->code->edges.data[edge].pos);
  hd_findings_note(s->result, "%s", hd_str_text(&text));
  hd_search_incomplete(s, hd_str_text(&text));
  hd_str_free(&text);
}

bool hd_search_minds_races(const hd_search *s) {
  return hd_findings_wants(s->result, HD_PROPERTY_RACE) ||
         (s->tears && !s->incomplete);
}

/* Those that can move before an access of memory. Of threads that are alike two
 * are enough: they stand before the same as the others, also towards each other. */
static void list_accesses(hd_search *s, const hd_machine *machine) {
  hd_tid n = (hd_tid)hd_machine_threads(machine);
  hd_vec_clear(&s->near);
  hd_vec_resize(&s->alike, n);
  memset(s->alike.data, 0, n * sizeof *s->alike.data);
  for (hd_tid t = 0; t < n; t++) {
    if (s->twins.size == n && s->alike.data[s->twins.data[t]]++ > 1)
      continue;
    if (!hd_machine_alive(machine, t) || !hd_machine_enabled(machine, t))
      continue;
    hd_near near = {t, hd_machine_access(machine, t)};
    assert(!near.access.memory || near.access.size > 0);
    if (!near.access.local && near.access.memory)
      hd_vec_push(&s->near, near);
  }
}

static void note_race(hd_search *s, uint32_t node, const hd_machine *machine,
                      const hd_near *a, const hd_near *b) {
  assert(a->thread != b->thread);
  hd_violation race = {.property = HD_PROPERTY_RACE,
                       .thread = a->thread,
                       .other = b->thread,
                       .edge = a->access.edge,
                       .other_edge = b->access.edge};
  note_tear(s, &race);
  hd_str name = {0};
  if (s->result->harvest)
    hd_machine_print_address(&name, machine, a->access.address, a->access.size);
  race.message = s->result->harvest ? hd_str_text(&name) : NULL;
  if (hd_findings_takes(s->result, s->code, &race))
    report_race(s, node, &race);
  hd_str_free(&name);
}

/* All pairs of threads that stand before a race. One of the two writes. */
void hd_search_look(hd_search *s, uint32_t node, const hd_machine *machine) {
  if (!hd_search_minds_races(s))
    return;
  list_accesses(s, machine);
  for (size_t i = 0; i < s->near.size; i++)
    for (size_t k = 0; k < s->near.size && s->near.data[i].access.writes; k++) {
      const hd_near *a = &s->near.data[i], *b = &s->near.data[k];
      bool twice = k < i && b->access.writes; /* seen the other way round */
      if (k != i && !twice && hd_access_races(&a->access, &b->access) &&
          hd_search_minds_races(s))
        note_race(s, node, machine, k < i ? b : a, k < i ? a : b);
    }
}

/* --- moves --- */

bool hd_search_ended(const hd_machine *machine) {
  hd_machine_status status = hd_machine_status_of(machine);
  return status != HD_MACHINE_RUNNING && status != HD_MACHINE_DEADLOCK;
}

static bool others_alive(const hd_machine *machine, hd_tid thread) {
  for (hd_tid t = 0; t < hd_machine_threads(machine); t++)
    if (t != thread && hd_machine_alive(machine, t))
      return true;
  return false;
}

static void note_effects(hd_search *s, const hd_machine *machine, hd_tid thread,
                         hd_pose_id before) {
  assert(before != HD_NO_POSE); /* who has moved was there */
  uint64_t reached = hd_machine_reached(machine);
  if (reached)
    hd_future_note_stack(s->future, machine, before, reached);
  if (hd_machine_hidden(machine) ||
      (s->leaks && hd_machine_status_of(machine) == HD_MACHINE_EXITED &&
       others_alive(machine, thread)))
    hd_future_note_all(s->future, before);
}

/* What the thread will touch is not known: an atomic section, strcpy … */
static bool is_opaque(const hd_machine *machine, hd_tid thread) {
  hd_access a = hd_machine_access(machine, thread);
  return !a.local && !a.memory && !a.sync;
}

void hd_search_make(hd_search *s, hd_machine *machine, hd_turn turn) {
  assert(hd_machine_alive(machine, turn.thread) &&
         hd_machine_enabled(machine, turn.thread));
  hd_pose_id before = hd_future_pose(s->future, machine, turn.thread);
  size_t known = hd_machine_violations(machine);
  s->opaque = is_opaque(machine, turn.thread);
  hd_machine_move(machine, turn);
  s->opaque = s->opaque || hd_machine_hidden(machine);
  s->needs_clocks = s->needs_clocks || s->opaque;
  s->moves++;
  s->effort += hd_machine_effort(machine) + 2 * HD_LOCAL_ACTIONS;
  note_effects(s, machine, turn.thread, before);
  if (hd_search_ended(machine)) {
    if (hd_future_in_update(s->future, before))
      hd_future_drop_updates(s->future); /* it does not come to its end */
    if (hd_findings_note_end(s->result, machine))
      hd_search_ended_early(s, machine);
  }
  hd_future_step(s->future, machine, turn.thread, before,
                 hd_search_ended(machine)
                     ? HD_NO_POSE
                     : hd_future_pose(s->future, machine, turn.thread));
  if (!s->stack.size)
    return; /* warming up: the search will come here too */
  if (s->options->at_end && hd_machine_status_of(machine) != HD_MACHINE_RUNNING)
    s->options->at_end(s->options->context, machine);
  hd_vec_push(&s->trail, turn);
  for (size_t i = known; i < hd_machine_violations(machine); i++) {
    note_tear(s, hd_machine_violation(machine, i));
    report(s, hd_machine_violation(machine, i));
  }
}

/* --- races of actions that do not tell what they touch --- */

static void probe_turn(hd_search *s, const hd_machine *machine, hd_turn turn) {
  assert(hd_machine_enabled(machine, turn.thread));
  hd_machine *copy = hd_machine_copy(machine);
  size_t known = hd_machine_violations(copy);
  hd_machine_move(copy, turn);
  hd_vec_push(&s->trail, turn);
  for (size_t i = known; i < hd_machine_violations(copy); i++)
    if (hd_machine_violation(copy, i)->property == HD_PROPERTY_RACE) {
      note_tear(s, hd_machine_violation(copy, i));
      report(s, hd_machine_violation(copy, i));
    }
  s->trail.size--;
  hd_machine_delete(copy);
}

/* `mover` has just moved. The others stand before what they stood before then,
 * so what they do now is not ordered with that move: the clocks tell whether it
 * is a race. */
void hd_search_probe(hd_search *s, const hd_machine *machine, hd_tid mover) {
  assert(mover < hd_machine_threads(machine));
  for (hd_tid t = 0; t < hd_machine_threads(machine); t++) {
    if (t == mover || !hd_machine_alive(machine, t) ||
        !hd_machine_enabled(machine, t) ||
        hd_machine_access(machine, t).local ||
        !(s->opaque || is_opaque(machine, t)))
      continue;
    uint64_t choices = hd_machine_choices(machine, t);
    for (uint64_t c = 0; c < choices && c < hd_search_inputs(s); c++)
      if (hd_search_minds_races(s))
        probe_turn(s, machine, (hd_turn){.thread = t, .choice = c});
  }
}

/* Can another thread move? */
static bool others_move(const hd_machine *machine, hd_tid thread) {
  for (hd_tid t = 0; t < hd_machine_threads(machine); t++)
    if (t != thread && hd_machine_alive(machine, t) &&
        hd_machine_enabled(machine, t) && !hd_machine_patient(machine, t))
      return true;
  return false;
}

bool hd_search_runs_on(const hd_machine *machine, hd_tid thread) {
  if (hd_machine_status_of(machine) != HD_MACHINE_RUNNING ||
      !hd_machine_alive(machine, thread) ||
      !hd_machine_enabled(machine, thread))
    return false;
  hd_access access = hd_machine_access(machine, thread);
  return !access.spurious && hd_machine_choices(machine, thread) == 1 &&
         (access.local || !others_move(machine, thread));
}
