/* SPDX-License-Identifier: MIT */
/* Reading evidence word by word. The reader stops at the first error: what
 * follows a broken line of a proof is of no use.
 *
 * Words are separated by blanks; `=`, `|`, `>` and `:` are words of their own;
 * "quoted text" is one word; `#` starts a comment; lines without words do not
 * count. */
#ifndef HD_FRONT_EVIDENCE_READER_H
#define HD_FRONT_EVIDENCE_READER_H

#include "base/diag.h"
#include "front/evidence/labels.h"

typedef enum {
  HD_WORD_PLAIN,
  HD_WORD_QUOTED,
  HD_WORD_MARK,     /* one of = | > : */
  HD_WORD_LINE_END, /* the end of a line that has words */
  HD_WORD_FILE_END,
} hd_word_kind;

typedef struct {
  const hd_source *source;
  const hd_net *net;
  hd_diag *diag;
  size_t next; /* offset of what has not been read */
  /* The word at hand: */
  hd_word_kind kind;
  size_t start, length; /* in the source */
  const char *text;     /* decoded, `size` bytes */
  size_t size;
  hd_str decoded; /* owns the text of quoted words */
} hd_reader;

void hd_reader_start(hd_reader *reader, const hd_source *source,
                     const hd_net *net, hd_diag *diag);
void hd_reader_free(hd_reader *reader);

/* All of these report through the diagnostics and return false when the text is
 * not as expected; `what` names it: "expected <what>". After an error nothing
 * more is read. */

/* Goes on to the next word. */
HD_MUST_USE bool hd_reader_next(hd_reader *reader);
/* A diagnostic at the word at hand; returns false. */
HD_PRINTF(2, 3)
bool hd_reader_error(hd_reader *reader, const char *format, ...);
bool hd_reader_expected(hd_reader *reader, const char *what);

/* Is the word at hand this plain word or mark? */
bool hd_reader_at(const hd_reader *reader, const char *text);
/* Reads it and goes on. */
HD_MUST_USE bool hd_reader_word(hd_reader *reader, const char *text);
HD_MUST_USE bool hd_reader_line_end(hd_reader *reader);
HD_MUST_USE bool hd_reader_number(hd_reader *reader, const char *what,
                                  uint32_t most, uint32_t *value);
HD_MUST_USE bool hd_reader_integer(hd_reader *reader, const char *what,
                                   int64_t *value);
/* A state, by name or as @number. `kind` is "place" or "shared state". */
HD_MUST_USE bool hd_reader_label(hd_reader *reader, const hd_labels *labels,
                                 const char *kind, uint32_t *id);
/* Places with counts up to the end of the line, sorted: `p q=2`. `omega` allows
 * the count `w`. */
HD_MUST_USE bool hd_reader_tokens(hd_reader *reader, const hd_labels *places,
                                  bool omega, hd_token_vec *tokens);
/* A count of at least one. */
HD_MUST_USE bool hd_reader_count(hd_reader *reader, bool omega,
                                 hd_count *count);

/* The bodies, after the line with the model's dimensions, without the last
 * `end`. */
HD_MUST_USE bool hd_reader_witness(hd_reader *reader, hd_witness *witness);
/* Sets *cert even on failure; the caller deletes it. */
HD_MUST_USE bool hd_reader_cert(hd_reader *reader, hd_cert **cert);

#endif
