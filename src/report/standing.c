/* SPDX-License-Identifier: MIT */
/* Which violations are new: comments in the source and baselines. */
#include "report/standing.h"

#include "report/code_rows.h"
#include "report/fingerprint.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- comments --- */

static const char sign[] = "heddle: ignore";

typedef struct {
  uint32_t file, line, covers; /* also the line `covers`; 0 = none */
  hd_properties properties;
  char *reason;
} excuse;

typedef hd_vec(excuse) excuses;

/* "race, memory (REASON)"; false when it is not that. */
static bool parse(const char *at, const char *end, excuse *out) {
  for (;;) {
    while (at < end && *at == ' ')
      at++;
    size_t n = 0;
    while (at + n < end && isalpha((unsigned char)at[n]))
      n++;
    hd_property p = hd_property_find(at, n);
    if (!n || p == HD_PROPERTY_COUNT)
      return false;
    out->properties |= (hd_properties)1 << p;
    for (at += n; at < end && *at == ' ';)
      at++;
    if (at < end && *at == '(')
      break;
    if (at >= end || *at++ != ',')
      return false;
  }
  const char *close = end;
  while (close > at && *close != ')')
    close--;
  for (at++; at < close && *at == ' ';)
    at++;
  if (close <= at)
    return false;
  out->reason = hd_strndup(at, (size_t)(close - at));
  return true;
}

static const char *find(const char *text, size_t size, const char *word) {
  size_t n = strlen(word);
  for (size_t i = 0; i + n <= size; i++)
    if (!strncmp(text + i, word, n))
      return text + i;
  return NULL;
}

/* Is there nothing but a comment on the line? */
static bool is_alone(const char *text, size_t size) {
  size_t i = 0;
  while (i < size && (text[i] == ' ' || text[i] == '\t'))
    i++;
  if (i + 1 < size && text[i] == '/' && text[i + 1] == '/')
    return true;
  if (i + 1 >= size ||
      (text[i] != '*' && (text[i] != '/' || text[i + 1] != '*')))
    return false;
  const char *close = find(text + i, size - i, "*/");
  const char *rest = close ? close + 2 : text + size;
  while (rest < text + size && isspace((unsigned char)*rest))
    rest++;
  return rest == text + size;
}

/* Is the sign in a comment: behind one of its beginnings? */
static bool in_comment(const char *text, const char *at) {
  size_t n = (size_t)(at - text), i = 0;
  while (i < n && isspace((unsigned char)text[i]))
    i++;
  return text[i] == '*' || find(text, n, "//") || find(text, n, "/*");
}

static void read_line(const hd_code *code, uint32_t file, uint32_t line,
                      const char *text, size_t size, excuses *out,
                      hd_code_result *result) {
  const char *at = find(text, size, sign);
  excuse one = {.file = file, .line = line};
  if (!at || !in_comment(text, at))
    return;
  if (parse(at + strlen(sign), text + size, &one)) {
    one.covers = is_alone(text, size) ? line + 1 : 0;
    hd_vec_push(out, one);
    return;
  }
  hd_str note = {0};
  hd_code_where(&note, code, (hd_cpos){.file = file, .line = line});
  hd_str_puts(&note, ": nothing is ignored: write 'heddle: ignore "
                     "PROPERTY (REASON)', as in 'heddle: ignore race (only a "
                     "statistic)'");
  hd_remarks_say(&result->notes, hd_str_text(&note));
  hd_str_free(&note);
}

static void read_files(const hd_code *code, hd_code_lines *lines, excuses *out,
                       hd_code_result *result) {
  for (uint32_t f = 0; f < code->files.size; f++) {
    const char *text;
    size_t size;
    for (uint32_t l = 1; (text = hd_code_lines_raw(lines, f, l, &size)); l++)
      read_line(code, f, l, text, size, out, result);
  }
}

static bool is_at(const excuse *e, hd_cpos pos) {
  return e->file == pos.file &&
         (e->line == pos.line || (e->covers && e->covers == pos.line));
}

static void excuse_one(const hd_code *code, const excuses *all,
                       hd_code_answer *answer) {
  hd_shown_edge places[HD_PLACES_MOST];
  size_t n =
      hd_violation_places(code, answer->trace, &answer->violation, places);
  for (hd_vec_each(const excuse, e, all))
    for (size_t i = 0; i < n; i++)
      if (answer->standing == HD_STANDING_NEW &&
          e->properties >> answer->violation.property & 1 &&
          places[i].edge < code->edges.size &&
          is_at(e, code->edges.data[places[i].edge].pos)) {
        answer->standing = HD_STANDING_IGNORED;
        answer->excuse = hd_strdup(e->reason);
      }
}

void hd_standing_excuse(const hd_code *code, hd_code_result *result) {
  hd_code_lines *lines = hd_code_lines_new(code);
  excuses all = {0};
  read_files(code, lines, &all, result);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].verdict == HD_UNSAFE)
      excuse_one(code, &all, &result->answers[p]);
  for (hd_vec_each(hd_code_answer, a, &result->more))
    excuse_one(code, &all, a);
  for (hd_vec_each(excuse, e, &all))
    hd_free(e->reason);
  hd_vec_free(&all);
  hd_code_lines_delete(lines);
}

/* --- baselines --- */

static const char head[] = "# heddle baseline 1";

/* The fingerprint at the beginning of a line. */
static bool parse_line(const char *at, size_t size, uint64_t *out) {
  enum { DIGITS = 16 };
  if (size < DIGITS || (size > DIGITS && !isspace((unsigned char)at[DIGITS])))
    return false;
  *out = 0;
  for (int i = 0; i < DIGITS; i++) {
    if (!isxdigit((unsigned char)at[i]))
      return false;
    int c = tolower((unsigned char)at[i]);
    *out = *out << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return true;
}

bool hd_baseline_parse(const hd_source *source, hd_diag *diag,
                       hd_baseline *out) {
  if (strncmp(source->text, head, strlen(head)) != 0) {
    hd_diag_error(diag, source, hd_source_pos(source, 0, 1),
                  "this is no baseline: the first line is not '%s' (heddle "
                  "verify --write-baseline=FILE writes one)",
                  head);
    return false;
  }
  for (size_t at = 0; at < source->size;) {
    const char *line = source->text + at;
    size_t n = strcspn(line, "\n");
    size_t blank = strspn(line, " \t\r");
    uint64_t fingerprint;
    if (*line != '#' && blank < n) {
      if (!parse_line(line, n, &fingerprint)) {
        hd_diag_error(diag, source, hd_source_pos(source, at, n ? n : 1),
                      "a line of a baseline begins with a fingerprint of 16 "
                      "hexadecimal digits");
        return false;
      }
      hd_vec_push(out, fingerprint);
    }
    at += n + 1;
  }
  return true;
}

static void apply(const hd_baseline *baseline, hd_code_answer *answer) {
  for (hd_vec_each(const uint64_t, known, baseline))
    if (answer->standing == HD_STANDING_NEW && *known == answer->fingerprint)
      answer->standing = HD_STANDING_BASELINE;
}

void hd_baseline_apply(const hd_baseline *baseline, hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].verdict == HD_UNSAFE)
      apply(baseline, &result->answers[p]);
  for (hd_vec_each(hd_code_answer, a, &result->more))
    apply(baseline, a);
}

static int by_number(const void *a, const void *b) {
  uint64_t x = (*(const hd_code_answer *const *)a)->fingerprint;
  uint64_t y = (*(const hd_code_answer *const *)b)->fingerprint;
  return (x > y) - (x < y);
}

void hd_baseline_print(hd_str *out, const hd_code *code,
                       const hd_code_result *result) {
  hd_code_answers all = {0};
  hd_code_violations(result, &all);
  if (all.size)
    qsort(all.data, all.size, sizeof *all.data, by_number);
  hd_str_printf(out, "%s\n", head);
  for (size_t i = 0; i < all.size; i++) {
    if (all.data[i]->standing == HD_STANDING_IGNORED)
      continue;
    hd_fingerprint_print(out, all.data[i]->fingerprint);
    hd_str_puts(out, "  ");
    hd_standing_title(out, code, all.data[i]);
    hd_str_puts(out, "\n");
  }
  hd_vec_free(&all);
}
