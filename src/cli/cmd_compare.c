/* SPDX-License-Identifier: MIT */
/* heddle compare: do two programs compute the same? */
#include "api/compare.h"
#include "api/compare_teams.h"
#include "api/mpi_play.h"
#include "cli/session.h"
#include "engine/teams/teams.h"
#include "front/formula/formula.h"
#include "front/schedule/schedule.h"
#include "report/compare.h"

#include <stdlib.h>
#include <string.h>

/* --procs is for programs that call MPI; others have one process. */
static bool read_procs(const hd_options *o, const hd_code *code,
                       uint32_t *procs) {
  *procs = 1;
  if (!hd_mpi_program(code))
    return true;
  char *end = NULL;
  unsigned long n = o->procs ? strtoul(o->procs, &end, 10) : 2;
  if (o->procs && (*end || !n || n > HD_PROCESSES_MOST)) {
    fprintf(stderr,
            "heddle: --procs: compare takes one number from 1 to %d, not "
            "'%s'\nTry 'heddle compare --help'.\n",
            HD_PROCESSES_MOST, o->procs);
    return false;
  }
  *procs = (uint32_t)n;
  return true;
}

static void add_figures(hd_result *figures, const hd_compare_result *result) {
  const hd_lise_result *l = &result->lise;
  hd_result_stat(figures, "compare.runs", "", (double)result->runs,
                 "pairs of runs with inputs by chance");
  hd_result_stat(figures, "lise.states", "", (double)l->states,
                 "symbolic states");
  hd_result_stat(figures, "lise.transitions", "", (double)l->transitions,
                 "transitions");
  hd_result_stat(figures, "lise.matches", "", (double)l->matches,
                 "states that were seen before");
  hd_result_stat(figures, "lise.proofs", "", (double)l->proofs,
                 "questions that the prover was asked");
  hd_result_stat(figures, "lise.questions", "", (double)l->questions,
                 "questions in all");
}

/* Equal, but only as far as loops were followed, is not enough. */
static hd_verdict judge(const hd_options *o, const hd_compare_result *result) {
  if (result->verdict == HD_SAFE && result->bounded && !o->accept_bounded)
    return HD_UNKNOWN;
  return result->verdict;
}

static hd_end conclude(hd_session *session, const hd_notes *notes[2],
                       const hd_compare_options *options,
                       const hd_compare_result *result) {
  const hd_options *o = &session->options;
  hd_verdict verdict = judge(o, result);
  hd_end end = hd_end_for_numbers(session, verdict, result->ideal);
  hd_result figures = {0};
  add_figures(&figures, result);
  hd_compare_report report = {
      .spec = o->operands[0],
      .impl = o->operands[1],
      .spec_procs = options->spec_procs,
      .impl_procs = options->impl_procs,
      .codes = {notes[0]->code, notes[1]->code},
      .verdict = verdict,
      .bounded = result->bounded,
      .ideal = result->ideal,
      .bound = options->lise.unwind,
      .reason = result->reason,
      .inputs = (const char *const *)result->given.data,
      .n_inputs = result->given.size,
      .output = result->run.differ ? result->run.output : NULL,
      .spec_value = result->run.spec,
      .impl_value = result->run.impl,
      .finding = &result->lise.finding,
      .notes = (const char *const *)result->lise.notes.data,
      .n_notes = result->lise.notes.size,
      .figures = {.result = &figures,
                  .quiet = o->quiet,
                  .statistics = o->statistics,
                  .color = session->color_out,
                  .exit_code = hd_exit_code(end),
                  .seconds = hd_session_seconds(session),
                  .cpu = hd_cpu(),
                  .memory = hd_mem_peak(),
                  .resident = hd_session_resident()},
  };
  hd_str text = {0};
  if (!strcmp(o->format, "json"))
    hd_report_compare_json(&text, &report);
  else
    hd_report_compare_text(&text, &report);
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  hd_result_free(&figures);
  return end;
}

static hd_end compare(hd_session *session, const hd_code *codes[2]) {
  const hd_options *o = &session->options;
  hd_compare_options options = {
      .tries = 20,
      .seed = o->seed,
      .lise = {.checks = HD_MPI_CHECKS | HD_PROPERTIES_MPI,
               .potential = !strcmp(o->deadlock, "potential"),
               .c_numbers = strcmp(o->numbers, "ideal") != 0,
               .unwind = (uint32_t)o->bound},
  };
  if (!read_procs(o, codes[0], &options.spec_procs) ||
      !read_procs(o, codes[1], &options.impl_procs))
    return HD_END_USAGE;
  hd_notes spec, impl;
  hd_end end = HD_END_INPUT;
  if (hd_notes_read_pair(&spec, codes[0], &impl, codes[1], session->diag) &&
      hd_compare_outputs_fit(&spec, &impl, session->diag)) {
    hd_session_messages(session);
    hd_compare_result result = {0};
    hd_compare(&spec, &impl, &options, &session->run, &result);
    end = conclude(session, (const hd_notes *[]){&spec, &impl}, &options,
                   &result);
    hd_compare_result_free(&result);
  }
  hd_notes_free(&spec);
  hd_notes_free(&impl);
  return end;
}

/* A program with OpenMP, and the same without it. */
static hd_end compare_teams(hd_session *session, const hd_code *codes[2]) {
  const hd_options *o = &session->options;
  hd_compare_teams_result result = {0};
  hd_machine_options machine = {.argc = 1, .argv = o->operands};
  hd_compare_teams(codes[0], codes[1], &machine, o->seed, &session->run,
                   &result);
  hd_end end = hd_end_for_numbers(session, result.verdict, false);
  hd_result figures = {0};
  hd_result_stat(&figures, "compare.runs", "", (double)result.runs,
                 "runs of the program with OpenMP");
  static const char *const notes[] = {
      "what is printed and the exit status are compared; the specification is "
      "read without OpenMP, and main is called without arguments"};
  hd_compare_report report = {
      .spec = o->operands[0],
      .impl = o->operands[1],
      .spec_procs = 1,
      .impl_procs = 1,
      .codes = {codes[0], codes[1]},
      .verdict = result.verdict,
      .reason = result.reason,
      .output = result.verdict == HD_UNSAFE ? "printed" : NULL,
      .spec_value = result.spec,
      .impl_value = result.impl,
      .notes = notes,
      .n_notes = 1,
      .figures = {.result = &figures,
                  .quiet = o->quiet,
                  .statistics = o->statistics,
                  .color = session->color_out,
                  .exit_code = hd_exit_code(end),
                  .seconds = hd_session_seconds(session),
                  .cpu = hd_cpu(),
                  .memory = hd_mem_peak(),
                  .resident = hd_session_resident()},
  };
  hd_str text = {0};
  if (!strcmp(o->format, "json"))
    hd_report_compare_json(&text, &report);
  else
    hd_report_compare_text(&text, &report);
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  hd_result_free(&figures);
  hd_compare_teams_result_free(&result);
  return end;
}

hd_end hd_cmd_compare(hd_session *session) {
  if (!hd_session_probe(session, session->options.output))
    return HD_END_OUTPUT;
  hd_code *codes[2] = {0};
  hd_end end = HD_END_INPUT;
  if (hd_session_read_pair(session, codes))
    end = (hd_teams_used(codes[1]) ? compare_teams : compare)(
        session, (const hd_code *[]){codes[0], codes[1]});
  hd_code_delete(codes[1]);
  hd_code_delete(codes[0]);
  return end;
}
