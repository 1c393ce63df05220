/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE arith=SAFE overflow=SAFE
 * native: exit=0 output="14 20 -3 2 error error 7"
 * what: a recursive descent calculator over strings with checked
 *   arithmetic and error reporting */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct parser {
  const char *at;
  const char *error;
  int depth;
};

static int expression(struct parser *p);

static void fail(struct parser *p, const char *why) {
  if (!p->error)
    p->error = why;
}

static void blanks(struct parser *p) {
  while (isspace((unsigned char)*p->at))
    p->at++;
}

static int accept(struct parser *p, char c) {
  blanks(p);
  if (*p->at != c)
    return 0;
  p->at++;
  return 1;
}

static int number(struct parser *p) {
  int v = 0, digits = 0;
  blanks(p);
  while (isdigit((unsigned char)*p->at)) {
    if (__builtin_mul_overflow(v, 10, &v) ||
        __builtin_add_overflow(v, *p->at - '0', &v))
      fail(p, "too large");
    p->at++;
    digits++;
  }
  if (!digits)
    fail(p, "a number is missing");
  return v;
}

static int factor(struct parser *p) {
  int v;
  if (p->error)
    return 0;
  if (++p->depth > 8) {
    fail(p, "too deep");
    return 0;
  }
  if (accept(p, '(')) {
    v = expression(p);
    if (!accept(p, ')'))
      fail(p, "')' is missing");
  } else if (accept(p, '-')) {
    int inner = factor(p);
    if (__builtin_sub_overflow(0, inner, &v))
      fail(p, "too large");
  } else
    v = number(p);
  p->depth--;
  return v;
}

static int term(struct parser *p) {
  int v = factor(p);
  for (;;) {
    if (accept(p, '*')) {
      int w = factor(p);
      if (__builtin_mul_overflow(v, w, &v))
        fail(p, "too large");
    } else if (accept(p, '/')) {
      int w = factor(p);
      if (w == 0) {
        fail(p, "division by zero");
        return 0;
      }
      v = w == -1 ? (v == -2147483647 - 1 ? 0 : -v) : v / w;
    } else
      return v;
  }
}

static int expression(struct parser *p) {
  int v = term(p);
  for (;;) {
    int w;
    if (accept(p, '+')) {
      w = term(p);
      if (__builtin_add_overflow(v, w, &v))
        fail(p, "too large");
    } else if (accept(p, '-')) {
      w = term(p);
      if (__builtin_sub_overflow(v, w, &v))
        fail(p, "too large");
    } else
      return v;
    if (p->error)
      return 0;
  }
}

static const char *calculate(const char *text, char *out, size_t size) {
  struct parser p = {.at = text};
  int v = expression(&p);
  blanks(&p);
  if (!p.error && *p.at)
    fail(&p, "something is left");
  if (p.error)
    snprintf(out, size, "error");
  else
    snprintf(out, size, "%d", v);
  return p.error;
}

int main(void) {
  static const char *const tests[] = {"2+3*4", "(2+3)*4", "-(1+2)",     "7/3",
                                      "1/0",   "2+",      " 10 - 2 - 1"};
  char out[16];
  for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {
    const char *error = calculate(tests[i], out, sizeof out);
    assert(!error || strcmp(out, "error") == 0);
    printf(i ? " %s" : "%s", out);
  }
  puts("");
  return 0;
}
