/* SPDX-License-Identifier: MIT */
/* Strings: those functions that are written in C as they are. */
#define _GNU_SOURCE
#include "model.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <search.h>
#include <stdarg.h>
#include <strings.h>

#undef basename

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

lldiv_t lldiv(long long a, long long b) {
  return (lldiv_t){.quot = a / b, .rem = a % b};
}

intmax_t imaxabs(intmax_t x) {
  return llabs(x);
}

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
  return (imaxdiv_t){.quot = a / b, .rem = a % b};
}

intmax_t strtoimax(const char *text, char **end, int base) {
  return strtoll(text, end, base);
}

uintmax_t strtoumax(const char *text, char **end, int base) {
  return strtoull(text, end, base);
}

char *stpncpy(char *to, const char *from, size_t size) {
  size_t n = strnlen(from, size);
  return strncpy(to, from, size) + n;
}

char *strcasestr(const char *in, const char *what) {
  size_t length = strlen(what);
  for (;; in++) {
    if (!strncasecmp(in, what, length))
      return (char *)(uintptr_t)in;
    if (!*in)
      return NULL;
  }
}

char *index(const char *in, int c) {
  return strchr(in, c);
}

char *rindex(const char *in, int c) {
  return strrchr(in, c);
}

void bcopy(const void *from, void *to, size_t size) {
  memmove(to, from, size);
}

void swab(const void *restrict from, void *restrict to, ssize_t size) {
  const char *f = from;
  char *t = to;
  for (ssize_t i = 0; i + 1 < size; i += 2) {
    char kept = f[i + 1];
    t[i + 1] = f[i];
    t[i] = kept;
  }
}

/* GNU's of <string.h>, and that of <libgen.h>. */
char *basename(const char *path) {
  const char *last = strrchr(path, '/');
  return (char *)(uintptr_t)(last ? last + 1 : path);
}

char *__xpg_basename(char *path) {
  static char nothing[] = ".", root[] = "/";
  if (!path || !*path)
    return nothing;
  size_t n = strlen(path);
  while (n > 1 && path[n - 1] == '/')
    path[--n] = 0;
  return n == 1 && *path == '/' ? root : basename(path);
}

char *dirname(char *path) {
  static char nothing[] = ".", root[] = "/";
  size_t n = path ? strlen(path) : 0;
  while (n > 1 && path[n - 1] == '/')
    n--;
  while (n > 0 && path[n - 1] != '/')
    n--;
  if (!n)
    return nothing;
  while (n > 1 && path[n - 1] == '/')
    n--;
  if (n == 1 && *path == '/')
    return root;
  path[n] = 0;
  return path;
}

/* What it says of an error is not known, but that it is not long. */
int __xpg_strerror_r(int error, char *to, size_t size) {
  char text[64];
  size_t n = heddle_nondet_size_t(1, sizeof text - 1);
  for (size_t i = 0; i < n; i++)
    text[i] = heddle_nondet_char(32, 126);
  text[n] = 0;
  int known = heddle_nondet_bool();
  return strlcpy(to, text, size) >= size ? ERANGE : known ? 0 : EINVAL;
}

/* GNU's: in a place of its own or where it is told to. */
char *strerror_r(int error, char *to, size_t size) {
  static char known[] = "error";
  if (!size || heddle_nondet_bool())
    return known;
  (void)__xpg_strerror_r(error, to, size);
  return to;
}

void *lfind(const void *key, const void *table, size_t *n, size_t size,
            int (*compare)(const void *, const void *)) {
  const char *at = table;
  for (size_t i = 0; i < *n; i++, at += size)
    if (!compare(key, at))
      return (void *)(uintptr_t)at;
  return NULL;
}

/* --- numbers --- */

double modf(double x, double *whole) {
  *whole = trunc(x);
  return copysign(x == *whole ? 0.0 : x - *whole, x);
}

float modff(float x, float *whole) {
  *whole = truncf(x);
  return copysignf(x == *whole ? 0.0f : x - *whole, x);
}

double frexp(double x, int *exponent) {
  uint64_t bits;
  *exponent = 0;
  if (x == 0 || x != x || x - x != 0)
    return x;
  if (fabs(x) < 0x1p-1022) {
    x *= 0x1p54;
    *exponent = -54;
  }
  memcpy(&bits, &x, sizeof bits);
  *exponent += (int)(bits >> 52 & 2047) - 1022;
  bits = (bits & ~(2047ULL << 52)) | 1022ULL << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}

double scalbn(double x, int exponent) {
  return ldexp(x, exponent);
}

double scalbln(double x, long exponent) {
  return ldexp(x, exponent > 5000    ? 5000
                  : exponent < -5000 ? -5000
                                     : (int)exponent);
}

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}

double nan(const char *tag) {
  (void)strlen(tag);
  return __builtin_nan("");
}

/* --- scanf: what comes is not known --- */

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

/* --- sscanf: what it reads is known --- */

static const char *skip_space(const char *at) {
  while (isspace((unsigned char)*at))
    at++;
  return at;
}

/* Is it one of the set [...] that starts at `set`? */
static int is_in_set(const char *set, char c) {
  int inverted = set[1] == '^', found = 0;
  const char *s = set + 1 + inverted, *first = s;
  for (; *s && (*s != ']' || s == first); s++)
    if (s[1] == '-' && s[2] && s[2] != ']') {
      found |= (unsigned char)*s <= (unsigned char)c &&
               (unsigned char)c <= (unsigned char)s[2];
      s += 2;
    } else {
      found |= *s == c;
    }
  return found != inverted;
}

static void put_integer(void *to, int longs, int shorts, long long value) {
  if (shorts > 1)
    *(char *)to = (char)value;
  else if (shorts)
    *(short *)to = (short)value;
  else if (longs > 1)
    *(long long *)to = value;
  else if (longs)
    *(long *)to = (long)value;
  else
    *(int *)to = (int)value;
}

/* The number at the start of a text; `length` 0: there is none. */
static long long read_integer(const char *at, char letter, size_t *length) {
  char *end;
  int base = letter == 'i' ? 0 : letter == 'o' ? 8 : letter == 'd' ? 10 : 16;
  if (letter == 'u')
    base = 10;
  long long value = letter == 'd' || letter == 'i'
                        ? strtoll(at, &end, base)
                        : (long long)strtoull(at, &end, base);
  *length = (size_t)(end - at);
  if (*length && end[-1] == '0' && (*end == 'x' || *end == 'X') &&
      (base == 0 || base == 16))
    __heddle_not_modelled("a number of scanf that ends in 0x");
  return value;
}

static size_t read_float(const char *at, int longs, void *to) {
  char *end;
  double value = strtod(at, &end);
  if (end != at && *end && strchr("eExXpP(", *end))
    __heddle_not_modelled(
        "a number of scanf that ends in an exponent's letter");
  if (to && end != at && longs)
    *(double *)to = value;
  else if (to && end != at)
    *(float *)to = (float)value;
  return (size_t)(end - at);
}

/* What a conversion of characters takes: at most `width`. */
static size_t take_text(const char *at, const char *set, char letter,
                        size_t width) {
  size_t n = 0;
  while (n < width && at[n] &&
         (letter == 'c'   ? 1
          : letter == 's' ? !isspace((unsigned char)at[n])
                          : is_in_set(set, at[n])))
    n++;
  if (letter == 'c' && n && n < width)
    __heddle_not_modelled("%c of scanf with less than its width");
  return n;
}

/* One conversion, of the text at `at`: how much it takes; 0: it fails. */
static size_t convert(const char *at, const char *set, char letter,
                      size_t width, int longs, int shorts, void *to) {
  size_t n;
  if (letter == 'c' || letter == 's' || letter == '[') {
    n = take_text(at, set, letter,
                  width           ? width
                  : letter == 'c' ? 1
                                  : SIZE_MAX);
    if (to && n) {
      memcpy(to, at, n);
      if (letter != 'c')
        ((char *)to)[n] = 0;
    }
    return n;
  }
  char part[64];
  if (width && width < strlen(at)) {
    if (width >= sizeof part)
      __heddle_not_modelled("a number of scanf as wide as that");
    memcpy(part, at, width);
    part[width] = 0;
    at = part;
  }
  if (strchr("aefgAEFG", letter))
    return read_float(at, longs, to);
  long long value = read_integer(at, letter, &n);
  if (to && n)
    put_integer(to, longs, shorts, value);
  return n;
}

static int scan_text(const char *text, const char *format, va_list to) {
  int done = 0;
  const char *at = text;
  for (; *format; format++) {
    if (isspace((unsigned char)*format)) {
      at = skip_space(at);
      continue;
    }
    if (*format != '%' || format[1] == '%') {
      if (*format == '%') {
        format++;
        at = skip_space(at);
      }
      if (*at != *format)
        return !*at && !done ? -1 : done;
      at++;
      continue;
    }
    format++;
    int skip = *format == '*', longs = 0, shorts = 0;
    format += skip;
    size_t width = (size_t)scan_digits(&format);
    for (; *format && strchr("hljztq", *format); format++) {
      shorts += *format == 'h';
      longs += *format == 'h' ? 0 : *format == 'j' || *format == 'q' ? 2 : 1;
    }
    char letter = *format;
    const char *set = format;
    if (!letter || !strchr("cs[diuxXonaefgAEFG", letter))
      __heddle_not_modelled("a conversion of sscanf");
    if (letter == '[')
      format = scan_set(format);
    if (letter == 'n') {
      if (!skip)
        put_integer(va_arg(to, void *), longs, shorts, at - text);
      continue;
    }
    if (letter != 'c' && letter != '[')
      at = skip_space(at);
    if (!*at)
      return done ? done : -1;
    size_t n = convert(at, set, letter, width, longs, shorts,
                       skip ? NULL : va_arg(to, void *));
    if (!n)
      return done;
    at += n;
    done += !skip;
  }
  return done;
}

int __isoc99_vsscanf(const char *text, const char *format, va_list to) {
  return scan_text(text, format, to);
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
  va_list to;
  va_start(to, format);
  int n = scan_text(text, format, to);
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
  int n = scan_text(text, format, to);
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
