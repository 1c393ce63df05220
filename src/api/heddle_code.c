/* SPDX-License-Identifier: MIT */
/* The public interface, C programs: over api/code.h, as the command is. */
#include "api/public.h"

#include "api/code.h"
#include "api/memory.h"
#include "check/mpi/mpi.h"
#include "front/c/c.h"
#include "front/c/property.h"
#include "front/schedule/schedule.h"
#include "model/unset.h"

#include <string.h>

enum { DEFAULT_SECONDS = 60, RUN_SECONDS = 10 };

struct heddle_program {
  hd_code *code;
  hd_code *unset; /* variables that were never set as inputs; NULL = none */
  char *name;     /* of the first file */
  size_t n_files;
};

struct heddle_answers {
  const heddle_program *program;
  hd_code_result result;
};

/* --- reading --- */

static hd_code *compile(const char *const *files, size_t n_files,
                        const hd_c_options *options, hd_diag *diag) {
  hd_c_job *job = hd_c_start(files, n_files, options, diag);
  hd_code *code = job ? hd_c_finish(job, diag) : NULL;
  if (!code || code->main != HD_NO_ID)
    return code;
  hd_diag_file_error(diag, files[0], "there is no function 'main'");
  hd_code_delete(code);
  return NULL;
}

heddle_program *heddle_program_read(const char *const *files, size_t n_files,
                                    const char *const *flags, size_t n_flags,
                                    char **error) {
  if (!n_files) {
    hd_public_fail(error, "a program is made of at least one file\n");
    return NULL;
  }
  hd_str clang = {0}, messages = {0};
  hd_c_options options = {
      .flags = flags, .n_flags = n_flags, .name = files[0], .keep = &clang};
  hd_diag *diag = hd_diag_new();
  hd_code *code = compile(files, n_files, &options, diag);
  if (!code && error) {
    char *rest = NULL;
    hd_public_hand_over(diag, &rest);
    hd_str_printf(&messages, "%s%s", hd_str_text(&clang), rest);
    hd_free(rest);
    *error = hd_str_take(&messages);
  } else {
    hd_diag_delete(diag);
  }
  hd_str_free(&clang);
  if (!code)
    return NULL;
  heddle_program *program = hd_calloc(1, sizeof *program);
  *program = (heddle_program){.code = code,
                              .unset = hd_unset_new(code),
                              .name = hd_strdup(files[0]),
                              .n_files = n_files};
  return program;
}

void heddle_program_free(heddle_program *program) {
  if (!program)
    return;
  hd_unset_delete(program->unset);
  hd_code_delete(program->code);
  hd_free(program->name);
  hd_free(program);
}

/* --- options --- */

bool heddle_options_set_properties(heddle_options *options, const char *list,
                                   char **error) {
  hd_properties set = 0;
  hd_str why = {0};
  bool ok = hd_properties_list(list, &set, &why);
  if (ok)
    options->properties = set;
  else
    hd_public_fail(error, hd_str_text(&why));
  hd_str_free(&why);
  return ok;
}

static hd_machine_options machine_of(const heddle_program *program,
                                     const heddle_options *options) {
  const hd_properties usual = (hd_properties)1 << HD_PROPERTY_ASSERT |
                              (hd_properties)1 << HD_PROPERTY_RACE |
                              (hd_properties)1 << HD_PROPERTY_DEADLOCK;
  hd_machine_options machine = {.spurious = true, .argc = 1};
  machine.checks = options && options->properties ? options->properties : usual;
  machine.clocks = machine.checks >> HD_PROPERTY_RACE & 1;
  machine.argv = (const char *const *)&program->name;
  return machine;
}

static hd_run limits(const heddle_options *options, double seconds) {
  hd_run run = hd_public_run(options);
  if (run.deadline <= 0)
    run.deadline = hd_now() + seconds;
  return run;
}

/* --- verdicts --- */

static bool is_for_threads(const heddle_program *program, char **error) {
  return (!hd_mpi_program(program->code) && !program->code->pragmas.size) ||
         hd_public_fail(error, "programs with MPI or with annotations are for "
                               "the command 'heddle verify'\n");
}

heddle_answers *heddle_program_verify(const heddle_program *program,
                                      const heddle_options *options,
                                      char **error) {
  if (!is_for_threads(program, error))
    return NULL;
  if (options && options->engine && !options->code_engine) {
    hd_public_fail(error, "that engine is not one for C programs\n");
    return NULL;
  }
  hd_code_options how = {.engine = options ? options->code_engine : NULL,
                         .unset = program->unset,
                         .memory = HD_MEMORY_C11};
  how.explore.machine = machine_of(program, options);
  if (how.explore.machine.checks >> HD_PROPERTY_UNINIT & 1)
    how.unset = NULL;
  hd_run run = limits(options, DEFAULT_SECONDS);
  hd_str why = {0};
  heddle_answers *answers = hd_calloc(1, sizeof *answers);
  answers->program = program;
  hd_verify_status status =
      hd_verify_code(program->code, &how, &run, &answers->result, &why);
  if (status == HD_VERIFY_DONE)
    status = hd_confirm_code(program->code, &how, HD_CONFIRM_BRIEF, &run,
                             &answers->result, &why);
  if (status == HD_VERIFY_INTERNAL)
    hd_bug("%s", hd_str_text(&why));
  if (status == HD_VERIFY_REFUSED) {
    hd_public_fail(error, hd_str_text(&why));
    heddle_answers_free(answers);
    answers = NULL;
  }
  hd_str_free(&why);
  return answers;
}

void heddle_answers_free(heddle_answers *answers) {
  if (!answers)
    return;
  hd_code_result_free(&answers->result);
  hd_free(answers);
}

const char *heddle_answers_property(const heddle_answers *answers,
                                    size_t index) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (answers->result.answers[p].asked && !index--)
      return hd_property_name((hd_property)p);
  return NULL;
}

/* NULL for what was not asked for. */
static const hd_code_answer *answer_of(const heddle_answers *answers,
                                       const char *property) {
  hd_property p = hd_property_find(property, strlen(property));
  return p == HD_PROPERTY_COUNT || !answers->result.answers[p].asked
             ? NULL
             : &answers->result.answers[p];
}

heddle_verdict heddle_answers_verdict(const heddle_answers *answers,
                                      const char *property) {
  const hd_code_answer *answer = property ? answer_of(answers, property) : NULL;
  hd_verdict verdict = answer     ? answer->verdict
                       : property ? HD_UNKNOWN
                                  : hd_code_result_worst(&answers->result);
  switch (verdict) {
  case HD_SAFE:
    return HEDDLE_SAFE;
  case HD_UNSAFE:
    return HEDDLE_UNSAFE;
  case HD_UNKNOWN:
    break;
  }
  return HEDDLE_UNKNOWN;
}

const char *heddle_answers_reason(const heddle_answers *answers,
                                  const char *property) {
  const hd_code_answer *answer = answer_of(answers, property);
  if (!answer || answer->verdict == HD_SAFE)
    return NULL;
  return answer->verdict == HD_UNSAFE ? answer->violation.message
                                      : answer->reason;
}

const char *heddle_answers_place(const heddle_answers *answers,
                                 const char *property, uint32_t *line) {
  const hd_code_answer *answer = answer_of(answers, property);
  const hd_code *code = answers->program->code;
  if (!answer || answer->verdict != HD_UNSAFE ||
      answer->violation.edge >= code->edges.size)
    return NULL;
  hd_cpos pos = code->edges.data[answer->violation.edge].pos;
  if (!pos.line)
    return NULL;
  *line = pos.line;
  return code->files.data[pos.file];
}

bool heddle_answers_checked(const heddle_answers *answers,
                            const char *property) {
  const hd_code_answer *answer = answer_of(answers, property);
  return answer &&
         (answer->verdict == HD_UNSAFE ||
          (answer->verdict == HD_SAFE && answer->proof != HD_PROOF_NONE));
}

/* --- reports and evidence --- */

char *heddle_answers_report(const heddle_answers *answers, const char *format) {
  static const int status[] = {
      [HEDDLE_SAFE] = 0, [HEDDLE_UNSAFE] = 10, [HEDDLE_UNKNOWN] = 5};
  const heddle_program *program = answers->program;
  hd_code_report report = {
      .code = program->code,
      .file = program->name,
      .n_files = program->n_files,
      .command = "verify",
      .result = &answers->result,
      .exit_code = status[heddle_answers_verdict(answers, NULL)],
  };
  hd_str text = {0};
  if (!strcmp(format, "text"))
    hd_report_code_text(&text, &report);
  else if (!strcmp(format, "json"))
    hd_report_code_json(&text, &report);
  else
    return NULL;
  return hd_str_take(&text);
}

char *heddle_answers_evidence(const heddle_answers *answers,
                              const char *property) {
  const hd_code_answer *answer = answer_of(answers, property);
  if (answer && answer->verdict == HD_SAFE &&
      (answer->proof == HD_PROOF_ANNOTATION ||
       answer->proof == HD_PROOF_STATES) &&
      answers->result.certificate)
    return hd_strdup(answers->result.certificate);
  if (!answer || answer->verdict != HD_UNSAFE)
    return NULL;
  const hd_code *code =
      answer->trace ? answer->trace->code : answers->program->code;
  hd_str text = {0}, remark = {0};
  hd_str_printf(&remark, "violates: %s", property);
  hd_turns_print(&text, &answer->start, &answer->turns, code,
                 hd_str_text(&remark));
  hd_str_free(&remark);
  return hd_str_take(&text);
}

/* --- judging --- */

static bool check_schedule(const heddle_program *program,
                           const hd_machine_options *machine,
                           const hd_source *source, bool *accepted, char **why,
                           hd_diag *diag) {
  const hd_code *code =
      program->unset && hd_turns_belong(source, program->unset) ? program->unset
                                                                : program->code;
  hd_start start = {0};
  hd_turns turns = {0};
  bool ok = hd_turns_parse(source, code, &start, &turns, diag);
  if (ok && (start.processes || start.inputs.size)) {
    hd_diag_file_error(diag, source->name,
                       "it is about processes or annotated inputs: for the "
                       "command 'heddle check'");
    ok = false;
  }
  if (ok) {
    hd_replayed replayed = hd_replay(code, machine, &turns, machine->checks);
    *accepted = replayed.violated;
    if (!*accepted && why)
      *why = hd_strdup(replayed.why ? replayed.why
                                    : "it violates none of the properties "
                                      "asked for");
    hd_replayed_free(&replayed);
  }
  hd_start_free(&start);
  hd_vec_free(&turns);
  return ok;
}

static bool check_certificate(const heddle_program *program,
                              const heddle_options *options,
                              const hd_source *source, bool *accepted,
                              char **why, hd_diag *diag) {
  hd_run run = limits(options, DEFAULT_SECONDS);
  hd_judge_options judging = {.machine = machine_of(program, options),
                              .asked = options ? options->properties : 0};
  hd_certified judged = {0};
  hd_str text = {0};
  hd_judge_certificate(program->code, &judging, source->text, &run, &judged,
                       &text);
  *accepted = judged.proved;
  if (!judged.readable)
    hd_diag_file_error(diag, source->name, "%s", hd_str_text(&text));
  else if (!*accepted && why)
    *why = hd_str_take(&text);
  hd_str_free(&text);
  return judged.readable;
}

bool heddle_program_check(const heddle_program *program,
                          const heddle_options *options, const char *evidence,
                          size_t size, bool *accepted, char **why,
                          char **error) {
  if (!is_for_threads(program, error))
    return false;
  hd_machine_options machine = machine_of(program, options);
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("evidence", evidence, size);
  bool ok =
      hd_code_is_certificate(source.text)
          ? check_certificate(program, options, &source, accepted, why, diag)
          : check_schedule(program, &machine, &source, accepted, why, diag);
  hd_source_free(&source);
  if (ok)
    hd_diag_delete(diag);
  else
    hd_public_hand_over(diag, error);
  return ok;
}

/* --- one execution --- */

/* Why there is no end of the program's own. */
static const char *no_end(const hd_play *play) {
  const hd_machine *machine = play->machine;
  if (hd_machine_violations(machine))
    return hd_machine_violation(machine, 0)->message;
  if (play->why)
    return play->why;
  if (hd_machine_status_of(machine) == HD_MACHINE_EXITED)
    return NULL;
  const char *why = hd_machine_why(machine);
  return why && *why ? why : "the run does not come to an end";
}

char *heddle_program_run(const heddle_program *program,
                         const heddle_options *options, uint64_t seed,
                         int *status, char **error) {
  if (!is_for_threads(program, error))
    return NULL;
  hd_play_options how = {.machine = machine_of(program, options), .seed = seed};
  hd_run run = limits(options, RUN_SECONDS);
  hd_play play = {0};
  hd_play_code(program->code, &how, &run, &play);
  const char *why = no_end(&play);
  char *output = NULL;
  if (why) {
    hd_public_fail(error, why);
  } else {
    *status = hd_machine_exit_code(play.machine);
    output = hd_strdup(hd_str_text(&play.output));
  }
  hd_play_free(&play);
  return output;
}
