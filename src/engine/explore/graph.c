/* SPDX-License-Identifier: MIT */
#include "engine/explore/graph.h"

#include "base/bitset.h"

void hd_graph_free(hd_graph *graph) {
  hd_states_free(&graph->states);
  hd_vec_free(&graph->nodes);
  hd_vec_free(&graph->poses);
  hd_vec_free(&graph->links);
  hd_vec_free(&graph->sets);
  *graph = (hd_graph){.keep = graph->keep};
}

uint32_t hd_graph_add(hd_graph *graph, hd_node node, const hd_poses *poses) {
  assert(node.parent == HD_NO_ID || node.parent < graph->nodes.size);
  assert(graph->nodes.size + 1 == graph->states.states.items.size);
  node.poses = (uint32_t)graph->poses.size;
  node.n_poses = (uint32_t)poses->size;
  node.explored = (uint32_t)graph->sets.size;
  for (size_t i = 0; i < hd_bits_words(poses->size); i++)
    hd_vec_push(&graph->sets, 0);
  for (size_t i = 0; i < poses->size; i++)
    hd_vec_push(&graph->poses, poses->data[i]);
  hd_vec_push(&graph->nodes, node);
  return (uint32_t)graph->nodes.size - 1;
}

void hd_graph_way(const hd_graph *graph, uint32_t node, hd_turns *turns) {
  hd_u32s way = {0};
  hd_vec_clear(turns);
  for (; graph->nodes.data[node].parent != HD_NO_ID;
       node = graph->nodes.data[node].parent)
    hd_vec_push(&way, node);
  while (way.size) {
    const hd_node *n = &graph->nodes.data[hd_vec_pop(&way)];
    hd_vec_push(turns, n->via);
    for (uint32_t i = 0; i < n->extra; i++) {
      hd_turn turn = {.thread = n->via.thread};
      hd_vec_push(turns, turn);
    }
  }
  hd_vec_free(&way);
}

/* --- cycles --- */

typedef enum { NEW, OPEN, DONE } color;

typedef struct {
  const hd_graph *graph;
  uint32_t *start; /* of each node's links in `to` */
  uint32_t *to;
  uint8_t *colors;
  hd_u32s stack; /* nodes, each with … */
  hd_u32s next;  /* … its next link */
} walk;

/* In the middle of a section all that can move is nothing. */
static bool is_open(const hd_graph *graph, uint32_t node) {
  assert(node < graph->nodes.size);
  return !graph->nodes.data[node].full || graph->nodes.data[node].inside;
}

static bool counts(const hd_graph *graph, const hd_link *link) {
  return is_open(graph, link->from) && is_open(graph, link->to);
}

static void index_links(walk *w) {
  const hd_graph *graph = w->graph;
  size_t n = graph->nodes.size;
  w->start = hd_calloc(n + 2, sizeof *w->start);
  w->to = hd_calloc(graph->links.size + 1, sizeof *w->to);
  for (hd_vec_each(const hd_link, link, &graph->links))
    if (counts(graph, link))
      w->start[link->from + 2]++;
  for (size_t i = 2; i < n + 2; i++)
    w->start[i] += w->start[i - 1];
  /* start[i + 1] moves from the first of i's links to the first of i + 1's. */
  for (hd_vec_each(const hd_link, link, &graph->links))
    if (counts(graph, link))
      w->to[w->start[link->from + 1]++] = link->to;
}

static void open_node(walk *w, uint32_t node) {
  assert(w->colors[node] == NEW);
  w->colors[node] = OPEN;
  hd_vec_push(&w->stack, node);
  hd_vec_push(&w->next, w->start[node]);
}

/* The stack from `target` on is a cycle: its last node that is in no section.
 * Sections that go round inside are the search's business. */
static void report(const walk *w, uint32_t target, hd_u32s *out) {
  for (size_t i = w->stack.size; i--;) {
    uint32_t node = w->stack.data[i];
    if (!w->graph->nodes.data[node].inside) {
      hd_vec_push(out, node);
      return;
    }
    if (node == target)
      return;
  }
}

/* A depth-first walk; a cycle has a link back to an open node. */
static void visit(walk *w, uint32_t root, hd_u32s *out) {
  open_node(w, root);
  while (w->stack.size) {
    uint32_t node = hd_vec_last(&w->stack);
    uint32_t link = hd_vec_last(&w->next)++;
    assert(w->stack.size == w->next.size && link <= w->start[node + 1]);
    if (link == w->start[node + 1]) {
      w->colors[node] = DONE;
      (void)hd_vec_pop(&w->stack);
      (void)hd_vec_pop(&w->next);
    } else if (w->colors[w->to[link]] == NEW) {
      open_node(w, w->to[link]);
    } else if (w->colors[w->to[link]] == OPEN) {
      report(w, w->to[link], out);
    }
  }
}

void hd_graph_cycles(const hd_graph *graph, hd_u32s *out) {
  walk w = {.graph = graph};
  hd_vec_clear(out);
  index_links(&w);
  w.colors = hd_calloc(graph->nodes.size + 1, sizeof *w.colors);
  for (uint32_t i = 0; i < graph->nodes.size; i++)
    if (w.colors[i] == NEW && !graph->nodes.data[i].full)
      visit(&w, i, out);
  hd_free(w.start);
  hd_free(w.to);
  hd_free(w.colors);
  hd_vec_free(&w.stack);
  hd_vec_free(&w.next);
}
