/* SPDX-License-Identifier: MIT */
/* The set of configurations of a search: packed, interned, numbered in the
 * order of discovery.
 *
 * A packed configuration is a string of 7-bit groups (low group first, high bit
 * = more follow): the shared state; then for each token the distance to the
 * previous place (at least 1, counting from -1) and the count, 0 for HD_OMEGA;
 * then a 0. No packed configuration is a prefix of another. */
#ifndef HD_ENGINE_FWS_STORE_H
#define HD_ENGINE_FWS_STORE_H

#include "model/tokens.h"

#define FWS_NONE UINT32_MAX /* no configuration, no transition */

typedef hd_vec(uint8_t) fws_bytes;

/* A configuration under construction or unpacked. */
typedef struct {
  hd_shared_id shared;
  hd_token_vec tokens;
} fws_config;

typedef struct {
  uint32_t parent; /* FWS_NONE: initial */
  uint32_t trans;  /* that led here from the parent */
  uint32_t depth;  /* steps from an initial configuration */
  uint32_t where;  /* its record, in units of 4 bytes */
} fws_node;

typedef struct {
  hd_vec(fws_node) nodes;
  fws_bytes bytes; /* records: id (4 bytes), packed configuration, padding */
  uint64_t *slots; /* high half: hash; low half: record + 1, or 0 = free */
  size_t n_slots;  /* a power of two, at least 3/2 of the nodes */
} fws_store;

/* A packed configuration with its hash, bytes borrowed. */
typedef struct {
  const uint8_t *data;
  size_t size;
  uint32_t hash;
} fws_packed;

void hd_fws_store_init(fws_store *store);
void hd_fws_store_free(fws_store *store);

uint32_t hd_fws_hash(const uint8_t *data, size_t size);
static inline fws_packed hd_fws_packed(const fws_bytes *bytes) {
  return (fws_packed){.data = bytes->data,
                      .size = bytes->size,
                      .hash = hd_fws_hash(bytes->data, bytes->size)};
}

/* The id of the configuration, added as `node` (its `where` is filled in) if
 * it is new. False in *fresh when it was there. */
uint32_t hd_fws_store_put(fws_store *store, fws_packed packed, fws_node node,
                          bool *fresh);
/* The id, or FWS_NONE. */
uint32_t hd_fws_store_find(const fws_store *store, fws_packed packed);
/* Most of the time goes into waiting for memory. Who has several configurations
 * to put asks for all slots first, then for all records, then puts. */
static inline void hd_fws_store_fetch_slot(const fws_store *store,
                                           uint32_t hash) {
  __builtin_prefetch(&store->slots[hash & (store->n_slots - 1)]);
}
static inline void hd_fws_store_fetch_record(const fws_store *store,
                                             uint32_t hash) {
  uint64_t slot = store->slots[hash & (store->n_slots - 1)];
  if (slot >> 32 == hash && (uint32_t)slot)
    __builtin_prefetch(store->bytes.data + ((slot & UINT32_MAX) - 1) * 4);
}
/* Unpacks configuration `id` into `config`, whose memory is reused. */
void hd_fws_store_get(const fws_store *store, uint32_t id, fws_config *config);
/* Bytes held. */
size_t hd_fws_store_size(const fws_store *store);

/* Packing: room first, then the shared state, tokens by ascending place, and
 * the end. */
static inline uint8_t *hd_fws_pack_start(fws_bytes *out, size_t n_tokens) {
  hd_vec_reserve(out, 8 + 10 * n_tokens);
  return out->data;
}
static inline uint8_t *hd_fws_pack_number(uint8_t *at, uint32_t n) {
  for (; n >= 0x80; n >>= 7)
    *at++ = (uint8_t)(n | 0x80);
  *at++ = (uint8_t)n;
  return at;
}
static inline uint8_t *hd_fws_pack_token(uint8_t *at, hd_place_id *last,
                                         hd_place_id place, hd_count count) {
  assert(count && (*last == UINT32_MAX || place > *last));
  at = hd_fws_pack_number(at, place - *last);
  *last = place;
  return hd_fws_pack_number(at, count == HD_OMEGA ? 0 : count);
}
static inline void hd_fws_pack_end(fws_bytes *out, uint8_t *at) {
  *at++ = 0;
  out->size = (size_t)(at - out->data);
  assert(out->size <= out->cap);
}
void hd_fws_pack(fws_bytes *out, hd_shared_id shared, hd_tokens tokens);

#endif
