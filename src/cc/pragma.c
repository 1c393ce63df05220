/* SPDX-License-Identifier: MIT */
#include "cc/pragma.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_ours(const char *text, const char *end) {
  static const char *const names[] = {"heddle", "TASS"};
  for (size_t i = 0; i < 2; i++) {
    size_t n = strlen(names[i]);
    if ((size_t)(end - text) >= n && !memcmp(text, names[i], n) &&
        (text + n == end || isspace((unsigned char)text[n])))
      return true;
  }
  return false;
}

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  return at;
}

/* Behind `#pragma`, or HD_CC_PRAGMA, if the line starts with that, else NULL. */
static const char *behind_pragma(const char *line, const char *end) {
  const char *at = skip_blanks(line, end);
  size_t n = strlen(HD_CC_PRAGMA);
  if ((size_t)(end - at) > n && !memcmp(at, HD_CC_PRAGMA, n) && at[n] == ' ')
    return skip_blanks(at + n, end);
  if (at == end || *at != '#')
    return NULL;
  at = skip_blanks(at + 1, end);
  if (end - at < 7 || memcmp(at, "pragma", 6) || !isspace((unsigned char)at[6]))
    return NULL;
  return skip_blanks(at + 6, end);
}

/* Written loosely, since lines may be joined and there is _Pragma: the words
 * anywhere in the file. */
bool hd_cc_has_pragmas(const char *source, size_t size) {
  return memmem(source, size, "ragma", 5) &&
         (memmem(source, size, "heddle", 6) || memmem(source, size, "TASS", 4));
}

/* `# 12 "file.c" 2`: the next line is line 12 of that file. */
static bool read_marker(const char *line, const char *end, hd_arena *arena,
                        uint32_t *number, const char **file) {
  const char *at = skip_blanks(line, end);
  if (at == end || *at != '#')
    return false;
  at = skip_blanks(at + 1, end);
  if (end - at > 5 && !memcmp(at, "line ", 5))
    at = skip_blanks(at + 5, end);
  if (at == end || !isdigit((unsigned char)*at))
    return false;
  char *behind;
  *number = (uint32_t)strtoul(at, &behind, 10);
  at = skip_blanks(behind, end);
  if (at == end || *at != '"')
    return true;
  char *name = hd_arena_alloc(arena, (size_t)(end - at) + 1);
  size_t n = 0;
  for (at++; at < end && *at != '"'; at++) {
    if (*at == '\\' && at + 1 < end)
      at++;
    name[n++] = *at;
  }
  name[n] = 0;
  *file = name[0] == '.' && name[1] == '/' ? name + 2 : name;
  return true;
}

void hd_cc_read_pragmas(const char *text, size_t size, const char *name,
                        hd_arena *arena, cc_pragmas *out) {
  const char *end = text + size, *file = name;
  uint32_t number = 1;
  for (const char *line = text; line < end; number++) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    const char *next = stop ? stop + 1 : end;
    stop = stop ? stop : end;
    const char *content = behind_pragma(line, stop);
    uint32_t marked;
    if (content && is_ours(content, stop)) {
      while (stop > content && isspace((unsigned char)stop[-1]))
        stop--;
      const char *hash = skip_blanks(line, stop);
      cc_pragma pragma = {
          .file = file,
          .text = hd_arena_strndup(arena, content, (size_t)(stop - content)),
          .line = number,
          .column = (uint32_t)(hash - line) + 1,
      };
      hd_vec_push(out, pragma);
    } else if (!content && read_marker(line, stop, arena, &marked, &file)) {
      number = marked - 1;
    }
    line = next;
  }
}

void hd_cc_place_pragmas(const char *source, size_t size, const char *name,
                         cc_pragmas *pragmas, size_t from) {
  uint32_t number = 1;
  const char *end = source + size;
  size_t next = from;
  for (const char *line = source; line < end && next < pragmas->size;
       number++) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    while (next < pragmas->size && strcmp(pragmas->data[next].file, name))
      next++;
    if (next < pragmas->size && pragmas->data[next].line == number) {
      const char *hash = skip_blanks(line, stop ? stop : end);
      pragmas->data[next++].column = (uint32_t)(hash - line) + 1;
    }
    line = stop ? stop + 1 : end;
  }
}

/* --- rewriting --- */

typedef struct {
  const char *at, *end;
  int depth;   /* of braces */
  char before; /* last character that is no blank, comment or directive */
} cc_scan;

/* Behind a comment, string or character constant that begins here, or `at`. */
static const char *skip_quoted(const char *at, const char *end) {
  if (end - at >= 2 && at[0] == '/' && at[1] == '*') {
    const char *stop = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
    return stop ? stop + 2 : end;
  }
  if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
    while (at < end && *at != '\n')
      at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at;
  }
  if (*at != '"' && *at != '\'')
    return at;
  char quote = *at++;
  while (at < end && *at != quote && *at != '\n')
    at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end && *at == quote ? at + 1 : at;
}

/* The end of a directive's line; backslashes join lines, comments may contain
 * some. */
static const char *directive_end(const char *at, const char *end) {
  while (at < end && *at != '\n') {
    const char *next = *at == '/' ? skip_quoted(at, end) : at;
    at = next != at ? next : *at == '\\' && at + 1 < end ? at + 2 : at + 1;
  }
  return at < end ? at : end;
}

static const char *word_end(const char *at, const char *end) {
  while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
    at++;
  return at;
}

static bool is_word(const char *at, const char *end, const char *word) {
  size_t n = strlen(word);
  return (size_t)(word_end(at, end) - at) == n && !memcmp(at, word, n);
}

/* Is this, behind #pragma, one between statements? */
static bool is_statement(const char *text, const char *end) {
  const char *at = skip_blanks(word_end(text, end), end);
  if (is_word(at, end, "collective") || is_word(at, end, "joint"))
    at = skip_blanks(word_end(at, end), end);
  return is_word(at, end, "assert") || is_word(at, end, "assume");
}

static void put_newlines(hd_str *out, const char *from, const char *to) {
  for (; from < to; from++)
    if (*from == '\n')
      hd_str_puts(out, "\n");
}

/* The pragma's text in one line, with blanks for comments. */
static void put_joined(hd_str *out, const char *from, const char *to) {
  while (from < to) {
    const char *behind = *from == '/' ? skip_quoted(from, to) : from;
    if (behind != from) {
      hd_str_puts(out, " ");
      from = behind;
    } else if (*from == '\\' && from + 1 < to && from[1] == '\n') {
      hd_str_puts(out, " ");
      from += 2;
    } else {
      hd_str_append(out, from++, 1);
    }
  }
}

/* As a declaration and a statement of its own where these can begin, else before
 * the statement that follows, in a block; neither takes part in an if or else
 * around it. */
static void put_call(hd_str *out, char before, unsigned column) {
  bool plain = strchr(";{}", before) && before;
  hd_str_printf(out,
                plain ? "void %s(unsigned); %s(%u);"
                      : "if (({ void %s(unsigned); %s(%u); 0; })) ; else",
                HD_CC_NOTE, HD_CC_NOTE, column);
}

/* In a string within a string, and as the argument of a macro? */
static bool can_be_said(const char *text, size_t size) {
  int depth = 0;
  for (size_t i = 0; i < size; i++) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (depth < 0 || strchr("\"'\\\n", text[i]))
      return false;
  }
  return depth == 0;
}

static bool put_name(hd_str *out, const char *from, const char *to,
                     unsigned column) {
  hd_str text = {0};
  put_joined(&text, from, to);
  bool good = can_be_said(hd_str_text(&text), text.size);
  hd_str_printf(out,
                "_Pragma(\"comment(lib, \\\"heddle:\\\" " HD_CC_SAID
                "(__LINE__) \\\":%u:\\\" __FILE__ \\\"\\\\n\\\" " HD_CC_SAID
                "(%s))\") ",
                column, hd_str_text(&text));
  hd_str_free(&text);
  return good;
}

static bool rewrite_directive(cc_scan *s, const char *line, hd_cc_way way,
                              hd_str *out) {
  const char *stop = directive_end(s->at, s->end);
  const char *text = behind_pragma(s->at, stop);
  unsigned column = (unsigned)(s->at - line) + 1;
  bool ours = text && is_ours(text, stop), good = true;
  bool call =
      ours && way != HD_CC_LINES && s->depth > 0 && is_statement(text, stop);
  if (ours && way == HD_CC_LINES) {
    hd_str_puts(out, HD_CC_PRAGMA " ");
    put_joined(out, text, stop);
  } else if (ours && way == HD_CC_NAMES) {
    good = put_name(out, text, stop, column);
  } else if (!call) {
    hd_str_append(out, s->at, (size_t)(stop - s->at));
    s->at = stop;
  }
  if (call) {
    put_call(out, s->before, column);
    s->before = ';';
  }
  put_newlines(out, s->at, stop);
  s->at = stop;
  return good;
}

bool hd_cc_rewrite(const char *source, size_t size, hd_cc_way way,
                   hd_str *out) {
  cc_scan s = {source, source + size, 0, ';'};
  const char *line = source;
  bool at_start = true, good = true;
  while (s.at < s.end) {
    if (*s.at == '#' && at_start) {
      good = rewrite_directive(&s, line, way, out) && good;
      at_start = false;
      continue;
    }
    const char *behind = skip_quoted(s.at, s.end);
    if (behind != s.at && *s.at != '/') {
      s.before = '"';
      at_start = false;
    } else if (behind == s.at) {
      behind++;
      char c = *s.at;
      s.depth += (c == '{') - (c == '}');
      if (!isspace((unsigned char)c)) {
        s.before = c;
        at_start = false;
      }
      if (c == '\n') {
        line = behind;
        at_start = true;
      }
    }
    hd_str_append(out, s.at, (size_t)(behind - s.at));
    s.at = behind;
  }
  return good;
}

bool hd_cc_read_name(const char *name, size_t size, hd_arena *arena,
                     cc_pragmas *out) {
  char *text = hd_arena_strndup(arena, name, size), *at;
  if (strncmp(text, "heddle:", 7))
    return false;
  uint32_t line = (uint32_t)strtoul(text + 7, &at, 10);
  uint32_t column = *at == ':' ? (uint32_t)strtoul(at + 1, &at, 10) : 0;
  char *stop = strchr(at, '\n');
  if (!line || !column || *at != ':' || !stop)
    return false;
  *stop = 0;
  at++;
  cc_pragma pragma = {.file = at[0] == '.' && at[1] == '/' ? at + 2 : at,
                      .text = stop + 1,
                      .line = line,
                      .column = column};
  hd_vec_push(out, pragma);
  return true;
}
