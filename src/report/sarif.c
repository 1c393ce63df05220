/* SPDX-License-Identifier: MIT */
/* SARIF 2.1.0: a result for everything that was asked, with the run as a code
 * flow that has a thread flow for each thread. Steps of all threads are numbered
 * by executionOrder. */
#include "model/property.h"
#include "report/json.h"
#include "report/story.h"

#include <string.h>

static const struct {
  const char *name, *help;
} rules[] = {
#define X(name, text, what) {text, what},
    HD_PROPERTIES(X)
#undef X
        {"target", "a configuration that must not be reached is reached"},
};

/* The rule of a finding; those that are not properties of C are targets. */
static const char *rule_of(const hd_story *story, const hd_story_finding *f) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (!strcmp(rules[i].name, f->name))
      return f->name;
  return !strcmp(story->kind, "C program") ? f->name : "target";
}

static void write_message(hd_json *json, const char *key, const char *text) {
  hd_json_object(json, key);
  hd_json_string(json, "text", text);
  hd_json_end_object(json);
}

/* A path as a URI reference: relative ones stay relative. */
static void put_uri(hd_str *out, const char *path) {
  if (*path == '/')
    hd_str_puts(out, "file://");
  for (; *path; path++)
    if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
               "-._~/",
               *path))
      hd_str_append(out, path, 1);
    else
      hd_str_printf(out, "%%%02X", (unsigned)(unsigned char)*path);
}

static void write_file(hd_json *json, const char *key, const char *path) {
  hd_str uri = {0};
  put_uri(&uri, path);
  hd_json_object(json, key);
  hd_json_string(json, "uri", hd_str_text(&uri));
  hd_json_end_object(json);
  hd_str_free(&uri);
}

static void write_location(hd_json *json, const char *key,
                           const hd_story *story, hd_spot spot,
                           const char *message) {
  hd_json_object(json, key);
  hd_json_object(json, "physicalLocation");
  write_file(json, "artifactLocation", spot.file ? spot.file : story->file);
  if (spot.file && spot.line) {
    hd_json_object(json, "region");
    hd_json_number(json, "startLine", spot.line);
    if (spot.column)
      hd_json_number(json, "startColumn", spot.column);
    hd_json_end_object(json);
  }
  hd_json_end_object(json);
  if (message)
    write_message(json, "message", message);
  hd_json_end_object(json);
}

static void write_step(hd_json *json, const hd_story *story,
                       const hd_story_step *s, size_t number) {
  hd_str text = {0};
  hd_str_puts(&text, s->statement);
  if (*s->effect)
    hd_str_printf(&text, " — %s", s->effect);
  hd_json_object(json, NULL);
  write_location(json, "location", story, s->spot, hd_str_text(&text));
  hd_json_number(json, "executionOrder", (double)number);
  hd_json_number(json, "nestingLevel", s->depth);
  hd_json_string(json, "importance",
                 s->failed  ? "essential"
                 : s->shows ? "important"
                            : "unimportant");
  hd_json_end_object(json);
  hd_str_free(&text);
}

static void write_flows(hd_json *json, const hd_story *story,
                        const hd_story_run *run) {
  hd_json_array(json, "codeFlows");
  hd_json_object(json, NULL);
  hd_json_array(json, "threadFlows");
  for (uint32_t t = 0; t < run->threads.size; t++) {
    size_t steps = 0;
    for (hd_vec_each(const hd_story_step, s, &run->steps))
      steps += s->thread == t;
    if (!steps)
      continue;
    hd_json_object(json, NULL);
    hd_json_string(json, "id", run->threads.data[t]);
    hd_json_array(json, "locations");
    for (size_t i = 0; i < run->steps.size; i++)
      if (run->steps.data[i].thread == t)
        write_step(json, story, &run->steps.data[i], i + 1);
    hd_json_end_array(json);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  hd_json_end_object(json);
  hd_json_end_array(json);
}

static void write_words(hd_json *json, const hd_story_finding *f) {
  hd_str text = {0};
  if (f->verdict == HD_UNSAFE) {
    hd_str_puts(&text, f->title);
    if (f->at_thread)
      hd_str_printf(&text, ", in %s", f->at_thread);
  } else if (f->verdict == HD_SAFE)
    hd_str_printf(&text, "%s: %s%s%s", f->name, f->title,
                  f->engine ? ", shown by " : "", f->engine ? f->engine : "");
  else
    hd_str_printf(&text, "%s: %s%s%s", f->name, f->title, f->reason ? ": " : "",
                  f->reason ? f->reason : "");
  hd_str_puts(&text, ".");
  write_message(json, "message", hd_str_text(&text));
  hd_str_free(&text);
}

/* What is known is still a result; viewers hide those that are suppressed. */
static void write_standing(hd_json *json, const hd_story_finding *f) {
  if (f->fingerprint) {
    hd_json_object(json, "partialFingerprints");
    hd_json_string(json, "heddle/v1", f->fingerprint);
    hd_json_end_object(json);
  }
  if (!f->standing || !strcmp(f->standing, "new"))
    return;
  hd_json_array(json, "suppressions");
  hd_json_object(json, NULL);
  hd_json_string(json, "kind", f->excuse ? "inSource" : "external");
  if (f->excuse)
    hd_json_string(json, "justification", f->excuse);
  hd_json_end_object(json);
  hd_json_end_array(json);
}

static void write_result(hd_json *json, const hd_story *story,
                         const hd_story_finding *f) {
  static const char *const kinds[] = {
      [HD_UNKNOWN] = "open", [HD_SAFE] = "pass", [HD_UNSAFE] = "fail"};
  hd_json_object(json, NULL);
  hd_json_string(json, "ruleId", rule_of(story, f));
  hd_json_string(json, "kind", kinds[f->verdict]);
  hd_json_string(json, "level", f->verdict == HD_UNSAFE ? "error" : "none");
  write_words(json, f);
  hd_json_array(json, "locations");
  write_location(json, NULL, story, f->at, NULL);
  hd_json_end_array(json);
  if (f->other.file) {
    hd_json_array(json, "relatedLocations");
    write_location(json, NULL, story, f->other, "the other access");
    hd_json_end_array(json);
  }
  write_standing(json, f);
  if (f->run && f->run->steps.size)
    write_flows(json, story, f->run);
  hd_json_end_object(json);
}

static void write_rules(hd_json *json, const hd_story *story) {
  hd_json_array(json, "rules");
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    bool used = false;
    for (hd_vec_each(const hd_story_finding, f, &story->findings))
      used |= !strcmp(rule_of(story, f), rules[i].name);
    if (!used)
      continue;
    hd_json_object(json, NULL);
    hd_json_string(json, "id", rules[i].name);
    write_message(json, "shortDescription", rules[i].help);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
}

/* What happened to heddle itself; notes of the run are notifications. */
static void write_invocation(hd_json *json, const hd_story *story) {
  hd_json_array(json, "invocations");
  hd_json_object(json, NULL);
  hd_json_bool(json, "executionSuccessful", true);
  hd_json_number(json, "exitCode", story->exit_code);
  hd_json_array(json, "toolExecutionNotifications");
  for (size_t i = 0; i < story->notes.size; i++) {
    hd_json_object(json, NULL);
    hd_json_string(json, "level", "note");
    write_message(json, "message", story->notes.data[i]);
    hd_json_end_object(json);
  }
  hd_json_end_array(json);
  hd_json_end_object(json);
  hd_json_end_array(json);
}

void hd_story_sarif(hd_str *out, const hd_story *story) {
  hd_json json = hd_json_start(out);
  hd_json_object(&json, NULL);
  hd_json_string(&json, "$schema",
                 "https://json.schemastore.org/sarif-2.1.0.json");
  hd_json_string(&json, "version", "2.1.0");
  hd_json_array(&json, "runs");
  hd_json_object(&json, NULL);
  hd_json_object(&json, "tool");
  hd_json_object(&json, "driver");
  hd_json_string(&json, "name", "heddle");
  hd_json_string(&json, "version", HD_VERSION);
  write_rules(&json, story);
  hd_json_end_object(&json);
  hd_json_end_object(&json);
  write_invocation(&json, story);
  hd_json_string(&json, "columnKind", "unicodeCodePoints");
  hd_json_array(&json, "results");
  for (hd_vec_each(const hd_story_finding, f, &story->findings))
    if (story->judged)
      write_result(&json, story, f);
  hd_json_end_array(&json);
  hd_json_end_object(&json);
  hd_json_end_array(&json);
  hd_json_end_object(&json);
  hd_json_finish(&json);
}
