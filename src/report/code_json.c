/* SPDX-License-Identifier: MIT */
/* JSON reports on C programs: docs/json.md. */
#include "report/code_reads.h"
#include "report/code_rows.h"
#include "report/code_words.h"
#include "report/document.h"
#include "report/standing.h"

static void write_head(hd_json *json, const char *command, const hd_code *code,
                       const char *file, size_t n_files) {
  size_t defined = 0;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    defined += f->defined;
  hd_json_string(json, "heddle", HD_VERSION);
  hd_json_number(json, "schema", HD_SCHEMA);
  hd_json_string(json, "command", command);
  hd_json_object(json, "model");
  hd_json_string(json, "file", file);
  hd_json_string(json, "format", "c");
  hd_json_number(json, "files", (double)n_files);
  hd_json_number(json, "bits", code->pointer_width);
  hd_json_number(json, "functions", (double)defined);
  hd_json_number(json, "locations", (double)code->locs.size);
  hd_json_number(json, "edges", (double)code->edges.size);
  hd_json_end_object(json);
}

static void write_place(hd_json *json, const hd_code *code, hd_cpos pos) {
  bool known = pos.file < code->files.size && pos.line;
  hd_json_string(json, "file", known ? code->files.data[pos.file] : NULL);
  hd_json_number(json, "line", known ? pos.line : 0);
  hd_json_number(json, "column", known ? pos.column : 0);
}

static void write_edge(hd_json *json, const char *key, const hd_code *code,
                       const hd_code_trace *trace, hd_tid thread,
                       hd_edge_id edge) {
  if (thread == HD_NO_ID || edge >= code->edges.size)
    return;
  edge = hd_code_shown_edge(code, trace, thread, edge).edge;
  hd_json_object(json, key);
  hd_json_number(json, "thread", thread);
  hd_json_string(json, "function",
                 hd_code_func_name(code, hd_code_func_of(code, edge)));
  write_place(json, code, code->edges.data[edge].pos);
  hd_json_end_object(json);
}

static void write_violation(hd_json *json, const char *key, const hd_code *code,
                            const hd_code_trace *trace, const hd_violation *v) {
  hd_json_object(json, key);
  hd_json_string(json, "property", hd_property_name(v->property));
  hd_json_string(json, "message", v->message);
  write_edge(json, "at", code, trace, v->thread, v->edge);
  write_edge(json, "other", code, trace, v->other, v->other_edge);
  hd_json_end_object(json);
}

static void write_arrows(hd_json *json, const hd_code_rows *rows) {
  hd_json_array(json, "order");
  for (hd_vec_each(const hd_arrow, arrow, &rows->arrows)) {
    hd_json_object(json, NULL);
    hd_json_string(json, "kind", hd_arrow_name(arrow->kind));
    hd_json_number(json, "from", (double)arrow->from);
    hd_json_number(json, "to", (double)arrow->to);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
}

static void write_trace(hd_json *json, const hd_code_trace *trace,
                        const hd_violation *violation) {
  hd_code_rows *rows = hd_code_rows_new(trace, violation);
  bool *chosen = hd_code_rows_select(rows, false);
  hd_json_object(json, "trace");
  hd_json_array(json, "threads");
  for (size_t i = 0; i < rows->threads.size; i++)
    hd_json_string(json, NULL, rows->threads.data[i]);
  hd_json_end_array(json);
  hd_json_number(json, "moves", trace->moves);
  hd_json_array(json, "steps");
  for (size_t i = 0; i < rows->rows.size; i++) {
    const hd_row *row = &rows->rows.data[i];
    hd_json_object(json, NULL);
    hd_json_number(json, "move", row->first);
    hd_json_number(json, "thread", row->thread);
    hd_json_string(json, "function", hd_code_func_name(trace->code, row->func));
    hd_json_number(json, "depth", row->depth);
    write_place(json, trace->code, row->pos);
    hd_json_string(json, "statement", row->statement);
    hd_json_string(json, "effect", row->effect);
    hd_json_bool(json, "interesting", chosen[i]);
    hd_json_bool(json, "violation", row->failed);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  write_arrows(json, rows);
  hd_exec_json(json, trace);
  hd_json_end_object(json);
  hd_free(chosen);
  hd_code_rows_delete(rows);
}

static void write_standing(hd_json *json, const hd_code_answer *a) {
  hd_str text = {0};
  hd_fingerprint_print(&text, a->fingerprint);
  hd_json_string(json, "fingerprint",
                 a->fingerprint ? hd_str_text(&text) : NULL);
  hd_json_string(json, "standing", hd_standing_name(a->standing));
  hd_json_string(json, "excuse", a->excuse);
  hd_str_free(&text);
}

/* All of them, also those of `properties`. */
static void write_findings(hd_json *json, const hd_code_report *report) {
  hd_code_answers all = {0};
  hd_code_violations(report->result, &all);
  hd_json_array(json, "findings");
  for (size_t i = 0; i < all.size; i++) {
    const hd_code_answer *a = all.data[i];
    hd_json_object(json, NULL);
    hd_json_number(json, "number", (double)i + 1);
    write_standing(json, a);
    hd_json_string(json, "engine", a->engine);
    write_violation(json, "violation", report->code, a->trace, &a->violation);
    write_trace(json, a->trace, &a->violation);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  hd_vec_free(&all);
}

static void write_answers(hd_json *json, const hd_code_report *report) {
  hd_json_array(json, "properties");
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &report->result->answers[p];
    if (!answer->asked)
      continue;
    hd_json_object(json, NULL);
    hd_json_string(json, "name", hd_property_name((hd_property)p));
    hd_json_string(json, "verdict", hd_verdict_name(answer->verdict));
    hd_json_string(json, "reason", answer->reason);
    hd_json_string(json, "engine", answer->engine);
    hd_json_bool(json, "checked",
                 (answer->trace != NULL && !answer->not_executed) ||
                     answer->proof > HD_PROOF_COUNTERS);
    hd_json_string(json, "proof", hd_code_proof_name(answer->proof));
    if (answer->unchecked)
      hd_json_string(json, "unchecked", answer->unchecked);
    if (answer->verdict == HD_UNSAFE) {
      write_violation(json, "violation", report->code, answer->trace,
                      &answer->violation);
      write_trace(json, answer->trace, &answer->violation);
    }
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  hd_json_array(json, "assumes");
  for (size_t i = 0; i < report->result->assumes.size; i++)
    hd_json_string(json, NULL, report->result->assumes.data[i]);
  hd_json_end_array(json);
  hd_json_string(json, "remark", report->result->remark);
  hd_json_array(json, "notes");
  for (size_t i = 0; i < report->result->notes.size; i++)
    hd_json_string(json, NULL, report->result->notes.data[i].text);
  hd_json_end_array(json);
}

static void write_run(hd_json *json, const hd_code_report *report) {
  const hd_code_run *run = report->run;
  hd_json_string(json, "status", hd_code_status_name(run->status));
  hd_json_string(json, "reason", run->why);
  hd_json_number(json, "program_exit_code", run->exit_code);
  hd_json_string(json, "output", run->output);
  hd_json_array(json, "violations");
  for (size_t i = 0; i < run->n_violations; i++)
    write_violation(json, NULL, report->code, NULL, &run->violations[i]);
  hd_json_end_array(json);
  if (report->trace)
    write_trace(json, report->trace,
                run->n_violations ? run->violations : NULL);
}

void hd_report_code_json(hd_str *out, const hd_code_report *report) {
  hd_json json = hd_json_start(out);
  hd_json_object(&json, NULL);
  write_head(&json, report->command, report->code, report->file,
             report->n_files);
  if (report->result) {
    hd_verdict worst = hd_code_result_worst(report->result);
    hd_json_string(&json, "verdict", hd_verdict_name(worst));
    hd_json_bool(&json, "ideal", worst == HD_SAFE && report->result->ideal);
    hd_json_string(&json, "memory_model",
                   hd_memmodel_name(report->result->memory));
    hd_json_string(&json, "hint", report->hint);
    write_answers(&json, report);
    write_findings(&json, report);
  } else
    write_run(&json, report);
  hd_json_number(&json, "exit_code", report->exit_code);
  hd_report figures = hd_code_figures(report);
  hd_document_figures(&json, &figures);
  hd_json_end_object(&json);
  hd_json_finish(&json);
}

void hd_report_code_check_json(hd_str *out, const hd_code_judgement *j) {
  hd_json json = hd_json_start(out);
  hd_json_object(&json, NULL);
  write_head(&json, "check", j->code, j->file, j->n_files);
  hd_json_string(&json, "evidence", j->evidence);
  bool good = j->certificate ? j->proved != 0 : j->violation != NULL;
  if (j->certificate) {
    hd_json_number(&json, "places", (double)j->walked.size);
    hd_json_number(&json, "states", (double)j->joint.states);
    hd_json_object(&json, "followed");
    hd_json_number(&json, "threads", (double)j->walked.threads);
    hd_json_number(&json, "places", (double)j->walked.places);
    hd_json_number(&json, "steps", (double)j->walked.steps);
    hd_json_number(&json, "locations", (double)j->walked.locations);
    hd_json_number(&json, "reached", (double)j->walked.reached);
    hd_json_number(&json, "assertions", (double)j->walked.assertions);
    hd_json_number(&json, "defended", (double)j->walked.defended);
    hd_json_end_object(&json);
    hd_json_object(&json, "together");
    hd_json_number(&json, "threads", (double)j->joint.threads);
    hd_json_number(&json, "states", (double)j->joint.states);
    hd_json_number(&json, "moves", (double)j->joint.moves);
    hd_json_number(&json, "locations", (double)j->joint.locations);
    hd_json_number(&json, "reached", (double)j->joint.reached);
    hd_json_end_object(&json);
  } else
    hd_json_number(&json, "moves", (double)j->turns);
  hd_json_bool(&json, "accepted", good);
  hd_json_string(&json, "reason", good ? NULL : j->why);
  hd_json_string(&json, "proves",
                 !good            ? NULL
                 : j->certificate ? "safe"
                                  : "unsafe");
  if (j->certificate) {
    hd_json_array(&json, "properties");
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
      if (j->proved >> p & 1)
        hd_json_string(&json, NULL, hd_property_name(p));
    hd_json_end_array(&json);
  }
  if (j->violation)
    write_violation(&json, "violation", j->code, j->trace, j->violation);
  hd_json_number(&json, "exit_code", j->exit_code);
  hd_json_end_object(&json);
  hd_json_finish(&json);
}
