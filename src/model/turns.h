/* SPDX-License-Identifier: MIT */
/* Runs of C programs as data: which thread moves, and what it chooses where
 * something is open; and what such a run can end in. check/interp/interp.h says
 * what a move is. */
#ifndef HD_MODEL_TURNS_H
#define HD_MODEL_TURNS_H

#include "base/vec.h"
#include "model/program.h" /* hd_edge_id, HD_NO_ID */
#include "model/property.h"

typedef uint32_t hd_tid; /* main is 0, others in the order of their creation */

typedef struct {
  hd_tid thread;
  uint64_t choice; /* 0 where nothing is open */
  /* Runs of weak memory: what an atomic read reads, and what a write comes next
   * after in the order of its place; the number of the turn that wrote it, from
   * 1, or HD_TURN_INITIAL. 0: the newest. */
  uint32_t from, after;
} hd_turn;

#define HD_TURN_INITIAL UINT32_MAX

typedef hd_vec(hd_turn) hd_turns;

/* What a run starts from. */
typedef struct {
  char *name, *value; /* "n" or "a[3]"; a decimal number */
} hd_setting;

typedef struct {
  uint32_t processes; /* that run as such (check/mpi); 0 = threads */
  /* Annotated inputs. If there is one, all that are not in it are 0. */
  hd_vec(hd_setting) inputs;
} hd_start;

/* Copies both. */
void hd_start_set(hd_start *start, const char *name, const char *value);
void hd_start_free(hd_start *start);

/* Something that a run shall come by: the thread executes this edge, in the order
 * of the list. */
typedef struct {
  hd_tid thread;
  hd_edge_id edge;
  bool again;      /* the second half of a wait that it is in already */
  uint64_t choice; /* of that action; 0 where nothing is open */
} hd_waypoint;

typedef hd_vec(hd_waypoint) hd_waypoints;

enum { HD_WAITS_MOST = 4 };

typedef struct {
  hd_property property;
  hd_tid thread, other;        /* other: of a race; else HD_NO_ID */
  hd_edge_id edge, other_edge; /* what they were doing */
  /* deadlock: the first edges at which threads wait, one of each line, sorted;
   * none = it does not matter which. */
  hd_edge_id waits[HD_WAITS_MOST];
  uint32_t n_waits;
  const char *message; /* "signed overflow: 2147483647 + 1", "counter" */
} hd_violation;

#endif
