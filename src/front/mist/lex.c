/* SPDX-License-Identifier: MIT */
#include "front/mist/lex.h"

#include "front/mist/mist.h"

#include <string.h>

static const char *const keywords[] = {"vars",       "rules", "init", "target",
                                       "invariants", "true",  "in"};

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_high(char c) {
  return (unsigned char)c >= 128;
}

static bool is_id_byte(char c) {
  return is_letter(c) || is_digit(c) || c == '\'';
}

static mist_kind word_kind(hd_word word) {
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (hd_word_is(word, keywords[i]))
      return (mist_kind)(MIST_VARS + (int)i);
  return MIST_ID;
}

bool hd_mist_is_name(hd_word word) {
  if (!word.size || !is_letter(word.text[0]) || word_kind(word) != MIST_ID)
    return false;
  for (size_t i = 0; i < word.size; i++)
    if (!is_id_byte(word.text[i]))
      return false;
  return true;
}

static void keep_rule_name(mist_lexer *lexer, hd_region comment) {
  if (lexer->has_rule_name)
    hd_diag_error(lexer->diag, comment.source, hd_region_here(&comment),
                  "a second name for the next rule");
  lexer->rule_name = comment;
  lexer->has_rule_name = true;
}

static void read_comment(mist_lexer *lexer, hd_region comment) {
  hd_word key;
  if (!hd_region_directive(&comment))
    return;
  if (!hd_region_word(&comment, &key))
    key = (hd_word){.text = comment.text + comment.at, .size = 0};
  if (hd_word_is(key, "shared"))
    hd_vec_push(&lexer->shared, comment);
  else if (hd_word_is(key, "numbered"))
    hd_vec_push(&lexer->numbered, comment);
  else if (hd_word_is(key, "name"))
    hd_vec_push(&lexer->names, comment);
  else if (hd_word_is(key, "transition"))
    keep_rule_name(lexer, comment);
  else
    hd_diag_error(lexer->diag, comment.source,
                  hd_region_word_pos(&comment, key),
                  "expected 'name', 'numbered', 'shared' or 'transition' after "
                  "'heddle:', found '%s'",
                  hd_quote(key).text);
}

/* Skips blanks, line ends and comments. */
static void skip(mist_lexer *lexer) {
  hd_region *region = &lexer->region;
  while (region->at < region->end) {
    char c = region->text[region->at];
    if (c == '#') {
      const char *from = region->text + region->at;
      const char *nl = memchr(from, '\n', region->end - region->at);
      hd_region comment = *region;
      comment.end = nl ? (size_t)(nl - region->text) : region->end;
      read_comment(lexer, comment);
      region->at = comment.end;
    } else if (c == '\n') {
      region->line_start = ++region->at;
      region->line++;
    } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
      region->at++;
    } else {
      return;
    }
  }
}

static mist_kind symbol(const char *text, size_t left, size_t *size) {
  *size = 2;
  if (left >= 2 && !memcmp(text, "->", 2))
    return MIST_ARROW;
  if (left >= 2 && !memcmp(text, ">=", 2))
    return MIST_GE;
  if (left >= 2 && (!memcmp(text, "<=", 2) || !memcmp(text, "==", 2)))
    return MIST_JUNK;
  *size = 1;
  switch (*text) {
  case '=':
    return MIST_EQ;
  case ',':
    return MIST_COMMA;
  case ';':
    return MIST_SEMICOLON;
  case '+':
    return MIST_PLUS;
  case '-':
    return MIST_MINUS;
  case '[':
    return MIST_OPEN;
  case ']':
    return MIST_CLOSE;
  case '\'':
    return MIST_QUOTE;
  default:
    return MIST_JUNK;
  }
}

void hd_mist_next(mist_lexer *lexer) {
  hd_region *region = &lexer->region;
  skip(lexer);
  size_t start = region->at, left = region->end - start, size = 0;
  const char *text = region->text + start;
  if (!left) {
    lexer->kind = MIST_END;
    lexer->word = (hd_word){.text = text, .size = 0};
    lexer->pos.column += lexer->pos.length;
    lexer->pos.length = 0;
    return;
  }
  if (is_letter(*text)) {
    while (size < left && is_id_byte(text[size]))
      size++;
    lexer->kind = word_kind((hd_word){.text = text, .size = size});
  } else if (is_digit(*text)) {
    while (size < left && is_digit(text[size]))
      size++;
    lexer->kind = MIST_NUMBER;
  } else {
    lexer->kind = symbol(text, left, &size);
    /* A run of bytes above ASCII is shown as one piece. */
    while (lexer->kind == MIST_JUNK && size < left && is_high(text[0]) &&
           is_high(text[size]))
      size++;
  }
  lexer->word = (hd_word){.text = text, .size = size};
  lexer->pos = hd_region_pos(region, start, size);
  region->at += size;
}

void hd_mist_expected(mist_lexer *lexer, const char *what) {
  const hd_source *source = lexer->region.source;
  if (lexer->kind == MIST_END && lexer->ended)
    return;
  lexer->ended = lexer->kind == MIST_END;
  if (lexer->ended)
    hd_diag_error(lexer->diag, source, lexer->pos,
                  "expected %s, but the file ends here", what);
  else if (hd_word_is(lexer->word, "<="))
    hd_diag_error(lexer->diag, source, lexer->pos,
                  "expected %s, found '<='; an upper bound is written "
                  "'in [0, n]'",
                  what);
  else
    hd_diag_error(lexer->diag, source, lexer->pos, "expected %s, found '%s'",
                  what, hd_quote(lexer->word).text);
}
