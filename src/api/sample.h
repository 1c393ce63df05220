/* SPDX-License-Identifier: MIT */
/* What variables hold whenever a process comes to a loop, over concrete runs
 * with inputs by chance. */
#ifndef HD_API_SAMPLE_H
#define HD_API_SAMPLE_H

#include "base/run.h"
#include "model/formula.h"

/* A process at the head of a loop, for the `round`-th time in the run. */
typedef struct {
  uint32_t loop, run, proc, round;
  uint32_t values; /* into samples->values: one for each variable of the loop */
} hd_sample;

/* The scalar variables that are known at a loop. */
typedef struct {
  hd_vec(hd_cvar) vars;
} hd_sampled_loop;

typedef struct {
  hd_vec(hd_sampled_loop) loops; /* of the code */
  hd_vec(hd_sample) samples;     /* run by run */
  hd_vec(double) values;         /* NaN = never set */
  hd_bytes ended;                /* of each run: did it come to an end? */
  uint32_t runs;                 /* that did */
} hd_samples;

/* Executes the program `runs` times with `procs` processes. */
void hd_samples_take(hd_samples *samples, const hd_notes *notes, uint32_t procs,
                     uint32_t runs, uint64_t seed, hd_run *run);
void hd_samples_free(hd_samples *samples);

#endif
