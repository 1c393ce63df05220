/* SPDX-License-Identifier: MIT */
/* One member of a crew: its process, the pipes to it, and what it has said.
 * Private to the crew.
 *
 * From the member come frames: a letter, the length of what follows (4 bytes),
 * and that. 'y': its turn is over; 'p': progress; 'i': what it has up to now;
 * 'a': its answer, after which it ends. To the member go the lengths of its turns. What it
 * writes to standard error is kept for the case that it fails. */
#ifndef HD_ENGINE_PORTFOLIO_MEMBER_H
#define HD_ENGINE_PORTFOLIO_MEMBER_H

#include "engine/portfolio/crew.h"

#include <sys/types.h>

typedef enum { HD_WAITING, HD_WORKING, HD_RESTING, HD_ENDED } hd_member_state;

/* A turn ends after this many looks at the clock, or so many seconds of CPU
 * time; 0 = no such limit. */
typedef struct {
  uint64_t looks;
  double seconds;
} hd_turn_length;

/* What a member says when its turn is over. */
typedef struct {
  double cpu;     /* seconds, of all its turns */
  uint64_t looks; /* in all its turns */
  size_t memory;  /* bytes now, beyond those of its parent */
  double share;   /* of its weight; 0 = all of it */
} hd_turn_used;

typedef struct {
  hd_member_state state;
  pid_t pid;
  int from, to, errors; /* pipes; -1 = closed */
  hd_str in, said;      /* bytes of frames; standard error */
  hd_turn_used used;
  double before; /* CPU seconds in the parent's process */
  /* It has asked for its end when its parent ends: from now on it can be stopped
   * without being left behind. */
  bool settled;
  bool silent;           /* its pipe is closed: it has ended, or is about to */
  bool answered, posted; /* the answer, or what comes before it */
  hd_str answer;
  /* The last progress. */
  char names[5][32]; /* engine, then up to four numbers' */
  uint64_t values[4];
  bool news; /* since it was looked at */
} hd_member;

/* Forks; `all` are the members, of which this is number `me`. False, with
 * errno, when there can be no process. */
HD_MUST_USE bool hd_member_start(hd_member *all, size_t me,
                                 const hd_crew_plan *plan, const hd_run *run,
                                 hd_turn_length turn);
/* The place of a member that begins in the parent's process, with a turn; and
 * whether it has left it: then the member is there, resting. */
hd_crew_seat *hd_seat_new(hd_member *all, size_t me, const hd_crew_plan *plan,
                          const hd_run *run, hd_turn_length turn);
void hd_seat_delete(hd_crew_seat *seat);
bool hd_seat_split(const hd_crew_seat *seat);
/* Is this the member's process? */
bool hd_seat_taken(const hd_crew_seat *seat);
/* The limits for who works there. */
hd_run hd_seat_run(hd_crew_seat *seat);
/* In the member's process: its last words. */
HD_NORETURN void hd_seat_leave(hd_crew_seat *seat, const hd_str *answer);

/* Lets a resting member go on. */
void hd_member_resume(hd_member *member, hd_turn_length turn);
/* Takes what has come; changes the state to HD_RESTING when the turn is over.
 * False when there will be nothing more. */
HD_MUST_USE bool hd_member_listen(hd_member *member);
/* Ends the process, if it has not ended, and waits for it. The wait status. */
int hd_member_end(hd_member *member);
void hd_member_free(hd_member *member);

#endif
