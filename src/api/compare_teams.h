/* SPDX-License-Identifier: MIT */
/* A program with OpenMP, and the same without: do they print the same and end in the
 * same way, whatever the teams and schedules? */
#ifndef HD_API_COMPARE_TEAMS_H
#define HD_API_COMPARE_TEAMS_H

#include "base/run.h"
#include "check/interp/interp.h"
#include "model/result.h"

typedef struct {
  hd_verdict verdict;
  char *reason;      /* HD_UNKNOWN: why; else NULL */
  char *spec, *impl; /* HD_UNSAFE: what they print, and how they end */
  uint64_t runs;     /* of the program with OpenMP */
} hd_compare_teams_result;

/* `machine`: the surroundings of both. HD_UNSAFE is shown by a run that was made
 * twice. `result` is all zero. */
void hd_compare_teams(const hd_code *without, const hd_code *with,
                      const hd_machine_options *machine, uint64_t seed,
                      hd_run *run, hd_compare_teams_result *result);
void hd_compare_teams_result_free(hd_compare_teams_result *result);

#endif
