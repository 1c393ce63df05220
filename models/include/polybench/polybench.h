/* SPDX-License-Identifier: MIT */
/* What programs of the PolyBench suite call beside their loops: memory and a clock.
 * The sizes of its data sets are not here; a program that asks for them does not
 * compile. */
#ifndef HEDDLE_POLYBENCH_H
#define HEDDLE_POLYBENCH_H

#include <stdlib.h>

static inline void *polybench_alloc_data(unsigned long long n, int size) {
  void *data = malloc((size_t)n * (size_t)size);
  if (!data)
    exit(1);
  return data;
}
static inline void polybench_timer_start(void) {}
static inline void polybench_timer_stop(void) {}
static inline void polybench_timer_print(void) {}

#endif
