/* SPDX-License-Identifier: MIT */
#include "cli/suite/record.h"

#include "base/json.h"
#include "report/json.h"

#include <string.h>

const char *hd_judged_name(hd_judged judged) {
  static const char *const names[] = {"right", "wrong", "unknown",
                                      "no expectation", "error"};
  assert(judged < HD_JUDGED_COUNT);
  return names[judged];
}

hd_judged hd_record_judge(const hd_record *record) {
  if (record->error)
    return HD_JUDGED_ERROR;
  if (record->verdict == HD_UNKNOWN)
    return HD_JUDGED_UNKNOWN;
  if (!record->known)
    return HD_JUDGED_OPEN;
  bool right = record->verdict == record->expected;
  /* Another part is violated than the expected one. */
  if (right && record->verdict == HD_UNSAFE && record->part && record->violated)
    right = strstr(record->violated, record->part) != NULL;
  return right ? HD_JUDGED_RIGHT : HD_JUDGED_WRONG;
}

/* JSON on one line: line ends stand between members only, as those in texts are
 * written as escapes. */
static void join_lines(hd_str *out, const hd_str *text) {
  const char *at = hd_str_text(text);
  while (*at) {
    size_t n = strcspn(at, "\n");
    hd_str_append(out, at, n);
    at += n;
    at += strspn(at, "\n ");
    if (*at && *at != '}' && n && at[-1] == ' ' && out->size > 1)
      hd_str_puts(out, " ");
  }
}

void hd_record_print(hd_str *out, const hd_record *r) {
  hd_str text = {0};
  hd_json json = hd_json_start(&text);
  hd_json_object(&json, NULL);
  hd_json_string(&json, "task", r->task);
  hd_json_string(&json, "expected",
                 r->known ? hd_verdict_name(r->expected) : NULL);
  if (r->part)
    hd_json_string(&json, "subproperty", r->part);
  hd_json_string(&json, "verdict",
                 r->error ? "error" : hd_verdict_name(r->verdict));
  if (r->violated)
    hd_json_string(&json, "violated", r->violated);
  hd_json_string(&json, "judged", hd_judged_name(hd_record_judge(r)));
  hd_json_string(&json, "engine", r->engine);
  hd_json_string(&json, "reason", r->reason);
  hd_json_number(&json, "exit_code", r->exit_code);
  hd_json_fixed(&json, "wall", r->wall, 3);
  hd_json_fixed(&json, "cpu", r->cpu, 3);
  hd_json_number(&json, "memory", r->memory);
  hd_json_string(&json, "heddle", HD_VERSION);
  hd_json_end_object(&json);
  hd_json_finish(&json);
  join_lines(out, &text);
  hd_str_puts(out, "\n");
  hd_str_free(&text);
}

static char *take_text(const char *line, size_t size, const char *key) {
  hd_str value = {0};
  bool there = hd_json_find(line, size, key, &value) && value.size &&
               strcmp(hd_str_text(&value), "null") != 0;
  if (there)
    return hd_str_take(&value);
  hd_str_free(&value);
  return NULL;
}

static bool take_verdict(const char *line, size_t size, const char *key,
                         hd_verdict *verdict) {
  char *text = take_text(line, size, key);
  bool found = false;
  for (hd_verdict v = HD_UNKNOWN; text && v <= HD_UNSAFE; v++)
    if (!strcmp(text, hd_verdict_name(v))) {
      *verdict = v;
      found = true;
    }
  hd_free(text);
  return found;
}

bool hd_record_read(const char *line, size_t size, hd_record *r) {
  *r = (hd_record){0};
  char *verdict = take_text(line, size, "verdict");
  r->task = take_text(line, size, "task");
  r->error = verdict && !strcmp(verdict, "error");
  bool ok =
      r->task && (r->error || take_verdict(line, size, "verdict", &r->verdict));
  hd_free(verdict);
  r->known = take_verdict(line, size, "expected", &r->expected);
  r->part = take_text(line, size, "subproperty");
  r->violated = take_text(line, size, "violated");
  r->engine = take_text(line, size, "engine");
  r->reason = take_text(line, size, "reason");
  double code = hd_json_find_number(line, size, "exit_code", -1);
  r->exit_code = code >= -1 && code < 256 ? (int)code : -1;
  r->wall = hd_json_find_number(line, size, "wall", 0);
  r->cpu = hd_json_find_number(line, size, "cpu", 0);
  r->memory = hd_json_find_number(line, size, "memory", 0);
  if (!ok)
    hd_record_free(r);
  return ok;
}

void hd_record_free(hd_record *record) {
  hd_free(record->task);
  hd_free(record->part);
  hd_free(record->violated);
  hd_free(record->engine);
  hd_free(record->reason);
  *record = (hd_record){0};
}

bool hd_records_read(hd_records *records, const char *path, hd_diag *diag) {
  hd_source source;
  if (!hd_source_read(path, &source, diag))
    return false;
  const char *at = source.text, *end = source.text + source.size;
  bool ok = true;
  for (unsigned number = 1; at < end && ok; number++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (!stop)
      break; /* cut off while it was written */
    hd_record record;
    ok = hd_record_read(at, (size_t)(stop - at), &record);
    if (ok)
      hd_vec_push(&records->all, record);
    else
      hd_diag_file_error(diag, path, "line %u is no result of a suite", number);
    at = stop + 1;
    records->whole = (size_t)(at - source.text);
  }
  hd_source_free(&source);
  return ok;
}

const hd_record *hd_records_find(const hd_records *records, const char *task) {
  for (size_t i = records->all.size; i-- > 0;)
    if (!strcmp(records->all.data[i].task, task))
      return &records->all.data[i];
  return NULL;
}

void hd_records_free(hd_records *records) {
  for (hd_vec_each(hd_record, record, &records->all))
    hd_record_free(record);
  hd_vec_free(&records->all);
}
