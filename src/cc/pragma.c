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

/* Behind `#pragma` if the line starts with that, else NULL. */
static const char *behind_pragma(const char *line, const char *end) {
  const char *at = skip_blanks(line, end);
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
