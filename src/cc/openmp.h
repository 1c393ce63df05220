/* SPDX-License-Identifier: MIT */
/* OpenMP: what clang makes of `#pragma omp` are calls of a library, which
 * models/openmp/runtime.c defines in terms of threads. */
#ifndef HD_CC_OPENMP_H
#define HD_CC_OPENMP_H

#include "cc/pragma.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

/* Is there such a pragma in the source? Written loosely. */
bool hd_cc_has_openmp(const char *source, size_t size);

/* What clang does not show in what it emits: `for simd`, where the lanes of one
 * thread share its iterations, and `lastprivate` with `nowait`, where it waits
 * although it need not. Nothing of them is left in the graph but the name of a
 * function with the line in it: appends a pragma for each, which becomes that. */
#define HD_CC_SIMD "omp simd"
#define HD_CC_LAST "omp last"
void hd_cc_find_doubts(const char *source, size_t size, const char *file,
                       hd_arena *arena, cc_pragmas *out);

/* So many threads and more are lanes: HD_CC_LANES + safelen. */
#define HD_CC_LANES 1000000L
/* The source with `simd` on loops of their own as loops that lanes share, and with
 * loops of which it is open how they are shared marked; false: there are none. */
bool hd_cc_rewrite_openmp(const char *source, size_t size, hd_str *out);

/* Does the module call the library without having it? */
bool hd_cc_calls_openmp(LLVMModuleRef module);

/* A region is given to the library with the variables that it shares as
 * arguments behind `...`. They are put into one struct of the caller instead, and
 * the region gets a function in front that takes them out, so that the library
 * needs to know neither their number nor their types. */
void hd_cc_lower_regions(LLVMContextRef context, LLVMModuleRef module);

#endif
