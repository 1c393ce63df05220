/* SPDX-License-Identifier: MIT */
/* The states that the exhaustive search has seen, how it first came to each,
 * and the moves between them: of those that are fully expanded only if somebody
 * wants them. */
#ifndef HD_ENGINE_EXPLORE_GRAPH_H
#define HD_ENGINE_EXPLORE_GRAPH_H

#include "check/interp/stuck.h"
#include "engine/explore/future.h"

typedef struct {
  uint32_t parent;   /* HD_NO_ID: the first state */
  uint32_t depth;    /* nodes before it */
  hd_turn via;       /* the move from the parent, and … */
  uint32_t extra;    /* … so many local moves of the same thread behind it */
  uint32_t poses;    /* into graph->poses */
  uint32_t n_poses;  /* threads ever created */
  uint32_t explored; /* into graph->sets: all moves of these threads have been
                        made */
  bool full;         /* everything that can move is, or will be, explored */
  bool on_stack;
  bool inside;      /* its thread is in a section: nobody else can move */
  bool leads_on;    /* inside: the section can be completed */
  bool ends;        /* the program can end by a move from here */
  uint64_t version; /* of the futures `explored` was closed under */
} hd_node;

typedef struct {
  hd_states states;
  hd_vec(hd_node) nodes; /* by number of the state */
  hd_poses poses;
  hd_vec(uint64_t) sets;
  hd_vec(hd_link) links;
  bool keep; /* links of full nodes, too, but for wake-ups without a signal */
} hd_graph;

void hd_graph_free(hd_graph *graph);
/* A new node for the state that was put last. */
uint32_t hd_graph_add(hd_graph *graph, hd_node node, const hd_poses *poses);
static inline const hd_pose_id *hd_graph_poses(const hd_graph *graph,
                                               uint32_t node) {
  assert(node < graph->nodes.size);
  return graph->poses.data + graph->nodes.data[node].poses;
}
static inline uint64_t *hd_graph_explored(hd_graph *graph, uint32_t node) {
  assert(node < graph->nodes.size);
  return graph->sets.data + graph->nodes.data[node].explored;
}
/* Sets `turns` to the way to the node. */
void hd_graph_way(const hd_graph *graph, uint32_t node, hd_turns *turns);
/* Sets `out` to nodes such that every cycle of nodes that are not full has one
 * of them. */
void hd_graph_cycles(const hd_graph *graph, hd_u32s *out);

#endif
