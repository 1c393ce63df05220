/* SPDX-License-Identifier: MIT */
/* Sparse vectors of token counts: entries sorted by place, counts above zero.
 * A multiset of local states is the same thing with places for locals.
 *
 * A count is finite (at most HD_COUNT_MAX) or HD_OMEGA, "arbitrarily many";
 * arithmetic saturates to HD_OMEGA only where a function says so. */
#ifndef HD_MODEL_TOKENS_H
#define HD_MODEL_TOKENS_H

#include "base/vec.h"

typedef uint32_t hd_place_id;  /* a place of a net, a local state of a thread */
typedef uint32_t hd_shared_id; /* a shared state; plain nets have only one, 0 */
typedef uint32_t hd_trans_id;
typedef uint32_t hd_count;

#define HD_OMEGA UINT32_MAX
#define HD_COUNT_MAX (UINT32_MAX / 4)

typedef struct {
  hd_place_id place;
  hd_count count;
} hd_token;

/* A borrowed view of a sorted vector. */
typedef struct {
  const hd_token *data;
  size_t size;
} hd_tokens;

/* A vector under construction; sorted once hd_token_vec_normalise was called or
 * when built in order. */
typedef hd_vec(hd_token) hd_token_vec;

static inline hd_tokens hd_token_vec_view(const hd_token_vec *v) {
  return (hd_tokens){.data = v->data, .size = v->size};
}

/* a + b; HD_OMEGA when either is, or when the sum passes HD_COUNT_MAX: callers
 * that need exact sums test for that with hd_count_fits. */
static inline hd_count hd_count_add(hd_count a, hd_count b) {
  if (a == HD_OMEGA || b == HD_OMEGA || a + b > HD_COUNT_MAX)
    return HD_OMEGA;
  return a + b;
}

/* a - b for b <= a, b finite; omega stays omega. */
static inline hd_count hd_count_sub(hd_count a, hd_count b) {
  assert(b != HD_OMEGA && a >= b);
  return a == HD_OMEGA ? HD_OMEGA : a - b;
}

/* Sorts, adds up entries of one place and drops zeroes. False, leaving the
 * vector sorted, when a sum passes HD_COUNT_MAX. */
HD_MUST_USE bool hd_token_vec_normalise(hd_token_vec *v);

/* large >= small at every place (HD_OMEGA is the largest count). */
bool hd_tokens_covers(hd_tokens large, hd_tokens small);
bool hd_tokens_equal(hd_tokens a, hd_tokens b);
/* The count at `place`, 0 where there is no entry. */
hd_count hd_tokens_at(hd_tokens v, hd_place_id place);
/* The sum of all counts, saturating to HD_OMEGA. */
hd_count hd_tokens_total(hd_tokens v);
/* One bit a place (hashed to 64): small <= large implies
 * signature(small) & ~signature(large) == 0. */
uint64_t hd_tokens_signature(hd_tokens v);
uint64_t hd_tokens_hash(hd_tokens v);

#endif
