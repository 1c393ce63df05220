/* SPDX-License-Identifier: MIT */
/* Orders of n things, one after the other. */
#ifndef HD_BASE_ORDER_H
#define HD_BASE_ORDER_H

#include "base/common.h"

/* The next one after `order`, a permutation of 0 … n - 1, in lexicographic order;
 * false: it was the last. */
static inline bool hd_order_next(uint32_t *order, size_t n) {
  size_t i = n;
  while (i > 1 && order[i - 2] >= order[i - 1])
    i--;
  if (i < 2)
    return false;
  size_t k = n - 1;
  while (order[k] <= order[i - 2])
    k--;
  uint32_t swapped = order[i - 2];
  order[i - 2] = order[k];
  order[k] = swapped;
  for (size_t a = i - 1, b = n - 1; a < b; a++, b--) {
    swapped = order[a];
    order[a] = order[b];
    order[b] = swapped;
  }
  return true;
}

/* Number `which` of some that show what order matters to: the last first, then
 * each as the first. False: there are no more. */
static inline bool hd_order_some(uint32_t *order, size_t n, size_t which) {
  for (size_t i = 0; i < n; i++)
    order[i] = (uint32_t)(which ? (i + which) % n : n - 1 - i);
  return which < n;
}

/* Steps through the orders of n things: all of few, some of many. `which` counts
 * from 0, when `order` need not be set. */
static inline bool hd_order_step(uint32_t *order, size_t n, size_t which) {
  enum { FEW = 5 };
  if (n > FEW)
    return hd_order_some(order, n, which);
  if (which)
    return hd_order_next(order, n);
  for (size_t i = 0; i < n; i++)
    order[i] = (uint32_t)i;
  return true;
}

#endif
