/* SPDX-License-Identifier: MIT */
/* Annotations in the source: `#pragma heddle …` and `#pragma TASS …`. They are
 * taken from the preprocessed text, since nothing of them is left in LLVM's. */
#ifndef HD_CC_PRAGMA_H
#define HD_CC_PRAGMA_H

#include "base/arena.h"
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

#endif
