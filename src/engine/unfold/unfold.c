/* SPDX-License-Identifier: MIT */
/* The driver: rounds until no further object turns out to be raced on, verdicts. */
#include "engine/unfold/unfold.h"

#include "engine/unfold/event.h"

#include <string.h>

/* --- rounds --- */

/* Programs that create threads without end would be unfolded until there are too
 * many, with all that those do meanwhile. So first nothing happens but creations,
 * which is a part of the unfolding: when there are too many then, there are. */
static void try_creations(analysis *a) {
  structure s = {.a = a, .only_creations = true};
  hd_structure_unfold(&s, hd_analysis_beginning(a));
  hd_structure_free(&s);
  hd_analysis_forget_alarms(a->result);
  thread_map_free(&a->threads);
  a->threads = (thread_map){0};
}

/* Lap times of a round. */
static double lap(double *since) {
  double now = hd_now(), passed = now - *since;
  *since = now;
  return passed;
}

/* True: do it again, with more objects' accesses as events. `*signals`: deadlocks
 * depend on who is signalled. */
static bool one_round(analysis *a, bool *signals) {
  hd_unfold_result *result = a->result;
  hd_analysis_forget_alarms(result);
  result->events = result->cutoffs = result->segments = result->memo_hits = 0;
  result->rounds++;
  a->cuts = false;
  double since = hd_now(), segments = result->times.segments;
  structure s = {.a = a};
  hd_structure_unfold(&s, hd_analysis_beginning(a));
  result->times.unfolding += lap(&since) - (result->times.segments - segments);
  hd_u32s objects = {0};
  bool again = !a->gave_up && !s.queue.size && hd_structure_races(&s, &objects);
  result->times.races += lap(&since);
  if (s.queue.size && !a->gave_up)
    hd_analysis_give_up(a, HD_NO_ID, "%s", hd_run_why(a->run));
  if (again) {
    hd_analysis_share(a, &objects);
  } else if (!a->gave_up && !s.queue.size) {
    if (a->options->checks >> HD_PROPERTY_SYNC & 1)
      hd_structure_relocks(&s);
    *signals = a->options->checks >> HD_PROPERTY_DEADLOCK & 1 &&
               hd_structure_deadlocks(&s);
    result->times.deadlocks += lap(&since);
    result->configurations = hd_structure_count(&s);
  }
  hd_structure_plan_ways(&s);
  if (a->options->keep_shape)
    hd_structure_shape(&s, &result->shape);
  hd_vec_free(&objects);
  hd_structure_free(&s);
  return again && hd_run_check(a->run);
}

static bool has_alarm(const hd_unfold_result *result, hd_property property) {
  for (hd_vec_each(const hd_alarm, x, &result->alarms))
    if (x->property == property)
      return true;
  return false;
}

/* Nothing is wrong but that cutoffs did not look at races with the past: once
 * more, with less of them. When that takes too long only races stay open. */
static void be_strict(analysis *a, bool *signals) {
  assert(a->loose && a->cuts && !a->strict);
  hd_unfold_result *first = a->result,
                   second = {.rounds = first->rounds, .times = first->times};
  a->strict = true;
  a->result = &second;
  bool mine = false;
  while (one_round(a, &mine))
    continue;
  a->strict = false;
  if (!a->gave_up && hd_run_check(a->run)) {
    hd_unfold_result_free(first);
    *first = second;
    a->result = first;
    *signals = mine;
    return;
  }
  a->result = first;
  first->times = second.times;
  a->gave_up = false;
  hd_analysis_alarm(a, HD_PROPERTY_RACE, 0, HD_NO_ID,
                    "accesses long ago may race with later ones (%s)",
                    second.reason ? second.reason : hd_run_why(a->run));
  hd_unfold_result_free(&second);
}

static void drop_alarms(hd_unfold_result *result, hd_property property) {
  size_t kept = 0;
  for (hd_vec_each(hd_alarm, x, &result->alarms)) {
    if (x->property == property)
      hd_alarm_free(x);
    else
      result->alarms.data[kept++] = *x;
  }
  result->alarms.size = kept;
}

/* Everything but deadlocks is decided. Those depend on signals: once more, with
 * signals as events. When that takes too long only deadlocks stay open. */
static void heed_signals(analysis *a) {
  assert(!a->gave_up && !a->signals);
  hd_unfold_result *first = a->result,
                   second = {.rounds = first->rounds, .times = first->times};
  a->signals = true;
  a->result = &second;
  bool signals = false;
  while (one_round(a, &signals))
    continue;
  if (!a->gave_up && hd_run_check(a->run)) {
    drop_alarms(first, HD_PROPERTY_DEADLOCK);
    for (hd_vec_each(hd_alarm, x, &second.alarms))
      if (x->property == HD_PROPERTY_DEADLOCK) {
        hd_vec_push(&first->alarms, *x);
        *x = (hd_alarm){.property = HD_PROPERTY_DEADLOCK};
      }
  }
  first->rounds = second.rounds;
  first->times = second.times;
  a->result = first;
  a->gave_up = false;
  a->signals = false;
  hd_unfold_result_free(&second);
}

static void judge(analysis *a) {
  /* Who gives up says why. */
  assert(!a->gave_up || a->result->reason);
  hd_unfold_result *result = a->result;
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    result->verdicts[p] =
        !a->gave_up && HD_UNFOLD_DECIDES >> p & 1 ? HD_SAFE : HD_UNKNOWN;
  for (hd_vec_each(const hd_alarm, x, &result->alarms))
    result->verdicts[x->property] = HD_UNKNOWN;
}

void hd_unfold_once(const hd_code *code, const hd_unfold_options *options,
                    hd_run *run, hd_unfold_result *result) {
  assert(options->domain != HD_DOMAIN_AUTO);
  /* Races are looked for whatever is asked: everything else depends on it. */
  hd_unfold_options all = *options;
  analysis a = {.code = code, .options = &all, .run = run, .result = result};
  if (code->main == HD_NO_ID) {
    hd_analysis_give_up(&a, HD_NO_ID, "there is no main");
    judge(&a);
    return;
  }
  hd_analysis_start(&a);
  hd_facts_start(&a);
  /* Whether a condition variable is waited for when it is destroyed depends on
   * who was signalled. */
  a.signals = options->checks >> HD_PROPERTY_SYNC & 1;
  bool signals = false;
  try_creations(&a);
  while (!a.gave_up && one_round(&a, &signals))
    continue;
  if (!a.gave_up && !hd_run_check(run))
    hd_analysis_give_up(&a, HD_NO_ID, "%s", hd_run_why(run));
  if (!a.gave_up && a.loose && a.cuts &&
      options->checks >> HD_PROPERTY_RACE & 1 &&
      !has_alarm(result, HD_PROPERTY_RACE))
    be_strict(&a, &signals);
  if (!a.gave_up && signals)
    heed_signals(&a);
  hd_facts_end(&a);
  judge(&a);
  result->threads = a.threads.size + 1;
  result->steps = a.steps;
  hd_analysis_end(&a);
}

void hd_unfold_result_free(hd_unfold_result *result) {
  hd_analysis_forget_alarms(result);
  hd_vec_free(&result->alarms);
  hd_vec_free(&result->unasked);
  hd_unfold_shape_clear(&result->shape);
  hd_vec_free(&result->shape);
  hd_free(result->reason);
}
