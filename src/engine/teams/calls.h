/* SPDX-License-Identifier: MIT */
/* Calls of functions that are not the user's, by name: OpenMP's (calls.c, shares.c)
 * and the C library's (library.c). */
#ifndef HD_ENGINE_TEAMS_CALLS_H
#define HD_ENGINE_TEAMS_CALLS_H

#include "engine/teams/state.h"
#include "model/library.h"

typedef struct {
  hd_team_walker *k;
  hd_team_walk_state *s;
  const char *name;
  hd_edge_id edge;
  const hd_cedge *e;
  hd_team_walk_way way;
  hd_team_walk_states *more;
  bool jumped; /* it goes on where it was told to */
} hd_team_call;

/* What is given; the result; another way for the call to go. */
hd_team_term hd_team_call_arg(hd_team_call *c, uint32_t i);
void hd_team_call_give(hd_team_call *c, hd_team_walk_state *s,
                       hd_team_term value);
hd_team_walk_state *hd_team_call_branch(hd_team_call *c);
/* A number, anything, and anything of the type that the call has. */
hd_team_term hd_team_call_number(hd_team_call *c, int64_t value);
hd_team_term hd_team_call_any(hd_team_call *c, uint8_t width);
hd_team_term hd_team_call_result(hd_team_call *c);
bool hd_team_call_is_null(hd_team_call *c, hd_team_term address);
/* Is the name in the list, which ends with NULL? What is behind the beginning? */
bool hd_team_call_is_any(const char *name, const char *const *list);
bool hd_team_call_starts(const char *text, const char *with, const char **rest);

/* --- constructs that a team shares out --- */
void hd_team_call_static_init(hd_team_call *c, uint64_t size);
void hd_team_call_dispatch_init(hd_team_call *c);
void hd_team_call_dispatch_next(hd_team_call *c, uint64_t size);
void hd_team_call_end_share(hd_team_call *c);
void hd_team_call_single(hd_team_call *c);
void hd_team_call_end_single(hd_team_call *c, hd_team_walk_state *s);
void hd_team_call_masked(hd_team_call *c, hd_team_term which);

/* --- the C library --- */
void hd_team_call_library(hd_team_call *c);
/* … and MPI. */
void hd_team_call_mpi(hd_team_call *c, hd_library_fn fn);
/* A call of printf that prints numbers only; false: it is none. */
bool hd_team_call_prints(hd_team_call *c);

#endif
