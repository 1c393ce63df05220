/* SPDX-License-Identifier: MIT */
/* The words of a line. A token never crosses a line; an error is reported once
 * a line, so that reading can go on with the next. */
#include "front/code/reader.h"

#include <ctype.h>
#include <stdarg.h>

static bool is_name_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' ||
         c == '-';
}

static bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.';
}

static char peek(const code_reader *r, size_t ahead) {
  return r->at + ahead < r->line_end ? r->source->text[r->at + ahead] : '\0';
}

static int hex(char c) {
  return isdigit((unsigned char)c)    ? c - '0'
         : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                      : -1;
}

/* `at` is behind the opening quote. */
static bool lex_string(code_reader *r) {
  hd_str out = {0};
  bool closed = false;
  while (r->at < r->line_end && !closed) {
    char c = r->source->text[r->at++];
    if (c == '"') {
      closed = true;
    } else if (c != '\\') {
      hd_str_append(&out, &c, 1);
    } else if (peek(r, 0) == 'x' && hex(peek(r, 1)) >= 0 &&
               hex(peek(r, 2)) >= 0) {
      c = (char)(hex(peek(r, 1)) << 4 | hex(peek(r, 2)));
      r->at += 3;
      hd_str_append(&out, &c, 1);
    } else if (r->at < r->line_end) {
      c = r->source->text[r->at++];
      c = c == 'n' ? '\n' : c;
      hd_str_append(&out, &c, 1);
    }
  }
  /* A zero byte would end the string early for everyone who reads it. */
  bool good = closed && strlen(hd_str_text(&out)) == out.size;
  if (good) {
    r->word.text =
        hd_arena_strndup(&r->code->arena, hd_str_text(&out), out.size);
    r->word.size = out.size;
  }
  hd_str_free(&out);
  return good;
}

static code_kind lex_number(code_reader *r) {
  r->negative = peek(r, 0) == '-';
  r->at += r->negative;
  unsigned base = 10;
  if (peek(r, 0) == '0' && peek(r, 1) == 'x' && hex(peek(r, 2)) >= 0) {
    base = 16;
    r->at += 2;
  }
  r->number = 0;
  bool good = true;
  for (int d; (d = hex(peek(r, 0))) >= 0 && (unsigned)d < base; r->at++) {
    uint64_t digit = (uint64_t)d;
    good = good && r->number <= (UINT64_MAX - digit) / base;
    r->number = r->number * base + digit;
  }
  return good && !is_word_char(peek(r, 0)) ? CODE_NUMBER : CODE_JUNK;
}

static code_kind lex_name(code_reader *r) {
  r->sigil = peek(r, 0);
  r->at++;
  if (peek(r, 0) == '"') {
    r->at++;
    return lex_string(r) ? CODE_NAME : CODE_JUNK;
  }
  size_t from = r->at;
  while (is_name_char(peek(r, 0)))
    r->at++;
  r->word = (hd_word){r->source->text + from, r->at - from};
  return r->at > from ? CODE_NAME : CODE_JUNK;
}

static code_kind lex_word(code_reader *r) {
  while (is_word_char(peek(r, 0)))
    r->at++;
  r->word = (hd_word){r->source->text + r->start, r->at - r->start};
  return CODE_WORD;
}

static code_kind lex(code_reader *r) {
  char c = peek(r, 0);
  if (c == '@' || c == '%' || c == '&')
    return lex_name(r);
  if (c == '"') {
    r->at++;
    return lex_string(r) ? CODE_STRING : CODE_JUNK;
  }
  if (c == '-' && peek(r, 1) == '>') {
    r->at += 2;
    return CODE_ARROW;
  }
  if (c == '.' && peek(r, 1) == '.' && peek(r, 2) == '.') {
    r->at += 3;
    return CODE_DOTS;
  }
  if (isdigit((unsigned char)c) ||
      (c == '-' && isdigit((unsigned char)peek(r, 1))))
    return lex_number(r);
  if (isalpha((unsigned char)c) || c == '_')
    return lex_word(r);
  r->at++;
  r->sigil = c;
  return c && strchr("(),:=*{}-", c) ? CODE_SIGN : CODE_JUNK;
}

void hd_code_next(code_reader *r) {
  const char *text = r->source->text;
  while (r->at < r->line_end &&
         (text[r->at] == ' ' || text[r->at] == '\t' || text[r->at] == '\r'))
    r->at++;
  r->start = r->at;
  r->word = (hd_word){text + r->at, 0};
  r->sigil = 0;
  if (r->at >= r->line_end || text[r->at] == '#') {
    r->kind = CODE_END;
    return;
  }
  r->kind = lex(r);
  if (r->kind != CODE_WORD && r->kind != CODE_STRING && r->kind != CODE_NAME)
    r->word = (hd_word){text + r->start, r->at - r->start};
}

void hd_code_error(code_reader *r, const char *format, ...) {
  if (r->failed)
    return;
  r->failed = true;
  char buffer[500];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  size_t length = r->at > r->start ? r->at - r->start : 1;
  hd_diag_error(r->diag, r->source, hd_source_pos(r->source, r->start, length),
                "%s", buffer);
}

void hd_code_expected(code_reader *r, const char *what) {
  if (r->kind == CODE_END)
    hd_code_error(r, "expected %s before the end of the line", what);
  else
    hd_code_error(
        r, "expected %s, found '%s'", what,
        hd_quote((hd_word){r->source->text + r->start, r->at - r->start}).text);
}

bool hd_code_is_sign(const code_reader *r, char sign) {
  return r->kind == CODE_SIGN && r->sigil == sign;
}

bool hd_code_is_word(const code_reader *r, const char *text) {
  return r->kind == CODE_WORD && hd_word_is(r->word, text);
}

bool hd_code_take_sign(code_reader *r, char sign) {
  if (!hd_code_is_sign(r, sign))
    return false;
  hd_code_next(r);
  return true;
}

bool hd_code_take_word(code_reader *r, const char *text) {
  if (!hd_code_is_word(r, text))
    return false;
  hd_code_next(r);
  return true;
}

void hd_code_need_sign(code_reader *r, char sign) {
  char what[] = {'\'', sign, '\'', 0};
  if (!hd_code_take_sign(r, sign))
    hd_code_expected(r, what);
}

uint64_t hd_code_need_number(code_reader *r) {
  uint64_t value = r->number;
  if (r->kind != CODE_NUMBER || r->negative) {
    hd_code_expected(r, "a number");
    return 0;
  }
  hd_code_next(r);
  return value;
}

uint32_t hd_code_need_below(code_reader *r, size_t limit, const char *what) {
  if (r->kind != CODE_NUMBER || r->negative || r->number >= limit) {
    hd_code_expected(r, what);
    return 0;
  }
  return (uint32_t)hd_code_need_number(r);
}

const char *hd_code_need_string(code_reader *r) {
  const char *text = r->word.text;
  if (r->kind != CODE_STRING) {
    hd_code_expected(r, "a string");
    return "";
  }
  hd_code_next(r);
  return text;
}

bool hd_code_type_of(const code_reader *r, hd_word word, hd_type *type) {
  if (hd_word_is(word, "ptr")) {
    *type = (hd_type){HD_TYPE_PTR, r->code->pointer_width};
    return true;
  }
  hd_word digits = {word.text + 1, word.size ? word.size - 1 : 0};
  if (!hd_word_is_number(digits))
    return false;
  uint64_t width = hd_word_number(digits);
  bool is_float = word.text[0] == 'f';
  if ((word.text[0] != 'i' && !is_float) || width < 1 || width > 64 ||
      (is_float && width != 32 && width != 64))
    return false;
  *type = (hd_type){is_float ? HD_TYPE_FLOAT : HD_TYPE_INT, (uint8_t)width};
  return true;
}

hd_type hd_code_need_type(code_reader *r) {
  hd_type type = {HD_TYPE_INT, 1};
  if (r->kind == CODE_WORD && hd_code_type_of(r, r->word, &type))
    hd_code_next(r);
  else
    hd_code_expected(r, "a type: i1 to i64, f32, f64 or ptr");
  return type;
}

hd_cpos hd_code_need_pos(code_reader *r) {
  hd_cpos pos = {HD_NO_ID, 0, 0};
  if (hd_code_take_sign(r, '-'))
    return pos;
  uint32_t file = hd_code_need_below(r, r->code->files.size,
                                     "a position FILE:LINE:COLUMN, or '-'");
  hd_code_need_sign(r, ':');
  pos.line = hd_code_need_below(r, UINT32_MAX, "a line number");
  hd_code_need_sign(r, ':');
  pos.column = hd_code_need_below(r, UINT32_MAX, "a column number");
  pos.file = r->code->files.size ? file : HD_NO_ID;
  return pos;
}
