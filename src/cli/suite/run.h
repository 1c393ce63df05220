/* SPDX-License-Identifier: MIT */
/* Runs tasks until all have a result: in processes of this machine, or on the
 * other ranks of a job under mpirun (remote.h). A result is kept once; a task
 * whose worker is lost is given out again. */
#ifndef HD_CLI_SUITE_RUN_H
#define HD_CLI_SUITE_RUN_H

#include "base/run.h"
#include "cli/suite/launch.h"

typedef enum { HD_TASK_OPEN, HD_TASK_RUNNING, HD_TASK_DONE } hd_task_state;

typedef struct {
  const hd_tasks *tasks;
  const hd_launch_options *launch;
  unsigned jobs; /* tasks at once on this machine */
  hd_run *run;   /* its `cancel` ends the suite */
  /* Called for each new result, in the order in which they come. False: it
   * could not be kept, and the suite ends. */
  bool (*keep)(void *context, size_t task, const hd_record *record);
  /* Called now and then, with the numbers of the tasks that are running. */
  void (*show)(void *context, const size_t *running, size_t n);
  void *context;
  /* One a task; the caller sets those that are done already. */
  hd_task_state *states;
  unsigned *lost;    /* how often a task's worker was lost */
  int listener;      /* for workers on other ranks; -1 = none */
  const char *token; /* … what they have to know */
  size_t workers;    /* … how many there will be */
} hd_suite;

/* False when it was interrupted, or a result could not be kept. No process is
 * left. */
HD_MUST_USE bool hd_suite_run(hd_suite *suite);

#endif
