/* SPDX-License-Identifier: MIT */
#ifndef HD_CHECK_AXIOMS_IMPL_H
#define HD_CHECK_AXIOMS_IMPL_H

#include "check/axioms/axioms.h"

struct hd_axioms {
  const hd_execution *x;
  bool c23;
  size_t n;
  hd_exec_ids *threads; /* the events of each, in program order */
  uint32_t *index;      /* of an event in its thread */
  uint32_t *position;   /* among the writes of its place */
  uint32_t *sorted;     /* all events: what one depends on comes first */
  uint32_t *known;      /* [event * n_threads + t]: so many events of t happen
                           before it, or are it */
  hd_vec(hd_exec_edge) sw;
  const char *broken;
  hd_exec_id a, b;
};

static inline const hd_exec_event *axioms_event(const hd_axioms *ax,
                                                hd_exec_id id) {
  return &ax->x->events.data[id];
}
static inline bool axioms_acquires(const hd_exec_event *e) {
  return e->order == HD_ORDER_ACQUIRE || e->order == HD_ORDER_ACQ_REL ||
         e->order == HD_ORDER_SEQ_CST;
}
static inline bool axioms_releases(const hd_exec_event *e) {
  return e->order == HD_ORDER_RELEASE || e->order == HD_ORDER_ACQ_REL ||
         e->order == HD_ORDER_SEQ_CST;
}
static inline bool axioms_atomic(const hd_exec_event *e) {
  return e->order != HD_ORDER_NONE;
}
bool hd_axioms_hb(const hd_axioms *ax, hd_exec_id a, hd_exec_id b);
/* False, always. */
bool hd_axioms_breaks(hd_axioms *ax, const char *axiom, hd_exec_id a,
                      hd_exec_id b);

/* happens.c: what synchronises, and happens before. */
bool hd_axioms_happens(hd_axioms *ax);
/* order.c: psc is acyclic; one order explains everything; TSO. */
bool hd_axioms_psc(hd_axioms *ax);
bool hd_axioms_interleaves(hd_axioms *ax);
bool hd_axioms_tso(hd_axioms *ax);

/* A relation as lists of successors. */
typedef struct {
  size_t n;
  hd_vec(hd_exec_edge) edges;
} axioms_rel;
void hd_axioms_relate(axioms_rel *rel, hd_exec_id a, hd_exec_id b);
/* Program order, what is read and what synchronises, each step of it. */
void hd_axioms_relate_all(axioms_rel *rel, const hd_axioms *ax, bool sb,
                          bool rf);
/* An order of all events along the relation, in `sorted` (may be NULL); false: it
 * goes round, by way of `on`. Frees the relation. */
bool hd_axioms_sort(axioms_rel *rel, uint32_t *sorted, hd_exec_id *on);

#endif
