/* SPDX-License-Identifier: MIT */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hd_str_append(hd_str *str, const char *text, size_t length) {
  hd_vec_reserve(str, str->size + length + 1);
  memcpy(str->data + str->size, text, length);
  str->size += length;
  str->data[str->size] = 0;
}

void hd_str_puts(hd_str *str, const char *text) {
  hd_str_append(str, text, strlen(text));
}

void hd_str_printf(hd_str *str, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length < 0)
    hd_bug("bad format '%s'", format);
  hd_vec_reserve(str, str->size + (size_t)length + 1);
  vsnprintf(str->data + str->size, (size_t)length + 1, format, again);
  va_end(again);
  str->size += (size_t)length;
}

const char *hd_str_text(const hd_str *str) {
  return str->size ? str->data : "";
}

char *hd_str_take(hd_str *str) {
  char *text = str->data ? str->data : hd_strdup("");
  *str = (hd_str){0};
  return text;
}

void hd_str_free(hd_str *str) {
  hd_vec_free(str);
}
