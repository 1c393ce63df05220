/* SPDX-License-Identifier: MIT */
/* The run is rebuilt beside the abstract one: for each thread its abstract
 * local state, its real location and the real values of all its variables.
 * Where the abstract run leaves values open (sliced, dead, or hidden behind a
 * choice), values that the guard admits are searched for. */
#include "model/schedule.h"

#include <string.h>

enum { UNDECIDED = 1, DECIDED = 2 };

typedef struct {
  hd_state_id state; /* abstract; HD_NO_ID = ended, or not chosen yet */
  bool fresh;        /* has not chosen its initial local values */
  hd_loc_id loc;
  uint8_t *locals; /* n_vars values */
} actor;

typedef struct {
  const hd_extract *extract;
  const hd_program *program;
  hd_finite *finite;
  hd_schedule *out;
  hd_vec(actor) actors;
  uint8_t *shared; /* n_vars values */
  uint8_t *next;   /* n_vars values: of assigned variables, during a step */
  uint8_t *is_assigned; /* 0, UNDECIDED or DECIDED */
  uint32_t last;        /* who moved last: runs of one thread read better */
} rebuild;

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

static void record(rebuild *r, uint32_t thread, hd_edge_id edge) {
  const hd_edge *e = &r->program->edges.data[edge];
  hd_sched_step step = {
      .thread = thread,
      .edge = edge,
      .values = {.start = (uint32_t)r->out->values.size, .size = e->n_assigns}};
  for (uint32_t i = 0; i < e->n_assigns; i++)
    hd_vec_push(&r->out->values,
                r->next[r->program->assigns.data[e->assigns + i].var]);
  hd_vec_push(&r->out->steps, step);
  r->last = thread;
}

/* Must the value be what the abstract outcome says? */
static bool is_shown(const rebuild *r, hd_state_id local, hd_var_id var) {
  if (!hd_finite_kept(r->finite, var))
    return false;
  return r->program->vars.data[var].shared ||
         (local != HD_NO_ID && hd_finite_live(r->finite, local, var));
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
    possible &= 1u << hd_finite_value(r->finite, s->next_shared, s->next_local,
                                      assign->var);
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

/* The skips from where the thread really is to where its abstract state is. */
static void settle(rebuild *r, uint32_t thread) {
  actor *a = &r->actors.data[thread];
  hd_loc_id goal = hd_finite_loc(r->finite, a->state);
  while (a->loc != goal) {
    hd_edge_id edge = r->program->out[r->program->out_start[a->loc]];
    assert(hd_finite_settle(r->finite, a->loc) == goal);
    record(r, thread, edge);
    a->loc = r->program->edges.data[edge].to;
  }
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

static uint32_t new_actor(rebuild *r) {
  actor a = {.state = HD_NO_ID,
             .loc = r->program->entry,
             .locals = hd_calloc(r->program->vars.size, 1)};
  hd_vec_push(&r->actors, a);
  return (uint32_t)r->actors.size - 1;
}

static void mark_assigned(rebuild *r, const hd_edge *e, uint8_t mark) {
  for (uint32_t i = 0; i < e->n_assigns; i++)
    r->is_assigned[r->program->assigns.data[e->assigns + i].var] = mark;
}

static void wake_all(rebuild *r) {
  for (hd_vec_each(actor, a, &r->actors)) {
    if (a->state == HD_NO_ID)
      continue;
    hd_state_id woken = hd_finite_woken(r->finite, a->state);
    if (woken == HD_NO_ID)
      continue;
    a->state = woken;
    for (uint32_t i = r->program->out_start[a->loc];
         i < r->program->out_start[a->loc + 1]; i++)
      if (r->program->edges.data[r->program->out[i]].act == HD_ACT_WAIT) {
        a->loc = r->program->edges.data[r->program->out[i]].to;
        break;
      }
  }
}

static void take_edge(rebuild *r, uint32_t thread, const hd_extract_step *s) {
  const hd_edge *e = &r->program->edges.data[s->edge];
  settle(r, thread);
  mark_assigned(r, e, UNDECIDED);
  if (!choose(r, &r->actors.data[thread], e, s, 0))
    hd_bug("no values for line %u of a checked witness", e->origin.line);
  mark_assigned(r, e, 0);
  record(r, thread, s->edge);
  apply_values(r, &r->actors.data[thread], e);
  if (e->act == HD_ACT_SPAWN) {
    uint32_t child = new_actor(r);
    memcpy(r->actors.data[child].locals, r->actors.data[thread].locals,
           r->program->vars.size);
    r->actors.data[child].loc = e->other;
    r->actors.data[child].state = s->spawned;
  }
  actor *a = &r->actors.data[thread];
  a->state = s->next_local;
  if (e->act != HD_ACT_WAIT)
    a->loc = e->to;
  if (e->act == HD_ACT_BROADCAST)
    wake_all(r);
}

/* A thread in the given abstract state, the last mover if it is one. */
static uint32_t find_actor(const rebuild *r, hd_state_id state, bool fresh) {
  uint32_t found = HD_NO_ID;
  for (uint32_t i = 0; i < r->actors.size; i++) {
    const actor *a = &r->actors.data[i];
    if (fresh ? !a->fresh : a->fresh || a->state != state)
      continue;
    if (found == HD_NO_ID || i == r->last)
      found = i;
  }
  if (found == HD_NO_ID)
    hd_bug("no thread is where a checked witness needs one");
  return found;
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
    if (hd_finite_kept(r->finite, v) && hd_finite_live(r->finite, state, v))
      a->locals[v] = hd_finite_value(r->finite, 0, state, v);
    r->out->initial.data[(1 + thread) * r->program->vars.size + v] =
        a->locals[v];
  }
}

static void set_shared(rebuild *r, hd_state_id state) {
  for (hd_var_id v = 0; v < r->program->vars.size; v++) {
    const hd_var *var = &r->program->vars.data[v];
    if (!var->shared)
      continue;
    r->shared[v] = (uint8_t)(var->any ? 0 : var->init);
    if (hd_finite_kept(r->finite, v))
      r->shared[v] = hd_finite_value(r->finite, state, 0, v);
    r->out->initial.data[v] = r->shared[v];
  }
}

static void start(rebuild *r, const hd_witness *witness) {
  const hd_net *net = r->extract->net;
  size_t n_local = hd_finite_n_local(r->finite);
  hd_place_id place = r->extract->start_place;
  r->out->n_threads = hd_tokens_at(hd_token_vec_view(&witness->init), place);
  size_t values = (1 + (size_t)r->out->n_threads) * r->program->vars.size;
  hd_vec_resize(&r->out->initial, values);
  if (values)
    memset(r->out->initial.data, 0, values);
  for (uint32_t i = 0; i < r->out->n_threads; i++) {
    uint32_t thread = new_actor(r);
    if (place < n_local)
      set_locals(r, thread, place);
    else
      r->actors.data[thread].fresh = true;
  }
  if (net->init_shared < hd_finite_n_shared(r->finite))
    set_shared(r, net->init_shared);
}

/* Threads that never chose their initial values never did anything. */
static void settle_idle(rebuild *r) {
  for (uint32_t i = 0; i < r->out->n_threads; i++)
    for (hd_var_id v = 0; v < r->program->vars.size; v++) {
      const hd_var *var = &r->program->vars.data[v];
      if (r->actors.data[i].fresh && !var->shared && !var->any)
        r->out->initial.data[(1 + i) * r->program->vars.size + v] =
            (uint8_t)var->init;
    }
}

hd_schedule *hd_schedule_new(const hd_extract *extract,
                             const hd_witness *witness) {
  const hd_program *program = hd_finite_program(extract->finite);
  size_t n = program->vars.size;
  rebuild r = {.extract = extract,
               .program = program,
               .finite = extract->finite,
               .out = hd_calloc(1, sizeof *r.out),
               .shared = hd_calloc(n, 1),
               .next = hd_calloc(n, 1),
               .is_assigned = hd_calloc(n, 1)};
  r.out->violated = HD_NO_ID;
  start(&r, witness);
  for (hd_vec_each(const hd_step, step, &witness->steps)) {
    const hd_extract_step *s = &extract->steps.data[step->trans];
    uint32_t thread;
    switch (s->kind) {
    case HD_FROM_SHARED:
      set_shared(&r, s->next_shared);
      break;
    case HD_FROM_LOCAL:
      set_locals(&r, find_actor(&r, HD_NO_ID, true), s->next_local);
      break;
    case HD_FROM_EDGE:
      take_edge(&r, find_actor(&r, s->local, false), s);
      break;
    case HD_FROM_SPAWN: /* its first half did everything */
      break;
    case HD_FROM_VIOLATED:
      thread = find_actor(&r, s->local, false);
      settle(&r, thread);
      r.out->thread = thread;
      r.out->violated = s->edge;
      break;
    }
    if (r.out->violated != HD_NO_ID)
      break;
  }
  settle_idle(&r);
  for (hd_vec_each(actor, a, &r.actors))
    hd_free(a->locals);
  hd_vec_free(&r.actors);
  hd_free(r.shared);
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
