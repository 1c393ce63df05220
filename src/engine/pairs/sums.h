/* SPDX-License-Identifier: MIT */
/* Sums over all threads that no step changes.
 *
 * A thread stands at a *spot*: a place, or the end of its kind, where it is from
 * its end until it is joined. An invariant gives each spot a number, and factors
 * for the variables of a thread there; main's spots also have factors for the
 * shared variables. The sum over all threads of what their spots give them is
 * always `total`, modulo 2^bits. So `lock` is the number of threads in the
 * critical section, `count` is what those who are inside, those who have ended and
 * those who were joined have added, and as many are alive as main has created and
 * not joined.
 *
 * They are the vectors that are orthogonal to what the steps change: linear
 * algebra, without a search. What is known about single threads (facts) makes
 * steps linear that are not by themselves: `count = seen + 1` where `seen ==
 * count`. It is the place invariants of Petri nets, with data in the tokens. */
#ifndef HD_ENGINE_PAIRS_SUMS_H
#define HD_ENGINE_PAIRS_SUMS_H

#include "engine/pairs/system.h"

typedef struct {
  int64_t *factors; /* a column each */
  uint8_t bits;
  uint64_t total;
} pinvariant;

typedef hd_vec(pterm) pconditions;

/* Scales: shared variables that nobody changes once there are other threads than
 * main. A spot may count for so much, and main's variables may count that often:
 * threads that each count to `k` and have ended are k × how many they are. */
enum { SCALES_MOST = 2 };

typedef struct {
  const psystem *s;
  uint32_t scales[SCALES_MOST], n_scales; /* shared variables */
  uint32_t n_spots;
  uint32_t *columns; /* of (spot, what); HD_NO_ID = none */
  uint32_t n_columns;
  hd_vec(pinvariant) found;
} psums;

/* Where a thread of `kind` is that has ended. */
static inline uint32_t hd_pairs_end_of(const psystem *s, uint32_t kind) {
  return (uint32_t)s->places.size + kind;
}
static inline uint32_t hd_pairs_kind_at(const psystem *s, uint32_t spot) {
  return spot < s->places.size ? s->places.data[spot].kind
                               : spot - (uint32_t)s->places.size;
}
/* The spot behind a step that does not fail. */
uint32_t hd_pairs_spot_behind(const psystem *s, const pstep *step);

/* What holds of a thread at a spot (OF_FIRST) and the shared variables, and what
 * holds besides when a step is made. */
typedef struct {
  pconditions *at, *before; /* a spot each, a step each; NULL = nothing */
} pfacts;

/* `sums` is all zero, or of an earlier call with the same system. */
void hd_pairs_sums_find(const psystem *s, const pfacts *facts, hd_run *run,
                        psums *sums);
void hd_pairs_sums_free(psums *sums);

/* Can a thread be there? */
bool hd_pairs_spot_used(const psums *sums, uint32_t spot);
/* The factor of: 1, a variable of the thread, a shared variable. */
int64_t hd_pairs_factor_one(const psums *sums, const pinvariant *i,
                            uint32_t spot);
int64_t hd_pairs_factor_own(const psums *sums, const pinvariant *i,
                            uint32_t spot, uint32_t local);
/* … times a scale. */
int64_t hd_pairs_factor_scaled_one(const psums *sums, const pinvariant *i,
                                   uint32_t spot, uint32_t scale);
int64_t hd_pairs_factor_scaled_own(const psums *sums, const pinvariant *i,
                                   uint32_t spot, uint32_t scale,
                                   uint32_t local);
int64_t hd_pairs_factor_shared(const psums *sums, const pinvariant *i,
                               uint32_t spot, uint32_t shared);

#endif
