/* SPDX-License-Identifier: MIT */
/* The one interface of all counter engines. An engine gets a net (usually what
 * reduce left of the input), knows nothing of files and options, prints
 * nothing, and fills in a result whose evidence speaks about that net. The
 * driver lifts evidence back to the input model and has it checked. */
#ifndef HD_ENGINE_ENGINE_H
#define HD_ENGINE_ENGINE_H

#include "base/run.h"
#include "model/result.h"

/* In which order a forward search expands its configurations: the largest
 * first, the newest first (depth first), or the oldest first. */
typedef enum { HD_KM_LARGEST, HD_KM_DFS, HD_KM_BFS } hd_km_order;

typedef struct {
  const hd_net *net;
  /* reduce's T part over the same places and shared states: what lies outside
   * is unreachable. NULL: not known. */
  const hd_cert *tset;
  uint64_t seed;
  uint32_t
      max_threads;   /* fws: most tokens outside unbounded places; 0 = none */
  hd_km_order order; /* km */
  bool no_pruning;   /* bws: do without the T part */
  bool explain;      /* keep what --explain prints */
  /* Linear inequalities (the `linear` part, with the traps they use) to prune
   * with; may be NULL. */
  const hd_cert *invariants;
  /* A judge of single configurations; may be NULL. True means that (shared |
   * tokens), and so everything above, is excluded by an inequality that
   * `invariants` has now: it may append to it. */
  bool (*exclude)(void *context, hd_shared_id shared, hd_tokens tokens);
  void *exclude_context;
} hd_problem;

typedef struct {
  const char *name, *summary;
  unsigned refuses; /* set of hd_feature it cannot treat */
  bool complete;    /* decides every net it accepts, given time and memory */
  bool unsliced;    /* its proofs need every transition that can fire, also
                       those that no target needs */
  void (*run)(const hd_problem *problem, hd_run *run, hd_result *result);
} hd_engine;

#endif
