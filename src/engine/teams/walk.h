/* SPDX-License-Identifier: MIT */
/* What the program does, whatever its inputs, and one thread of a team in a parallel
 * region, whichever thread it is.
 *
 * Functions are executed with symbols for what is not known: inputs; in a region
 * what depends on the thread, its number, the iterations it gets, what it reads
 * that others may write. Memory is that of the machine until it is written. Loops are summarised: what goes up by a
 * constant is a multiple of a counter, all else that changes is anything. Paths
 * end at barriers; from each barrier on it goes on with what is common to all
 * ways there. The result is a list of accesses to memory that others can see, a
 * list for each stretch between barriers.
 *
 * Sound when no two threads of the team race: then what a thread reads is what was
 * there before, its own, or was written by others before a barrier or under a lock
 * and so is anything. */
#ifndef HD_ENGINE_TEAMS_WALK_H
#define HD_ENGINE_TEAMS_WALK_H

#include "base/run.h"
#include "check/interp/interp.h"
#include "engine/teams/term.h"

typedef hd_vec(uint64_t) hd_team_objects; /* by their numbers */

/* A construct that the threads of a team share out: no two of them get the same
 * part of it in one and the same encounter. Which one it is, is told by the place
 * (through which calls, too), by how often the thread has come to it since the
 * last barrier, and by the loops around it: their counters, and how often they
 * were come to. */
typedef struct {
  hd_edge_id edge;
  uint32_t site;
  hd_team_term part; /* the iteration; 0: all of it (single) */
  unsigned level;    /* of the region whose threads share it; HD_TEAM_OF_TASK */
  size_t counters, n_counters; /* into hd_accesses.terms */
} hd_part;
#define HD_TEAM_OF_TASK (~0u) /* tasks of one thread share it */

/* A place that creates tasks: the call, in which task (a site, 0: none) and
 * through which calls. */
typedef struct {
  hd_edge_id edge;
  uint32_t parent;
  hd_vec(hd_edge_id) stack;
  bool leaves; /* tasks of its own that go on when it is over */
} hd_team_walk_site;
typedef hd_vec(hd_team_walk_site) hd_team_walk_sites;

typedef struct {
  hd_team_term address;
  uint8_t flags;
} hd_team_depend;

/* A task as it was created, on one path. */
typedef struct {
  uint32_t site;
  uint32_t parent;             /* into tasks, from 1 on */
  size_t counters, n_counters; /* of the loops around, into facts */
  size_t depends, n_depends;   /* into depends */
} hd_team_task;

/* Tasks of a site that nobody has waited for: those that were created in the same
 * time round of the first `level` loops, where symbols below `mark` had the
 * values that they have now; `earlier`: in an earlier round of the next loop. */
typedef struct {
  uint32_t site;
  size_t level;
  int64_t mark;
  size_t group; /* depth of groups of tasks around it */
  bool earlier;
  bool rest;             /* only what the tasks have left when they ended */
  bool sibling;          /* other parts of the same loop */
  size_t waits, n_waits; /* into depends: tasks with these are waited for */
} hd_team_pending;

typedef struct {
  hd_edge_id edge;
  hd_team_term address;
  hd_team_term size;
  uint64_t object; /* 0: not known */
  bool write, atomic;
  bool commutes; /* whatever the order of such writes, the result is the same */
  size_t facts, n_facts;     /* into terms */
  size_t locks, n_locks;     /* into locks */
  size_t parts, n_parts;     /* into parts */
  bool mine;                 /* no other thread but tasks of this one see it */
  uint32_t task;             /* into tasks, from 1 on; 0: none */
  size_t pending, n_pending; /* into pending */
  size_t counters, n_counters; /* of the loops around, into facts */
} hd_team_access;

/* What every activation of a function that calls itself may touch: a variable of
 * the program, or what an argument points to. */
typedef struct {
  hd_edge_id edge;
  uint64_t object; /* where `param` is negative */
  int param;
  hd_team_term address, size; /* 0: anywhere in the object */
  bool write, atomic;
  hd_team_list locks;
} hd_team_touch;

typedef struct {
  hd_func_id func;
  bool leaves; /* tasks that nobody has waited for */
  hd_vec(hd_team_touch) touches;
} hd_team_walk_habit;

/* From one barrier, or the beginning, to the next. */
typedef struct {
  size_t first, n; /* into hd_team_walk.accesses */
  size_t entry;    /* which barrier, on which way; SIZE_MAX: none */
  size_t place; /* … whatever its locks are: threads are at one at a time */
} hd_interval;

/* What a variable has after iterations of a loop that is shared out, each of which
 * sets it anew: for who has the last one, it does not depend on the others. */
typedef struct {
  hd_team_term value;
  hd_edge_id edge; /* of the part */
  size_t loops;    /* in the loop there are so many, or more */
} hd_team_walk_renewed;

/* A static schedule: whoever of the team has an iteration in one loop has it in all
 * others of the same schedule and bounds. The first one stands for all. */
typedef struct {
  int64_t kind;
  hd_team_term lower, upper, chunk;
  hd_edge_id edge;
  uint32_t site;
} hd_team_walk_static;

typedef struct hd_team_walk {
  struct hd_team_walk *outer; /* the region around it, or NULL */
  const hd_machine *machine;
  const hd_code *code;
  hd_run *run;
  hd_logic *logic;
  hd_team_terms *terms;
  bool nested;     /* regions inside regions have several threads */
  bool league;     /* its threads are teams of one, each */
  bool alone;      /* it has one thread */
  int64_t most;    /* threads, as a clause says; 0: any number */
  bool exact;      /* memory is as it was when the program came here */
  bool lanes;      /* its threads are lanes of one (simd) */
  int64_t safelen; /* of which iterations are less apart; 0: any */
  unsigned level;  /* regions around it */
  /* results */
  hd_vec(hd_team_access) accesses;
  hd_vec(hd_interval) intervals;
  hd_team_list facts;
  hd_team_list locks;
  hd_vec(hd_part) parts;
  hd_team_walk_sites sites;
  hd_vec(hd_team_task) tasks;
  hd_vec(hd_team_depend) depends_on;
  hd_vec(hd_team_pending) pending;
  hd_vec(hd_team_walk_habit) habits;
  size_t grown; /* how often something was learnt about sites */
  hd_team_objects written;
  hd_team_objects exclusive; /* … and of which one thread at most touches what
                              * any writes between two barriers, and no task */
  hd_team_list carried; /* what iterations leave to the next one of a thread */
  hd_vec(hd_team_walk_renewed) renewed; /* … of these */
  hd_vec(hd_team_walk_static) statics;
  hd_team_objects captured;  /* of the thread's own; tasks may see them */
  hd_team_term number, size; /* of the thread, of the team */
  int64_t common; /* symbols before this one are the same for all threads */
  size_t regions; /* that were looked at */
  int64_t hint;   /* of two accesses that may meet: the later iteration */
  bool depends;   /* on the number of the thread or the size of the team */
  bool ordered_by_chance; /* values depend on who came first */
  bool prints;            /* in a region, in any order */
  bool waits;    /* a lock inside a lock, or while others are waited for */
  bool mixed;    /* threads come to one barrier with different locks */
  bool may_fail; /* an assertion */
  hd_edge_id failing;
  hd_str why; /* not empty: refused, and this is why */
} hd_team_walk;

/* One region: the function at address `body`, with memory as the machine has it.
 * Fills in the results; false: refused. */
HD_MUST_USE bool hd_team_walk_region(hd_team_walk *walk, uint64_t body,
                                     uint64_t argument);
/* The whole program from main on, whatever its arguments and inputs are; the
 * machine stands at the beginning. Regions are held against hd_teams_conflict;
 * false: refused, or two accesses may meet. */
HD_MUST_USE bool hd_team_walk_program(hd_team_walk *walk);
void hd_team_walk_free(hd_team_walk *walk);

/* Two accesses that two threads may make at once; false: there are none. */
bool hd_teams_conflict(hd_team_walk *walk, hd_edge_id *one, hd_edge_id *other);
/* Adds to `exclusive` what is so; false: nothing new. */
bool hd_teams_find_exclusive(hd_team_walk *walk);
/* Says so as the reason for which the walk is refused. */
void hd_teams_tell_conflict(hd_team_walk *walk, hd_edge_id one,
                            hd_edge_id other);

/* The number of the object that a term points into; 0: not known. */
uint64_t hd_team_walk_object(hd_team_terms *terms, hd_team_term address);
/* A variable of which each thread has one? */
bool hd_team_walk_is_thread_local(uint64_t object);
/* Objects from here on are none of the machine. */
#define HD_TEAM_WALK_PRIVATE ((uint64_t)1 << 29)

#endif
