/* SPDX-License-Identifier: MIT */
/* unfold and modular in the clothes of the engines that execute. */
#include "api/code_job.h"

#include "engine/modular/modular.h"
#include "engine/pairs/pairs.h"
#include "engine/unfold/unfold.h"
#include "model/calls.h"

#include <assert.h>
#include <string.h>

typedef hd_vec(hd_pairs_fear) hd_fears;

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

/* Paths end where behaviour is undefined, which may not have been asked for. */
static void note_unasked(const hd_code *code, const hd_unfold_result *found,
                         hd_explore_result *result) {
  bool safe = false;
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    safe = safe || (result->findings[p].asked && found->verdicts[p] == HD_SAFE);
  for (hd_vec_each(const hd_alarm, a, &found->unasked)) {
    hd_str text = {0};
    hd_str_printf(&text, "proved up to '%s', which was not asked about: ",
                  hd_property_name(a->property));
    hd_code_print_pos(&text, code, code->edges.data[a->edge].pos);
    hd_str_printf(&text, ": %s, as far as intervals can tell", a->message);
    if (safe)
      hd_remarks_add(&result->notes, HD_WHY_UP_TO, a->property,
                     hd_str_text(&text));
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

void hd_job_prove(const hd_code *code, const hd_code_options *options,
                  const char *engine, hd_properties checks, hd_run *run,
                  hd_explore_result *result) {
  hd_unfold_options mine = {.checks = checks,
                            .domain = options->domain,
                            .widen = options->widen,
                            .no_spurious = !options->explore.machine.spurious,
                            .malloc_fails =
                                options->explore.machine.malloc_fails,
                            .no_cutoffs = options->no_cutoffs,
                            .argc = options->explore.machine.argc,
                            .argv = options->explore.machine.argv};
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

/* Does it access memory only in the step that a thread before it is about to do? Not
 * pthread_create, which stores the id when the new thread may run already. */
static bool is_one_step(const hd_code *code, hd_edge_id edge) {
  assert(edge < code->edges.size);
  hd_action action =
      hd_library_action(hd_call_of(code, &code->edges.data[edge]));
  return action != HD_DO_SPAWN && action != HD_DO_PARK &&
         action != HD_DO_MEET && action != HD_DO_ONCE && action != HD_DO_SORT;
}

/* What modular cannot exclude, pair by pair. False where it has given up, or an
 * action is none that can be pointed at. */
static bool find_fears(const hd_job *j, hd_run *run, hd_fears *fears) {
  hd_unfold_options mine = {
      .checks = (hd_properties)1 << HD_PROPERTY_RACE,
      .no_spurious = !j->options->explore.machine.spurious,
      .malloc_fails = j->options->explore.machine.malloc_fails};
  hd_unfold_result found = {0};
  hd_modular_prove(j->code, &mine, run, &found);
  bool good = !found.reason;
  for (hd_vec_each(const hd_alarm, a, &found.alarms)) {
    good = good && a->property == HD_PROPERTY_RACE && a->edge != HD_NO_ID &&
           a->other != HD_NO_ID && is_one_step(j->code, a->edge) &&
           is_one_step(j->code, a->other);
    hd_vec_push(fears, ((hd_pairs_fear){.a = a->edge, .b = a->other}));
  }
  hd_unfold_result_free(&found);
  return good;
}

void hd_job_apart(hd_job *j) {
  enum { MOST = 400 };
  if (!(hd_job_open(j->result) >> HD_PROPERTY_RACE & 1))
    return;
  hd_fears fears = {0};
  hd_result found = {0};
  bool good = find_fears(j, j->run, &fears);
  if (good && !fears.size) {
    found.verdict = HD_SAFE;
    found.engine = "modular";
  } else if (good && fears.size <= MOST) {
    hd_pairs_keep_apart(j->code, j->options->explore.machine.malloc_fails,
                        fears.data, fears.size, j->run, &found);
  } else {
    hd_result_unknown(&found, "modular fears too much of this program");
  }
  hd_code_answer *answer = &j->result->answers[HD_PROPERTY_RACE];
  if (found.verdict == HD_SAFE) {
    answer->verdict = HD_SAFE;
    answer->engine = found.engine;
  }
  if (found.verdict == HD_SAFE || found.reason) {
    hd_free(answer->reason);
    answer->reason = found.reason ? hd_strdup(found.reason) : NULL;
  }
  hd_result_free(&found);
  hd_vec_free(&fears);
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
