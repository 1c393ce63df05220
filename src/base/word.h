/* SPDX-License-Identifier: MIT */
/* Integers of 1 to 64 bits, kept in the low bits of a uint64_t. */
#ifndef HD_BASE_WORD_H
#define HD_BASE_WORD_H

#include "base/common.h"

/* The bits that a value of this width has. */
static inline uint64_t hd_word_mask(unsigned width) {
  return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

/* The low `width` bits as two's complement; those above do not matter. */
static inline int64_t hd_word_signed(uint64_t bits, unsigned width) {
  return (int64_t)(bits << (64 - width)) >> (64 - width);
}

#endif
