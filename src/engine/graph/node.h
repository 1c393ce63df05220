/* SPDX-License-Identifier: MIT */
/* A graph with the machine that has executed it, and steps of a search. */
#ifndef HD_ENGINE_GRAPH_NODE_H
#define HD_ENGINE_GRAPH_NODE_H

#include "engine/graph/state.h"

typedef struct {
  graph g;
  play p;
} node;

void hd_graph_node_copy(node *to, const node *from);
void hd_graph_node_free(node *n);
/* The node itself if nobody needs it any more, which it then is not; or a copy. */
void hd_graph_node_take(node *to, node *from, bool last);

/* Nothing will be proved any more; violations are looked for, for as long as it
 * took to get here. The first reason counts. */
void hd_graph_give_up(graph_search *s, const char *why);
/* The machine has come to a violation, an end, or what is not treated. */
void hd_graph_end_badly(graph_search *s, const node *n);
/* Has a thread come to something that is not known? Others go on. */
void hd_graph_note_cuts(graph_search *s, const node *n);
/* No event can be added. */
void hd_graph_finish(graph_search *s, node *n);

graph_id hd_graph_add_event(node *n, graph_event e);
/* Puts a write into the order of its location. */
void hd_graph_insert(graph *g, graph_id write, size_t position);
/* The first position that the thread may read, or write behind. */
size_t hd_graph_least_of(const node *n, hd_tid thread, uint32_t loc);
/* The write at a position; HD_NO_ID: the initial value. */
graph_id hd_graph_source_at(const graph *g, uint32_t loc, size_t position);
/* May a write be put behind the position: is there no update that reads what is
 * there? */
bool hd_graph_may_insert(const graph *g, uint32_t loc, size_t position);
/* The choices an event has in this state, the first of which stands for all. */
void hd_graph_choices_of(graph_search *s, const node *n, hd_tid thread,
                         uint64_t many, hd_turn_choices *out);

#endif
