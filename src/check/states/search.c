/* SPDX-License-Identifier: MIT */
/* All states, one after the other.
 *
 * A worklist of machines and the set of the states that were met. A state is
 * taken from the list, every move of every thread that can move is made, and
 * what was not met before goes onto the list. States are compared by the first
 * 128 bits of the SHA-256 of their encoding: nobody has ever found two texts
 * with the same. With each goes the move that led there first, so that a
 * violation comes with its run.
 *
 * Violations are those that the machine reports. Races are no matter of one
 * state: two accesses, neither ordered before the other, can be brought next to
 * each other by leaving out or putting off what is not needed for them; so it is
 * enough to look at the pairs of threads that stand before theirs, in every
 * state. (Where accesses of weak memory orders keep others apart without ordering
 * them that is not so: then races are not judged.) Actions that do not tell what
 * they touch, atomic sections and strcpy among them, are made, and the machine's
 * vector clocks say whether another thread's next action is in a race with them.
 *
 * A call of the library that touches many bytes is one move of the machine, or a
 * few. Other threads may come in between; whether they can tell is once more a
 * question of races, so such a call in a race means that not all was seen.
 *
 * A deadlock of some threads, beside others that go on for ever, is seen when all
 * states are known (stuck.h).
 *
 * It ends when the states are finitely many, or at a limit. An input with up to
 * 256 values has a move for each; of others the machine says which values stand
 * for all. */
#include "check/states/states.h"

#include "base/hash.h"
#include "base/sha256.h"
#include "check/interp/stuck.h"
#include "model/escape.h"
#include "model/library.h"

#include <stdlib.h>

enum {
  INPUTS_ALL = 256,   /* so many values of an input: each of them */
  CLASSES_MOST = 4096 /* classes of values of an input, and who is woken */
};

typedef struct {
  uint64_t words[2];
} digest;

#define HD_MAP digest_map
#define HD_KEY digest
#define HD_VAL uint32_t /* the state */
#define HD_HASH(k) ((k).words[0])
#define HD_EQ(a, b)                                                            \
  ((a).words[0] == (b).words[0] && (a).words[1] == (b).words[1])
#include "base/map_templ.h"

/* How a state was reached first. */
typedef struct {
  uint32_t from;
  hd_turn turn;
} arrival;

typedef struct {
  hd_machine *machine;
  uint32_t state;
} waiting;

typedef struct {
  const hd_code *code;
  hd_machine_options machine;
  hd_properties asked;
  uint64_t max_states;
  bool pairs; /* races matter: asked for, or there are torn calls */
  bool stuck; /* deadlocks of some threads are looked for: links are kept */
  bool crowd; /* more than 64 threads were seen */
  hd_states_result *result;
  digest_map met;
  hd_vec(arrival) arrivals;
  hd_vec(waiting) list;
  /* of each state, with `stuck`: */
  hd_vec(uint64_t) idle; /* threads that wait */
  hd_vec(bool) ends;     /* the program can end */
  hd_vec(hd_link) links;
  hd_bytes bytes;
  bool stop;
  hd_run *run;
  hd_machine *first;
  uint64_t work; /* of a move: large states take long to copy and compare */
} search;

static hd_properties bit(hd_property property) {
  return (hd_properties)1 << property;
}

/* --- what was found --- */

static void give_up(search *s, const char *why) {
  s->stop = true;
  if (!s->result->why)
    s->result->why = hd_strdup(why);
}

static void give_up_at(search *s, hd_edge_id edge, const char *why) {
  hd_str text = {0};
  hd_code_print_pos(&text, s->code, s->code->edges.data[edge].pos);
  hd_str_printf(&text, ": %s", why);
  give_up(s, hd_str_text(&text));
  hd_str_free(&text);
}

/* The way to `state`, then these turns. */
static void violated(search *s, hd_property property, uint32_t state,
                     const hd_turn *more, size_t n) {
  hd_states_result *r = s->result;
  if (s->stop)
    return;
  s->stop = true;
  r->violated |= bit(property);
  r->property = property;
  hd_turns back = {0};
  for (; state; state = s->arrivals.data[state].from)
    hd_vec_push(&back, s->arrivals.data[state].turn);
  while (back.size)
    hd_vec_push(&r->turns, hd_vec_pop(&back));
  for (size_t i = 0; i < n; i++)
    hd_vec_push(&r->turns, more[i]);
  hd_vec_free(&back);
}

static bool is_call(const search *s, hd_edge_id edge) {
  return edge < s->code->edges.size &&
         s->code->edges.data[edge].act == HD_CODE_CALL;
}

static void found_race(search *s, hd_edge_id a, hd_edge_id b, uint32_t state,
                       const hd_turn *more, size_t n) {
  if (s->asked & bit(HD_PROPERTY_RACE))
    violated(s, HD_PROPERTY_RACE, state, more, n);
  else if (is_call(s, a) || is_call(s, b))
    give_up_at(s, is_call(s, a) ? a : b,
               "other threads can come into the middle of the call");
}

/* What the machine has reported since it had `known` violations. */
static void take_violations(search *s, const hd_machine *machine, size_t known,
                            uint32_t state, const hd_turn *more, size_t n) {
  for (size_t i = known; i < hd_machine_violations(machine); i++) {
    const hd_violation *v = hd_machine_violation(machine, i);
    if (v->property == HD_PROPERTY_RACE)
      found_race(s, v->edge, v->other_edge, state, more, n);
    else if (s->asked & bit(v->property))
      violated(s, v->property, state, more, n);
  }
}

/* --- races --- */

static bool is_opaque(const hd_access *a) {
  return !a->local && !a->memory && !a->sync;
}

static bool can_move(const hd_machine *machine, hd_tid t) {
  return hd_machine_alive(machine, t) && hd_machine_enabled(machine, t);
}

static void look_at_pairs(search *s, const waiting *at) {
  const hd_machine *machine = at->machine;
  hd_tid n = (hd_tid)hd_machine_threads(machine);
  for (hd_tid a = 0; a < n && !s->stop; a++) {
    if (!can_move(machine, a))
      continue;
    hd_access x = hd_machine_access(machine, a);
    for (hd_tid b = a + 1; b < n && !x.local; b++) {
      if (!can_move(machine, b))
        continue;
      hd_access y = hd_machine_access(machine, b);
      if (!y.local && hd_access_races(&x, &y))
        found_race(s, x.edge, y.edge, at->state, NULL, 0);
    }
  }
}

/* The turn was made, from `state`; its action did not tell all that it touched,
 * or another thread's does not: each of these moves as well, for a try. */
static void try_others(search *s, const hd_machine *machine, uint32_t state,
                       hd_turn turn, bool opaque) {
  hd_tid n = (hd_tid)hd_machine_threads(machine);
  for (hd_tid t = 0; t < n && !s->stop; t++) {
    if (t == turn.thread || !can_move(machine, t))
      continue;
    hd_access a = hd_machine_access(machine, t);
    if (a.local || !(opaque || is_opaque(&a)))
      continue;
    uint64_t choices = hd_machine_choices(machine, t);
    if (choices > CLASSES_MOST)
      give_up_at(s, a.edge, "too many choices to look for races");
    for (uint64_t c = 0; c < choices && !s->stop; c++) {
      hd_machine *copy = hd_machine_copy(machine);
      size_t known = hd_machine_violations(copy);
      hd_turn turns[2] = {turn, {.thread = t, .choice = c}};
      hd_machine_move(copy, turns[1]);
      take_violations(s, copy, known, state, turns, 2);
      hd_machine_delete(copy);
    }
  }
}

/* --- states --- */

static uint64_t word(const char *text) {
  char part[17] = {0};
  for (int i = 0; i < 16; i++)
    part[i] = text[i];
  return strtoull(part, NULL, 16);
}

static digest digest_of(search *s, const hd_machine *machine) {
  hd_sha256 sha;
  char text[65];
  hd_vec_clear(&s->bytes);
  hd_machine_encode(machine, &s->bytes);
  hd_sha256_start(&sha);
  hd_sha256_add(&sha, s->bytes.data, s->bytes.size);
  hd_sha256_end(&sha, text);
  return (digest){{word(text), word(text + 16)}};
}

/* The machine (taken over) is in a state of its own. `woken`: for no reason. */
static void arrive(search *s, hd_machine *machine, uint32_t from, hd_turn turn,
                   bool woken) {
  bool fresh;
  uint32_t state = *digest_map_put(&s->met, digest_of(s, machine),
                                   (uint32_t)s->arrivals.size, &fresh);
  if (s->stuck && !woken && s->arrivals.size)
    hd_vec_push(&s->links, ((hd_link){from, state}));
  if (s->stuck && fresh) {
    hd_vec_push(&s->idle, hd_stuck_waiting(machine));
    s->crowd = s->crowd || hd_machine_threads(machine) > 64;
    hd_vec_push(&s->ends, false);
  }
  if (!fresh) {
    hd_machine_delete(machine);
    return;
  }
  s->result->states++;
  if (s->arrivals.size >= s->max_states)
    give_up(s, "too many states");
  waiting w = {machine, (uint32_t)s->arrivals.size};
  hd_vec_push(&s->arrivals, ((arrival){from, turn}));
  hd_vec_push(&s->list, w);
}

/* False: the run is over. */
static bool goes_on(search *s, const hd_machine *machine) {
  const char *why = hd_machine_why(machine);
  switch (hd_machine_status_of(machine)) {
  case HD_MACHINE_RUNNING:
    return true;
  case HD_MACHINE_UNSUPPORTED:
  case HD_MACHINE_DIVERGED:
    give_up(s, why);
    return false;
  case HD_MACHINE_FAILED:
    if (*why)
      give_up(s, why); /* undefined, and nobody asked */
    return false;
  case HD_MACHINE_EXITED:
  case HD_MACHINE_DEADLOCK:
  case HD_MACHINE_ASSUMED:
    return false;
  }
  return false;
}

static void make(search *s, const waiting *from, hd_turn turn) {
  if (!hd_run_spend(s->run, s->work)) {
    give_up(s, hd_run_why(s->run));
    return;
  }
  hd_access access = hd_machine_access(from->machine, turn.thread);
  hd_machine *machine = hd_machine_copy(from->machine);
  size_t known = hd_machine_violations(machine);
  hd_machine_move(machine, turn);
  s->result->moves++;
  take_violations(s, machine, known, from->state, &turn, 1);
  bool on = goes_on(s, machine);
  if (s->stuck && !on && hd_machine_status_of(machine) != HD_MACHINE_ASSUMED)
    s->ends.data[from->state] = true;
  if (on && s->pairs)
    try_others(s, machine, from->state, turn,
               is_opaque(&access) || hd_machine_hidden(machine));
  if (on && !s->stop)
    arrive(s, machine, from->state, turn, access.spurious);
  else
    hd_machine_delete(machine);
}

static void make_all(search *s, const waiting *from, hd_tid thread) {
  uint64_t n = hd_machine_choices(from->machine, thread);
  hd_turn_choices some = {0};
  hd_edge_id edge = hd_machine_access(from->machine, thread).edge;
  if (hd_machine_is_open_input(from->machine, thread))
    give_up_at(s, edge, "an input can be any pointer");
  else if (n > INPUTS_ALL && (!hd_machine_is_input(from->machine, thread) ||
                              !hd_machine_input_classes(from->machine, thread,
                                                        CLASSES_MOST, &some)))
    give_up_at(s, edge, "an input has too many values");
  else if (n > INPUTS_ALL)
    for (size_t i = 0; i < some.size && !s->stop; i++)
      make(s, from, (hd_turn){.thread = thread, .choice = some.data[i]});
  else
    for (uint64_t c = 0; c < n && !s->stop; c++)
      make(s, from, (hd_turn){.thread = thread, .choice = c});
  hd_vec_free(&some);
}

static void expand(search *s, const waiting *from) {
  if (s->pairs)
    look_at_pairs(s, from);
  hd_tid n = (hd_tid)hd_machine_threads(from->machine);
  for (hd_tid t = 0; t < n && !s->stop; t++)
    if (can_move(from->machine, t))
      make_all(s, from, t);
}

/* Are there calls that touch many bytes? */
static bool has_torn_calls(const hd_code *code) {
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    if (e->act != HD_CODE_CALL)
      continue;
    const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
    if (callee->op != HD_CODE_FUNC)
      return true;
    if (code->funcs.data[callee->value].defined)
      continue;
    hd_library_fn fn = hd_library_find(code->funcs.data[callee->value].name);
    hd_library_kind kind = hd_library_kind_of(fn);
    if (kind == HD_LIBRARY_HEAP || kind == HD_LIBRARY_MEMORY ||
        kind == HD_LIBRARY_STRING || kind == HD_LIBRARY_NUMBER ||
        kind == HD_LIBRARY_SORT || kind == HD_LIBRARY_OUTPUT)
      return true;
  }
  return false;
}

/* All states are there: does a thread wait for ever in one of them? */
static void look_for_stuck(search *s) {
  hd_stuck_graph graph = {.n = s->arrivals.size,
                          .links = s->links.data,
                          .n_links = s->links.size,
                          .waiting = s->idle.data,
                          .ends = s->ends.data};
  uint32_t state;
  uint64_t found = hd_stuck_find(&graph, &state);
  if (found & (s->crowd ? ~HD_STUCK_REST : UINT64_MAX))
    violated(s, HD_PROPERTY_DEADLOCK, state, NULL, 0);
  else if (found)
    give_up(s, "threads may wait for ever, while others go on");
}

static void start(search *s) {
  hd_machine *machine = hd_machine_new(s->code, &s->machine);
  s->first = hd_machine_copy(machine);
  take_violations(s, machine, 0, 0, NULL, 0);
  if (goes_on(s, machine) && !s->stop)
    arrive(s, machine, 0, (hd_turn){0}, false);
  else
    hd_machine_delete(machine);
}

/* True: once more, where addresses and ids may come again. */
static bool search_all(const hd_code *code, const hd_states_options *options,
                       bool reuse, hd_run *run, hd_states_result *result) {
  const hd_properties race = bit(HD_PROPERTY_RACE);
  search s = {.code = code,
              .machine = options->machine,
              .asked = options->machine.checks,
              .run = run,
              .max_states = options->max_states ? options->max_states : 1000000,
              .result = result};
  s.pairs = s.asked & race || has_torn_calls(code);
  s.stuck = s.asked & bit(HD_PROPERTY_DEADLOCK);
  s.machine.checks |= options->known | (s.pairs ? race : 0);
  s.machine.clocks = s.pairs;
  s.machine.exact = true;
  s.machine.observe = NULL;
  s.machine.reuse = reuse;
  size_t before = hd_mem_current();
  hd_edge_id weak = hd_code_weak_order(code, options->machine.sc);
  if (s.pairs && weak != HD_NO_ID)
    give_up_at(&s, weak, "may keep others apart without ordering them");
  else
    start(&s);
  s.work = 20 + (hd_mem_current() - before) / 4096;
  while (s.list.size && !s.stop) {
    waiting w = hd_vec_pop(&s.list);
    expand(&s, &w);
    hd_machine_delete(w.machine);
  }
  if (s.stuck && !s.stop)
    look_for_stuck(&s);
  if (s.first && !s.stop && hd_machine_vague(s.first))
    give_up(&s, hd_machine_vague(s.first));
  result->complete = !s.stop;
  bool again = !reuse && !s.stop && s.first && hd_machine_told(s.first);
  if (s.first)
    hd_machine_delete(s.first);
  while (s.list.size)
    hd_machine_delete(hd_vec_pop(&s.list).machine);
  hd_vec_free(&s.list);
  hd_vec_free(&s.arrivals);
  hd_vec_free(&s.idle);
  hd_vec_free(&s.ends);
  hd_vec_free(&s.links);
  hd_vec_free(&s.bytes);
  digest_map_free(&s.met);
  return again;
}

void hd_states_search(const hd_code *code, const hd_states_options *options,
                      hd_run *run, hd_states_result *result) {
  if (search_all(code, options, false, run, result)) {
    result->states = result->moves = 0;
    search_all(code, options, true, run, result);
  }
}

void hd_states_result_free(hd_states_result *result) {
  hd_free(result->why);
  hd_vec_free(&result->turns);
  *result = (hd_states_result){0};
}
