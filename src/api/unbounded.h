/* SPDX-License-Identifier: MIT */
/* C programs with any number of threads: finite-data execution (model/small.h),
 * a counter system of what occurs, the counter engines on that; and for a
 * violation the run of the program itself, made by the interpreter.
 *
 * The system is built by thread-modular exploration; where that drowns in
 * combinations that never occur, by Karp–Miller on the fly. Where neither ends
 * the reason names the variable that takes the most values. Only assertions are
 * decided. */
#ifndef HD_API_UNBOUNDED_H
#define HD_API_UNBOUNDED_H

#include "api/verify.h"
#include "engine/explore/explore.h"
#include "model/small_net.h"

typedef struct {
  hd_machine_options machine; /* of the replay; `spurious` counts for all */
  uint32_t max_threads;       /* main included; 0 = any number */
  size_t max_pairs; /* thread states that are looked at; 0 = 1,000,000 */
  hd_verify_options verify;
} hd_unbounded_options;

/* What was made of the program; kept for reports. */
typedef struct {
  hd_small_options small_options;
  hd_small *small;
  hd_small_graph *graph;
  hd_small_net *net; /* what the evidence in the result is about; may be NULL */
  /* HD_UNSAFE: the run of the program, replayed; the message is owned. */
  hd_turns turns;
  hd_violation violation;
} hd_unbounded_run;

/* SAFE: no assertion can fail, with however many threads the program creates
 * (up to max_threads). `result` and `*made` must be all zero; the caller frees
 * both. */
HD_MUST_USE hd_verify_status
hd_verify_unbounded(const hd_code *code, const hd_unbounded_options *options,
                    hd_run *run, hd_unbounded_run *made, hd_result *result);
void hd_unbounded_run_free(hd_unbounded_run *made);

/* Does the program create threads in a loop? */
bool hd_unbounded_applies(const hd_code *code);

/* Builds made->net and nothing else, for converting; false, with a sentence in
 * `why`, when it does not end. */
HD_MUST_USE bool hd_unbounded_open(const hd_code *code,
                                   const hd_unbounded_options *options,
                                   hd_run *run, hd_unbounded_run *made,
                                   hd_result *result, hd_str *why);

#endif
