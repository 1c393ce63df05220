/* SPDX-License-Identifier: MIT */
/* OpenMP: teams of any size, loops of any number of iterations.
 *
 * The program is followed from main on, for all arguments and inputs (walk.h).
 * Of a region one thread of its team is followed, and any two threads are held
 * against each other (conflicts.c): when no two of them can touch the same byte
 * between two barriers, then whatever the number of threads, the order and who
 * gets which iteration, every thread reads what it would read alone.
 *
 * What is not shown in that way is tried with the values that the program has
 * without inputs: the machine executes what stands between the regions and, as a
 * region has one result, the regions, too. What depends on who came first, on a
 * thread's number or on the size of the team is marked as not set: when something
 * is decided by it later, nobody has looked at the other possibility, and the
 * answer is UNKNOWN.
 *
 * SAFE holds for every number of threads and every schedule. Never UNSAFE: what may
 * be wrong is UNKNOWN, with its places; runs that show it are found by fuzz. */
#ifndef HD_ENGINE_TEAMS_TEAMS_H
#define HD_ENGINE_TEAMS_TEAMS_H

#include "base/run.h"
#include "check/interp/interp.h"
#include "model/result.h"

/* Does the program call OpenMP? */
bool hd_teams_used(const hd_code *code);
/* Does main look at what it is given? */
bool hd_teams_use_arguments(const hd_code *code);
/* Does it ask how many threads there could be? */
bool hd_teams_ask_size(const hd_code *code);
/* Does it say how many threads each of its teams has, and are these few? */
bool hd_teams_fixed(const hd_code *code);

typedef struct {
  bool
      asks_one; /* given: is there one result, whatever the team and schedule? */
  bool one;
  hd_properties safe; /* of race, assert, deadlock */
  size_t regions;     /* that were looked at */
  int64_t
      hint; /* two iterations may meet: the later one; 0: nothing is known */
  char *reason; /* why not all; or NULL; the caller frees it */
} hd_teams_result;

/* `options` as for any run; `result` is all zero. */
void hd_teams_prove(const hd_code *code, const hd_machine_options *options,
                    hd_run *run, hd_teams_result *result);

#endif
