/* SPDX-License-Identifier: MIT */
/* Fixed-size bitsets as plain arrays of 64-bit words. The caller owns the words
 * (`hd_bits_words (n)` of them); bits past n stay zero. */
#ifndef HD_BASE_BITSET_H
#define HD_BASE_BITSET_H

#include "base/common.h"

static inline size_t hd_bits_words(size_t n) {
  return (n + 63) / 64;
}

static inline bool hd_bits_test(const uint64_t *bits, size_t i) {
  return bits[i / 64] >> (i % 64) & 1;
}

static inline void hd_bits_set(uint64_t *bits, size_t i) {
  bits[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void hd_bits_clear(uint64_t *bits, size_t i) {
  bits[i / 64] &= ~((uint64_t)1 << (i % 64));
}

/* into |= from; true when `into` changed. */
static inline bool hd_bits_union(uint64_t *into, const uint64_t *from,
                                 size_t words) {
  uint64_t fresh = 0;
  for (size_t w = 0; w < words; w++) {
    fresh |= from[w] & ~into[w];
    into[w] |= from[w];
  }
  return fresh != 0;
}

static inline bool hd_bits_subset(const uint64_t *small, const uint64_t *large,
                                  size_t words) {
  for (size_t w = 0; w < words; w++)
    if (small[w] & ~large[w])
      return false;
  return true;
}

static inline size_t hd_bits_count(const uint64_t *bits, size_t words) {
  size_t count = 0;
  for (size_t w = 0; w < words; w++)
    count += (size_t)__builtin_popcountll(bits[w]);
  return count;
}

/* The first set bit at or after `from`, or `n` if there is none. */
static inline size_t hd_bits_next(const uint64_t *bits, size_t n, size_t from) {
  for (size_t i = from; i < n;) {
    uint64_t word = bits[i / 64] >> (i % 64);
    if (word) {
      size_t at = i + (size_t)__builtin_ctzll(word);
      return at < n ? at : n; /* behind n there may be other things */
    }
    i = (i / 64 + 1) * 64;
  }
  return n;
}

#endif
