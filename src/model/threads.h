/* SPDX-License-Identifier: MIT */
/* The thread view of a net: a thread transition diagram (paper 000, section 2)
 * whose every edge is one step of one thread.
 *
 * A transition that takes at most one token and gives at most one, or keeps it
 * and gives one more, is an edge as it stands; where it takes or gives none, the
 * thread comes from, or vanishes into, an extra local, the pool, in which there
 * are always threads. When all transitions are edges the view is `direct`: its
 * shared states are the net's. Otherwise a transition becomes a chain of edges
 * through fresh shared states that takes and gives one token at a time; all its
 * tokens are taken before one is given that could stand in for them. `origin`
 * and `last` lead back: a run of the view fires transition `origin` whenever it
 * passes an edge with `last`.
 *
 * Edges without any effect are left out, and of equal edges one is kept. */
#ifndef HD_MODEL_THREADS_H
#define HD_MODEL_THREADS_H

#include "model/net.h"

typedef enum {
  HD_EDGE_PLAIN, /* a thread moves from `take` to `give` */
  HD_EDGE_SPAWN, /* a thread in `take` stays there; a new one starts in `give`
                  */
} hd_edge_kind;

typedef struct {
  hd_shared_id from, to;
  hd_place_id take, give;
  hd_edge_kind kind;
  hd_trans_id origin;
  bool last; /* of the chain of `origin` */
} hd_view_edge;

/* What is to be covered: a target of the net at one shared state. A target of
 * any shared state has one goal for each. */
typedef struct {
  hd_shared_id shared;
  uint32_t target; /* its number in the net; the tokens are its need */
} hd_goal;

typedef struct {
  const hd_net *net; /* borrowed */
  bool direct;
  uint32_t n_shared, n_locals; /* the net's, then the fresh ones */
  hd_place_id pool;            /* HD_NOWHERE when there is none */
  hd_shared_id init_shared;
  hd_count *available; /* n_locals: the most threads that start in a local;
                          HD_OMEGA = any number */
  hd_vec(hd_view_edge) edges;
  hd_vec(hd_goal) goals;
} hd_threads;

/* The view of a finished net, which must outlive it. NULL, with a sentence in
 * `why`, for nets with moves or caps and for those whose chains would have more
 * than HD_MAX_STATES shared states. */
hd_threads *hd_threads_new(const hd_net *net, hd_str *why);
void hd_threads_delete(hd_threads *view);

/* True when a transition is an edge as it stands in the net. */
bool hd_threads_is_edge(const hd_net *net, hd_trans_id trans);
/* `(s,l)`, with the net's names; fresh states get the name of what they are
 * in the middle of. */
void hd_threads_print_state(hd_str *out, const hd_threads *view,
                            hd_shared_id shared, hd_place_id local);

#endif
