/* SPDX-License-Identifier: MIT */
/* A second opinion on C programs that an engine calls safe: every state of the
 * machine (check/interp), every move of every thread, with no reduction at all.
 * It shares the meaning of programs with engine/explore, and nothing of its
 * search: no partial orders, no futures, no states that are left out. */
#ifndef HD_CHECK_STATES_H
#define HD_CHECK_STATES_H

#include "base/run.h"
#include "check/interp/interp.h"

typedef struct {
  /* `checks` are the properties to be judged; `clocks`, `exact` and `observe`
   * are set here. */
  hd_machine_options machine;
  /* Violations that are known: runs end there, and they are no news. */
  hd_properties known;
  uint64_t max_states; /* 0 = 1,000,000 */
} hd_states_options;

typedef struct {
  /* All states were seen: what is not in `violated` holds in all runs. */
  bool complete;
  char *why; /* not complete: why not */
  hd_properties violated;
  hd_property property; /* the first that was; `turns` lead there */
  hd_turns turns;
  uint64_t states, moves;
} hd_states_result;

/* `result` must be all zero. Stops at the first violation. */
void hd_states_search(const hd_code *code, const hd_states_options *options,
                      hd_run *run, hd_states_result *result);
void hd_states_result_free(hd_states_result *result);

#endif
