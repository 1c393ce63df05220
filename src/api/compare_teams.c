/* SPDX-License-Identifier: MIT */
/* The program without OpenMP has one run, as long as it has no inputs. Runs of the
 * other one by chance are held against it. They are equal when engine/teams shows that no
 * region's result depends on the team, the schedule or on who came first: then any
 * run is like all others. */
#include "api/compare_teams.h"

#include "api/code.h"
#include "engine/teams/teams.h"

#include <string.h>

enum { RUNS = 30, MOVES = 1000000 };

static void take_output(void *context, const hd_event *event) {
  if (event->kind == HD_EVENT_OUTPUT && event->text)
    hd_str_puts(context, event->text);
}

static void unknown(hd_compare_teams_result *result, const char *why) {
  result->verdict = HD_UNKNOWN;
  hd_free(result->reason);
  result->reason = hd_strdup(why);
}

/* What is printed, and the exit status. */
static void add_end(hd_str *text, const hd_machine *m) {
  hd_str_printf(text, "%s(exit %d)", text->size ? " " : "",
                hd_machine_exit_code(m));
}

/* False, and why, when there is more than one run, or none that ends. */
static bool run_alone(const hd_code *code, const hd_machine_options *given,
                      hd_run *run, hd_compare_teams_result *result,
                      hd_str *text) {
  hd_machine_options options = *given;
  options.checks = 0;
  options.observe = take_output;
  options.context = text;
  hd_machine *m = hd_machine_new(code, &options);
  bool inputs = false;
  while (hd_machine_status_of(m) == HD_MACHINE_RUNNING && !inputs &&
         hd_run_tick(run)) {
    inputs = hd_machine_threads(m) > 1 || hd_machine_choices(m, 0) > 1;
    if (!inputs && !hd_machine_enabled(m, 0))
      break;
    if (!inputs)
      hd_machine_move(m, (hd_turn){0});
  }
  bool ended = hd_machine_status_of(m) == HD_MACHINE_EXITED;
  if (inputs)
    unknown(result, "the program has inputs, or threads of its own");
  else if (!ended)
    unknown(result, *hd_machine_why(m) ? hd_machine_why(m)
                                       : "without OpenMP it does not end");
  if (ended)
    add_end(text, m);
  hd_machine_delete(m);
  return ended;
}

/* The same turns again: do they end like that? */
static bool repeats(const hd_code *code, const hd_machine_options *machine,
                    const hd_turns *turns, const char *text) {
  hd_play_options how = {.machine = *machine, .schedule = turns};
  hd_play play = {0};
  hd_play_code(code, &how, NULL, &play);
  bool same = hd_machine_status_of(play.machine) == HD_MACHINE_EXITED;
  add_end(&play.output, play.machine);
  same = same && !strcmp(hd_str_text(&play.output), text);
  hd_play_free(&play);
  return same;
}

/* On one line. */
static char *quoted(const char *text) {
  hd_str out = {0};
  for (; *text; text++)
    if (*text == '\n')
      hd_str_puts(&out, "\\n");
    else
      hd_str_append(&out, text, 1);
  return hd_str_take(&out);
}

/* False: nothing more is to be asked. */
static bool run_once(const hd_code *with, const hd_machine_options *given,
                     uint64_t seed, hd_run *run, const char *expected,
                     hd_compare_teams_result *result) {
  hd_machine_options machine = *given;
  machine.checks = (hd_properties)1 << HD_PROPERTY_RACE;
  machine.clocks = true;
  hd_play_options how = {.machine = machine, .seed = seed};
  hd_play play = {0};
  hd_run part = *run;
  part.steps = part.ticks + MOVES;
  hd_play_code(with, &how, &part, &play);
  bool ended = hd_machine_status_of(play.machine) == HD_MACHINE_EXITED;
  bool races = hd_machine_violations(play.machine) > 0;
  add_end(&play.output, play.machine);
  const char *text = hd_str_text(&play.output);
  bool differs = ended && !races && strcmp(text, expected) != 0;
  if (races)
    unknown(result, "there is a data race (heddle verify)");
  if (differs && repeats(with, &machine, &play.turns, text)) {
    result->verdict = HD_UNSAFE;
    result->spec = quoted(expected);
    result->impl = quoted(text);
  }
  hd_play_free(&play);
  result->runs++;
  return !races && result->verdict != HD_UNSAFE && hd_run_check(run);
}

static void prove(const hd_code *with, const hd_machine_options *given,
                  hd_run *run, hd_compare_teams_result *result) {
  hd_machine_options machine = *given;
  machine.checks = (hd_properties)1 << HD_PROPERTY_RACE;
  hd_teams_result found = {.asks_one = true};
  hd_teams_prove(with, &machine, run, &found);
  if (found.one && found.safe >> HD_PROPERTY_RACE & 1)
    result->verdict = HD_SAFE;
  else
    unknown(result, found.reason
                        ? found.reason
                        : "what is printed may depend on the team, the "
                          "schedule or on who comes first, as far as "
                          "teams can tell");
  hd_free(found.reason);
}

void hd_compare_teams(const hd_code *without, const hd_code *with,
                      const hd_machine_options *machine, uint64_t seed,
                      hd_run *run, hd_compare_teams_result *result) {
  hd_str expected = {0};
  bool more = run_alone(without, machine, run, result, &expected);
  for (uint64_t i = 0; i < RUNS && more; i++)
    more =
        run_once(with, machine, seed + i, run, hd_str_text(&expected), result);
  if (more)
    prove(with, machine, run, result);
  hd_str_free(&expected);
}

void hd_compare_teams_result_free(hd_compare_teams_result *result) {
  hd_free(result->reason);
  hd_free(result->spec);
  hd_free(result->impl);
}
