/* SPDX-License-Identifier: MIT */
/* The expanded diagram and its quotient (paper 000, section 3).
 *
 * The expanded diagram adds, within each shared state, an edge from every
 * arrival to every departure. So its paths, real edges only, are exactly the
 * walks in the graph of shared states, and its strongly connected components
 * are those of that graph: one hub a shared state stands for all expansion
 * edges. A component is
 *
 *   trivial    one shared state and no edge
 *   simple     one cycle of real edges: each shared state has one edge inside.
 *              Expansion edges that lead from one node of a shared state to
 *              another and back pass no real edge and do not count.
 *   spaghetti  anything else
 *
 * Only what lies between the initial shared state and a goal is kept. */
#ifndef HD_ENGINE_CONCOLIC_QUOTIENT_H
#define HD_ENGINE_CONCOLIC_QUOTIENT_H

#include "engine/concolic/summary.h"
#include "model/evidence.h"

#define HD_NO_ID UINT32_MAX

/* In the order in which paths are tried. */
typedef enum {
  HD_TRIVIAL,
  HD_SIMPLE_REAL,     /* a loop of real edges only */
  HD_SIMPLE_EXPANDED, /* a loop with expansion edges */
  HD_SPAGHETTI,
} hd_component_kind;

typedef struct {
  hd_component_kind kind;
  uint32_t n_shared, n_edges; /* real edges inside */
} hd_component;

typedef struct {
  const hd_threads *view;
  uint64_t *used;    /* edges kept */
  uint64_t *reached; /* shared states that walks from the initial one reach */
  uint32_t *component_of; /* per shared state; HD_NO_ID: not kept */
  /* In topological order: edges between components go to a higher number. */
  hd_vec(hd_component) components;
  /* The edges kept that lead to shared state s: in_ids[in_start[s]] … */
  uint32_t *in_start, *in_ids;
  uint32_t *loop_in; /* simple components: the edge inside that leads to s */
  /* Per component, the locals that no edge inside it or before it gives: wanted
   * threads there stay wanted on the way back. NULL when it would be large. */
  uint64_t **settled;
  size_t n_used;
} hd_quotient;

/* `tset` (may be NULL): edges it rules out are not kept. */
hd_quotient *hd_quotient_new(const hd_threads *view, const hd_cert *tset);
void hd_quotient_delete(hd_quotient *quotient);

static inline bool hd_quotient_inside(const hd_quotient *q,
                                      const hd_view_edge *e) {
  return q->component_of[e->from] == q->component_of[e->to];
}
/* The effect of going round the loop of a simple component once, backward, from
 * and to `shared`. */
void hd_quotient_round(const hd_quotient *quotient, hd_shared_id shared,
                       hd_segment *round);

#endif
