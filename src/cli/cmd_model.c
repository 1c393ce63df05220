/* SPDX-License-Identifier: MIT */
/* The commands that run no engine: check, convert, show, engines. */
#include "cli/session.h"

#include "api/code.h"
#include "api/unbounded.h"
#include "api/verify.h"
#include "check/check.h"
#include "front/evidence/evidence.h"
#include "front/front.h"
#include "report/missing.h"
#include "report/code.h"
#include "report/describe.h"
#include "report/json.h"
#include "report/report.h"

#include <string.h>

/* A program whose system could not be built within the limits has only a
 * placeholder for a net: nothing may be said about it, or made of it. */
static bool is_built(hd_session *session) {
  if (session->unbuilt)
    hd_diag_file_error(session->diag, session->program->file,
                       "the thread system was not built: %s", session->unbuilt);
  return !session->unbuilt;
}

static bool judge(const hd_net *net, const hd_witness *witness,
                  const hd_cert *cert, hd_str *why) {
  if (witness)
    return hd_check_witness(net, witness, why);
  return hd_check_cert(net, cert, why);
}

static hd_end report_judgement(hd_session *session, hd_witness *witness,
                               hd_cert *cert) {
  hd_str why = {0}, text = {0};
  bool accepted = judge(session->net, witness, cert, &why);
  hd_end end = accepted ? HD_END_ACCEPTED : HD_END_REFUSED;
  hd_judgement judgement = {.net = session->net,
                            .evidence = session->options.operands[1],
                            .witness = witness,
                            .cert = cert,
                            .accepted = accepted,
                            .quiet = session->options.quiet,
                            .color = session->color_out,
                            .why = hd_str_text(&why),
                            .exit_code = hd_exit_code(end)};
  if (!strcmp(session->options.format, "json"))
    hd_report_check_json(&text, &judgement);
  else
    hd_report_check_text(&text, &judgement);
  if (!hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&why);
  hd_str_free(&text);
  return end;
}

hd_end hd_cmd_check(hd_session *session) {
  hd_source source;
  hd_witness *witness = NULL;
  hd_cert *cert = NULL;
  if (!hd_session_probe(session, session->options.output))
    return HD_END_OUTPUT;
  if (!hd_session_read(session, true, true) ||
      !hd_source_read(session->options.operands[1], &source, session->diag))
    return HD_END_INPUT;
  hd_end end = HD_END_INPUT;
  if (!is_built(session))
    end = HD_END_UNKNOWN;
  else if (hd_evidence_parse(&source, session->net, &witness, &cert,
                             session->diag))
    end = report_judgement(session, witness, cert);
  hd_witness_delete(witness);
  hd_cert_delete(cert);
  hd_source_free(&source);
  return end;
}

/* The format to write; a usage error when nothing says which. */
static bool output_format(const hd_options *o, hd_format *format) {
  const char *path = o->operands[1];
  if (strcmp(o->output_format, "auto"))
    return hd_format_find(o->output_format, format);
  if (hd_format_of_path(path, format))
    return true;
  fprintf(stderr,
          "heddle: the name '%s' does not say which format to write: give "
          "--output-format=tts, spec or pnml\n",
          path);
  return false;
}

/* For a program with one assertion that becomes x.tts: x.prop with its target,
 * for tools that do not look for targets in .tts files. */
static bool write_prop(hd_session *session, hd_format format) {
  const char *path = session->options.operands[1];
  const hd_net *net = session->net;
  size_t n = strlen(path);
  if (!session->program || format != HD_FORMAT_TTS || n < 4 ||
      strcmp(path + n - 4, ".tts") != 0 || net->targets.size != 1)
    return true;
  const hd_target *target = &net->targets.data[0];
  hd_tokens need = hd_net_view(net, target->need);
  assert(need.size == 1 && need.data[0].count == 1);
  hd_str prop = {0}, text = {0};
  hd_str_append(&prop, path, n - 3);
  hd_str_puts(&prop, "prop");
  hd_str_printf(&text, "%u|%u\n", target->shared, need.data[0].place);
  bool ok = hd_session_write(session, hd_str_text(&prop), hd_str_text(&text),
                             text.size);
  hd_str_free(&prop);
  hd_str_free(&text);
  return ok;
}

static hd_end write_net(hd_session *session, const hd_net *net,
                        hd_format format) {
  hd_output output;
  if (!hd_output_open(&output, session->options.operands[1], session->diag))
    return HD_END_OUTPUT;
  if (!hd_front_write(net, format, output.file, session->diag)) {
    hd_output_abandon(&output);
    return HD_END_INPUT;
  }
  return hd_output_close(&output, session->diag) ? HD_END_DONE : HD_END_OUTPUT;
}

/* The counter system of a C program with any number of threads. */
static hd_end convert_code(hd_session *session, hd_format format) {
  if (!hd_session_read_code(session, 1))
    return HD_END_INPUT;
  hd_session_messages(session);
  hd_unbounded_options options = {.machine = {.spurious = true}};
  hd_unbounded_run made = {0};
  hd_result result = {0};
  hd_str why = {0};
  hd_end end = HD_END_UNKNOWN;
  if (hd_unbounded_open(session->code, &options, &session->run, &made, &result,
                        &why)) {
    for (hd_vec_each(const hd_small_target, t, &made.net->targets))
      if (t->refused)
        hd_diag_report(session->diag, HD_WARNING, NULL, (hd_pos){0},
                       "a target stands for what is not supported: %s",
                       hd_small_reason(made.small, t->reason));
    hd_net *net = hd_small_net_portable(made.net);
    end = write_net(session, net, format);
    hd_net_delete(net);
  } else
    hd_diag_file_error(session->diag, session->options.operands[0], "%s",
                       hd_str_text(&why));
  hd_str_free(&why);
  hd_result_free(&result);
  hd_unbounded_run_free(&made);
  return end;
}

hd_end hd_cmd_convert(hd_session *session) {
  const hd_options *o = &session->options;
  hd_format format;
  if (!output_format(o, &format))
    return HD_END_USAGE;
  if (!hd_session_probe(session, o->operands[1]))
    return HD_END_OUTPUT;
  if (hd_options_code(o))
    return convert_code(session, format);
  if (!hd_session_read(session, true, false))
    return HD_END_INPUT;
  if (!is_built(session))
    return HD_END_UNKNOWN;
  hd_end end = write_net(session, session->net, format);
  return end == HD_END_DONE && !write_prop(session, format) ? HD_END_OUTPUT
                                                            : end;
}

static void list_engines_for(hd_str *out, const hd_net *net) {
  hd_str_puts(out, "\nengines that treat it:");
  size_t able = 0;
  for (size_t i = 0; hd_engines[i]; i++)
    if (!(hd_engines[i]->refuses & net->features)) {
      hd_str_printf(out, " %s", hd_engines[i]->name);
      able++;
    }
  hd_str_puts(out, able ? "\n" : " none\n");
}

/* The text of heddle show; HD_END_DONE, or how the command ends. */
static hd_end make_listing(hd_session *session, hd_str *text) {
  const hd_options *o = &session->options;
  if (o->ir && !session->program) {
    fprintf(stderr, "heddle: --ir is for programs, %s is not one\n",
            o->operands[0]);
    return HD_END_USAGE;
  }
  if (!o->ir && !is_built(session))
    return HD_END_UNKNOWN;
  if (o->ir && strcmp(o->show_format, "text"))
    return hd_graph_draw_ir(session, text);
  if (o->ir)
    hd_program_print(text, session->program);
  else if (o->quotient || strcmp(o->show_format, "text"))
    return hd_graph_draw(session, text);
  else {
    hd_report_model_text(text, session->net);
    list_engines_for(text, session->net);
  }
  return HD_END_DONE;
}

static hd_end show_code(hd_session *session) {
  const hd_options *o = &session->options;
  if (!hd_session_read_code(session, o->n_operands))
    return HD_END_INPUT;
  hd_session_messages(session);
  hd_str text = {0};
  if (o->unfolding || strcmp(o->show_format, "text")) {
    hd_end end = o->unfolding ? hd_graph_draw_unfolding(session, &text)
                              : hd_graph_draw_ir(session, &text);
    if (end == HD_END_DONE && !hd_session_report(session, &text))
      end = HD_END_OUTPUT;
    hd_str_free(&text);
    return end;
  }
  if (o->ir)
    hd_code_print(&text, session->code);
  else if (o->missing)
    hd_report_missing(&text, session->code);
  else
    hd_report_code_listing(&text, session->code, o->operands[0], o->n_operands);
  hd_end end = hd_session_report(session, &text) ? HD_END_DONE : HD_END_OUTPUT;
  hd_str_free(&text);
  return end;
}

hd_end hd_cmd_show(hd_session *session) {
  if (!hd_session_probe(session, session->options.output))
    return HD_END_OUTPUT;
  if (hd_options_code(&session->options))
    return show_code(session);
  if (!hd_session_read(session, true, false))
    return HD_END_INPUT;
  hd_session_messages(session);
  hd_str text = {0};
  hd_end end = make_listing(session, &text);
  if (end == HD_END_DONE && !hd_session_report(session, &text))
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  return end;
}

hd_end hd_cmd_stubs(hd_session *session) {
  if (!hd_session_probe(session, session->options.output))
    return HD_END_OUTPUT;
  if (!hd_session_read_code(session, session->options.n_operands))
    return HD_END_INPUT;
  hd_session_messages(session);
  hd_str text = {0};
  hd_report_stubs(&text, session->code);
  hd_end end = hd_session_report(session, &text) ? HD_END_DONE : HD_END_OUTPUT;
  hd_str_free(&text);
  return end;
}

static void list_engines(hd_str *out) {
  for (size_t i = 0; hd_engines[i]; i++) {
    const hd_engine *engine = hd_engines[i];
    hd_str refused = {0};
    hd_describe_features(&refused, NULL, engine->refuses);
    hd_str_printf(out, "%-10s %s\n", engine->name, engine->summary);
    hd_str_printf(out, "%-10s %s", "",
                  engine->complete ? "decides every model it accepts"
                                   : "may end without a verdict");
    if (refused.size)
      hd_str_printf(out, "; refuses %s", hd_str_text(&refused));
    hd_str_puts(out, "\n");
    hd_str_free(&refused);
  }
  hd_str_puts(out,
              "\nFor C programs (with --threads=unbounded those above):\n");
  for (const hd_code_engine *e = hd_code_engines; e->name; e++)
    hd_str_printf(out, "  %-8s %s\n%-10s %s\n", e->name, e->summary, "",
                  e->proves ? "may end without a verdict"
                            : "finds violations, proves nothing");
}

static void write_engines(hd_str *out) {
  hd_json json = hd_json_start(out);
  hd_json_array(&json, NULL);
  for (size_t i = 0; hd_engines[i]; i++) {
    hd_str refused = {0};
    hd_describe_features(&refused, NULL, hd_engines[i]->refuses);
    hd_json_object(&json, NULL);
    hd_json_string(&json, "name", hd_engines[i]->name);
    hd_json_string(&json, "summary", hd_engines[i]->summary);
    hd_json_bool(&json, "complete", hd_engines[i]->complete);
    hd_json_string(&json, "refuses", hd_str_text(&refused));
    hd_json_end_object(&json);
    hd_str_free(&refused);
  }
  hd_json_end_array(&json);
  hd_json_finish(&json);
}

hd_end hd_cmd_engines(hd_session *session) {
  hd_str text = {0};
  if (!strcmp(session->options.format, "json"))
    write_engines(&text);
  else
    list_engines(&text);
  bool ok = hd_session_report(session, &text);
  hd_str_free(&text);
  return ok ? HD_END_DONE : HD_END_OUTPUT;
}
