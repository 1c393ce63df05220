/* SPDX-License-Identifier: MIT */
/* The Karp–Miller search. See search.c. */
#ifndef HD_ENGINE_KM_SEARCH_H
#define HD_ENGINE_KM_SEARCH_H

#include "engine/engine.h"
#include "engine/km/accel.h"

/* Counters of a run: name, unit, help. */
#define HD_KM_STATS(X)                                                         \
  X(nodes, "", "configurations that were maximal when found")                  \
  X(expanded, "", "nodes whose successors were computed")                      \
  X(fired, "", "transitions fired")                                            \
  X(pruned, "", "successors covered by another node")                          \
  X(retired, "", "nodes that a later one covered")                             \
  X(postponed, "", "nodes put off because an ancestor was covered")            \
  X(revived, "", "postponed nodes that had to be expanded after all")          \
  X(accelerations, "", "loops found and remembered")                           \
  X(accelerated, "", "remembered loops fired")                                 \
  X(omega_sets, "", "different sets of unbounded places")                      \
  X(maximal, "", "maximal configurations at the end")                          \
  X(witness_steps, "", "steps of the witness")

typedef struct {
#define HD_KM_COUNTER(name, unit, help) uint64_t name;
  HD_KM_STATS(HD_KM_COUNTER)
#undef HD_KM_COUNTER
} hd_km_stats;

typedef struct {
  uint32_t parent, first_child, next_sibling; /* or HD_KM_NONE */
  uint32_t trans;  /* from the parent; HD_KM_NONE: the initial configuration */
  hd_range accels; /* fired after it; into search->accel_ids */
  bool vain;       /* an ancestor is covered by a node outside its subtree */
  bool loose;      /* may have ancestors that are not live */
} hd_km_node;

typedef struct {
  uint64_t key;
  uint32_t node;
} hd_km_task;

typedef enum {
  HD_KM_COMPLETE,  /* the live nodes are the minimal coverability set */
  HD_KM_FOUND,     /* node `found` covers target `found_goal` */
  HD_KM_STOPPED,   /* by the run's limits */
  HD_KM_TOO_LARGE, /* a finite count passes HD_COUNT_MAX */
  HD_KM_FULL,      /* more nodes than there are numbers */
} hd_km_end;

typedef struct {
  hd_km_system system;
  hd_km_store store;
  hd_km_accels accels;
  hd_vec(hd_km_node) tree; /* by node number of the store */
  hd_u32s accel_ids;
  hd_vec(hd_km_task) queue; /* a heap, largest key first */
  hd_u32s postponed;
  uint32_t found, found_goal;
  hd_place_id found_place; /* open systems: instead of found_goal */
  hd_km_order order;
  hd_shared_id expanding; /* the shared state of the node under expansion */
  bool too_large, stopped;
  hd_run *run;
  hd_km_stats stats;
  /* The successor in the making. */
  struct {
    uint32_t parent, trans;
    hd_u32s fired;
    hd_km_label label;
  } draft;
  hd_u32s below, body;
  uint32_t loaded;   /* a cell with the omega set that is in `counts` */
  hd_count *counts;  /* of the node under expansion, dense */
  uint64_t *omega;   /* its omega set */
  hd_token_vec base; /* its finite part */
  hd_u32s ready;     /* see find_ready */
} hd_km_search;

void hd_km_search_init(hd_km_search *search, const hd_net *net, bool targeted);
/* Over an open system: ends with HD_KM_FOUND at a token that its source calls
 * bad. */
void hd_km_search_open(hd_km_search *search, const hd_km_source *source,
                       hd_shared_id init_shared, hd_tokens init);
void hd_km_search_free(hd_km_search *search);
hd_km_end hd_km_search_run(hd_km_search *search, hd_run *run);

/* Makes room for what the open system has become. */
void hd_km_search_grow(hd_km_search *search);
/* The parts of a run. hd_km_expand fires everything enabled in `node`, until
 * the node is retired or in vain, and offers the results; hd_km_offer settles
 * the draft and makes it a node if it is not covered. */
void hd_km_expand(hd_km_search *search, uint32_t node);
void hd_km_offer(hd_km_search *search);

/* Appends the counters. */
void hd_km_report(const hd_km_search *search, hd_result *result);
/* Asserts K4 and the invariants of the store; slow. */
void hd_km_search_check(const hd_km_search *search);

/* Steps from the initial configuration to target `found_goal`, with the
 * accelerations unrolled, as transition numbers of the net. False when there
 * would be more than `limit`, or the run's limits are reached. */
HD_MUST_USE bool hd_km_unroll(hd_km_search *search, size_t limit, hd_run *run,
                              hd_u32s *steps);

#endif
