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
} hd_sched_step;

typedef struct {
  uint32_t n_threads;      /* there at the start, all at the entry */
  hd_vec(uint8_t) initial; /* n_vars values for the shared variables, then
                              n_vars for each thread at the start (entries of
                              the wrong kind are 0) */
  hd_vec(hd_sched_step) steps;
  hd_vec(uint8_t) values;
  uint32_t thread;     /* who violates … */
  hd_edge_id violated; /* … this assertion, after the last step */
} hd_schedule;

/* The run that a witness about the extracted net stands for: values that were
 * sliced away or dead are filled in, skips that were jumped over are put back.
 * `witness` must have been checked. */
hd_schedule *hd_schedule_new(const hd_extract *extract,
                             const hd_witness *witness);
void hd_schedule_delete(hd_schedule *schedule);

#endif
