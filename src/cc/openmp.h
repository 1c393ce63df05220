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

/* Nothing of `simd` is left in the graph but the name of a function with the line
 * in it: appends a pragma HD_CC_SIMD for each, which becomes that. */
#define HD_CC_SIMD "omp simd"
void hd_cc_find_simd(const char *source, size_t size, const char *file,
                     hd_arena *arena, cc_pragmas *out);

/* Does the module call the library without having it? */
bool hd_cc_calls_openmp(LLVMModuleRef module);

/* A region is given to the library with the variables that it shares as
 * arguments behind `...`. They are put into one struct of the caller instead, and
 * the region gets a function in front that takes them out, so that the library
 * needs to know neither their number nor their types. */
void hd_cc_lower_regions(LLVMContextRef context, LLVMModuleRef module);

#endif
