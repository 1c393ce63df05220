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
  uint32_t where;  /* of the packed bytes, in units of 4 */
} fws_node;

typedef struct {
  hd_vec(fws_node) nodes;
  fws_bytes bytes;
  uint64_t *slots; /* high half: hash; low half: id + 1, or 0 = free */
  size_t n_slots;  /* a power of two, at least 3/2 of the nodes */
} fws_store;

void hd_fws_store_init(fws_store *store);
void hd_fws_store_free(fws_store *store);

/* The id of the configuration packed in `bytes`, added as `node` (its `where`
 * is filled in) if it is new. False in *fresh when it was there. */
uint32_t hd_fws_store_put(fws_store *store, const fws_bytes *bytes,
                          fws_node node, bool *fresh);
/* The id, or FWS_NONE. */
uint32_t hd_fws_store_find(const fws_store *store, const fws_bytes *bytes);
/* Unpacks configuration `id` into `config`, whose memory is reused. */
void hd_fws_store_get(const fws_store *store, uint32_t id, fws_config *config);
/* Bytes held. */
size_t hd_fws_store_size(const fws_store *store);

/* Packing: start with the shared state, then tokens by ascending place. */
static inline void hd_fws_pack_number(fws_bytes *out, uint32_t n) {
  hd_vec_reserve(out, out->size + 5);
  uint8_t *at = out->data + out->size;
  for (; n >= 0x80; n >>= 7)
    *at++ = (uint8_t)(n | 0x80);
  *at++ = (uint8_t)n;
  out->size = (size_t)(at - out->data);
}
static inline void hd_fws_pack_token(fws_bytes *out, hd_place_id *last,
                                     hd_place_id place, hd_count count) {
  assert(count && (*last == UINT32_MAX || place > *last));
  hd_fws_pack_number(out, place - *last);
  hd_fws_pack_number(out, count == HD_OMEGA ? 0 : count);
  *last = place;
}
void hd_fws_pack(fws_bytes *out, hd_shared_id shared, hd_tokens tokens);

#endif
