/* SPDX-License-Identifier: MIT */
#include "report/compare.h"

#include "report/describe.h"
#include "report/document.h"

#include <string.h>

static void print_head(hd_str *out, const hd_compare_report *r) {
  const char *files[] = {r->spec, r->impl};
  const uint32_t procs[] = {r->spec_procs, r->impl_procs};
  static const char *const names[] = {"specification   ", "implementation  "};
  for (int i = 0; i < 2; i++) {
    hd_str_puts(out, names[i]);
    hd_report_one_line(out, files[i]);
    hd_str_puts(out, ", ");
    hd_describe_counted(out, procs[i], "process", "es");
    hd_str_puts(out, "\n");
  }
}

static void print_difference(hd_str *out, const hd_compare_report *r) {
  hd_str_puts(out, "\nThey compute different things");
  hd_str_puts(out, r->n_inputs ? ". With\n" : ":\n");
  for (size_t i = 0; i < r->n_inputs; i++)
    hd_str_printf(out, "  %s\n", r->inputs[i]);
  hd_str_puts(out, r->n_inputs ? "the first output that differs is\n" : "");
  hd_str_printf(out, "  %s = %s in the specification\n", r->output,
                r->spec_value);
  hd_str_printf(out, "  %*s = %s in the implementation\n",
                (int)strlen(r->output), "", r->impl_value);
  hd_str_puts(out, "Both were executed with these inputs.\n");
}

/* Lines of `text`, indented. */
static void print_lines(hd_str *out, const char *text) {
  while (*text) {
    size_t n = strcspn(text, "\n");
    hd_str_puts(out, "  ");
    hd_str_append(out, text, n);
    hd_str_puts(out, "\n");
    text += n + (text[n] == '\n');
  }
}

static const hd_code *code_of(const hd_compare_report *r, hd_proc p) {
  return r->codes[p != HD_NO_ID && p >= r->spec_procs];
}

static void print_finding(hd_str *out, const hd_compare_report *r) {
  const hd_lise_finding *f = r->finding;
  const hd_code *code = code_of(r, f->proc);
  hd_str_printf(out, "\n%s: %s\n", hd_property_name(f->property), f->message);
  hd_cpos pos = {.file = HD_NO_ID};
  if (f->pragma != HD_NO_ID && f->pragma < code->pragmas.size)
    pos = code->pragmas.data[f->pragma].pos;
  else if (f->edge != HD_NO_ID)
    pos = code->edges.data[f->edge].pos;
  if (pos.file != HD_NO_ID) {
    hd_str_puts(out, "  at ");
    hd_code_print_pos(out, code, pos);
    if (f->proc != HD_NO_ID)
      hd_str_printf(out, " in process %u of the %s",
                    f->proc < r->spec_procs ? f->proc : f->proc - r->spec_procs,
                    f->proc < r->spec_procs ? "specification"
                                            : "implementation");
    hd_str_puts(out, "\n");
  }
  for (size_t i = 0; i < f->inputs.size; i++)
    hd_str_printf(out, "%s  %s = %s\n", i ? "" : "for example with\n",
                  f->inputs.data[i].name, f->inputs.data[i].value);
  if (f->state) {
    hd_str_puts(out, "the symbolic state:\n");
    print_lines(out, f->state);
  }
}

static void print_verdict(hd_str *out, const hd_compare_report *r) {
  hd_report figures = r->figures;
  hd_result result = {.verdict = r->verdict,
                      .reason = (char *)(uintptr_t)r->reason};
  hd_str bounded = {0};
  if (r->bounded && r->verdict != HD_UNSAFE) {
    hd_str_printf(&bounded, "%sequal within %u rounds of every loop",
                  r->verdict == HD_SAFE ? "" : "only ", r->bound);
    result.reason = bounded.data;
  }
  figures.result = &result;
  if (r->bounded && r->verdict == HD_SAFE)
    hd_str_printf(out, "%s\n", hd_str_text(&bounded));
  bool ideal = r->ideal && r->verdict == HD_SAFE;
  if (r->verdict == HD_SAFE && !r->figures.quiet)
    hd_str_puts(out, ideal ? "equal over the reals\n" : "equal bit for bit\n");
  hd_report_last_line(out, &figures, "verdict",
                      ideal ? "safe (ideal numbers)"
                            : hd_verdict_name(r->verdict),
                      r->verdict == HD_SAFE     ? HD_GOOD
                      : r->verdict == HD_UNSAFE ? HD_BAD
                                                : HD_UNSURE);
  hd_str_free(&bounded);
}

void hd_report_compare_text(hd_str *out, const hd_compare_report *r) {
  if (!r->figures.quiet) {
    print_head(out, r);
    if (r->output)
      print_difference(out, r);
    else if (r->finding && r->finding->found)
      print_finding(out, r);
    for (size_t i = 0; i < r->n_notes; i++)
      hd_str_printf(out, "%snote: %s\n", i ? "" : "\n", r->notes[i]);
    hd_report_statistics(out, &r->figures);
    hd_str_puts(out, "\n");
  }
  print_verdict(out, r);
}

static void write_finding(hd_json *json, const hd_compare_report *r) {
  const hd_lise_finding *f = r->finding;
  const hd_code *code = code_of(r, f->proc);
  hd_json_object(json, "finding");
  hd_json_string(json, "property", hd_property_name(f->property));
  hd_json_string(json, "message", f->message);
  hd_json_string(json, "state", f->state);
  hd_cpos pos = {.file = HD_NO_ID};
  if (f->pragma != HD_NO_ID && f->pragma < code->pragmas.size)
    pos = code->pragmas.data[f->pragma].pos;
  else if (f->edge != HD_NO_ID)
    pos = code->edges.data[f->edge].pos;
  if (pos.file != HD_NO_ID) {
    hd_json_string(json, "file", code->files.data[pos.file]);
    hd_json_number(json, "line", pos.line);
    hd_json_number(json, "column", pos.column);
  }
  hd_json_array(json, "inputs");
  for (size_t i = 0; i < f->inputs.size; i++) {
    hd_json_object(json, NULL);
    hd_json_string(json, "name", f->inputs.data[i].name);
    hd_json_string(json, "value", f->inputs.data[i].value);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  hd_json_end_object(json);
}

void hd_report_compare_json(hd_str *out, const hd_compare_report *r) {
  hd_json json = hd_json_start(out);
  hd_json_object(&json, NULL);
  hd_json_string(&json, "heddle", HD_VERSION);
  hd_json_number(&json, "schema", HD_SCHEMA);
  hd_json_string(&json, "command", "compare");
  hd_json_object(&json, "specification");
  hd_json_string(&json, "file", r->spec);
  hd_json_number(&json, "processes", r->spec_procs);
  hd_json_end_object(&json);
  hd_json_object(&json, "implementation");
  hd_json_string(&json, "file", r->impl);
  hd_json_number(&json, "processes", r->impl_procs);
  hd_json_end_object(&json);
  hd_json_string(&json, "verdict", hd_verdict_name(r->verdict));
  hd_json_string(&json, "reason", r->reason);
  hd_json_bool(&json, "bounded", r->bounded);
  hd_json_bool(&json, "ideal", r->ideal);
  if (r->output) {
    hd_json_object(&json, "difference");
    hd_json_array(&json, "inputs");
    for (size_t i = 0; i < r->n_inputs; i++)
      hd_json_string(&json, NULL, r->inputs[i]);
    hd_json_end_array(&json);
    hd_json_string(&json, "output", r->output);
    hd_json_string(&json, "specification", r->spec_value);
    hd_json_string(&json, "implementation", r->impl_value);
    hd_json_end_object(&json);
  }
  if (r->finding && r->finding->found)
    write_finding(&json, r);
  hd_json_array(&json, "notes");
  for (size_t i = 0; i < r->n_notes; i++)
    hd_json_string(&json, NULL, r->notes[i]);
  hd_json_end_array(&json);
  hd_json_number(&json, "exit_code", r->figures.exit_code);
  hd_document_figures(&json, &r->figures);
  hd_json_end_object(&json);
  hd_json_finish(&json);
}
