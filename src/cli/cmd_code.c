/* SPDX-License-Identifier: MIT */
/* heddle verify, fuzz and check of C programs. */
#include "cli/hints.h"
#include "cli/arguments.h"
#include "cli/code.h"

#include "api/answer.h"
#include "api/code_job.h"
#include "api/memory.h"
#include "cli/cache.h"

#include "base/vec.h"
#include "cli/findings.h"
#include "cli/mpi.h"
#include "cli/harness.h"
#include "cli/second_look.h"
#include "cli/story.h"
#include "front/c/property.h"
#include "model/unset.h"
#include "model/unwind.h"
#include "report/witness.h"

#include <stdlib.h>
#include <string.h>

/* --- what the options say --- */

static bool unbounded(const hd_options *o) {
  return o->threads && !strcmp(o->threads, "unbounded");
}

static hd_memory_model memory_of(const hd_options *o) {
  hd_memory_model model = HD_MEMORY_C11;
  if (o->memory_model && !hd_memmodel_find(o->memory_model, &model))
    hd_bug("--memory-model=%s", o->memory_model);
  /* A litmus test asks for executions, also of what races. */
  if (!o->given[HD_OPTION_memory_model] && hd_options_litmus(o))
    model = HD_MEMORY_RC11;
  return model;
}

static bool add_properties(hd_session *session, const char *option,
                           const char *text, hd_properties *set, hd_end *end) {
  size_t n = strlen(text);
  hd_properties more = 0;
  bool ok;
  *end = HD_END_USAGE;
  if (n > 4 && !strcmp(text + n - 4, ".prp")) {
    hd_source source;
    *end = HD_END_INPUT;
    ok = hd_source_read(text, &source, session->diag);
    if (ok) {
      ok = hd_properties_prp(&source, &more, session->diag);
      hd_source_free(&source);
    }
  } else {
    hd_str why = {0};
    ok = hd_properties_list(text, &more, &why);
    if (!ok)
      fprintf(stderr, "heddle: --%s: %s\nTry 'heddle %s --help'.\n", option,
              hd_str_text(&why),
              hd_command_infos[session->options.command].name);
    hd_str_free(&why);
  }
  *set |= more;
  return ok;
}

/* --threads=N; far more than a machine could have is no bound. */
static uint32_t bound(const char *text) {
  unsigned long long n = strtoull(text, NULL, 10);
  return n > UINT32_MAX ? UINT32_MAX : n ? (uint32_t)n : 1;
}

bool hd_code_machine(hd_session *session, hd_machine_options *machine,
                     hd_end *end) {
  const hd_options *o = &session->options;
  const char *list = o->property ? o->property
                     : unbounded(o) || hd_options_litmus(o)
                         ? "assert"
                         : "assert,race,deadlock";
  if (!add_properties(session, "property", list, &machine->checks, end) ||
      (o->checks &&
       !add_properties(session, "check", o->checks, &machine->checks, end)))
    return false;
  machine->clocks = machine->checks >> HD_PROPERTY_RACE & 1;
  machine->spurious = !o->no_spurious;
  machine->malloc_fails = o->malloc_fails;
  machine->memory = memory_of(o);
  machine->sc = machine->memory == HD_MEMORY_SC;
  machine->c23 = o->std && (strstr(o->std, "2x") || strstr(o->std, "23") ||
                            strstr(o->std, "2y"));
  if (o->threads && !unbounded(o))
    machine->max_threads = bound(o->threads);
  hd_vec_push(&session->argv, o->operands[0]);
  for (size_t i = 0; i < o->n_listed; i++)
    if (o->listed[i].option == HD_OPTION_arg)
      hd_vec_push(&session->argv, o->listed[i].text);
  machine->argc = (int)session->argv.size;
  hd_vec_push(&session->argv, NULL);
  machine->argv = session->argv.data;
  return true;
}

/* --- reports --- */

hd_code_report hd_code_make_report(const hd_session *session, size_t n_files) {
  const hd_options *o = &session->options;
  return (hd_code_report){
      .code = session->code,
      .file = o->operands[0],
      .n_files = n_files,
      .command = hd_command_infos[o->command].name,
      .quiet = o->quiet,
      .certify = o->certify,
      .all = o->verbose || o->explain,
      .statistics = o->statistics,
      .color = session->color_out,
      .seconds = hd_session_seconds(session),
      .cpu = hd_cpu_all(),
      .memory = hd_mem_peak(),
      .resident = hd_session_resident(),
  };
}

bool hd_code_write_diagram(hd_session *session, const hd_code_report *report) {
  const char *path = session->options.diagram;
  if (!hd_story_write_code(session, report))
    return false;
  if (!path)
    return true;
  hd_str text = {0};
  size_t n = strlen(path);
  if (n > 4 && !strcmp(path + n - 4, ".dot"))
    hd_report_execution_dot(&text, report);
  else
    hd_report_code_svg(&text, report);
  bool ok = hd_session_write(session, path, hd_str_text(&text), text.size);
  hd_str_free(&text);
  return ok;
}

/* Without --timeout: what a witness of correctness may take on top. */
enum { FACTS_SECONDS = 30 };

/* In a format of SV-COMP, by the name of the file. */
static bool write_sv_witness(hd_session *session,
                             const hd_machine_options *machine,
                             const hd_code_result *result) {
  const hd_options *o = &session->options;
  hd_sv_witness witness = {.code = session->code,
                           .files = o->operands,
                           .n_files = o->n_operands,
                           .result = result,
                           .machine = machine};
  if (!machine || hd_sv_witness_kind(&witness) == HD_SV_NOTHING) {
    hd_diag_report(session->diag, HD_NOTE, NULL, (hd_pos){0},
                   "%s is not written: %s", o->witness,
                   machine ? "there is no verdict"
                           : "witnesses of this kind are about threads");
    return true;
  }
  hd_str text = {0};
  hd_facts facts = {0};
  if (hd_sv_witness_kind(&witness) == HD_SV_CORRECTNESS) {
    hd_run run = {.deadline = session->run.deadline,
                  .memory = session->run.memory,
                  .cancel = session->run.cancel};
    if (!hd_options_given(o, HD_OPTION_timeout))
      run.deadline = hd_now() + FACTS_SECONDS;
    hd_code_facts(session->code, machine, &run, &facts);
    witness.facts = &facts;
  }
  if (hd_sv_is_graphml(o->witness))
    hd_sv_witness_graphml(&text, &witness);
  else
    hd_sv_witness_yaml(&text, &witness);
  bool ok =
      hd_session_write(session, o->witness, hd_str_text(&text), text.size);
  hd_str_free(&text);
  hd_facts_free(&facts);
  return ok;
}

/* The graph that the answer's run is one of. */
static const hd_code *graph_of(const hd_session *session,
                               const hd_code_answer *answer) {
  return answer->trace ? answer->trace->code : session->code;
}

/* The schedule of the first violation, in the order of the properties. */
static bool write_witness(hd_session *session,
                          const hd_machine_options *machine,
                          const hd_code_result *result) {
  const hd_options *o = &session->options;
  const char *path = o->witness ? o->witness : o->record;
  if (!path)
    return true;
  if (o->witness && (hd_sv_is_graphml(path) || hd_sv_is_yaml(path)))
    return write_sv_witness(session, machine, result);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &result->answers[p];
    if (answer->verdict != HD_UNSAFE)
      continue;
    hd_str remark = {0};
    hd_str_printf(&remark, "violates: %s", hd_property_name((hd_property)p));
    bool ok =
        hd_script_write(session, graph_of(session, answer), path,
                        &answer->start, &answer->turns, hd_str_text(&remark));
    hd_str_free(&remark);
    return ok;
  }
  hd_diag_report(session->diag, HD_NOTE, NULL, (hd_pos){0},
                 "%s is not written: there is no violation", path);
  return true;
}

static bool write_certificate(hd_session *session,
                              const hd_code_result *result) {
  const char *path = session->options.certificate;
  if (!path)
    return true;
  if (result->certificate)
    return hd_session_write(session, path, result->certificate,
                            strlen(result->certificate));
  hd_diag_report(session->diag, HD_NOTE, NULL, (hd_pos){0},
                 "%s is not written: there is no certificate", path);
  return true;
}

hd_end hd_code_conclude(hd_session *session, const hd_machine_options *machine,
                        const hd_code_result *result) {
  const hd_options *o = &session->options;
  hd_end end =
      hd_end_for_numbers(session, hd_code_result_worst(result), result->ideal);
  if (end == HD_END_UNSAFE && hd_code_suppressed(result))
    end = HD_END_DONE;
  hd_code_report report = hd_code_make_report(session, o->n_operands);
  report.result = result;
  report.hint = hd_hint_for(session, result);
  report.unbounded = unbounded(o);
  if (!write_witness(session, machine, result) ||
      !write_certificate(session, result) ||
      !hd_findings_write_baseline(session, result) ||
      (machine && !hd_harness_write(session, machine, result)) ||
      !hd_code_write_diagram(session, &report))
    end = HD_END_OUTPUT;
  report.exit_code = hd_exit_code(end);
  hd_str text = {0};
  hd_story_print_code(session, &report, &text);
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  return end;
}

/* One of the engines that execute; for any number of threads one that counts.
 */
static bool engine_ok(const hd_options *o) {
  const char *names[32];
  size_t n = 0;
  if (unbounded(o))
    for (; hd_engines[n] && n < 31; n++)
      names[n] = hd_engines[n]->name;
  else
    for (; hd_code_engines[n].name; n++)
      names[n] = hd_code_engines[n].name;
  names[n] = NULL;
  bool ok = !o->engine;
  for (size_t i = 0; i < n && !ok; i++)
    ok = !strcmp(o->engine, names[i]);
  if (ok)
    return true;
  const char *near = hd_options_nearest(o->engine, names);
  fprintf(stderr, "heddle: --engine: there is no engine '%s' for C programs%s",
          o->engine, unbounded(o) ? " with any number of threads" : "");
  if (near)
    fprintf(stderr, "; did you mean '%s'?", near);
  fputs(near ? " The engines are:" : ". The engines are:", stderr);
  for (size_t i = 0; i < n; i++)
    fprintf(stderr, " %s", names[i]);
  fputs("\nTry 'heddle verify --help'.\n", stderr);
  return false;
}

static bool probe(hd_session *session) {
  const hd_options *o = &session->options;
  return hd_session_probe(session, o->output) &&
         hd_session_probe(session, o->witness) &&
         hd_session_probe(session, o->record) &&
         hd_session_probe(session, o->certificate) &&
         hd_session_probe(session, o->diagram) &&
         hd_session_probe(session, o->html) &&
         hd_session_probe(session, o->write_baseline) &&
         hd_harness_probe(session);
}

/* An answer of the cache, if it holds. */
static bool recall(hd_session *session, const hd_code_options *options,
                   const hd_cache *cache, hd_code_result *result) {
  hd_str answer = {0}, why = {0};
  bool ok = hd_cache_load(session, cache, &answer);
  if (ok && !hd_recall_code(session->code, options, &answer, result, &why)) {
    hd_cache_reject(session, cache, hd_str_text(&why));
    hd_code_result_free(result);
    ok = false;
  }
  if (ok)
    hd_result_stat(&result->figures, "cache.hit", "", 1,
                   "the answer was there already");
  hd_str_free(&answer);
  hd_str_free(&why);
  return ok;
}

static void remember(hd_session *session, const hd_cache *cache,
                     const hd_code_result *result) {
  hd_str answer = {0};
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked &&
        (result->answers[p].verdict == HD_UNKNOWN ||
         (result->answers[p].trace &&
          graph_of(session, &result->answers[p]) != session->code)))
      return;
  if (!*cache->key)
    return;
  hd_answer_print_code(&answer, session->code, result);
  hd_cache_store(session, cache, &answer);
  hd_str_free(&answer);
}

static hd_confirm_effort effort_of(const hd_options *o) {
  if (o->confirm || o->certify)
    return HD_CONFIRM_ALL;
  return o->certificate ? HD_CONFIRM_CERTIFY : HD_CONFIRM_BRIEF;
}

/* A litmus test asks a question: the answer to it. */
static void answer_litmus(const hd_session *session, hd_code_result *result) {
  static const char *const texts[][2] = {
      [HD_LITMUS_EXISTS] = {"no execution has the condition (exists: No)",
                            "an execution has the condition (exists: Ok)"},
      [HD_LITMUS_NOT_EXISTS] = {"no execution has the condition (~exists: Ok)",
                                "an execution has the condition (~exists: No)"},
      [HD_LITMUS_FORALL] = {"every execution has the condition (forall: Ok)",
                            "an execution has it not (forall: No)"}};
  const hd_code_answer *answer = &result->answers[HD_PROPERTY_ASSERT];
  if (hd_options_litmus(&session->options) && answer->asked &&
      answer->verdict != HD_UNKNOWN)
    hd_remarks_say(&result->notes,
                   texts[session->litmus][answer->verdict == HD_UNSAFE]);
}

static hd_end verify_with(hd_session *session, const hd_code_options *options) {
  const hd_options *o = &session->options;
  hd_code_result result = {0};
  hd_str why = {0}, choice = {0};
  hd_baseline baseline = {0};
  if (!hd_findings_read_baseline(session, &baseline))
    return HD_END_INPUT;
  hd_code_options mine = *options;
  mine.jobs = hd_session_jobs(session);
  mine.choice = o->explain_choice ? &choice : NULL;
  mine.fail_fast = o->fail_fast;
  mine.patient = hd_options_given(o, HD_OPTION_timeout);
  mine.wider = !o->property && !o->checks && !options->unbounded;
  mine.found = hd_second_look_found;
  mine.context = session;
  hd_cache cache = hd_cache_open(session);
  bool known = recall(session, &mine, &cache, &result);
  hd_verify_status status =
      known
          ? HD_VERIFY_DONE
          : hd_verify_code(session->code, &mine, &session->run, &result, &why);
  if (status == HD_VERIFY_DONE && !known)
    remember(session, &cache, hd_arguments_try(session, &mine, &result));
  if (status == HD_VERIFY_DONE &&
      (!o->no_check || o->confirm || o->certify || o->certificate))
    status = hd_confirm_code(session->code, &mine, effort_of(o), &session->run,
                             &result, &why);
  hd_session_say(session, &choice);
  hd_str_free(&choice);
  hd_end end = HD_END_INTERNAL;
  if (status == HD_VERIFY_DONE) {
    hd_second_look(session, &mine, &result);
    hd_findings_list(session, &mine, &baseline, &result);
    answer_litmus(session, &result);
    end = hd_code_conclude(session, &mine.explore.machine, &result);
  } else if (status == HD_VERIFY_REFUSED) {
    hd_diag_file_error(session->diag, o->operands[0], "%s", hd_str_text(&why));
    end = HD_END_INPUT;
  } else {
    hd_session_quiet(session);
    fprintf(stderr,
            "heddle: internal error: %s\nheddle: this is a bug in heddle, not "
            "in your input; please report it together with the input file.\n",
            hd_str_text(&why));
  }
  hd_str_free(&why);
  hd_vec_free(&baseline);
  hd_code_result_free(&result);
  return end;
}

/* Reads the program and the options; HD_END_DONE when both are fine. */
static hd_end prepare(hd_session *session, hd_code_options *options) {
  const hd_options *o = &session->options;
  hd_end end = HD_END_DONE;
  if (!engine_ok(o))
    return HD_END_USAGE;
  if (!hd_code_machine(session, &options->explore.machine, &end))
    return end;
  if (!probe(session))
    return HD_END_OUTPUT;
  if (!hd_session_read_code(session, o->n_operands))
    return HD_END_INPUT;
  hd_session_messages(session);
  options->engine = o->engine;
  options->memory = memory_of(o);
  options->unbounded = unbounded(o);
  options->explore.seed = o->seed;
  options->explore.depth = (uint32_t)o->depth;
  options->explore.runs = o->runs;
  options->widen = (uint32_t)o->widen;
  options->no_cutoffs = o->cutoffs && !strcmp(o->cutoffs, "off");
  if (o->domain && !hd_domain_find(o->domain, &options->domain))
    hd_bug("--domain=%s", o->domain);
  return HD_END_DONE;
}

static hd_end list_outcomes(hd_session *session,
                            const hd_code_options *options) {
  hd_outcomes outcomes = {0};
  hd_outcomes_list(options->unwound ? options->unwound : session->code,
                   &options->explore.machine, &session->run, &outcomes);
  hd_str text = {0}, weak = {0};
  if (outcomes.complete &&
      hd_memmodel_refuses(session->code, options->memory, false, &weak)) {
    outcomes.complete = false;
    outcomes.why = hd_str_take(&weak);
  }
  for (size_t i = 0; i < outcomes.texts.size; i++) {
    for (const char *c = outcomes.texts.data[i]; *c; c++)
      if (*c == '\n' || *c == '\\')
        hd_str_puts(&text, *c == '\n' ? "\\n" : "\\\\");
      else
        hd_str_append(&text, c, 1);
    hd_str_puts(&text, "\n");
  }
  hd_str_printf(&text, "outcomes: %zu, %s", outcomes.texts.size,
                outcomes.complete ? "complete" : "incomplete");
  if (!outcomes.complete)
    hd_str_printf(&text, " (%s)", outcomes.why);
  hd_str_puts(&text, "\n");
  hd_end end = outcomes.complete ? HD_END_DONE : HD_END_UNKNOWN;
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  hd_outcomes_free(&outcomes);
  return end;
}

hd_end hd_cmd_verify_code(hd_session *session) {
  const hd_options *o = &session->options;
  hd_code_options options = {0};
  hd_end end = prepare(session, &options);
  if (end != HD_END_DONE)
    return end;
  if (o->outcomes && hd_mpi_program(session->code))
    return hd_mpi_command_outcomes(session, &options.explore.machine);
  if (!o->outcomes && !unbounded(o) &&
      hd_mpi_command_verify(session, &options.explore.machine, &end)) {
    if (o->certificate)
      hd_diag_report(session->diag, HD_NOTE, NULL, (hd_pos){0},
                     "there are no certificates of programs with MPI or "
                     "annotations (--confirm executes all interleavings)");
    return end;
  }
  hd_code *unwound =
      o->unwind ? hd_unwind_new(session->code, (uint32_t)o->unwind) : NULL;
  options.unwound = unwound;
  hd_code *unset =
      unwound || options.explore.machine.checks >> HD_PROPERTY_UNINIT & 1
          ? NULL
          : hd_unset_new(session->code);
  options.unset = unset;
  end = o->outcomes ? list_outcomes(session, &options)
                    : verify_with(session, &options);
  hd_unset_delete(unset);
  hd_unwind_delete(unwound);
  return end;
}

hd_end hd_cmd_fuzz(hd_session *session) {
  hd_code_options options = {0};
  hd_end end = prepare(session, &options);
  if (end != HD_END_DONE)
    return end;
  if (hd_mpi_command_fuzz(session, &options.explore.machine, &end))
    return end;
  options.engine = "fuzz";
  return verify_with(session, &options);
}

/* --- check --- */

/* A schedule is accepted when it leads to a violation of a property that is
 * asked for. */
static hd_end judge(hd_session *session, const hd_machine_options *machine,
                    const hd_script *script) {
  const hd_options *o = &session->options;
  const hd_turns *turns = &script->turns;
  const char *evidence = o->operands[o->n_operands - 1];
  hd_replayed replayed = {0};
  hd_str text = {0};
  hd_code_trace *trace = NULL;
  if (!hd_script_is_mpi(session, script)) {
    replayed = hd_replay(session->code, machine, turns, machine->checks);
    trace = hd_code_record(session->code, machine, turns);
  } else if (!hd_mpi_judge(session, machine, script, &replayed, &trace)) {
    return HD_END_USAGE;
  }
  hd_code_judgement judgement = {
      .code = session->code,
      .file = o->operands[0],
      .n_files = o->n_operands - 1,
      .evidence = evidence,
      .turns = turns->size,
      .violation = replayed.violated ? &replayed.violation : NULL,
      .trace = trace,
      .why = replayed.why ? replayed.why
                          : "it violates none of the properties asked for",
      .quiet = o->quiet,
      .color = session->color_out,
  };
  hd_end end = replayed.violated ? HD_END_ACCEPTED : HD_END_REFUSED;
  judgement.exit_code = hd_exit_code(end);
  if (!strcmp(o->format, "json"))
    hd_report_code_check_json(&text, &judgement);
  else
    hd_report_code_check_text(&text, &judgement);
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  hd_code_trace_delete(trace);
  hd_replayed_free(&replayed);
  return end;
}

/* A certificate is accepted when it proves what is asked for, or without
 * --property all that it claims. */
static hd_end judge_certificate(hd_session *session,
                                const hd_machine_options *machine,
                                const char *text) {
  const hd_options *o = &session->options;
  hd_str why = {0}, out = {0};
  hd_code_judgement j = {.code = session->code,
                         .file = o->operands[0],
                         .n_files = o->n_operands - 1,
                         .evidence = o->operands[o->n_operands - 1],
                         .certificate = true,
                         .quiet = o->quiet,
                         .color = session->color_out};
  bool chosen = o->given[HD_OPTION_property] || o->given[HD_OPTION_checks];
  hd_judge_options judging = {.machine = *machine,
                              .memory = memory_of(o),
                              .asked = chosen ? machine->checks : 0};
  hd_certified judged;
  hd_judge_certificate(session->code, &judging, text, &session->run, &judged,
                       &why);
  j.proved = judged.proved;
  j.walked = judged.walked;
  j.joint = judged.joint;
  j.why = hd_str_text(&why);
  if (!judged.readable) {
    hd_diag_file_error(session->diag, j.evidence, "%s", j.why);
    hd_str_free(&why);
    return HD_END_INPUT;
  }
  j.unknown = !j.proved && session->run.stop != HD_RUNNING;
  hd_end end = j.proved    ? HD_END_ACCEPTED
               : j.unknown ? HD_END_UNKNOWN
                           : HD_END_REFUSED;
  j.exit_code = hd_exit_code(end);
  if (!strcmp(o->format, "json"))
    hd_report_code_check_json(&out, &j);
  else
    hd_report_code_check_text(&out, &j);
  if (!hd_session_report(session, &out))
    end = HD_END_OUTPUT;
  hd_str_free(&out);
  hd_str_free(&why);
  return end;
}

static bool is_certificate(hd_session *session, hd_source *source) {
  const hd_options *o = &session->options;
  const char *path = o->operands[o->n_operands - 1];
  if (!strcmp(path, "-"))
    return false;
  hd_diag *quiet = hd_diag_new();
  bool read = hd_source_read(path, source, quiet);
  hd_diag_delete(quiet);
  bool yes = read && hd_code_is_certificate(source->text);
  if (read && !yes)
    hd_source_free(source);
  return yes;
}

hd_end hd_cmd_check_code(hd_session *session) {
  const hd_options *o = &session->options;
  hd_machine_options machine = {0};
  hd_end end = HD_END_INPUT;
  if (!hd_code_machine(session, &machine, &end))
    return end;
  if (!hd_session_probe(session, o->output))
    return HD_END_OUTPUT;
  hd_script script = {0};
  hd_source source;
  end = HD_END_INPUT;
  if (is_certificate(session, &source)) {
    if (hd_session_read_code(session, o->n_operands - 1))
      end = judge_certificate(session, &machine, source.text);
    hd_source_free(&source);
    return end;
  }
  if (hd_session_read_code(session, o->n_operands - 1) &&
      hd_script_read(session, o->operands[o->n_operands - 1], &script,
                     &machine))
    end = judge(session, &machine, &script);
  hd_script_free(&script);
  return end;
}
