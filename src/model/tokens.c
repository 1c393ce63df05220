/* SPDX-License-Identifier: MIT */
#include "model/tokens.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b) {
  hd_place_id p = ((const hd_token *)a)->place;
  hd_place_id q = ((const hd_token *)b)->place;
  return (p > q) - (p < q);
}

bool hd_token_vec_normalise(hd_token_vec *v) {
  if (v->size > 1)
    qsort(v->data, v->size, sizeof *v->data, by_place);
  bool fits = true;
  size_t kept = 0;
  for (size_t i = 0; i < v->size; i++) {
    hd_token t = v->data[i];
    if (kept && v->data[kept - 1].place == t.place) {
      hd_count *sum = &v->data[kept - 1].count;
      bool omega = *sum == HD_OMEGA || t.count == HD_OMEGA;
      *sum = hd_count_add(*sum, t.count);
      fits = fits && (omega || *sum != HD_OMEGA);
    } else {
      fits = fits && (t.count == HD_OMEGA || t.count <= HD_COUNT_MAX);
      v->data[kept++] = t;
    }
    if (!v->data[kept - 1].count)
      kept--;
  }
  v->size = kept;
  return fits;
}

bool hd_tokens_covers(hd_tokens large, hd_tokens small) {
  if (small.size > large.size)
    return false;
  size_t j = 0;
  for (size_t i = 0; i < small.size; i++) {
    hd_token t = small.data[i];
    while (j < large.size && large.data[j].place < t.place)
      j++;
    if (j == large.size || large.data[j].place != t.place ||
        large.data[j].count < t.count)
      return false;
    j++;
  }
  return true;
}

bool hd_tokens_equal(hd_tokens a, hd_tokens b) {
  return a.size == b.size &&
         (!a.size || !memcmp(a.data, b.data, a.size * sizeof *a.data));
}

hd_count hd_tokens_at(hd_tokens v, hd_place_id place) {
  size_t low = 0, high = v.size;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (v.data[mid].place < place)
      low = mid + 1;
    else
      high = mid;
  }
  return low < v.size && v.data[low].place == place ? v.data[low].count : 0;
}

hd_count hd_tokens_total(hd_tokens v) {
  hd_count sum = 0;
  for (size_t i = 0; i < v.size; i++)
    sum = hd_count_add(sum, v.data[i].count);
  return sum;
}

uint64_t hd_tokens_signature(hd_tokens v) {
  uint64_t bits = 0;
  for (size_t i = 0; i < v.size; i++)
    bits |= (uint64_t)1 << (v.data[i].place * 0x9E3779B1u >> 26);
  return bits;
}

uint64_t hd_tokens_hash(hd_tokens v) {
  uint64_t h = v.size;
  for (size_t i = 0; i < v.size; i++)
    h = hd_hash_mix(h, (uint64_t)v.data[i].place << 32 | v.data[i].count);
  return h;
}
