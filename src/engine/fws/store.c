/* SPDX-License-Identifier: MIT */
/* Profile: a search generates five to twenty configurations for each it keeps,
 * so hd_fws_store_put mostly finds. The hash kept in the slot makes a look at
 * the packed bytes of another configuration rare, and rehashing needs none. */
#include "engine/fws/store.h"

#include "base/hash.h"

#include <string.h>

void hd_fws_store_init(fws_store *store) {
  *store = (fws_store){.n_slots = 1024};
  store->slots = hd_calloc(store->n_slots, sizeof *store->slots);
}

void hd_fws_store_free(fws_store *store) {
  hd_vec_free(&store->nodes);
  hd_vec_free(&store->bytes);
  hd_free(store->slots);
  *store = (fws_store){0};
}

static uint32_t hash_packed(const fws_bytes *bytes) {
  uint64_t h = bytes->size, word;
  size_t i = 0;
  for (; i + 8 <= bytes->size; i += 8) {
    memcpy(&word, bytes->data + i, 8);
    h = hd_hash_mix(h, word);
  }
  if (i < bytes->size) {
    word = 0;
    memcpy(&word, bytes->data + i, bytes->size - i);
    h = hd_hash_mix(h, word);
  }
  h *= 0xFF51AFD7ED558CCDu;
  return (uint32_t)(h >> 32);
}

static bool same(const fws_store *store, uint32_t id, const fws_bytes *bytes) {
  size_t at = (size_t)store->nodes.data[id].where * 4;
  return bytes->size <= store->bytes.size - at &&
         !memcmp(store->bytes.data + at, bytes->data, bytes->size);
}

/* The slot that holds the packed configuration, or the free one for it. */
static size_t slot_of(const fws_store *store, const fws_bytes *bytes,
                      uint32_t hash) {
  size_t mask = store->n_slots - 1, at = hash & mask;
  for (; store->slots[at]; at = (at + 1) & mask)
    if (store->slots[at] >> 32 == hash &&
        same(store, (uint32_t)store->slots[at] - 1, bytes))
      break;
  return at;
}

static void rehash(fws_store *store) {
  size_t n = store->n_slots * 2;
  uint64_t *slots = hd_calloc(n, sizeof *slots);
  for (size_t i = 0; i < store->n_slots; i++) {
    uint64_t slot = store->slots[i];
    if (!slot)
      continue;
    size_t at = (size_t)(slot >> 32) & (n - 1);
    while (slots[at])
      at = (at + 1) & (n - 1);
    slots[at] = slot;
  }
  hd_free(store->slots);
  store->slots = slots;
  store->n_slots = n;
}

uint32_t hd_fws_store_put(fws_store *store, const fws_bytes *bytes,
                          fws_node node, bool *fresh) {
  uint32_t hash = hash_packed(bytes);
  size_t at = slot_of(store, bytes, hash);
  *fresh = !store->slots[at];
  if (!*fresh)
    return (uint32_t)store->slots[at] - 1;
  uint32_t id = (uint32_t)store->nodes.size;
  if (store->nodes.size >= UINT32_MAX - 1 ||
      store->bytes.size / 4 >= UINT32_MAX - 1)
    hd_out_of_memory(store->bytes.size);
  node.where = (uint32_t)(store->bytes.size / 4);
  hd_vec_push(&store->nodes, node);
  size_t end = store->bytes.size + bytes->size, padded = (end + 3) & ~(size_t)3;
  hd_vec_reserve(&store->bytes, padded);
  memcpy(store->bytes.data + store->bytes.size, bytes->data, bytes->size);
  memset(store->bytes.data + end, 0, padded - end);
  store->bytes.size = padded;
  store->slots[at] = (uint64_t)hash << 32 | (id + 1);
  if (store->nodes.size * 3 > store->n_slots * 2)
    rehash(store);
  return id;
}

uint32_t hd_fws_store_find(const fws_store *store, const fws_bytes *bytes) {
  size_t at = slot_of(store, bytes, hash_packed(bytes));
  return store->slots[at] ? (uint32_t)store->slots[at] - 1 : FWS_NONE;
}

static uint32_t unpack_number(const uint8_t **at) {
  uint32_t n = 0, shift = 0, byte;
  do {
    byte = *(*at)++;
    n |= (byte & 0x7F) << shift;
    shift += 7;
  } while (byte & 0x80);
  return n;
}

void hd_fws_store_get(const fws_store *store, uint32_t id, fws_config *config) {
  assert(id < store->nodes.size);
  const uint8_t *at =
      store->bytes.data + (size_t)store->nodes.data[id].where * 4;
  config->shared = unpack_number(&at);
  hd_vec_clear(&config->tokens);
  hd_place_id place = UINT32_MAX;
  for (uint32_t step; (step = unpack_number(&at)) != 0;) {
    place += step;
    uint32_t count = unpack_number(&at);
    hd_token token = {.place = place, .count = count ? count : HD_OMEGA};
    hd_vec_push(&config->tokens, token);
  }
}

size_t hd_fws_store_size(const fws_store *store) {
  return store->nodes.cap * sizeof *store->nodes.data + store->bytes.cap +
         store->n_slots * sizeof *store->slots;
}

void hd_fws_pack(fws_bytes *out, hd_shared_id shared, hd_tokens tokens) {
  hd_vec_clear(out);
  hd_fws_pack_number(out, shared);
  hd_place_id last = UINT32_MAX;
  for (size_t i = 0; i < tokens.size; i++)
    hd_fws_pack_token(out, &last, tokens.data[i].place, tokens.data[i].count);
  hd_fws_pack_number(out, 0);
}
