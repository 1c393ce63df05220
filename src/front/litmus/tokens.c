/* SPDX-License-Identifier: MIT */
#include "front/litmus/tokens.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

/* Past blanks and comments of herd, C and C++; false: one does not end. */
static bool skip_blanks(const hd_source *s, size_t *at, uint32_t *line) {
  for (;;) {
    const char *p = s->text + *at;
    const char *end = NULL;
    if (isspace((unsigned char)*p)) {
      *line += *p == '\n';
      ++*at;
      continue;
    }
    if (!strncmp(p, "(*", 2))
      end = strstr(p + 2, "*)");
    else if (!strncmp(p, "/*", 2))
      end = strstr(p + 2, "*/");
    else if (!strncmp(p, "//", 2))
      end = p + strcspn(p, "\n");
    else
      return true;
    if (!end)
      return false;
    size_t to = (size_t)(end - s->text) + (p[1] == '/' ? 0 : 2);
    for (; *at < to; ++*at)
      *line += s->text[*at] == '\n';
  }
}

bool hd_litmus_split(litmus_reader *r) {
  const hd_source *s = r->source;
  uint32_t line = 1;
  for (size_t at = 0; at < s->size;) {
    if (!skip_blanks(s, &at, &line)) {
      hd_diag_error(r->diag, s, hd_source_pos(s, at, 2),
                    "this comment does not end");
      return false;
    }
    if (at >= s->size)
      break;
    size_t end = at;
    while (in_name(s->text[end]))
      end++;
    if (s->text[at] == '"')
      end = at + 1 + strcspn(s->text + at + 1, "\"\n") + 1;
    else if (end == at)
      end = at + 1;
    litmus_token token = {.word = {s->text + at, end - at},
                          .line = line,
                          .name = isalpha((unsigned char)s->text[at]) ||
                                  s->text[at] == '_'};
    hd_vec_push(&r->tokens, token);
    at = end < s->size ? end : s->size;
  }
  return true;
}

bool hd_litmus_is(const litmus_reader *r, const char *text) {
  return r->at < r->tokens.size && hd_word_is(r->tokens.data[r->at].word, text);
}

bool hd_litmus_skip(litmus_reader *r, const char *text) {
  bool is = hd_litmus_is(r, text);
  r->at += is;
  return is;
}

bool hd_litmus_wrong(litmus_reader *r, size_t token, const char *format, ...) {
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  size_t at = r->source->size, size = 1;
  if (token < r->tokens.size) {
    at = (size_t)(r->tokens.data[token].word.text - r->source->text);
    size = r->tokens.data[token].word.size;
  }
  hd_diag_error(r->diag, r->source, hd_source_pos(r->source, at, size), "%s",
                text);
  return false;
}

bool hd_litmus_expected(litmus_reader *r, const char *what) {
  if (r->at >= r->tokens.size)
    return hd_litmus_wrong(r, r->at, "expected %s, found the end of the file",
                           what);
  return hd_litmus_wrong(r, r->at, "expected %s, found '%s'", what,
                         hd_quote(r->tokens.data[r->at].word).text);
}

static bool same(hd_word a, hd_word b) {
  return a.size == b.size && !memcmp(a.text, b.text, a.size);
}

litmus_place *hd_litmus_find_place(litmus_reader *r, hd_word name) {
  for (hd_vec_each(litmus_place, p, &r->places))
    if (same(p->name, name))
      return p;
  return NULL;
}

litmus_register *hd_litmus_find_register(litmus_reader *r, unsigned thread,
                                         hd_word name) {
  for (hd_vec_each(litmus_register, x, &r->registers))
    if (x->thread == thread && same(x->name, name))
      return x;
  return NULL;
}
