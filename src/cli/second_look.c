/* SPDX-License-Identifier: MIT */
#include "cli/second_look.h"

#include "cli/assumes.h"
#include "engine/explore/explore.h"
#include "model/calls.h"

#include <string.h>
#include <unistd.h>

void hd_second_look_found(void *context, const hd_violation *violation) {
  hd_session *session = context;
  const hd_options *o = &session->options;
  const hd_code *code = session->code;
  if (o->quiet || (!o->verbose && !isatty(2)))
    return;
  hd_str text = {0};
  hd_str_printf(&text, "found after %.1f s: %s: %s, at ",
                hd_now() - session->start,
                hd_property_name(violation->property), violation->message);
  if (violation->edge < code->edges.size)
    hd_code_print_pos(&text, code, code->edges.data[violation->edge].pos);
  hd_str_puts(&text, "\n");
  hd_session_say(session, &text);
  hd_str_free(&text);
}

/* --- what was not asked for --- */

static void look_for_more(hd_session *session, const hd_code_options *options,
                          hd_code_result *result) {
  const hd_options *o = &session->options;
  hd_properties more = 0;
  for (hd_vec_each(const hd_remark, note, &result->notes))
    if (note->why == HD_WHY_UNASKED)
      more |= (hd_properties)1 << note->property;
  more &= ~options->explore.machine.checks;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked)
      more &= ~((hd_properties)1 << p);
  if (o->property || o->checks || options->unbounded || !more ||
      !hd_run_check(&session->run))
    return;
  hd_code_options wider = *options;
  wider.explore.machine.checks |= more;
  wider.choice = NULL;
  wider.found = NULL;
  hd_code_result found = {0};
  hd_str why = {0};
  bool better = false;
  if (hd_verify_code(session->code, &wider, &session->run, &found, &why) ==
      HD_VERIFY_DONE)
    for (int p = 0; p < HD_PROPERTY_COUNT; p++)
      better =
          better || (more >> p & 1 && found.answers[p].verdict == HD_UNSAFE);
  hd_str_free(&why);
  hd_code_result other = better ? *result : found;
  if (better)
    *result = found;
  hd_code_result_free(&other);
}

/* --- what was not looked at --- */

/* One run tells: a program that has printed its usage is safe, and that says
 * nothing. Where inputs may decide whether there are threads it does not. */
static void see_threads(hd_session *session, const hd_code_options *options,
                        hd_code_result *result) {
  enum { MOVES = 20000 };
  if (hd_code_result_worst(result) != HD_SAFE ||
      !hd_code_may(session->code, HD_DO_SPAWN) ||
      hd_code_may(session->code, HD_DO_INPUT))
    return;
  hd_play_options once = {.machine = options->explore.machine,
                          .seed = options->explore.seed};
  hd_run run = {.steps = MOVES, .deadline = hd_now() + 1};
  hd_play play = {0};
  hd_play_code(session->code, &once, &run, &play);
  hd_str note = {0};
  if (play.machine && !play.why && hd_machine_threads(play.machine) == 1) {
    hd_str_printf(&note,
                  "a run creates no thread and ends with status %d: does the "
                  "program need arguments (--arg=TEXT)?",
                  hd_machine_exit_code(play.machine));
    hd_remarks_say(&result->notes, hd_str_text(&note));
    hd_vec_clear(&note);
    hd_str_printf(&note,
                  "of a run that creates no thread and ends with status %d",
                  hd_machine_exit_code(play.machine));
    result->remark = hd_str_take(&note);
  }
  hd_str_free(&note);
  hd_play_free(&play);
}

/* --- limits --- */

static void explain_limit(const hd_session *session, hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &result->answers[p];
    if (!answer->reason || strcmp(answer->reason, "time limit reached") != 0 ||
        hd_options_given(&session->options, HD_OPTION_timeout))
      continue;
    hd_str text = {0};
    hd_str_printf(&text,
                  "time limit reached: %d s, --timeout=SECONDS changes it",
                  HD_CODE_SECONDS);
    hd_free(answer->reason);
    answer->reason = hd_str_take(&text);
  }
}

void hd_second_look(hd_session *session, const hd_code_options *options,
                    hd_code_result *result) {
  look_for_more(session, options, result);
  see_threads(session, options, result);
  explain_limit(session, result);
  hd_assumes_list(session, &options->explore.machine, result);
}
