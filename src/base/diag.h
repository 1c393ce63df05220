/* SPDX-License-Identifier: MIT */
/* Messages about the user's input: file:line:column, severity, a sentence, the
 * source line and a caret. A reader reports through a hd_diag and returns
 * false; it goes on after an error where it can, until hd_diag_full ().
 *
 * A sentence starts in lower case, has no full stop, quotes what was read in
 * '…' and says what was expected. */
#ifndef HD_BASE_DIAG_H
#define HD_BASE_DIAG_H

#include "base/vec.h"

#include <stdio.h>

/* A text with its name, as read by hd_source_read () (base/io.h) or given in
 * memory (hd_source_from_text). `text` has `size` bytes and a terminating 0
 * after them; it may contain further zero bytes. */
typedef struct {
  char *name;
  char *text;
  size_t size;
} hd_source;

/* 1-based; line 0 means "the whole file", column 0 "the whole line". */
typedef struct {
  uint32_t line, column;
  uint32_t length; /* columns to underline; 0 counts as 1 */
} hd_pos;

typedef enum { HD_NOTE, HD_WARNING, HD_ERROR } hd_severity;

typedef struct hd_diag hd_diag;

hd_diag *hd_diag_new(void);
void hd_diag_delete(hd_diag *diag);
/* `source` may be NULL (no position is printed then) and need not outlive the
 * call. */
HD_PRINTF(5, 6)
void hd_diag_report(hd_diag *diag, hd_severity severity,
                    const hd_source *source, hd_pos pos, const char *format,
                    ...);
/* Shorthands; `hd_diag_file_error` has no position in the file, only a name. */
HD_PRINTF(4, 5)
void hd_diag_error(hd_diag *diag, const hd_source *source, hd_pos pos,
                   const char *format, ...);
HD_PRINTF(4, 5)
void hd_diag_warning(hd_diag *diag, const hd_source *source, hd_pos pos,
                     const char *format, ...);
HD_PRINTF(3, 4)
void hd_diag_file_error(hd_diag *diag, const char *name, const char *format,
                        ...);
size_t hd_diag_errors(const hd_diag *diag);
/* The sentence of the first message, or NULL. */
const char *hd_diag_first(const hd_diag *diag);
/* 20 errors: stop reading. */
bool hd_diag_full(const hd_diag *diag);
/* Prints everything reported so far and forgets the text, not the count. */
void hd_diag_print(hd_diag *diag, FILE *out, bool color);

hd_source hd_source_from_text(const char *name, const char *text, size_t size);
void hd_source_free(hd_source *source);
/* The position of byte `offset` (at most size) of `source`. */
hd_pos hd_source_pos(const hd_source *source, size_t offset, size_t length);

#endif
