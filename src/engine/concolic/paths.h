/* SPDX-License-Identifier: MIT */
/* Pathwise search (paper 000, algorithm 3, for paths without spaghetti).
 *
 * Paths of the quotient are followed from the goals backward, each with the
 * summary of its part so far, so that paths with a common end share it. The
 * order is the paper's: without loops, with loops of real edges, with expansion
 * edges; then the components from the last to the first; then length. Ends that lead into a spaghetti component are parked
 * for explicit search. An end is given up when
 *   - another end at the same shared state wants no more, or
 *   - T excludes what it wants, or
 *   - it wants more threads than are available where nothing on the way back
 *     can lower that number: part of the final condition already fails. */
#ifndef HD_ENGINE_CONCOLIC_PATHS_H
#define HD_ENGINE_CONCOLIC_PATHS_H

#include "base/run.h"
#include "engine/concolic/counts.h"
#include "engine/concolic/quotient.h"

/* The end of a path, from `shared` to a goal. Between it and its parent, in
 * forward order: `edge`, then `steps` edges of the parent's loop, then, if
 * `loop`, kappa rounds of it, kappa being variable number `loop`. */
typedef struct {
  hd_shared_id shared;
  uint32_t parent; /* HD_NO_ID: it is goal number `goal` itself */
  uint32_t goal;
  uint32_t edge, steps, loop;
  uint32_t length;        /* real edges, loops counted once */
  hd_component_kind kind; /* the hardest component so far */
  hd_summary summary;
} hd_path_end;

/* A complete path: it begins `steps` loop edges and perhaps some rounds before
 * end number `end`. `k` are the variables that make it work. */
typedef struct {
  uint32_t end, steps, loop;
  int64_t k[HD_MAX_LOOPS];
} hd_path;

typedef enum {
  HD_PATHS_NONE,     /* no path works, and none is left */
  HD_PATHS_FOUND,    /* `found` does */
  HD_PATHS_PARKED,   /* none works; ends in `parked` are left */
  HD_PATHS_TOO_MANY, /* gave up: too many paths, loops, or a hard system */
  HD_PATHS_STOPPED,  /* by the run's limits */
} hd_paths_status;

typedef struct {
  uint64_t ends;    /* partial paths followed */
  uint64_t paths;   /* complete ones tested */
  uint64_t loops;   /* times a loop was summarised */
  uint64_t covered; /* ends given up for another end */
  uint64_t outside; /* by T */
  uint64_t settled; /* by the final condition */
  hd_counts_stats counts;
} hd_paths_stats;

typedef struct hd_paths {
  const hd_quotient *quotient;
  const hd_cert *tset; /* may be NULL */
  bool exhaustive;     /* give up no end early: for explanations */
  size_t limit;        /* of ends */
  /* Called with each complete path tested, and with each end given up for the
   * final condition (`path.end` only); may be NULL. */
  void (*tested)(void *context, const struct hd_paths *paths,
                 const hd_path *path, const hd_summary *summary,
                 hd_counts_status status);
  void *context;
  hd_vec(hd_path_end) ends;
  hd_u32s parked;
  hd_path found;
  hd_paths_stats stats;
} hd_paths;

/* All zero but `quotient`, `limit` and what else is wanted is a fresh search. */
hd_paths_status hd_paths_run(hd_paths *paths, hd_run *run);
void hd_paths_free(hd_paths *paths);

/* Appends the edges of a complete path, forward. False when there would be more
 * than `limit` of them. */
HD_MUST_USE bool hd_paths_unroll(const hd_paths *paths, const hd_path *path,
                                 size_t limit, hd_u32s *edges);
/* The same for the part from end number path->end to the goal. */
HD_MUST_USE bool hd_paths_unroll_end(const hd_paths *paths, const hd_path *path,
                                     size_t limit, hd_u32s *edges);

#endif
