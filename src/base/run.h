/* SPDX-License-Identifier: MIT */
/* The limits of a run and its progress. An engine calls hd_run_tick () in its
 * outer loop and, when that says false, stops with HD_UNKNOWN and
 * hd_run_why () as the reason. */
#ifndef HD_BASE_RUN_H
#define HD_BASE_RUN_H

#include "base/common.h"

#include <signal.h>

typedef enum {
  HD_RUNNING,
  HD_STOP_TIME,
  HD_STOP_MEMORY,
  HD_STOP_STEPS,
  HD_STOP_CANCEL,
  HD_STOP_TURN, /* the work goes on in another process: see engine/portfolio */
} hd_stop;

/* What a progress line shows: an engine's name and up to four named numbers. */
typedef struct {
  const char *engine;
  const char *names[4];
  uint64_t values[4];
  size_t memory; /* bytes, if it is another process; else 0 */
} hd_progress;

typedef struct hd_run {
  double deadline;               /* hd_now () at which to stop; 0 = none */
  size_t memory;                 /* bytes of counted memory; 0 = no limit */
  uint64_t steps;                /* ticks allowed; 0 = no limit */
  volatile sig_atomic_t *cancel; /* may be NULL */
  void (*show)(void *context, const hd_progress *progress); /* may be NULL */
  void *show_context;
  /* Called by hd_run_check (), before it looks: may wait, where engines take
   * turns (engine/portfolio); `looks` is how many are due. False: stop, with
   * HD_STOP_TURN. May be NULL. */
  bool (*rest)(void *context, uint64_t looks);
  void *rest_context;
  /* private */
  uint64_t ticks;
  double next_show;
  hd_stop stop;
} hd_run;

/* Seconds on a clock that only goes forward. */
double hd_now(void);
/* CPU seconds of this process; with those of its children that have ended. */
double hd_cpu(void);
double hd_cpu_all(void);

/* Counts a step. False, and so on every later call, when a limit is reached.
 * Cheap: the clock and the memory are looked at every 64th call. */
HD_MUST_USE bool hd_run_tick(hd_run *run);
/* The same for a step that does the work of `n`: what is counted should take
 * about half a microsecond. */
HD_MUST_USE bool hd_run_spend(hd_run *run, uint64_t n);
/* The same, looking at everything at once; for steps that take long. */
HD_MUST_USE bool hd_run_check(hd_run *run);
/* True at most some ten times a second, when there is somebody to show it to:
 * then fill a hd_progress and call hd_run_show. */
bool hd_run_wants_progress(hd_run *run);
void hd_run_show(hd_run *run, const hd_progress *progress);
/* Why the run stopped, as a phrase: "time limit reached". */
const char *hd_run_why(const hd_run *run);

#endif
