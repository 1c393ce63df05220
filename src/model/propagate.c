/* SPDX-License-Identifier: MIT */
/* Facts about one location are an array over the variables: the variable is
 * constant, or a copy of another local variable, or neither. The analysis is
 * the usual one: a location's facts start as "nobody was here", edges send
 * theirs on, where several meet only what all agree on is left. Facts only ever
 * get fewer, at most twice for each variable and location, so it ends.
 *
 * It is run again as long as it refutes that some shared variable is constant;
 * what is assumed in the last run holds by induction over the steps of a run:
 * no edge that can be taken under the assumptions breaks one. */
#include "model/propagate.h"

#include "base/bitset.h"

#include <string.h>

/* A fact: a variable's number (it is a copy of that one), or one of these. */
#define ZERO (UINT32_MAX - 3)
#define ONE (UINT32_MAX - 2)
#define NOTHING (UINT32_MAX - 1)

typedef uint32_t fact;

typedef struct {
  const hd_program *p;
  hd_program *out;    /* where simplified expressions are made */
  fact *shared;       /* per variable: ZERO, ONE or NOTHING */
  fact *facts;        /* per location, then per variable */
  uint64_t *met;      /* locations that can be reached */
  uint64_t *dead;     /* edges that cannot be taken */
  hd_expr_id *choice; /* per expression of p: its choice in out */
  fact *now, *next;   /* of the edge at work */
  const fact *known;  /* facts that expressions are simplified under */
  hd_u32s work;
  uint64_t *waiting;    /* locations in `work` */
  hd_propagated *count; /* NULL: do not count */
} analysis;

static bool is_const(fact f) {
  return f == ZERO || f == ONE;
}

static fact *facts_at(analysis *a, hd_loc_id loc) {
  return a->facts + loc * a->p->vars.size;
}

/* --- simplified expressions --- */

static hd_expr_id put_const(analysis *a, fact f) {
  return hd_expr_const(a->out, 1, f == ONE);
}

/* What is known of `var`, shared or local. */
static fact look(const analysis *a, hd_var_id var) {
  return a->p->vars.data[var].shared ? a->shared[var] : a->known[var];
}

static hd_expr_id simplify_var(analysis *a, hd_var_id var) {
  fact f = look(a, var);
  if (a->count && f != NOTHING)
    ++*(is_const(f) ? &a->count->reads : &a->count->copies);
  return is_const(f) ? put_const(a, f)
                     : hd_expr_var(a->out, f == NOTHING ? var : f, false);
}

static bool assigns(const hd_program *p, const hd_edge *e, hd_var_id var) {
  for (uint32_t i = 0; i < e->n_assigns; i++)
    if (p->assigns.data[e->assigns + i].var == var)
      return true;
  return false;
}

/* The expression under what is known before edge `e`. The next value of what
 * `e` does not assign is its current one. */
static hd_expr_id simplify(analysis *a, const hd_edge *e, hd_expr_id id) {
  const hd_expr x = a->p->exprs.data[id];
  hd_var_id var = (hd_var_id)x.value;
  hd_expr_id args[3];
  switch (x.op) {
  case HD_OP_CONST:
    return hd_expr_const(a->out, x.width, x.value);
  case HD_OP_CHOICE:
    if (a->choice[id] == HD_NO_ID)
      a->choice[id] = hd_expr_choice(a->out, x.width);
    return a->choice[id];
  case HD_OP_VAR:
    return simplify_var(a, var);
  case HD_OP_NEXT:
    return assigns(a->p, e, var) ? hd_expr_var(a->out, var, true)
                                 : simplify_var(a, var);
  default:
    for (int i = 0; i < 3; i++)
      args[i] = x.args[i] == HD_NO_ID ? HD_NO_ID : simplify(a, e, x.args[i]);
    return hd_expr_make(a->out, x.op, args[0], args[1], args[2]);
  }
}

static fact value_fact(const analysis *a, hd_expr_id simple) {
  const hd_expr *x = &a->out->exprs.data[simple];
  if (x->op == HD_OP_CONST)
    return x->value ? ONE : ZERO;
  if (x->op == HD_OP_VAR && !a->p->vars.data[x->value].shared)
    return (fact)x->value;
  return NOTHING;
}

/* --- what an edge does to the facts --- */

/* From now on nothing is known about `var`; what were copies of it stay copies
 * of each other. */
static void forget(const analysis *a, fact *facts, hd_var_id var) {
  hd_var_id leader = HD_NO_ID;
  facts[var] = NOTHING;
  for (hd_var_id v = 0; v < a->p->vars.size; v++)
    if (facts[v] == var) {
      facts[v] = leader == HD_NO_ID ? NOTHING : leader;
      leader = leader == HD_NO_ID ? v : leader;
    }
}

/* `var`, and what is a copy of it, has this value. */
static void learn_value(const analysis *a, fact *facts, hd_var_id var,
                        bool value) {
  if (facts[var] < ZERO)
    var = facts[var];
  facts[var] = value ? ONE : ZERO;
  for (hd_var_id v = 0; v < a->p->vars.size; v++)
    if (facts[v] == var)
      facts[v] = facts[var];
}

/* Two local variables are equal; the first stands for both. */
static void learn_equal(const analysis *a, fact *facts, hd_var_id x,
                        hd_var_id y) {
  x = facts[x] < ZERO ? facts[x] : x;
  y = facts[y] < ZERO ? facts[y] : y;
  if (x == y || is_const(facts[x]) || is_const(facts[y]))
    return;
  facts[y] = x;
  for (hd_var_id v = 0; v < a->p->vars.size; v++)
    if (facts[v] == y)
      facts[v] = x;
}

/* A local variable whose value after the edge the node speaks about. */
static bool is_after(const analysis *a, const hd_edge *e, const hd_expr *x) {
  return (x->op == HD_OP_NEXT ||
          (x->op == HD_OP_VAR && !assigns(a->p, e, (hd_var_id)x->value))) &&
         !a->p->vars.data[x->value].shared;
}

/* The condition `id`, simplified, had the value `holds`: a->next learns. A
 * conjunction holds only where each of its parts can. */
static void learn(analysis *a, const hd_edge *e, hd_expr_id id, bool holds) {
  const hd_expr *x = &a->out->exprs.data[id];
  if (is_after(a, e, x)) {
    learn_value(a, a->next, (hd_var_id)x->value, holds);
  } else if (x->op == HD_OP_NOT) {
    learn(a, e, x->args[0], !holds);
  } else if (x->op == (holds ? HD_OP_AND : HD_OP_OR)) {
    hd_expr_id right = x->args[1];
    learn(a, e, x->args[0], holds);
    learn(a, e, right, holds);
  } else if (x->op == (holds ? HD_OP_EQ : HD_OP_NE) ||
             (x->op == HD_OP_XOR && !holds)) {
    const hd_expr *l = &a->out->exprs.data[x->args[0]];
    const hd_expr *r = &a->out->exprs.data[x->args[1]];
    if (is_after(a, e, l) && is_after(a, e, r))
      learn_equal(a, a->next, (hd_var_id)l->value, (hd_var_id)r->value);
  }
}

/* Does `var` have another value than the one assumed for it? */
static void note_shared(analysis *a, hd_var_id var, fact value) {
  if (a->shared[var] != value)
    a->shared[var] = NOTHING;
}

static void assign_all(analysis *a, const hd_edge *e) {
  const hd_program *p = a->p;
  size_t n = p->vars.size;
  fact *values = hd_calloc(e->n_assigns + 1, sizeof *values);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    values[i] =
        value_fact(a, simplify(a, e, p->assigns.data[e->assigns + i].value));
  memcpy(a->next, a->now, n * sizeof *a->next);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    if (!p->vars.data[p->assigns.data[e->assigns + i].var].shared)
      forget(a, a->next, p->assigns.data[e->assigns + i].var);
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    hd_var_id var = p->assigns.data[e->assigns + i].var;
    if (p->vars.data[var].shared)
      note_shared(a, var, values[i]);
    else if (is_const(values[i]))
      learn_value(a, a->next, var, values[i] == ONE);
    else if (values[i] != NOTHING && !assigns(p, e, values[i]))
      learn_equal(a, a->next, values[i], var);
  }
  hd_free(values);
}

/* Facts before and after agree on less. */
static void send(analysis *a, hd_loc_id to, const fact *facts) {
  fact *there = facts_at(a, to);
  size_t n = a->p->vars.size;
  bool changed = !hd_bits_test(a->met, to);
  if (changed)
    memcpy(there, facts, n * sizeof *there);
  hd_bits_set(a->met, to);
  for (size_t v = 0; v < n && !changed; v++)
    changed = there[v] != facts[v] && there[v] != NOTHING;
  for (size_t v = 0; v < n; v++)
    if (there[v] != facts[v])
      there[v] = NOTHING;
  if (changed && !hd_bits_test(a->waiting, to)) {
    hd_bits_set(a->waiting, to);
    hd_vec_push(&a->work, to);
  }
}

/* Can the edge be taken under the facts? If so a->next is what holds then. */
static bool pass(analysis *a, const hd_edge *e) {
  hd_expr_id guard = HD_NO_ID;
  if (e->guard != HD_NO_ID) {
    guard = simplify(a, e, e->guard);
    const hd_expr *x = &a->out->exprs.data[guard];
    if (x->op == HD_OP_CONST && !x->value)
      return false;
  }
  assign_all(a, e);
  if (guard != HD_NO_ID)
    learn(a, e, guard, true);
  return true;
}

static void visit(analysis *a, hd_loc_id loc) {
  const hd_program *p = a->p;
  memcpy(a->now, facts_at(a, loc), p->vars.size * sizeof *a->now);
  a->known = a->now;
  for (uint32_t i = p->out_start[loc]; i < p->out_start[loc + 1]; i++) {
    const hd_edge *e = &p->edges.data[p->out[i]];
    if (!pass(a, e) || e->act == HD_ACT_END)
      continue;
    send(a, e->to, a->next);
    if (e->act == HD_ACT_SPAWN)
      send(a, e->other, a->now);
  }
}

/* One run under the assumptions in a->shared; true when none was refuted. */
static bool run(analysis *a) {
  const hd_program *p = a->p;
  size_t n = p->vars.size;
  fact *before = hd_calloc(n + 1, sizeof *before);
  memcpy(before, a->shared, n * sizeof *before);
  memset(a->met, 0, hd_bits_words(p->locs.size) * sizeof *a->met);
  for (hd_var_id v = 0; v < n; v++) {
    const hd_var *var = &p->vars.data[v];
    a->next[v] = var->any || var->shared ? NOTHING : var->init ? ONE : ZERO;
  }
  send(a, p->entry, a->next);
  while (a->work.size) {
    hd_loc_id loc = hd_vec_pop(&a->work);
    hd_bits_clear(a->waiting, loc);
    visit(a, loc);
  }
  bool same = !memcmp(before, a->shared, n * sizeof *before);
  hd_free(before);
  return same;
}

static void assume_shared(analysis *a) {
  for (hd_var_id v = 0; v < a->p->vars.size; v++) {
    const hd_var *var = &a->p->vars.data[v];
    a->shared[v] = !var->shared || var->any ? NOTHING : var->init ? ONE : ZERO;
  }
}

/* --- the new program --- */

static void copy_frame(hd_program *out, const hd_program *p) {
  for (hd_vec_each(const hd_var, v, &p->vars))
    hd_program_add_var(out, v);
  for (hd_vec_each(const hd_loc, l, &p->locs))
    hd_program_add_loc(out, l);
  out->entry = p->entry;
}

static void write_edge(analysis *a, const hd_edge *e, hd_edge_id id) {
  hd_edge copy = *e;
  hd_vec(hd_assign) list = {0};
  a->known = facts_at(a, e->from);
  bool can = hd_bits_test(a->met, e->from);
  if (can && e->guard != HD_NO_ID) {
    copy.guard = simplify(a, e, e->guard);
    const hd_expr *x = &a->out->exprs.data[copy.guard];
    bool constant = x->op == HD_OP_CONST;
    if (e->act == HD_ACT_STEP && constant && x->value)
      copy.guard = HD_NO_ID;
    can = e->act == HD_ACT_ASSERT || !constant || x->value;
  }
  for (uint32_t i = 0; can && i < e->n_assigns; i++) {
    hd_assign assign = a->p->assigns.data[e->assigns + i];
    assign.value = simplify(a, e, assign.value);
    hd_vec_push(&list, assign);
  }
  if (!can) {
    copy.act = HD_ACT_STEP;
    copy.guard = hd_expr_const(a->out, 1, 0);
    copy.to = copy.from;
    copy.other = HD_NO_ID;
    hd_bits_set(a->dead, id);
    a->count->removed++;
  }
  hd_program_add_edge(a->out, &copy, list.data, list.size);
  hd_vec_free(&list);
}

/* Takes the dead edges out of the locations' lists. */
static void unlist(hd_program *p, const uint64_t *dead) {
  uint32_t kept = 0, at = 0;
  for (size_t l = 0; l < p->locs.size; l++) {
    uint32_t end = p->out_start[l + 1];
    p->out_start[l] = kept;
    for (; at < end; at++)
      if (!hd_bits_test(dead, p->out[at]))
        p->out[kept++] = p->out[at];
  }
  p->out_start[p->locs.size] = kept;
}

static void free_analysis(analysis *a) {
  hd_free(a->shared);
  hd_free(a->facts);
  hd_free(a->met);
  hd_free(a->dead);
  hd_free(a->choice);
  hd_free(a->now);
  hd_free(a->next);
  hd_free(a->waiting);
  hd_vec_free(&a->work);
}

hd_program *hd_program_propagate(const hd_program *p, hd_propagated *count) {
  size_t n = p->vars.size;
  *count = (hd_propagated){0};
  analysis a = {.p = p,
                .out = hd_program_new(p->file),
                .shared = hd_calloc(n + 1, sizeof *a.shared),
                .facts = hd_calloc(p->locs.size * n + 1, sizeof *a.facts),
                .met = hd_calloc(hd_bits_words(p->locs.size), sizeof *a.met),
                .waiting =
                    hd_calloc(hd_bits_words(p->locs.size), sizeof *a.waiting),
                .dead = hd_calloc(hd_bits_words(p->edges.size), sizeof *a.dead),
                .choice = hd_calloc(p->exprs.size + 1, sizeof *a.choice),
                .now = hd_calloc(n + 1, sizeof *a.now),
                .next = hd_calloc(n + 1, sizeof *a.next)};
  memset(a.choice, 0xff, (p->exprs.size + 1) * sizeof *a.choice);
  copy_frame(a.out, p);
  assume_shared(&a);
  while (!run(&a)) {
  }
  for (hd_var_id v = 0; v < n; v++)
    count->shared += a.shared[v] != NOTHING;
  a.count = count;
  for (hd_edge_id e = 0; e < p->edges.size; e++)
    write_edge(&a, &p->edges.data[e], e);
  hd_program *out = a.out;
  hd_program_finish(out);
  unlist(out, a.dead);
  free_analysis(&a);
  return out;
}
