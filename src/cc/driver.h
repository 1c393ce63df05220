/* SPDX-License-Identifier: MIT */
/* From files to one LLVM module: runs clang, reads what it writes, links. */
#ifndef HD_CC_DRIVER_H
#define HD_CC_DRIVER_H

#include "base/str.h"
#include "cc/pragma.h"

#include <llvm-c/Core.h>

typedef struct {
  hd_vec(const char *) flags; /* for clang: -I, -D, … */
  hd_vec(const char *) files;
  const char *standard; /* NULL = gnu11 */
  const char *include;  /* folder of heddle's own headers; NULL = none */
  bool narrow;          /* pointers of 32 bits */
  bool wide;            /* … of 64; neither: what the sources are made for */
} cc_job;

/* Are the sources made for 32 bits? Text that a preprocessor has gone over says
 * what size_t is. */
bool hd_cc_is_narrow(const cc_job *job);

/* All files as one module, or NULL when something was wrong; that was said on
 * stderr then. Pragmas of the sources are appended, in `arena`. */
LLVMModuleRef hd_cc_load(const cc_job *job, LLVMContextRef context,
                         hd_arena *arena, cc_pragmas *pragmas);

#endif
