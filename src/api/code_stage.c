/* SPDX-License-Identifier: MIT */
/* Single engines: what one of them finds becomes part of the result. */
#include "api/code_job.h"

#include "api/unbounded.h"

#include "check/interp/player.h"
#include "engine/explore/single.h"
#include "engine/graph/graph.h"
#include "engine/pairs/pairs.h"
#include "engine/weave/weave.h"
#include "engine/teams/teams.h"

#include <math.h>
#include <string.h>

static bool decides(const char *engine, int property) {
  for (const hd_code_engine *e = hd_code_engines; e->name; e++)
    if (!strcmp(e->name, engine))
      return e->decides >> property & 1;
  return false;
}

/* Where these are checked a violation ends the run; where they are not it goes
 * on (a defined reach_error returns, overflow wraps …), and something else may happen
 * behind it. */
static const hd_properties hiding =
    1u << HD_PROPERTY_ASSERT | 1u << HD_PROPERTY_OVERFLOW |
    1u << HD_PROPERTY_UNINIT | 1u << HD_PROPERTY_SYNC |
    1u << HD_PROPERTY_UNREACHABLE;

hd_properties hd_job_open(const hd_code_result *result) {
  hd_properties set = 0;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked && HD_MACHINE_DECIDES >> p & 1 &&
        result->answers[p].verdict == HD_UNKNOWN)
      set |= (hd_properties)1 << p;
  return set;
}

bool hd_job_unasked(const hd_code_result *result, const hd_remark *note) {
  return note->why == HD_WHY_UNASKED && !result->answers[note->property].asked;
}

static void keep_turns(hd_code_answer *answer, const hd_turns *turns) {
  for (size_t i = 0; i < turns->size; i++)
    hd_vec_push(&answer->turns, turns->data[i]);
}

bool hd_job_confirm(hd_job *j, int property, const hd_turns *turns) {
  hd_machine_options machine = j->options->explore.machine;
  machine.checks = (hd_properties)1 << property;
  machine.clocks = property == HD_PROPERTY_RACE;
  hd_code_answer *answer = &j->result->answers[property];
  assert(answer->asked);
  if (j->claims) {
    keep_turns(answer, turns);
    return true;
  }
  hd_replayed replayed = hd_replay(j->code, &machine, turns, machine.checks);
  bool ok =
      replayed.violated && replayed.violation.property == (hd_property)property;
  if (ok) {
    answer->violation = replayed.violation;
    answer->violation.message =
        hd_strdup(replayed.violation.message ? replayed.violation.message : "");
    keep_turns(answer, turns);
    answer->trace = hd_code_record(j->code, &machine, turns);
    if (j->options->found)
      j->options->found(j->options->context, &answer->violation);
  } else {
    hd_str_printf(j->why,
                  "a violation of '%s' that was found does not replay%s%s",
                  hd_property_name((hd_property)property),
                  replayed.why ? ": " : "", replayed.why ? replayed.why : "");
  }
  hd_replayed_free(&replayed);
  return ok;
}

void hd_job_ask(hd_job *j, int property) {
  j->result->answers[property].asked = true;
  j->also &= ~((hd_properties)1 << property);
}

static bool take_finding(hd_job *j, int property, const hd_finding *finding,
                         const char *engine) {
  hd_code_answer *answer = &j->result->answers[property];
  if (!finding->asked || answer->verdict != HD_UNKNOWN ||
      (finding->also && finding->verdict != HD_UNSAFE))
    return true;
  hd_job_ask(j, property);
  assert(finding->verdict == HD_UNKNOWN || finding->verdict == HD_UNSAFE ||
         decides(engine, property));
  if (finding->verdict == HD_UNSAFE &&
      !hd_job_confirm(j, property, &finding->turns))
    return false;
  /* fuzz cannot say why there is no proof: what explore said stays. */
  bool tells = finding->verdict != HD_UNKNOWN || !answer->reason ||
               strcmp(engine, "fuzz") != 0;
  answer->verdict = finding->verdict;
  if (!tells)
    return true;
  answer->engine = engine;
  answer->why = finding->why;
  hd_free(answer->reason);
  answer->reason = finding->verdict == HD_UNKNOWN && finding->reason
                       ? hd_strdup(finding->reason)
                       : NULL;
  return true;
}

/* The verdicts of one property do not depend on which others are asked for: in
 * a search whose runs ended at a violation of `hiding`, the rest is not safe
 * yet, but has to be searched for without that check. */
static void hide(hd_job *j, hd_explore_result *found) {
  hd_properties violated = 0;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (found->findings[p].asked && found->findings[p].verdict == HD_UNSAFE)
      violated |= (hd_properties)1 << p;
  for (int p = 0; p < HD_PROPERTY_COUNT && violated & hiding; p++) {
    hd_finding *f = &found->findings[p];
    if (!f->asked || f->also || f->verdict != HD_SAFE)
      continue;
    f->verdict = HD_UNKNOWN;
    f->reason = hd_strdup("runs end at another violation before");
    j->again = true;
  }
}

typedef void engine_run(const hd_code *, const hd_explore_options *, hd_run *,
                        hd_explore_result *);

/* What the engine reports on the way. Runs go on behind wrong use of a lock, and
 * who has to see all of them does not look at it. */
static hd_properties also(const hd_job *j, engine_run *engine) {
  bool samples = engine == hd_fuzz;
  return samples  ? j->also
         : engine ? j->also & ~((hd_properties)1 << HD_PROPERTY_SYNC)
                  : 0;
}

/* One engine (NULL: one that proves). */
static bool stage(hd_job *j, engine_run *engine, const char *name,
                  const hd_explore_options *options) {
  hd_run run = *j->run;
  hd_explore_options mine = *options;
  mine.also = also(j, engine);
  mine.machine.checks = hd_job_open(j->result) | mine.also;
  mine.sampled = &j->sampled;
  hd_explore_result found = {0};
  const hd_code *unwound = j->options->unwound;
  if (!unwound)
    unwound = j->code;
  if (engine)
    engine(unwound, &mine, &run, &found);
  else
    hd_job_prove(unwound, j->options, name, mine.machine.checks, &run, &found);
  if (engine) /* proofs go on behind violations */
    hide(j, &found);
  bool ok = true;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (found.findings[p].why == HD_WHY_OTHER)
      found.findings[p].why = hd_why_stopped(run.stop);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    ok = ok && take_finding(j, p, &found.findings[p], name);
  hd_remarks_add_all(&j->result->notes, &found.notes);
  j->result->interleaves = j->result->interleaves || found.interleaves;
  j->result->ordered = j->result->ordered || found.ordered;
  j->meet = j->meet || found.meet;
  for (size_t i = 0; i < found.stats.size; i++) {
    const hd_stat *s = &found.stats.data[i];
    hd_result_stat(&j->result->figures, s->name, s->unit, s->value, s->help);
  }
  hd_explore_result_free(&found);
  return ok;
}

void hd_job_take_reasons(hd_job *j, hd_job_reasons *reasons) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    reasons->text[p] = answer->reason;
    reasons->why[p] = answer->why;
    answer->reason = NULL;
    answer->why = HD_WHY_OTHER;
  }
}

void hd_job_give_reasons(hd_job *j, hd_job_reasons *reasons) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (answer->verdict != HD_UNKNOWN || !reasons->text[p]) {
      hd_free(reasons->text[p]);
      continue;
    }
    hd_free(answer->reason);
    answer->reason = reasons->text[p];
    answer->why = reasons->why[p];
  }
}

/* --- any number of threads --- */

static void note_unbounded(hd_job *j, hd_result *found) {
  hd_str note = {0};
  hd_str_printf(&note, "with any number of threads: %s",
                found->reason ? found->reason : "no verdict");
  hd_remarks_say(&j->result->notes, hd_str_text(&note));
  hd_str_free(&note);
  hd_result_add_stats(&j->result->figures, found);
}

static bool take_unbounded(hd_job *j, const hd_unbounded_run *made,
                           hd_result *found) {
  hd_code_answer *answer = &j->result->answers[HD_PROPERTY_ASSERT];
  if (found->verdict == HD_UNSAFE &&
      !hd_job_confirm(j, HD_PROPERTY_ASSERT, &made->turns))
    return false;
  answer->verdict = found->verdict;
  answer->engine = found->engine;
  answer->proof = found->verdict == HD_SAFE && found->cert ? HD_PROOF_COUNTERS
                                                           : HD_PROOF_NONE;
  hd_free(answer->reason);
  answer->reason = NULL;
  if (found->verdict == HD_UNKNOWN)
    answer->reason =
        hd_strdup(found->reason ? found->reason : "no reason was given");
  hd_result_add_stats(&j->result->figures, found);
  return true;
}

hd_verify_status hd_job_unbounded(hd_job *j, unsigned jobs, bool also) {
  hd_unbounded_options options = {.machine = j->options->explore.machine,
                                  .verify.engine = j->options->engine,
                                  .verify.jobs = jobs,
                                  .verify.choice = j->options->choice,
                                  .verify.seed = j->options->explore.seed};
  options.machine.checks = 1u << HD_PROPERTY_ASSERT;
  options.machine.clocks = false;
  hd_unbounded_run made = {0};
  hd_result found = {0};
  hd_verify_status status =
      hd_verify_unbounded(j->code, &options, j->run, &made, &found);
  if (status == HD_VERIFY_INTERNAL)
    hd_str_puts(j->why, found.reason ? found.reason : "evidence did not check");
  else if (also && found.verdict == HD_UNKNOWN)
    note_unbounded(j, &found);
  else
    status =
        take_unbounded(j, &made, &found) ? HD_VERIFY_DONE : HD_VERIFY_INTERNAL;
  hd_unbounded_run_free(&made);
  hd_result_free(&found);
  return status;
}

bool hd_job_unbounded_applies(const hd_job *j) {
  return hd_job_open(j->result) >> HD_PROPERTY_ASSERT & 1 &&
         !j->options->explore.machine.max_threads &&
         hd_unbounded_applies(j->code);
}

/* --- single engines --- */

enum { LONG_MOVES = 200000 };

static bool fuzz(hd_job *j, uint64_t seed, uint64_t runs, bool once) {
  hd_explore_options options = j->options->explore;
  options.seed = seed;
  options.runs = runs;
  options.first_only = once;
  options.teams = hd_teams_used(j->code);
  options.again = j->plain;
  if (j->long_runs && options.max_moves < LONG_MOVES)
    options.max_moves = LONG_MOVES;
  return stage(j, hd_fuzz, "fuzz", &options);
}

bool hd_job_fuzz(hd_job *j, uint64_t seed, uint64_t runs) {
  return fuzz(j, seed, runs, false);
}

bool hd_job_fuzz_once(hd_job *j, uint64_t seed, uint64_t runs) {
  return fuzz(j, seed, runs, true);
}

static void steer(const hd_code *code, const hd_explore_options *options,
                  hd_run *run, hd_explore_result *result) {
  const double most = 3.0;
  hd_run some = *run;
  if (some.deadline <= 0 || hd_now() + most < some.deadline)
    some.deadline = hd_now() + most;
  hd_steer(code, options, NULL, 0, &some, result);
}

bool hd_job_steer(hd_job *j) {
  return stage(j, steer, "fuzz", &j->options->explore);
}

/* What this statistic said last; 0 when there is none. */
static double figure(const hd_job *j, const char *name) {
  double value = 0;
  for (hd_vec_each(const hd_stat, s, &j->result->figures.stats))
    value = strcmp(s->name, name) == 0 ? s->value : value;
  return value;
}

double hd_job_longest(const hd_job *j) {
  double longest = 0;
  for (hd_vec_each(const hd_stat, s, &j->result->figures.stats))
    if (!strcmp(s->name, "fuzz.longest") && s->value > longest)
      longest = s->value;
  return longest;
}

/* Hardly anybody gets behind it then. */
bool hd_job_refused(const hd_job *j) {
  const double few = 5, most = 0.9, runs = figure(j, "fuzz.runs");
  return runs >= few && figure(j, "fuzz.refused") >= most * runs;
}

double hd_job_patience(const hd_job *j) {
  const double most = 9000, least = 3.5; /* seconds for each move */
  double moves = hd_job_longest(j);
  double seconds = moves * least < most ? most / (moves + 1) : least;
  if (hd_job_refused(j))
    seconds = least;
  return j->slowness > 1 ? j->slowness * seconds : seconds;
}

hd_properties hd_job_found(const hd_code_result *result) {
  hd_properties set = 0;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked && result->answers[p].verdict == HD_UNSAFE)
      set |= (hd_properties)1 << p;
  return set;
}

static bool goes_on(const hd_job *j) {
  return hd_job_open(j->result) && hd_run_check(j->run) &&
         !(j->options->fail_fast && hd_job_violated(j));
}

/* Runs that take so many moves and seconds in all. */
static bool some_runs(hd_job *j, uint64_t moves, uint64_t runs) {
  /* Seconds, where a move takes very long; more where others work, too. */
  const double longest = j->slowness > 1 ? 2.0 * fmin(j->slowness, 5) : 2.0;
  hd_run run = *j->run, *whole = j->run;
  run.steps = run.ticks + moves;
  if (run.deadline <= 0 || hd_now() + longest < run.deadline)
    run.deadline = hd_now() + longest;
  j->run = &run;
  bool good = hd_job_fuzz(j, j->options->explore.seed, runs);
  j->run = whole;
  return good;
}

/* How much of the time since then was its own? */
static void see_pace(hd_job *j, double start, double busy) {
  const double enough = 0.01;
  busy = hd_cpu() - busy;
  if (busy > enough)
    j->slowness = (hd_now() - start) / busy;
}

/* Some whole runs where few of the short ones came to their ends: the plain one,
 * which may use all that a run may take, and then others. */
static bool short_and_long(hd_job *j) {
  enum { RUNS = 150, FEW = 5, MOVES = 5000, WHOLE = 400000 };
  uint64_t asked = j->options->explore.runs;
  uint64_t runs = asked && asked < RUNS ? asked : RUNS;
  double start = hd_now(), busy = hd_cpu();
  bool good = some_runs(j, MOVES, runs);
  see_pace(j, start, busy);
  if (!good || !goes_on(j) || figure(j, "fuzz.runs") > FEW)
    return good;
  hd_vec_clear(&j->result->figures.stats);
  j->long_runs = true;
  good = some_runs(j, WHOLE, 1);
  j->plain = true;
  return good && goes_on(j) && runs > 1 ? some_runs(j, WHOLE, runs - 1) : good;
}

bool hd_job_first_runs(hd_job *j) {
  if (j->began)
    return true;
  j->began = true;
  double start = hd_now(), busy = hd_cpu();
  bool good = short_and_long(j);
  see_pace(j, start, busy);
  return good;
}

bool hd_job_unfold(hd_job *j) {
  return stage(j, NULL, "unfold", &j->options->explore);
}

/* Of an engine that knows assertions only. */
static void take_result(hd_job *j, hd_result *found) {
  hd_code_answer *answer = &j->result->answers[HD_PROPERTY_ASSERT];
  answer->verdict = found->verdict;
  answer->engine = found->engine;
  hd_free(answer->reason);
  answer->reason = found->reason ? hd_strdup(found->reason) : NULL;
  hd_result_add_stats(&j->result->figures, found);
  hd_result_free(found);
}

bool hd_job_pairs(hd_job *j) {
  hd_result found = {0};
  if (!(hd_job_open(j->result) >> HD_PROPERTY_ASSERT & 1))
    return true;
  hd_pairs_prove(j->code, j->options->explore.machine.malloc_fails, j->run,
                 &found);
  take_result(j, &found);
  return true;
}

bool hd_job_weave(hd_job *j) {
  hd_result found = {0};
  if (!(hd_job_open(j->result) >> HD_PROPERTY_ASSERT & 1))
    return true;
  hd_weave_prove(j->code, j->options->explore.machine.malloc_fails, j->run,
                 &found);
  take_result(j, &found);
  return true;
}

bool hd_job_modular(hd_job *j) {
  return stage(j, NULL, "modular", &j->options->explore);
}

/* For so many steps, or a part of the time that is left. */
static bool single(hd_job *j, uint64_t steps, double part) {
  if (j->meet || !hd_job_open(j->result) || hd_job_violated(j))
    return true;
  hd_run run = *j->run, *whole = j->run;
  if (steps)
    run.steps = run.ticks + steps;
  if (run.deadline > 0)
    run.deadline = hd_now() + part * (run.deadline - hd_now());
  j->run = &run;
  bool good = stage(j, hd_single, "explore", &j->options->explore);
  j->run = whole;
  return good;
}

bool hd_job_single(hd_job *j) {
  const uint64_t steps = 14000000; /* two or three seconds */
  return single(j, steps, 0.5);
}

bool hd_job_explore(hd_job *j) {
  bool good = single(j, 0, 0.3);
  for (j->again = true;
       good && j->again && hd_job_open(j->result) && hd_run_check(j->run);) {
    j->again = false;
    good = stage(j, hd_explore, "explore", &j->options->explore);
  }
  return good;
}

bool hd_job_graph(hd_job *j) {
  hd_explore_options options = j->options->explore;
  options.memory = j->options->memory;
  return stage(j, hd_graph, "graph", &options);
}

bool hd_job_views(hd_job *j) {
  hd_explore_options options = j->options->explore;
  options.memory = j->options->memory;
  return stage(j, hd_views, "views", &options);
}
