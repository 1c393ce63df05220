/* SPDX-License-Identifier: MIT */
/* heddle run: one execution of a C program. What the program prints goes to
 * standard output and the report to standard error, so that both can be used;
 * with --format=json and svg the report is on standard output and has the
 * output in it. */
#include "cli/code.h"
#include "cli/story.h"
#include "cli/mpi.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void print_output(void *context, const char *text) {
  (void)context;
  fputs(text, stdout);
}

typedef hd_vec(int64_t) values;

/* Whole numbers, decimal or 0x…, between blanks. */
static bool read_inputs(hd_session *session, values *inputs) {
  hd_source source;
  const char *path = session->options.input;
  if (!path)
    return true;
  if (!hd_source_read(path, &source, session->diag))
    return false;
  bool ok = true;
  for (const char *at = source.text; ok;) {
    at += strspn(at, " \t\r\n");
    if (at == source.text + source.size)
      break;
    char *end;
    size_t length = strcspn(at, " \t\r\n");
    errno = 0;
    long long value = strtoll(at, &end, 0);
    if (errno == ERANGE && *at != '-') {
      errno = 0;
      value = (long long)strtoull(at, &end, 0);
    }
    ok = length && end == at + length && !errno;
    if (ok)
      hd_vec_push(inputs, (int64_t)value);
    else
      hd_diag_error(session->diag, &source,
                    hd_source_pos(&source, (size_t)(at - source.text), length),
                    "expected a whole number of 64 bits, found '%.*s'",
                    (int)length, at);
    at = end;
  }
  hd_source_free(&source);
  return ok;
}

typedef hd_vec(hd_violation) violations;

static bool same_place(const hd_violation *a, const hd_violation *b) {
  return a->property == b->property && a->edge == b->edge &&
         a->other_edge == b->other_edge;
}

/* Each once: a loop can race at every turn. */
static void add_violation(violations *list, const hd_violation *violation) {
  for (size_t i = 0; i < list->size; i++)
    if (same_place(&list->data[i], violation))
      return;
  hd_vec_push(list, *violation);
}

/* A race can also be seen in that two threads stand before it when a schedule
 * ends. */
static void take_violations(hd_session *session, const hd_play_options *options,
                            const hd_play *play, hd_replayed *replayed,
                            violations *list) {
  for (size_t i = 0; i < hd_machine_violations(play->machine); i++)
    add_violation(list, hd_machine_violation(play->machine, i));
  if (list->size || !options->schedule)
    return;
  *replayed = hd_replay(session->code, &options->machine, options->schedule,
                        options->machine.checks);
  if (replayed->violated)
    hd_vec_push(list, replayed->violation);
}

static hd_end end_of(const hd_play *play, size_t violations_found) {
  if (violations_found)
    return HD_END_UNSAFE;
  switch (hd_machine_status_of(play->machine)) {
  case HD_MACHINE_EXITED:
  case HD_MACHINE_DEADLOCK: /* and nobody asked for it */
    return HD_END_DONE;
  case HD_MACHINE_RUNNING:
    return play->bad_schedule               ? HD_END_INPUT
           : play->turns.size && !play->why ? HD_END_DONE
                                            : HD_END_UNKNOWN;
  case HD_MACHINE_FAILED:
  case HD_MACHINE_ASSUMED:
  case HD_MACHINE_UNSUPPORTED:
  case HD_MACHINE_DIVERGED:
    return HD_END_UNKNOWN;
  }
  return HD_END_INTERNAL;
}

bool hd_code_write_run(hd_session *session, const hd_code_report *report) {
  const hd_options *o = &session->options;
  hd_str text = {0};
  bool ok = true;
  if (!strcmp(o->code_format, "text")) {
    hd_report_code_text(&text, report);
    if (o->output)
      ok = hd_session_report(session, &text);
    else
      hd_session_say(session, &text);
  } else {
    hd_story_print_code(session, report, &text);
    ok = hd_session_report(session, &text);
  }
  hd_str_free(&text);
  return ok;
}

static hd_end conclude(hd_session *session, const hd_play_options *options,
                       const hd_start *start, const hd_play *play) {
  const hd_options *o = &session->options;
  hd_replayed replayed = {0};
  violations list = {0};
  take_violations(session, options, play, &replayed, &list);
  hd_machine_status status = hd_machine_status_of(play->machine);
  const char *why = play->why ? play->why : hd_machine_why(play->machine);
  why = why && *why ? why : NULL;
  hd_code_run run = {.status = status,
                     .why = why,
                     .exit_code = hd_machine_exit_code(play->machine),
                     .violations = list.data,
                     .n_violations = list.size,
                     .output = hd_str_text(&play->output)};
  hd_end end = end_of(play, list.size);
  hd_code_report report = hd_code_make_report(session, o->n_operands);
  report.run = &run;
  /* Writing everything down is dear: the run is made again where it is read. */
  bool wanted = list.size || o->verbose || o->diagram || o->html ||
                strcmp(o->code_format, "text");
  hd_code_trace *trace = NULL;
  if (wanted)
    trace = hd_code_record(session->code, &options->machine, &play->turns);
  report.trace = trace;
  report.color = o->output ? false : session->color_err;
  report.exit_code = hd_exit_code(end);
  bool ok = fflush(stdout) == 0 && !ferror(stdout);
  if (!ok)
    hd_diag_file_error(session->diag, "<stdout>", "cannot write: %s",
                       strerror(errno));
  if (o->record)
    ok = hd_script_write(session, session->code, o->record, start, &play->turns,
                         NULL) &&
         ok;
  ok = hd_code_write_diagram(session, &report) && ok;
  hd_session_quiet(session);
  ok = hd_code_write_run(session, &report) && ok;
  if (play->bad_schedule)
    hd_diag_file_error(session->diag, o->schedule, "%s", play->why);
  hd_code_trace_delete(trace);
  hd_replayed_free(&replayed);
  hd_vec_free(&list);
  return ok ? end : HD_END_OUTPUT;
}

static hd_end run_with(hd_session *session, hd_play_options *options,
                       const hd_script *script) {
  const hd_options *o = &session->options;
  options->seed = o->seed;
  options->schedule = o->schedule ? &script->turns : NULL;
  if (!strcmp(o->code_format, "text"))
    options->output = print_output;
  hd_play play = {0};
  hd_play_code(session->code, options, &session->run, &play);
  hd_end end = conclude(session, options, &script->start, &play);
  if (play.inputs < options->n_inputs)
    hd_diag_report(session->diag, HD_WARNING, NULL, (hd_pos){0},
                   "%s: %zu of %zu values were not asked for", o->input,
                   options->n_inputs - play.inputs, options->n_inputs);
  hd_play_free(&play);
  return end;
}

hd_end hd_cmd_run(hd_session *session) {
  const hd_options *o = &session->options;
  hd_play_options options = {0};
  hd_end end = HD_END_INPUT;
  if (!hd_code_machine(session, &options.machine, &end))
    return end;
  if (!hd_session_probe(session, o->output) ||
      !hd_session_probe(session, o->record) ||
      !hd_session_probe(session, o->diagram) ||
      !hd_session_probe(session, o->html))
    return HD_END_OUTPUT;
  hd_script script = {0};
  values inputs = {0};
  end = HD_END_INPUT;
  if (hd_session_read_code(session, o->n_operands) &&
      (!o->schedule ||
       hd_script_read(session, o->schedule, &script, &options.machine)) &&
      read_inputs(session, &inputs)) {
    hd_session_messages(session);
    options.inputs = inputs.data;
    options.n_inputs = inputs.size;
    end = hd_script_is_mpi(session, &script)
              ? hd_mpi_command_run(session, &options.machine, &script,
                                   inputs.data, inputs.size)
              : run_with(session, &options, &script);
  }
  hd_script_free(&script);
  hd_vec_free(&inputs);
  return end;
}
