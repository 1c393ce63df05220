/* SPDX-License-Identifier: MIT */
/* The choice of engines where executions are more than interleavings. */
#include "api/code_job.h"

#include "api/memory.h"
#include "model/escape.h"

#include <string.h>

static const hd_code_answer *race_of(const hd_job *j) {
  return &j->result->answers[HD_PROPERTY_RACE];
}

bool hd_job_is_weak(const hd_job *j) {
  const hd_code_options *o = j->options;
  bool race = race_of(j)->asked;
  return hd_memmodel_differs(j->code, o->memory, race) ||
         (race ? hd_code_weak_order(j->code, o->explore.machine.sc) != HD_NO_ID
               : hd_memmodel_asks_races(j->code, o->memory));
}

/* Is something open that is worth the time? What weak orders let race has no other
 * verdict. */
static bool goes_on(const hd_job *j) {
  return hd_job_open(j->result) && hd_run_check(j->run) &&
         !(j->options->fail_fast && hd_job_violated(j)) &&
         !(race_of(j)->verdict == HD_UNSAFE &&
           hd_memmodel_differs(j->code, j->options->memory, true));
}

static void limit(hd_run *run, double share, double most) {
  double now = hd_now();
  double left = run->deadline > 0 ? share * (run->deadline - now) : most;
  run->deadline = now + (left < most ? left : most);
}

/* The engine for a share of the time that is left. What it leaves open for a reason
 * is open for the first such reason. What does not prove finds violations only. */
static bool try_for(hd_job *j, bool (*engine)(hd_job *), double share,
                    double most, bool proves) {
  const hd_properties asked = hd_job_open(j->result);
  hd_job_reasons reasons;
  hd_job_take_reasons(j, &reasons);
  hd_run run = *j->run, *whole = j->run;
  limit(&run, share, most);
  j->run = &run;
  bool good = engine(j);
  j->run = whole;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (asked >> p & 1 && answer->verdict == HD_SAFE && !proves)
      answer->verdict = HD_UNKNOWN;
  }
  hd_job_give_reasons(j, &reasons);
  return good;
}

/* Only what a race or the end of time has left open has no reason. */
static void explain(hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (answer->asked && answer->verdict == HD_UNKNOWN && !answer->reason)
      answer->reason =
          hd_strdup(j->options->fail_fast && hd_job_violated(j)
                        ? "another property was violated first"
                    : race_of(j)->verdict == HD_UNSAFE
                        ? "there is a data race: all else has no meaning"
                        : "no interleaving does it, but executions are more");
  }
}

/* A few random runs, then executions for a moment, then states, then executions
 * again. What knows interleavings only looks for bugs for as long as that took. */
static bool choose(hd_job *j) {
  const double endless = 1e9, rest = 2, behind = 5;
  const bool differs =
      hd_memmodel_differs(j->code, j->options->memory, race_of(j)->asked);
  double start = hd_now();
  bool good = hd_job_first_runs(j);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_free(j->result->answers[p].reason);
    j->result->answers[p].reason = NULL;
  }
  if (hd_job_violated(j))
    limit(j->run, 1, behind);
  const bool patient = j->options->patient;
  double most = patient ? endless : hd_job_patience(j);
  if (good && goes_on(j))
    good = try_for(j, hd_job_graph, differs ? 0.25 : 0.2, most, true);
  if (good && goes_on(j))
    good = try_for(j, hd_job_views, 0.6, most, true);
  if (good && differs && !j->result->interleaves && goes_on(j))
    good = try_for(j, hd_job_graph, 0.8, most, true);
  if (!good || !goes_on(j))
    return good;
  const bool all = !differs || j->result->interleaves;
  double took = hd_now() - start;
  most = all ? endless : patient && took > rest ? took : rest;
  return try_for(j, hd_job_race, 1, most, all);
}

bool hd_job_weak(hd_job *j) {
  hd_run run = *j->run, *given = j->run;
  j->run = &run;
  bool good = choose(j);
  j->run = given;
  explain(j);
  return good;
}
