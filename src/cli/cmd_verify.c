/* SPDX-License-Identifier: MIT */
/* heddle verify and heddle reach: run engines, write evidence, report. */
#include "cli/session.h"
#include "cli/story.h"

#include "api/answer.h"
#include "api/verify.h"
#include "cli/cache.h"
#include "engine/concolic/concolic.h"
#include "front/evidence/evidence.h"
#include "report/report.h"

#include <string.h>

static bool engine_ok(const hd_options *o) {
  if (!o->engine)
    return true;
  const hd_engine *engine = hd_engine_find(o->engine);
  const char *names[32];
  size_t n = 0;
  for (size_t i = 0; hd_engines[i] && n < 31; i++)
    names[n++] = hd_engines[i]->name;
  names[n] = NULL;
  if (!engine) {
    const char *near = hd_options_nearest(o->engine, names);
    fprintf(stderr, "heddle: --engine: there is no engine '%s'", o->engine);
    if (near)
      fprintf(stderr, "; did you mean '%s'?", near);
    fputs(near ? " The engines are:" : ". The engines are:", stderr);
    for (size_t i = 0; i < n; i++)
      fprintf(stderr, " %s", names[i]);
    fputs("\nTry 'heddle engines'.\n", stderr);
    return false;
  }
  if (o->max_threads && strcmp(o->engine, "fws")) {
    fprintf(stderr,
            "heddle: --max-threads and --engine=%s contradict each other: only "
            "fws takes a bound\n",
            o->engine);
    return false;
  }
  if (o->no_reduce && !strcmp(o->engine, "reduce")) {
    fputs("heddle: --no-reduce and --engine=reduce contradict each other\n",
          stderr);
    return false;
  }
  return true;
}

static bool begins(const char *text, const char *with) {
  return text && !strncmp(text, with, strlen(with));
}

/* What the user can do about an unknown. The stages of the default choice each
 * have limits of their own, so the reason tells more than the run does. */
static const char *hint_for(const hd_session *session,
                            const hd_result *result) {
  const char *reason = result->reason;
  if (result->verdict != HD_UNKNOWN)
    return NULL;
  if (begins(reason, "time limit"))
    return "a longer --timeout, or another --engine ('heddle engines' lists "
           "them)";
  if (begins(reason, "memory limit"))
    return "a larger --memory, or another --engine ('heddle engines' lists "
           "them)";
  if (session->options.engine && session->run.stop == HD_RUNNING &&
      !(reason && strstr(reason, "try ")))
    return "another --engine, or none: heddle then chooses";
  return NULL;
}

static hd_report make_report(const hd_session *session,
                             const hd_result *result) {
  const hd_options *o = &session->options;
  return (hd_report){
      .net = session->net,
      .result = result,
      .program = session->program,
      .schedule = session->made.schedule,
      .unbuilt = session->unbuilt != NULL,
      .explanation =
          session->explanation.size ? hd_str_text(&session->explanation) : NULL,
      .hint = hint_for(session, result),
      .checked = !o->no_check && (result->witness || result->cert),
      .quiet = o->quiet,
      .explain = o->explain,
      .statistics = o->statistics,
      .color = session->color_out,
      .seconds = hd_session_seconds(session),
      .cpu = hd_cpu_all(),
      .memory = hd_mem_peak(),
      .resident = hd_session_resident(),
  };
}

/* Evidence that was asked for and is there, or a note that it is not. */
static bool write_evidence(hd_session *session, const hd_result *result) {
  const hd_options *o = &session->options;
  hd_str text = {0};
  bool ok = true;
  if (o->witness && result->witness) {
    hd_evidence_print_witness(&text, session->net, result->witness);
    ok = hd_session_write(session, o->witness, hd_str_text(&text), text.size);
  } else if (o->certificate && result->cert) {
    hd_evidence_print_cert(&text, session->net, result->cert);
    ok = hd_session_write(session, o->certificate, hd_str_text(&text),
                          text.size);
  } else if (o->witness || o->certificate) {
    bool no_cert = result->verdict == HD_SAFE && o->certificate;
    hd_diag_report(session->diag, no_cert ? HD_WARNING : HD_NOTE, NULL,
                   (hd_pos){0}, "%s is not written: %s",
                   no_cert || !o->witness ? o->certificate : o->witness,
                   no_cert                        ? "there is no certificate"
                   : result->verdict == HD_UNSAFE ? "the verdict is unsafe"
                   : result->verdict == HD_SAFE   ? "the verdict is safe"
                                                  : "there is no verdict");
  }
  hd_str_free(&text);
  return ok;
}

hd_end hd_end_for(hd_session *session, hd_verdict verdict) {
  const char *expected = session->options.expect;
  if (expected && !strcmp(expected, hd_verdict_name(verdict)))
    return HD_END_DONE;
  if (expected)
    hd_diag_report(session->diag, HD_NOTE, NULL, (hd_pos){0},
                   "expected %s, found %s", expected, hd_verdict_name(verdict));
  switch (verdict) {
  case HD_UNKNOWN:
    return HD_END_UNKNOWN;
  case HD_SAFE:
    return expected ? HD_END_UNEXPECTED : HD_END_SAFE;
  case HD_UNSAFE:
    return expected ? HD_END_UNEXPECTED : HD_END_UNSAFE;
  }
  hd_bug("verdict %d", (int)verdict);
}

hd_end hd_end_for_numbers(hd_session *session, hd_verdict verdict, bool ideal) {
  const hd_options *o = &session->options;
  bool asked = o->numbers && !strcmp(o->numbers, "ideal");
  if (!ideal || verdict != HD_SAFE || asked)
    return hd_end_for(session, verdict);
  if (!o->expect)
    return HD_END_IDEAL;
  hd_diag_report(session->diag, HD_NOTE, NULL, (hd_pos){0},
                 "expected %s, found safe (ideal numbers)", o->expect);
  return HD_END_UNEXPECTED;
}

static hd_end report_internal(hd_session *session, const hd_result *result) {
  hd_session_quiet(session);
  fprintf(stderr,
          "heddle: internal error: %s\nheddle: this is a bug in heddle, not in "
          "your input; please report it together with the input file.\n",
          result->reason ? result->reason : "evidence did not check");
  return HD_END_INTERNAL;
}

typedef void print_report(hd_session *session, const hd_report *report,
                          hd_str *out);

/* Writes evidence and report; `end` is how it ends if both can be written. */
static hd_end conclude(hd_session *session, const hd_result *result, hd_end end,
                       print_report *print) {
  if (!write_evidence(session, result))
    end = HD_END_OUTPUT;
  hd_str text = {0};
  hd_report report = make_report(session, result);
  report.exit_code = hd_exit_code(end);
  if (!hd_story_write_model(session, &report))
    end = HD_END_OUTPUT;
  print(session, &report, &text);
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  return end;
}

static void print_reach(hd_session *session, const hd_report *report,
                        hd_str *out) {
  if (!strcmp(session->options.format, "json"))
    hd_report_reach_json(out, report);
  else
    hd_report_reach_text(out, report);
}

static hd_end conclude_status(hd_session *session, hd_verify_status status,
                              const hd_result *result, hd_end done,
                              print_report *print) {
  switch (status) {
  case HD_VERIFY_DONE:
    return conclude(session, result, done, print);
  case HD_VERIFY_REFUSED:
    hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0}, "%s",
                   result->reason);
    return HD_END_INPUT;
  case HD_VERIFY_INTERNAL:
    return report_internal(session, result);
  }
  return HD_END_INTERNAL;
}

/* A witness about a program's thread system becomes a run of the program. */
static hd_verify_status replay(hd_session *session, hd_result *result) {
  hd_str why = {0};
  bool ok = hd_program_replay(session->program, &session->how, result->witness,
                              &session->made, &why);
  if (!ok)
    hd_result_unknown(result,
                      "the run found does not replay on the program: "
                      "%s",
                      hd_str_text(&why));
  hd_str_free(&why);
  return ok ? HD_VERIFY_DONE : HD_VERIFY_INTERNAL;
}

/* concolic explains itself path by path, on the model as it was given. */
static void explain_paths(hd_session *session, const hd_result *result) {
  const hd_options *o = &session->options;
  if ((!o->explain && !hd_story_page(o)) || !result->engine ||
      strcmp(result->engine, hd_concolic_engine.name))
    return;
  hd_problem problem = {.net = session->net, .explain = true};
  hd_concolic_explain(&problem, &session->run, &session->explanation);
}

/* An answer of the cache, if its evidence holds. */
static bool recall(hd_session *session, const hd_cache *cache,
                   hd_result *result) {
  hd_str answer = {0}, why = {0};
  bool ok = false;
  if (!session->unbuilt && hd_cache_load(session, cache, &answer)) {
    ok = hd_answer_parse(hd_str_text(&answer), answer.size, session->net,
                         result, &why) &&
         result->verdict != HD_UNKNOWN;
    if (ok && !hd_verify_evidence(session->net, result)) {
      hd_str_puts(&why, result->reason);
      ok = false;
    }
    if (!ok) {
      hd_cache_reject(session, cache, hd_str_text(&why));
      hd_result_free(result);
    }
  }
  if (ok)
    hd_result_stat(result, "cache.hit", "", 1, "the answer was there already");
  hd_str_free(&answer);
  hd_str_free(&why);
  return ok;
}

static void remember(hd_session *session, const hd_cache *cache,
                     const hd_result *result) {
  hd_str answer = {0};
  if (!*cache->key || session->options.no_check)
    return;
  hd_answer_print(&answer, session->net, result);
  hd_cache_store(session, cache, &answer);
  hd_str_free(&answer);
}

static hd_verify_status run_engines(hd_session *session,
                                    const hd_verify_options *options,
                                    hd_result *result) {
  session->how.verify = *options;
  if (session->unbuilt) {
    hd_result_unknown(result, "%s while the thread system was built",
                      session->unbuilt);
    return HD_VERIFY_DONE;
  }
  hd_cache cache = hd_cache_open(session);
  bool known = recall(session, &cache, result);
  hd_verify_status status =
      known ? HD_VERIFY_DONE
      : session->program
          ? hd_program_decide(&session->how, &session->run, &session->made,
                              result)
          : hd_verify(session->net, options, &session->run, result);
  if (session->program && status == HD_VERIFY_DONE &&
      result->verdict == HD_UNSAFE)
    status = replay(session, result);
  if (status == HD_VERIFY_DONE && !known && result->verdict != HD_UNKNOWN)
    remember(session, &cache, result);
  if (status == HD_VERIFY_DONE)
    explain_paths(session, result);
  return status;
}

static hd_pruning pruning(const hd_options *o) {
  return !strcmp(o->invariants, "always")  ? HD_PRUNE_ALWAYS
         : !strcmp(o->invariants, "never") ? HD_PRUNE_NEVER
                                           : HD_PRUNE_AUTO;
}

hd_end hd_cmd_verify(hd_session *session) {
  const hd_options *o = &session->options;
  if (!engine_ok(o))
    return HD_END_USAGE;
  if (!hd_session_probe(session, o->output) ||
      !hd_session_probe(session, o->witness) ||
      !hd_session_probe(session, o->html) ||
      !hd_session_probe(session, o->certificate))
    return HD_END_OUTPUT;
  if (!hd_session_read(session, true, true))
    return HD_END_INPUT;
  hd_session_messages(session);
  hd_str choice = {0};
  hd_verify_options options = {.engine = o->engine,
                               .no_check = o->no_check,
                               .no_reduce = o->no_reduce,
                               .pruning = pruning(o),
                               .certify = o->certify,
                               .explain = o->explain,
                               .max_threads = (uint32_t)o->max_threads,
                               .order = hd_session_order(session),
                               .seed = o->seed,
                               .jobs = hd_session_jobs(session),
                               .choice = o->explain_choice ? &choice : NULL};
  hd_result result = {0};
  hd_verify_status status = run_engines(session, &options, &result);
  hd_session_say(session, &choice);
  hd_str_free(&choice);
  hd_end done = HD_END_INTERNAL;
  if (status == HD_VERIFY_DONE)
    done = hd_end_for(session, result.verdict);
  hd_end end =
      conclude_status(session, status, &result, done, hd_story_print_model);
  hd_result_free(&result);
  return end;
}

hd_end hd_cmd_reach(hd_session *session) {
  const hd_options *o = &session->options;
  if (!hd_session_probe(session, o->output))
    return HD_END_OUTPUT;
  if (!hd_session_read(session, false, false))
    return HD_END_INPUT;
  hd_session_messages(session);
  hd_result result = {0};
  hd_verify_status status = HD_VERIFY_DONE;
  if (session->unbuilt)
    hd_result_unknown(&result, "%s while the thread system was built",
                      session->unbuilt);
  else
    status = hd_reach(session->net, &session->run, o->no_check, &result);
  hd_end done = result.verdict == HD_SAFE ? HD_END_DONE : HD_END_UNKNOWN;
  hd_end end = conclude_status(session, status, &result, done, print_reach);
  hd_result_free(&result);
  return end;
}
