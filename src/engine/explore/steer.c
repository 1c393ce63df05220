/* SPDX-License-Identifier: MIT */
/* Runs along a way: what an alarm needs to become a violation.
 *
 * Another engine says in which order threads do what others notice (the way); a
 * run follows that as far as it can, and then goes on with the thread that came
 * last. Beside the machine runs a shadow with inputs as variables. Whatever the
 * inputs decided in a run, a branch, an assertion, is turned round, one decision
 * after the other: inputs that decide all before it as they did and this one
 * differently are asked for from the solver, and tried in a run of their own,
 * which turns round later decisions only. So no two runs decide the same, and
 * what can be decided in a bounded run is, in the end. There are bounds on runs
 * and time. What is found is real: the machine has executed it. */
#include "engine/explore/common.h"
#include "engine/explore/shadow.h"

enum { MAX_RUNS = 300, MAX_MOVES = 3000, MAX_QUEUE = 2000 };

typedef hd_vec(uint64_t) choices;

/* A run to be made. */
typedef struct {
  choices inputs; /* the first ones; the others as near to 0 as possible */
  size_t from;    /* decisions before that one have been turned round */
} trial;

typedef struct {
  uint64_t low, choices; /* value = low + choice; UINT64_MAX: 2^64 */
} input;

typedef struct {
  const hd_code *code;
  const hd_explore_options *options;
  const hd_waypoints *way;
  hd_run *run;
  hd_explore_result *result;
  hd_bv *bv;
  hd_vec(trial) queue;
  size_t runs, questions;
} steering;

/* One run. */
typedef struct {
  steering *s;
  hd_machine *m;
  const trial *trial;
  hd_turns turns;
  hd_vec(input) inputs;
} course;

static uint64_t nearest_to_zero(int64_t low, uint64_t n) {
  uint64_t choice = 0 - (uint64_t)low;
  return n == UINT64_MAX || choice < n ? choice : 0;
}

static bool can_move(const course *c, hd_tid t) {
  return hd_machine_status_of(c->m) == HD_MACHINE_RUNNING &&
         t < hd_machine_threads(c->m) && hd_machine_alive(c->m, t) &&
         hd_machine_enabled(c->m, t) && c->turns.size < MAX_MOVES;
}

static void move(course *c, hd_tid t, uint64_t choice) {
  hd_turn turn = {.thread = t, .choice = choice};
  if (hd_machine_is_input(c->m, t)) {
    int64_t low = hd_machine_input_low(c->m, t);
    uint64_t n = hd_machine_choices(c->m, t);
    size_t k = c->inputs.size;
    turn.choice = nearest_to_zero(low, n);
    if (k < c->trial->inputs.size &&
        (n == UINT64_MAX || c->trial->inputs.data[k] < n))
      turn.choice = c->trial->inputs.data[k];
    hd_vec_push(&c->inputs, ((input){(uint64_t)low, n}));
  } else if (choice >= hd_machine_choices(c->m, t)) {
    turn.choice = 0;
  }
  hd_vec_push(&c->turns, turn);
  hd_machine_move(c->m, turn);
}

static hd_edge_id stands_before(const course *c, hd_tid t) {
  return hd_machine_access(c->m, t).edge;
}

/* False: the thread cannot get there. */
static bool reach(course *c, const hd_waypoint *to) {
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
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (is_open(s, p))
      return false;
  return true;
}

/* --- other inputs --- */

/* What the inputs can be, and what they decided before number i. */
static void add_prefix(steering *s, const course *c, const hd_shadow *shadow,
                       size_t i, hd_bv_terms *terms) {
  const hd_bv_terms *vars = hd_shadow_inputs(shadow);
  for (size_t k = 0; k < vars->size && k < c->inputs.size; k++) {
    uint8_t width = hd_bv_width(s->bv, vars->data[k]);
    uint64_t n = c->inputs.data[k].choices;
    if (n == UINT64_MAX || (width < 64 && n >> width))
      continue;
    hd_bv_term low = hd_bv_const(s->bv, width, c->inputs.data[k].low);
    hd_bv_term far = hd_bv_apply(s->bv, HD_BV_SUB, vars->data[k], low);
    hd_bv_term most = hd_bv_const(s->bv, width, n - 1);
    hd_vec_push(terms, hd_bv_apply(s->bv, HD_BV_ULE, far, most));
  }
  for (size_t k = 0; k < i; k++)
    hd_vec_push(terms, hd_shadow_decisions(shadow)->data[k].holds);
}

static void ask(steering *s, const course *c, const hd_shadow *shadow, size_t i,
                bool holds) {
  const hd_decision *d = &hd_shadow_decisions(shadow)->data[i];
  const hd_bv_terms *vars = hd_shadow_inputs(shadow);
  hd_bv_terms terms = {0};
  add_prefix(s, c, shadow, i, &terms);
  hd_vec_push(&terms, holds ? d->holds : hd_bv_not(s->bv, d->holds));
  s->questions++;
  if (s->queue.size < MAX_QUEUE &&
      hd_bv_solve(s->bv, terms.data, terms.size, 1.0) == HD_SMT_SAT) {
    trial next = {.from = i + 1};
    for (size_t k = 0; k < d->inputs && k < c->inputs.size; k++) {
      uint8_t width = hd_bv_width(s->bv, vars->data[k]);
      uint64_t wide = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
      uint64_t value = hd_bv_value(s->bv, vars->data[k]);
      hd_vec_push(&next.inputs, (value - c->inputs.data[k].low) & wide);
    }
    hd_vec_push(&s->queue, next);
  }
  hd_vec_free(&terms);
}

static void turn_round(steering *s, const course *c, const hd_shadow *shadow) {
  const hd_decisions *all = hd_shadow_decisions(shadow);
  for (size_t i = c->trial->from; i < all->size && hd_run_check(s->run); i++) {
    ask(s, c, shadow, i, false);
    if (all->data[i].open && i + 1 == all->size)
      ask(s, c, shadow, i, true);
  }
}

/* --- runs --- */

static void make_run(steering *s, const trial *now) {
  hd_shadow *shadow = hd_shadow_new(s->code, s->bv);
  hd_machine_options machine = hd_search_options(s->options, true);
  machine.observe = hd_shadow_observe;
  machine.context = shadow;
  course c = {.s = s, .m = hd_machine_new(s->code, &machine), .trial = now};
  hd_tid last = 0;
  for (hd_vec_each(const hd_waypoint, to, s->way)) {
    last = to->thread;
    if (!reach(&c, to))
      break;
  }
  go_on(&c, last);
  s->runs++;
  take_violations(&c);
  if (!all_found(s))
    turn_round(s, &c, shadow);
  hd_machine_delete(c.m);
  hd_shadow_delete(shadow);
  hd_vec_free(&c.turns);
  hd_vec_free(&c.inputs);
}

static void follow(steering *s) {
  size_t before = s->runs;
  trial first = {0};
  s->bv = hd_bv_new();
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
  hd_bv_delete(s->bv);
}

void hd_steer(const hd_code *code, const hd_explore_options *options,
              const hd_waypoints *const *ways, size_t n, hd_run *run,
              hd_explore_result *result) {
  steering s = {.code = code, .options = options, .run = run, .result = result};
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    result->findings[p].asked = options->machine.checks >> p & 1;
  for (size_t i = 0; i < n && !all_found(&s) && hd_run_check(run); i++) {
    s.way = ways[i];
    follow(&s);
  }
  hd_vec_free(&s.queue);
  hd_findings_stat(result, "steer.runs", "", (double)s.runs,
                   "runs along the ways of alarms");
  hd_findings_stat(result, "steer.questions", "", (double)s.questions,
                   "to the solver, for inputs");
}
