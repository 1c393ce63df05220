/* SPDX-License-Identifier: MIT */
/* Second opinions on what is safe. */
#include "api/code.h"

#include "api/memory.h"
#include "check/states/states.h"
#include "engine/teams/teams.h"
#include "front/schedule/schedule.h"
#include "model/escape.h"

#include <string.h>

static bool is_open(const hd_code_answer *answer) {
  return answer->asked && answer->verdict == HD_SAFE &&
         answer->proof <= HD_PROOF_COUNTERS;
}

static void leave(hd_code_answer *answer, const char *why) {
  hd_free(answer->unchecked);
  answer->unchecked = hd_strdup(why);
}

/* Races that weak orders could hide are none of one state. */
static void leave_races(const hd_code *code, bool sc, hd_code_result *result) {
  hd_edge_id edge = hd_code_weak_order(code, sc);
  if (edge == HD_NO_ID)
    return;
  hd_str text = {0};
  hd_str_puts(&text, "the action at ");
  hd_code_print_pos(&text, code, code->edges.data[edge].pos);
  hd_str_puts(&text, " may keep others apart without ordering them");
  leave(&result->answers[HD_PROPERTY_RACE], hd_str_text(&text));
  hd_str_free(&text);
}

enum { JUDGE_STEPS = 20000000, BRIEF_STEPS = 40000 };
/* For a brief look where steps take very long. */
static const double brief_seconds = 2.0;

bool hd_code_is_annotation(const char *text) {
  static const char first[] = "heddle annotation ";
  return strncmp(text, first, sizeof first - 1) == 0;
}

hd_properties hd_judge_annotation(const hd_code *code, const char *text,
                                  hd_properties asked, hd_run *run,
                                  hd_walked *walked, hd_str *why) {
  *walked = (hd_walked){0};
  hd_annotation *notes =
      hd_annotation_parse(text, code, hd_turns_program(code), run, why);
  if (!notes)
    return 0;
  if (!asked)
    asked = hd_annotation_claims(notes);
  /* Without its places it would go round in loops. */
  hd_run mine = *run;
  mine.steps = mine.ticks + JUDGE_STEPS;
  hd_properties proved = hd_annotation_judge(notes, asked, &mine, walked, why);
  run->stop = mine.stop;
  hd_annotation_delete(notes);
  if (!asked && !why->size)
    hd_str_puts(why, "it does not say what it proves");
  return proved == asked ? proved : 0;
}

/* What the annotation that is found proves, in its text form. */
static hd_properties make_annotation(const hd_code *code, hd_properties open,
                                     hd_run *run, hd_str *text, hd_str *why) {
  hd_annotation *notes = hd_annotation_find(code, open, run, why);
  if (!notes)
    return 0;
  hd_vec_clear(why);
  hd_walked walked;
  hd_properties proved = hd_annotation_judge(notes, open, run, &walked, why);
  hd_annotation_claim(notes, proved);
  hd_annotation_print(text, notes, hd_turns_program(code));
  hd_annotation_delete(notes);
  return proved;
}

/* That none is found says nothing about the proof, or the program. */
static void leave_unfound(hd_code_answer *answer, const hd_str *why) {
  hd_str text = {0};
  hd_str_puts(&text, "no annotation was found that shows it");
  if (why->size)
    hd_str_printf(&text, " (%s)", hd_str_text(why));
  leave(answer, hd_str_text(&text));
  hd_str_free(&text);
}

/* The limits for one of the two; steps are counted so that the same is confirmed
 * again. */
static hd_run limits(const hd_run *run, hd_confirm_effort effort) {
  hd_run mine = *run;
  if (effort != HD_CONFIRM_BRIEF)
    return mine;
  double end = hd_now() + brief_seconds;
  mine.steps = mine.ticks + BRIEF_STEPS;
  if (mine.deadline <= 0 || end < mine.deadline)
    mine.deadline = end;
  return mine;
}

static void by_annotation(const hd_code *code, const hd_run *run,
                          hd_confirm_effort effort, hd_code_result *result) {
  hd_properties open = 0;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (is_open(&result->answers[p]))
      open |= (hd_properties)1 << p;
  if (!open)
    return;
  hd_str why = {0}, text = {0};
  hd_run mine = limits(run, effort);
  hd_walked walked = {0};
  hd_properties proved = make_annotation(code, open, &mine, &text, &why);
  if (proved)
    proved = hd_judge_annotation(code, hd_str_text(&text), proved, &mine,
                                 &walked, &why);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (proved >> p & 1) {
      result->answers[p].proof = HD_PROOF_ANNOTATION;
      result->answers[p].proof_size = walked.size;
    } else if (open >> p & 1) {
      leave_unfound(&result->answers[p], &why);
    }
  if (proved)
    result->certificate = hd_str_take(&text);
  hd_str_free(&text);
  hd_str_free(&why);
}

static void disagree(const hd_code *code, const hd_code_result *result,
                     const hd_states_result *found, hd_str *why) {
  hd_start start = {0};
  hd_str_printf(why,
                "'%s' is safe for %s, but a search of all states comes to a "
                "violation by this schedule:\n",
                hd_property_name(found->property),
                result->answers[found->property].engine);
  hd_turns_print(why, &start, &found->turns, code, NULL);
}

static void forget_why(hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_free(result->answers[p].unchecked);
    result->answers[p].unchecked = NULL;
  }
}

static hd_verify_status by_search(const hd_code *code,
                                  const hd_code_options *options, hd_run *run,
                                  hd_code_result *result, hd_str *why) {
  hd_states_options mine = {.machine = options->explore.machine};
  hd_states_result found = {0};
  hd_verify_status status = HD_VERIFY_DONE;
  forget_why(result);
  if (is_open(&result->answers[HD_PROPERTY_RACE]))
    leave_races(code, mine.machine.sc, result);
  mine.machine.checks = 0;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (is_open(&result->answers[p]) && !result->answers[p].unchecked)
      mine.machine.checks |= (hd_properties)1 << p;
  /* What is undefined, and found to happen, ends runs. */
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if ((p == HD_PROPERTY_MEMORY || p == HD_PROPERTY_ARITH) &&
        result->answers[p].asked && result->answers[p].verdict == HD_UNSAFE)
      mine.known |= (hd_properties)1 << p;
  if (!mine.machine.checks)
    return status;
  hd_states_search(result->inputs ? options->unset : code, &mine, run, &found);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &result->answers[p];
    if (!(mine.machine.checks >> p & 1))
      continue;
    if (found.complete) {
      answer->proof = HD_PROOF_SEARCH;
      answer->proof_size = found.states ? found.states : 1;
    } else if (found.why) {
      leave(answer, found.why);
    }
  }
  if (found.violated) {
    disagree(code, result, &found, why);
    status = HD_VERIFY_INTERNAL;
  }
  hd_result_stat(&result->figures, "confirm.states", "", (double)found.states,
                 "states of the search without reduction");
  hd_result_stat(&result->figures, "confirm.moves", "", (double)found.moves,
                 "moves between them");
  hd_states_result_free(&found);
  return status;
}

hd_verify_status hd_confirm_code(const hd_code *code,
                                 const hd_code_options *options,
                                 hd_confirm_effort effort, hd_run *run,
                                 hd_code_result *result, hd_str *why) {
  hd_verify_status status = HD_VERIFY_DONE;
  if (hd_teams_used(code)) /* all sizes of a team are beyond both */
    return status;
  if (hd_memmodel_differs(code, options->memory,
                          result->answers[HD_PROPERTY_RACE]
                              .asked)) { /* both know interleavings only */
    for (int p = 0; p < HD_PROPERTY_COUNT; p++)
      if (is_open(&result->answers[p]))
        leave(&result->answers[p],
              "what judges again knows interleavings only");
    return status;
  }
  by_annotation(code, run, effort, result);
  if (effort == HD_CONFIRM_ANNOTATE)
    return status;
  hd_run mine = limits(run, effort);
  status = by_search(code, options, &mine, result, why);
  if (effort == HD_CONFIRM_BRIEF)
    forget_why(result);
  return status;
}
