/* SPDX-License-Identifier: MIT */
/* A run of a program graph, step by step: which thread takes which edge, and
 * what the variables it assigns become. It leads to a violated assertion.
 * check/program.h replays it with semantics of its own. */
#ifndef HD_MODEL_SCHEDULE_H
#define HD_MODEL_SCHEDULE_H

#include "model/evidence.h"
#include "model/extract.h"

typedef struct {
  uint32_t thread; /* 0, 1, …: first those there at the start, then spawned
                      ones in the order of their creation */
  hd_edge_id edge;
  hd_range values; /* into schedule->values: one a variable assigned, in the
                      order of the edge's assignments */
  uint32_t woken;  /* SIGNAL: the thread that goes on; HD_NO_ID = none waits */
} hd_sched_step;

typedef struct {
  uint32_t n_threads; /* there at the start, all at the entry */
  uint32_t n_active;  /* the first so many of them are all that ever move */
  hd_vec(uint8_t) initial; /* n_vars values for the shared variables, then
                              n_vars for each active thread (entries of the
                              wrong kind are 0) */
  hd_vec(hd_sched_step) steps;
  hd_vec(uint8_t) values;
  uint32_t thread;     /* who violates … */
  hd_edge_id violated; /* … this assertion, after the last step */
} hd_schedule;

/* Where values of `thread` are kept: among the active ones, then the spawned
 * ones; HD_NO_ID for one that never moves. */
static inline uint32_t hd_schedule_index(const hd_schedule *schedule,
                                         uint32_t thread) {
  if (thread < schedule->n_active)
    return thread;
  return thread < schedule->n_threads
             ? HD_NO_ID
             : thread - schedule->n_threads + schedule->n_active;
}

/* The run that a witness about the extracted net stands for: values that were
 * sliced away or dead are filled in, skips that were jumped over are put back.
 * `witness` must have been checked. */
hd_schedule *hd_schedule_new(const hd_extract *extract,
                             const hd_witness *witness);
void hd_schedule_delete(hd_schedule *schedule);

#endif
