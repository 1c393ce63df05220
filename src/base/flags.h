/* SPDX-License-Identifier: MIT */
/* The flags of C compilers, as people paste them out of their builds: which
 * there are, which have a value behind them, and what they mean to heddle. */
#ifndef HD_BASE_FLAGS_H
#define HD_BASE_FLAGS_H

#include "base/common.h"

typedef enum {
  HD_FLAG_UNKNOWN,
  HD_FLAG_LANGUAGE, /* says what the text means: clang gets it */
  HD_FLAG_STANDARD, /* -std=… */
  HD_FLAG_WIDTH,    /* -m32, -m64 */
  HD_FLAG_NOTHING,  /* says how to build, or what to warn about */
  HD_FLAG_COMPILE,  /* -c: no linking */
  HD_FLAG_STOP,     /* -E, -S, -M: nothing is compiled */
} hd_flag_use;

typedef struct {
  hd_flag_use use;
  bool separate; /* the next argument is its value */
  bool path;     /* its value is a file or folder */
} hd_flag;

/* `argument` begins with '-'. Any flag that begins as those of gcc and clang do
 * is known; whether clang has it is for clang to say. */
hd_flag hd_flag_find(const char *argument);

#endif
