/* SPDX-License-Identifier: MIT */
/* Values are three-valued during a step: 0, 1, or OPEN while they depend on a
 * choice that is not decided, or on a variable whose value is open. What shows
 * in the outcome is decided one by one, giving up as soon as the guard is
 * certainly false; other choices only have to let the guard be true somehow.
 *
 * A variable whose value is open has been chosen and not been read since: all
 * that can be told apart is still to come, so the choice is made at the first
 * read, and the outcome has the value read. Only a SPAWN makes two copies of
 * it; values that both threads may read are decided before. */
#include "model/finite_impl.h"

#include <string.h>

#define OPEN HD_UNDECIDED
#define ATOMIC HD_FINITE_ATOMIC
#define WAITING HD_FINITE_WAITING

void hd_finite_limit(hd_finite *f, hd_run *run) {
  f->run = run;
  f->stopped = false;
}

bool hd_finite_stopped(const hd_finite *f) {
  return f->stopped;
}

bool hd_finite_go_on(hd_finite *f) {
  f->stopped = f->stopped || (f->run && !hd_run_check(f->run));
  return !f->stopped;
}

/* Looks at the limits now and then, as a single statement may have more
 * outcomes than there is time for. */
static bool may_decide(hd_finite *f) {
  return !f->stopped && (f->stats.choices % 4096 || hd_finite_go_on(f));
}

static bool is_open(const hd_finite *f, hd_var_id var) {
  return f->some_open && f->open_bit[var] != HD_NO_ID &&
         hd_finite_bit(f, f->shared_now, f->local_now, var, f->open_bit[var]);
}

static uint8_t eval(const hd_finite *f, hd_expr_id id) {
  return hd_finite_eval(f, id, NULL);
}

/* --- decisions --- */

static void undo(hd_finite *f, size_t mark) {
  while (f->touched.size > mark)
    *hd_vec_pop(&f->touched) = OPEN;
}

/* Sets the leaf, unless a limit is reached. */
static bool decide_leaf(hd_finite *f, uint8_t *leaf, uint8_t value) {
  f->stats.choices++;
  if (!may_decide(f))
    return false;
  *leaf = value;
  hd_vec_push(&f->touched, leaf);
  return true;
}

/* Can `expr` take the value `want`? If so what it takes is left decided. */
static bool can_be(hd_finite *f, hd_expr_id expr, uint8_t want) {
  hd_finite_leaves leaves = {0};
  uint8_t value = expr == HD_NO_ID ? 1 : hd_finite_eval(f, expr, &leaves);
  if (value != OPEN)
    return value == want;
  uint8_t *leaf = leaves.var ? leaves.var : leaves.choice;
  assert(leaf);
  size_t mark = f->touched.size;
  for (uint8_t v = 0; v < 2 && decide_leaf(f, leaf, v); v++) {
    if (can_be(f, expr, want))
      return true;
    undo(f, mark);
  }
  return false;
}

/* --- outcomes --- */

static void set_loc(hd_finite *f, uint64_t *local, hd_loc_id loc,
                    uint64_t flags) {
  local[0] = f->settle[loc] | flags;
}

/* Dead local variables are 0 wherever they are dead. */
static void forget_dead(hd_finite *f, uint64_t *local) {
  if (!f->live)
    return;
  const uint64_t *live = f->live + (uint32_t)local[0] * f->var_words;
  const hd_program *p = f->program;
  for (hd_var_id v = 0; v < p->vars.size; v++) {
    if (p->vars.data[v].shared || !hd_bits_test(f->kept, v) ||
        hd_bits_test(live, v))
      continue;
    if (hd_bits_test(local + 1, f->bit[v])) {
      hd_bits_clear(local + 1, f->bit[v]);
      f->stats.dead_resets++;
    }
    if (f->open_bit[v] != HD_NO_ID)
      hd_bits_clear(local + 1, f->open_bit[v]);
  }
}

static void emit(hd_finite *f, bool ends, bool wakes, hd_state_id spawned) {
  hd_finite_step step = {.edge = f->edge_id,
                         .spawned = spawned,
                         .ends = ends,
                         .wakes = wakes,
                         .local = HD_NO_ID};
  step.shared = hd_intern_put(&f->shared, f->shared_next);
  if (!ends) {
    forget_dead(f, f->local_next);
    step.local = hd_intern_put(&f->local, f->local_next);
  }
  f->stats.steps++;
  f->visit(f->context, &step);
}

static void start_outcome(hd_finite *f, hd_loc_id to) {
  memcpy(f->shared_next, f->shared_now, f->shared.words * sizeof(uint64_t));
  memcpy(f->local_next, f->local_now, f->local.words * sizeof(uint64_t));
  set_loc(f, f->local_next, to, f->local_now[0] & ATOMIC);
}

/* `value` may be OPEN. */
static void write_value(hd_finite *f, hd_var_id var, uint8_t value) {
  uint64_t *bits =
      f->program->vars.data[var].shared ? f->shared_next : f->local_next + 1;
  if (value == 1)
    hd_bits_set(bits, f->bit[var]);
  else
    hd_bits_clear(bits, f->bit[var]);
  if (value == OPEN)
    hd_bits_set(bits, f->open_bit[var]);
  else if (f->open_bit[var] != HD_NO_ID)
    hd_bits_clear(bits, f->open_bit[var]);
}

/* Variables that were open and have been decided have their value now. */
static void write_decided(hd_finite *f) {
  for (size_t i = 0; f->some_open && i < f->openable.size; i++) {
    hd_var_id var = f->openable.data[i];
    if (f->var_decided[var] != OPEN)
      write_value(f, var, f->var_decided[var]);
  }
}

/* Has this outcome of the edge been seen before? */
static bool is_known(hd_finite *f) {
  forget_dead(f, f->local_next);
  uint64_t key = (uint64_t)hd_intern_put(&f->shared, f->shared_next) << 32 |
                 hd_intern_put(&f->local, f->local_next);
  bool fresh;
  hd_outcomes_put(&f->seen, key, 0, &fresh);
  return !fresh;
}

static void emit_step(hd_finite *f, const hd_finite_plan *p) {
  start_outcome(f, f->edge->to);
  write_decided(f);
  for (size_t i = 0; i < p->shown.size; i++) {
    const hd_assign *a = &f->program->assigns.data[p->shown.data[i]];
    write_value(f, a->var, eval(f, a->value));
  }
  for (size_t i = 0; i < p->loose.size; i++)
    write_value(f, f->program->assigns.data[p->loose.data[i]].var, OPEN);
  if ((p->distinct && !f->some_open) || !is_known(f))
    emit(f, false, false, HD_NO_ID);
}

/* An open variable that goes into the outcome, or NULL. */
static uint8_t *find_read(const hd_finite *f, const hd_finite_plan *p) {
  hd_finite_leaves leaves = {0};
  for (size_t i = 0; f->some_open && !leaves.var && i < p->shown.size; i++)
    hd_finite_eval(f, f->program->assigns.data[p->shown.data[i]].value,
                   &leaves);
  return leaves.var;
}

/* Decides the choices that show from number `k` on, then open variables, then
 * whether the guard can hold. */
static void decide(hd_finite *f, const hd_finite_plan *p, size_t k) {
  hd_finite_leaves leaves = {0};
  hd_expr_id condition = f->edge->guard;
  uint8_t guard =
      condition == HD_NO_ID ? 1 : hd_finite_eval(f, condition, &leaves);
  if (guard == 0)
    return;
  bool choice = k < p->decisive.size;
  uint8_t *leaf = choice       ? &f->decided[p->decisive.data[k]]
                  : leaves.var ? leaves.var
                               : find_read(f, p);
  size_t mark = f->touched.size;
  if (!leaf) {
    if (guard == 1 || can_be(f, f->edge->guard, 1))
      emit_step(f, p);
    undo(f, mark);
    return;
  }
  for (uint8_t v = 0; v < 2 && decide_leaf(f, leaf, v); v++) {
    decide(f, p, k + choice);
    undo(f, mark);
  }
}

static void step_edge(hd_finite *f) {
  const hd_edge *e = f->edge;
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    const hd_assign *a = &f->program->assigns.data[e->assigns + i];
    f->assigned[a->var] = a;
  }
  if (f->seen.size)
    hd_outcomes_free(&f->seen);
  decide(f, &f->plans[f->edge_id], 0);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    f->assigned[f->program->assigns.data[e->assigns + i].var] = NULL;
}

static void emit_spawn(hd_finite *f) {
  start_outcome(f, f->edge->other);
  write_decided(f);
  f->local_next[0] &= ~ATOMIC;
  forget_dead(f, f->local_next);
  hd_state_id child = hd_intern_put(&f->local, f->local_next);
  start_outcome(f, f->edge->to);
  write_decided(f);
  emit(f, false, false, child);
}

/* Decides the open variables, from number `k` on, that both threads may read:
 * they have the same value in both. */
static void spawn_edge(hd_finite *f, size_t k) {
  for (; f->some_open && k < f->openable.size; k++) {
    hd_var_id var = f->openable.data[k];
    if (f->program->vars.data[var].shared || !is_open(f, var) ||
        !hd_finite_shows(f, f->settle[f->edge->to], var) ||
        !hd_finite_shows(f, f->settle[f->edge->other], var))
      continue;
    size_t mark = f->touched.size;
    for (uint8_t v = 0; v < 2 && decide_leaf(f, &f->var_decided[var], v); v++) {
      spawn_edge(f, k + 1);
      undo(f, mark);
    }
    return;
  }
  emit_spawn(f);
}

static void atomic_edge(hd_finite *f, bool begin) {
  bool mine = (f->local_now[0] & ATOMIC) != 0;
  start_outcome(f, f->edge->to);
  if (begin && !mine) {
    hd_bits_set(f->shared_next, f->atomic_bit);
    f->local_next[0] |= ATOMIC;
  } else if (!begin && mine) {
    hd_bits_clear(f->shared_next, f->atomic_bit);
    f->local_next[0] &= ~ATOMIC;
  }
  emit(f, false, false, HD_NO_ID);
}

/* A thread that ends or waits inside its atomic section leaves it. */
static void leave_atomic(hd_finite *f) {
  if (f->local_now[0] & ATOMIC)
    hd_bits_clear(f->shared_next, f->atomic_bit);
  f->local_next[0] &= ~ATOMIC;
}

/* One waiting thread wakes up, whichever; or none does. The latter is what
 * happens when none waits, and does no harm when one does: a thread that woke up
 * and does not move is as good as one that waits on. The former takes two steps:
 * in a shared state with the signal bit only waiting threads can move. */
static void signal_edge(hd_finite *f) {
  start_outcome(f, f->edge->to);
  emit(f, false, false, HD_NO_ID);
  if (!f->waits)
    return;
  start_outcome(f, f->edge->to);
  hd_bits_set(f->shared_next, f->signal_bit);
  emit(f, false, false, HD_NO_ID);
}

static void other_edge(hd_finite *f) {
  switch (f->edge->act) {
  case HD_ACT_SPAWN:
    spawn_edge(f, 0);
    break;
  case HD_ACT_ATOMIC_BEGIN:
  case HD_ACT_ATOMIC_END:
    atomic_edge(f, f->edge->act == HD_ACT_ATOMIC_BEGIN);
    break;
  case HD_ACT_END:
    start_outcome(f, f->edge->to);
    leave_atomic(f);
    emit(f, true, false, HD_NO_ID);
    break;
  case HD_ACT_WAIT:
    start_outcome(f, f->edge->from);
    leave_atomic(f);
    f->local_next[0] |= WAITING;
    emit(f, false, false, HD_NO_ID);
    break;
  case HD_ACT_BROADCAST:
    start_outcome(f, f->edge->to);
    emit(f, false, true, HD_NO_ID);
    break;
  case HD_ACT_SIGNAL:
    signal_edge(f);
    break;
  default:
    hd_bug("action %d", (int)f->edge->act);
  }
}

/* True when another thread is inside an atomic section, or this one waits, or a
 * signal is on its way. */
static bool blocked(const hd_finite *f, const uint64_t *shared,
                    const uint64_t *local) {
  return (local[0] & WAITING) || hd_bits_test(shared, f->signal_bit) ||
         (hd_bits_test(shared, f->atomic_bit) && !(local[0] & ATOMIC));
}

static bool any_open(const hd_finite *f) {
  for (size_t i = 0; i < f->openable.size; i++) {
    hd_var_id var = f->openable.data[i];
    if (hd_finite_bit(f, f->shared_now, f->local_now, var, f->open_bit[var]))
      return true;
  }
  return false;
}

static void load(hd_finite *f, hd_state_id shared, hd_state_id local) {
  undo(f, 0);
  memcpy(f->shared_now, hd_intern_at(&f->shared, shared),
         f->shared.words * sizeof(uint64_t));
  memcpy(f->local_now, hd_intern_at(&f->local, local),
         f->local.words * sizeof(uint64_t));
  f->some_open = any_open(f);
}

/* The WAIT edge where a waiting thread stands. */
static hd_edge_id find_wait(const hd_finite *f, const uint64_t *local) {
  const hd_program *p = f->program;
  hd_loc_id loc = (hd_loc_id)local[0];
  for (uint32_t i = p->out_start[loc]; i < p->out_start[loc + 1]; i++)
    if (p->edges.data[p->out[i]].act == HD_ACT_WAIT)
      return p->out[i];
  hd_bug("a thread waits at a location without wait");
}

/* A waiting thread takes the signal. */
static void wake_up(hd_finite *f) {
  f->edge_id = find_wait(f, f->local_now);
  f->edge = &f->program->edges.data[f->edge_id];
  start_outcome(f, f->edge->to);
  hd_bits_clear(f->shared_next, f->signal_bit);
  emit(f, false, false, HD_NO_ID);
}

void hd_finite_steps(hd_finite *f, hd_state_id shared, hd_state_id local,
                     hd_finite_visit visit, void *context) {
  const hd_program *p = f->program;
  load(f, shared, local);
  f->visit = visit;
  f->context = context;
  if (hd_bits_test(f->shared_now, f->signal_bit) && f->local_now[0] & WAITING)
    wake_up(f);
  if (blocked(f, f->shared_now, f->local_now))
    return;
  hd_loc_id loc = (hd_loc_id)f->local_now[0];
  for (uint32_t i = p->out_start[loc]; i < p->out_start[loc + 1]; i++) {
    f->edge_id = p->out[i];
    f->edge = &p->edges.data[f->edge_id];
    if (f->edge->act == HD_ACT_STEP || f->edge->act == HD_ACT_ASSERT)
      step_edge(f);
    else
      other_edge(f);
  }
}

uint8_t hd_finite_decided(const hd_finite *f, hd_var_id var) {
  return f->var_decided[var];
}

bool hd_finite_violates(hd_finite *f, hd_state_id shared, hd_state_id local,
                        hd_edge_id edge) {
  const hd_edge *e = &f->program->edges.data[edge];
  load(f, shared, local);
  return e->act == HD_ACT_ASSERT && e->from == (hd_loc_id)f->local_now[0] &&
         !blocked(f, f->shared_now, f->local_now) && can_be(f, e->guard, 0);
}

hd_state_id hd_finite_woken(hd_finite *f, hd_state_id local) {
  memcpy(f->local_next, hd_intern_at(&f->local, local),
         f->local.words * sizeof(uint64_t));
  if (!(f->local_next[0] & WAITING))
    return HD_NO_ID;
  hd_edge_id wait = find_wait(f, f->local_next);
  set_loc(f, f->local_next, f->program->edges.data[wait].to, 0);
  forget_dead(f, f->local_next);
  return hd_intern_put(&f->local, f->local_next);
}

/* --- initial states --- */

typedef struct {
  hd_finite *f;
  bool shared;            /* or local */
  uint64_t *state, *bits; /* the state, and its valuation */
  hd_finite_init_visit visit;
  void *context;
} initial;

static void set_bit(uint64_t *bits, uint32_t bit, bool value) {
  if (value)
    hd_bits_set(bits, bit);
  else
    hd_bits_clear(bits, bit);
}

/* Sets the variables from `v` on: to their initial value, or open, or, where
 * that is not allowed, to both values. */
static void init_from(initial *in, hd_var_id v) {
  hd_finite *f = in->f;
  const hd_program *p = f->program;
  for (; v < p->vars.size; v++) {
    const hd_var *var = &p->vars.data[v];
    if (var->shared != in->shared ||
        !hd_finite_shows(f, (hd_loc_id)in->state[0], v))
      continue;
    if (!var->any) {
      set_bit(in->bits, f->bit[v], var->init & 1);
    } else if (f->open_bit[v] != HD_NO_ID) {
      hd_bits_set(in->bits, f->open_bit[v]);
    } else {
      for (int value = 0; value < 2; value++) {
        f->stats.choices++;
        if (!may_decide(f))
          return;
        set_bit(in->bits, f->bit[v], value);
        init_from(in, v + 1);
      }
      return;
    }
  }
  in->visit(in->context,
            hd_intern_put(in->shared ? &f->shared : &f->local, in->state));
}

void hd_finite_initial_shared(hd_finite *f, hd_finite_init_visit visit,
                              void *context) {
  uint64_t *state = hd_calloc(f->shared.words, sizeof *state);
  initial in = {f, true, state, state, visit, context};
  init_from(&in, 0);
  hd_free(state);
}

void hd_finite_initial_local(hd_finite *f, hd_finite_init_visit visit,
                             void *context) {
  uint64_t *state = hd_calloc(f->local.words, sizeof *state);
  set_loc(f, state, f->program->entry, 0);
  initial in = {f, false, state, state + 1, visit, context};
  init_from(&in, 0);
  hd_free(state);
}
