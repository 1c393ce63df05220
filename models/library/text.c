/* SPDX-License-Identifier: MIT */
/* Strings: those functions that are written in C as they are. */
#define _GNU_SOURCE
#include "model.h"

#include <stdarg.h>

char *strtok_r(char *text, const char *separators, char **rest) {
  if (!text)
    text = *rest;
  text += strspn(text, separators);
  char *end = text + strcspn(text, separators);
  if (end == text) {
    *rest = text;
    return NULL;
  }
  *rest = *end ? end + 1 : end;
  if (*end)
    *end = 0;
  return text;
}

/* One place for all threads: that is a race, where two of them use it. */
static char *strtok_rest;

char *strtok(char *text, const char *separators) {
  return strtok_r(text, separators, &strtok_rest);
}

char *strsep(char **rest, const char *separators) {
  char *text = *rest;
  if (!text)
    return NULL;
  char *end = text + strcspn(text, separators);
  *rest = *end ? end + 1 : NULL;
  if (*end)
    *end = 0;
  return text;
}

void *memmem(const void *in, size_t size, const void *what, size_t length) {
  const char *at = in;
  for (; size >= length; at++, size--)
    if (!memcmp(at, what, length))
      return (void *)(uintptr_t)at;
  return NULL;
}

void *memccpy(void *to, const void *from, int stop, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  for (size_t i = 0; i < size; i++)
    if ((t[i] = f[i]) == (unsigned char)stop)
      return t + i + 1;
  return NULL;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t n = strlen(from);
  if (size) {
    size_t copied = n < size ? n : size - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return n;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t n = strnlen(to, size);
  return n == size ? n + strlen(from) : n + strlcpy(to + n, from, size - n);
}

div_t div(int a, int b) {
  return (div_t){.quot = a / b, .rem = a % b};
}

ldiv_t ldiv(long a, long b) {
  return (ldiv_t){.quot = a / b, .rem = a % b};
}

/* --- sscanf --- */

double __VERIFIER_nondet_double(void);
float __VERIFIER_nondet_float(void);

static int scan_digits(const char **format) {
  int width = 0;
  while (**format >= '0' && **format <= '9')
    width = width * 10 + (*(*format)++ - '0');
  return width;
}

static const char *scan_set(const char *format) {
  format++;
  format += *format == '^';
  format += *format == ']';
  while (*format && *format != ']')
    format++;
  return format;
}

/* An integer of the size that the letters before its conversion say. */
static void scan_integer(void *to, int longs, int shorts) {
  if (shorts > 1)
    *(char *)to = heddle_nondet_char(CHAR_MIN, CHAR_MAX);
  else if (shorts)
    *(short *)to = heddle_nondet_short(SHRT_MIN, SHRT_MAX);
  else if (longs > 1)
    *(long long *)to = heddle_nondet_longlong(LLONG_MIN, LLONG_MAX);
  else if (longs)
    *(long *)to = heddle_nondet_long(LONG_MIN, LONG_MAX);
  else
    *(int *)to = heddle_nondet_int(INT_MIN, INT_MAX);
}

/* As many conversions as it likes, with any values; strings are not longer
 * than `most`. */
static int scan(const char *format, size_t most, va_list to) {
  int done = 0;
  if (heddle_nondet_bool())
    return -1;
  for (; *format; format++) {
    if (*format != '%' || *++format == '%')
      continue;
    int skip = *format == '*', longs = 0, shorts = 0;
    format += skip;
    size_t width = (size_t)scan_digits(&format);
    for (; *format && strchr("hljztLqm", *format); format++) {
      if (*format == 'm' || *format == 'L')
        __heddle_not_modelled("%m and %L of scanf");
      shorts += *format == 'h';
      longs += *format == 'h' ? 0 : *format == 'j' || *format == 'q' ? 2 : 1;
    }
    char letter = *format;
    if (letter == '[')
      format = scan_set(format);
    if (heddle_nondet_bool())
      return done;
    if (skip)
      continue;
    char *place = va_arg(to, char *);
    switch (letter) {
    case 'c':
      heddle_fill(place, width ? width : 1);
      break;
    case 's':
    case '[': {
      size_t room = width && width < most ? width : most;
      size_t n = heddle_nondet_size_t(1, room);
      for (size_t i = 0; i < n; i++)
        place[i] = heddle_nondet_char(CHAR_MIN, CHAR_MAX);
      place[n] = 0;
      break;
    }
    case 'e':
    case 'f':
    case 'g':
    case 'a':
      if (longs)
        *(double *)place = __VERIFIER_nondet_double();
      else
        *(float *)place = __VERIFIER_nondet_float();
      break;
    case 'p':
      __heddle_not_modelled("%p of scanf");
      break;
    case 'n':
      if (longs)
        *(long *)place = heddle_nondet_long(0, INT_MAX);
      else
        *(int *)place = heddle_nondet_int(0, INT_MAX);
      continue;
    default:
      scan_integer(place, longs, shorts);
    }
    done++;
  }
  return done;
}

int __isoc99_vsscanf(const char *text, const char *format, va_list to) {
  return scan(format, strlen(text), to);
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
  va_list to;
  va_start(to, format);
  int n = scan(format, strlen(text), to);
  va_end(to);
  return n;
}

/* A string without a width may have any length: that is an error in the
 * program where its place ends. */
int __isoc99_scanf(const char *format, ...) {
  va_list to;
  va_start(to, format);
  int n = scan(format, 1 << 20, to);
  va_end(to);
  return n;
}

int __isoc99_fscanf(void *file, const char *format, ...) {
  va_list to;
  va_start(to, format);
  int n = scan(format, 1 << 20, to);
  va_end(to);
  return n;
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list to;
  va_start(to, format);
  int n = scan(format, strlen(text), to);
  va_end(to);
  return n;
}

int __isoc23_scanf(const char *format, ...) {
  va_list to;
  va_start(to, format);
  int n = scan(format, 1 << 20, to);
  va_end(to);
  return n;
}

int __isoc23_fscanf(void *file, const char *format, ...) {
  va_list to;
  va_start(to, format);
  int n = scan(format, 1 << 20, to);
  va_end(to);
  return n;
}
