/* SPDX-License-Identifier: MIT */
/* Byte strings, numbered in the order they first occur: equal strings, equal
 * number, compared byte by byte. Long strings that differ little take little
 * room: hd_states cuts them into blocks and keeps each block once. */
#ifndef HD_ENGINE_EXPLORE_POOL_H
#define HD_ENGINE_EXPLORE_POOL_H

#include "base/arena.h"
#include "base/vec.h"

typedef struct {
  const uint8_t *bytes;
  uint32_t size, hash;
} hd_pool_item;

/* All zero is an empty pool. */
typedef struct {
  hd_arena arena;
  hd_vec(hd_pool_item) items;
  uint32_t *slots; /* number + 1, or 0 */
  size_t n_slots;  /* a power of two, more than the items */
  size_t bytes;    /* kept */
} hd_pool;

void hd_pool_free(hd_pool *pool);
/* The number of the string; `fresh` (may be NULL) tells whether it is new. */
uint32_t hd_pool_put(hd_pool *pool, const void *bytes, size_t size,
                     bool *fresh);

typedef struct {
  hd_pool blocks;
  hd_pool states; /* length, then the numbers of the blocks */
  hd_u32s scratch;
} hd_states;

void hd_states_free(hd_states *states);
uint32_t hd_states_put(hd_states *states, const uint8_t *bytes, size_t size,
                       bool *fresh);

#endif
