/* SPDX-License-Identifier: MIT */
/* The HTML report: one file with all that it needs. What was found out goes in
 * as JSON, written compactly; the script of src/report/html shows it. The names
 * and the order of the members are between this file and that one. */
#include "report/html.h"

#include "report/json.h"
#include "report/markup.h"
#include "report/story.h"

#include <stdio.h>
#include <string.h>

enum { SOURCE_MOST = 4 << 20 }; /* bytes of a source file that a page has */

static const char *asset(const char *name) {
  for (const hd_html_file *f = hd_html_files; f->name; f++)
    if (!strcmp(f->name, name))
      return f->text;
  hd_bug("there is no file '%s' for the HTML report", name);
}

/* JSON as part of a page: without white space between the members, and without
 * '<', which only strings can have and which could end the script. */
static void put_json(hd_str *out, const char *json) {
  bool in_string = false;
  for (const char *c = json; *c; c++) {
    if (in_string && *c == '\\') {
      hd_str_append(out, c, 2);
      c++;
    } else if (*c == '<') {
      hd_str_puts(out, "\\u003c");
    } else if (in_string || (*c != ' ' && *c != '\n')) {
      in_string ^= *c == '"';
      hd_str_append(out, c, 1);
    }
  }
}

/* The whole file, or null when it is not there or is huge. */
static void write_source(hd_json *json, const char *path) {
  FILE *file = fopen(path, "r");
  hd_str text = {0};
  char buffer[8192];
  size_t n;
  while (file && (n = fread(buffer, 1, sizeof buffer, file)) > 0 &&
         text.size <= SOURCE_MOST)
    hd_str_append(&text, buffer, n);
  bool ok = file && !ferror(file) && text.size <= SOURCE_MOST;
  if (file)
    fclose(file);
  hd_json_object(json, NULL);
  hd_json_string(json, "name", path);
  hd_json_string(json, "text", ok ? hd_str_text(&text) : NULL);
  hd_json_end_object(json);
  hd_str_free(&text);
}

static double file_number(const hd_story *story, const char *file) {
  for (size_t i = 0; file && i < story->files.size; i++)
    if (!strcmp(story->files.data[i], file))
      return (double)i;
  return -1;
}

static void write_spot(hd_json *json, const char *key, const hd_story *story,
                       hd_spot spot) {
  if (!spot.file)
    return;
  hd_json_object(json, key);
  hd_json_number(json, "file", file_number(story, spot.file));
  hd_json_number(json, "line", spot.line);
  hd_json_number(json, "column", spot.column);
  hd_json_end_object(json);
}

static void write_findings(hd_json *json, const hd_story *story) {
  double run = 0;
  hd_json_array(json, "findings");
  for (hd_vec_each(const hd_story_finding, f, &story->findings)) {
    hd_json_object(json, NULL);
    hd_json_string(json, "name", f->name);
    hd_json_string(json, "title", f->title);
    hd_json_string(json, "verdict", hd_verdict_name(f->verdict));
    hd_json_string(json, "engine", f->engine);
    hd_json_string(json, "reason", f->reason);
    hd_json_bool(json, "checked", f->checked);
    write_spot(json, "at", story, f->at);
    hd_json_string(json, "at_thread", f->at_thread);
    write_spot(json, "other", story, f->other);
    hd_json_string(json, "other_thread", f->other_thread);
    if (f->number)
      hd_json_number(json, "number", f->number);
    hd_json_string(json, "fingerprint", f->fingerprint);
    hd_json_string(json, "standing", f->standing);
    hd_json_string(json, "excuse", f->excuse);
    if (f->run)
      hd_json_number(json, "run", run++);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
}

/* Names of functions, each once; a step has the number. */
typedef hd_vec(const char *) names;

static double name_number(names *list, const char *name) {
  for (size_t i = 0; i < list->size; i++)
    if (list->data[i] == name || !strcmp(list->data[i], name))
      return (double)i;
  hd_vec_push(list, name);
  return (double)list->size - 1;
}

/* thread, move, depth, file, line, column, function, statement, effect, flags
 * (1: others can see it, 2: the violation). */
static void write_step(hd_json *json, const hd_story *story, names *functions,
                       const hd_story_step *s) {
  hd_json_array(json, NULL);
  hd_json_number(json, NULL, s->thread);
  hd_json_number(json, NULL, s->move);
  hd_json_number(json, NULL, s->depth);
  hd_json_number(json, NULL, file_number(story, s->spot.file));
  hd_json_number(json, NULL, s->spot.line);
  hd_json_number(json, NULL, s->spot.column);
  hd_json_number(json, NULL, name_number(functions, s->function));
  hd_json_string(json, NULL, s->statement);
  hd_json_string(json, NULL, s->effect);
  hd_json_number(json, NULL, (s->shows ? 1 : 0) + (s->failed ? 2 : 0));
  hd_json_end_array(json);
}

static void write_order(hd_json *json, const hd_story_run *run) {
  hd_json_array(json, "arrows");
  for (hd_vec_each(const hd_arrow, a, &run->arrows)) {
    hd_json_array(json, NULL);
    hd_json_string(json, NULL, hd_arrow_name(a->kind));
    hd_json_number(json, NULL, (double)a->from);
    hd_json_number(json, NULL, (double)a->to);
    hd_json_end_array(json);
  }
  hd_json_end_array(json);
  hd_json_array(json, "changes");
  for (hd_vec_each(const hd_story_change, c, &run->changes)) {
    hd_json_array(json, NULL);
    hd_json_number(json, NULL, c->step == SIZE_MAX ? -1 : (double)c->step);
    hd_json_number(json, NULL, c->kind);
    hd_json_number(json, NULL, c->thread == HD_NO_ID ? -1 : (double)c->thread);
    hd_json_string(json, NULL, c->name);
    hd_json_string(json, NULL, c->value);
    hd_json_end_array(json);
  }
  hd_json_end_array(json);
}

static void write_run(hd_json *json, const hd_story *story,
                      const hd_story_finding *f) {
  names functions = {0};
  hd_json_object(json, NULL);
  hd_json_string(json, "name", f->name);
  hd_json_number(json, "moves", (double)f->run->moves);
  hd_json_array(json, "threads");
  for (size_t i = 0; i < f->run->threads.size; i++)
    hd_json_string(json, NULL, f->run->threads.data[i]);
  hd_json_end_array(json);
  hd_json_array(json, "steps");
  for (hd_vec_each(const hd_story_step, s, &f->run->steps))
    write_step(json, story, &functions, s);
  hd_json_end_array(json);
  hd_json_array(json, "functions");
  for (size_t i = 0; i < functions.size; i++)
    hd_json_string(json, NULL, functions.data[i]);
  hd_json_end_array(json);
  write_order(json, f->run);
  hd_json_end_object(json);
  hd_vec_free(&functions);
}

static void write_stat(hd_json *json, const hd_stat *s) {
  hd_json_object(json, NULL);
  hd_json_string(json, "name", s->name);
  hd_json_number(json, "value", s->value);
  hd_json_string(json, "unit", s->unit ? s->unit : "");
  hd_json_string(json, "help", s->help);
  hd_json_end_object(json);
}

static void write_figures(hd_json *json, const hd_story *story) {
  const hd_stat process[] = {
      {"wall", "wall time since the start", "s", story->seconds},
      {"cpu", "processor time", "s", story->cpu},
      {"peak", "most memory of heddle's own data", "bytes",
       (double)story->memory},
      {"resident", "most memory of the process", "bytes",
       (double)story->resident},
  };
  hd_json_array(json, "statistics");
  for (hd_vec_each(const hd_stat, s, &story->figures->stats))
    write_stat(json, s);
  for (size_t i = 0; i < sizeof process / sizeof *process; i++)
    write_stat(json, &process[i]);
  hd_json_end_array(json);
  hd_json_object(json, "time");
  hd_json_fixed(json, "wall", story->seconds, 6);
  hd_json_fixed(json, "cpu", story->cpu, 6);
  hd_json_end_object(json);
}

static void write_graph(hd_json *json, const hd_story *story) {
  if (!story->dot)
    return;
  hd_json_object(json, "graph");
  hd_json_string(json, "kind", story->dot_kind);
  hd_json_string(json, "title", story->dot_title);
  hd_json_string(json, "words", story->dot_words);
  hd_json_string(json, "dot", story->dot);
  hd_json_string(json, "svg", story->svg);
  hd_json_end_object(json);
}

static void write_story(hd_json *json, const hd_story *story) {
  hd_json_string(json, "heddle", HD_VERSION);
  hd_json_string(json, "command", story->command);
  hd_json_string(json, "file", story->file);
  hd_json_string(json, "kind", story->kind);
  hd_json_string(json, "size", story->size);
  hd_json_string(json, "verdict",
                 story->judged ? hd_verdict_name(story->verdict) : NULL);
  hd_json_string(json, "summary", story->summary);
  hd_json_string(json, "hint", story->hint);
  write_findings(json, story);
  hd_json_array(json, "runs");
  for (hd_vec_each(const hd_story_finding, f, &story->findings))
    if (f->run)
      write_run(json, story, f);
  hd_json_end_array(json);
  hd_json_array(json, "notes");
  for (size_t i = 0; i < story->notes.size; i++)
    hd_json_string(json, NULL, story->notes.data[i]);
  hd_json_end_array(json);
  hd_json_array(json, "files");
  for (size_t i = 0; i < story->files.size; i++)
    write_source(json, story->files.data[i]);
  hd_json_end_array(json);
  hd_json_string(json, "output", story->output);
  hd_json_string(json, "proof", story->proof);
  hd_json_string(json, "proof_summary", story->proof_summary);
  hd_json_bool(json, "certificate", story->certificate);
  write_graph(json, story);
  write_figures(json, story);
}

void hd_story_html(hd_str *out, const hd_story *story) {
  hd_str text = {0};
  hd_json json = hd_json_start(&text);
  hd_json_object(&json, NULL);
  write_story(&json, story);
  hd_json_end_object(&json);
  hd_json_finish(&json);
  hd_str_puts(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n"
                   "<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, "
                   "initial-scale=1\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" "
                   "content=\"default-src 'none'; style-src 'unsafe-inline'; "
                   "script-src 'unsafe-inline'; img-src data:\">\n"
                   "<link rel=\"icon\" href=\"data:,\">\n<title>");
  hd_markup_text(out, story->judged ? hd_verdict_name(story->verdict) : "run");
  hd_str_puts(out, " — ");
  hd_markup_text(out, story->file);
  hd_str_printf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n",
                asset("report.css"));
  hd_str_puts(out, asset("page.html"));
  hd_str_puts(out, "<noscript>This report needs JavaScript.</noscript>\n"
                   "<script type=\"application/json\" id=\"data\">");
  put_json(out, hd_str_text(&text));
  hd_str_printf(out,
                "</script>\n<script>\n%s</script>\n</body>\n"
                "</html>\n",
                asset("report.js"));
  hd_str_free(&text);
}
