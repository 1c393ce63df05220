/* SPDX-License-Identifier: MIT */
/* What else is violated, behind the first violation of each property: what is very
 * small is searched whole; else random runs go on as long as they bring something
 * new, and what is small is searched whole then.
 * Counted in steps, so that the list does not depend on the machine's speed; the
 * time is only a bound for what is slow. */
#include "api/code_job.h"
#include "engine/teams/teams.h"
#include "report/fingerprint.h"

#include <string.h>

enum {
  MOST = 200,
  ROUND = 150000,
  ROUNDS = 12,
  STATES = 60000,
  FEW_STATES = 2000,
  FEW_STEPS = 15000
};
static const double most_seconds = 6.0;

typedef struct {
  const hd_code *code;
  const hd_code_options *options;
  hd_run *run;
  hd_code_result *result;
  hd_harvest harvest;
  hd_code_lines *lines;
  double end;
} gatherer;

static hd_run part(const gatherer *g, uint64_t steps) {
  hd_run run = *g->run;
  run.steps = run.ticks + steps;
  if (run.deadline <= 0 || g->end < run.deadline)
    run.deadline = g->end;
  return run;
}

static bool has(const gatherer *g, uint64_t fingerprint) {
  hd_code_answers all = {0};
  bool yes = false;
  hd_code_violations(g->result, &all);
  for (size_t i = 0; i < all.size; i++)
    yes = yes || all.data[i]->fingerprint == fingerprint;
  hd_vec_free(&all);
  return yes;
}

/* … when nothing else is asked about, too? */
static bool replays(const gatherer *g, const hd_machine_options *machine,
                    const hd_turns *turns) {
  hd_replayed replayed = hd_replay(g->code, machine, turns, machine->checks);
  bool yes = replayed.violated;
  hd_replayed_free(&replayed);
  return yes;
}

/* The run has been made again by hd_findings_add. */
static void keep(gatherer *g, hd_harvested *one, const char *engine) {
  hd_machine_options machine = g->options->explore.machine;
  machine.checks = (hd_properties)1 << one->violation.property;
  machine.clocks = one->violation.property == HD_PROPERTY_RACE;
  if (!replays(g, &machine, &one->turns))
    return;
  hd_code_answer answer = {.asked = true,
                           .verdict = HD_UNSAFE,
                           .engine = engine,
                           .violation = one->violation,
                           .turns = one->turns};
  answer.trace = hd_code_record(g->code, &machine, &answer.turns);
  answer.fingerprint =
      hd_code_fingerprint(g->lines, g->code, answer.trace, &one->violation);
  if (has(g, answer.fingerprint)) {
    hd_code_trace_delete(answer.trace);
    return;
  }
  one->violation.message = NULL;
  one->turns = (hd_turns){0};
  hd_code_answer *first = &g->result->answers[answer.violation.property];
  if (first->verdict != HD_UNSAFE) {
    hd_code_answer_free(first);
    *first = answer;
  } else {
    hd_vec_push(&g->result->more, answer);
  }
  if (g->options->found)
    g->options->found(g->options->context, &answer.violation);
}

typedef void engine_run(const hd_code *, const hd_explore_options *, hd_run *,
                        hd_explore_result *);

/* Nobody can find anything else: the search has seen all states. */
static bool is_whole(const hd_explore_result *found) {
  bool whole = true;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    whole = whole && (!found->findings[p].asked ||
                      found->findings[p].verdict == HD_SAFE);
  return whole;
}

/* True when it brought something new. */
static bool look(gatherer *g, engine_run *engine, const char *name,
                 hd_explore_options options, uint64_t steps, bool *whole) {
  hd_explore_result found = {.harvest = &g->harvest};
  hd_run run = part(g, steps);
  size_t before = g->result->more.size;
  options.machine.checks = 0;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (g->result->answers[p].asked)
      options.machine.checks |= (hd_properties)1 << p;
  engine(g->code, &options, &run, &found);
  for (hd_vec_each(hd_harvested, one, &g->harvest.list)) {
    keep(g, one, name);
    hd_free((char *)one->violation.message);
    hd_vec_free(&one->turns);
  }
  hd_vec_clear(&g->harvest.list);
  *whole = is_whole(&found);
  hd_explore_result_free(&found);
  return g->result->more.size > before;
}

static void gather(gatherer *g) {
  hd_explore_options options = g->options->explore;
  options.runs = UINT64_MAX;
  options.first_only = false;
  bool new = true, whole = false, teams = hd_teams_used(g->code);
  options.max_states = FEW_STATES;
  if (!teams)
    (void)look(g, hd_explore, "explore", options, FEW_STEPS, &whole);
  bool weak = hd_code_weakness(g->code).edge != HD_NO_ID;
  if (whole && !weak)
    return;
  /* Of a team all runs are much alike; of weak orders a few more are enough where
   * all interleavings are known. */
  uint64_t steps = teams || whole ? ROUND / 10 : ROUND;
  for (int round = 0; round < ROUNDS && (new || round < 2); round++) {
    options.seed = g->options->explore.seed + 1000 + (uint64_t)round;
    new = look(g, hd_fuzz, "fuzz", options, steps, &whole);
    if (!hd_run_check(g->run) || hd_now() > g->end ||
        g->result->more.size >= MOST)
      return;
  }
  options.max_states = STATES;
  if (!teams) /* their states are too many */
    (void)look(g, hd_explore, "explore", options, 4 * ROUND, &whole);
}

static void fingerprint_first(gatherer *g) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *a = &g->result->answers[p];
    if (a->verdict != HD_UNSAFE)
      continue;
    a->fingerprint =
        hd_code_fingerprint(g->lines, g->code, a->trace, &a->violation);
    hd_harvest_skip(&g->harvest, g->code, &a->violation);
  }
}

static bool both_write(const hd_code *code, const hd_violation *v) {
  return v->edge < code->edges.size && v->other_edge < code->edges.size &&
         code->edges.data[v->edge].act != HD_CODE_LOAD &&
         code->edges.data[v->other_edge].act != HD_CODE_LOAD;
}

/* OpenMP: of races of one variable the first is one of two writes. */
static void prefer_writes(gatherer *g) {
  hd_code_answer *first = &g->result->answers[HD_PROPERTY_RACE];
  if (first->verdict != HD_UNSAFE || !first->violation.message ||
      !hd_teams_used(g->code) || both_write(g->code, &first->violation))
    return;
  for (hd_vec_each(hd_code_answer, a, &g->result->more))
    if (a->violation.property == HD_PROPERTY_RACE && a->violation.message &&
        !strcmp(a->violation.message, first->violation.message) &&
        both_write(g->code, &a->violation)) {
      hd_code_answer better = *a;
      *a = *first;
      *first = better;
      return;
    }
}

void hd_gather_code(const hd_code *code, const hd_code_options *options,
                    bool more, hd_run *run, hd_code_result *result) {
  gatherer g = {.code = result->inputs ? options->unset : code,
                .options = options,
                .run = run,
                .result = result,
                .lines = hd_code_lines_new(code),
                .end = hd_now() + most_seconds};
  g.harvest.most = MOST;
  fingerprint_first(&g);
  if (more && g.harvest.known.size && !options->unwound && hd_run_check(run))
    gather(&g);
  prefer_writes(&g);
  hd_harvest_free(&g.harvest);
  hd_code_lines_delete(g.lines);
}
