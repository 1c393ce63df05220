/* SPDX-License-Identifier: MIT */
#include "front/evidence/reader.h"

#include "front/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- words --- */

void hd_reader_start(hd_reader *reader, const hd_source *source,
                     const hd_net *net, hd_diag *diag) {
  *reader = (hd_reader){
      .source = source, .net = net, .diag = diag, .kind = HD_WORD_LINE_END};
}

void hd_reader_free(hd_reader *reader) {
  hd_str_free(&reader->decoded);
}

bool hd_reader_error(hd_reader *reader, const char *format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_diag_error(reader->diag, reader->source,
                hd_source_pos(reader->source, reader->start, reader->length),
                "%s", text);
  return false;
}

static hd_quoted shown(const hd_reader *reader) {
  return hd_quote((hd_word){.text = reader->source->text + reader->start,
                            .size = reader->length});
}

bool hd_reader_expected(hd_reader *reader, const char *what) {
  if (reader->kind == HD_WORD_FILE_END)
    return hd_reader_error(reader, "the file ends here, expected %s", what);
  if (reader->kind == HD_WORD_LINE_END)
    return hd_reader_error(reader, "the line ends here, expected %s", what);
  return hd_reader_error(reader, "expected %s, found '%s'", what,
                         shown(reader).text);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static bool is_mark(char c) {
  return c == '=' || c == '|' || c == '>' || c == ':';
}

static bool is_plain(char c) {
  return (unsigned char)c > 32 && c != 127 && !is_mark(c) && c != '"' &&
         c != '#';
}

/* To the next byte of a word, the end of a line, or the end of the file. */
static void skip(hd_reader *reader) {
  const char *text = reader->source->text;
  size_t size = reader->source->size;
  while (reader->next < size && is_blank(text[reader->next]))
    reader->next++;
  if (reader->next < size && text[reader->next] == '#')
    while (reader->next < size && text[reader->next] != '\n')
      reader->next++;
}

static void finish_word(hd_reader *reader, hd_word_kind kind) {
  reader->kind = kind;
  reader->length = reader->next - reader->start;
  reader->text = reader->source->text + reader->start;
  reader->size = reader->length;
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

/* The byte that the escape at `at` (after the backslash) stands for. */
static bool unescape(const char *at, const char *end, char *byte,
                     size_t *length) {
  *length = 1;
  if (at < end && (*at == '"' || *at == '\\')) {
    *byte = *at;
    return true;
  }
  if (end - at < 3 || *at != 'x' || hex_digit(at[1]) < 0 ||
      hex_digit(at[2]) < 0)
    return false;
  *byte = (char)(16 * hex_digit(at[1]) + hex_digit(at[2]));
  *length = 3;
  return true;
}

static bool read_quoted(hd_reader *reader) {
  const char *text = reader->source->text;
  const char *at = text + reader->start + 1, *end = text + reader->source->size;
  hd_vec_clear(&reader->decoded);
  while (at < end && *at != '"' && *at != '\n') {
    char byte = *at++;
    size_t length = 0;
    if (byte == '\\' && !unescape(at, end, &byte, &length)) {
      reader->start = (size_t)(at - 1 - text);
      reader->length = 1;
      return hd_reader_error(reader, "expected \\\\, \\\" or \\x and two hex "
                                     "digits after a backslash");
    }
    at += length;
    hd_str_append(&reader->decoded, &byte, 1);
  }
  if (at == end || *at != '"') {
    reader->length = 1;
    return hd_reader_error(reader, "this quote is not closed on its line");
  }
  reader->next = (size_t)(at + 1 - text);
  finish_word(reader, HD_WORD_QUOTED);
  reader->text = hd_str_text(&reader->decoded);
  reader->size = reader->decoded.size;
  return true;
}

bool hd_reader_next(hd_reader *reader) {
  const char *text = reader->source->text;
  size_t size = reader->source->size;
  skip(reader);
  while (reader->kind == HD_WORD_LINE_END && reader->next < size &&
         text[reader->next] == '\n') {
    reader->next++;
    skip(reader);
  }
  reader->start = reader->next;
  if (reader->next == size) {
    bool in_line =
        reader->kind != HD_WORD_LINE_END && reader->kind != HD_WORD_FILE_END;
    finish_word(reader, in_line ? HD_WORD_LINE_END : HD_WORD_FILE_END);
    return true;
  }
  char c = text[reader->next];
  if (c == '"')
    return read_quoted(reader);
  if (c == '\n') {
    finish_word(reader, HD_WORD_LINE_END); /* the byte itself stays unread */
  } else if (is_mark(c)) {
    reader->next++;
    finish_word(reader, HD_WORD_MARK);
  } else if (is_plain(c)) {
    while (reader->next < size && is_plain(text[reader->next]))
      reader->next++;
    finish_word(reader, HD_WORD_PLAIN);
  } else {
    reader->length = 1;
    return hd_reader_error(reader, "unexpected byte 0x%02x", (unsigned char)c);
  }
  return true;
}

/* --- what words mean --- */

bool hd_reader_at(const hd_reader *reader, const char *text) {
  return (reader->kind == HD_WORD_PLAIN || reader->kind == HD_WORD_MARK) &&
         reader->size == strlen(text) &&
         !memcmp(reader->text, text, reader->size);
}

bool hd_reader_word(hd_reader *reader, const char *text) {
  if (hd_reader_at(reader, text))
    return hd_reader_next(reader);
  char what[40];
  snprintf(what, sizeof what, "'%s'", text);
  return hd_reader_expected(reader, what);
}

bool hd_reader_line_end(hd_reader *reader) {
  if (reader->kind != HD_WORD_LINE_END)
    return hd_reader_expected(reader, "the end of the line");
  return hd_reader_next(reader);
}

/* The value of decimal digits, at most UINT64_MAX / 10. */
static bool digits(const char *text, size_t size, uint64_t *value) {
  *value = 0;
  for (size_t i = 0; i < size; i++) {
    if (text[i] < '0' || text[i] > '9' || *value > UINT64_MAX / 100)
      return false;
    *value = 10 * *value + (uint64_t)(text[i] - '0');
  }
  return size > 0;
}

static bool all_digits(const char *text, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (text[i] < '0' || text[i] > '9')
      return false;
  return size > 0;
}

bool hd_reader_number(hd_reader *reader, const char *what, uint32_t most,
                      uint32_t *value) {
  if (reader->kind != HD_WORD_PLAIN || !all_digits(reader->text, reader->size))
    return hd_reader_expected(reader, what);
  uint64_t number;
  if (!digits(reader->text, reader->size, &number) || number > most)
    return hd_reader_error(reader, "%s is too large, at most %u is possible",
                           shown(reader).text, most);
  *value = (uint32_t)number;
  return hd_reader_next(reader);
}

bool hd_reader_integer(hd_reader *reader, const char *what, int64_t *value) {
  bool minus = reader->size && reader->text[0] == '-';
  const char *text = reader->text + minus;
  size_t size = reader->size - minus;
  if (reader->kind != HD_WORD_PLAIN || !all_digits(text, size))
    return hd_reader_expected(reader, what);
  uint64_t number = 0;
  bool fits = true;
  for (size_t i = 0; i < size; i++)
    fits = fits && !__builtin_mul_overflow(number, 10u, &number) &&
           !__builtin_add_overflow(number, (uint64_t)(text[i] - '0'), &number);
  if (!fits || number > (uint64_t)INT64_MAX + minus)
    return hd_reader_error(reader, "%s does not fit 64 bits",
                           shown(reader).text);
  *value = minus ? (int64_t)(0 - number) : (int64_t)number;
  return hd_reader_next(reader);
}

static bool numbered_label(hd_reader *reader, uint32_t most, const char *kind,
                           uint32_t *id) {
  uint64_t number;
  if (!digits(reader->text + 1, reader->size - 1, &number))
    return hd_reader_error(reader, "expected the number of a %s after '@'",
                           kind);
  if (number >= most)
    return hd_reader_error(reader, "there is no %s %s", kind,
                           shown(reader).text);
  *id = (uint32_t)number;
  return hd_reader_next(reader);
}

bool hd_reader_label(hd_reader *reader, const hd_labels *labels,
                     const char *kind, uint32_t *id) {
  if (reader->kind != HD_WORD_PLAIN && reader->kind != HD_WORD_QUOTED) {
    char what[40];
    snprintf(what, sizeof what, "a %s", kind);
    return hd_reader_expected(reader, what);
  }
  if (reader->kind == HD_WORD_PLAIN && reader->text[0] == '@')
    return numbered_label(reader, hd_labels_size(labels), kind, id);
  switch (hd_labels_find(labels, reader->text, reader->size, id)) {
  case HD_LABEL_FOUND:
    return hd_reader_next(reader);
  case HD_LABEL_SHARED:
    return hd_reader_error(reader,
                           "more than one %s has the name %s: write @ and its "
                           "number",
                           kind, shown(reader).text);
  case HD_LABEL_UNKNOWN:
    break;
  }
  return hd_reader_error(reader, "the model has no %s '%s'", kind,
                         shown(reader).text);
}

bool hd_reader_count(hd_reader *reader, bool omega, hd_count *count) {
  if (omega && hd_reader_at(reader, "w")) {
    *count = HD_OMEGA;
    return hd_reader_next(reader);
  }
  if (hd_reader_at(reader, "0"))
    return hd_reader_error(reader, "a place without tokens is not written");
  return hd_reader_number(
      reader, omega ? "a number of tokens or 'w'" : "a number of tokens",
      HD_COUNT_MAX, count);
}

static int by_place(const void *left, const void *right) {
  const hd_token *a = left, *b = right;
  return (a->place > b->place) - (a->place < b->place);
}

bool hd_reader_tokens(hd_reader *reader, const hd_labels *places, bool omega,
                      hd_token_vec *tokens) {
  hd_vec_clear(tokens);
  bool sorted = true;
  size_t start = reader->start;
  while (reader->kind != HD_WORD_LINE_END && reader->kind != HD_WORD_FILE_END) {
    hd_token token = {.count = 1};
    if (!hd_reader_label(reader, places, "place", &token.place))
      return false;
    if (hd_reader_at(reader, "=") &&
        (!hd_reader_next(reader) ||
         !hd_reader_count(reader, omega, &token.count)))
      return false;
    sorted =
        sorted && (!tokens->size || hd_vec_last(tokens).place < token.place);
    hd_vec_push(tokens, token);
  }
  if (!sorted)
    qsort(tokens->data, tokens->size, sizeof *tokens->data, by_place);
  for (size_t i = 1; !sorted && i < tokens->size; i++)
    if (tokens->data[i - 1].place == tokens->data[i].place) {
      reader->length = reader->start - start;
      reader->start = start;
      return hd_reader_error(reader, "a place is given twice");
    }
  return true;
}
