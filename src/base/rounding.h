/* SPDX-License-Identifier: MIT */
/* Sums of floating-point numbers that no order can round. */
#ifndef HD_BASE_ROUNDING_H
#define HD_BASE_ROUNDING_H

#include "base/common.h"

#include <math.h>

/* All are multiples of one power of two, and so small that no sum of some of
 * them is rounded, as floats of `size` 4 or 8 bytes. */
static inline bool hd_never_rounds(const double *x, size_t n, uint8_t size) {
  double unit = INFINITY, total = 0;
  for (size_t i = 0; i < n; i++) {
    int exponent;
    if (!isfinite(x[i]))
      return false;
    if (!(x[i] > 0) && !(x[i] < 0))
      continue;
    double part = frexp(x[i], &exponent);
    while (part < floor(part) || part > floor(part)) {
      part *= 2;
      exponent--;
    }
    unit = fmin(unit, ldexp(1, exponent));
    total += fabs(x[i]);
  }
  return isinf(unit) || total / unit <= (size == 4 ? 0x1p23 : 0x1p52);
}

#endif
