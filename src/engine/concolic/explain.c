/* SPDX-License-Identifier: MIT */
/* What the path search does, in words: each path with the equations of section
 * 5 of paper 000, and what became of them.
 *
 * The search is run once more, without giving up paths early, so that every
 * path shows all its equations; the first EXPLAINED of them are printed. Paths
 * that pass a loop are tested twice, without a round and with kappa >= 1. */
#include "engine/concolic/concolic.h"
#include "engine/concolic/paths.h"

#include <inttypes.h>
#include <string.h>

#define EXPLAINED 20
#define END_LIMIT 2000

/* A path backward: edges, and loops as items of their own. */
typedef struct {
  uint32_t edge; /* HD_NO_ID for a loop */
  uint32_t loop;
  hd_shared_id shared; /* where the loop is entered */
} item;
typedef hd_vec(item) items;

typedef struct {
  const hd_problem *problem;
  const hd_threads *view;
  const hd_quotient *q;
  hd_str *out;
  uint32_t tested;
  uint64_t *culprits; /* locals that fail on every path so far */
} explanation;

/* ---- the path ---- */

static void add_part(const hd_quotient *q, hd_shared_id shared, uint32_t loop,
                     uint32_t steps, items *list) {
  if (loop)
    hd_vec_push(list, ((item){HD_NO_ID, loop, shared}));
  for (; steps; steps--) {
    hd_vec_push(list, ((item){.edge = q->loop_in[shared]}));
    shared = q->view->edges.data[q->loop_in[shared]].from;
  }
}

static void list_items(const hd_paths *paths, const hd_path *path,
                       items *list) {
  hd_u32s ends = {0}; /* from the path's beginning to the goal */
  for (uint32_t id = path->end; id != HD_NO_ID;
       id = paths->ends.data[id].parent)
    hd_vec_push(&ends, id);
  for (size_t i = ends.size - 1; i-- > 0;) {
    const hd_path_end *end = &paths->ends.data[ends.data[i]];
    const hd_path_end *parent = &paths->ends.data[end->parent];
    add_part(paths->quotient, parent->shared, end->loop, end->steps, list);
    hd_vec_push(list, ((item){.edge = end->edge}));
  }
  add_part(paths->quotient, paths->ends.data[path->end].shared, path->loop,
           path->steps, list);
  hd_vec_free(&ends);
}

static const hd_view_edge *edge_at(const explanation *x, const item *i) {
  return &x->view->edges.data[i->edge];
}

/* ` → (s,l)`, after an expansion edge to where the edge departs, if the thread
 * state before it is another. */
static void print_edge(const explanation *x, const hd_view_edge *e,
                       const hd_view_edge *before) {
  if (!before) {
    hd_threads_print_state(x->out, x->view, e->from, e->take);
  } else if (before->give != e->take) {
    hd_str_puts(x->out, " ⇢ ");
    hd_threads_print_state(x->out, x->view, e->from, e->take);
  }
  hd_str_puts(x->out, e->kind == HD_EDGE_SPAWN ? " +→ " : " → ");
  hd_threads_print_state(x->out, x->view, e->to, e->give);
}

static void print_kappa(hd_str *out, uint32_t loop, uint32_t loops) {
  hd_str_puts(out, "κ");
  if (loops > 1)
    hd_str_printf(out, "%u", loop);
}

static void print_loop(const explanation *x, const item *loop) {
  hd_u32s edges = {0};
  hd_shared_id at = loop->shared;
  do {
    hd_vec_push(&edges, x->q->loop_in[at]);
    at = x->view->edges.data[x->q->loop_in[at]].from;
  } while (at != loop->shared);
  const hd_view_edge *before = NULL;
  for (size_t i = edges.size; i-- > 0;) {
    const hd_view_edge *e = &x->view->edges.data[edges.data[i]];
    print_edge(x, e, before);
    before = e;
  }
  hd_vec_free(&edges);
}

/* An expansion edge to the target, if the last edge does not end there. */
static void print_target(const explanation *x, const hd_goal *goal,
                         const hd_view_edge *before) {
  hd_tokens need =
      hd_net_view(x->view->net, x->view->net->targets.data[goal->target].need);
  if (before && hd_tokens_at(need, before->give))
    return;
  for (size_t i = 0; i < need.size; i++) {
    hd_str_puts(x->out, i ? ", " : before ? " ⇢ " : "");
    hd_threads_print_state(x->out, x->view, goal->shared, need.data[i].place);
  }
}

static void print_path(const explanation *x, const items *list,
                       const hd_goal *goal, uint32_t loops) {
  const hd_view_edge *before = NULL;
  hd_str_puts(x->out, "  ");
  for (size_t i = list->size; i-- > 0;) {
    const item *it = &list->data[i];
    if (it->edge == HD_NO_ID) {
      hd_str_puts(x->out, before ? " [" : "[");
      print_kappa(x->out, it->loop, loops);
      hd_str_puts(x->out, before ? " rounds]" : " rounds] ");
      continue;
    }
    print_edge(x, edge_at(x, it), before);
    before = edge_at(x, it);
  }
  print_target(x, goal, before);
  hd_str_puts(x->out, "\n");
  for (hd_vec_each(const item, it, list))
    if (it->edge == HD_NO_ID) {
      hd_str_puts(x->out, "  ");
      print_kappa(x->out, it->loop, loops);
      hd_str_puts(x->out, " rounds of ");
      print_loop(x, it);
      hd_str_puts(x->out, "\n");
    }
}

/* ---- the equations ---- */

/* The number of threads wanted in a local: a constant, or a formula. */
typedef struct {
  bool constant;
  int64_t value;
  hd_str text;
} expression;

static void print_oplus(hd_str *out, int64_t floor) {
  hd_str_printf(out, " ⊕_%" PRId64 " ", floor);
}

/* n ⊕_floor delta */
static void apply_segment(expression *e, hd_effect effect) {
  if (e->constant) {
    e->value = hd_effect_apply(effect, e->value);
  } else if (effect.delta || effect.floor) {
    print_oplus(&e->text, effect.floor);
    hd_str_printf(&e->text, effect.delta < 0 ? "(%" PRId64 ")" : "%" PRId64,
                  effect.delta);
  }
}

/* n ⊕_floor delta ⊕_floor (kappa - 1) delta, where that is no constant. */
static void apply_loop(expression *e, hd_effect effect, uint32_t loop,
                       uint32_t loops) {
  apply_segment(e, effect);
  if (!effect.delta ||
      (e->constant && effect.delta < 0 && e->value == effect.floor))
    return;
  if (e->constant) {
    hd_str_printf(&e->text, "%" PRId64, e->value);
    e->constant = false;
  }
  print_oplus(&e->text, effect.floor);
  hd_str_puts(&e->text, "(");
  print_kappa(&e->text, loop, loops);
  hd_str_printf(&e->text,
                effect.delta < 0 ? "-1)·(%" PRId64 ")" : "-1)·%" PRId64,
                effect.delta);
}

/* True when the path touches `local` at all. */
static bool summarise(const explanation *x, const items *list, int64_t wanted,
                      hd_place_id local, uint32_t loops, expression *e) {
  bool touched = wanted > 0;
  hd_effect segment = HD_EFFECT_NONE;
  hd_segment round = {0};
  *e = (expression){.constant = true, .value = wanted};
  for (hd_vec_each(const item, it, list)) {
    if (it->edge != HD_NO_ID) {
      hd_effect effect = hd_effect_of(edge_at(x, it), local);
      touched = touched || effect.delta || effect.floor;
      segment = hd_effect_compose(effect, segment);
      continue;
    }
    apply_segment(e, segment);
    segment = HD_EFFECT_NONE;
    hd_quotient_round(x->q, it->shared, &round);
    hd_effect effect = hd_segment_at(&round, local);
    touched = touched || effect.delta || effect.floor;
    apply_loop(e, effect, it->loop, loops);
  }
  apply_segment(e, segment);
  hd_vec_free(&round);
  return touched;
}

static void print_local(const explanation *x, hd_place_id local) {
  if (local == x->view->pool)
    hd_str_puts(x->out, "pool");
  else
    hd_net_print_place(x->out, x->view->net, local);
}

static void print_equation(const explanation *x, hd_place_id local,
                           expression *e) {
  hd_count available = x->view->available[local];
  hd_str_puts(x->out, "  n");
  print_local(x, local);
  hd_str_puts(x->out, ": ");
  if (available == HD_OMEGA) {
    hd_str_puts(x->out, "any number of threads starts there\n");
    return;
  }
  if (e->constant)
    hd_str_printf(x->out, "%" PRId64, e->value);
  else
    hd_str_puts(x->out, hd_str_text(&e->text));
  if (available)
    hd_str_printf(x->out, " ≤ %u", available);
  else
    hd_str_puts(x->out, " = 0");
  if (e->constant)
    hd_str_puts(x->out, e->value > (int64_t)available ? "  fails" : "  holds");
  hd_str_puts(x->out, "\n");
}

static void print_equations(const explanation *x, const hd_goal *goal,
                            const items *list, uint32_t loops) {
  hd_tokens need =
      hd_net_view(x->view->net, x->view->net->targets.data[goal->target].need);
  for (hd_place_id l = 0; l < x->view->n_locals; l++) {
    expression e;
    int64_t wanted = l < x->view->net->n_places ? hd_tokens_at(need, l) : 0;
    if (summarise(x, list, wanted, l, loops, &e))
      print_equation(x, l, &e);
    hd_str_free(&e.text);
  }
}

/* ---- the verdict on a path ---- */

/* A local whose condition fails for `k`, HD_NO_ID: none. */
static hd_place_id find_failing(const explanation *x, const hd_summary *summary,
                                const int64_t *k) {
  for (hd_vec_each(const hd_summary_term, t, &summary->terms))
    if (hd_summary_value(summary, t->local, k) >
        (int64_t)x->view->available[t->local])
      return t->local;
  return HD_NO_ID;
}

/* The locals whose own equation has no solution. */
static void find_culprits(const explanation *x, const hd_summary *summary,
                          uint64_t *culprits) {
  uint64_t *only = hd_calloc(hd_bits_words(x->view->n_locals), sizeof *only);
  hd_rows rows = {0};
  for (hd_vec_each(const hd_summary_term, t, &summary->terms)) {
    int64_t k[HD_MAX_LOOPS];
    hd_counts_stats unused = {0};
    hd_bits_set(only, t->local);
    hd_counts_rows(&rows, summary, x->view->available, only);
    if (hd_counts_solve(&rows, summary->n_loops, 0, k, &unused) ==
        HD_COUNTS_NONE)
      hd_bits_set(culprits, t->local);
    hd_bits_clear(only, t->local);
  }
  hd_vec_free(&rows);
  hd_free(only);
}

static bool print_locals(const explanation *x, const uint64_t *locals) {
  size_t n = x->view->n_locals, first = hd_bits_next(locals, n, 0);
  for (size_t l = first; l < n; l = hd_bits_next(locals, n, l + 1)) {
    hd_str_puts(x->out, l == first ? "because of n" : ", n");
    print_local(x, (hd_place_id)l);
  }
  return first < n;
}

static void print_failure(explanation *x, const hd_summary *summary,
                          bool silent) {
  size_t words = hd_bits_words(x->view->n_locals);
  uint64_t *culprits = hd_calloc(words, sizeof *culprits);
  find_culprits(x, summary, culprits);
  for (size_t w = 0; w < words; w++)
    x->culprits[w] &= culprits[w];
  if (!silent) {
    hd_str_puts(x->out, "  unreachable on this path ");
    if (!print_locals(x, culprits))
      hd_str_puts(x->out, "because no numbers of rounds satisfy all equations");
    hd_str_puts(x->out, "\n");
  }
  hd_free(culprits);
}

/* `κ = 2, because of n2`: with a round less that equation fails. */
static void print_success(const explanation *x, const hd_path *path,
                          const hd_summary *summary) {
  hd_str_puts(x->out, "  reachable on this path");
  for (uint32_t i = 0; i < summary->n_loops; i++) {
    hd_str_puts(x->out, i ? ", " : " with ");
    print_kappa(x->out, i + 1, summary->n_loops);
    hd_str_printf(x->out, " = %" PRId64, path->k[i] + 1);
    hd_path fewer = *path;
    if (!fewer.k[i]--)
      continue;
    hd_place_id local = find_failing(x, summary, fewer.k);
    if (local == HD_NO_ID)
      continue;
    hd_str_puts(x->out, " because of n");
    print_local(x, local);
  }
  hd_str_puts(x->out, "\n");
}

static const char *describe(hd_component_kind kind) {
  static const char *const words[] = {
      "without loops", "with a loop of real edges",
      "with a loop that has expansion edges", "with spaghetti"};
  return words[kind];
}

static void print_heading(const explanation *x, hd_component_kind kind,
                          uint32_t loops) {
  hd_str_printf(x->out, "\npath %u, %s", x->tested, describe(kind));
  if (!loops && kind != HD_TRIVIAL)
    hd_str_puts(x->out, ", without a full round");
  hd_str_puts(x->out, "\n");
}

static void explain_path(void *context, const hd_paths *paths,
                         const hd_path *path, const hd_summary *summary,
                         hd_counts_status status) {
  explanation *x = context;
  if (++x->tested > EXPLAINED && status != HD_COUNTS_FOUND) {
    print_failure(x, summary, true);
    return;
  }
  const hd_path_end *end = &paths->ends.data[path->end];
  const hd_goal *goal = &x->view->goals.data[end->goal];
  items list = {0};
  list_items(paths, path, &list);
  print_heading(x, end->kind, summary->n_loops);
  print_path(x, &list, goal, summary->n_loops);
  print_equations(x, goal, &list, summary->n_loops);
  if (status == HD_COUNTS_FOUND)
    print_success(x, path, summary);
  else if (status == HD_COUNTS_NONE)
    print_failure(x, summary, false);
  else
    hd_str_puts(x->out, "  the equations are too hard to solve one by one\n");
  hd_vec_free(&list);
}

/* ---- the whole ---- */

static void print_quotient(const explanation *x) {
  uint32_t kinds[HD_SPAGHETTI + 1] = {0};
  for (hd_vec_each(const hd_component, c, &x->q->components))
    kinds[c->kind]++;
  hd_str_printf(x->out,
                "quotient: %zu of %zu edges lie between the initial state and "
                "the target,\n  in %u trivial, %u simple and %u spaghetti "
                "components\n",
                x->q->n_used, x->view->edges.size, kinds[HD_TRIVIAL],
                kinds[HD_SIMPLE_REAL] + kinds[HD_SIMPLE_EXPANDED],
                kinds[HD_SPAGHETTI]);
}

static void print_conclusion(const explanation *x, const hd_paths *paths,
                             hd_paths_status status) {
  if (x->tested > EXPLAINED)
    hd_str_printf(x->out, "\n%u paths were tested, the first %d are shown\n",
                  x->tested, EXPLAINED);
  hd_str_puts(x->out, "\n");
  switch (status) {
  case HD_PATHS_FOUND:
    hd_str_printf(x->out, "reachable by path %u\n", x->tested);
    break;
  case HD_PATHS_NONE:
    if (!x->tested) {
      hd_str_puts(x->out, "unreachable: there is no path\n");
      break;
    }
    hd_str_puts(x->out, "unreachable: every path fails");
    if (hd_bits_count(x->culprits, hd_bits_words(x->view->n_locals)))
      hd_str_puts(x->out, ", ");
    print_locals(x, x->culprits);
    hd_str_puts(x->out, "\n");
    break;
  case HD_PATHS_PARKED:
    hd_str_printf(x->out,
                  "%zu more ways lead back into spaghetti components, which "
                  "are searched explicitly\n",
                  paths->parked.size);
    break;
  case HD_PATHS_TOO_MANY:
    hd_str_puts(x->out, "there are too many paths to explain one by one\n");
    break;
  case HD_PATHS_STOPPED:
    hd_str_puts(x->out, "stopped by the limits of the run\n");
    break;
  }
}

void hd_concolic_explain(const hd_problem *problem, hd_run *run, hd_str *out) {
  hd_str why = {0};
  hd_threads *view = hd_threads_new(problem->net, &why);
  if (!view) {
    hd_str_printf(out, "nothing to explain: %s\n", hd_str_text(&why));
    hd_str_free(&why);
    return;
  }
  const hd_cert *tset = problem->no_pruning ? NULL : problem->tset;
  hd_quotient *quotient = hd_quotient_new(view, tset);
  explanation x = {.problem = problem, .view = view, .q = quotient, .out = out};
  size_t words = hd_bits_words(view->n_locals);
  x.culprits = hd_alloc((words ? words : 1) * sizeof *x.culprits);
  memset(x.culprits, 0xFF, words * sizeof *x.culprits);
  print_quotient(&x);
  hd_paths paths = {.quotient = quotient,
                    .tset = tset,
                    .exhaustive = true,
                    .limit = END_LIMIT,
                    .tested = explain_path,
                    .context = &x};
  hd_paths_status status = HD_PATHS_NONE;
  if (quotient->component_of[view->init_shared] != HD_NO_ID)
    status = hd_paths_run(&paths, run);
  print_conclusion(&x, &paths, status);
  hd_free(x.culprits);
  hd_paths_free(&paths);
  hd_quotient_delete(quotient);
  hd_threads_delete(view);
}
