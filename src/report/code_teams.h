/* SPDX-License-Identifier: MIT */
/* OpenMP in reports: which thread of its team somebody was, and in which
 * iteration of a loop that the team shares. */
#ifndef HD_REPORT_CODE_TEAMS_H
#define HD_REPORT_CODE_TEAMS_H

#include "report/code.h"

/* Is it a program with OpenMP? */
bool hd_code_has_teams(const hd_code *code);
/* Is the function one of those that stand for OpenMP's library? */
bool hd_code_is_runtime(const hd_code *code, hd_func_id func);

typedef struct {
  hd_str thread;    /* "thread 1 of the team"; empty: not known */
  hd_str iteration; /* "i = 4", "i = 2, j = 0"; empty: in none */
} hd_team_place;

/* Of the violation and of its other place, in the run that shows it. */
void hd_code_team_places(const hd_code_trace *trace,
                         const hd_violation *violation, hd_team_place *at,
                         hd_team_place *other);
void hd_team_place_free(hd_team_place *place);

#endif
