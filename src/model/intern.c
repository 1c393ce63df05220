/* SPDX-License-Identifier: MIT */
#include "model/intern.h"

#include "base/hash.h"

#include <string.h>

void hd_intern_init(hd_intern *t, size_t words) {
  *t = (hd_intern){.words = words, .n_slots = 64};
  t->slots = hd_calloc(t->n_slots, sizeof *t->slots);
}

void hd_intern_free(hd_intern *t) {
  hd_vec_free(&t->pool);
  hd_free(t->slots);
}

static uint64_t hash_words(const uint64_t *words, size_t n) {
  uint64_t h = n;
  for (size_t i = 0; i < n; i++)
    h = hd_hash_mix(h, words[i]);
  return h ^ h >> 32;
}

static size_t find_slot(const hd_intern *t, const uint64_t *words) {
  size_t at = hash_words(words, t->words) & (t->n_slots - 1);
  while (t->slots[at] && memcmp(hd_intern_at(t, t->slots[at] - 1), words,
                                t->words * sizeof *words) != 0)
    at = (at + 1) & (t->n_slots - 1);
  return at;
}

static void grow(hd_intern *t) {
  hd_free(t->slots);
  t->n_slots *= 2;
  t->slots = hd_calloc(t->n_slots, sizeof *t->slots);
  for (uint32_t id = 0; id < t->size; id++)
    t->slots[find_slot(t, hd_intern_at(t, id))] = id + 1;
}

uint32_t hd_intern_put(hd_intern *t, const uint64_t *words) {
  if (2 * (t->size + 1) >= t->n_slots)
    grow(t);
  size_t at = find_slot(t, words);
  if (!t->slots[at]) {
    if (t->size >= UINT32_MAX - 1)
      hd_out_of_memory(t->size);
    for (size_t i = 0; i < t->words; i++)
      hd_vec_push(&t->pool, words[i]);
    t->slots[at] = (uint32_t)++t->size;
  }
  return t->slots[at] - 1;
}
