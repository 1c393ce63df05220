/* SPDX-License-Identifier: MIT */
/* Shared libraries that are loaded when they are first asked for: starting them
 * takes longer than the rest of heddle's start together, and most runs need few
 * of them. */
#ifndef HD_SOLVE_LIBRARY_H
#define HD_SOLVE_LIBRARY_H

#include "base/common.h"

typedef struct {
  const char *file;    /* as the linker would have noted it */
  const char *what;    /* "the SMT solver" */
  const char *name;    /* "Z3" */
  const char *package; /* of Debian */
} hd_library;

/* The handle; the library stays in memory for the next time. When it is missing,
 * or is not the one heddle was built with, these two say so on stderr and end
 * the process with status 6. */
void *hd_library_open(const hd_library *library);
/* Stores the address of function `symbol` in the pointer at `into`. */
void hd_library_resolve(const hd_library *library, void *handle,
                        const char *symbol, void *into, size_t size);
void hd_library_close(void *handle);

#endif
