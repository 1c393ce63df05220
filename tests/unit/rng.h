/* SPDX-License-Identifier: MIT */
/* Random numbers that are the same everywhere. */
#ifndef HD_TESTS_UNIT_RNG_H
#define HD_TESTS_UNIT_RNG_H

#include <stdint.h>

typedef struct {
  uint64_t state;
} rng;

static inline uint32_t draw(rng *r, uint32_t n) {
  r->state ^= r->state << 13;
  r->state ^= r->state >> 7;
  r->state ^= r->state << 17;
  return (uint32_t)((r->state >> 11) % n);
}

static inline rng rng_of(uint64_t seed) {
  rng r = {.state = seed * 0x9E3779B97F4A7C15u + 88172645463325252u};
  for (int i = 0; i < 8; i++)
    draw(&r, 2);
  return r;
}

#endif
