/* SPDX-License-Identifier: MIT */
#include "report/json.h"

#include <math.h>
#include <string.h>

/* The length of the UTF-8 sequence at `s`, 0 when it is none. Overlong forms,
 * surrogates and what lies past U+10FFFF are none. */
static size_t utf8_length(const unsigned char *s) {
  if (s[0] < 0x80)
    return 1;
  size_t n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
  if (s[0] < 0xC2 || s[0] > 0xF4)
    return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80)
      return 0;
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
      (s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
    return 0;
  return n;
}

static void put_quoted(hd_str *out, const char *text) {
  hd_str_puts(out, "\"");
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    size_t n = utf8_length(s);
    if (!n)
      hd_str_puts(out, "\xEF\xBF\xBD"), n = 1;
    else if (*s == '"' || *s == '\\')
      hd_str_printf(out, "\\%c", *s);
    else if (*s < 0x20 || *s == 0x7F)
      hd_str_printf(out, "\\u%04x", *s);
    else
      hd_str_append(out, (const char *)s, n);
    s += n;
  }
  hd_str_puts(out, "\"");
}

static void new_line(hd_json *json) {
  hd_str_printf(json->out, "\n%*s", (int)(2 * json->depth), "");
}

/* Separator, line and key before a value. */
static void begin(hd_json *json, const char *key) {
  if (json->depth) {
    if (!json->empty)
      hd_str_puts(json->out, ",");
    new_line(json);
  }
  json->empty = false;
  if (key) {
    put_quoted(json->out, key);
    hd_str_puts(json->out, ": ");
  }
}

hd_json hd_json_start(hd_str *out) {
  return (hd_json){.out = out, .empty = true};
}

void hd_json_finish(hd_json *json) {
  assert(!json->depth);
  hd_str_puts(json->out, "\n");
}

static void open_with(hd_json *json, const char *key, const char *bracket) {
  begin(json, key);
  hd_str_puts(json->out, bracket);
  json->depth++;
  json->empty = true;
}

static void close_with(hd_json *json, const char *bracket) {
  assert(json->depth);
  json->depth--;
  if (!json->empty)
    new_line(json);
  hd_str_puts(json->out, bracket);
  json->empty = false;
}

void hd_json_object(hd_json *json, const char *key) {
  open_with(json, key, "{");
}

void hd_json_end_object(hd_json *json) {
  close_with(json, "}");
}

void hd_json_array(hd_json *json, const char *key) {
  open_with(json, key, "[");
}

void hd_json_end_array(hd_json *json) {
  close_with(json, "]");
}

void hd_json_string(hd_json *json, const char *key, const char *text) {
  begin(json, key);
  if (text)
    put_quoted(json->out, text);
  else
    hd_str_puts(json->out, "null");
}

void hd_json_bool(hd_json *json, const char *key, bool value) {
  begin(json, key);
  hd_str_puts(json->out, value ? "true" : "false");
}

void hd_json_number(hd_json *json, const char *key, double value) {
  begin(json, key);
  if (!isfinite(value))
    hd_str_puts(json->out, "null");
  else if (floor(value) == value && fabs(value) < 9007199254740992.0)
    hd_str_printf(json->out, "%.0f", value);
  else
    hd_str_printf(json->out, "%.9g", value);
}

void hd_json_fixed(hd_json *json, const char *key, double value, int digits) {
  begin(json, key);
  if (isfinite(value))
    hd_str_printf(json->out, "%.*f", digits, value);
  else
    hd_str_puts(json->out, "null");
}
