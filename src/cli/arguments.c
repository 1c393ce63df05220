/* SPDX-License-Identifier: MIT */
#include "cli/arguments.h"

#include "api/code_job.h"
#include "engine/teams/teams.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 8, LARGEST = 1000000, RUNS = 20 };
static const double seconds = 4;

typedef hd_vec(int64_t) numbers;

static void add(numbers *list, int64_t value) {
  for (size_t i = 0; i < list->size; i++)
    if (list->data[i] == value)
      return;
  if (value > 0 && value <= LARGEST && list->size < MOST)
    hd_vec_push(list, value);
}

static void find(const hd_code *code, hd_cexpr_id id, numbers *list) {
  if (id == HD_NO_ID)
    return;
  const hd_cexpr *e = &code->exprs.data[id];
  for (size_t i = 0; i < 3; i++)
    find(code, e->args[i], list);
  if (e->op < HD_CODE_EQ || e->op > HD_CODE_SGE)
    return;
  for (size_t i = 0; i < 2; i++) {
    const hd_cexpr *arg = &code->exprs.data[e->args[i]];
    if (arg->op == HD_CODE_INT && arg->type.kind == HD_TYPE_INT) {
      add(list, (int64_t)arg->value + 1);
      add(list, (int64_t)arg->value);
    }
  }
}

/* In conditions of functions that the program's sources have. */
static void find_numbers(const hd_code *code, numbers *list) {
  for (hd_vec_each(const hd_func, f, &code->funcs))
    for (hd_loc_id l = f->locs;
         f->defined && f->pos.line && l < f->locs + f->n_locs; l++)
      for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++)
        find(code, code->edges.data[code->out[i]].guard, list);
}

static bool shows(hd_session *session, const hd_code_options *options,
                  hd_code_result *result) {
  hd_code_options mine = *options;
  hd_run run = session->run;
  hd_str why = {0};
  if (run.deadline <= 0 || hd_now() + seconds < run.deadline)
    run.deadline = hd_now() + seconds;
  mine.engine = "fuzz";
  mine.explore.runs = RUNS;
  mine.explore.first_only = true;
  mine.wider = false;
  bool done = hd_verify_code(session->code, &mine, &run, result, &why) ==
              HD_VERIFY_DONE;
  hd_str_free(&why);
  return done && result->answers[HD_PROPERTY_RACE].verdict == HD_UNSAFE;
}

/* With one argument. */
static bool try_one(hd_session *session, hd_code_options *options,
                    int64_t number, hd_code_result *result) {
  static char text[24];
  snprintf(text, sizeof text, "%" PRId64, number);
  hd_vec_clear(&session->argv);
  hd_vec_push(&session->argv, session->options.operands[0]);
  hd_vec_push(&session->argv, text);
  hd_vec_push(&session->argv, NULL);
  options->explore.machine.argc = 2;
  options->explore.machine.argv = session->argv.data;
  hd_code_result found = {0};
  if (!shows(session, options, &found)) {
    hd_code_result_free(&found);
    return false;
  }
  hd_code_result_free(result);
  *result = found;
  hd_str note = {0};
  hd_str_printf(&note, "main is called with the argument '%s' (--args)", text);
  hd_remarks_say(&result->notes, hd_str_text(&note));
  hd_str_free(&note);
  return true;
}

static void hint(const hd_session *session, hd_code_result *result) {
  const hd_options *o = &session->options;
  for (size_t i = 0; i < o->n_listed; i++)
    if (o->listed[i].option == HD_OPTION_cflag &&
        strstr(o->listed[i].text, "openmp"))
      return;
  if (hd_teams_used(session->code))
    hd_remarks_say(&result->notes,
                   "#pragma omp is read as with -fopenmp, which was not "
                   "given (-fno-openmp: as a comment)");
}

static void try_numbers(hd_session *session, hd_code_options *options,
                        hd_code_result *result) {
  const hd_code_answer *race = &result->answers[HD_PROPERTY_RACE];
  if (!race->asked || race->verdict != HD_UNKNOWN || options->engine ||
      options->explore.machine.argc > 1 || !hd_teams_used(session->code) ||
      !hd_teams_use_arguments(session->code))
    return;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].verdict == HD_UNSAFE)
      return;
  numbers list = {0};
  const hd_code_options given = *options;
  bool found = false;
  find_numbers(session->code, &list);
  for (size_t i = 0; i < list.size && !found && hd_run_check(&session->run);
       i++)
    found = try_one(session, options, list.data[i], result);
  hd_vec_free(&list);
  if (found)
    return;
  *options = given;
  hd_vec_clear(&session->argv);
  hd_vec_push(&session->argv, session->options.operands[0]);
  hd_vec_push(&session->argv, NULL);
  options->explore.machine.argv = session->argv.data;
}

hd_code_result *hd_arguments_try(hd_session *session, hd_code_options *options,
                                 hd_code_result *result) {
  try_numbers(session, options, result);
  hint(session, result);
  return result;
}
