/* SPDX-License-Identifier: MIT */
#include "engine/explore/pool.h"

#include "base/hash.h"

#include <string.h>

#define BLOCK 64u

void hd_pool_free(hd_pool *pool) {
  hd_arena_free(&pool->arena);
  hd_vec_free(&pool->items);
  hd_free(pool->slots);
  *pool = (hd_pool){0};
}

static uint32_t hash_of(const uint8_t *bytes, size_t size) {
  uint64_t h = size;
  for (; size >= 8; bytes += 8, size -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    h = hd_hash_mix(h, word);
  }
  uint64_t word = 0;
  memcpy(&word, bytes, size);
  h = hd_hash_mix(h, word);
  return (uint32_t)(h ^ h >> 32);
}

static void grow(hd_pool *pool) {
  pool->n_slots = pool->n_slots ? pool->n_slots * 2 : 64;
  assert(!(pool->n_slots & (pool->n_slots - 1))); /* a power of two */
  hd_free(pool->slots);
  pool->slots = hd_calloc(pool->n_slots, sizeof *pool->slots);
  for (size_t i = 0; i < pool->items.size; i++) {
    size_t at = pool->items.data[i].hash & (pool->n_slots - 1);
    while (pool->slots[at])
      at = (at + 1) & (pool->n_slots - 1);
    pool->slots[at] = (uint32_t)i + 1;
  }
}

static bool is(const hd_pool_item *item, const void *bytes, size_t size,
               uint32_t hash) {
  return item->hash == hash && item->size == size &&
         (!size || !memcmp(item->bytes, bytes, size));
}

uint32_t hd_pool_put(hd_pool *pool, const void *bytes, size_t size,
                     bool *fresh) {
  assert(size < UINT32_MAX && pool->items.size < UINT32_MAX - 1);
  if (2 * (pool->items.size + 1) > pool->n_slots)
    grow(pool);
  uint32_t hash = hash_of(bytes, size);
  size_t at = hash & (pool->n_slots - 1);
  while (pool->slots[at] &&
         !is(&pool->items.data[pool->slots[at] - 1], bytes, size, hash))
    at = (at + 1) & (pool->n_slots - 1);
  if (fresh)
    *fresh = !pool->slots[at];
  if (pool->slots[at])
    return pool->slots[at] - 1;
  assert(pool->items.size < pool->n_slots); /* it is never full */
  uint8_t *copy = hd_arena_alloc(&pool->arena, size ? size : 1);
  if (size)
    memcpy(copy, bytes, size);
  pool->bytes += size;
  hd_pool_item item = {.bytes = copy, .size = (uint32_t)size, .hash = hash};
  hd_vec_push(&pool->items, item);
  pool->slots[at] = (uint32_t)pool->items.size;
  return (uint32_t)pool->items.size - 1;
}

void hd_states_free(hd_states *states) {
  hd_pool_free(&states->blocks);
  hd_pool_free(&states->states);
  hd_vec_free(&states->scratch);
}

uint32_t hd_states_put(hd_states *states, const uint8_t *bytes, size_t size,
                       bool *fresh) {
  assert(size < UINT32_MAX);
  hd_vec_clear(&states->scratch);
  hd_vec_push(&states->scratch, (uint32_t)size);
  for (size_t at = 0; at < size; at += BLOCK) {
    size_t part = size - at < BLOCK ? size - at : BLOCK;
    uint32_t block = hd_pool_put(&states->blocks, bytes + at, part, NULL);
    hd_vec_push(&states->scratch, block);
  }
  return hd_pool_put(&states->states, states->scratch.data,
                     states->scratch.size * sizeof(uint32_t), fresh);
}
