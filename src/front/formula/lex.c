/* SPDX-License-Identifier: MIT */
/* The words of a pragma. */
#include "front/formula/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longest first. */
static const char *const signs[] = {
    "==>", "..", "=>", "==", "!=", "<=", ">=", "&&", "||", "->",
    "<<",  ">>", "(",  ")",  "[",  "]",  "{",  "}",  "<",  ">",
    "+",   "-",  "*",  "/",  "%",  "!",  "~",  "&",  "|",  "^",
    "?",   ":",  ";",  ",",  ".",  "@",  "="};

static char at(const formula_reader *r, size_t i) {
  return i < r->size ? r->text[i] : '\0';
}

static bool is_letter(char c) {
  return isalpha((unsigned char)c) || c == '_' || c == '$';
}

static bool is_digit(char c) {
  return isdigit((unsigned char)c);
}

static int digit_of(char c) {
  return is_digit(c)                  ? c - '0'
         : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                      : -1;
}

static bool add_digit(uint64_t *number, unsigned base, unsigned digit) {
  if (*number > ((uint64_t)INT64_MAX - digit) / base)
    return false;
  *number = *number * base + digit;
  return true;
}

static void junk(formula_token *t, const char *why) {
  if (t->kind != FORMULA_JUNK)
    t->why = why;
  t->kind = FORMULA_JUNK;
}

/* Digits of `base`; the offset behind them. */
static size_t lex_digits(const formula_reader *r, formula_token *t, size_t i,
                         unsigned base) {
  for (int d; (d = digit_of(at(r, i))) >= 0 && (unsigned)d < base; i++)
    if (!add_digit(&t->number, base, (unsigned)d))
      junk(t, "the number is too large");
  return i;
}

/* Behind a point and digits, or an exponent. */
static size_t lex_fraction(const formula_reader *r, formula_token *t,
                           size_t i) {
  t->kind = FORMULA_REAL;
  int scale = 0;
  if (at(r, i) == '.') {
    size_t from = i + 1;
    i = lex_digits(r, t, from, 10);
    scale = i - from > 100 ? 100 : (int)(i - from);
  }
  if (at(r, i) == 'e' || at(r, i) == 'E') {
    bool minus = at(r, i + 1) == '-';
    i += 1 + (size_t)(minus || at(r, i + 1) == '+');
    if (!is_digit(at(r, i)))
      junk(t, "an exponent needs digits");
    int exponent = 0;
    for (; is_digit(at(r, i)); i++)
      exponent = exponent > 1000 ? exponent : exponent * 10 + (at(r, i) - '0');
    scale += minus ? exponent : -exponent;
  }
  for (; scale < 0 && scale > -100; scale++)
    if (!add_digit(&t->number, 10, 0))
      junk(t, "the number is too large");
  if (scale < 0)
    junk(t, "the number is too large");
  else if (scale > 18)
    junk(t, "the number has too many digits behind the point");
  else
    t->scale = (uint8_t)scale;
  i += (size_t)(at(r, i) == 'f' || at(r, i) == 'F');
  return i;
}

static size_t lex_number(const formula_reader *r, formula_token *t, size_t i) {
  t->kind = FORMULA_INT;
  if (at(r, i) == '0' && (at(r, i + 1) == 'x' || at(r, i + 1) == 'X') &&
      isxdigit((unsigned char)at(r, i + 2))) {
    i = lex_digits(r, t, i + 2, 16);
  } else {
    size_t from = i;
    i = lex_digits(r, t, i, 10);
    /* `0..n` is a range */
    if ((at(r, i) == '.' && at(r, i + 1) != '.') || at(r, i) == 'e' ||
        at(r, i) == 'E') {
      i = lex_fraction(r, t, i);
    } else if (at(r, from) == '0' && i > from + 1) {
      t->number = 0;
      if (lex_digits(r, t, from, 8) != i)
        junk(t, "a number that starts with 0 is octal");
    }
  }
  if (t->kind == FORMULA_INT)
    while (strchr("uUlL", at(r, i)) && at(r, i))
      i++;
  if (is_letter(at(r, i)) || is_digit(at(r, i))) {
    junk(t, "letters follow the number");
    while (is_letter(at(r, i)) || is_digit(at(r, i)))
      i++;
  }
  return i;
}

/* 'a' or '\n' */
static size_t lex_char(const formula_reader *r, formula_token *t, size_t i) {
  static const char from[] = "ntr0\\'\"", to[] = "\n\t\r\0\\'\"";
  t->kind = FORMULA_INT;
  size_t n = i + 1;
  char c = at(r, n++);
  if (c == '\\') {
    const char *found = at(r, n) ? strchr(from, at(r, n)) : NULL;
    n++;
    if (found)
      c = to[found - from];
    else
      junk(t, "only simple character constants are understood");
  }
  t->number = (uint64_t)(unsigned char)c;
  if (at(r, n) != '\'' || n >= r->size) {
    junk(t, "only simple character constants are understood");
    return n < r->size ? n : r->size;
  }
  return n + 1;
}

static size_t lex_sign(const formula_reader *r, formula_token *t, size_t i) {
  for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
    size_t n = strlen(signs[k]);
    if (r->size - i >= n && !memcmp(r->text + i, signs[k], n)) {
      t->kind = FORMULA_SIGN;
      return i + n;
    }
  }
  junk(t, "this has no meaning in an annotation");
  return i + 1;
}

/* The token from offset `i` on; `*behind` is the offset behind it. */
static formula_token lex(const formula_reader *r, size_t i, size_t *behind) {
  while (i < r->size && isspace((unsigned char)r->text[i]))
    i++;
  formula_token t = {.kind = FORMULA_END, .at = (uint32_t)i};
  size_t end = i;
  char c = at(r, i);
  if (i == r->size) {
    /* nothing */
  } else if (is_letter(c) || (c == '\\' && is_letter(at(r, i + 1)))) {
    t.kind = FORMULA_NAME;
    for (end = i + 1; is_letter(at(r, end)) || is_digit(at(r, end));)
      end++;
  } else if (is_digit(c) || (c == '.' && is_digit(at(r, i + 1)))) {
    end = c == '.' ? lex_fraction(r, &t, i) : lex_number(r, &t, i);
  } else if (c == '\'') {
    end = lex_char(r, &t, i);
  } else {
    end = lex_sign(r, &t, i);
  }
  t.word = (hd_word){r->text + i, end - i};
  *behind = end;
  return t;
}

void hd_formula_begin(formula_reader *r, uint32_t pragma) {
  r->text = r->notes->code->pragmas.data[pragma].text;
  r->size = strlen(r->text);
  r->behind = 0;
  r->failed = false;
  r->depth = 0;
  hd_vec_clear(&r->bound);
  hd_formula_next(r);
}

void hd_formula_next(formula_reader *r) {
  r->token = lex(r, r->behind, &r->behind);
}

formula_token hd_formula_peek(const formula_reader *r) {
  size_t behind;
  return lex(r, r->behind, &behind);
}

bool hd_formula_is(const formula_reader *r, const char *text) {
  return (r->token.kind == FORMULA_SIGN || r->token.kind == FORMULA_NAME) &&
         hd_word_is(r->token.word, text);
}

bool hd_formula_take(formula_reader *r, const char *text) {
  if (!hd_formula_is(r, text))
    return false;
  hd_formula_next(r);
  return true;
}

bool hd_formula_need(formula_reader *r, const char *text) {
  if (hd_formula_take(r, text))
    return true;
  hd_str what = {0};
  hd_str_printf(&what, "'%s'", text);
  hd_formula_expected(r, hd_str_text(&what));
  hd_str_free(&what);
  return false;
}

void hd_formula_error(formula_reader *r, uint32_t offset, size_t length,
                      const char *format, ...) {
  if (r->failed)
    return;
  r->failed = true;
  va_list args;
  va_start(args, format);
  char line[1000];
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  const hd_source *source = NULL;
  hd_source made = {0};
  hd_pos pos =
      hd_formula_pos(r, r->note.pragma, offset, length, &source, &made);
  hd_diag_error(r->diag, source, pos, "%s", line);
  if (source == &made)
    hd_source_free(&made);
}

void hd_formula_expected(formula_reader *r, const char *what) {
  const formula_token *t = &r->token;
  if (t->kind == FORMULA_JUNK)
    hd_formula_error(r, t->at, t->word.size, "%s: '%s'", t->why,
                     hd_quote(t->word).text);
  else if (t->kind == FORMULA_END)
    hd_formula_error(r, t->at, 1, "expected %s, found the end of the pragma",
                     what);
  else
    hd_formula_error(r, t->at, t->word.size, "expected %s, found '%s'", what,
                     hd_quote(t->word).text);
}
