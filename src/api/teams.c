/* SPDX-License-Identifier: MIT */
/* OpenMP programs: runs with small teams find bugs, engine/teams proves for teams
 * of any size. What others prove holds for the teams that they have seen only. */
#include "api/code_job.h"

#include "engine/teams/teams.h"

#include <string.h>

static void limit(hd_run *run, double seconds) {
  if (run->deadline <= 0 || hd_now() + seconds < run->deadline)
    run->deadline = hd_now() + seconds;
}

/* What else may be wrong with a program that has a violation is not looked for as
 * long. */
enum { AFTERWARDS = 1 };

static bool found_one(const hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->result->answers[p].verdict == HD_UNSAFE)
      return true;
  return false;
}

/* Returns what random runs may try: which schedule the library chooses
 * (models/openmp/runtime.c). */
static int64_t prove(hd_job *j) {
  hd_teams_result found = {0};
  hd_run run = *j->run;
  hd_machine_options machine = j->options->explore.machine;
  machine.checks = hd_job_open(j->result);
  hd_teams_prove(j->code, &machine, &run, &found);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (!answer->asked || answer->verdict != HD_UNKNOWN)
      continue;
    hd_free(answer->reason);
    answer->engine = "teams";
    answer->reason = NULL;
    if (found.safe >> p & 1)
      answer->verdict = HD_SAFE;
    else
      answer->reason = hd_strdup(
          found.reason ? found.reason
                       : "teams decides races, deadlocks and assertions only");
    answer->why = hd_why_stopped(run.stop);
  }
  hd_result_stat(&j->result->figures, "teams.regions", "",
                 (double)found.regions, "parallel regions, each time round");
  hd_free(found.reason);
  return found.hint ? found.hint - 1 : 0;
}

/* Longer runs than others: loops are large, and the first thread has no choice. */
static bool keep_looking(hd_job *j, int64_t hint) {
  enum { MOVES = 2000000 };
  hd_code_options options = *j->options;
  options.explore.hint = hint;
  options.explore.free_alone = true;
  options.explore.max_moves = MOVES;
  const hd_code_options *given = j->options;
  j->options = &options;
  bool good = hd_job_fuzz(j, given->explore.seed + 1, UINT64_MAX);
  j->options = given;
  return good;
}

/* All executions, of teams whose sizes are given. Why there was no proof for all of
 * them is the better reason. */
static bool search(hd_job *j) {
  hd_job_reasons reasons;
  hd_job_take_reasons(j, &reasons);
  hd_run run = *j->run, *whole = j->run;
  limit(&run, found_one(j) ? AFTERWARDS : 30);
  j->run = &run;
  bool good = hd_job_views(j);
  j->run = whole;
  hd_job_give_reasons(j, &reasons);
  return good;
}

bool hd_job_teams(hd_job *j) {
  int64_t hint = 0;
  if (j->options->engine) { /* alone: it proves, or says why not */
    (void)prove(j);
    return true;
  }
  if (!hd_job_first_runs(j))
    return false;
  if (hd_job_open(j->result) && hd_run_check(j->run))
    hint = prove(j);
  if (!hd_job_open(j->result) || !hd_run_check(j->run))
    return true;
  if (hd_teams_fixed(j->code) && !search(j))
    return false;
  if (!hd_job_open(j->result) || !hd_run_check(j->run))
    return true;
  hd_run run = *j->run, *whole = j->run;
  limit(&run, found_one(j) ? AFTERWARDS : 20);
  j->run = &run;
  bool good = keep_looking(j, hint);
  j->run = whole;
  return good;
}

/* What clang leaves nothing of but a name, and the line (cc/openmp.h). */
static void doubt_hidden(hd_job *j, const char *prefix, const char *why) {
  hd_code_answer *race = &j->result->answers[HD_PROPERTY_RACE];
  size_t n = strlen(prefix);
  for (hd_vec_each(const hd_func, f, &j->code->funcs)) {
    if (strncmp(f->name, prefix, n) != 0 || race->verdict != HD_SAFE)
      continue;
    hd_str text = {0};
    hd_str_printf(&text, "line %s: %s", f->name + n, why);
    race->verdict = HD_UNKNOWN;
    hd_free(race->reason);
    race->reason = hd_str_take(&text);
  }
}

void hd_job_doubt_teams(hd_job *j) {
  doubt_hidden(j, "openmp_simd_",
               "simd: whether iterations of one thread depend on each other is "
               "not looked at");
  doubt_hidden(j, "openmp_last_",
               "lastprivate with nowait: the compiler waits, others need not");
  if (!hd_teams_used(j->code))
    return;
  bool fixed = hd_teams_fixed(j->code);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (answer->verdict != HD_SAFE || !strcmp(answer->engine, "teams") ||
        (fixed && !strcmp(answer->engine, "views")))
      continue;
    answer->verdict = HD_UNKNOWN;
    hd_free(answer->reason);
    answer->reason =
        hd_strdup("nothing found with teams of up to 17 threads; the engine "
                  "teams looks at all sizes");
  }
}
