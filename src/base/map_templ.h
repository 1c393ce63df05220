/* SPDX-License-Identifier: MIT */
/* A map template: open addressing over an array kept in insertion order, so
 * that iteration never depends on hashes. Before each include define HD_MAP the
 * type's name, e.g. name_map HD_KEY        key type          HD_VAL value type
 *   HD_HASH(k)    uint64_t hash     HD_EQ(a, b)   equality
 * It declares `HD_MAP` with items[] {key, val}, size, and static functions
 *   HD_MAP_find (map, key) -> HD_VAL * or NULL
 *   HD_MAP_put (map, key, val, &fresh) -> HD_VAL *  (keeps an existing value)
 *   HD_MAP_free (map)
 * A zeroed HD_MAP is empty. Pointers to values are valid until the next put. */
#include "base/vec.h"

#include <string.h>

#define HD_CAT_(a, b) a##b
#define HD_CAT(a, b) HD_CAT_(a, b)
#define HD_FN(suffix) HD_CAT(HD_MAP, suffix)

typedef struct {
  HD_KEY key;
  HD_VAL val;
} HD_FN(_item);

typedef struct {
  HD_FN(_item) * items; /* in insertion order */
  size_t size, cap;
  uint32_t *slots; /* item index + 1, or 0 */
  size_t n_slots;  /* a power of two, more than twice `size` */
} HD_MAP;

__attribute__((unused)) static size_t HD_FN(_slot)(const HD_MAP *map,
                                                   HD_KEY key) {
  size_t at = (size_t)(HD_HASH(key)) & (map->n_slots - 1);
  while (map->slots[at] && !(HD_EQ(map->items[map->slots[at] - 1].key, key)))
    at = (at + 1) & (map->n_slots - 1);
  return at;
}

__attribute__((unused)) static HD_VAL *HD_FN(_find)(const HD_MAP *map,
                                                    HD_KEY key) {
  if (!map->n_slots)
    return NULL;
  uint32_t index = map->slots[HD_FN(_slot)(map, key)];
  return index ? &map->items[index - 1].val : NULL;
}

__attribute__((unused)) static void HD_FN(_rehash)(HD_MAP *map) {
  size_t n = map->n_slots ? map->n_slots * 2 : 16;
  hd_free(map->slots);
  map->slots = hd_calloc(n, sizeof *map->slots);
  map->n_slots = n;
  for (size_t i = 0; i < map->size; i++)
    map->slots[HD_FN(_slot)(map, map->items[i].key)] = (uint32_t)i + 1;
}

__attribute__((unused)) static HD_VAL *HD_FN(_put)(HD_MAP *map, HD_KEY key,
                                                   HD_VAL val, bool *fresh) {
  if (2 * (map->size + 1) >= map->n_slots)
    HD_FN(_rehash)(map);
  size_t at = HD_FN(_slot)(map, key);
  if (fresh)
    *fresh = !map->slots[at];
  if (!map->slots[at]) {
    if (map->size == map->cap)
      map->items = hd_vec_grow_(map->items, &map->cap, map->size + 1,
                                sizeof *map->items);
    map->items[map->size] = (HD_FN(_item)){.key = key, .val = val};
    map->slots[at] = (uint32_t)++map->size;
  }
  return &map->items[map->slots[at] - 1].val;
}

__attribute__((unused)) static void HD_FN(_free)(HD_MAP *map) {
  hd_free(map->items);
  hd_free(map->slots);
  *map = (HD_MAP){0};
}

#undef HD_FN
#undef HD_MAP
#undef HD_KEY
#undef HD_VAL
#undef HD_HASH
#undef HD_EQ
