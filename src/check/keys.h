/* SPDX-License-Identifier: MIT */
/* Transitions by a shared state and a place, so that a judge looks only at those
 * that have to do with a place of the configuration at hand. */
#ifndef HD_CHECK_KEYS_H
#define HD_CHECK_KEYS_H

#include "model/net.h"

/* The place of transitions that have to be looked at in any case. */
#define HD_NO_PLACE UINT32_MAX

typedef struct {
  hd_shared_id shared;
  hd_place_id place;
  hd_trans_id trans;
} hd_key;

typedef hd_vec(hd_key) hd_keys;

/* To be called once all keys have been added. */
void hd_keys_sort(hd_keys *keys);
/* The first key with this shared state and place; those that follow it are next
 * to it. hd_keys_has says whether `index` is still one of them. */
size_t hd_keys_first(const hd_keys *keys, hd_shared_id s, hd_place_id place);
static inline bool hd_keys_has(const hd_keys *keys, size_t index,
                               hd_shared_id s, hd_place_id place) {
  return index < keys->size && keys->data[index].shared == s &&
         keys->data[index].place == place;
}

#endif
