/* SPDX-License-Identifier: MIT */
/* One source file to LLVM's bitcode, by running clang. */
#ifndef HD_CC_DRIVER_H
#define HD_CC_DRIVER_H

#include "base/str.h"
#include "cc/pragma.h"

#define HD_CC_CLANG "clang-19"

/* How a file is compiled. */
typedef struct {
  hd_vec(const char *) flags; /* for clang: -I, -D, … */
  const char *standard;       /* NULL = gnu11 */
  const char *include;        /* folder of heddle's own headers; NULL = none */
  bool narrow;                /* pointers of 32 bits */
  bool wide;   /* … of 64; neither: what the sources are made for */
  bool openmp; /* `#pragma omp` has a meaning */
} cc_job;

/* Is the source made for 32 bits? Text that a preprocessor has gone over says
 * what size_t is. */
bool hd_cc_is_narrow(const char *file);

/* Compiles a file; with its pragmas, if it seems to have some. Those that the
 * compiler hands on are still in `bits` (HD_CC_NAMES), the others are appended,
 * in `arena`. False after a message on stderr. */
bool hd_cc_compile(const cc_job *job, const char *file, hd_arena *arena,
                   cc_pragmas *pragmas, hd_str *bits);

/* Appends all that the file and its headers declare, in clang's own words; `file` may
 * be a header. False after a message on stderr. */
HD_MUST_USE bool hd_cc_declare(const cc_job *job, const char *file,
                               hd_str *out);

/* Appends the whole file; false, without a message, when it cannot be read. */
bool hd_cc_read_file(const char *file, hd_str *out);
bool hd_cc_ends_with(const char *text, const char *with);
bool hd_cc_is_cpp(const char *file);

#endif
