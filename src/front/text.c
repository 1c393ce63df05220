/* SPDX-License-Identifier: MIT */
#include "front/text.h"

#include <stdio.h>
#include <string.h>

bool hd_word_is(hd_word word, const char *text) {
  return strlen(text) == word.size && !memcmp(word.text, text, word.size);
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

uint64_t hd_word_number(hd_word digits) {
  uint64_t value = 0;
  for (size_t i = 0; i < digits.size && value < HD_HUGE; i++)
    value = value * 10 + (uint64_t)(digits.text[i] - '0');
  return value < HD_HUGE ? value : HD_HUGE;
}

bool hd_word_is_number(hd_word word) {
  for (size_t i = 0; i < word.size; i++)
    if (!is_digit(word.text[i]))
      return false;
  return word.size > 0;
}

hd_quoted hd_quote(hd_word word) {
  hd_quoted quoted;
  size_t used = 0, i = 0;
  for (; i < word.size && used < 80; i++) {
    unsigned char c = (unsigned char)word.text[i];
    if (c >= 32 && c < 127)
      quoted.text[used++] = (char)c;
    else
      used += (size_t)snprintf(quoted.text + used, 5, "\\x%02x", c);
  }
  strcpy(quoted.text + used, i < word.size ? "..." : "");
  return quoted;
}

hd_region hd_region_all(const hd_source *source) {
  return (hd_region){
      .source = source, .text = source->text, .end = source->size, .line = 1};
}

hd_pos hd_region_pos(const hd_region *region, size_t offset, size_t size) {
  assert(offset >= region->line_start);
  return (hd_pos){.line = region->line,
                  .column = (uint32_t)(offset - region->line_start) + 1,
                  .length = (uint32_t)size};
}

hd_pos hd_region_word_pos(const hd_region *region, hd_word word) {
  return hd_region_pos(region, (size_t)(word.text - region->text), word.size);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_blanks(hd_region *region) {
  while (region->at < region->end && is_blank(region->text[region->at]))
    region->at++;
}

bool hd_region_word(hd_region *region, hd_word *word) {
  skip_blanks(region);
  size_t start = region->at;
  while (region->at < region->end && !is_blank(region->text[region->at]) &&
         region->text[region->at] != '\n')
    region->at++;
  *word = (hd_word){.text = region->text + start, .size = region->at - start};
  return word->size > 0;
}

hd_pos hd_region_here(const hd_region *region) {
  hd_region ahead = *region;
  hd_word word;
  if (hd_region_word(&ahead, &word))
    return hd_region_word_pos(region, word);
  return hd_region_pos(region, region->at, 1);
}

bool hd_region_directive(hd_region *region) {
  static const char tag[] = "heddle:";
  assert(region->at < region->end && region->text[region->at] == '#');
  region->at++;
  skip_blanks(region);
  size_t length = sizeof tag - 1;
  if (region->end - region->at < length ||
      memcmp(region->text + region->at, tag, length) != 0)
    return false;
  region->at += length;
  return true;
}

bool hd_text_check(const hd_source *source, const char *expected,
                   hd_diag *diag) {
  if (!source->size) {
    hd_diag_file_error(diag, source->name, "empty file, expected %s", expected);
    return false;
  }
  const char *zero = memchr(source->text, 0, source->size);
  if (zero) {
    hd_pos pos = hd_source_pos(source, (size_t)(zero - source->text), 1);
    hd_diag_error(diag, source, pos, "not a text file: zero byte, expected %s",
                  expected);
    return false;
  }
  return true;
}

/* Everything that separates words or has a meaning in a target, and all that is
 * not printable ASCII. */
static bool needs_escape(unsigned char c) {
  return c <= 32 || c >= 127 || strchr("%,;|/*#<>=[]", c);
}

void hd_name_encode(hd_str *out, const char *name) {
  for (; *name; name++) {
    if (needs_escape((unsigned char)*name))
      hd_str_printf(out, "%%%02X", (unsigned char)*name);
    else
      hd_str_append(out, name, 1);
  }
}

static int hex_digit(char c) {
  if (is_digit(c))
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool hd_name_decode(hd_word word, hd_str *out) {
  for (size_t i = 0; i < word.size; i++) {
    char c = word.text[i];
    if (c == '%') {
      int high = i + 2 < word.size ? hex_digit(word.text[i + 1]) : -1;
      int low = i + 2 < word.size ? hex_digit(word.text[i + 2]) : -1;
      if (high < 0 || low < 0 || !(high | low))
        return false;
      c = (char)(high * 16 + low);
      i += 2;
    }
    hd_str_append(out, &c, 1);
  }
  return word.size > 0;
}
