/* SPDX-License-Identifier: MIT */
/* Second opinions on what is safe. */
#include "api/code.h"

#include "api/memory.h"
#include "check/joint/certificate.h"
#include "check/mpi/mpi.h"
#include "check/states/states.h"
#include "engine/teams/teams.h"
#include "front/schedule/schedule.h"
#include "model/escape.h"
#include "model/unset.h"

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

/* --- certificates --- */

enum { BRIEF_STEPS = 40000, BRIEF_JOINT_STEPS = 800000, MOST_STATES = 4000000 };
/* For a brief look where steps take very long. */
static const double brief_seconds = 2.0;

bool hd_code_is_certificate(const char *text) {
  return hd_certificate_is(text);
}

void hd_judge_certificate(const hd_code *code, const hd_judge_options *options,
                          const char *text, hd_run *run, hd_certified *out,
                          hd_str *why) {
  hd_certificate_verdict judged;
  hd_certificate_judge(code, hd_turns_program(code), text, run, &judged, why);
  if (judged.proved && options->asked & ~judged.proved) {
    hd_str_puts(why, "it does not prove all that is asked for");
    judged.proved = 0;
  } else if (judged.joint.states && options->machine.malloc_fails) {
    hd_str_puts(why, "its states are those where malloc succeeds");
    judged.proved = 0;
  }
  *out = (hd_certified){judged.readable, judged.proved, judged.walked,
                        judged.joint};
}

#define RACE ((hd_properties)1 << HD_PROPERTY_RACE)

/* The annotation that is found, in its text form, with what it proves: also that
 * there is no race, which others may build on. */
static void make_annotation(const hd_code *code, hd_properties open,
                            hd_run *run, hd_str *text, hd_str *why) {
  hd_annotation *notes = hd_annotation_find(code, open, run, why);
  if (!notes)
    return;
  hd_vec_clear(why);
  hd_walked walked;
  hd_properties proved =
      hd_annotation_judge(notes, open | RACE, run, &walked, why);
  hd_annotation_claim(notes, proved);
  hd_annotation_print(text, notes, hd_turns_program(code));
  hd_annotation_delete(notes);
}

/* That none is found says nothing about the proof, or the program. */
static void leave_unfound(hd_code_answer *answer, const hd_str *why) {
  hd_str text = {0};
  hd_str_puts(&text, "no certificate was found that shows it");
  if (why->size)
    hd_str_printf(&text, " (%s)", hd_str_text(why));
  leave(answer, hd_str_text(&text));
  hd_str_free(&text);
}

/* The limits for a brief look; steps are counted so that the same is confirmed
 * again. */
static hd_run limits(const hd_run *run, bool all, uint64_t steps) {
  hd_run mine = *run;
  if (all)
    return mine;
  double end = hd_now() + brief_seconds;
  mine.steps = mine.ticks + steps;
  if (mine.deadline <= 0 || end < mine.deadline)
    mine.deadline = end;
  return mine;
}

static hd_properties all_open(const hd_code_result *result) {
  hd_properties open = 0;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (is_open(&result->answers[p]))
      open |= (hd_properties)1 << p;
  return open;
}

static void note_proof(hd_code_result *result, hd_properties proved,
                       hd_proof_kind kind, uint64_t size) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (proved >> p & 1 && is_open(&result->answers[p])) {
      result->answers[p].proof = kind;
      result->answers[p].proof_size = size;
    }
}

static void leave_open(hd_code_result *result, hd_properties open,
                       const hd_str *why) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (open >> p & 1 && is_open(&result->answers[p]))
      leave_unfound(&result->answers[p], why);
}

/* What an annotation proves is left in front of the certificate. */
static void by_annotation(const hd_code *code, const hd_run *run, bool all,
                          hd_code_result *result) {
  hd_properties open = all_open(result) & HD_ANNOTATION_KNOWN;
  if (!open)
    return;
  hd_certificate_verdict judged = {0};
  hd_str why = {0}, text = {0};
  hd_run mine = limits(run, all, BRIEF_STEPS);
  make_annotation(code, open, &mine, &text, &why);
  if (text.size)
    hd_certificate_judge(code, hd_turns_program(code), hd_str_text(&text),
                         &mine, &judged, &why);
  note_proof(result, judged.proved & open, HD_PROOF_ANNOTATION,
             judged.walked.size);
  leave_open(result, open, &why);
  if (judged.proved & open) {
    hd_str_puts(&text, result->certificate ? result->certificate : "");
    hd_free(result->certificate);
    result->certificate = hd_str_take(&text);
  }
  hd_str_free(&text);
  hd_str_free(&why);
}

/* What all threads together prove comes behind it. */
static void by_states(const hd_code *code, const hd_code_options *options,
                      const hd_run *run, bool all, hd_code_result *result) {
  hd_properties open = all_open(result) & HD_ANNOTATION_KNOWN;
  if (!open || options->explore.machine.malloc_fails)
    return;
  hd_joint_walked walked;
  hd_str why = {0}, text = {0};
  hd_run mine = limits(run, all, BRIEF_JOINT_STEPS);
  hd_properties proved =
      hd_joint_judge(code, open, MOST_STATES, &mine, &walked, &why);
  note_proof(result, proved & open, HD_PROOF_STATES, walked.states);
  leave_open(result, open, &why);
  if (proved & open) {
    hd_str_puts(&text, result->certificate ? result->certificate : "");
    hd_certificate_print_states(&text, hd_turns_program(code), proved & open,
                                walked.states);
    hd_free(result->certificate);
    result->certificate = hd_str_take(&text);
  }
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
  bool all = effort != HD_CONFIRM_BRIEF;
  by_annotation(code, run, false, result);
  by_states(code, options, run, false, result);
  if (all)
    by_states(code, options, run, true, result);
  if (all)
    by_annotation(code, run, true, result);
  if (hd_memmodel_differs(code, options->memory,
                          result->answers[HD_PROPERTY_RACE].asked)) {
    for (int p = 0; p < HD_PROPERTY_COUNT; p++)
      if (is_open(&result->answers[p]))
        leave(&result->answers[p],
              "no certificate was found, and the search knows interleavings "
              "only");
    return status;
  }
  hd_run mine = limits(run, effort == HD_CONFIRM_ALL, BRIEF_STEPS);
  status = by_search(code, options, &mine, result, why);
  if (effort == HD_CONFIRM_BRIEF)
    forget_why(result);
  return status;
}
