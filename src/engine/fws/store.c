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

uint32_t hd_fws_hash(const uint8_t *data, size_t size) {
  uint64_t h = size, word;
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    memcpy(&word, data + i, 8);
    h = hd_hash_mix(h, word);
  }
  if (i < size) {
    word = 0;
    memcpy(&word, data + i, size - i);
    h = hd_hash_mix(h, word);
  }
  h *= 0xFF51AFD7ED558CCDu;
  return (uint32_t)(h >> 32);
}

enum { ID_BYTES = 4 };

static bool same(const fws_store *store, uint64_t slot, fws_packed packed) {
  size_t at = ((slot & UINT32_MAX) - 1) * 4 + ID_BYTES;
  return packed.size <= store->bytes.size - at &&
         !memcmp(store->bytes.data + at, packed.data, packed.size);
}

static uint32_t id_in(const fws_store *store, uint64_t slot) {
  uint32_t id;
  memcpy(&id, store->bytes.data + ((slot & UINT32_MAX) - 1) * 4, ID_BYTES);
  assert(id < store->nodes.size);
  assert(store->nodes.data[id].where == (slot & UINT32_MAX) - 1);
  return id;
}

/* The slot that holds the packed configuration, or the free one for it. */
static size_t slot_of(const fws_store *store, fws_packed packed) {
  size_t mask = store->n_slots - 1, at = packed.hash & mask;
  for (; store->slots[at]; at = (at + 1) & mask)
    if (store->slots[at] >> 32 == packed.hash &&
        same(store, store->slots[at], packed))
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

uint32_t hd_fws_store_put(fws_store *store, fws_packed packed, fws_node node,
                          bool *fresh) {
  assert(packed.size > 1 && !packed.data[packed.size - 1]);
  assert(packed.hash == hd_fws_hash(packed.data, packed.size));
  size_t at = slot_of(store, packed);
  *fresh = !store->slots[at];
  if (!*fresh)
    return id_in(store, store->slots[at]);
  uint32_t id = (uint32_t)store->nodes.size;
  if (store->nodes.size >= UINT32_MAX - 1 ||
      store->bytes.size / 4 >= UINT32_MAX - 1)
    hd_out_of_memory(store->bytes.size);
  node.where = (uint32_t)(store->bytes.size / 4);
  hd_vec_push(&store->nodes, node);
  size_t body = store->bytes.size + ID_BYTES, end = body + packed.size;
  size_t padded = (end + 3) & ~(size_t)3;
  hd_vec_reserve(&store->bytes, padded);
  memcpy(store->bytes.data + store->bytes.size, &id, ID_BYTES);
  memcpy(store->bytes.data + body, packed.data, packed.size);
  memset(store->bytes.data + end, 0, padded - end);
  store->bytes.size = padded;
  assert(store->bytes.size % 4 == 0);
  store->slots[at] = (uint64_t)packed.hash << 32 | (node.where + 1);
  if (store->nodes.size * 3 > store->n_slots * 2)
    rehash(store);
  return id;
}

uint32_t hd_fws_store_find(const fws_store *store, fws_packed packed) {
  size_t at = slot_of(store, packed);
  return store->slots[at] ? id_in(store, store->slots[at]) : FWS_NONE;
}

static uint32_t unpack_number(const uint8_t **at) {
  uint32_t n = 0, shift = 0, byte;
  do {
    byte = *(*at)++;
    n |= (byte & 0x7F) << shift;
    shift += 7;
    assert(shift <= 35);
  } while (byte & 0x80);
  return n;
}

void hd_fws_store_get(const fws_store *store, uint32_t id, fws_config *config) {
  assert(id < store->nodes.size);
  const uint8_t *at =
      store->bytes.data + (size_t)store->nodes.data[id].where * 4 + ID_BYTES;
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
  hd_place_id last = UINT32_MAX;
  uint8_t *at = hd_fws_pack_start(out, tokens.size);
  at = hd_fws_pack_number(at, shared);
  for (size_t i = 0; i < tokens.size; i++)
    at = hd_fws_pack_token(at, &last, tokens.data[i].place,
                           tokens.data[i].count);
  hd_fws_pack_end(out, at);
}
