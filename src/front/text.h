/* SPDX-License-Identifier: MIT */
/* What all readers share: parts of a source with positions, words, numbers,
 * names, and heddle's structured comments `# heddle: …`. */
#ifndef HD_FRONT_TEXT_H
#define HD_FRONT_TEXT_H

#include "base/diag.h"
#include "base/hash.h"
#include "base/str.h"

/* A borrowed piece of text, not terminated. */
typedef struct {
  const char *text;
  size_t size;
} hd_word;

bool hd_word_is(hd_word word, const char *text);

/* hd_word_number gives this for anything larger. Far above HD_COUNT_MAX, so that
 * a difference of sums of counts can be written down. */
#define HD_HUGE ((uint64_t)1 << 56)
/* The value of a run of decimal digits. */
uint64_t hd_word_number(hd_word digits);
/* At least one byte, and only digits. */
bool hd_word_is_number(hd_word word);

/* A word as messages show it: bytes that do not print as \xNN, long words cut.
 * Use as `hd_quote(word).text` in the argument list. */
typedef struct {
  char text[100];
} hd_quoted;
hd_quoted hd_quote(hd_word word);

/* A stretch of one source, within one line or over several, with the position
 * of its start. `text` is what is parsed, `source` what messages show; the two
 * have the same size (embedded nets are parsed with the rest blanked out). */
typedef struct {
  const hd_source *source;
  const char *text;
  size_t at, end;    /* offsets into `text`; `at` moves forward */
  size_t line_start; /* offset of the first byte of line `line` */
  uint32_t line;     /* the line of `at` */
} hd_region;

hd_region hd_region_all(const hd_source *source);
/* The position of `size` bytes at `offset`, which is in the current line. */
hd_pos hd_region_pos(const hd_region *region, size_t offset, size_t size);
hd_pos hd_region_word_pos(const hd_region *region, hd_word word);
/* The next blank-separated word; false at the end of the region. Does not
 * cross lines. */
bool hd_region_word(hd_region *region, hd_word *word);
/* The next word, or where it should have been. */
hd_pos hd_region_here(const hd_region *region);

/* For a comment (from its '#' to the end of its line): true when it is a
 * structured one, `region` then begins after `heddle:`. */
bool hd_region_directive(hd_region *region);

/* Reports a source that cannot be text: empty, or with zero bytes. */
HD_MUST_USE bool hd_text_check(const hd_source *source, const char *expected,
                               hd_diag *diag);

/* Names in structured comments and on the command line: bytes that could be
 * misread there are written as %XX. */
void hd_name_encode(hd_str *out, const char *name);
/* False for a malformed %XX, an encoded zero byte or an empty name. */
HD_MUST_USE bool hd_name_decode(hd_word word, hd_str *out);

#endif
