/* SPDX-License-Identifier: MIT */
/* Setting up finite-data execution: the simplifications, the layout of states,
 * and a plan for each edge. */
#include "model/finite_impl.h"

#include "model/flow.h"

#include <stdlib.h>
#include <string.h>

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

bool hd_finite_shows(const hd_finite *f, hd_loc_id loc, hd_var_id var) {
  if (!hd_bits_test(f->kept, var))
    return false;
  return f->program->vars.data[var].shared || !f->live ||
         hd_bits_test(f->live + loc * f->var_words, var);
}

/* May the assignment leave its variable open? Only where nobody looks at the
 * value in the same step. */
static bool is_loose(const hd_finite *f, const hd_assign *a,
                     const uint64_t *nexts) {
  return f->open_bit[a->var] != HD_NO_ID &&
         f->program->exprs.data[a->value].op == HD_OP_CHOICE &&
         !hd_bits_test(nexts, a->var);
}

static void plan_assign(hd_finite *f, hd_finite_plan *plan, uint32_t index,
                        const uint64_t *nexts) {
  const hd_program *p = f->program;
  const hd_assign *a = &p->assigns.data[index];
  if (is_loose(f, a, nexts)) {
    hd_vec_push(&plan->loose, index);
    return;
  }
  hd_vec_push(&plan->shown, index);
  size_t before = plan->decisive.size;
  collect_choices(p, a->value, &plan->decisive);
  plan->distinct =
      plan->distinct && (plan->decisive.size == before ||
                         p->exprs.data[a->value].op == HD_OP_CHOICE);
}

static void make_plan(hd_finite *f, hd_edge_id id) {
  const hd_program *p = f->program;
  const hd_edge *e = &p->edges.data[id];
  f->plans[id].distinct = true;
  uint64_t *unused = hd_calloc(f->var_words, sizeof *unused);
  uint64_t *nexts = hd_calloc(f->var_words, sizeof *nexts);
  hd_flow_uses(p, e->guard, unused, nexts);
  for (uint32_t i = e->assigns; i < e->assigns + e->n_assigns; i++)
    if (hd_finite_shows(f, f->settle[e->to], p->assigns.data[i].var))
      plan_assign(f, &f->plans[id], i, nexts);
  hd_free(unused);
  hd_free(nexts);
}

/* An edge that only moves on: no condition, and nobody reads what it assigns. */
static bool is_skip(const hd_finite *f, const hd_edge *e) {
  const hd_program *p = f->program;
  if (e->act == HD_ACT_ASSERT) /* what propagation has proved */
    return p->exprs.data[e->guard].op == HD_OP_CONST &&
           p->exprs.data[e->guard].value;
  if (e->act != HD_ACT_STEP || e->guard != HD_NO_ID)
    return false;
  for (uint32_t i = 0; i < e->n_assigns; i++)
    if (hd_finite_shows(f, e->to, p->assigns.data[e->assigns + i].var))
      return false;
  return true;
}

/* Where a thread at `loc` may be put at once: behind the single skip out of it,
 * and so on. */
static hd_loc_id next_skip(const hd_finite *f, hd_loc_id loc) {
  const hd_program *p = f->program;
  if (p->out_start[loc + 1] - p->out_start[loc] != 1)
    return loc;
  const hd_edge *e = &p->edges.data[p->out[p->out_start[loc]]];
  return is_skip(f, e) ? e->to : loc;
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
    loc = next_skip(f, loc);
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

/* So many chosen values may be around at once. Leaving them open costs states: a
 * variable then has three values, and others are combined with each. Measured on
 * programs written by SATABS, where few values are chosen, leaving all open makes
 * nearly twice the transitions. */
static size_t few(const hd_finite *f) {
  return f->options.all_lazy ? 0 : 6;
}

/* The variables that start with any value, or are assigned a plain `*`, as far
 * as somebody may read it. */
static uint64_t *find_chosen(const hd_finite *f) {
  const hd_program *p = f->program;
  uint64_t *chosen = hd_calloc(f->var_words + 1, sizeof *chosen);
  for (hd_var_id v = 0; v < p->vars.size; v++)
    if (p->vars.data[v].any && hd_finite_shows(f, f->settle[p->entry], v))
      hd_bits_set(chosen, v);
  for (hd_vec_each(const hd_edge, e, &p->edges))
    for (uint32_t i = e->assigns; i < e->assigns + e->n_assigns; i++) {
      const hd_assign *a = &p->assigns.data[i];
      if (p->exprs.data[a->value].op == HD_OP_CHOICE &&
          hd_finite_shows(f, f->settle[e->to], a->var))
        hd_bits_set(chosen, a->var);
    }
  return chosen;
}

/* The chosen variables of one kind that are in states at `loc`, if they are
 * many. */
static void open_at(hd_finite *f, const uint64_t *chosen, hd_loc_id loc,
                    bool shared) {
  const hd_program *p = f->program;
  hd_u32s list = {0};
  size_t n = p->vars.size;
  for (size_t v = hd_bits_next(chosen, n, 0); v < n;
       v = hd_bits_next(chosen, n, v + 1))
    if (p->vars.data[v].shared == shared &&
        hd_finite_shows(f, loc, (hd_var_id)v))
      hd_vec_push(&list, (uint32_t)v);
  for (size_t i = 0; list.size > few(f) && i < list.size; i++)
    f->open_bit[list.data[i]] = 0;
  hd_vec_free(&list);
}

/* The variables whose value may stay open until somebody reads it, where that
 * saves more than it costs. It is exact for any set of them. */
static void find_openable(hd_finite *f) {
  const hd_program *p = f->program;
  f->open_bit = hd_calloc(p->vars.size + 1, sizeof *f->open_bit);
  for (hd_var_id v = 0; v < p->vars.size; v++)
    f->open_bit[v] = HD_NO_ID;
  if (f->options.no_lazy)
    return;
  uint64_t *chosen = find_chosen(f);
  bool any = hd_bits_count(chosen, f->var_words) > few(f);
  if (any)
    open_at(f, chosen, p->entry, true);
  for (hd_loc_id l = 0; any && l < p->locs.size; l++)
    open_at(f, chosen, l, false);
  hd_free(chosen);
  for (hd_var_id v = 0; v < p->vars.size; v++)
    if (f->open_bit[v] != HD_NO_ID)
      hd_vec_push(&f->openable, v);
}

static void lay_out_bits(hd_finite *f) {
  const hd_program *p = f->program;
  f->bit = hd_calloc(p->vars.size + 1, sizeof *f->bit);
  uint32_t n_shared = 0, n_local = 0;
  for (hd_var_id v = 0; v < p->vars.size; v++)
    if (hd_bits_test(f->kept, v))
      f->bit[v] = p->vars.data[v].shared ? n_shared++ : n_local++;
  for (size_t i = 0; i < f->openable.size; i++) {
    hd_var_id v = f->openable.data[i];
    f->open_bit[v] = p->vars.data[v].shared ? n_shared++ : n_local++;
  }
  f->atomic_bit = n_shared++;
  f->signal_bit = n_shared++;
  hd_intern_init(&f->shared, hd_bits_words(n_shared));
  hd_intern_init(&f->local, 1 + hd_bits_words(n_local));
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
  return true;
}

/* Propagation keeps facts for each location and variable; beyond so many of
 * them it is not worth the memory. */
static const size_t many_facts = 20 * 1000 * 1000;

static void simplify(hd_finite *f) {
  const hd_program *p = f->original;
  bool large = p->locs.size * p->vars.size > many_facts;
  if (!f->options.no_propagate && !large)
    f->owned = hd_program_propagate(p, &f->propagated);
  f->program = f->owned ? f->owned : p;
  f->stats.constants = f->propagated.reads;
  f->stats.copies = f->propagated.copies;
  f->stats.removed_edges = f->propagated.removed;
}

static void find_kept(hd_finite *f) {
  const hd_program *p = f->program;
  f->var_words = hd_bits_words(p->vars.size);
  f->kept = hd_calloc(f->var_words + 1, sizeof *f->kept);
  for (hd_var_id v = 0; f->options.no_slice && v < p->vars.size; v++)
    hd_bits_set(f->kept, v);
  if (!f->options.no_slice)
    hd_flow_slice(p, f->kept);
  if (!f->options.no_live)
    f->live = hd_flow_live(p, f->kept);
}

hd_finite *hd_finite_new(const hd_program *program,
                         const hd_finite_options *options, hd_str *why) {
  if (!supported(program, why))
    return NULL;
  hd_finite *f = hd_calloc(1, sizeof *f);
  f->original = program;
  f->options = *options;
  simplify(f);
  find_kept(f);
  thread_jumps(f);
  find_shared_labels(f);
  find_openable(f);
  lay_out_bits(f);
  const hd_program *p = f->program;
  f->plans = hd_calloc(p->edges.size, sizeof *f->plans);
  for (hd_edge_id e = 0; e < p->edges.size; e++) {
    make_plan(f, e);
    f->waits = f->waits || p->edges.data[e].act == HD_ACT_WAIT;
  }
  f->shared_now = hd_calloc(f->shared.words, sizeof(uint64_t));
  f->shared_next = hd_calloc(f->shared.words, sizeof(uint64_t));
  f->local_now = hd_calloc(f->local.words, sizeof(uint64_t));
  f->local_next = hd_calloc(f->local.words, sizeof(uint64_t));
  f->decided = hd_alloc(p->exprs.size + 1);
  memset(f->decided, HD_UNDECIDED, p->exprs.size + 1);
  f->var_decided = hd_alloc(p->vars.size + 1);
  memset(f->var_decided, HD_UNDECIDED, p->vars.size + 1);
  f->assigned = hd_calloc(p->vars.size + 1, sizeof *f->assigned);
  return f;
}

void hd_finite_delete(hd_finite *f) {
  if (!f)
    return;
  for (hd_edge_id e = 0; e < f->program->edges.size; e++) {
    hd_vec_free(&f->plans[e].shown);
    hd_vec_free(&f->plans[e].loose);
    hd_vec_free(&f->plans[e].decisive);
  }
  hd_free(f->plans);
  hd_free(f->kept);
  hd_free(f->live);
  hd_free(f->bit);
  hd_free(f->open_bit);
  hd_vec_free(&f->openable);
  hd_free(f->settle);
  hd_free(f->shared_label);
  hd_intern_free(&f->shared);
  hd_intern_free(&f->local);
  hd_free(f->shared_now);
  hd_free(f->shared_next);
  hd_free(f->local_now);
  hd_free(f->local_next);
  hd_free(f->decided);
  hd_free(f->var_decided);
  hd_vec_free(&f->touched);
  hd_free(f->assigned);
  hd_outcomes_free(&f->seen);
  hd_program_delete(f->owned);
  hd_free(f);
}
