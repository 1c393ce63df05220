/* SPDX-License-Identifier: MIT */
/* Second opinions on what is safe. */
#include "api/code.h"

#include "api/memory.h"
#include "check/mpi/mpi.h"
#include "check/states/states.h"
#include "engine/teams/teams.h"
#include "front/schedule/schedule.h"
#include "model/escape.h"
#include "model/unset.h"

#include <inttypes.h>
#include <stdlib.h>
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

/* --- certificates by a search --- */

/* Behind an annotation that leaves something open: all states are the rest of
 * the certificate. Whoever judges it makes the search again. The annotation has
 * to be inductive and plain: the search then executes what the judge of
 * annotations followed, and only knows more of the values. */
static const char search_line[] = "heddle search 1";

static void print_search(hd_str *out, const hd_code *code, hd_properties proved,
                         uint64_t states) {
  hd_str_printf(out, "%s\nprogram %016" PRIx64 "\nproves", search_line,
                hd_turns_program(code));
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (proved >> p & 1)
      hd_str_printf(out, " %s", hd_property_name(p));
  hd_str_printf(out, "\nstates %" PRIu64 "\nend\n", states);
}

/* The part of a certificate with a search, or NULL. */
static const char *search_part(const char *text) {
  size_t n = sizeof search_line - 1;
  for (const char *at = text; (at = strstr(at, search_line)) != NULL; at += n)
    if ((at == text || at[-1] == '\n') && at[n] == '\n')
      return at;
  return NULL;
}

/* What it claims; 0: it cannot be read. Printed again it must be the same. */
static hd_properties read_search(const char *text, const hd_code *code,
                                 uint64_t *states, hd_str *why) {
  const char *proves = strstr(text, "\nproves"), *count = NULL;
  hd_properties claims = 0;
  hd_str again = {0};
  if (proves)
    count = strstr(proves, "\nstates ");
  *states = count ? strtoull(count + 8, NULL, 10) : 0;
  for (hd_property p = 0; count && p < HD_PROPERTY_COUNT; p++) {
    const char *name = hd_property_name(p);
    size_t n = strlen(name);
    for (const char *at = proves + 7; at < count; at++)
      if (*at == ' ' && !strncmp(at + 1, name, n) &&
          (at[1 + n] == ' ' || at[1 + n] == '\n'))
        claims |= (hd_properties)1 << p;
  }
  print_search(&again, code, claims, *states);
  if (strcmp(hd_str_text(&again), text) != 0) {
    hd_str_puts(why, "not a search of all states of this program");
    claims = 0;
  } else if (!claims) {
    hd_str_puts(why, "it does not say what it proves");
  }
  hd_str_free(&again);
  return claims;
}

/* Races that weak orders could hide are none of one state, and teams of any size
 * are none of one program. */
static bool can_search(const hd_code *code, bool sc, hd_properties claims) {
  return !hd_teams_used(code) && !hd_mpi_program(code) && !code->pragmas.size &&
         (!(claims >> HD_PROPERTY_RACE & 1) ||
          hd_code_weak_order(code, sc) == HD_NO_ID);
}

#define RACE ((hd_properties)1 << HD_PROPERTY_RACE)

/* All executions are interleavings where there is no race, or one thread. */
static bool is_racy(const hd_code *code, hd_memory_model memory,
                    hd_properties proved) {
  return memory != HD_MEMORY_SC && !(proved & RACE) &&
         hd_code_weakness(code).robust != HD_ROBUST_ALONE;
}

static hd_properties search_again(const hd_code *code,
                                  const hd_machine_options *machine,
                                  hd_properties claims, hd_run *run,
                                  uint64_t *states, hd_str *why) {
  hd_states_options mine = {.machine = *machine, .max_states = *states + 1};
  hd_states_result found = {0};
  hd_properties proved = 0;
  mine.machine.checks = claims;
  if (!can_search(code, machine->sc, claims)) {
    hd_str_puts(why, "what it claims is nothing that a search can show");
    return 0;
  }
  hd_states_search(code, &mine, run, &found);
  *states = found.states;
  if (found.violated)
    hd_str_printf(why, "the search comes to a violation: %s",
                  hd_property_name(found.property));
  else if (!found.complete)
    hd_str_puts(why, found.why ? found.why : "the search has no end");
  else
    proved = claims;
  hd_states_result_free(&found);
  return proved;
}

static hd_properties judge_search(const hd_code *code,
                                  const hd_judge_options *options,
                                  const char *text, hd_run *run,
                                  hd_certified *out, hd_str *why) {
  uint64_t *states = &out->states;
  hd_properties claims = read_search(text, code, states, why);
  uint64_t told = *states;
  out->readable = claims;
  if (!claims || hd_memmodel_refuses(code, options->memory,
                                     claims >> HD_PROPERTY_RACE & 1, why))
    return 0;
  hd_properties proved =
      search_again(code, &options->machine, claims, run, states, why);
  hd_code *unset =
      proved || claims >> HD_PROPERTY_UNINIT & 1 ? NULL : hd_unset_new(code);
  if (unset && run->stop == HD_RUNNING) {
    hd_vec_clear(why);
    *states = told;
    proved = search_again(unset, &options->machine, claims, run, states, why);
  }
  hd_unset_delete(unset);
  return proved;
}

/* --- by an annotation --- */

enum { JUDGE_STEPS = 20000000, BRIEF_STEPS = 40000 };
/* For a brief look where steps take very long. */
static const double brief_seconds = 2.0;

bool hd_code_is_certificate(const char *text) {
  static const char first[] = "heddle annotation ";
  return strncmp(text, first, sizeof first - 1) == 0;
}

/* What the annotation proves of what it claims. */
static hd_properties judge_annotation(const hd_code *code, const char *text,
                                      hd_run *run, hd_walked *walked,
                                      hd_str *why) {
  hd_annotation *notes =
      hd_annotation_parse(text, code, hd_turns_program(code), run, why);
  if (!notes)
    return 0;
  hd_properties claims = hd_annotation_claims(notes);
  /* Without its places it would go round in loops. */
  hd_run mine = *run;
  mine.steps = mine.ticks + JUDGE_STEPS;
  hd_properties proved = hd_annotation_judge(notes, claims, &mine, walked, why);
  run->stop = mine.stop;
  hd_annotation_delete(notes);
  return proved == claims ? proved : 0;
}

void hd_judge_certificate(const hd_code *code, const hd_judge_options *options,
                          const char *text, hd_run *run, hd_certified *out,
                          hd_str *why) {
  const char *search = search_part(text);
  hd_str notes = {0};
  *out = (hd_certified){0};
  hd_str_append(&notes, text, search ? (size_t)(search - text) : strlen(text));
  hd_properties proved =
      judge_annotation(code, hd_str_text(&notes), run, &out->walked, why);
  bool good = out->walked.inductive && !why->size;
  out->readable = out->walked.size;
  if (good && search && !out->walked.plain) {
    hd_str_puts(why, "C leaves open what some results are: the search proves "
                     "nothing");
    proved = 0;
  } else if (good && search) {
    hd_properties more = judge_search(code, options, search, run, out, why);
    proved = more ? proved | more : 0;
    if (proved && is_racy(code, options->memory, proved)) {
      hd_str_puts(why, "without a proof that there is no race the search "
                       "proves nothing");
      proved = 0;
    }
  }
  if (!proved && !why->size)
    hd_str_puts(why, "it does not say what it proves");
  else if (proved && options->asked & ~proved)
    hd_str_puts(why, "it does not prove all that is asked for");
  out->proved = options->asked & ~proved ? 0 : proved;
  hd_str_free(&notes);
}

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
  if (effort == HD_CONFIRM_ALL)
    return mine;
  double end = hd_now() + brief_seconds;
  mine.steps = mine.ticks + BRIEF_STEPS;
  if (mine.deadline <= 0 || end < mine.deadline)
    mine.deadline = end;
  return mine;
}

/* What the annotation that is left in the result proves. */
static hd_certified by_annotation(const hd_code *code, const hd_run *run,
                                  hd_confirm_effort effort,
                                  hd_code_result *result) {
  hd_properties open = 0;
  hd_certified judged = {0};
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (is_open(&result->answers[p]))
      open |= (hd_properties)1 << p;
  if (!open)
    return judged;
  hd_str why = {0}, text = {0};
  hd_run mine =
      limits(run, effort == HD_CONFIRM_CERTIFY ? HD_CONFIRM_ALL : effort);
  make_annotation(code, open, &mine, &text, &why);
  if (text.size)
    judged.proved =
        judge_annotation(code, hd_str_text(&text), &mine, &judged.walked, &why);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if ((judged.proved & open) >> p & 1) {
      result->answers[p].proof = HD_PROOF_ANNOTATION;
      result->answers[p].proof_size = judged.walked.size;
    } else if (open >> p & 1) {
      leave_unfound(&result->answers[p], &why);
    }
  if (judged.proved || judged.walked.plain)
    result->certificate = hd_str_take(&text);
  hd_str_free(&text);
  hd_str_free(&why);
  return judged;
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

static void add_search(const hd_code *code, hd_properties proved,
                       uint64_t states, hd_code_result *result) {
  hd_str text = {0};
  hd_str_puts(&text, result->certificate);
  print_search(&text, code, proved, states);
  hd_free(result->certificate);
  result->certificate = hd_str_take(&text);
}

/* An annotation that proves nothing that was asked for, with no search behind
 * it, is none. */
static void drop_empty(hd_code_result *result) {
  bool good = !result->certificate || search_part(result->certificate);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    good = good || result->answers[p].proof == HD_PROOF_ANNOTATION;
  if (good)
    return;
  hd_free(result->certificate);
  result->certificate = NULL;
}

static void forget_why(hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_free(result->answers[p].unchecked);
    result->answers[p].unchecked = NULL;
  }
}

static hd_verify_status by_search(const hd_code *code,
                                  const hd_code_options *options,
                                  const hd_certified *notes, hd_run *run,
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
  if (found.complete && !found.violated && !mine.known && notes->walked.plain &&
      !is_racy(code, options->memory, notes->proved | mine.machine.checks))
    add_search(code, mine.machine.checks, found.states, result);
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
  hd_certified notes = by_annotation(code, run, effort, result);
  if (hd_memmodel_differs(code, options->memory,
                          result->answers[HD_PROPERTY_RACE].asked)) {
    for (int p = 0; p < HD_PROPERTY_COUNT; p++)
      if (is_open(&result->answers[p]))
        leave(&result->answers[p],
              "no annotation was found, and the search knows interleavings "
              "only");
    drop_empty(result);
    return status;
  }
  hd_run mine = limits(run, effort);
  status = by_search(code, options, &notes, &mine, result, why);
  drop_empty(result);
  if (effort == HD_CONFIRM_BRIEF)
    forget_why(result);
  return status;
}
