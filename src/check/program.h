/* SPDX-License-Identifier: MIT */
/* The interpreter of program graphs: replays a schedule, one real value a
 * variable, with nothing in common with the code that found it. */
#ifndef HD_CHECK_PROGRAM_H
#define HD_CHECK_PROGRAM_H

#include "model/schedule.h"

/* True when `schedule` is a run of `program` that starts with between
 * threads.min and threads.max threads and ends with a violated assertion;
 * otherwise `why` says which step is wrong. The schedule may be malformed in
 * any way. */
HD_MUST_USE bool hd_check_schedule(const hd_program *program, hd_init threads,
                                   const hd_schedule *schedule, hd_str *why);

#endif
