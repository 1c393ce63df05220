/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 200 };

typedef struct {
  const char *at, *end;
  unsigned depth;
} reader;

static void skip_blanks(reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
    r->at++;
}

static bool accept(reader *r, char c) {
  skip_blanks(r);
  if (r->at == r->end || *r->at != c)
    return false;
  r->at++;
  return true;
}

static bool read_hex(reader *r, unsigned *code) {
  *code = 0;
  for (int i = 0; i < 4; i++, r->at++) {
    static const char digits[] = "0123456789abcdef";
    if (r->at == r->end || !*r->at)
      return false;
    const char *d = strchr(digits, *r->at | 0x20);
    if (!d)
      return false;
    *code = *code * 16 + (unsigned)(d - digits);
  }
  return true;
}

/* Code points outside of the first plane come as two halves; heddle writes none,
 * and they are kept as two. */
static void put_utf8(hd_str *out, unsigned code) {
  char bytes[3];
  if (code < 0x80) {
    bytes[0] = (char)code;
    hd_str_append(out, bytes, 1);
  } else if (code < 0x800) {
    bytes[0] = (char)(0xC0 | code >> 6);
    bytes[1] = (char)(0x80 | (code & 0x3F));
    hd_str_append(out, bytes, 2);
  } else {
    bytes[0] = (char)(0xE0 | code >> 12);
    bytes[1] = (char)(0x80 | (code >> 6 & 0x3F));
    bytes[2] = (char)(0x80 | (code & 0x3F));
    hd_str_append(out, bytes, 3);
  }
}

/* Behind the first quote. */
static bool read_string(reader *r, hd_str *out) {
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  for (; r->at < r->end && *r->at != '"'; r->at++) {
    if (*r->at != '\\') {
      hd_str_append(out, r->at, 1);
      continue;
    }
    unsigned code;
    if (++r->at == r->end)
      return false;
    const char *letter = *r->at ? strchr(letters, *r->at) : NULL;
    if (letter) {
      hd_str_append(out, &meant[letter - letters], 1);
    } else if (*r->at == 'u') {
      r->at++;
      if (!read_hex(r, &code))
        return false;
      put_utf8(out, code);
      r->at--;
    } else {
      return false;
    }
  }
  return accept(r, '"');
}

static bool skip_value(reader *r);

/* Members or elements up to `close`; `key` names the one that is wanted. */
static bool read_all(reader *r, char close, const char *key, hd_str *value) {
  if (accept(r, close))
    return true;
  do {
    hd_str name = {0};
    bool ok = true;
    if (close == '}')
      ok = accept(r, '"') && read_string(r, &name) && accept(r, ':');
    skip_blanks(r);
    const char *start = r->at;
    bool wanted = ok && key && !strcmp(hd_str_text(&name), key);
    hd_str_free(&name);
    if (!ok)
      return false;
    if (wanted && r->at < r->end && *r->at == '"') {
      hd_vec_clear(value);
      r->at++;
      ok = read_string(r, value);
    } else {
      ok = skip_value(r);
      if (ok && wanted) {
        hd_vec_clear(value);
        hd_str_append(value, start, (size_t)(r->at - start));
      }
    }
    if (!ok)
      return false;
  } while (accept(r, ','));
  return accept(r, close);
}

static bool skip_value(reader *r) {
  skip_blanks(r);
  if (r->at == r->end)
    return false;
  char c = *r->at;
  bool ok = true;
  if (c == '"') {
    hd_str text = {0};
    r->at++;
    ok = read_string(r, &text);
    hd_str_free(&text);
  } else if (c == '{' || c == '[') {
    if (++r->depth > DEEPEST)
      return false;
    r->at++;
    ok = read_all(r, c == '{' ? '}' : ']', NULL, NULL);
    r->depth--;
  } else {
    const char *start = r->at;
    while (r->at < r->end && *r->at && !strchr(",]} \t\r\n", *r->at))
      r->at++;
    ok = r->at > start;
  }
  return ok;
}

bool hd_json_find(const char *text, size_t size, const char *key,
                  hd_str *value) {
  reader r = {.at = text, .end = text + size};
  hd_vec_clear(value);
  if (!accept(&r, '{') || !read_all(&r, '}', key, value))
    return false;
  skip_blanks(&r);
  return r.at == r.end;
}

double hd_json_find_number(const char *text, size_t size, const char *key,
                           double otherwise) {
  hd_str value = {0};
  double number = otherwise;
  char *end;
  if (hd_json_find(text, size, key, &value) && value.size) {
    double read = strtod(hd_str_text(&value), &end);
    number = *end ? otherwise : read;
  }
  hd_str_free(&value);
  return number;
}

bool hd_json_check(const char *text, size_t size, size_t *wrong) {
  reader r = {.at = text, .end = text + size};
  bool good = skip_value(&r);
  skip_blanks(&r);
  *wrong = (size_t)(r.at - text);
  return good && r.at == r.end;
}

void hd_json_each(const char *text, size_t size, hd_json_visit *visit,
                  void *context) {
  reader r = {.at = text, .end = text + size};
  if (!accept(&r, '['))
    return;
  hd_str value = {0};
  do {
    skip_blanks(&r);
    const char *start = r.at;
    bool is_text = r.at < r.end && *r.at == '"';
    hd_vec_clear(&value);
    if (is_text ? !(r.at++, read_string(&r, &value)) : !skip_value(&r))
      break;
    if (!is_text)
      hd_str_append(&value, start, (size_t)(r.at - start));
    visit(context, &value, (size_t)(start - text));
  } while (accept(&r, ','));
  hd_str_free(&value);
}
