/* SPDX-License-Identifier: MIT */
/* Runs along a way: what an alarm needs to become a violation.
 *
 * Another engine says in which order threads do what others notice (the way); a
 * run follows that as far as it can, and then goes on with the thread that came
 * last. Wide inputs are variables (check/interp/symbols.h). Whatever they decided
 * in a run, a branch, an assertion, is turned round, one decision after the other:
 * inputs that decide all before it as they did and this one differently are asked
 * for from the solver, and tried in a run of their own, which turns round later
 * decisions only. So no two runs decide the same, and what can be decided in a
 * bounded run is, in the end. Without ways each round takes one order of threads by
 * chance. There are bounds on runs and time. What is found is
 * real: the machine has executed it. */
#include "engine/explore/symbols.h"
#include "engine/explore/common.h"

enum { MOST_LOCAL = 300000 }; /* local actions in one move */

enum { MAX_RUNS = 300, MAX_MOVES = 3000, MAX_QUEUE = 2000, ROUNDS = 40 };

/* A run to be made. */
typedef struct {
  hd_symbol_values inputs;
  size_t from; /* decisions before that one have been turned round */
} trial;

typedef struct {
  const hd_code *code;
  const hd_explore_options *options;
  const hd_waypoints *way;
  hd_run *run;
  hd_explore_result *result;
  hd_symbols *symbols;
  hd_vec(trial) queue;
  size_t runs, questions;
  bool asked;    /* somebody has asked for an input that is a variable */
  uint64_t seed; /* of an order of threads; 0: as the numbers go */
} steering;

/* One run. */
typedef struct {
  steering *s;
  hd_machine *m;
  hd_turns turns;
} course;

static bool can_move(const course *c, hd_tid t) {
  return hd_machine_status_of(c->m) == HD_MACHINE_RUNNING &&
         t < hd_machine_threads(c->m) && hd_machine_alive(c->m, t) &&
         hd_machine_enabled(c->m, t) && c->turns.size < MAX_MOVES;
}

static void move(course *c, hd_tid t, uint64_t choice) {
  assert(can_move(c, t));
  enum { FEW = 2 };
  hd_turn turn = {.thread = t, .choice = choice};
  uint64_t n = hd_machine_choices(c->m, t);
  /* What was never set and what depends on inputs do not mix (terms.c). */
  bool unset = c->s->options->machine.checks >> HD_PROPERTY_UNINIT & 1;
  if (!unset && hd_symbols_may(c->m, t) && n > FEW)
    hd_symbols_mark(c->s->symbols, hd_machine_access(c->m, t).edge);
  bool asked = hd_symbols_choice(c->m, t, &turn.choice);
  c->s->asked = c->s->asked || asked;
  if (!asked && choice >= n)
    turn.choice = 0;
  hd_vec_push(&c->turns, turn);
  hd_machine_move(c->m, turn);
}

static hd_edge_id stands_before(const course *c, hd_tid t) {
  return hd_machine_access(c->m, t).edge;
}

/* False: the thread cannot get there. */
static bool reach(course *c, const hd_waypoint *to) {
  assert(to->edge < c->s->code->edges.size);
  const hd_cedge *e = &c->s->code->edges.data[to->edge];
  if (e->act == HD_CODE_RETURN || to->thread >= hd_machine_threads(c->m) ||
      !hd_machine_alive(c->m, to->thread))
    return true;
  if (to->again && stands_before(c, to->thread) != to->edge)
    return true; /* it is through */
  while (can_move(c, to->thread)) {
    bool there = stands_before(c, to->thread) == to->edge;
    move(c, to->thread, there ? to->choice : 0);
    if (there)
      return true;
  }
  return false;
}

/* Mostly the one that moved last. */
static hd_tid any_thread(const course *c, hd_rng *rng, hd_tid last) {
  hd_tid n = (hd_tid)hd_machine_threads(c->m);
  if (hd_rng_below(rng, 4) && can_move(c, last))
    return last;
  hd_tid first = (hd_tid)hd_rng_below(rng, n);
  for (hd_tid i = 0; i < n; i++)
    if (can_move(c, (first + i) % n) &&
        !hd_machine_access(c->m, (first + i) % n).spurious)
      return (first + i) % n;
  return HD_NO_ID;
}

static void wander(course *c) {
  hd_rng rng = hd_rng_new(c->s->seed);
  hd_tid next = 0;
  while ((next = any_thread(c, &rng, next)) != HD_NO_ID)
    move(c, next, 0);
}

static void go_on(course *c, hd_tid first) {
  for (;;) {
    hd_tid next = HD_NO_ID;
    if (can_move(c, first) && !hd_machine_access(c->m, first).spurious)
      next = first;
    for (hd_tid t = 0; next == HD_NO_ID && t < hd_machine_threads(c->m); t++)
      if (can_move(c, t) && !hd_machine_access(c->m, t).spurious)
        next = t;
    if (next == HD_NO_ID)
      return;
    move(c, next, 0);
  }
}

static bool is_open(const steering *s, hd_property p) {
  assert(p < HD_PROPERTY_COUNT);
  return s->options->machine.checks >> p & 1 &&
         s->result->findings[p].verdict != HD_UNSAFE;
}

static void take_violations(course *c) {
  for (size_t i = 0; i < hd_machine_violations(c->m); i++) {
    const hd_violation *v = hd_machine_violation(c->m, i);
    if (is_open(c->s, v->property))
      hd_findings_add(c->s->result, c->s->code, c->s->options, v, &c->turns);
  }
}

static bool all_found(const steering *s) {
  return !hd_findings_open(s->result);
}

/* --- other inputs --- */

static void turn_round(steering *s, size_t from) {
  size_t n = hd_symbols_decisions(s->symbols);
  for (size_t i = from; i < n && hd_run_check(s->run); i++) {
    trial next = {.from = i + 1};
    s->questions++;
    if (s->queue.size < MAX_QUEUE &&
        hd_symbols_turn(s->symbols, i, 1.0, &next.inputs))
      hd_vec_push(&s->queue, next);
  }
}

/* --- runs --- */

static void make_run(steering *s, const trial *now) {
  hd_machine_options machine = hd_search_options(s->options, true);
  machine.symbols = s->symbols;
  if (!machine.max_local) /* with variables each of them is slow */
    machine.max_local = MOST_LOCAL;
  hd_symbols_set(s->symbols, &now->inputs);
  course c = {.s = s, .m = hd_machine_new(s->code, &machine)};
  hd_tid last = 0;
  for (hd_vec_each(const hd_waypoint, to, s->way)) {
    last = to->thread;
    if (!reach(&c, to))
      break;
  }
  if (s->seed)
    wander(&c);
  else
    go_on(&c, last);
  s->runs++;
  take_violations(&c);
  if (!all_found(s))
    turn_round(s, now->from);
  hd_machine_delete(c.m);
  hd_vec_free(&c.turns);
}

static void follow(steering *s) {
  size_t before = s->runs;
  trial first = {0};
  s->symbols = hd_symbols_new();
  hd_vec_push(&s->queue, first);
  for (size_t i = 0; i < s->queue.size && s->runs - before < MAX_RUNS &&
                     !all_found(s) && hd_run_check(s->run);
       i++) {
    trial next = s->queue.data[i];
    make_run(s, &next);
  }
  for (hd_vec_each(trial, x, &s->queue))
    hd_vec_free(&x->inputs);
  hd_vec_clear(&s->queue);
  hd_symbols_delete(s->symbols);
}

void hd_steer(const hd_code *code, const hd_explore_options *options,
              const hd_waypoints *const *ways, size_t n, hd_run *run,
              hd_explore_result *result) {
  steering s = {.code = code, .options = options, .run = run, .result = result};
  hd_findings_start(result, options);
  for (size_t i = 0; i < n && !all_found(&s) && hd_run_check(run); i++) {
    s.way = ways[i];
    follow(&s);
  }
  const hd_waypoints none = {0};
  for (s.way = &none; !n && s.seed < ROUNDS && !all_found(&s); s.seed++) {
    follow(&s);
    if (!hd_run_check(run) || !s.asked)
      break;
  }
  hd_vec_free(&s.queue);
  hd_findings_stat(result, "steer.runs", "", (double)s.runs,
                   "runs along the ways of alarms");
  hd_findings_stat(result, "steer.questions", "", (double)s.questions,
                   "to the solver, for inputs");
}
