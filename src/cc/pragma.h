/* SPDX-License-Identifier: MIT */
/* Annotations in the source: `#pragma heddle …` and `#pragma TASS …`. Nothing of
 * them is left in LLVM's text: what the compiler gets is rewritten such that
 * they are, or they are taken from the preprocessed text. */
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

/* The source as clang gets it, with as many lines. Assertions and assumptions,
 * which stand between statements, are calls `__heddle_note(COLUMN)`, in
 * functions and in this file only; the translation makes a step without effect
 * of each. Then there are three ways for the text of pragmas. */
#define HD_CC_PRAGMA "__heddle_pragma"
#define HD_CC_NOTE "__heddle_note"
#define HD_CC_SAID "__heddle_said"
typedef enum {
  HD_CC_CALLS, /* it stays where it is, and is lost */
  HD_CC_LINES, /* a line of plain text behind HD_CC_PRAGMA, no calls: for the
                  preprocessor, which expands the macros in it */
  HD_CC_NAMES, /* the name of a library to link with, which is the only text
                  that C can say anywhere and LLVM keeps. HD_CC_SAID makes a
                  string of its arguments, expanded */
} hd_cc_way;
/* False: there is a pragma that cannot be said this way. */
HD_MUST_USE bool hd_cc_rewrite(const char *source, size_t size, hd_cc_way way,
                               hd_str *out);
/* Such a name becomes a pragma; false: it is none of ours. */
HD_MUST_USE bool hd_cc_read_name(const char *name, size_t size, hd_arena *arena,
                                 cc_pragmas *out);

#endif
