/* SPDX-License-Identifier: MIT */
/* Annotations in the source: `#pragma heddle …` and `#pragma TASS …`. They are
 * taken from the preprocessed text, since nothing of them is left in LLVM's. */
#ifndef HD_CC_PRAGMA_H
#define HD_CC_PRAGMA_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef struct {
  const char *file, *text; /* in the arena that was given */
  uint32_t line, column;
} cc_pragma;
typedef hd_vec(cc_pragma) cc_pragmas;

/* Could there be one in this source? Not in what it includes. */
bool hd_cc_has_pragmas(const char *source, size_t size);
/* Appends those in a preprocessed text with line markers; `name` is the file
 * until the first marker. */
void hd_cc_read_pragmas(const char *text, size_t size, const char *name,
                        hd_arena *arena, cc_pragmas *out);
/* The preprocessor drops blanks before the #: gives the pragmas of file `name`,
 * from number `from` on, the columns they have in their source. */
void hd_cc_place_pragmas(const char *source, size_t size, const char *name,
                         cc_pragmas *pragmas, size_t from);

/* The source as clang gets it, with as many lines. `expand`: each pragma is a
 * line of plain text behind HD_CC_PRAGMA, so that the preprocessor expands the
 * macros in it. Otherwise assertions and assumptions, which stand between
 * statements, are calls `__heddle_note(COLUMN)`; the translation makes a step
 * without effect of each. All in functions, and in this file only. */
#define HD_CC_PRAGMA "__heddle_pragma"
#define HD_CC_NOTE "__heddle_note"
void hd_cc_rewrite(const char *source, size_t size, bool expand, hd_str *out);

#endif
