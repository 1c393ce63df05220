/* SPDX-License-Identifier: MIT */
/* Vectors of a fixed number of 64-bit words, numbered in the order they first
 * occur: equal words, equal number. */
#ifndef HD_MODEL_INTERN_H
#define HD_MODEL_INTERN_H

#include "base/vec.h"

typedef struct {
  size_t words; /* of one vector */
  hd_vec(uint64_t) pool;
  uint32_t *slots; /* number + 1, or 0 */
  size_t n_slots, size;
} hd_intern;

void hd_intern_init(hd_intern *t, size_t words);
void hd_intern_free(hd_intern *t);
/* The number of `words`, which must not point into the pool. */
uint32_t hd_intern_put(hd_intern *t, const uint64_t *words);

static inline const uint64_t *hd_intern_at(const hd_intern *t, uint32_t id) {
  assert(id < t->size);
  return t->pool.data + id * t->words;
}

#endif
