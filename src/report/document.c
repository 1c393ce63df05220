/* SPDX-License-Identifier: MIT */
/* JSON reports of verify and check. */
#include "report/document.h"

#include "report/describe.h"
#include "report/schedule.h"
#include "report/trace.h"

#include <string.h>

static const char *format_name(hd_format format) {
  static const char *const names[] = {"tts", "spec", "pnml"};
  return names[format];
}

static void write_targets(hd_json *json, const hd_net *net) {
  hd_str text = {0};
  hd_json_array(json, "targets");
  for (size_t i = 0; i < net->targets.size; i++) {
    hd_vec_clear(&text);
    hd_describe_target(&text, net, i);
    hd_json_string(json, NULL, hd_str_text(&text));
  }
  hd_json_end_array(json);
  hd_str_free(&text);
}

void hd_document_head(hd_json *json, const char *command, const hd_net *net) {
  hd_json_string(json, "heddle", HD_VERSION);
  hd_json_number(json, "schema", HD_SCHEMA);
  hd_json_string(json, "command", command);
  hd_json_object(json, "model");
  hd_json_string(json, "file", net->file);
  hd_json_string(json, "format", format_name(net->format));
  hd_json_number(json, "shared_states", net->n_shared);
  hd_json_number(json, "places", net->n_places);
  hd_json_number(json, "transitions", (double)net->trans.size);
  hd_str init = {0};
  hd_describe_init(&init, net, 0);
  hd_json_string(json, "initial", hd_str_text(&init));
  hd_str_free(&init);
  write_targets(json, net);
  hd_json_end_object(json);
}

/* Two engines of one run may count under one name: the sum is written, where
 * the name comes first. */
static bool sum_of(const hd_result *result, size_t at, double *sum) {
  const hd_stat *stats = result->stats.data;
  *sum = 0;
  for (size_t i = 0; i < result->stats.size; i++)
    if (!strcmp(stats[i].name, stats[at].name)) {
      if (i < at)
        return false;
      *sum += stats[i].value;
    }
  return true;
}

void hd_document_figures(hd_json *json, const hd_report *report) {
  hd_json_object(json, "statistics");
  double sum;
  for (size_t i = 0; i < report->result->stats.size; i++)
    if (sum_of(report->result, i, &sum))
      hd_json_number(json, report->result->stats.data[i].name, sum);
  hd_json_end_object(json);
  hd_json_object(json, "time");
  hd_json_fixed(json, "wall", report->seconds, 6);
  hd_json_fixed(json, "cpu", report->cpu, 6);
  hd_json_end_object(json);
  hd_json_object(json, "memory");
  hd_json_number(json, "peak", (double)report->memory);
  hd_json_number(json, "resident", (double)report->resident);
  hd_json_end_object(json);
}

static void write_config(hd_json *json, const char *key, const hd_net *net,
                         hd_trace *trace) {
  hd_str text = {0};
  hd_net_print_config(&text, net, hd_trace_shared(trace),
                      hd_trace_tokens(trace));
  hd_json_string(json, key, hd_str_text(&text));
  hd_str_free(&text);
}

static void write_step(hd_json *json, const hd_net *net, hd_trans_id t,
                       hd_trace *trace) {
  hd_json_object(json, NULL);
  hd_json_number(json, "transition", t);
  hd_str text = {0};
  hd_net_print_trans(&text, net, t);
  hd_json_string(json, "text", hd_str_text(&text));
  hd_str_free(&text);
  if (net->trans.data[t].line)
    hd_json_number(json, "line", net->trans.data[t].line);
  else
    hd_json_string(json, "line", NULL);
  if (hd_trace_thread(trace))
    hd_json_number(json, "thread", hd_trace_thread(trace));
  write_config(json, "configuration", net, trace);
  hd_json_end_object(json);
}

static void write_witness(hd_json *json, const hd_net *net,
                          const hd_witness *witness) {
  hd_trace *trace = hd_trace_new(net, witness);
  hd_str target = {0};
  hd_json_object(json, "witness");
  hd_describe_target(&target, net, witness->target);
  hd_json_string(json, "target", hd_str_text(&target));
  hd_str_free(&target);
  hd_json_number(json, "threads",
                 hd_tokens_total(hd_token_vec_view(&witness->init)));
  write_config(json, "initial", net, trace);
  hd_json_array(json, "steps");
  while (hd_trace_next(trace)) {
    size_t i = hd_trace_step(trace) - 1;
    write_step(json, net, witness->steps.data[i].trans, trace);
  }
  hd_json_end_array(json);
  hd_json_end_object(json);
  hd_trace_delete(trace);
}

static void write_cert(hd_json *json, const hd_cert *cert) {
  hd_json_object(json, "certificate");
  hd_json_string(json, "kind",
                 cert->kind == HD_CERT_COVER ? "cover" : "backward");
  hd_str text = {0};
  hd_report_cert_summary(&text, cert);
  hd_json_string(json, "summary", hd_str_text(&text));
  hd_str_free(&text);
  hd_json_bool(json, "tset", cert->rows != NULL);
  hd_json_number(json, "inequalities", (double)cert->linear.size);
  hd_json_number(json, "traps", (double)cert->traps.size);
  hd_json_number(json, "configurations", (double)cert->configs.size);
  hd_json_end_object(json);
}

void hd_report_verify_json(hd_str *out, const hd_report *report) {
  const hd_result *result = report->result;
  hd_json json = hd_json_start(out);
  hd_json_object(&json, NULL);
  hd_document_head(&json, "verify", report->net);
  hd_json_string(&json, "verdict", hd_verdict_name(result->verdict));
  hd_json_string(&json, "reason", result->reason);
  hd_json_string(&json, "hint", report->hint);
  hd_json_string(&json, "engine", result->engine);
  hd_json_bool(&json, "checked", report->checked);
  hd_json_number(&json, "exit_code", report->exit_code);
  if (result->witness)
    write_witness(&json, report->net, result->witness);
  if (report->schedule)
    hd_report_schedule_json(&json, report->program, report->schedule);
  if (result->cert)
    write_cert(&json, result->cert);
  hd_document_figures(&json, report);
  hd_json_end_object(&json);
  hd_json_finish(&json);
}

void hd_report_check_json(hd_str *out, const hd_judgement *j) {
  hd_json json = hd_json_start(out);
  hd_json_object(&json, NULL);
  hd_document_head(&json, "check", j->net);
  hd_json_string(&json, "evidence", j->evidence);
  hd_json_bool(&json, "accepted", j->accepted);
  hd_json_string(&json, "reason", j->accepted ? NULL : j->why);
  hd_json_string(&json, "proves",
                 !j->accepted ? NULL
                 : j->witness ? "unsafe"
                              : "safe");
  hd_json_number(&json, "exit_code", j->exit_code);
  if (j->cert)
    write_cert(&json, j->cert);
  hd_json_end_object(&json);
  hd_json_finish(&json);
}
