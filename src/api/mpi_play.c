/* SPDX-License-Identifier: MIT */
#include "api/mpi_play.h"

#include <string.h>

/* --- writing down --- */

static hd_event_kind kind_of(hd_mpi_event_kind kind) {
  switch (kind) {
  case HD_MPI_SENDS:
    return HD_EVENT_SEND;
  case HD_MPI_RECEIVES:
    return HD_EVENT_RECEIVE;
  case HD_MPI_WAITS:
    return HD_EVENT_BLOCK;
  case HD_MPI_OUTPUT:
    return HD_EVENT_OUTPUT;
  case HD_MPI_ENDS:
    return HD_EVENT_EXIT;
  default:
    return HD_EVENT_STEP;
  }
}

static void write_down(void *context, const hd_mpi_event *event) {
  hd_code_trace *trace = context;
  hd_event e = {.thread = event->process,
                .other = event->other,
                .edge = event->edge,
                .depth = event->depth,
                .object = event->message};
  if (event->kind == HD_MPI_INTERP) {
    e = *event->event;
    e.thread = event->process;
    if (e.kind == HD_EVENT_EXIT || e.kind == HD_EVENT_CREATE ||
        e.kind == HD_EVENT_JOIN || e.kind == HD_EVENT_WAKE)
      return; /* threads in a process */
    hd_code_trace_add(trace, &e, event->move, false);
    return;
  }
  e.kind = kind_of(event->kind);
  hd_str text = {0};
  if (event->kind == HD_MPI_JOINS)
    hd_str_printf(&text, "comes to %s", event->text);
  else if (event->kind == HD_MPI_LEAVES)
    hd_str_printf(&text, "leaves %s", event->text);
  else if (event->kind == HD_MPI_CHOOSES)
    hd_str_printf(&text, "input %s", event->text);
  else if (event->kind == HD_MPI_WAITS && !strncmp(event->text, "for ", 4))
    hd_str_puts(&text, event->text + 4);
  else if (event->kind != HD_MPI_ENDS)
    hd_str_puts(&text, event->text);
  e.text = text.size ? hd_str_text(&text) : NULL;
  hd_code_trace_add(trace, &e, event->move, true);
  hd_str_free(&text);
}

hd_code_trace *hd_mpi_record(const hd_code *code, const hd_mpi_options *options,
                             const hd_turns *turns) {
  hd_code_trace *trace = hd_code_trace_new(code);
  trace->processes = true;
  trace->n_threads = options->procs;
  hd_mpi_options mine = *options;
  mine.observe = write_down;
  mine.context = trace;
  mine.all = true;
  hd_mpi_run run = hd_mpi_replay(code, &mine, turns);
  trace->moves = (uint32_t)run.turns.size;
  hd_mpi_run_free(&run);
  return trace;
}

/* --- one run --- */

typedef struct {
  const hd_mpi_play_options *options;
  hd_mpi_play *play;
} player;

static void take_output(void *context, const hd_mpi_event *event) {
  player *p = context;
  if (event->kind != HD_MPI_OUTPUT || !event->text)
    return;
  hd_str_puts(&p->play->output, event->text);
  if (p->options->output)
    p->options->output(p->options->context, event->text);
}

void hd_mpi_play_once(const hd_code *code, const hd_mpi_play_options *options,
                      hd_run *limits, hd_mpi_play *play) {
  player p = {.options = options, .play = play};
  hd_mpi_options mine = options->mpi;
  mine.observe = take_output;
  mine.context = &p;
  hd_mpi_run run =
      options->schedule
          ? hd_mpi_replay(code, &mine, options->schedule)
          : hd_mpi_random(code, &mine, options->seed, options->inputs,
                          options->n_inputs, 0, limits);
  if (options->schedule && !run.why && run.status == HD_MACHINE_RUNNING)
    run.why = hd_strdup("the schedule ends here");
  play->bad_schedule = options->schedule && run.status == HD_MACHINE_RUNNING &&
                       run.turns.size < options->schedule->size;
  /* Once more, for what only the machine itself knows at its end. */
  mine.observe = NULL;
  hd_mpi *mpi = hd_mpi_new(code, &mine);
  for (hd_vec_each(hd_turn, turn, &run.turns))
    hd_mpi_move(mpi, *turn);
  play->exit_code = hd_mpi_exit_code(mpi);
  for (size_t i = 0; i < hd_mpi_violations(mpi); i++) {
    hd_violation violation = *hd_mpi_violation(mpi, i);
    violation.message = hd_strdup(violation.message);
    hd_vec_push(&play->violations, violation);
  }
  hd_mpi_delete(mpi);
  play->run = run;
}

void hd_mpi_play_free(hd_mpi_play *play) {
  hd_mpi_run_free(&play->run);
  hd_str_free(&play->output);
  for (hd_vec_each(hd_violation, violation, &play->violations))
    hd_free((char *)(uintptr_t)violation->message);
  hd_vec_free(&play->violations);
  *play = (hd_mpi_play){0};
}

/* --- many --- */

/* A shorter run to a violation replaces a longer one. */
static void take(hd_code_result *result, hd_mpi_run *run,
                 const hd_input_values *inputs) {
  hd_code_answer *answer = &result->answers[run->violation.property];
  if (!answer->asked ||
      (answer->verdict == HD_UNSAFE && answer->turns.size <= run->turns.size))
    return;
  hd_free((char *)(uintptr_t)answer->violation.message);
  hd_vec_free(&answer->turns);
  hd_start_free(&answer->start);
  answer->start = (hd_start){0};
  if (inputs)
    hd_input_values_save(inputs, &answer->start);
  answer->verdict = HD_UNSAFE;
  answer->engine = "fuzz";
  answer->violation = run->violation;
  answer->turns.data = run->turns.data;
  answer->turns.size = run->turns.size;
  answer->turns.cap = run->turns.cap;
  run->violation.message = NULL;
  memset(&run->turns, 0, sizeof run->turns);
}

static bool all_found(const hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked && result->answers[p].verdict != HD_UNSAFE)
      return false;
  return true;
}

#define ENOUGH 2000 /* runs after the last new violation, unless bounded */

static void conclude(const hd_code *code, const hd_mpi_options *options,
                     hd_input_values *inputs, hd_code_result *result,
                     const char *reason) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    hd_code_answer *answer = &result->answers[p];
    if (!answer->asked)
      continue;
    if (answer->verdict == HD_UNSAFE) {
      if (inputs)
        hd_input_values_load(inputs, &answer->start);
      answer->trace = hd_mpi_record(code, options, &answer->turns);
      answer->start.processes = options->procs;
    } else {
      answer->engine = "fuzz";
      answer->reason = hd_strdup(reason);
    }
  }
}

void hd_mpi_fuzz(const hd_code *code, const hd_mpi_options *options,
                 uint64_t seed, uint64_t runs, hd_input_values *inputs,
                 hd_run *limits, hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    result->answers[p].asked = options->checks >> p & 1;
  hd_mpi_options mine = *options;
  mine.observe = NULL;
  if (inputs) {
    mine.given = inputs->given.data;
    mine.n_given = inputs->given.size;
    if (hd_notes_have(inputs->notes, HD_NOTE_ASSUME))
      mine.holds = hd_assumptions_hold;
    mine.assumptions = inputs;
  }
  uint64_t made = 0, moves = 0, quiet = 0, outside = 0;
  bool found = false, possible = true;
  while ((!runs || made < runs) && !all_found(result) &&
         (runs || !found || quiet < ENOUGH)) {
    if (!hd_run_check(limits))
      break;
    possible = !inputs || hd_input_values_choose(inputs, seed + made, made % 2);
    if (!possible)
      break;
    hd_mpi_run run =
        hd_mpi_random(code, &mine, seed + made, NULL, 0, 0, limits);
    made++;
    quiet++;
    moves += run.turns.size;
    outside += run.status == HD_MACHINE_ASSUMED;
    if (run.violated) {
      found = true;
      if (result->answers[run.violation.property].verdict != HD_UNSAFE)
        quiet = 0;
      take(result, &run, inputs);
    } else if (run.status == HD_MACHINE_UNSUPPORTED ||
               run.status == HD_MACHINE_DIVERGED ||
               run.status == HD_MACHINE_FAILED)
      hd_remarks_say(&result->notes,
                     run.why ? run.why : "a run could not be ended");
    hd_mpi_run_free(&run);
  }
  hd_result_stat(&result->figures, "fuzz.runs", "", (double)made, "runs");
  hd_result_stat(&result->figures, "fuzz.moves", "", (double)moves, "moves");
  uint64_t counted = made - outside;
  hd_str reason = {0};
  if (possible)
    hd_str_printf(&reason, "nothing found in %llu run%s",
                  (unsigned long long)counted, counted == 1 ? "" : "s");
  else
    hd_str_puts(&reason, "no values were found that the conditions of the "
                         "inputs allow");
  conclude(code, &mine, inputs, result, hd_str_text(&reason));
  hd_str_free(&reason);
}
