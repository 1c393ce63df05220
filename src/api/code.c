/* SPDX-License-Identifier: MIT */
#include "api/code.h"

#include <string.h>

const char *const hd_code_engines[] = {"fuzz", "explore", NULL};

/* --- stages --- */

typedef struct {
  const hd_code *code;
  const hd_code_options *options;
  hd_run *run;
  hd_code_result *result;
  hd_str *why;
} job;

static hd_properties open_ones(const hd_code_result *result) {
  hd_properties set = 0;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked && result->answers[p].verdict == HD_UNKNOWN)
      set |= (hd_properties)1 << p;
  return set;
}

static void take_note(hd_code_result *result, const char *note) {
  for (size_t i = 0; i < result->notes.size; i++)
    if (!strcmp(result->notes.data[i], note))
      return;
  hd_vec_push(&result->notes, hd_strdup(note));
}

/* Judges a violation that an engine reports, and keeps it with its run. */
static bool confirm(job *j, int property, const hd_finding *finding) {
  hd_machine_options machine = j->options->explore.machine;
  machine.checks = (hd_properties)1 << property;
  machine.clocks = property == HD_PROPERTY_RACE;
  hd_code_answer *answer = &j->result->answers[property];
  hd_replayed replayed =
      hd_replay(j->code, &machine, &finding->turns, machine.checks);
  bool ok =
      replayed.violated && replayed.violation.property == (hd_property)property;
  if (ok) {
    answer->violation = replayed.violation;
    answer->violation.message =
        hd_strdup(replayed.violation.message ? replayed.violation.message : "");
    for (size_t i = 0; i < finding->turns.size; i++)
      hd_vec_push(&answer->turns, finding->turns.data[i]);
    answer->trace = hd_code_record(j->code, &machine, &finding->turns);
  } else {
    hd_str_printf(j->why,
                  "a violation of '%s' that was found does not replay%s%s",
                  hd_property_name((hd_property)property),
                  replayed.why ? ": " : "", replayed.why ? replayed.why : "");
  }
  hd_replayed_free(&replayed);
  return ok;
}

static bool take_finding(job *j, int property, const hd_finding *finding,
                         const char *engine) {
  hd_code_answer *answer = &j->result->answers[property];
  if (!finding->asked || answer->verdict != HD_UNKNOWN)
    return true;
  if (finding->verdict == HD_UNSAFE && !confirm(j, property, finding))
    return false;
  /* fuzz cannot say why there is no proof: what explore said stays. */
  bool tells = finding->verdict != HD_UNKNOWN || !answer->reason ||
               strcmp(engine, "fuzz") != 0;
  answer->verdict = finding->verdict;
  if (!tells)
    return true;
  answer->engine = engine;
  hd_free(answer->reason);
  answer->reason = finding->verdict == HD_UNKNOWN && finding->reason
                       ? hd_strdup(finding->reason)
                       : NULL;
  return true;
}

typedef void engine_run(const hd_code *, const hd_explore_options *, hd_run *,
                        hd_explore_result *);

/* One engine, until `deadline` (0 = as long as the run may take). False when
 * what it found did not replay. */
static bool stage(job *j, engine_run *engine, const char *name,
                  const hd_explore_options *options, double deadline) {
  hd_run run = *j->run;
  if (deadline > 0 && (run.deadline <= 0 || deadline < run.deadline))
    run.deadline = deadline;
  hd_explore_options mine = *options;
  mine.machine.checks = open_ones(j->result);
  hd_explore_result found = {0};
  engine(j->code, &mine, &run, &found);
  bool ok = true;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    ok = ok && take_finding(j, p, &found.findings[p], name);
  for (size_t i = 0; i < found.notes.size; i++)
    take_note(j->result, found.notes.data[i]);
  for (size_t i = 0; i < found.stats.size; i++) {
    const hd_stat *s = &found.stats.data[i];
    hd_result_stat(&j->result->figures, s->name, s->unit, s->value, s->help);
  }
  hd_explore_result_free(&found);
  return ok;
}

static bool wants(const job *j, const char *engine) {
  return !j->options->engine || !strcmp(j->options->engine, engine);
}

/* The default: a moment of fuzz finds most bugs and costs nothing to those
 * programs that have none; explore then decides what is small; and while there
 * is time, fuzz goes on where explore has given up. */
static bool run_stages(job *j) {
  const double moment = 1.0, rest = 20.0;
  hd_run *run = j->run;
  double start = hd_now();
  double left = run->deadline > 0 ? run->deadline - start : 0;
  bool both = !j->options->engine;
  hd_explore_options quick = j->options->explore, longer = quick;
  if (both) {
    double share = left > 0 && left < 10 * moment ? left / 10 : moment;
    quick.runs = quick.runs ? quick.runs : 2000;
    if (!stage(j, hd_fuzz, "fuzz", &quick, start + share))
      return false;
  }
  if (wants(j, "explore") && open_ones(j->result) && hd_run_check(run) &&
      !stage(j, hd_explore, "explore", &j->options->explore,
             both && left > 0 ? start + left * 0.7 : 0))
    return false;
  if (!wants(j, "fuzz") || !open_ones(j->result) || !hd_run_check(run))
    return true;
  longer.seed += both;
  longer.runs = longer.runs ? longer.runs : UINT64_MAX;
  return stage(j, hd_fuzz, "fuzz", &longer,
               left > 0 || !both ? 0 : hd_now() + rest);
}

hd_verify_status hd_verify_code(const hd_code *code,
                                const hd_code_options *options, hd_run *run,
                                hd_code_result *result, hd_str *why) {
  if (code->main == HD_NO_ID) {
    hd_str_puts(why, "there is no function 'main'");
    return HD_VERIFY_REFUSED;
  }
  job j = {code, options, run, result, why};
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    result->answers[p].asked = options->explore.machine.checks >> p & 1;
  return run_stages(&j) ? HD_VERIFY_DONE : HD_VERIFY_INTERNAL;
}
