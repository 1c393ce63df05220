/* SPDX-License-Identifier: MIT */
#include "api/code_job.h"

#include "api/memory.h"

#include "check/interp/player.h"
#include "engine/modular/modular.h"
#include "engine/teams/teams.h"

#include <string.h>

/* Undefined behaviour at which runs end, also when nobody asked for it: what would
 * come behind it is anything. An assertion that fails ends the program in an
 * orderly way. */
static bool ends_run(hd_property p) {
  return p == HD_PROPERTY_MEMORY || p == HD_PROPERTY_ARITH ||
         p == HD_PROPERTY_UNREACHABLE;
}

/* What is reported where a run shows it and nobody said what to look for. */
static const hd_properties on_the_way =
    1u << HD_PROPERTY_MEMORY | 1u << HD_PROPERTY_ARITH |
    1u << HD_PROPERTY_UNREACHABLE | 1u << HD_PROPERTY_SYNC;

static const hd_remark *undefined_end(const hd_code_result *result) {
  for (hd_vec_each(const hd_remark, note, &result->notes))
    if (hd_job_unasked(result, note) && ends_run(note->property))
      return note;
  return NULL;
}

static void doubt_undefined(hd_code_result *result) {
  const hd_remark *why = undefined_end(result);
  for (int p = 0; p < HD_PROPERTY_COUNT && why; p++) {
    hd_code_answer *answer = &result->answers[p];
    if (!answer->asked || answer->verdict != HD_SAFE)
      continue;
    hd_str text = {0};
    hd_str_printf(&text,
                  "nothing found before runs end at undefined "
                  "behaviour, which --property=%s reports: %s",
                  hd_property_name(why->property),
                  why->text + strlen(HD_REMARK_UNASKED));
    answer->verdict = HD_UNKNOWN;
    hd_free(answer->reason);
    answer->reason = hd_str_take(&text);
  }
}

/* The alarms of unfold, followed with inputs that a solver finds: only what is
 * violated counts. */
static bool follow_alarms(hd_job *j) {
  hd_code_result found = {0};
  hd_job other = *j;
  other.result = &found;
  other.claims = true;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    found.answers[p].asked = hd_job_open(j->result) >> p & 1;
  bool good = hd_job_unfold(&other);
  for (int p = 0; p < HD_PROPERTY_COUNT && good; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (!found.answers[p].asked || found.answers[p].verdict != HD_UNSAFE)
      continue;
    hd_job_ask(j, p);
    good = hd_job_confirm(j, p, &found.answers[p].turns);
    answer->verdict = good ? HD_UNSAFE : HD_UNKNOWN;
    answer->engine = found.answers[p].engine;
    hd_free(answer->reason);
    answer->reason = NULL;
  }
  hd_code_result_free(&found);
  return good;
}

/* Some engine's part of the time: `share` of what is left, at most so many
 * seconds. */
static hd_run part_of(const hd_run *whole, double share, double most) {
  hd_run run = *whole;
  double now = hd_now();
  if (run.deadline > 0 && share * (run.deadline - now) < most)
    most = share * (run.deadline - now);
  run.deadline = now + most;
  return run;
}

/* Random runs. When those of the first seconds leave something open, one look at
 * what they can hardly guess; then on. */
static bool fuzz_alone(hd_job *j) {
  const hd_explore_options *o = &j->options->explore;
  if (o->runs)
    return hd_job_fuzz(j, o->seed, o->runs);
  hd_run *whole = j->run, run = part_of(whole, 0.25, 2);
  j->run = &run;
  bool good = hd_job_fuzz(j, o->seed, UINT64_MAX);
  if (good && hd_job_open(j->result) && hd_run_check(whole)) {
    run = part_of(whole, 0.25, 2);
    good = follow_alarms(j);
  }
  j->run = whole;
  if (!good || !hd_job_open(j->result) || !hd_run_check(whole))
    return good;
  hd_vec_clear(&j->result->figures.stats);
  return hd_job_fuzz(j, o->seed + 1, UINT64_MAX);
}

/* Does a proof say that it could not exclude something undefined? pairs and weave
 * never say it. */
static bool goes_up_to(const hd_code_result *result, const char *engine) {
  if (!strcmp(engine, "pairs") || !strcmp(engine, "weave"))
    return true;
  for (hd_vec_each(const hd_remark, note, &result->notes))
    if (note->why == HD_WHY_UP_TO)
      return true;
  return false;
}

/* explore, for as long as it has in the choice before others begin. */
static bool explore_little(hd_job *j) {
  enum { TICKS = 20000 };
  hd_run run = *j->run, *whole = j->run;
  run.steps = run.ticks + TICKS;
  j->run = &run;
  bool good = hd_job_explore(j);
  j->run = whole;
  return good;
}

/* A proof goes up to what is undefined, seen or not: are there runs that end there?
 * Those that the choice of engines begins with tell, so that an engine alone says
 * no more than all of them do. */
static bool look_behind(hd_job *j) {
  hd_code_result found = {0};
  hd_job other = *j;
  other.result = &found;
  other.claims = true;
  other.also = 0;
  other.began = other.plain = other.long_runs = false;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    found.answers[p].asked = j->result->answers[p].asked;
  bool good = hd_job_first_runs(&other);
  if (good && goes_up_to(j->result, j->options->engine) && hd_run_check(j->run))
    good = explore_little(&other);
  for (int p = 0; p < HD_PROPERTY_COUNT && good; p++)
    if (j->result->answers[p].verdict == HD_SAFE &&
        found.answers[p].verdict == HD_UNSAFE &&
        !hd_turns_weak(&found.answers[p].turns)) {
      hd_str_printf(j->why, "'%s' is proved by %s and violated by a run",
                    hd_property_name((hd_property)p), j->options->engine);
      good = false;
    }
  for (hd_vec_each(const hd_remark, note, &found.notes))
    if (note->why == HD_WHY_UNASKED)
      hd_remarks_add(&j->result->notes, note->why, note->property, note->text);
  hd_code_result_free(&found);
  return good;
}

static bool prove_alone(hd_job *j, bool (*engine)(hd_job *)) {
  bool good = engine(j);
  bool safe = false;
  hd_job_doubt(j);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    safe = safe || j->result->answers[p].verdict == HD_SAFE;
  if (good && safe && hd_run_check(j->run))
    good = look_behind(j);
  return good;
}

/* Says so of the properties that the engine does not look at. */
static void only_assertions(hd_job *j, const char *why) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->result->answers[p].asked && p != HD_PROPERTY_ASSERT)
      j->result->answers[p].reason = hd_strdup(why);
}

static bool refuse_teams(hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->result->answers[p].asked)
      j->result->answers[p].reason =
          hd_strdup("teams is for OpenMP programs, and this is none");
  return true;
}

static bool run_unfold(hd_job *j) {
  return prove_alone(j, hd_job_unfold);
}

static bool run_modular(hd_job *j) {
  return prove_alone(j, hd_job_modular);
}

static bool prove_pairs(hd_job *j) {
  bool good = hd_job_pairs(j);
  if (good)
    hd_job_apart(j);
  return good;
}

static bool run_pairs(hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->result->answers[p].asked && p != HD_PROPERTY_ASSERT &&
        p != HD_PROPERTY_RACE)
      j->result->answers[p].reason =
          hd_strdup("pairs decides assertions and races only");
  return prove_alone(j, prove_pairs);
}

static bool run_weave(hd_job *j) {
  only_assertions(j, "weave decides assertions only");
  return prove_alone(j, hd_job_weave);
}

static bool run_teams(hd_job *j) {
  return hd_teams_used(j->code) ? hd_job_teams(j) : refuse_teams(j);
}

const hd_code_engine hd_code_engines[] = {
    {"fuzz", "random schedules with few changes of priority, shrunk", false,
     HD_MACHINE_DECIDES, fuzz_alone},
    {"explore", "all interleavings up to the order of independent steps", true,
     HD_MACHINE_DECIDES, hd_job_explore},
    {"graph", "all execution graphs of C's memory model, each once", true,
     HD_MACHINE_DECIDES, hd_job_graph},
    {"views", "all states of C's memory model, with what threads know", true,
     HD_MACHINE_DECIDES, hd_job_views},
    {"unfold", "intervals over partial orders", true, HD_UNFOLD_DECIDES,
     run_unfold},
    {"modular", "one thread at a time, for any number of them", true,
     HD_MODULAR_DECIDES, run_modular},
    {"pairs", "relations of any two threads, for any number of them", true,
     1u << HD_PROPERTY_ASSERT | 1u << HD_PROPERTY_RACE, run_pairs},
    {"weave", "few threads with data of any size, by Horn clauses", true,
     1u << HD_PROPERTY_ASSERT, run_weave},
    {"teams", "OpenMP, for teams of any size", true,
     1u << HD_PROPERTY_RACE | 1u << HD_PROPERTY_ASSERT |
         1u << HD_PROPERTY_DEADLOCK,
     run_teams},
    {"lise", "MPI and loop invariants, by symbolic execution", true,
     HD_MACHINE_DECIDES | HD_PROPERTIES_MPI, NULL},
    {NULL, NULL, false, 0, NULL},
};

/* The engine that is asked for, or the choice of them. */
static bool run_engine(hd_job *j) {
  const char *asked = j->options->engine;
  if (!asked && hd_teams_used(j->code))
    return hd_job_teams(j);
  if (!asked)
    return hd_job_is_weak(j) ? hd_job_weak(j) : hd_job_race(j);
  const hd_code_engine *engine = hd_code_engines;
  while (engine->name && strcmp(engine->name, asked) != 0)
    engine++;
  /* Those of counters are for any number of threads only. */
  return engine->run ? engine->run(j) : fuzz_alone(j);
}

/* Only that; nothing is said about other properties. */
static hd_verify_status verify_unbounded(hd_job *j) {
  only_assertions(j, "for any number of threads only assertions are decided");
  hd_code_answer *answer = &j->result->answers[HD_PROPERTY_ASSERT];
  if (!answer->asked)
    return HD_VERIFY_DONE;
  hd_verify_status status = hd_job_unbounded(j, j->options->jobs, false);
  if (status != HD_VERIFY_DONE || answer->verdict != HD_UNKNOWN ||
      j->options->engine || !hd_run_check(j->run))
    return status;
  /* The data are not small; why they are not is the better reason. */
  char *reason = answer->reason;
  answer->reason = NULL;
  bool good = hd_job_pairs(j);
  if (answer->verdict == HD_UNKNOWN) {
    hd_free(answer->reason);
    answer->reason = reason;
  } else {
    hd_free(reason);
  }
  return good ? status : HD_VERIFY_INTERNAL;
}

/* --- variables that were never set --- */

bool hd_job_wants_inputs(const hd_job *j, const hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT && j->options->unset; p++) {
    const hd_code_answer *answer = &result->answers[p];
    if (answer->asked && answer->verdict == HD_UNKNOWN &&
        answer->why == HD_WHY_UNSET)
      return true;
  }
  return false;
}

/* Which variables are inputs now: the first of them, and how many more. */
static void note_inputs(const hd_job *j) {
  const hd_code *before = j->code, *code = j->options->unset;
  hd_str note = {0};
  size_t n = 0;
  for (hd_edge_id e = 0; e < code->edges.size; e++) {
    const hd_cedge *edge = &code->edges.data[e];
    if (edge->act == before->edges.data[e].act || n++)
      continue;
    const hd_func *f = &code->funcs.data[code->locs.data[edge->from].func];
    const hd_reg *reg =
        &code->regs.data[f->regs + hd_code_target(code, edge, 0)];
    hd_str_printf(&note, "what was never set may have any value: '%s' (",
                  reg->cname ? reg->cname : reg->name);
    hd_code_print_pos(&note, code, reg->pos);
    hd_str_puts(&note, ")");
  }
  if (n > 1)
    hd_str_printf(&note, " and %zu more", n - 1);
  hd_remarks_say(&j->result->notes, hd_str_text(&note));
  hd_str_free(&note);
}

static bool run_engine(hd_job *j);

/* What is open once more, with variables that were never set as inputs: any value
 * is tried, and a violation comes with the one that it needs. */
static bool try_inputs(hd_job *j) {
  hd_code_result found = {0};
  hd_code_options options = *j->options;
  hd_job other = *j;
  options.unset = NULL;
  other.code = j->options->unset;
  other.options = &options;
  other.result = &found;
  other.began = other.plain = other.long_runs = false;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    found.answers[p].asked = hd_job_open(j->result) >> p & 1;
  hd_remarks_drop(&j->result->notes, HD_WHY_UNSET, HD_PROPERTY_COUNT);
  bool good = run_engine(&other);
  hd_job_doubt(&other);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    if (!found.answers[p].asked)
      continue;
    hd_free(j->result->answers[p].reason);
    j->result->answers[p] = found.answers[p];
    found.answers[p] = (hd_code_answer){0};
  }
  hd_remarks_add_all(&j->result->notes, &found.notes);
  hd_result_add_stats(&j->result->figures, &found.figures);
  hd_code_result_free(&found);
  j->result->inputs = true;
  note_inputs(j);
  return good;
}

/* Annotations speak to lise; who does not read them knows neither what is asked
 * for nor what the program does. NULL: there are none. */
static const hd_pragma *find_pragma(const hd_code *code) {
  for (hd_vec_each(const hd_pragma, p, &code->pragmas)) {
    const char *what = strchr(p->text, ' ');
    if (!what || strncmp(what + strspn(what, " "), "output", 6) != 0)
      return p;
  }
  return NULL;
}

static void refuse_pragma(const hd_code *code, hd_code_result *result) {
  const hd_pragma *p = find_pragma(code);
  hd_str text = {0};
  hd_code_print_pos(&text, code, p->pos);
  hd_str_printf(&text, ": '#pragma %.*s%s' has a meaning for lise only",
                (int)strcspn(p->text, "\n") > 40 ? 40
                                                 : (int)strcspn(p->text, "\n"),
                p->text, strcspn(p->text, "\n") > 40 ? "…" : "");
  for (int i = 0; i < HD_PROPERTY_COUNT; i++)
    if (result->answers[i].asked)
      result->answers[i].reason = hd_strdup(hd_str_text(&text));
  hd_str_free(&text);
}

/* What only lise looks at, when it is not asked. */
static void leave_to_lise(hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &result->answers[p];
    if (!answer->asked || answer->reason || HD_MACHINE_DECIDES >> p & 1)
      continue;
    hd_str text = {0};
    hd_str_printf(&text, "only lise decides '%s'",
                  hd_property_name((hd_property)p));
    answer->reason = hd_str_take(&text);
  }
}

/* Runs that end at what is reported are no remark any more. */
static void drop_reported(hd_code_result *result) {
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked)
      hd_remarks_drop(&result->notes, HD_WHY_UNASKED, p);
}

/* Whom the limit has left no time to say anything. */
static void name_limit(hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (answer->asked && answer->verdict == HD_UNKNOWN && !answer->reason &&
        !hd_run_check(j->run))
      answer->reason = hd_strdup(hd_run_why(j->run)),
      answer->why = hd_why_stopped(j->run->stop);
  }
}

/* What a run met that nobody knows is a better reason than what an engine cannot
 * do: it stands in the program, and can be mended there. */
static void tell_refusal(hd_job *j) {
  const hd_remark *met = NULL;
  for (hd_vec_each(const hd_remark, r, &j->result->notes))
    if (r->why == HD_WHY_REFUSED && !met)
      met = r;
  for (int p = 0; p < HD_PROPERTY_COUNT && met; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (!answer->asked || answer->verdict != HD_UNKNOWN || !answer->reason ||
        !(answer->why == HD_WHY_OTHER ||
          (answer->why == HD_WHY_TIME && hd_job_refused(j))) ||
        (j->options->fail_fast && hd_job_violated(j)))
      continue;
    hd_free(answer->reason);
    answer->reason = hd_strdup(met->text);
    answer->why = HD_WHY_REFUSED;
  }
}

/* Where runs are long nobody sees all of them, whatever an engine says that proves
 * nothing either: both, the one that helps first. */
static void tell_length(hd_job *j) {
  const double longest = hd_job_longest(j);
  if (j->options->engine || hd_job_violated(j) || longest < HD_LONG_RUN)
    return;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (!answer->asked || answer->verdict != HD_UNKNOWN ||
        answer->why != HD_WHY_OTHER || !answer->reason)
      continue;
    hd_str text = {0};
    hd_str_printf(&text,
                  "runs of %.0f moves are too long for all of them to be seen, "
                  "and nobody proves it: %s",
                  longest, answer->reason);
    hd_free(answer->reason);
    answer->reason = hd_str_take(&text);
    answer->why = HD_WHY_PATIENCE;
  }
}

/* The limit was not the one that was given: nobody was waited for any longer. An
 * engine alone has its share of the one that was given. */
static void excuse(hd_job *j, double seconds) {
  if (j->options->engine)
    return;
  for (int p = 0; p < HD_PROPERTY_COUNT && hd_run_check(j->run); p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (!answer->asked || answer->verdict != HD_UNKNOWN ||
        answer->why != HD_WHY_TIME)
      continue;
    hd_str text = {0};
    hd_str_printf(&text,
                  hd_job_violated(j)
                      ? "open %.0f s behind the violation"
                      : "no proof in %.0f s, and runs are too long for all of "
                        "them to be seen",
                  seconds);
    hd_free(answer->reason);
    answer->reason = hd_str_take(&text);
    answer->why = hd_job_violated(j) ? HD_WHY_OTHER : HD_WHY_PATIENCE;
  }
}

/* What is not known has a reason. */
static bool is_explained(const hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &result->answers[p];
    if (answer->asked && answer->verdict == HD_UNKNOWN && !answer->reason)
      return false;
  }
  return true;
}

hd_verify_status hd_verify_code(const hd_code *code,
                                const hd_code_options *options, hd_run *run,
                                hd_code_result *result, hd_str *why) {
  if (code->main == HD_NO_ID) {
    hd_str_puts(why, "there is no function 'main'");
    return HD_VERIFY_REFUSED;
  }
  hd_job j = {.code = code,
              .options = options,
              .run = run,
              .result = result,
              .why = why};
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    result->answers[p].asked = options->explore.machine.checks >> p & 1;
  if (options->wider)
    j.also = on_the_way & ~options->explore.machine.checks;
  if (find_pragma(code)) {
    refuse_pragma(code, result);
    return HD_VERIFY_DONE;
  }
  if (options->unbounded) {
    hd_verify_status status = verify_unbounded(&j);
    hd_job_doubt(&j);
    hd_job_doubt_teams(&j);
    hd_memmodel_doubt(code, options->memory, result);
    return status;
  }
  leave_to_lise(result);
  double start = hd_now();
  bool good = !hd_job_open(result) || run_engine(&j);
  if (good && hd_job_wants_inputs(&j, result) && hd_run_check(run))
    good = try_inputs(&j);
  name_limit(&j);
  tell_refusal(&j);
  excuse(&j, hd_now() - start);
  tell_length(&j);
  drop_reported(result);
  hd_job_doubt(&j);
  hd_job_doubt_teams(&j);
  doubt_undefined(result);
  hd_memmodel_doubt(code, options->memory, result);
  assert(!good || is_explained(result));
  return good ? HD_VERIFY_DONE : HD_VERIFY_INTERNAL;
}
