/* SPDX-License-Identifier: MIT */
#include "check/keys.h"

#include <stdlib.h>

static int compare(const void *left, const void *right) {
  const hd_key *a = left, *b = right;
  if (a->shared != b->shared)
    return a->shared < b->shared ? -1 : 1;
  if (a->place != b->place)
    return a->place < b->place ? -1 : 1;
  return (a->trans > b->trans) - (a->trans < b->trans);
}

void hd_keys_sort(hd_keys *keys) {
  if (keys->size > 1)
    qsort(keys->data, keys->size, sizeof *keys->data, compare);
}

size_t hd_keys_first(const hd_keys *keys, hd_shared_id s, hd_place_id place) {
  hd_key key = {.shared = s, .place = place};
  size_t low = 0, high = keys->size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare(&keys->data[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
