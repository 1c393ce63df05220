/* SPDX-License-Identifier: MIT */
/* Bounds that follow from facts, found in no time; the solver knows more. */
#ifndef HD_ENGINE_TEAMS_BOUNDS_H
#define HD_ENGINE_TEAMS_BOUNDS_H

#include "engine/teams/term.h"

/* Is the value between them (both included), whenever the facts hold? */
bool hd_team_bounds_between(hd_team_terms *terms, const hd_team_list *facts,
                            hd_team_term term, int64_t low, int64_t high);
/* 1: the condition holds whenever the facts do; 0: never; -1: not known. */
int hd_team_bounds_decide(hd_team_terms *terms, const hd_team_list *facts,
                          hd_team_term condition);

#endif
