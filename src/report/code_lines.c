/* SPDX-License-Identifier: MIT */
#include "report/code_lines.h"

#include "base/io.h"

#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
  bool tried, there;
  hd_source source;
  hd_vec(size_t) starts; /* offset of every line */
} file;

struct hd_code_lines {
  const hd_code *code;
  file *files;
};

hd_code_lines *hd_code_lines_new(const hd_code *code) {
  hd_code_lines *lines = hd_calloc(1, sizeof *lines);
  lines->code = code;
  lines->files = hd_calloc(code->files.size + 1, sizeof *lines->files);
  return lines;
}

void hd_code_lines_delete(hd_code_lines *lines) {
  for (size_t i = 0; i < lines->code->files.size; i++) {
    if (lines->files[i].there)
      hd_source_free(&lines->files[i].source);
    hd_vec_free(&lines->files[i].starts);
  }
  hd_free(lines->files);
  hd_free(lines);
}

/* A missing file is no error here: the report does without its text. */
static void read_file(file *f, const char *path) {
  struct stat st;
  f->tried = true;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
    return;
  hd_diag *diag = hd_diag_new();
  f->there = hd_source_read(path, &f->source, diag);
  hd_diag_delete(diag);
  if (!f->there)
    return;
  hd_vec_push(&f->starts, 0);
  for (size_t i = 0; i < f->source.size; i++)
    if (f->source.text[i] == '\n')
      hd_vec_push(&f->starts, i + 1);
}

/* Where the scanner is in a line of C. */
typedef struct {
  const char *text;
  size_t size, at;
  int parens;
} scan;

/* Skips a literal or a comment that begins here; false when none does. A
 * comment becomes a blank in `text`'s copy: see clean. */
static bool skip_literal(scan *s) {
  char quote = s->text[s->at];
  if (quote != '"' && quote != '\'')
    return false;
  for (s->at++; s->at < s->size && s->text[s->at] != quote; s->at++)
    s->at += s->text[s->at] == '\\';
  s->at += s->at < s->size;
  return true;
}

/* Overwrites comments with blanks, columns stay. */
static void clean(char *text, size_t size) {
  scan s = {.text = text, .size = size};
  while (s.at < size) {
    if (skip_literal(&s))
      continue;
    if (text[s.at] != '/' || s.at + 1 >= size ||
        (text[s.at + 1] != '/' && text[s.at + 1] != '*')) {
      s.at++;
      continue;
    }
    char *end = NULL;
    if (text[s.at + 1] == '*')
      for (size_t i = s.at + 2; i + 1 < size && !end; i++)
        if (text[i] == '*' && text[i + 1] == '/')
          end = text + i + 2;
    size_t stop = end ? (size_t)(end - text) : size;
    memset(text + s.at, ' ', stop - s.at);
    s.at = stop;
  }
}

/* The part of the line between ; { } outside of parentheses that `column`
 * (from 0) lies in; where that is blank, the one behind it, or the last. */
static void part(const char *text, size_t size, size_t column, size_t *from,
                 size_t *to) {
  scan s = {.text = text, .size = size};
  size_t begin = 0;
  *from = 0;
  *to = size;
  while (begin < size) {
    bool end = s.at >= size;
    char c = end ? ' ' : text[s.at];
    if (!end && skip_literal(&s))
      continue;
    s.parens += (c == '(') - (c == ')');
    s.at += !end;
    if (!end && (s.parens > 0 || (c != ';' && c != '{' && c != '}')))
      continue;
    size_t stop = s.at - (c == '{' || c == '}');
    if (strspn(text + begin, " \t\r") < stop - begin) {
      *from = begin;
      *to = stop;
      if (s.at > column)
        return;
    }
    begin = s.at;
    if (end)
      return;
  }
}

static void append_part(hd_str *out, const char *text, size_t from, size_t to) {
  while (from < to && isspace((unsigned char)text[from]))
    from++;
  while (to > from && isspace((unsigned char)text[to - 1]))
    to--;
  for (bool blank = false; from < to; from++) {
    bool space = (unsigned char)text[from] <= ' ';
    if (space && blank)
      continue;
    hd_str_append(out, space ? " " : text + from, 1);
    blank = space;
  }
}

const char *hd_code_lines_raw(hd_code_lines *lines, uint32_t number,
                              uint32_t line, size_t *size) {
  if (number >= lines->code->files.size || !line)
    return NULL;
  file *f = &lines->files[number];
  if (!f->tried)
    read_file(f, lines->code->files.data[number]);
  if (!f->there || line > f->starts.size)
    return NULL;
  const char *text = f->source.text + f->starts.data[line - 1];
  *size = strcspn(text, "\n");
  return text;
}

bool hd_code_lines_statement(hd_code_lines *lines, hd_cpos pos, hd_str *out,
                             uint32_t *start) {
  size_t size;
  const char *line = hd_code_lines_raw(lines, pos.file, pos.line, &size);
  if (!line)
    return false;
  char *text = hd_strndup(line, size);
  size = strlen(text);
  clean(text, size);
  size_t from, to, before = out->size;
  part(text, size, pos.column ? pos.column - 1 : 0, &from, &to);
  append_part(out, text, from, to);
  *start = (uint32_t)from;
  hd_free(text);
  return out->size > before;
}
