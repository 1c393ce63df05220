/* SPDX-License-Identifier: MIT */
/* Hash functions for tables: mixing of words and of byte strings. Not for
 * adversaries; the same on every run and machine of one endianness. */
#ifndef HD_BASE_HASH_H
#define HD_BASE_HASH_H

#include "base/common.h"

static inline uint64_t hd_hash_mix(uint64_t h, uint64_t word) {
  h ^= word;
  h *= 0x9E3779B97F4A7C15u;
  return h ^ h >> 29;
}

static inline uint64_t hd_hash_bytes(const void *data, size_t size) {
  const unsigned char *bytes = data;
  uint64_t h = 0xCBF29CE484222325u ^ size;
  for (size_t i = 0; i < size; i++)
    h = (h ^ bytes[i]) * 0x100000001B3u;
  return hd_hash_mix(h, size);
}

#endif
