/* SPDX-License-Identifier: MIT */
#include "api/code_job.h"

#include "api/memory.h"
#include "api/unbounded.h"

#include "check/interp/player.h"
#include "engine/graph/graph.h"
#include "engine/modular/modular.h"
#include "engine/pairs/pairs.h"
#include "engine/teams/teams.h"
#include "engine/unfold/unfold.h"
#include "model/escape.h"

#include <string.h>

/* What the machine checks (check/interp). */
#define MACHINE_DECIDES (HD_UNFOLD_DECIDES | 1u << HD_PROPERTY_LEAK)

const hd_code_engine hd_code_engines[] = {
    {"fuzz", "random schedules with few changes of priority, shrunk", false,
     MACHINE_DECIDES},
    {"explore", "all interleavings up to the order of independent steps", true,
     MACHINE_DECIDES},
    {"graph", "all execution graphs of C's memory model, each once", true,
     MACHINE_DECIDES},
    {"views", "all states of C's memory model, with what threads know", true,
     MACHINE_DECIDES},
    {"unfold", "intervals over partial orders", true, HD_UNFOLD_DECIDES},
    {"modular", "one thread at a time, for any number of them", true,
     HD_MODULAR_DECIDES},
    {"pairs", "relations of any two threads, for any number of them", true,
     1u << HD_PROPERTY_ASSERT},
    {"teams", "OpenMP, for teams of any size", true,
     1u << HD_PROPERTY_RACE | 1u << HD_PROPERTY_ASSERT |
         1u << HD_PROPERTY_DEADLOCK},
    {"lise", "MPI and loop invariants, by symbolic execution", true,
     MACHINE_DECIDES | HD_PROPERTIES_MPI},
    {NULL, NULL, false, 0},
};

static bool decides(const char *engine, int property) {
  for (const hd_code_engine *e = hd_code_engines; e->name; e++)
    if (!strcmp(e->name, engine))
      return e->decides >> property & 1;
  return false;
}

/* --- stages --- */

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
    if (result->answers[p].asked && MACHINE_DECIDES >> p & 1 &&
        result->answers[p].verdict == HD_UNKNOWN)
      set |= (hd_properties)1 << p;
  return set;
}

void hd_job_note(hd_code_result *result, const char *note) {
  for (size_t i = 0; i < result->notes.size; i++)
    if (!strcmp(result->notes.data[i], note))
      return;
  hd_vec_push(&result->notes, hd_strdup(note));
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

/* Does the note say that runs end at this, and has nobody asked for it? */
static bool ends_at(const hd_code_result *result, const char *note,
                    hd_property property) {
  size_t n = strlen(HD_NOTE_UNASKED), k = strlen(hd_property_name(property));
  /* The smallest number divided by -1 is reported as either. */
  if (property == HD_PROPERTY_ARITH && strstr(note, "signed overflow") &&
      result->answers[HD_PROPERTY_OVERFLOW].asked)
    return false;
  return !result->answers[property].asked &&
         !strncmp(note, HD_NOTE_UNASKED, n) &&
         !strncmp(note + n, hd_property_name(property), k) &&
         note[n + k] == ':';
}

/* Undefined behaviour at which runs end, also when nobody asked for it: what would
 * come behind it is anything. An assertion that fails ends the program in an
 * orderly way. */
static bool ends_run(hd_property p) {
  return p == HD_PROPERTY_MEMORY || p == HD_PROPERTY_ARITH ||
         p == HD_PROPERTY_UNREACHABLE;
}

static const char *undefined_end(const hd_code_result *result) {
  for (size_t i = 0; i < result->notes.size; i++)
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
      if (ends_run(p) && ends_at(result, result->notes.data[i], p))
        return (const char *)result->notes.data[i] + strlen(HD_NOTE_UNASKED);
  return NULL;
}

static void doubt_undefined(hd_code_result *result) {
  const char *why = undefined_end(result);
  for (int p = 0; p < HD_PROPERTY_COUNT && why; p++) {
    hd_code_answer *answer = &result->answers[p];
    if (!answer->asked || answer->verdict != HD_SAFE)
      continue;
    hd_str text = {0};
    hd_str_printf(&text,
                  "nothing found before runs end at undefined "
                  "behaviour, which --property=%.*s reports: %s",
                  (int)strcspn(why, ":"), why, why);
    answer->verdict = HD_UNKNOWN;
    hd_free(answer->reason);
    answer->reason = hd_str_take(&text);
  }
}

static bool take_finding(hd_job *j, int property, const hd_finding *finding,
                         const char *engine) {
  hd_code_answer *answer = &j->result->answers[property];
  if (!finding->asked || answer->verdict != HD_UNKNOWN)
    return true;
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
    if (!f->asked || f->verdict != HD_SAFE)
      continue;
    f->verdict = HD_UNKNOWN;
    f->reason = hd_strdup("runs end at another violation before");
    j->again = true;
  }
}

typedef void engine_run(const hd_code *, const hd_explore_options *, hd_run *,
                        hd_explore_result *);

static void prove(const hd_code *code, const hd_code_options *options,
                  const char *engine, hd_properties checks, hd_run *run,
                  hd_explore_result *result);

/* One engine (NULL: one that proves). */
static bool stage(hd_job *j, engine_run *engine, const char *name,
                  const hd_explore_options *options) {
  hd_run run = *j->run;
  hd_explore_options mine = *options;
  mine.machine.checks = hd_job_open(j->result);
  mine.sampled = &j->sampled;
  hd_explore_result found = {0};
  const hd_code *unwound = j->options->unwound;
  if (!unwound)
    unwound = j->code;
  if (engine)
    engine(unwound, &mine, &run, &found);
  else
    prove(unwound, j->options, name, mine.machine.checks, &run, &found);
  if (engine) /* proofs go on behind violations */
    hide(j, &found);
  bool ok = true;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    ok = ok && take_finding(j, p, &found.findings[p], name);
  for (size_t i = 0; i < found.notes.size; i++)
    hd_job_note(j->result, found.notes.data[i]);
  for (size_t i = 0; i < found.stats.size; i++) {
    const hd_stat *s = &found.stats.data[i];
    hd_result_stat(&j->result->figures, s->name, s->unit, s->value, s->help);
  }
  hd_explore_result_free(&found);
  return ok;
}

/* Why a property is not proved: the alarms about it, or what was in the way. */
static char *unproved(const hd_code *code, const hd_unfold_result *found,
                      const char *engine, hd_property property) {
  hd_str text = {0};
  size_t more = 0;
  for (hd_vec_each(const hd_alarm, a, &found->alarms)) {
    if (a->property != property)
      continue;
    if (text.size) {
      more++;
      continue;
    }
    hd_code_print_pos(&text, code, code->edges.data[a->edge].pos);
    hd_str_printf(&text, ": %s, as far as %s can tell", a->message, engine);
  }
  if (more)
    hd_str_printf(&text, ", and %zu more", more);
  const char *reason = found->reason;
  if (!reason && property == HD_PROPERTY_MEMORY)
    reason = found->memory_open;
  if (!text.size && reason)
    hd_str_puts(&text, reason);
  else if (!text.size)
    hd_str_printf(&text, "%s does not decide '%s'", engine,
                  hd_property_name(property));
  return hd_str_take(&text);
}

static void add_unfold_stats(const hd_unfold_result *found,
                             hd_explore_result *result) {
  const struct {
    const char *name;
    size_t value;
    const char *help;
  } stats[] = {
      {"unfold.events", found->events, "events of the unfolding"},
      {"unfold.cutoffs", found->cutoffs, "events with nothing new behind them"},
      {"unfold.configurations", found->configurations,
       "maximal configurations; large numbers are not counted to the end"},
      {"unfold.alarms", found->alarms.size, "places that could not be proved"},
      {"unfold.segments", found->segments, "thread-local analyses"},
      {"unfold.memo_hits", found->memo_hits, "… whose results were known"},
      {"unfold.threads", found->threads, "threads in all histories"},
      {"unfold.rounds", found->rounds,
       "rounds, one more for each set of objects raced on"},
  };
  for (size_t i = 0; i < sizeof stats / sizeof *stats; i++) {
    hd_stat s = {.name = stats[i].name,
                 .help = stats[i].help,
                 .unit = "",
                 .value = (double)stats[i].value};
    hd_vec_push(&result->stats, s);
  }
  const hd_unfold_times *t = &found->times;
  const hd_stat times[] = {
      {"unfold.time.segments", "threads between events", "s", t->segments},
      {"unfold.time.events", "histories, cutoffs", "s", t->unfolding},
      {"unfold.time.races", "pairs of accesses", "s", t->races},
      {"unfold.time.deadlocks", "ways to wait", "s", t->deadlocks},
  };
  for (size_t i = 0; i < sizeof times / sizeof *times; i++)
    hd_vec_push(&result->stats, times[i]);
}

static void add_modular_stats(const hd_unfold_result *found,
                              hd_explore_result *result) {
  const hd_stat stats[] = {
      {"modular.classes", "classes of threads", "", (double)found->threads},
      {"modular.segments", "thread-local analyses", "",
       (double)found->segments},
      {"modular.rounds", "rounds, one more for each set of shared objects", "",
       (double)found->rounds},
      {"modular.alarms", "places that could not be proved", "",
       (double)found->alarms.size},
  };
  for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
    hd_vec_push(&result->stats, stats[i]);
}

/* How the note about a proof that stops at something undefined begins. */
#define HD_NOTE_UP_TO "proved up to "

/* Paths end where behaviour is undefined, which may not have been asked for. */
static void note_unasked(const hd_code *code, const hd_unfold_result *found,
                         hd_explore_result *result) {
  bool safe = false;
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    safe = safe || (result->findings[p].asked && found->verdicts[p] == HD_SAFE);
  for (hd_vec_each(const hd_alarm, a, &found->unasked)) {
    hd_str text = {0};
    hd_str_printf(&text, HD_NOTE_UP_TO "'%s', which was not asked about: ",
                  hd_property_name(a->property));
    hd_code_print_pos(&text, code, code->edges.data[a->edge].pos);
    hd_str_printf(&text, ": %s, as far as intervals can tell", a->message);
    if (safe)
      hd_vec_push(&result->notes, hd_strdup(hd_str_text(&text)));
    hd_str_free(&text);
  }
}

/* Alarms may be violations: tries to get there. */
static void confirm_alarms(const hd_code *code, const hd_code_options *options,
                           const hd_unfold_result *found, hd_run *run,
                           hd_explore_result *result) {
  const double most = 4.0;
  hd_explore_options mine = options->explore;
  mine.machine.checks = 0;
  hd_vec(const hd_waypoints *) ways = {0};
  for (hd_vec_each(const hd_alarm, a, &found->alarms))
    if (ways.size < 8) {
      mine.machine.checks |= (hd_properties)1 << a->property;
      hd_vec_push(&ways, &a->way);
    }
  if (ways.size) {
    hd_run short_run = *run;
    if (short_run.deadline <= 0 || hd_now() + most < short_run.deadline)
      short_run.deadline = hd_now() + most;
    hd_explore_result steered = {0};
    hd_steer(code, &mine, ways.data, ways.size, &short_run, &steered);
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
      if (steered.findings[p].verdict == HD_UNSAFE &&
          result->findings[p].asked) {
        hd_finding swap = result->findings[p];
        result->findings[p] = steered.findings[p];
        steered.findings[p] = swap;
      }
    for (hd_vec_each(const hd_stat, x, &steered.stats))
      hd_vec_push(&result->stats, *x);
    hd_explore_result_free(&steered);
  }
  hd_vec_free(&ways);
}

/* The proving engines in the clothes of the others. */
static void prove(const hd_code *code, const hd_code_options *options,
                  const char *engine, hd_properties checks, hd_run *run,
                  hd_explore_result *result) {
  hd_unfold_options mine = {.checks = checks,
                            .domain = options->domain,
                            .widen = options->widen,
                            .no_spurious = !options->explore.machine.spurious,
                            .malloc_fails =
                                options->explore.machine.malloc_fails,
                            .no_cutoffs = options->no_cutoffs};
  hd_unfold_result found = {0};
  bool modular = strcmp(engine, "modular") == 0;
  if (modular)
    hd_modular_prove(code, &mine, run, &found);
  else
    hd_unfold(code, &mine, run, &found);
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_finding *f = &result->findings[p];
    f->asked = mine.checks >> p & 1;
    f->verdict = found.verdicts[p];
    if (f->asked && f->verdict == HD_UNKNOWN)
      f->reason = unproved(code, &found, engine, p);
  }
  if (modular)
    add_modular_stats(&found, result);
  else
    add_unfold_stats(&found, result);
  note_unasked(code, &found, result);
  if (!modular)
    confirm_alarms(code, options, &found, run, result);
  hd_unfold_result_free(&found);
}

void hd_code_facts(const hd_code *code, const hd_machine_options *machine,
                   hd_run *run, hd_facts *facts) {
  enum { MOST_STEPS = 300000 };
  hd_unfold_options mine = {.checks = (hd_properties)1 << HD_PROPERTY_ASSERT,
                            .domain = HD_DOMAIN_INTERVAL,
                            .max_steps = MOST_STEPS,
                            .no_spurious = !machine->spurious,
                            .malloc_fails = machine->malloc_fails,
                            .facts = facts};
  hd_unfold_result found = {0};
  hd_unfold(code, &mine, run, &found);
  hd_unfold_result_free(&found);
  if (facts->complete || !hd_run_check(run))
    return;
  found = (hd_unfold_result){0};
  hd_modular_prove(code, &mine, run, &found);
  hd_unfold_result_free(&found);
}

/* --- any number of threads --- */

static void note_unbounded(hd_job *j, hd_result *found) {
  hd_str note = {0};
  hd_str_printf(&note, "with any number of threads: %s",
                found->reason ? found->reason : "no verdict");
  hd_job_note(j->result, hd_str_text(&note));
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

double hd_job_figure(const hd_job *j, const char *name) {
  double value = 0;
  for (hd_vec_each(const hd_stat, s, &j->result->figures.stats))
    value = strcmp(s->name, name) == 0 ? s->value : value;
  return value;
}

double hd_job_patience(const hd_job *j) {
  const double most = 9000, least = 3.5; /* seconds for each move */
  double moves = hd_job_figure(j, "fuzz.longest");
  double seconds = moves * least < most ? most / (moves + 1) : least;
  return j->slowness > 1 ? j->slowness * seconds : seconds;
}

bool hd_job_violated(const hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->result->answers[p].asked &&
        j->result->answers[p].verdict == HD_UNSAFE)
      return true;
  return false;
}

/* Runs that take so many moves and seconds in all. */
static bool some_runs(hd_job *j, uint64_t moves, uint64_t runs) {
  const double longest = 2.0; /* seconds, where a move takes very long */
  hd_run run = *j->run, *whole = j->run;
  run.steps = run.ticks + moves;
  if (run.deadline <= 0 || hd_now() + longest < run.deadline)
    run.deadline = hd_now() + longest;
  j->run = &run;
  bool good = hd_job_fuzz(j, j->options->explore.seed, runs);
  j->run = whole;
  return good;
}

static bool short_and_long(hd_job *j) {
  enum { RUNS = 150, FEW = 5, MOVES = 5000, WHOLE = 400000 };
  uint64_t asked = j->options->explore.runs;
  uint64_t runs = asked && asked < RUNS ? asked : RUNS;
  bool good = some_runs(j, MOVES, runs);
  if (!good || !hd_job_open(j->result) || !hd_run_check(j->run) ||
      hd_job_figure(j, "fuzz.runs") > FEW)
    return good;
  hd_vec_clear(&j->result->figures.stats);
  j->long_runs = true;
  return some_runs(j, WHOLE, runs);
}

/* What ended runs although nobody asked for it. */
static hd_properties met(const hd_code_result *result) {
  hd_properties set = 0;
  for (size_t i = 0; i < result->notes.size; i++)
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
      if (ends_at(result, result->notes.data[i], p))
        set |= (hd_properties)1 << p;
  return set;
}

/* Those that begin so need not be said any more. */
static void drop_notes(hd_code_result *result, const char *beginning) {
  size_t kept = 0;
  for (size_t i = 0; i < result->notes.size; i++)
    if (strncmp(result->notes.data[i], beginning, strlen(beginning)))
      result->notes.data[kept++] = result->notes.data[i];
    else
      hd_free(result->notes.data[i]);
  result->notes.size = kept;
}

/* Runs that end at what is reported are no remark any more. */
static void drop_reported(hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_str text = {0};
    hd_str_printf(&text,
                  HD_NOTE_UNASKED "%s:", hd_property_name((hd_property)p));
    if (result->answers[p].asked)
      drop_notes(result, hd_str_text(&text));
    hd_str_free(&text);
  }
}

/* Asks about these from now on; what the same runs do not show again is not
 * asked. */
static bool ask_more(hd_job *j, hd_properties more) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    j->result->answers[p].asked |= more >> p & 1;
  hd_vec_clear(&j->result->figures.stats);
  bool good = short_and_long(j);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (more >> p & 1)
      answer->asked = answer->verdict == HD_UNSAFE;
  }
  return good;
}

bool hd_job_first_runs(hd_job *j) {
  const double enough = 0.01;
  double start = hd_now(), busy = hd_cpu();
  bool good = short_and_long(j);
  busy = hd_cpu() - busy;
  if (busy > enough)
    j->slowness = (hd_now() - start) / busy;
  hd_properties more = j->options->wider ? met(j->result) : 0;
  return good && more && hd_run_check(j->run) ? ask_more(j, more) : good;
}

bool hd_job_unfold(hd_job *j) {
  return stage(j, NULL, "unfold", &j->options->explore);
}

bool hd_job_pairs(hd_job *j) {
  if (!(hd_job_open(j->result) >> HD_PROPERTY_ASSERT & 1))
    return true;
  hd_code_answer *answer = &j->result->answers[HD_PROPERTY_ASSERT];
  hd_result found = {0};
  hd_pairs_prove(j->code, j->options->explore.machine.malloc_fails, j->run,
                 &found);
  answer->verdict = found.verdict;
  answer->engine = found.engine;
  hd_free(answer->reason);
  answer->reason = found.reason ? hd_strdup(found.reason) : NULL;
  hd_result_add_stats(&j->result->figures, &found);
  hd_result_free(&found);
  return true;
}

bool hd_job_modular(hd_job *j) {
  return stage(j, NULL, "modular", &j->options->explore);
}

bool hd_job_explore(hd_job *j) {
  bool good = true;
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

/* Does a proof say that it could not exclude something undefined? pairs never
 * says it. */
static bool goes_up_to(const hd_code_result *result, const char *engine) {
  if (!strcmp(engine, "pairs"))
    return true;
  for (size_t i = 0; i < result->notes.size; i++)
    if (!strncmp(result->notes.data[i], HD_NOTE_UP_TO, strlen(HD_NOTE_UP_TO)))
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
  for (size_t i = 0; i < found.notes.size; i++)
    if (!strncmp(found.notes.data[i], HD_NOTE_UNASKED, strlen(HD_NOTE_UNASKED)))
      hd_job_note(j->result, found.notes.data[i]);
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

static bool run_engine(hd_job *j) {
  const char *engine = j->options->engine;
  bool teams = hd_teams_used(j->code);
  if (teams ? !engine || !strcmp(engine, "teams") : false)
    return hd_job_teams(j);
  if (!engine && hd_job_is_weak(j))
    return hd_job_weak(j);
  if (!engine)
    return hd_job_race(j);
  if (!strcmp(engine, "teams"))
    return refuse_teams(j);
  if (!strcmp(engine, "unfold"))
    return prove_alone(j, hd_job_unfold);
  if (!strcmp(engine, "modular"))
    return prove_alone(j, hd_job_modular);
  if (!strcmp(engine, "pairs")) {
    only_assertions(j, "pairs decides assertions only");
    return prove_alone(j, hd_job_pairs);
  }
  if (!strcmp(engine, "explore"))
    return hd_job_explore(j);
  if (!strcmp(engine, "graph"))
    return hd_job_graph(j);
  if (!strcmp(engine, "views"))
    return hd_job_views(j);
  return fuzz_alone(j);
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
    if (answer->asked && answer->verdict == HD_UNKNOWN && answer->reason &&
        !strncmp(answer->reason, HD_WHY_UNSET, strlen(HD_WHY_UNSET)))
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
        &code->regs.data[f->regs + code->targets.data[edge->targets]];
    hd_str_printf(&note, "what was never set may have any value: '%s' (",
                  reg->cname ? reg->cname : reg->name);
    hd_code_print_pos(&note, code, reg->pos);
    hd_str_puts(&note, ")");
  }
  if (n > 1)
    hd_str_printf(&note, " and %zu more", n - 1);
  hd_job_note(j->result, hd_str_text(&note));
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
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    found.answers[p].asked = hd_job_open(j->result) >> p & 1;
  drop_notes(j->result, HD_WHY_UNSET);
  bool good = run_engine(&other);
  hd_job_doubt(&other);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    if (!found.answers[p].asked)
      continue;
    hd_free(j->result->answers[p].reason);
    j->result->answers[p] = found.answers[p];
    found.answers[p] = (hd_code_answer){0};
  }
  for (size_t i = 0; i < found.notes.size; i++)
    hd_job_note(j->result, found.notes.data[i]);
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
    if (!answer->asked || answer->reason || MACHINE_DECIDES >> p & 1)
      continue;
    hd_str text = {0};
    hd_str_printf(&text, "only lise decides '%s'",
                  hd_property_name((hd_property)p));
    answer->reason = hd_str_take(&text);
  }
}

/* Whom the limit has left no time to say anything. */
static void name_limit(hd_job *j) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (answer->asked && answer->verdict == HD_UNKNOWN && !answer->reason &&
        !hd_run_check(j->run))
      answer->reason = hd_strdup(hd_run_why(j->run));
  }
}

/* The limit was not the one that was given: nobody was waited for any longer. An
 * engine alone has its share of the one that was given. */
static void excuse(hd_job *j, double seconds) {
  if (j->options->engine)
    return;
  for (int p = 0; p < HD_PROPERTY_COUNT && hd_run_check(j->run); p++) {
    hd_code_answer *answer = &j->result->answers[p];
    if (!answer->asked || answer->verdict != HD_UNKNOWN || !answer->reason ||
        strcmp(answer->reason, "time limit reached") != 0)
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
  excuse(&j, hd_now() - start);
  drop_reported(result);
  hd_job_doubt(&j);
  hd_job_doubt_teams(&j);
  doubt_undefined(result);
  hd_memmodel_doubt(code, options->memory, result);
  assert(!good || is_explained(result));
  return good ? HD_VERIFY_DONE : HD_VERIFY_INTERNAL;
}
