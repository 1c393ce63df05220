/* SPDX-License-Identifier: MIT */
#include "report/code_words.h"

#include "report/code_rows.h"
#include "report/code_teams.h"
#include "report/describe.h"

#include <string.h>

void hd_code_answer_free(hd_code_answer *answer) {
  hd_free(answer->reason);
  hd_free(answer->unchecked);
  hd_free(answer->excuse);
  hd_free((char *)(uintptr_t)answer->violation.message);
  hd_start_free(&answer->start);
  hd_vec_free(&answer->turns);
  hd_code_trace_delete(answer->trace);
  *answer = (hd_code_answer){0};
}

void hd_code_result_free(hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    hd_code_answer_free(&result->answers[p]);
  for (hd_vec_each(hd_code_answer, a, &result->more))
    hd_code_answer_free(a);
  hd_vec_free(&result->more);
  hd_remarks_free(&result->notes);
  for (size_t i = 0; i < result->assumes.size; i++)
    hd_free(result->assumes.data[i]);
  hd_vec_free(&result->assumes);
  hd_free(result->remark);
  hd_result_free(&result->figures);
  hd_free(result->certificate);
  *result = (hd_code_result){0};
}

void hd_code_violations(const hd_code_result *result, hd_code_answers *out) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *first = &result->answers[p];
    if (!first->asked || first->verdict != HD_UNSAFE)
      continue;
    hd_vec_push(out, first);
    for (hd_vec_each(const hd_code_answer, a, &result->more))
      if (a->violation.property == (hd_property)p)
        hd_vec_push(out, a);
  }
}

size_t hd_code_standing(const hd_code_result *result, hd_standing standing) {
  hd_code_answers all = {0};
  size_t n = 0;
  hd_code_violations(result, &all);
  for (size_t i = 0; i < all.size; i++)
    n += all.data[i]->standing == standing;
  hd_vec_free(&all);
  return n;
}

bool hd_code_suppressed(const hd_code_result *result) {
  return hd_code_result_worst(result) == HD_UNSAFE &&
         !hd_code_standing(result, HD_STANDING_NEW);
}

hd_verdict hd_code_result_worst(const hd_code_result *result) {
  hd_verdict worst = HD_SAFE;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &result->answers[p];
    if (!answer->asked)
      continue;
    if (answer->verdict == HD_UNSAFE)
      return HD_UNSAFE;
    if (answer->verdict == HD_UNKNOWN)
      worst = HD_UNKNOWN;
  }
  return worst;
}

/* Names of threads are made with the rows; a thread without rows has only its
 * number. */
static void put_thread(hd_str *out, const hd_code_trace *trace, hd_tid thread) {
  hd_code_rows *rows = trace ? hd_code_rows_new(trace, NULL) : NULL;
  if (rows && thread < rows->threads.size)
    hd_str_printf(out, "%s%s", trace->processes ? "" : "thread ",
                  rows->threads.data[thread]);
  else if (thread == 0)
    hd_str_puts(out, "thread main");
  else
    hd_str_printf(out, "thread %u", thread);
  if (rows)
    hd_code_rows_delete(rows);
}

static void put_place(hd_str *out, const hd_code *code,
                      const hd_code_trace *trace, hd_tid thread,
                      hd_edge_id edge, const hd_team_place *team) {
  if (edge < code->edges.size) {
    hd_shown_edge shown = hd_code_shown_edge(code, trace, thread, edge);
    hd_code_where(out, code, code->edges.data[shown.edge].pos);
    hd_str_printf(out, " in %s",
                  hd_code_func_name(code, hd_code_func_of(code, shown.edge)));
    if (shown.model != HD_NO_ID)
      hd_str_printf(out, ", which calls %s",
                    hd_code_func_name(code, shown.model));
  } else
    hd_str_puts(out, "an unknown place");
  if (thread == HD_NO_ID)
    return;
  hd_str_puts(out, " (");
  if (team->thread.size)
    hd_str_puts(out, hd_str_text(&team->thread));
  else
    put_thread(out, trace, thread);
  if (team->iteration.size)
    hd_str_printf(out, ", iteration %s", hd_str_text(&team->iteration));
  hd_str_puts(out, ")");
}

void hd_code_iteration_words(hd_str *out, const char *what,
                             const hd_team_place *at,
                             const hd_team_place *other) {
  const char *end = strstr(what, " (allocated at ");
  if (at->iteration.size && other->iteration.size)
    hd_str_printf(out, "iterations %s and %s both touch %.*s",
                  hd_str_text(&other->iteration), hd_str_text(&at->iteration),
                  end ? (int)(end - what) : (int)strlen(what), what);
}

static void put_iterations(hd_str *out, const char *what,
                           const hd_team_place *at,
                           const hd_team_place *other) {
  hd_str text = {0};
  hd_code_iteration_words(&text, what, at, other);
  if (text.size)
    hd_str_printf(out, ":\n  %s", hd_str_text(&text));
  hd_str_free(&text);
}

void hd_code_violation_words(hd_str *out, const hd_code *code,
                             const hd_code_trace *trace,
                             const hd_violation *v) {
  const char *message = v->message ? v->message : "";
  hd_team_place at = {0}, other = {0};
  if (trace)
    hd_code_team_places(trace, v, &at, &other);
  hd_str_printf(out, "%s: ", hd_property_name(v->property));
  if (v->property == HD_PROPERTY_RACE) {
    hd_str_printf(out, "data race on %s between\n  ", message);
    put_place(out, code, trace, v->other, v->other_edge, &other);
    hd_str_puts(out, " and\n  ");
    put_place(out, code, trace, v->thread, v->edge, &at);
    put_iterations(out, message, &at, &other);
  } else {
    hd_report_one_line(out, *message ? message : "violated");
    if (v->edge < code->edges.size) {
      hd_str_puts(out, "\n  at ");
      put_place(out, code, trace, v->thread, v->edge, &at);
    }
  }
  hd_team_place_free(&at);
  hd_team_place_free(&other);
}

void hd_code_status_words(hd_str *out, const hd_code_run *run) {
  const char *why = run->why ? run->why : "no reason given";
  hd_str_puts(out, "run: ");
  switch (run->status) {
  case HD_MACHINE_RUNNING:
    hd_str_printf(out, "stopped (%s)", why);
    break;
  case HD_MACHINE_EXITED:
    hd_str_printf(out, "exited with %d", run->exit_code);
    break;
  case HD_MACHINE_DEADLOCK:
    hd_str_puts(out, "deadlock");
    break;
  case HD_MACHINE_FAILED:
    hd_str_puts(out, "ended by the violation");
    break;
  case HD_MACHINE_ASSUMED:
    hd_str_puts(out, "an assumption does not hold: this is no run");
    break;
  case HD_MACHINE_UNSUPPORTED:
    hd_str_printf(out, "cannot go on (%s)", why);
    break;
  case HD_MACHINE_DIVERGED:
    hd_str_printf(out, "given up (%s)", why);
    break;
  }
}

const char *hd_code_status_name(hd_machine_status status) {
  switch (status) {
  case HD_MACHINE_RUNNING:
    return "stopped";
  case HD_MACHINE_EXITED:
    return "exited";
  case HD_MACHINE_DEADLOCK:
    return "deadlock";
  case HD_MACHINE_FAILED:
    return "failed";
  case HD_MACHINE_ASSUMED:
    return "assumed";
  case HD_MACHINE_UNSUPPORTED:
    return "unsupported";
  case HD_MACHINE_DIVERGED:
    return "diverged";
  }
  return "";
}

hd_report hd_code_figures(const hd_code_report *report) {
  static const hd_result nothing;
  return (hd_report){
      .result = report->result ? &report->result->figures : &nothing,
      .statistics = report->statistics,
      .seconds = report->seconds,
      .cpu = report->cpu,
      .memory = report->memory,
      .resident = report->resident,
  };
}

void hd_code_statistics_text(hd_str *out, const hd_code_report *report) {
  hd_report figures = hd_code_figures(report);
  hd_report_statistics(out, &figures);
  if (report->statistics)
    hd_str_puts(out, "\n");
}

bool hd_code_same_proof(const hd_code_answer *a, const hd_code_answer *b) {
  return a->asked && b->asked && a->verdict == HD_SAFE &&
         b->verdict == HD_SAFE && a->engine && b->engine &&
         !strcmp(a->engine, b->engine) && a->proof == b->proof &&
         !strcmp(a->unchecked ? a->unchecked : "",
                 b->unchecked ? b->unchecked : "");
}

void hd_code_proof_words(hd_str *out, const hd_code_answer *answer) {
  switch (answer->proof) {
  case HD_PROOF_NONE:
    hd_str_puts(out, "The proof was not checked");
    if (answer->unchecked) {
      hd_str_puts(out, ": ");
      hd_report_one_line(out, answer->unchecked);
    }
    hd_str_puts(out, ".");
    return;
  case HD_PROOF_COUNTERS:
    hd_str_puts(out, "The proof was checked on the counter system made of the "
                     "program.");
    return;
  case HD_PROOF_ANNOTATION:
    hd_str_puts(out, "The proof was checked: an annotation of ");
    hd_describe_counted(out, answer->proof_size, "place", "s");
    hd_str_puts(out, ".");
    return;
  case HD_PROOF_STATES:
    hd_str_puts(out, "The proof was checked: ");
    hd_describe_counted(out, answer->proof_size, "state", "s");
    hd_str_puts(out, " of all threads together.");
    return;
  case HD_PROOF_SEARCH:
    if (answer->proof_size == 1) {
      hd_str_puts(out, "Confirmed by a search of the one state there is.");
      return;
    }
    hd_str_puts(out, "Confirmed by a search of all ");
    hd_describe_counted(out, answer->proof_size, "state", "s");
    hd_str_puts(out, " without reduction.");
    return;
  case HD_PROOF_INTERLEAVINGS:
    hd_str_puts(out, "Confirmed by executing all interleavings: ");
    hd_describe_counted(out, answer->proof_size, "state", "s");
    hd_str_puts(out, ".");
    return;
  }
}

const char *hd_code_proof_name(hd_proof_kind kind) {
  static const char *const names[] = {
      [HD_PROOF_NONE] = NULL,
      [HD_PROOF_COUNTERS] = "counters",
      [HD_PROOF_ANNOTATION] = "annotation",
      [HD_PROOF_STATES] = "states",
      [HD_PROOF_SEARCH] = "search",
      [HD_PROOF_INTERLEAVINGS] = "interleavings",
  };
  return names[kind];
}
