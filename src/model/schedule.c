/* SPDX-License-Identifier: MIT */
/* The run is rebuilt beside the abstract one: for each thread its abstract
 * local state, its real location and the real values of all its variables.
 * Where the abstract run leaves values out (sliced, dead, or hidden behind a
 * choice), values that the guard admits are searched for.
 *
 * The abstract run may choose a value long before it decides on it (`lazy` of
 * model/finite.h). So it is walked twice: the first time to learn what each
 * such choice, numbered in the order they are made, turned out to be.
 *
 * It may also leave threads waiting that a signal really wakes up. They then
 * stand behind their wait until the abstract run gets there, too:
 *   W  a thread that really waits also waits in the abstract run. */
#include "model/schedule.h"

#include <string.h>

enum { UNDECIDED = 1, DECIDED = 2 };

typedef struct {
  uint32_t id;       /* in the schedule */
  hd_state_id state; /* abstract; HD_NO_ID = ended, or not chosen yet */
  bool fresh;        /* has not chosen its initial local values */
  bool waiting;      /* really */
  hd_loc_id loc;
  uint8_t *locals;  /* n_vars values */
  uint32_t *origin; /* n_vars: which choice the value is, if it is open */
} actor;

typedef struct {
  const hd_extract *extract;
  const hd_program *program;
  hd_finite *finite;
  hd_schedule *out;
  bool scouting;           /* the first time */
  hd_vec(uint8_t) answers; /* what the choices turn out to be */
  uint32_t choices;        /* made so far */
  hd_vec(actor) actors;
  uint32_t idle, spawned; /* threads that have not moved yet, new ones */
  bool idle_fresh;
  size_t signal;   /* step whose signal is on its way */
  uint8_t *shared; /* n_vars values */
  uint32_t *shared_origin;
  uint32_t *fresh_origin; /* n_vars: of variables left open by this step */
  uint8_t *next; /* n_vars values: of assigned variables, during a step */
  uint8_t *is_assigned; /* 0, UNDECIDED or DECIDED */
  uint32_t last;        /* who moved last: runs of one thread read better */
} rebuild;

/* --- values that are decided on later --- */

static uint32_t new_choice(rebuild *r) {
  if (r->scouting)
    hd_vec_push(&r->answers, (uint8_t)HD_UNDECIDED);
  return r->choices++;
}

static uint8_t answer(const rebuild *r, uint32_t choice) {
  return r->answers.data[choice] == 1;
}

/* What hd_finite decided about open variables of this thread. */
static void note_decisions(rebuild *r, const actor *a) {
  for (hd_var_id v = 0; v < r->program->vars.size; v++) {
    uint8_t value = hd_finite_decided(r->finite, v);
    if (value == HD_UNDECIDED)
      continue;
    uint32_t origin =
        r->program->vars.data[v].shared ? r->shared_origin[v] : a->origin[v];
    assert(origin < r->answers.size);
    assert(r->answers.data[origin] == HD_UNDECIDED);
    r->answers.data[origin] = value;
  }
}

typedef struct {
  rebuild *r;
  const actor *a;
  const hd_extract_step *wanted;
  bool found;
} lookup;

static void compare_step(void *context, const hd_finite_step *step) {
  lookup *l = context;
  const hd_extract_step *s = l->wanted;
  if (l->found || step->edge != s->edge || step->shared != s->next_shared ||
      step->local != s->next_local || step->spawned != s->spawned)
    return;
  l->found = true;
  note_decisions(l->r, l->a);
}

static void scout_step(rebuild *r, const actor *a, const hd_extract_step *s) {
  lookup l = {.r = r, .a = a, .wanted = s};
  hd_finite_steps(r->finite, s->shared, s->local, compare_step, &l);
  if (!l.found)
    hd_bug("a step of a checked witness is not one of the program");
}

/* --- evaluation on real values --- */

static uint8_t value_of(const rebuild *r, const actor *a, hd_var_id v) {
  return r->program->vars.data[v].shared ? r->shared[v] : a->locals[v];
}

/* The set of values an expression can have: bit 0 for 0, bit 1 for 1. Choices
 * occur once each, so the sets of the parts are independent. */
static unsigned range_of(const rebuild *r, const actor *a, hd_expr_id id) {
  if (id == HD_NO_ID)
    return 2;
  const hd_expr *e = &r->program->exprs.data[id];
  if (e->op == HD_OP_CONST)
    return 1u << e->value;
  if (e->op == HD_OP_CHOICE)
    return 3;
  if (e->op == HD_OP_VAR)
    return 1u << value_of(r, a, (hd_var_id)e->value);
  if (e->op == HD_OP_NEXT && r->is_assigned[e->value] == UNDECIDED)
    return 3;
  if (e->op == HD_OP_NEXT)
    return 1u << (r->is_assigned[e->value]
                      ? r->next[e->value]
                      : value_of(r, a, (hd_var_id)e->value));
  unsigned x = range_of(r, a, e->args[0]), set = 0;
  if (e->op == HD_OP_NOT)
    return (x & 1) << 1 | x >> 1;
  unsigned y = range_of(r, a, e->args[1]);
  if (e->op == HD_OP_ITE) {
    unsigned z = range_of(r, a, e->args[2]);
    return (x & 2 ? y : 0) | (x & 1 ? z : 0);
  }
  for (unsigned p = 0; p < 2; p++)
    for (unsigned q = 0; q < 2; q++) {
      if (!(x >> p & 1) || !(y >> q & 1))
        continue;
      unsigned both = e->op == HD_OP_AND  ? p & q
                      : e->op == HD_OP_OR ? p | q
                      : e->op == HD_OP_EQ ? p == q
                                          : p ^ q;
      set |= 1u << both;
    }
  return set;
}

/* --- steps --- */

static void record(rebuild *r, const actor *a, hd_edge_id edge) {
  const hd_edge *e = &r->program->edges.data[edge];
  hd_sched_step step = {
      .thread = a->id,
      .edge = edge,
      .woken = HD_NO_ID,
      .values = {.start = (uint32_t)r->out->values.size, .size = e->n_assigns}};
  for (uint32_t i = 0; i < e->n_assigns; i++)
    hd_vec_push(&r->out->values,
                r->next[r->program->assigns.data[e->assigns + i].var]);
  hd_vec_push(&r->out->steps, step);
}

/* Must the value be what the abstract outcome says? */
static bool is_shown(const rebuild *r, hd_state_id local, hd_var_id var) {
  if (!hd_finite_kept(r->finite, var))
    return false;
  return r->program->vars.data[var].shared ||
         (local != HD_NO_ID && hd_finite_live(r->finite, local, var));
}

/* The value that the outcome shows; what it leaves open is known by now. */
static uint8_t shown_value(const rebuild *r, const hd_extract_step *s,
                           hd_var_id var) {
  return hd_finite_open(r->finite, s->next_shared, s->next_local, var)
             ? answer(r, r->fresh_origin[var])
             : hd_finite_value(r->finite, s->next_shared, s->next_local, var);
}

/* Finds values for the assignments from number `i` on such that the guard can
 * hold; those that show are given. As soon as the guard can no longer hold,
 * whatever is still undecided, it gives up. */
static bool choose(rebuild *r, const actor *a, const hd_edge *e,
                   const hd_extract_step *s, uint32_t i) {
  if (!(range_of(r, a, e->guard) & 2))
    return false;
  if (i == e->n_assigns)
    return true;
  const hd_assign *assign = &r->program->assigns.data[e->assigns + i];
  unsigned possible = range_of(r, a, assign->value);
  if (is_shown(r, s->next_local, assign->var))
    possible &= 1u << shown_value(r, s, assign->var);
  for (uint8_t v = 0; v < 2; v++) {
    if (!(possible >> v & 1))
      continue;
    r->next[assign->var] = v;
    r->is_assigned[assign->var] = DECIDED;
    if (choose(r, a, e, s, i + 1))
      return true;
  }
  r->is_assigned[assign->var] = UNDECIDED;
  return false;
}

static void mark_assigned(rebuild *r, const hd_edge *e, uint8_t mark) {
  for (uint32_t i = 0; i < e->n_assigns; i++)
    r->is_assigned[r->program->assigns.data[e->assigns + i].var] = mark;
}

static void apply_values(rebuild *r, actor *a, const hd_edge *e) {
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    hd_var_id v = r->program->assigns.data[e->assigns + i].var;
    if (r->program->vars.data[v].shared)
      r->shared[v] = r->next[v];
    else
      a->locals[v] = r->next[v];
  }
}

/* Carries out the edge for real; nothing is real the first time. */
static void carry_out(rebuild *r, actor *a, hd_edge_id edge,
                      const hd_extract_step *s) {
  if (r->scouting)
    return;
  const hd_edge *e = &r->program->edges.data[edge];
  mark_assigned(r, e, UNDECIDED);
  if (!choose(r, a, e, s, 0))
    hd_bug("no values for line %u of a checked witness", e->origin.line);
  mark_assigned(r, e, 0);
  record(r, a, edge);
  apply_values(r, a, e);
}

/* The skips from where the thread really is to where its abstract state is. */
static void settle(rebuild *r, uint32_t thread) {
  actor *a = &r->actors.data[thread];
  hd_loc_id goal = hd_finite_loc(r->finite, a->state);
  const hd_extract_step nothing = {.next_local = HD_NO_ID};
  while (a->loc != goal) {
    hd_edge_id edge = hd_finite_skip(r->finite, a->loc);
    assert(hd_finite_settle(r->finite, a->loc) == goal);
    carry_out(r, a, edge, &nothing);
    a->loc = r->program->edges.data[edge].to;
  }
}

static uint32_t new_actor(rebuild *r, uint32_t id) {
  size_t n = r->program->vars.size;
  actor a = {.id = id,
             .state = HD_NO_ID,
             .loc = r->program->entry,
             .locals = hd_calloc(n + 1, 1),
             .origin = hd_calloc(n + 1, sizeof *a.origin)};
  hd_vec_push(&r->actors, a);
  return (uint32_t)r->actors.size - 1;
}

/* --- waiting --- */

static void wake(rebuild *r, actor *a) {
  const hd_program *p = r->program;
  a->waiting = false;
  for (uint32_t i = p->out_start[a->loc]; i < p->out_start[a->loc + 1]; i++)
    if (p->edges.data[p->out[i]].act == HD_ACT_WAIT) {
      a->loc = p->edges.data[p->out[i]].to;
      return;
    }
  hd_bug("a thread waits at a location without wait");
}

static void wake_all(rebuild *r) {
  for (hd_vec_each(actor, a, &r->actors)) {
    if (a->waiting)
      wake(r, a);
    hd_state_id woken =
        a->state == HD_NO_ID ? HD_NO_ID : hd_finite_woken(r->finite, a->state);
    if (woken != HD_NO_ID)
      a->state = woken;
  }
}

/* Step number `step` signals: really wakes `wanted` if it waits, else another
 * thread that does, if there is one. */
static void wake_one(rebuild *r, size_t step, actor *wanted) {
  actor *found = wanted && wanted->waiting ? wanted : NULL;
  for (size_t i = 0; !found && i < r->actors.size; i++)
    if (r->actors.data[i].waiting)
      found = &r->actors.data[i];
  if (!found)
    return;
  wake(r, found);
  if (!r->scouting)
    r->out->steps.data[step].woken = found->id;
}

static void act(rebuild *r, uint32_t thread, const hd_extract_step *s) {
  const hd_edge *e = &r->program->edges.data[s->edge];
  size_t n = r->program->vars.size, step = r->out->steps.size - 1;
  actor *a = &r->actors.data[thread];
  switch (e->act) {
  case HD_ACT_SPAWN: {
    uint32_t child = new_actor(r, r->out->n_threads + r->spawned++);
    actor *c = &r->actors.data[child];
    a = &r->actors.data[thread];
    memcpy(c->locals, a->locals, n);
    memcpy(c->origin, a->origin, n * sizeof *c->origin);
    c->loc = e->other;
    c->state = s->spawned;
    break;
  }
  case HD_ACT_WAIT:
    a->waiting = true;
    break;
  case HD_ACT_BROADCAST:
    wake_all(r);
    break;
  case HD_ACT_SIGNAL:
    if (hd_finite_signals(r->finite, s->next_shared))
      r->signal = step;
    else
      wake_one(r, step, NULL);
    break;
  default:
    break;
  }
  if (e->act != HD_ACT_WAIT)
    r->actors.data[thread].loc = e->to;
}

/* Variables that the step assigns and leaves open are new choices. */
static void open_choices(rebuild *r, const hd_edge *e,
                         const hd_extract_step *s) {
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    hd_var_id v = r->program->assigns.data[e->assigns + i].var;
    if (is_shown(r, s->next_local, v) &&
        hd_finite_open(r->finite, s->next_shared, s->next_local, v))
      r->fresh_origin[v] = new_choice(r);
  }
}

static void keep_origins(rebuild *r, actor *a, const hd_edge *e) {
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    hd_var_id v = r->program->assigns.data[e->assigns + i].var;
    if (r->program->vars.data[v].shared)
      r->shared_origin[v] = r->fresh_origin[v];
    else
      a->origin[v] = r->fresh_origin[v];
  }
}

static void take_edge(rebuild *r, uint32_t thread, const hd_extract_step *s) {
  const hd_edge *e = &r->program->edges.data[s->edge];
  r->last = thread;
  if (hd_finite_signals(r->finite, s->shared)) { /* the signal arrives */
    r->actors.data[thread].state = s->next_local;
    wake_one(r, r->signal, &r->actors.data[thread]);
    return;
  }
  settle(r, thread);
  if (r->scouting)
    scout_step(r, &r->actors.data[thread], s);
  open_choices(r, e, s);
  carry_out(r, &r->actors.data[thread], s->edge, s);
  keep_origins(r, &r->actors.data[thread], e);
  act(r, thread, s);
  r->actors.data[thread].state = s->next_local;
}

/* --- initial values --- */

static void set_locals(rebuild *r, uint32_t thread, hd_state_id state) {
  actor *a = &r->actors.data[thread];
  a->state = state;
  a->fresh = false;
  for (hd_var_id v = 0; v < r->program->vars.size; v++) {
    const hd_var *var = &r->program->vars.data[v];
    if (var->shared)
      continue;
    a->locals[v] = (uint8_t)(var->any ? 0 : var->init);
    if (!is_shown(r, state, v))
      continue;
    if (hd_finite_open(r->finite, 0, state, v))
      a->locals[v] = answer(r, a->origin[v] = new_choice(r));
    else
      a->locals[v] = hd_finite_value(r->finite, 0, state, v);
  }
  for (hd_var_id v = 0; !r->scouting && v < r->program->vars.size; v++)
    r->out->initial.data[(1 + a->id) * r->program->vars.size + v] =
        a->locals[v];
}

static void set_shared(rebuild *r, hd_state_id state) {
  for (hd_var_id v = 0; v < r->program->vars.size; v++) {
    const hd_var *var = &r->program->vars.data[v];
    if (!var->shared)
      continue;
    r->shared[v] = (uint8_t)(var->any ? 0 : var->init);
    if (!hd_finite_kept(r->finite, v))
      continue;
    if (hd_finite_open(r->finite, state, 0, v))
      r->shared[v] = answer(r, r->shared_origin[v] = new_choice(r));
    else
      r->shared[v] = hd_finite_value(r->finite, state, 0, v);
  }
  for (hd_var_id v = 0; !r->scouting && v < r->program->vars.size; v++)
    r->out->initial.data[v] = r->shared[v];
}

/* One of the threads that have not moved yet; only those that do are numbered
 * and have values. */
static uint32_t call_up(rebuild *r) {
  size_t n = r->program->vars.size;
  uint32_t thread = new_actor(r, r->out->n_threads - r->idle--);
  if (!r->scouting) {
    for (size_t v = 0; v < n; v++)
      hd_vec_push(&r->out->initial, (uint8_t)0);
    r->out->n_active++;
  }
  r->actors.data[thread].fresh = true;
  if (!r->idle_fresh)
    set_locals(r, thread, r->extract->start_place);
  return thread;
}

/* A thread in the given abstract state, the last mover if it is one. */
static uint32_t find_actor(rebuild *r, hd_state_id state, bool fresh) {
  uint32_t found = HD_NO_ID;
  for (uint32_t i = 0; i < r->actors.size; i++) {
    const actor *a = &r->actors.data[i];
    if (fresh ? !a->fresh : a->fresh || a->state != state)
      continue;
    if (found == HD_NO_ID || i == r->last)
      found = i;
  }
  bool start = r->idle_fresh ? fresh : state == r->extract->start_place;
  if (found == HD_NO_ID && r->idle && start)
    found = call_up(r);
  if (found == HD_NO_ID)
    hd_bug("no thread is where a checked witness needs one");
  return found;
}

static void violate(rebuild *r, const hd_extract_step *s) {
  uint32_t thread = find_actor(r, s->local, false);
  const actor *a = &r->actors.data[thread];
  if (r->scouting) {
    if (!hd_finite_violates(r->finite, s->shared, s->local, s->edge))
      hd_bug("a checked witness ends without a violation");
    note_decisions(r, a);
  }
  settle(r, thread);
  r->out->thread = a->id;
  r->out->violated = s->edge;
}

/* --- the run --- */

static void start(rebuild *r, const hd_witness *witness) {
  const hd_net *net = r->extract->net;
  hd_place_id place = r->extract->start_place;
  r->out->violated = HD_NO_ID;
  r->out->n_threads = hd_tokens_at(hd_token_vec_view(&witness->init), place);
  r->idle = r->out->n_threads;
  r->idle_fresh = place >= hd_finite_n_local(r->finite);
  r->spawned = r->choices = 0;
  r->last = HD_NO_ID;
  for (hd_var_id v = 0; !r->scouting && v < r->program->vars.size; v++)
    hd_vec_push(&r->out->initial, (uint8_t)0);
  if (net->init_shared < hd_finite_n_shared(r->finite))
    set_shared(r, net->init_shared);
}

static void take(rebuild *r, const hd_extract_step *s) {
  switch (s->kind) {
  case HD_FROM_SHARED:
    set_shared(r, s->next_shared);
    break;
  case HD_FROM_LOCAL:
    set_locals(r, find_actor(r, HD_NO_ID, true), s->next_local);
    break;
  case HD_FROM_EDGE:
    take_edge(r, find_actor(r, s->local, false), s);
    break;
  case HD_FROM_SPAWN: /* its first half did everything */
    break;
  case HD_FROM_VIOLATED:
    violate(r, s);
    break;
  }
}

static void free_actors(rebuild *r) {
  for (hd_vec_each(actor, a, &r->actors)) {
    hd_free(a->locals);
    hd_free(a->origin);
  }
  hd_vec_free(&r->actors);
}

static void walk(rebuild *r, const hd_witness *witness, bool scouting) {
  r->scouting = scouting;
  start(r, witness);
  for (size_t i = 0; i < witness->steps.size && r->out->violated == HD_NO_ID;
       i++)
    take(r, &r->extract->steps.data[witness->steps.data[i].trans]);
  free_actors(r);
}

hd_schedule *hd_schedule_new(const hd_extract *extract,
                             const hd_witness *witness) {
  const hd_program *program = hd_finite_program(extract->finite);
  size_t n = program->vars.size + 1;
  rebuild r = {.extract = extract,
               .program = program,
               .finite = extract->finite,
               .out = hd_calloc(1, sizeof *r.out),
               .shared = hd_calloc(n, 1),
               .shared_origin = hd_calloc(n, sizeof *r.shared_origin),
               .fresh_origin = hd_calloc(n, sizeof *r.fresh_origin),
               .next = hd_calloc(n, 1),
               .is_assigned = hd_calloc(n, 1)};
  walk(&r, witness, true);
  walk(&r, witness, false);
  hd_vec_free(&r.answers);
  hd_free(r.shared);
  hd_free(r.shared_origin);
  hd_free(r.fresh_origin);
  hd_free(r.next);
  hd_free(r.is_assigned);
  return r.out;
}

void hd_schedule_delete(hd_schedule *schedule) {
  if (!schedule)
    return;
  hd_vec_free(&schedule->initial);
  hd_vec_free(&schedule->steps);
  hd_vec_free(&schedule->values);
  hd_free(schedule);
}
