/* SPDX-License-Identifier: MIT */
/* A question to the solver about terms of one thread, or of two that are held
 * against each other. What is known of the symbols, of products and of tables
 * in memory is said along with them. */
#ifndef HD_ENGINE_TEAMS_QUERY_H
#define HD_ENGINE_TEAMS_QUERY_H

#include "base/run.h"
#include "check/interp/interp.h"
#include "engine/teams/term.h"

typedef struct {
  hd_team_terms *terms;
  hd_logic *logic;
  const hd_machine *machine; /* has the tables */
  hd_run *run;
  int64_t common; /* symbols below this one are the same in both threads */
  hd_vec(hd_logic_expr) facts;
  hd_vec(hd_team_term) seen[2];
  uint8_t *stamps; /* by term: bit t, seen of thread t */
  size_t n_stamps;
} hd_team_query;

void hd_team_query_free(hd_team_query *query);
void hd_team_query_claim(hd_team_query *query, hd_team_term condition,
                         int thread);
hd_logic_expr hd_team_query_number(hd_team_query *query, hd_team_term term,
                                   int thread);
void hd_team_query_say(hd_team_query *query, hd_logic_expr fact);
/* They are (not) the same number, each in its thread. */
hd_logic_expr hd_team_query_differ(hd_team_query *query, hd_team_term a,
                                   int thread, hd_team_term b, int other);
hd_smt_status hd_team_query_ask(hd_team_query *query, double seconds);

#endif
