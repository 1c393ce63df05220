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
 * One member may have its first turn before there are other processes: see
 * hd_crew_open ().
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

/* From the end of the turn on in which *`doubt` is true, the member's weight is
 * `factor` times what it was. */
void hd_crew_doubt(hd_crew_seat *seat, const bool *doubt, double factor);

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

/* `plan` and `run` are used until the crew is deleted. */
typedef struct hd_crew hd_crew;
HD_MUST_USE hd_crew *hd_crew_new(const hd_crew_plan *plan, hd_run *run);
void hd_crew_delete(hd_crew *crew);

/* The first turn of a member, in this process: what takes no longer needs no
 * other. The caller works with the limits that are returned. When the looks that
 * count for `seconds` (or four times `seconds`, without `counted`) are over and
 * the work is not, this process splits: a new one goes on exactly there, as the member,
 * whose turn is over; in this one the work is stopped, with HD_STOP_TURN. Then
 * ask hd_crew_opened () which of these one is in. Before hd_crew_run (). */
HD_MUST_USE hd_run hd_crew_open(hd_crew *crew, size_t member, double seconds);
/* The place of that member. */
hd_crew_seat *hd_crew_opening(hd_crew *crew);
typedef enum {
  HD_OPENED_WHOLE,  /* the work is done, or stopped by a limit: this member will
                       not have another turn */
  HD_OPENED_SPLIT,  /* somebody else goes on: forget what there is */
  HD_OPENED_MEMBER, /* in the member, with its work done: hd_crew_leave () */
} hd_opened;
HD_MUST_USE hd_opened hd_crew_opened(hd_crew *crew, const hd_run *used);
HD_NORETURN void hd_crew_leave(hd_crew *crew, const hd_str *answer);

/* Runs until `take` says that it is enough, all members have ended, or `run`
 * is over. No process is left. */
void hd_crew_run(hd_crew *crew);
/* CPU seconds of a member, up to the end of its last turn. */
double hd_crew_had(const hd_crew *crew, size_t member);

#endif
