/* SPDX-License-Identifier: MIT */
/* The choice of the domain.
 *
 * Octagons cost more than intervals and are seldom needed, so everything is done
 * with intervals first. Only if an alarm is left, and the program compares
 * variables with each other, octagons try again. If one is left still, a small
 * program is unfolded without abstraction, and ways that no input takes are
 * refuted by the solver (terms.h). Each of them is right when it says
 * SAFE, so a property is proved if any of them proves it. */
#include "engine/unfold/apart.h"
#include "engine/unfold/relate.h"

#include <string.h>

bool hd_domain_find(const char *name, hd_domain *domain) {
  static const char *const names[] = {"auto", "interval", "octagon",
                                      "concrete"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) {
      *domain = (hd_domain)i;
      return true;
    }
  return false;
}

/* Are there alarms about these properties? */
static bool is_open(const hd_unfold_result *r, hd_properties checks) {
  if (r->reason)
    return false;
  for (hd_vec_each(const hd_alarm, x, &r->alarms))
    if (checks >> x->property & 1)
      return true;
  return false;
}

static bool proves_more(const hd_unfold_result *better,
                        const hd_unfold_result *than) {
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (better->verdicts[p] == HD_SAFE && than->verdicts[p] != HD_SAFE)
      return true;
  return false;
}

/* Takes over `better`, for what it proves. */
static void combine(hd_unfold_result *result, hd_unfold_result *better) {
  better->rounds += result->rounds;
  better->steps += result->steps;
  better->segments += result->segments;
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++) {
    if (result->verdicts[p] != HD_SAFE)
      continue;
    better->verdicts[p] = HD_SAFE;
    size_t kept = 0;
    for (hd_vec_each(hd_alarm, x, &better->alarms)) {
      if (x->property == p)
        hd_alarm_free(x);
      else
        better->alarms.data[kept++] = *x;
    }
    better->alarms.size = kept;
  }
  hd_unfold_result_free(result);
  *result = *better;
}

/* Tries to prove what is open, with another domain. Alarms that are left without
 * abstraction are nearly always real: their ways are the better ones. */
static void improve(const hd_code *code, const hd_unfold_options *options,
                    hd_run *run, hd_unfold_result *result) {
  assert(options->domain != HD_DOMAIN_AUTO);
  hd_unfold_result better = {0};
  bool exact = options->domain == HD_DOMAIN_CONCRETE;
  hd_unfold_once(code, options, run, &better);
  if (better.reason ||
      (!exact && !result->reason && !proves_more(&better, result)))
    hd_unfold_result_free(&better);
  else
    combine(result, &better);
}

/* A step with octagons takes about ten times as long: programs that intervals need
 * more steps for are not tried. Where values are told apart only small programs
 * come to an end. */
enum {
  FEW_STEPS = 60000,
  OCTAGON_STEPS = 3 * FEW_STEPS,
  EXACT_STEPS = 300000,
  EXACT_EVENTS = 5000,
  PARTITION_STEPS = 200000,
  ENDLESS_TICKS = 100000,
  PARTITION_LEVELS = 3,
};

/* Values one by one, but inputs: those are variables. Half of the time that is
 * left, since alarms are to be confirmed. */
static void tell_apart(const hd_code *code, const hd_unfold_options *options,
                       hd_run *run, hd_unfold_result *result) {
  hd_unfold_options mine = *options;
  mine.domain = HD_DOMAIN_CONCRETE;
  if (!mine.max_events || mine.max_events > EXACT_EVENTS)
    mine.max_events = EXACT_EVENTS;
  mine.max_steps = EXACT_STEPS;
  if (!mine.split)
    mine.split = 1;
  hd_run part = *run;
  if (part.deadline > 0)
    part.deadline = hd_now() + (part.deadline - hd_now()) / 2;
  improve(code, &mine, &part, result);
  run->ticks = part.ticks;
}

/* With abstraction, but states that differ in what the alarms depend on are not
 * joined, level by level; and loops over events are widened. First nothing is kept
 * apart: that is enough where only the loops are in the way (`endless`). */
static void partition(const hd_code *code, const hd_unfold_options *options,
                      bool endless, hd_run *run, hd_unfold_result *result) {
  apart set = {0};
  hd_unfold_options mine = *options;
  if (options->domain == HD_DOMAIN_AUTO)
    mine.domain =
        hd_relate_possible(code) ? HD_DOMAIN_OCTAGON : HD_DOMAIN_INTERVAL;
  mine.apart = &set;
  mine.max_steps = PARTITION_STEPS;
  if (!mine.max_events || mine.max_events > EXACT_EVENTS)
    mine.max_events = EXACT_EVENTS;
  int most = options->levels ? (int)options->levels : PARTITION_LEVELS;
  for (int level = endless ? 0 : 1; level <= most && hd_run_check(run);
       level++) {
    bool more =
        hd_apart_grow(&set, code, level ? result : NULL, options->checks);
    if (level && (!more || !is_open(result, options->checks)))
      break;
    improve(code, &mine, run, result);
  }
  hd_apart_free(&set);
}

/* It may have been only long. Of the time that is left, if there is any, some is
 * kept for the other domains. */
static void start_again(const hd_code *code, const hd_unfold_options *options,
                        hd_run *run, hd_unfold_result *result) {
  if (!hd_run_check(run)) {
    hd_free(result->reason);
    result->reason = hd_strdup(hd_run_why(run));
    return;
  }
  hd_unfold_result_free(result);
  *result = (hd_unfold_result){0};
  hd_run part = *run;
  if (part.deadline > 0)
    part.deadline = hd_now() + (part.deadline - hd_now()) * 0.6;
  hd_unfold_once(code, options, &part, result);
  run->ticks = part.ticks;
}

void hd_unfold(const hd_code *code, const hd_unfold_options *options,
               hd_run *run, hd_unfold_result *result) {
  hd_unfold_options mine = *options;
  bool choose = options->domain == HD_DOMAIN_AUTO && !options->levels;
  if (options->domain == HD_DOMAIN_AUTO)
    mine.domain = HD_DOMAIN_INTERVAL;
  hd_run part = *run;
  if (choose && part.deadline > 0)
    part.deadline = hd_now() + (part.deadline - hd_now()) * 0.4;
  if (choose && !(part.steps && part.steps < part.ticks + ENDLESS_TICKS))
    part.steps = part.ticks + ENDLESS_TICKS;
  hd_unfold_once(code, &mine, choose ? &part : run, result);
  run->ticks = choose ? part.ticks : run->ticks;
  /* Loops over events that change something in every round do not end. */
  bool endless = choose && result->reason &&
                 (part.stop == HD_STOP_TIME || part.stop == HD_STOP_STEPS);
  if ((endless || options->levels) && hd_run_check(run))
    partition(code, options, true, run, result);
  if (endless && part.stop == HD_STOP_STEPS && result->reason)
    start_again(code, &mine, run, result);
  /* Deadlocks do not depend on relations. */
  hd_properties valued =
      options->checks & ~((hd_properties)1 << HD_PROPERTY_DEADLOCK);
  if (choose && is_open(result, valued) && result->steps <= FEW_STEPS &&
      hd_relate_possible(code) && hd_run_check(run)) {
    mine.domain = HD_DOMAIN_OCTAGON;
    mine.max_steps = OCTAGON_STEPS;
    improve(code, &mine, run, result);
  }
  if (choose && is_open(result, options->checks) && hd_run_check(run))
    tell_apart(code, options, run, result);
  if (choose && is_open(result, options->checks) && hd_run_check(run))
    partition(code, options, false, run, result);
}
