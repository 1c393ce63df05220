/* SPDX-License-Identifier: MIT */
/* heddle run and fuzz of MPI programs. */
#include "cli/mpi.h"

#include "api/inputs.h"
#include "api/mpi.h"
#include "cli/code.h"
#include "cli/harness.h"
#include "cli/story.h"
#include "engine/teams/teams.h"
#include "front/formula/formula.h"
#include "front/schedule/schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char *text, const char *end, uint32_t *out) {
  unsigned long value = 0;
  if (text == end)
    return false;
  for (; text < end && value <= HD_PROCESSES_MOST; text++) {
    if (*text < '0' || *text > '9')
      return false;
    value = 10 * value + (unsigned long)(*text - '0');
  }
  *out = (uint32_t)value;
  return value >= 1 && value <= HD_PROCESSES_MOST;
}

bool hd_mpi_procs(const hd_session *session, uint32_t *least, uint32_t *most) {
  const char *text = session->options.procs;
  *least = *most = 2;
  if (!text)
    return true;
  const char *dots = strstr(text, ".."), *end = text + strlen(text);
  bool any = !strcmp(dots ? dots + 2 : text, "any"), ok = true;
  if (dots)
    ok = read_number(text, dots, least);
  else if (!any)
    ok = read_number(text, end, least);
  if (any)
    *most = HD_PROCS_ANY;
  else if (dots)
    ok = ok && read_number(dots + 2, end, most) && *least <= *most;
  else
    *most = *least;
  if (!ok)
    fprintf(stderr,
            "heddle: --procs: expected a number from 1 to %d, a range like "
            "2..4, or 'any', found '%s'\nTry 'heddle %s --help'.\n",
            HD_PROCESSES_MOST, text,
            hd_command_infos[session->options.command].name);
  return ok;
}

/* `script`: that of a file, which may know it; or NULL. */
static bool one_number(const hd_session *session, const hd_script *script,
                       uint32_t *procs) {
  uint32_t most, known = script ? script->start.processes : 0;
  if (!hd_mpi_procs(session, procs, &most))
    return false;
  if (known && session->options.procs && (*procs != known || most != known)) {
    fprintf(stderr, "heddle: --procs: the schedule is for %u process%s\n",
            known, known == 1 ? "" : "es");
    return false;
  }
  if (known)
    *procs = most = known;
  if (*procs == most)
    return true;
  fprintf(stderr, "heddle: --procs: %s takes one number of processes\n",
          hd_command_infos[session->options.command].name);
  return false;
}

hd_mpi_options hd_mpi_options_of(const hd_session *session,
                                 const hd_machine_options *machine,
                                 uint32_t procs) {
  const hd_options *o = &session->options;
  hd_properties checks = machine->checks;
  if (!o->property)
    checks = (checks | HD_MPI_CHECKS) & ~((hd_properties)1 << HD_PROPERTY_RACE);
  if (!o->property && hd_teams_used(session->code))
    checks |= (hd_properties)1 << HD_PROPERTY_RACE; /* in a process */
  return (hd_mpi_options){
      .procs = procs,
      .checks = checks,
      .potential = !o->deadlock || strcmp(o->deadlock, "absolute") != 0,
      .argc = machine->argc,
      .argv = machine->argv,
      .given = machine->given,
      .n_given = machine->n_given,
  };
}

/* --- run --- */

static void print_output(void *context, const char *text) {
  (void)context;
  fputs(text, stdout);
}

static hd_end end_of(const hd_mpi_play *play) {
  if (play->violations.size)
    return HD_END_UNSAFE;
  switch (play->run.status) {
  case HD_MACHINE_EXITED:
  case HD_MACHINE_DEADLOCK: /* and nobody asked for it */
    return HD_END_DONE;
  case HD_MACHINE_RUNNING:
    return play->bad_schedule ? HD_END_INPUT : HD_END_UNKNOWN;
  default:
    return HD_END_UNKNOWN;
  }
}

static hd_end report_run(hd_session *session, const hd_mpi_options *mpi,
                         hd_start start, const hd_mpi_play *play) {
  const hd_options *o = &session->options;
  hd_code_run run = {.status = play->run.status,
                     .why = play->run.why,
                     .exit_code = play->exit_code,
                     .violations = play->violations.data,
                     .n_violations = play->violations.size,
                     .output = hd_str_text(&play->output)};
  hd_end end = end_of(play);
  hd_code_report report = hd_code_make_report(session, o->n_operands);
  report.run = &run;
  bool wanted = play->violations.size || o->verbose || o->diagram || o->html ||
                strcmp(o->code_format, "text") != 0;
  hd_code_trace *trace =
      wanted ? hd_mpi_record(session->code, mpi, &play->run.turns) : NULL;
  report.trace = trace;
  report.color = o->output ? false : session->color_err;
  report.exit_code = hd_exit_code(end);
  bool ok = fflush(stdout) == 0 && !ferror(stdout);
  if (!ok)
    hd_diag_file_error(session->diag, "<stdout>", "cannot write: %s",
                       strerror(errno));
  if (o->record)
    ok = hd_script_write(session, session->code, o->record, &start,
                         &play->run.turns, NULL) &&
         ok;
  ok = hd_code_write_diagram(session, &report) && ok;
  hd_session_quiet(session);
  ok = hd_code_write_run(session, &report) && ok;
  if (play->bad_schedule)
    hd_diag_file_error(session->diag, o->schedule, "%s", play->run.why);
  hd_code_trace_delete(trace);
  return ok ? end : HD_END_OUTPUT;
}

hd_end hd_mpi_command_run(hd_session *session,
                          const hd_machine_options *machine,
                          const hd_script *script, const int64_t *inputs,
                          size_t n_inputs) {
  const hd_options *o = &session->options;
  uint32_t procs;
  if (!one_number(session, script, &procs))
    return HD_END_USAGE;
  hd_mpi_play_options options = {
      .mpi = hd_mpi_options_of(session, machine, procs),
      .schedule = o->schedule ? &script->turns : NULL,
      .seed = o->seed,
      .inputs = inputs,
      .n_inputs = n_inputs};
  if (!strcmp(o->code_format, "text"))
    options.output = print_output;
  hd_mpi_play play = {0};
  hd_mpi_play_once(session->code, &options, &session->run, &play);
  hd_start start = script->start;
  start.processes = procs;
  hd_end end = report_run(session, &options.mpi, start, &play);
  hd_mpi_play_free(&play);
  return end;
}

/* --- fuzz --- */

static hd_end fuzz(hd_session *session, const hd_machine_options *machine,
                   const hd_notes *notes) {
  const hd_options *o = &session->options;
  uint32_t procs;
  if (!one_number(session, NULL, &procs))
    return HD_END_USAGE;
  if (!hd_mpi_program(session->code))
    procs = 1;
  hd_mpi_options mpi = hd_mpi_options_of(session, machine, procs);
  hd_code_result result = {0};
  hd_input_values inputs = {0};
  if (notes)
    hd_input_values_start(&inputs, notes);
  hd_mpi_fuzz(session->code, &mpi, o->seed, o->runs, notes ? &inputs : NULL,
              &session->run, &result);
  mpi.given = inputs.given.data; /* those of the last violation */
  mpi.n_given = inputs.given.size;
  hd_end end = hd_code_conclude(session, NULL, &result);
  if (notes)
    hd_input_values_drop(&inputs);
  if (!hd_harness_write_mpi(session, &mpi, &result))
    end = HD_END_OUTPUT;
  hd_code_result_free(&result);
  return end;
}

/* Inputs have the value that C gives them, unless annotations say what they may
 * be. */
bool hd_mpi_command_fuzz(hd_session *session, const hd_machine_options *machine,
                         hd_end *end) {
  hd_notes notes;
  if (!hd_notes_read(&notes, session->code, session->diag)) {
    *end = HD_END_INPUT;
    hd_notes_free(&notes);
    return true;
  }
  bool limits = hd_notes_have(&notes, HD_NOTE_ASSUME);
  for (hd_vec_each(const hd_note, note, &notes.notes))
    limits =
        limits || (note->kind == HD_NOTE_INPUT && note->formula != HD_NO_ID);
  bool mine = limits || hd_mpi_program(session->code);
  if (mine)
    *end = fuzz(session, machine, limits ? &notes : NULL);
  hd_notes_free(&notes);
  return mine;
}

/* --- check --- */

bool hd_mpi_judge(const hd_session *session, const hd_machine_options *machine,
                  const hd_script *script, hd_replayed *replayed,
                  hd_code_trace **trace) {
  const hd_turns *turns = &script->turns;
  uint32_t procs;
  if (!one_number(session, script, &procs))
    return false;
  hd_mpi_options mpi = hd_mpi_options_of(session, machine, procs);
  hd_mpi_run run = hd_mpi_replay(session->code, &mpi, turns);
  *trace = hd_mpi_record(session->code, &mpi, turns);
  *replayed = (hd_replayed){.turns = run.turns.size,
                            .status = run.status,
                            .violated = run.violated,
                            .violation = run.violation,
                            .why = run.why};
  run.violation.message = NULL; /* both are the caller's now */
  run.why = NULL;
  hd_mpi_run_free(&run);
  return true;
}

/* --- verify --outcomes --- */

static void print_outcomes(hd_str *out, const hd_mpi_space *space) {
  for (size_t i = 0; i < space->outcomes.size; i++) {
    hd_str_puts(out, "exit: ");
    for (const char *c = space->outcomes.data[i]; *c; c++)
      if (*c == '\n' || *c == '\\')
        hd_str_puts(out, *c == '\n' ? "\\n" : "\\\\");
      else
        hd_str_append(out, c, 1);
    hd_str_puts(out, "\n");
  }
  if (space->potential)
    hd_str_printf(out, "deadlock: %s\n",
                  space->absolute ? "absolute" : "potential");
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (p != HD_PROPERTY_DEADLOCK && space->violated >> p & 1)
      hd_str_printf(out, "violates: %s\n", hd_property_name((hd_property)p));
  hd_str_printf(out, "outcomes: %zu, %llu states, %s", space->outcomes.size,
                (unsigned long long)space->states,
                space->complete ? "complete" : "incomplete");
  if (!space->complete)
    hd_str_printf(out, " (%s)", space->why);
  hd_str_puts(out, "\n");
}

hd_end hd_mpi_command_outcomes(hd_session *session,
                               const hd_machine_options *machine) {
  uint32_t procs;
  if (!one_number(session, NULL, &procs))
    return HD_END_USAGE;
  hd_mpi_options mpi = hd_mpi_options_of(session, machine, procs);
  hd_mpi_space space;
  hd_mpi_explore(session->code, &mpi, &session->run, 0, &space);
  hd_str text = {0};
  print_outcomes(&text, &space);
  hd_end end = space.complete ? HD_END_DONE : HD_END_UNKNOWN;
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  hd_mpi_space_free(&space);
  return end;
}
