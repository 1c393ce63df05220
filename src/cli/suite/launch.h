/* SPDX-License-Identifier: MIT */
/* One task in a process of its own: `heddle verify`, this same program, with
 * limits, in a process group that ends with it. */
#ifndef HD_CLI_SUITE_LAUNCH_H
#define HD_CLI_SUITE_LAUNCH_H

#include "cli/suite/record.h"

#include <sys/types.h>

/* The same for all tasks. */
typedef struct {
  double timeout;            /* seconds for a task */
  unsigned long long memory; /* MB; 0 = what verify takes by default */
  const char *cache;         /* may be NULL */
  hd_vec(const char *) options;
} hd_launch_options;

typedef struct {
  pid_t pid;
  int out, err;      /* files in memory */
  int ends;          /* becomes readable when the process has ended; or -1 */
  double start, end; /* when it is killed */
  bool killed;
} hd_launch;

/* False, with errno, when there can be no process. */
HD_MUST_USE bool hd_launch_start(hd_launch *launch, const hd_task *task,
                                 const hd_launch_options *options);
/* True when it has ended; kills it when its time is over. Then `record` is
 * filled in, and the launch is free for another. */
HD_MUST_USE bool hd_launch_poll(hd_launch *launch, const hd_task *task,
                                hd_record *record);
/* Ends it, and all it has started. */
void hd_launch_kill(hd_launch *launch);

#endif
