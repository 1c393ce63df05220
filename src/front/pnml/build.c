/* SPDX-License-Identifier: MIT */
/* From the parts of a PNML document to a net: ids are resolved, arcs gathered
 * at their transitions, and shared states folded if there are any. */
#include "front/pnml/parts.h"

#include "front/names.h"
#include "front/threads.h"

#include <string.h>

typedef struct {
  pnml_parts *parts;
  hd_name_map ids; /* node number by id */
  hd_net *net;
  hd_u32s places; /* node number of each place */
  hd_u32s transitions;
} builder;

/* Outcomes of a reference node besides the number it stands for. */
#define UNKNOWN UINT32_MAX
#define ACTIVE (UINT32_MAX - 1)
#define BROKEN (UINT32_MAX - 2)

static hd_word word_of(const char *text) {
  return (hd_word){.text = text, .size = strlen(text)};
}

/* `message` and the id it is about. */
static void error_at(builder *b, hd_pos pos, const char *message,
                     const char *id) {
  hd_diag_error(b->parts->diag, b->parts->source, pos, "%s '%s'", message,
                hd_quote(word_of(id)).text);
}

static void add_node(builder *b, uint32_t n) {
  pnml_node *node = &b->parts->nodes.data[n];
  bool fresh;
  hd_name_map_put(&b->ids, word_of(node->id), n, &fresh);
  if (!fresh)
    error_at(b, node->pos, "a second node with the id", node->id);
  if (node->kind == PNML_PLACE) {
    node->index = (uint32_t)b->places.size;
    hd_vec_push(&b->places, n);
  } else if (node->kind == PNML_TRANSITION) {
    node->index = (uint32_t)b->transitions.size;
    hd_vec_push(&b->transitions, n);
  } else {
    node->index = UNKNOWN;
  }
}

static bool is_place(pnml_node_kind kind) {
  return kind == PNML_PLACE || kind == PNML_REF_PLACE;
}

/* The node with this id; NULL, reported, when there is none. */
static const pnml_node *find(builder *b, const char *id, hd_pos pos) {
  const uint32_t *n = hd_name_map_find(&b->ids, word_of(id));
  if (!n)
    error_at(b, pos, "there is no place or transition with the id", id);
  return n ? &b->parts->nodes.data[*n] : NULL;
}

/* Why reference node `from` cannot point to `to`, or NULL. */
static const char *bad_reference(const pnml_node *from, const pnml_node *to) {
  if (is_place(from->kind) != is_place(to->kind))
    return "reference to a node of another kind,";
  if (to->ref && to->index == ACTIVE)
    return "references run in a circle to";
  return NULL;
}

/* Follows references from node `n` and notes the outcome at every node on the
 * way, so that all of them together take linear time. */
static void resolve_reference(builder *b, uint32_t n, hd_u32s *path) {
  uint32_t outcome = BROKEN;
  pnml_node *nodes = b->parts->nodes.data;
  hd_vec_clear(path);
  for (const pnml_node *node = &nodes[n];;) {
    if (!node->ref || node->index != UNKNOWN) {
      outcome = node->index;
      break;
    }
    nodes[node - nodes].index = ACTIVE;
    hd_vec_push(path, (uint32_t)(node - nodes));
    const pnml_node *to = find(b, node->ref, node->pos);
    const char *wrong = to ? bad_reference(node, to) : NULL;
    if (wrong)
      error_at(b, node->pos, wrong, node->ref);
    if (!to || wrong)
      break;
    node = to;
  }
  for (hd_vec_each(const uint32_t, at, path))
    nodes[*at].index = outcome;
}

static void resolve_references(builder *b) {
  hd_u32s path = {0};
  for (uint32_t n = 0; n < b->parts->nodes.size; n++)
    if (b->parts->nodes.data[n].ref && !hd_diag_full(b->parts->diag))
      resolve_reference(b, n, &path);
  hd_vec_free(&path);
}

/* An arc at its transition. */
typedef struct {
  uint32_t transition;
  hd_token token;
  bool out; /* from the transition to the place */
} joint;

typedef hd_vec(joint) joints;

static void add_arc(builder *b, const pnml_arc *arc, joints *out) {
  const pnml_node *source = find(b, arc->source, arc->pos);
  const pnml_node *target = find(b, arc->target, arc->pos);
  if (!source || !target || source->index == BROKEN || target->index == BROKEN)
    return;
  bool leaves = is_place(target->kind);
  if (is_place(source->kind) == leaves) {
    error_at(b, arc->pos,
             leaves ? "arc from a place to another place,"
                    : "arc from a transition to another transition,",
             target->id);
    return;
  }
  joint j = {.transition = leaves ? source->index : target->index,
             .token = {.place = leaves ? target->index : source->index,
                       .count = arc->weight},
             .out = leaves};
  hd_vec_push(out, j);
}

/* Adds transition `t` with the arcs joints[order[from … to - 1]]. */
static void add_trans(builder *b, uint32_t t, const joints *all,
                      const uint32_t *order, uint32_t from, uint32_t to) {
  const pnml_node *node = &b->parts->nodes.data[b->transitions.data[t]];
  hd_token_vec pre = {0}, post = {0};
  for (uint32_t i = from; i < to; i++) {
    const joint *j = &all->data[order[i]];
    if (j->out)
      hd_vec_push(&post, j->token);
    else
      hd_vec_push(&pre, j->token);
  }
  hd_trans_spec spec = {.pre = hd_token_vec_view(&pre),
                        .post = hd_token_vec_view(&post),
                        .line = node->pos.line,
                        .name = node->name};
  if (!hd_net_add_trans(b->net, &spec))
    error_at(b, node->pos,
             "arcs move more than 1073741823 tokens at transition", node->id);
  hd_vec_free(&pre);
  hd_vec_free(&post);
}

/* Counting sort of the arcs by transition, which keeps all of it linear. */
static void add_transitions(builder *b, const joints *all) {
  uint32_t n = (uint32_t)b->transitions.size;
  uint32_t *start = hd_calloc((size_t)n + 1, sizeof *start);
  uint32_t *order = hd_alloc((all->size + 1) * sizeof *order);
  for (hd_vec_each(const joint, j, all))
    start[j->transition]++;
  for (uint32_t t = 0, sum = 0; t <= n; t++) {
    sum += start[t];
    start[t] = sum;
  }
  for (size_t i = all->size; i--;)
    order[--start[all->data[i].transition]] = (uint32_t)i;
  for (uint32_t t = 0; t < n; t++)
    add_trans(b, t, all, order, start[t], start[t + 1]);
  hd_free(start);
  hd_free(order);
}

/* Splits the bounds of a target; false when one was reported. */
static bool read_bounds(builder *b, const pnml_target *target,
                        hd_token_vec *need, hd_token_vec *caps) {
  bool ok = true;
  for (uint32_t i = 0; i < target->n; i++) {
    const pnml_bound *bound = &b->parts->bounds.data[target->first + i];
    const pnml_node *node = find(b, bound->ref, bound->pos);
    if (node && !is_place(node->kind))
      error_at(b, bound->pos, "expected a place in a target, found transition",
               bound->ref);
    ok = ok && node && is_place(node->kind);
    if (!ok)
      continue;
    hd_token least = {.place = node->index, .count = bound->min};
    hd_token most = {.place = node->index, .count = bound->max};
    if (bound->min)
      hd_vec_push(need, least);
    if (bound->max != HD_OMEGA)
      hd_vec_push(caps, most);
  }
  return ok;
}

static void add_target(builder *b, const pnml_target *target) {
  hd_token_vec need = {0}, caps = {0};
  bool ok = read_bounds(b, target, &need, &caps);
  size_t n = need.size;
  if (ok && (!hd_token_vec_normalise(&need) || need.size != n)) {
    ok = false;
    hd_diag_error(b->parts->diag, b->parts->source, target->pos,
                  "a place occurs twice in this target");
  }
  if (ok && !hd_net_add_target(b->net, 0, hd_token_vec_view(&need),
                               hd_token_vec_view(&caps), target->pos.line))
    hd_bug("counts of a target out of range");
  hd_vec_free(&need);
  hd_vec_free(&caps);
}

static void add_places(builder *b) {
  for (uint32_t p = 0; p < b->places.size; p++) {
    const pnml_node *node = &b->parts->nodes.data[b->places.data[p]];
    hd_net_add_place(b->net, node->name, strlen(node->name));
    b->net->init[p] = node->init;
  }
}

/* The thread system, when some places are shared states, else the net. */
static hd_net *fold(builder *b) {
  hd_u32s control = {0};
  for (uint32_t p = 0; p < b->places.size; p++)
    if (b->parts->nodes.data[b->places.data[p]].shared)
      hd_vec_push(&control, p);
  hd_net *net = b->net;
  b->net = NULL;
  hd_net_finish(net);
  if (!control.size && b->parts->local_numbered) {
    hd_free(net->place_names);
    net->place_names = NULL;
  } else if (control.size) {
    hd_fold fold = {.control = control.data,
                    .n_control = control.size,
                    .shared_numbered = b->parts->shared_numbered,
                    .local_numbered = b->parts->local_numbered};
    hd_str why = {0};
    hd_net *threads = hd_threads_fold(net, &fold, &why);
    const pnml_node *first =
        &b->parts->nodes.data[b->places.data[control.data[0]]];
    if (threads)
      threads = hd_threads_unique(threads, b->parts->source, b->parts->diag);
    else
      hd_diag_error(b->parts->diag, b->parts->source, first->pos,
                    "the places marked as shared are not the shared states of "
                    "a thread system: %s",
                    hd_str_text(&why));
    hd_str_free(&why);
    hd_net_delete(net);
    net = threads;
  }
  hd_vec_free(&control);
  return net;
}

/* Ids differ, so only heddle's own name elements can make names clash. */
static hd_net *check_names(builder *b, hd_net *net) {
  hd_name_fault fault;
  if (!net || !hd_names_fault(net, &fault))
    return net;
  const char *const *names =
      (const char *const *)(fault.shared ? net->shared_names
                                         : net->place_names);
  hd_diag_file_error(b->parts->diag, b->parts->source->name, "%s: '%s'",
                     fault.why, hd_quote(word_of(names[fault.state])).text);
  hd_net_delete(net);
  return NULL;
}

hd_net *hd_pnml_build(pnml_parts *parts) {
  builder b = {.parts = parts};
  size_t before = hd_diag_errors(parts->diag);
  for (uint32_t n = 0; n < parts->nodes.size; n++)
    add_node(&b, n);
  if (b.places.size > HD_MAX_STATES || b.transitions.size > HD_MAX_STATES)
    hd_diag_file_error(parts->diag, parts->source->name,
                       "more than %u places or transitions, the most heddle "
                       "takes",
                       HD_MAX_STATES);
  joints all = {0};
  resolve_references(&b);
  for (hd_vec_each(const pnml_arc, arc, &parts->arcs))
    if (!hd_diag_full(parts->diag))
      add_arc(&b, arc, &all);
  if (hd_diag_errors(parts->diag) == before) {
    b.net = hd_net_new(HD_FORMAT_PNML, parts->source->name, 1, 0);
    add_places(&b);
    add_transitions(&b, &all);
    for (hd_vec_each(const pnml_target, target, &parts->targets))
      if (!hd_diag_full(parts->diag))
        add_target(&b, target);
  }
  hd_net *net = NULL;
  if (hd_diag_errors(parts->diag) == before)
    net = check_names(&b, fold(&b));
  hd_net_delete(b.net);
  hd_vec_free(&all);
  hd_vec_free(&b.places);
  hd_vec_free(&b.transitions);
  hd_name_map_free(&b.ids);
  return net;
}
