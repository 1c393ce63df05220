/* SPDX-License-Identifier: MIT */
/* The expanded diagram and its quotient as DOT.
 *
 * Thread states are nodes; real edges are solid (spawns have a diamond at their
 * tail), expansion edges dashed. Where a shared state has many expansion edges
 * they are drawn through a point in its middle. Components other than single
 * states have a coloured box. The quotient beside it has a node for each
 * component. Edges on the way of the witness are red. */
#include "engine/concolic/concolic.h"
#include "engine/concolic/quotient.h"

/* Expansion edges of a shared state drawn one by one. */
#define MANY 36

typedef struct {
  const hd_threads *view;
  const hd_quotient *q;
  hd_str *out;
  hd_u32s walk;      /* edges of the witness, in order */
  uint64_t *walked;  /* the same as a set */
  uint64_t *arrives; /* per shared state: locals that an edge arrives in */
  uint64_t *departs; /* … or departs from, or that a goal asks for */
  uint64_t *inside_arrives, *inside_departs; /* by edges inside a component */
  size_t words;
} drawing;

static const char *const red = "color=red, penwidth=2";

static bool arrives(const drawing *d, hd_shared_id s, hd_place_id l) {
  return hd_bits_test(d->arrives + s * d->words, l);
}

static bool departs(const drawing *d, hd_shared_id s, hd_place_id l) {
  return hd_bits_test(d->departs + s * d->words, l);
}

/* Is (s,l) on a cycle of the expanded diagram? Expansion edges lead from every
 * arrival to every departure. */
static bool is_inside(const drawing *d, hd_shared_id s, hd_place_id l) {
  bool in = hd_bits_test(d->inside_arrives + s * d->words, l);
  bool out = hd_bits_test(d->inside_departs + s * d->words, l);
  return (in || departs(d, s, l)) && (out || arrives(d, s, l));
}

static bool is_initial(const drawing *d, hd_shared_id s, hd_place_id l) {
  return s == d->view->init_shared && l != d->view->pool &&
         d->view->available[l] > 0;
}

static hd_tokens need_of(const drawing *d, const hd_goal *goal) {
  const hd_net *net = d->view->net;
  return hd_net_view(net, net->targets.data[goal->target].need);
}

static bool is_goal(const drawing *d, hd_shared_id s, hd_place_id l) {
  for (hd_vec_each(const hd_goal, goal, &d->view->goals))
    if (goal->shared == s && hd_tokens_at(need_of(d, goal), l))
      return true;
  return false;
}

/* ---- what there is to draw ---- */

static void collect_nodes(drawing *d) {
  const hd_threads *view = d->view;
  d->words = hd_bits_words(view->n_locals);
  size_t n = (size_t)view->n_shared * d->words;
  d->arrives = hd_calloc(n ? n : 1, sizeof *d->arrives);
  d->departs = hd_calloc(n ? n : 1, sizeof *d->departs);
  d->inside_arrives = hd_calloc(n ? n : 1, sizeof *d->inside_arrives);
  d->inside_departs = hd_calloc(n ? n : 1, sizeof *d->inside_departs);
  for (uint32_t i = 0; i < view->edges.size; i++) {
    const hd_view_edge *e = &view->edges.data[i];
    if (!hd_bits_test(d->q->used, i))
      continue;
    hd_bits_set(d->departs + e->from * d->words, e->take);
    hd_bits_set(d->arrives + e->to * d->words, e->give);
    if (e->kind == HD_EDGE_SPAWN)
      hd_bits_set(d->arrives + e->to * d->words, e->take);
    if (!hd_quotient_inside(d->q, e))
      continue;
    hd_bits_set(d->inside_arrives + e->to * d->words, e->give);
    hd_bits_set(d->inside_departs + e->from * d->words, e->take);
  }
  for (hd_vec_each(const hd_goal, goal, &view->goals)) {
    hd_tokens need = need_of(d, goal);
    for (size_t i = 0; i < need.size; i++)
      hd_bits_set(d->departs + goal->shared * d->words, need.data[i].place);
  }
}

/* The edges of the witness: the chain of each step, in order. */
static void follow_witness(drawing *d, const hd_witness *witness) {
  const hd_threads *view = d->view;
  d->walked = hd_calloc(hd_bits_words(view->edges.size) + 1, sizeof(uint64_t));
  if (!witness)
    return;
  for (hd_vec_each(const hd_step, step, &witness->steps))
    for (uint32_t i = 0; i < view->edges.size; i++)
      if (view->edges.data[i].origin == step->trans) {
        hd_vec_push(&d->walk, i);
        hd_bits_set(d->walked, i);
      }
}

/* Does the witness pass from an arrival in `l` to a departure from `m`? */
static bool expands(const drawing *d, hd_shared_id s, hd_place_id l,
                    hd_place_id m) {
  for (size_t i = 0; i + 1 < d->walk.size; i++) {
    const hd_view_edge *e = &d->view->edges.data[d->walk.data[i]];
    const hd_view_edge *f = &d->view->edges.data[d->walk.data[i + 1]];
    if (e->to == s && e->give == l && f->take == m)
      return true;
  }
  return false;
}

/* ---- the expanded diagram ---- */

/* Names may contain quotes and backslashes. */
static void print_label(drawing *d, hd_shared_id s, hd_place_id l) {
  hd_str text = {0};
  hd_threads_print_state(&text, d->view, s, l);
  for (const char *c = hd_str_text(&text); *c; c++)
    hd_str_printf(d->out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  hd_str_free(&text);
}

static void draw_node(drawing *d, hd_shared_id s, hd_place_id l) {
  hd_str_printf(d->out, "    t%u_%u [label=\"", s, l);
  print_label(d, s, l);
  hd_str_puts(d->out, "\"");
  if (is_initial(d, s, l))
    hd_str_puts(d->out, ", style=bold");
  if (is_goal(d, s, l))
    hd_str_puts(d->out, ", shape=doubleoctagon");
  hd_str_puts(d->out, "];\n");
}

static uint32_t count_expansions(const drawing *d, hd_shared_id s) {
  const uint64_t *a = d->arrives + s * d->words;
  const uint64_t *b = d->departs + s * d->words;
  return (uint32_t)(hd_bits_count(a, d->words) * hd_bits_count(b, d->words));
}

static void draw_hub(drawing *d, hd_shared_id s) {
  hd_str_printf(d->out, "    h%u [shape=point];\n", s);
  for (hd_place_id l = 0; l < d->view->n_locals; l++) {
    if (arrives(d, s, l))
      hd_str_printf(d->out,
                    "    t%u_%u -> h%u [style=dashed, arrowhead=none];\n", s, l,
                    s);
    if (departs(d, s, l))
      hd_str_printf(d->out, "    h%u -> t%u_%u [style=dashed];\n", s, s, l);
  }
}

static void draw_expansions(drawing *d, hd_shared_id s) {
  if (count_expansions(d, s) > MANY) {
    draw_hub(d, s);
    return;
  }
  for (hd_place_id l = 0; l < d->view->n_locals; l++)
    for (hd_place_id m = 0; m < d->view->n_locals; m++)
      if (l != m && arrives(d, s, l) && departs(d, s, m))
        hd_str_printf(d->out, "    t%u_%u -> t%u_%u [style=dashed%s%s];\n", s,
                      l, s, m, expands(d, s, l, m) ? ", " : "",
                      expands(d, s, l, m) ? red : "");
}

/* The thread states of `s` on cycles, or the others. */
static void draw_shared(drawing *d, hd_shared_id s, bool inside) {
  for (hd_place_id l = 0; l < d->view->n_locals; l++)
    if ((arrives(d, s, l) || departs(d, s, l) || is_initial(d, s, l)) &&
        is_inside(d, s, l) == inside)
      draw_node(d, s, l);
}

static const char *color_of(hd_component_kind kind) {
  return kind == HD_SPAGHETTI ? "orange"
         : kind == HD_TRIVIAL ? "white"
                              : "palegreen";
}

static const char *name_of(hd_component_kind kind) {
  return kind == HD_SPAGHETTI ? "spaghetti"
         : kind == HD_TRIVIAL ? "trivial"
                              : "simple";
}

static void draw_component(drawing *d, uint32_t c) {
  hd_component_kind kind = d->q->components.data[c].kind;
  if (kind != HD_TRIVIAL) {
    hd_str_printf(d->out,
                  "    subgraph cluster_c%u {\n    label=\"%s\"; "
                  "style=filled; color=%s;\n",
                  c, name_of(kind), color_of(kind));
    for (hd_shared_id s = 0; s < d->view->n_shared; s++)
      if (d->q->component_of[s] == c)
        draw_shared(d, s, true);
    hd_str_puts(d->out, "    }\n");
  }
  for (hd_shared_id s = 0; s < d->view->n_shared; s++)
    if (d->q->component_of[s] == c) {
      draw_shared(d, s, false);
      if (kind == HD_TRIVIAL)
        draw_shared(d, s, true);
      draw_expansions(d, s);
    }
}

static void draw_expanded(drawing *d) {
  hd_str_puts(d->out, "  subgraph cluster_expanded {\n"
                      "    label=\"expanded diagram\"; color=gray;\n");
  for (uint32_t c = 0; c < d->q->components.size; c++)
    draw_component(d, c);
  for (uint32_t i = 0; i < d->view->edges.size; i++) {
    const hd_view_edge *e = &d->view->edges.data[i];
    if (hd_bits_test(d->q->used, i))
      hd_str_printf(d->out, "    t%u_%u -> t%u_%u [%s%s%s];\n", e->from,
                    e->take, e->to, e->give,
                    e->kind == HD_EDGE_SPAWN ? "dir=both, arrowtail=diamond"
                                             : "style=solid",
                    hd_bits_test(d->walked, i) ? ", " : "",
                    hd_bits_test(d->walked, i) ? red : "");
  }
  hd_str_puts(d->out, "  }\n");
}

/* ---- the quotient ---- */

static void draw_quotient_node(drawing *d, uint32_t c) {
  const hd_component *component = &d->q->components.data[c];
  hd_str_printf(d->out, "    q%u [style=filled, fillcolor=%s, label=\"", c,
                color_of(component->kind));
  if (component->kind != HD_TRIVIAL) {
    hd_str_printf(d->out, "%s: %u states, %u edges\"];\n",
                  name_of(component->kind), component->n_shared,
                  component->n_edges);
    return;
  }
  for (hd_shared_id s = 0; s < d->view->n_shared; s++) {
    if (d->q->component_of[s] != c)
      continue;
    if (s < d->view->net->n_shared)
      hd_net_print_shared(d->out, d->view->net, s);
    else
      hd_str_printf(d->out, "+%u", s - d->view->net->n_shared);
  }
  hd_str_puts(d->out, "\"];\n");
}

/* One edge for all real edges between two components. The edges are looked at
 * in the order of their targets' components, so `count` is of one target. */
static void draw_quotient_edges(drawing *d, uint32_t to) {
  size_t n = d->q->components.size;
  uint32_t *count = hd_calloc(n, sizeof *count);
  bool *used = hd_calloc(n, sizeof *used);
  for (uint32_t i = 0; i < d->view->edges.size; i++) {
    const hd_view_edge *e = &d->view->edges.data[i];
    if (!hd_bits_test(d->q->used, i) || d->q->component_of[e->to] != to)
      continue;
    uint32_t from = d->q->component_of[e->from];
    count[from]++;
    used[from] = used[from] || hd_bits_test(d->walked, i);
  }
  for (uint32_t from = 0; from < n; from++)
    if (from != to && count[from])
      hd_str_printf(d->out, "    q%u -> q%u [label=\"%u\"%s%s];\n", from, to,
                    count[from], used[from] ? ", " : "", used[from] ? red : "");
  hd_free(count);
  hd_free(used);
}

static void draw_quotient(drawing *d) {
  hd_str_puts(d->out, "  subgraph cluster_quotient {\n"
                      "    label=\"quotient\"; color=gray;\n");
  for (uint32_t c = 0; c < d->q->components.size; c++)
    draw_quotient_node(d, c);
  for (uint32_t c = 0; c < d->q->components.size; c++)
    draw_quotient_edges(d, c);
  hd_str_puts(d->out, "  }\n");
}

bool hd_concolic_draw(const hd_net *net, const hd_witness *witness, hd_str *out,
                      hd_str *why) {
  hd_threads *view = hd_threads_new(net, why);
  if (!view)
    return false;
  hd_quotient *quotient = hd_quotient_new(view, NULL);
  drawing d = {.view = view, .q = quotient, .out = out};
  collect_nodes(&d);
  follow_witness(&d, witness);
  hd_str_puts(out, "digraph quotient {\n"
                   "  node [shape=ellipse, fontname=\"sans-serif\"];\n"
                   "  edge [fontname=\"sans-serif\"];\n");
  draw_expanded(&d);
  draw_quotient(&d);
  hd_str_puts(out, "}\n");
  hd_free(d.arrives);
  hd_free(d.departs);
  hd_free(d.inside_arrives);
  hd_free(d.inside_departs);
  hd_free(d.walked);
  hd_vec_free(&d.walk);
  hd_quotient_delete(quotient);
  hd_threads_delete(view);
  return true;
}
