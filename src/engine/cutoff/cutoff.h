/* SPDX-License-Identifier: MIT */
/* Cutoffs (paper 001, chapter 4): how many threads does it take to reach every
 * thread state that can be reached at all?
 *
 * R_n is the set of thread states (s, l) — some thread is in l while the shared
 * state is s — reachable with at most n threads, R the set for any number, from
 * the Karp–Miller search. Local states in which unboundedly many threads start
 * are left out: they are occupied whenever their shared state is reached, if
 * only there is one thread more. The reachability cutoff is the least n with R_n = R.
 * The uniform cutoff is the least n for which, besides, every thread state is
 * reached in as few steps as with any number of threads (the paper's remark).
 *
 * R_n is found by breadth-first search on counter configurations with at most n
 * tokens; the number of steps with any number of threads by the same search
 * with the unbounded places left uncounted, until all of R has been seen. */
#ifndef HD_ENGINE_CUTOFF_CUTOFF_H
#define HD_ENGINE_CUTOFF_CUTOFF_H

#include "base/run.h"
#include "model/result.h"

typedef struct {
  uint32_t threads;
  uint64_t states;  /* of R_n */
  uint64_t configs; /* configurations searched */
  double seconds;
} hd_cutoff_row;

/* A thread state of R and what it takes to reach it. */
typedef struct {
  hd_shared_id shared;
  hd_place_id place;
  uint32_t threads; /* least number of threads; 0 = not found within limits */
  uint32_t steps;   /* least number of steps with any number of threads;
                       UINT32_MAX = not found within limits */
} hd_cutoff_state;

typedef struct {
  hd_vec(hd_cutoff_row) rows;     /* n = 1, 2, … */
  hd_vec(hd_cutoff_state) states; /* R, by shared state, then place */
  uint32_t reachability; /* the cutoff; 0 = not reached within limits */
  uint32_t uniform;      /* 0 = not known */
  double km_seconds;     /* time of the search for R */
  char *reason;          /* why something is not known, or NULL */
} hd_cutoff;

/* `cover` holds the maximal coverable configurations of `net`, which has no
 * moves and no caps. Stops at `max_threads` (0 = no bound) or the limits of
 * `run`; what is known by then is in the result, which the caller frees. */
hd_cutoff *hd_cutoff_find(const hd_net *net, const hd_cert *cover,
                          uint32_t max_threads, hd_run *run);
void hd_cutoff_delete(hd_cutoff *cutoff);

#endif
