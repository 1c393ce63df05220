/* SPDX-License-Identifier: MIT */
#include "base/vec.h"

void *hd_vec_grow_(void *data, size_t *cap, size_t need, size_t elem) {
  size_t next = *cap ? *cap * 2 : 8;
  if (next < need)
    next = need;
  size_t bytes;
  if (__builtin_mul_overflow(next, elem, &bytes))
    hd_out_of_memory(SIZE_MAX);
  data = hd_realloc(data, bytes);
  *cap = next;
  return data;
}
