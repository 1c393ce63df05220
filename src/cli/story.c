/* SPDX-License-Identifier: MIT */
#include "cli/story.h"

#include <string.h>

bool hd_story_page(const hd_options *o) {
  return o->html || (o->code_format && !strcmp(o->code_format, "html"));
}

/* html, sarif or gcc; a page also has a graph. */
static void print(hd_session *session, hd_story *story, const char *format,
                  hd_str *out) {
  hd_str dot = {0}, svg = {0};
  if (!strcmp(format, "html")) {
    hd_graph_for_page(session, story, &dot, &svg);
    hd_story_html(out, story);
  } else if (!strcmp(format, "sarif"))
    hd_story_sarif(out, story);
  else
    hd_story_gcc(out, story);
  hd_str_free(&dot);
  hd_str_free(&svg);
}

void hd_story_print_code(hd_session *session, const hd_code_report *report,
                         hd_str *out) {
  const char *format = session->options.code_format;
  if (!strcmp(format, "text")) {
    hd_report_code_text(out, report);
  } else if (!strcmp(format, "json")) {
    hd_report_code_json(out, report);
  } else if (!strcmp(format, "svg")) {
    hd_report_code_svg(out, report);
  } else {
    hd_story *story = hd_story_of_code(report);
    print(session, story, format, out);
    hd_story_delete(story);
  }
}

void hd_story_print_model(hd_session *session, const hd_report *report,
                          hd_str *out) {
  const char *format = session->options.code_format;
  if (!strcmp(format, "text")) {
    hd_report plain = *report;
    if (!session->options.explain) /* it was made for the page */
      plain.explanation = NULL;
    hd_report_verify_text(out, &plain);
  } else if (!strcmp(format, "json")) {
    hd_report_verify_json(out, report);
  } else {
    hd_story *story = hd_story_of_model(report);
    print(session, story, format, out);
    hd_story_delete(story);
  }
}

static bool write_page(hd_session *session, hd_story *story) {
  hd_str text = {0};
  print(session, story, "html", &text);
  bool ok = hd_session_write(session, session->options.html, hd_str_text(&text),
                             text.size);
  hd_str_free(&text);
  hd_story_delete(story);
  return ok;
}

bool hd_story_write_code(hd_session *session, const hd_code_report *report) {
  return !session->options.html ||
         write_page(session, hd_story_of_code(report));
}

bool hd_story_write_model(hd_session *session, const hd_report *report) {
  return !session->options.html ||
         write_page(session, hd_story_of_model(report));
}
