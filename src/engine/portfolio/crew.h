/* SPDX-License-Identifier: MIT */
/* A crew: several ways to answer one question, a process each, of which at most
 * so many work at once as there are cores; the others rest.
 *
 * A member is forked when its first turn comes, so it has everything its parent
 * knew then. It works through turns: hd_run_check () hands back control when a
 * turn is over, and waits for the next one. Whose turn it is depends on what the
 * members have had, divided by their weights: no work is done twice, and a
 * member that suits gets there having waited for a bounded share of the others'
 * time.
 *
 * What comes back is one text, whole or not at all. A member that crashes, or
 * takes more memory than there is, costs itself only, and its end says so. When
 * the parent ends, however it does, the members end. */
#ifndef HD_ENGINE_PORTFOLIO_CREW_H
#define HD_ENGINE_PORTFOLIO_CREW_H

#include "base/run.h"
#include "base/str.h"

typedef struct {
  const char *name;
  double weight; /* of its time, against the others' */
  double head;   /* seconds of the others' time, each, before its first turn */
  /* How many looks at the clock count for a second where turns are counted and
   * not timed: see `counted`. */
  double rate;
} hd_crew_member;

/* How a member ended. */
typedef struct {
  const char *answer; /* NULL: it has none … */
  size_t size;
  const char *why; /* … because of this: "crashed (signal 11, …)" */
  bool memory;     /* … that is, for lack of memory */
  bool more;       /* it goes on: this is what it has up to now */
} hd_crew_end;

/* A member's place in its own process. */
typedef struct hd_crew_seat hd_crew_seat;
/* Says something before the end. */
void hd_crew_post(hd_crew_seat *seat, const hd_str *answer);

typedef struct {
  const hd_crew_member *members;
  size_t size;
  unsigned jobs; /* at most so many at once; at least 1 */
  /* Turns are counted in the members' own steps instead of seconds, so that the
   * same question is answered in the same way again. For jobs = 1. */
  bool counted;
  void *context;
  /* In the member's process: fills in `answer`. `run` has the limits. */
  void (*work)(void *context, size_t member, hd_crew_seat *seat, hd_run *run,
               hd_str *answer);
  /* In the parent, for each member that has ended or says something. False: that
   * is enough, all others are stopped. May change the deadline of `run`. */
  bool (*take)(void *context, size_t member, const hd_crew_end *end);
} hd_crew_plan;

/* Runs until `take` says that it is enough, all members have ended, or `run`
 * is over. No process is left. */
void hd_crew_run(const hd_crew_plan *plan, hd_run *run);

#endif
