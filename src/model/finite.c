/* SPDX-License-Identifier: MIT */
/* Values are three-valued during a step: 0, 1, or OPEN while a choice they
 * depend on is not decided. Choices that show in the outcome are decided one by
 * one, giving up as soon as the guard is certainly false; the others only have
 * to let the guard be true somehow. */
#include "model/finite.h"

#include "base/bitset.h"
#include "base/hash.h"
#include "model/flow.h"

#include <stdlib.h>
#include <string.h>

enum { OPEN = 2 };

/* --- interning: equal words, equal number --- */

typedef struct {
  size_t words; /* of one state */
  hd_vec(uint64_t) pool;
  uint32_t *slots; /* number + 1, or 0 */
  size_t n_slots, size;
} intern;

static void intern_init(intern *t, size_t words) {
  *t = (intern){.words = words, .n_slots = 64};
  t->slots = hd_calloc(t->n_slots, sizeof *t->slots);
}

static void intern_free(intern *t) {
  hd_vec_free(&t->pool);
  hd_free(t->slots);
}

static const uint64_t *intern_at(const intern *t, hd_state_id id) {
  assert(id < t->size);
  return t->pool.data + id * t->words;
}

static uint64_t hash_words(const uint64_t *words, size_t n) {
  uint64_t h = n;
  for (size_t i = 0; i < n; i++)
    h = hd_hash_mix(h, words[i]);
  return h ^ h >> 32;
}

static size_t intern_slot(const intern *t, const uint64_t *words) {
  size_t at = hash_words(words, t->words) & (t->n_slots - 1);
  while (t->slots[at] && memcmp(intern_at(t, t->slots[at] - 1), words,
                                t->words * sizeof *words) != 0)
    at = (at + 1) & (t->n_slots - 1);
  return at;
}

static void intern_grow(intern *t) {
  hd_free(t->slots);
  t->n_slots *= 2;
  t->slots = hd_calloc(t->n_slots, sizeof *t->slots);
  for (hd_state_id id = 0; id < t->size; id++)
    t->slots[intern_slot(t, intern_at(t, id))] = id + 1;
}

/* `words` must not point into the pool. */
static hd_state_id intern_put(intern *t, const uint64_t *words) {
  if (2 * (t->size + 1) >= t->n_slots)
    intern_grow(t);
  size_t at = intern_slot(t, words);
  if (!t->slots[at]) {
    if (t->size >= UINT32_MAX - 1)
      hd_out_of_memory(t->size);
    for (size_t i = 0; i < t->words; i++)
      hd_vec_push(&t->pool, words[i]);
    t->slots[at] = (uint32_t)++t->size;
  }
  return t->slots[at] - 1;
}

/* --- the machine --- */

/* A local state's first word: location, then the two flags. */
#define ATOMIC ((uint64_t)1 << 32)
#define WAITING ((uint64_t)1 << 33)

/* Per edge: which assignments show, and which choices decide them. */
typedef struct {
  hd_u32s shown;    /* assignments whose value the outcome keeps */
  hd_u32s decisive; /* choices in their values */
  hd_u32s hidden;   /* other choices that the guard may need */
  bool distinct;    /* different decisions give different outcomes */
} plan;

#define HD_MAP outcome_set
#define HD_KEY uint64_t
#define HD_VAL uint8_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

struct hd_finite {
  const hd_program *program;
  hd_finite_options options;
  uint64_t *kept; /* variables */
  uint64_t *live; /* locations * var_words, NULL = all */
  size_t var_words;
  uint64_t *shared_label; /* locations whose label others have, too */
  uint32_t *bit;          /* variable -> bit in its state */
  hd_loc_id *settle;      /* jump threading */
  plan *plans;            /* per edge */
  intern shared, local;
  uint32_t atomic_bit;                /* of shared states */
  uint64_t *shared_now, *local_now;   /* the state a step starts from */
  uint64_t *shared_next, *local_next; /* the outcome under construction */
  uint8_t *decided;                   /* per expression: choices */
  hd_assign const **assigned;         /* per variable, during a step */
  outcome_set seen;
  /* of the step being enumerated */
  const hd_edge *edge;
  hd_edge_id edge_id;
  hd_finite_visit visit;
  void *context;
  hd_finite_stats stats;
  hd_run *run; /* may be NULL */
  bool stopped;
};

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

const hd_program *hd_finite_program(const hd_finite *f) {
  return f->program;
}

static bool read_bit(const hd_finite *f, const uint64_t *shared,
                     const uint64_t *local, hd_var_id var) {
  if (!hd_bits_test(f->kept, var))
    return false;
  return f->program->vars.data[var].shared
             ? hd_bits_test(shared, f->bit[var])
             : hd_bits_test(local + 1, f->bit[var]);
}

static uint8_t eval(const hd_finite *f, hd_expr_id id);

static uint8_t eval_next(const hd_finite *f, hd_var_id var) {
  const hd_assign *a = f->assigned[var];
  return a ? eval(f, a->value) : read_bit(f, f->shared_now, f->local_now, var);
}

static uint8_t eval_and(uint8_t a, uint8_t b) {
  return a == 0 || b == 0 ? 0 : a == OPEN || b == OPEN ? OPEN : 1;
}

static uint8_t eval_not(uint8_t a) {
  return a == OPEN ? OPEN : !a;
}

static uint8_t eval_xor(uint8_t a, uint8_t b) {
  return a == OPEN || b == OPEN ? OPEN : a ^ b;
}

static uint8_t eval_ite(const hd_finite *f, const hd_expr *e) {
  uint8_t c = eval(f, e->args[0]);
  if (c != OPEN)
    return eval(f, e->args[c ? 1 : 2]);
  uint8_t a = eval(f, e->args[1]), b = eval(f, e->args[2]);
  return a == b ? a : OPEN;
}

static uint8_t eval(const hd_finite *f, hd_expr_id id) {
  const hd_expr *e = &f->program->exprs.data[id];
  switch (e->op) {
  case HD_OP_CONST:
    return (uint8_t)e->value;
  case HD_OP_VAR:
    return read_bit(f, f->shared_now, f->local_now, (hd_var_id)e->value);
  case HD_OP_NEXT:
    return eval_next(f, (hd_var_id)e->value);
  case HD_OP_CHOICE:
    return f->decided[id];
  case HD_OP_NOT:
    return eval_not(eval(f, e->args[0]));
  case HD_OP_AND:
    return eval_and(eval(f, e->args[0]), eval(f, e->args[1]));
  case HD_OP_OR:
    return eval_not(
        eval_and(eval_not(eval(f, e->args[0])), eval_not(eval(f, e->args[1]))));
  case HD_OP_XOR:
  case HD_OP_NE:
    return eval_xor(eval(f, e->args[0]), eval(f, e->args[1]));
  case HD_OP_EQ:
    return eval_not(eval_xor(eval(f, e->args[0]), eval(f, e->args[1])));
  case HD_OP_ITE:
    return eval_ite(f, e);
  }
  hd_bug("operator %d", (int)e->op);
}

/* Can `expr` take the value `want` when the choices from number `k` on are
 * free? */
static bool can_be(hd_finite *f, hd_expr_id expr, uint8_t want,
                   const hd_u32s *choices, size_t k) {
  uint8_t value = expr == HD_NO_ID ? 1 : eval(f, expr);
  if (value != OPEN)
    return value == want;
  if (k == choices->size)
    return false;
  bool found = false;
  for (uint8_t v = 0; v < 2 && !found; v++) {
    f->stats.choices++;
    if (!may_decide(f))
      break;
    f->decided[choices->data[k]] = v;
    found = can_be(f, expr, want, choices, k + 1);
  }
  f->decided[choices->data[k]] = OPEN;
  return found;
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
  for (hd_var_id v = 0; v < p->vars.size; v++)
    if (!p->vars.data[v].shared && hd_bits_test(f->kept, v) &&
        !hd_bits_test(live, v) && hd_bits_test(local + 1, f->bit[v])) {
      hd_bits_clear(local + 1, f->bit[v]);
      f->stats.dead_resets++;
    }
}

static void emit(hd_finite *f, bool ends, bool wakes, hd_state_id spawned) {
  hd_finite_step step = {.edge = f->edge_id,
                         .spawned = spawned,
                         .ends = ends,
                         .wakes = wakes,
                         .local = HD_NO_ID};
  step.shared = intern_put(&f->shared, f->shared_next);
  if (!ends) {
    forget_dead(f, f->local_next);
    step.local = intern_put(&f->local, f->local_next);
  }
  f->stats.steps++;
  f->visit(f->context, &step);
}

static void start_outcome(hd_finite *f, hd_loc_id to) {
  memcpy(f->shared_next, f->shared_now, f->shared.words * sizeof(uint64_t));
  memcpy(f->local_next, f->local_now, f->local.words * sizeof(uint64_t));
  set_loc(f, f->local_next, to, f->local_now[0] & ATOMIC);
}

static void write_bit(hd_finite *f, hd_var_id var, bool value) {
  uint64_t *bits =
      f->program->vars.data[var].shared ? f->shared_next : f->local_next + 1;
  if (value)
    hd_bits_set(bits, f->bit[var]);
  else
    hd_bits_clear(bits, f->bit[var]);
}

static void emit_step(hd_finite *f, const plan *p) {
  start_outcome(f, f->edge->to);
  for (size_t i = 0; i < p->shown.size; i++) {
    const hd_assign *a = &f->program->assigns.data[p->shown.data[i]];
    write_bit(f, a->var, eval(f, a->value) == 1);
  }
  if (!p->distinct) {
    forget_dead(f, f->local_next);
    uint64_t key = (uint64_t)intern_put(&f->shared, f->shared_next) << 32 |
                   intern_put(&f->local, f->local_next);
    bool fresh;
    outcome_set_put(&f->seen, key, 0, &fresh);
    if (!fresh)
      return;
  }
  emit(f, false, false, HD_NO_ID);
}

static void decide(hd_finite *f, const plan *p, size_t k) {
  uint8_t guard = f->edge->guard == HD_NO_ID ? 1 : eval(f, f->edge->guard);
  if (guard == 0)
    return;
  if (k == p->decisive.size) {
    if (guard == 1 || can_be(f, f->edge->guard, 1, &p->hidden, 0))
      emit_step(f, p);
    return;
  }
  for (uint8_t v = 0; v < 2; v++) {
    f->stats.choices++;
    if (!may_decide(f))
      break;
    f->decided[p->decisive.data[k]] = v;
    decide(f, p, k + 1);
  }
  f->decided[p->decisive.data[k]] = OPEN;
}

static void step_edge(hd_finite *f) {
  const hd_edge *e = f->edge;
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    const hd_assign *a = &f->program->assigns.data[e->assigns + i];
    f->assigned[a->var] = a;
  }
  if (!f->plans[f->edge_id].distinct) {
    outcome_set_free(&f->seen);
  }
  decide(f, &f->plans[f->edge_id], 0);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    f->assigned[f->program->assigns.data[e->assigns + i].var] = NULL;
}

static void spawn_edge(hd_finite *f) {
  start_outcome(f, f->edge->other);
  f->local_next[0] &= ~ATOMIC;
  forget_dead(f, f->local_next);
  hd_state_id child = intern_put(&f->local, f->local_next);
  start_outcome(f, f->edge->to);
  emit(f, false, false, child);
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

static void other_edge(hd_finite *f) {
  switch (f->edge->act) {
  case HD_ACT_SPAWN:
    spawn_edge(f);
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
  default:
    hd_bug("action %d", (int)f->edge->act);
  }
}

/* True when another thread is inside an atomic section, or this one waits. */
static bool blocked(const hd_finite *f, const uint64_t *shared,
                    const uint64_t *local) {
  return (local[0] & WAITING) ||
         (hd_bits_test(shared, f->atomic_bit) && !(local[0] & ATOMIC));
}

static void load(hd_finite *f, hd_state_id shared, hd_state_id local) {
  memcpy(f->shared_now, intern_at(&f->shared, shared),
         f->shared.words * sizeof(uint64_t));
  memcpy(f->local_now, intern_at(&f->local, local),
         f->local.words * sizeof(uint64_t));
}

void hd_finite_steps(hd_finite *f, hd_state_id shared, hd_state_id local,
                     hd_finite_visit visit, void *context) {
  const hd_program *p = f->program;
  load(f, shared, local);
  if (blocked(f, f->shared_now, f->local_now))
    return;
  hd_loc_id loc = (hd_loc_id)f->local_now[0];
  f->visit = visit;
  f->context = context;
  for (uint32_t i = p->out_start[loc]; i < p->out_start[loc + 1]; i++) {
    f->edge_id = p->out[i];
    f->edge = &p->edges.data[f->edge_id];
    if (f->edge->act == HD_ACT_STEP || f->edge->act == HD_ACT_ASSERT)
      step_edge(f);
    else
      other_edge(f);
  }
}

bool hd_finite_violates(hd_finite *f, hd_state_id shared, hd_state_id local,
                        hd_edge_id edge) {
  const hd_edge *e = &f->program->edges.data[edge];
  load(f, shared, local);
  return e->act == HD_ACT_ASSERT && e->from == (hd_loc_id)f->local_now[0] &&
         !blocked(f, f->shared_now, f->local_now) &&
         can_be(f, e->guard, 0, &f->plans[edge].hidden, 0);
}

hd_state_id hd_finite_woken(hd_finite *f, hd_state_id local) {
  const hd_program *p = f->program;
  memcpy(f->local_next, intern_at(&f->local, local),
         f->local.words * sizeof(uint64_t));
  if (!(f->local_next[0] & WAITING))
    return HD_NO_ID;
  hd_loc_id loc = (hd_loc_id)f->local_next[0];
  for (uint32_t i = p->out_start[loc]; i < p->out_start[loc + 1]; i++)
    if (p->edges.data[p->out[i]].act == HD_ACT_WAIT) {
      set_loc(f, f->local_next, p->edges.data[p->out[i]].to, 0);
      forget_dead(f, f->local_next);
      return intern_put(&f->local, f->local_next);
    }
  hd_bug("a thread waits at a location without wait");
}

/* --- initial states --- */

/* Enumerates the variables from `v` on; `bits` is the state's valuation. */
static void init_from(hd_finite *f, hd_var_id v, bool shared, intern *table,
                      uint64_t *state, uint64_t *bits,
                      hd_finite_init_visit visit, void *context) {
  const hd_program *p = f->program;
  while (v < p->vars.size &&
         (p->vars.data[v].shared != shared || !hd_bits_test(f->kept, v) ||
          (!shared && f->live &&
           !hd_bits_test(f->live + (uint32_t)state[0] * f->var_words, v))))
    v++;
  if (v == p->vars.size) {
    visit(context, intern_put(table, state));
    return;
  }
  const hd_var *var = &p->vars.data[v];
  for (int value = 0; value < 2; value++) {
    if (!var->any && (var->init & 1) != (uint64_t)value)
      continue;
    if (var->any) {
      f->stats.choices++;
      if (!may_decide(f))
        break;
    }
    if (value)
      hd_bits_set(bits, f->bit[v]);
    else
      hd_bits_clear(bits, f->bit[v]);
    init_from(f, v + 1, shared, table, state, bits, visit, context);
  }
  hd_bits_clear(bits, f->bit[v]);
}

void hd_finite_initial_shared(hd_finite *f, hd_finite_init_visit visit,
                              void *context) {
  uint64_t *state = hd_calloc(f->shared.words, sizeof *state);
  init_from(f, 0, true, &f->shared, state, state, visit, context);
  hd_free(state);
}

void hd_finite_initial_local(hd_finite *f, hd_finite_init_visit visit,
                             void *context) {
  uint64_t *state = hd_calloc(f->local.words, sizeof *state);
  set_loc(f, state, f->program->entry, 0);
  init_from(f, 0, false, &f->local, state, state + 1, visit, context);
  hd_free(state);
}

/* --- construction --- */

static void collect_choices(const hd_program *p, hd_expr_id expr,
                            hd_u32s *choices) {
  if (expr == HD_NO_ID)
    return;
  const hd_expr *e = &p->exprs.data[expr];
  if (e->op == HD_OP_CHOICE) {
    for (size_t i = 0; i < choices->size; i++)
      if (choices->data[i] == expr)
        return;
    hd_vec_push(choices, expr);
  } else if (e->op >= HD_OP_NOT) {
    for (int i = 0; i < 3; i++)
      collect_choices(p, e->args[i], choices);
  }
}

static bool shows(const hd_finite *f, const hd_edge *e, hd_var_id var) {
  if (!hd_bits_test(f->kept, var))
    return false;
  return f->program->vars.data[var].shared || !f->live ||
         hd_bits_test(f->live + f->settle[e->to] * f->var_words, var);
}

static void make_plan(hd_finite *f, hd_edge_id id) {
  const hd_program *p = f->program;
  const hd_edge *e = &p->edges.data[id];
  plan *mine = &f->plans[id];
  mine->distinct = true;
  uint64_t *unused = hd_calloc(f->var_words, sizeof *unused);
  uint64_t *nexts = hd_calloc(f->var_words, sizeof *nexts);
  hd_flow_uses(p, e->guard, unused, nexts);
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    const hd_assign *a = &p->assigns.data[e->assigns + i];
    if (shows(f, e, a->var)) {
      hd_vec_push(&mine->shown, e->assigns + i);
      size_t before = mine->decisive.size;
      collect_choices(p, a->value, &mine->decisive);
      mine->distinct =
          mine->distinct && (mine->decisive.size == before ||
                             p->exprs.data[a->value].op == HD_OP_CHOICE);
    } else if (hd_bits_test(nexts, a->var)) {
      collect_choices(p, a->value, &mine->hidden);
    }
  }
  collect_choices(p, e->guard, &mine->hidden);
  hd_free(unused);
  hd_free(nexts);
}

/* Where a thread at `loc` may be put at once: behind the single, plain skip out
 * of it, and so on. */
static hd_loc_id next_skip(const hd_program *p, hd_loc_id loc) {
  if (p->out_start[loc + 1] - p->out_start[loc] != 1)
    return loc;
  const hd_edge *e = &p->edges.data[p->out[p->out_start[loc]]];
  bool skip = e->act == HD_ACT_STEP && e->guard == HD_NO_ID && !e->n_assigns;
  return skip ? e->to : loc;
}

/* Follows the skips from `loc` to their end, or to what an earlier walk found,
 * and notes it for every location on the way. In a cycle of skips one location
 * stands for all. */
static void walk_skips(hd_finite *f, hd_loc_id loc, hd_u32s *path) {
  const hd_loc_id on_path = HD_NO_ID - 1;
  hd_vec_clear(path);
  while (f->settle[loc] == HD_NO_ID) {
    f->settle[loc] = on_path;
    hd_vec_push(path, loc);
    loc = next_skip(f->program, loc);
  }
  hd_loc_id end = f->settle[loc] == on_path ? loc : f->settle[loc];
  for (size_t i = 0; i < path->size; i++)
    f->settle[path->data[i]] = end;
}

static void thread_jumps(hd_finite *f) {
  const hd_program *p = f->program;
  f->settle = hd_calloc(p->locs.size, sizeof *f->settle);
  hd_u32s path = {0};
  for (hd_loc_id l = 0; l < p->locs.size; l++)
    f->settle[l] = f->options.no_thread ? l : HD_NO_ID;
  for (hd_loc_id l = 0; l < p->locs.size; l++)
    walk_skips(f, l, &path);
  hd_vec_free(&path);
  uint64_t *targets = hd_calloc(hd_bits_words(p->locs.size), sizeof *targets);
  for (hd_loc_id l = 0; l < p->locs.size; l++)
    hd_bits_set(targets, f->settle[l]);
  f->stats.locs = p->locs.size;
  f->stats.kept_locs = hd_bits_count(targets, hd_bits_words(p->locs.size));
  hd_free(targets);
}

static int by_label(const void *a, const void *b) {
  const hd_loc *const *x = a, *const *y = b;
  return strcmp((*x)->label, (*y)->label);
}

/* Copies of a procedure have the same labels. */
static void find_shared_labels(hd_finite *f) {
  const hd_program *p = f->program;
  f->shared_label =
      hd_calloc(hd_bits_words(p->locs.size), sizeof *f->shared_label);
  const hd_loc **list = hd_calloc(p->locs.size, sizeof *list);
  size_t n = 0;
  for (hd_vec_each(const hd_loc, loc, &p->locs))
    if (loc->label)
      list[n++] = loc;
  qsort(list, n, sizeof *list, by_label);
  for (size_t i = 0; i + 1 < n; i++)
    if (!strcmp(list[i]->label, list[i + 1]->label)) {
      hd_bits_set(f->shared_label, (size_t)(list[i] - p->locs.data));
      hd_bits_set(f->shared_label, (size_t)(list[i + 1] - p->locs.data));
    }
  hd_free(list);
}

static void lay_out_bits(hd_finite *f) {
  const hd_program *p = f->program;
  f->bit = hd_calloc(p->vars.size, sizeof *f->bit);
  uint32_t n_shared = 0, n_local = 0;
  for (hd_var_id v = 0; v < p->vars.size; v++) {
    if (!hd_bits_test(f->kept, v))
      continue;
    f->bit[v] = p->vars.data[v].shared ? n_shared++ : n_local++;
  }
  f->atomic_bit = n_shared++;
  intern_init(&f->shared, hd_bits_words(n_shared));
  intern_init(&f->local, 1 + hd_bits_words(n_local));
  f->stats.vars = p->vars.size;
  f->stats.kept_vars = hd_bits_count(f->kept, f->var_words);
}

static bool supported(const hd_program *program, hd_str *why) {
  for (hd_vec_each(const hd_var, v, &program->vars))
    if (v->width != 1) {
      hd_str_printf(why, "variable '%s' has %u bits, only 1 is supported here",
                    v->name, v->width);
      return false;
    }
  for (hd_vec_each(const hd_edge, e, &program->edges))
    if (e->act == HD_ACT_SIGNAL) {
      hd_str_printf(why,
                    "%s:%u: 'signal' is not supported: what it does depends "
                    "on whether no thread waits; use 'broadcast'",
                    program->file, e->origin.line);
      return false;
    }
  return true;
}

hd_finite *hd_finite_new(const hd_program *program,
                         const hd_finite_options *options, hd_str *why) {
  if (!supported(program, why))
    return NULL;
  hd_finite *f = hd_calloc(1, sizeof *f);
  f->program = program;
  f->options = *options;
  f->var_words = hd_bits_words(program->vars.size);
  f->kept = hd_calloc(f->var_words, sizeof *f->kept);
  if (options->no_slice)
    for (hd_var_id v = 0; v < program->vars.size; v++)
      hd_bits_set(f->kept, v);
  else
    hd_flow_slice(program, f->kept);
  if (!options->no_live)
    f->live = hd_flow_live(program, f->kept);
  thread_jumps(f);
  find_shared_labels(f);
  lay_out_bits(f);
  f->plans = hd_calloc(program->edges.size, sizeof *f->plans);
  for (hd_edge_id e = 0; e < program->edges.size; e++)
    make_plan(f, e);
  f->shared_now = hd_calloc(f->shared.words, sizeof(uint64_t));
  f->shared_next = hd_calloc(f->shared.words, sizeof(uint64_t));
  f->local_now = hd_calloc(f->local.words, sizeof(uint64_t));
  f->local_next = hd_calloc(f->local.words, sizeof(uint64_t));
  f->decided = hd_alloc(program->exprs.size + 1);
  memset(f->decided, OPEN, program->exprs.size + 1);
  f->assigned = hd_calloc(program->vars.size, sizeof *f->assigned);
  return f;
}

void hd_finite_delete(hd_finite *f) {
  if (!f)
    return;
  for (hd_edge_id e = 0; e < f->program->edges.size; e++) {
    hd_vec_free(&f->plans[e].shown);
    hd_vec_free(&f->plans[e].decisive);
    hd_vec_free(&f->plans[e].hidden);
  }
  hd_free(f->plans);
  hd_free(f->kept);
  hd_free(f->live);
  hd_free(f->bit);
  hd_free(f->settle);
  hd_free(f->shared_label);
  intern_free(&f->shared);
  intern_free(&f->local);
  hd_free(f->shared_now);
  hd_free(f->shared_next);
  hd_free(f->local_now);
  hd_free(f->local_next);
  hd_free(f->decided);
  hd_free(f->assigned);
  outcome_set_free(&f->seen);
  hd_free(f);
}

/* --- reading --- */

hd_loc_id hd_finite_loc(const hd_finite *f, hd_state_id local) {
  return (hd_loc_id)intern_at(&f->local, local)[0];
}

hd_loc_id hd_finite_settle(const hd_finite *f, hd_loc_id loc) {
  return f->settle[loc];
}

bool hd_finite_value(const hd_finite *f, hd_state_id shared, hd_state_id local,
                     hd_var_id var) {
  return f->program->vars.data[var].shared
             ? read_bit(f, intern_at(&f->shared, shared), NULL, var)
             : read_bit(f, NULL, intern_at(&f->local, local), var);
}

bool hd_finite_kept(const hd_finite *f, hd_var_id var) {
  return hd_bits_test(f->kept, var);
}

bool hd_finite_live(const hd_finite *f, hd_state_id local, hd_var_id var) {
  return !f->live ||
         hd_bits_test(f->live + hd_finite_loc(f, local) * f->var_words, var);
}

bool hd_finite_atomic(const hd_finite *f, hd_state_id local) {
  return (intern_at(&f->local, local)[0] & ATOMIC) != 0;
}

size_t hd_finite_n_shared(const hd_finite *f) {
  return f->shared.size;
}

size_t hd_finite_n_local(const hd_finite *f) {
  return f->local.size;
}

static void print_values(hd_str *out, const hd_finite *f, bool shared,
                         hd_state_id state, const char *separator) {
  const hd_program *p = f->program;
  for (hd_var_id v = 0; v < p->vars.size; v++) {
    if (p->vars.data[v].shared != shared || !hd_bits_test(f->kept, v))
      continue;
    if (!shared && !hd_finite_live(f, state, v))
      continue;
    hd_str_printf(out, "%s%s=%d", separator, p->vars.data[v].name,
                  hd_finite_value(f, state, state, v));
    separator = " ";
  }
}

void hd_finite_print_shared(hd_str *out, const hd_finite *f, hd_state_id s) {
  size_t before = out->size;
  print_values(out, f, true, s, "");
  if (hd_bits_test(intern_at(&f->shared, s), f->atomic_bit))
    hd_str_puts(out, out->size > before ? " atomic" : "atomic");
  if (out->size == before)
    hd_str_puts(out, "-");
}

void hd_finite_print_local(hd_str *out, const hd_finite *f, hd_state_id l) {
  hd_loc_id loc = hd_finite_loc(f, l);
  const char *label = f->program->locs.data[loc].label;
  if (label)
    hd_str_puts(out, label);
  if (!label || hd_bits_test(f->shared_label, loc))
    hd_str_printf(out, "@%u", loc);
  print_values(out, f, false, l, " ");
  if (intern_at(&f->local, l)[0] & WAITING)
    hd_str_puts(out, " waiting");
  if (intern_at(&f->local, l)[0] & ATOMIC)
    hd_str_puts(out, " atomic");
}

hd_finite_stats hd_finite_statistics(const hd_finite *f) {
  return f->stats;
}
