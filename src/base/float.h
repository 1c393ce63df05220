/* SPDX-License-Identifier: MIT */
/* The host's floats and their bits. */
#ifndef HD_BASE_FLOAT_H
#define HD_BASE_FLOAT_H

#include "base/common.h"

#include <string.h>

static inline double hd_f64_value(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline uint64_t hd_f64_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float hd_f32_value(uint64_t bits) {
  float value;
  uint32_t low = (uint32_t)bits;
  memcpy(&value, &low, sizeof value);
  return value;
}

static inline uint64_t hd_f32_bits(float value) {
  uint32_t low;
  memcpy(&low, &value, sizeof low);
  return low;
}

/* Of 32 or 64 bits; to 32 it is rounded. */
static inline double hd_float_value(uint64_t bits, unsigned width) {
  return width == 32 ? (double)hd_f32_value(bits) : hd_f64_value(bits);
}

static inline uint64_t hd_float_bits(double value, unsigned width) {
  return width == 32 ? hd_f32_bits((float)value) : hd_f64_bits(value);
}

#endif
