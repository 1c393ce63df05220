/* SPDX-License-Identifier: MIT */
#include "front/bp/lex.h"

#include <string.h>

static const char *const keywords[] = {
    "decl",       "begin",        "end",        "void",      "bool",
    "skip",       "goto",         "return",     "if",        "then",
    "elsif",      "else",         "fi",         "while",     "do",
    "od",         "assume",       "assert",     "constrain", "start_thread",
    "end_thread", "atomic_begin", "atomic_end", "broadcast", "wait",
    "signal",     "dead",         "schoose",    "true",      "false",
    "call",
};

bool hd_bp_is_keyword(hd_word word) {
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (hd_word_is(word, keywords[i]))
      return true;
  return false;
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_id_byte(char c) {
  return is_letter(c) || is_digit(c) || c == '$' || c == '.';
}

static char byte_at(const bp_lexer *lexer, size_t ahead) {
  const hd_region *r = &lexer->region;
  return r->at + ahead < r->end ? r->text[r->at + ahead] : 0;
}

static hd_word next_word(const char **at, const char *end) {
  while (*at < end && (**at == ' ' || **at == '\t'))
    ++*at;
  hd_word word = {.text = *at};
  while (*at < end && **at != ' ' && **at != '\t' && **at != '\r')
    ++*at;
  word.size = (size_t)(*at - word.text);
  return word;
}

/* `file F line N [function G]`, as SATABS writes it. */
static void read_comment(bp_lexer *lexer, const char *at, const char *end) {
  if (!hd_word_is(next_word(&at, end), "file"))
    return;
  hd_word file = next_word(&at, end);
  if (!hd_word_is(next_word(&at, end), "line"))
    return;
  hd_word line = next_word(&at, end);
  if (!hd_word_is_number(line) || hd_word_number(line) > UINT32_MAX)
    return;
  lexer->file = file;
  lexer->source_line = (uint32_t)hd_word_number(line);
  lexer->function = (hd_word){0};
  if (hd_word_is(next_word(&at, end), "function"))
    lexer->function = next_word(&at, end);
}

static void skip_line_comment(bp_lexer *lexer) {
  hd_region *r = &lexer->region;
  const char *from = r->text + r->at;
  const char *nl = memchr(from, '\n', r->end - r->at);
  const char *end = nl ? nl : r->text + r->end;
  read_comment(lexer, from + 2, end);
  r->at = (size_t)(end - r->text);
}

static void new_line(hd_region *r) {
  r->line++;
  r->line_start = r->at + 1;
}

static void skip_block_comment(bp_lexer *lexer) {
  hd_region *r = &lexer->region;
  hd_pos start = hd_region_pos(r, r->at, 2);
  r->at += 2;
  while (r->at < r->end) {
    if (r->text[r->at] == '\n')
      new_line(r);
    if (r->text[r->at] == '*' && byte_at(lexer, 1) == '/') {
      r->at += 2;
      return;
    }
    r->at++;
  }
  hd_diag_error(lexer->diag, r->source, start, "comment without an end");
}

static void skip(bp_lexer *lexer) {
  hd_region *r = &lexer->region;
  while (r->at < r->end) {
    char c = r->text[r->at];
    if (c == '/' && byte_at(lexer, 1) == '/')
      skip_line_comment(lexer);
    else if (c == '/' && byte_at(lexer, 1) == '*')
      skip_block_comment(lexer);
    else if (c == '\n') {
      new_line(r);
      r->at++;
    } else if (c == ' ' || c == '\t' || c == '\r')
      r->at++;
    else
      break;
  }
}

static const struct {
  const char *text;
  bp_kind kind;
} signs[] = {
    /* longer ones first */
    {":=", BP_ASSIGN},  {"||", BP_OR},      {"&&", BP_AND},
    {"=>", BP_IMPLIES}, {"->", BP_IMPLIES}, {"==", BP_EQUAL},
    {"!=", BP_UNEQUAL}, {",", BP_COMMA},    {";", BP_SEMICOLON},
    {":", BP_COLON},    {"?", BP_QUESTION}, {"|", BP_OR},
    {"^", BP_XOR},      {"&", BP_AND},      {"=", BP_EQUAL},
    {"!", BP_NOT},      {"~", BP_NOT},      {"*", BP_STAR},
    {"'", BP_PRIME},    {"(", BP_OPEN},     {")", BP_CLOSE},
    {"[", BP_LEFT},     {"]", BP_RIGHT},    {"<", BP_LESS},
    {">", BP_MORE},
};

static size_t read_sign(bp_lexer *lexer) {
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
    size_t n = strlen(signs[i].text);
    if (byte_at(lexer, 0) == signs[i].text[0] &&
        (n == 1 || byte_at(lexer, 1) == signs[i].text[1])) {
      lexer->kind = signs[i].kind;
      return n;
    }
  }
  lexer->kind = BP_JUNK;
  return 1;
}

/* SLAM writes predicates as names in braces: {x>0}. */
static size_t read_braced(bp_lexer *lexer) {
  size_t n = 1;
  while (byte_at(lexer, n) && byte_at(lexer, n) != '}' &&
         byte_at(lexer, n) != '\n')
    n++;
  if (byte_at(lexer, n) != '}') {
    lexer->kind = BP_JUNK;
    return 1;
  }
  lexer->kind = BP_ID;
  return n + 1;
}

void hd_bp_next(bp_lexer *lexer) {
  hd_region *r = &lexer->region;
  lexer->last_end = r->text + r->at;
  skip(lexer);
  size_t size = 0;
  char c = byte_at(lexer, 0);
  if (r->at >= r->end) {
    lexer->kind = BP_END;
  } else if (is_letter(c)) {
    lexer->kind = BP_ID;
    while (is_id_byte(byte_at(lexer, size)))
      size++;
  } else if (is_digit(c)) {
    lexer->kind = BP_NUMBER;
    while (is_digit(byte_at(lexer, size)))
      size++;
  } else if (c == '{') {
    size = read_braced(lexer);
  } else {
    size = read_sign(lexer);
  }
  lexer->word = (hd_word){.text = r->text + r->at, .size = size};
  lexer->pos = hd_region_pos(r, r->at, size);
  r->at += size;
}

bool hd_bp_is(const bp_lexer *lexer, const char *text) {
  return lexer->kind == BP_ID && hd_word_is(lexer->word, text);
}

void hd_bp_expected(bp_lexer *lexer, const char *what) {
  if (lexer->kind == BP_END)
    hd_diag_error(lexer->diag, lexer->region.source, lexer->pos,
                  "expected %s, found the end of the file", what);
  else
    hd_diag_error(lexer->diag, lexer->region.source, lexer->pos,
                  "expected %s, found '%s'", what, hd_quote(lexer->word).text);
}
