/* SPDX-License-Identifier: MIT */
/* Accelerations: loops that may be repeated for ever, remembered and fired as
 * transitions that put omega into places (Finkel, Haddad, Khmelnitsky: Minimal
 * coverability tree construction made complete and efficient, FoSSaCS 2020).
 *
 * An acceleration belongs to a shared state and has
 *   pre   what must be there; HD_OMEGA where each round takes more than it
 *         gives,
 *   gain  the places that get omega,
 *   body  the round itself: steps, each a transition or an earlier
 *         acceleration.
 * It is enabled in every configuration of its shared state above `pre`, not
 * only where it was found.
 *
 * Invariant A1: for a configuration C above `pre` and any number k there are
 * pump counts for the accelerations in the body and a number of rounds such
 * that from a configuration below C one below C again is reached, with at least
 * k tokens in each place of `gain`. witness.c computes these numbers. */
#ifndef HD_ENGINE_KM_ACCEL_H
#define HD_ENGINE_KM_ACCEL_H

#include "engine/km/store.h"
#include "engine/km/system.h"

/* A step is the index of a hd_km_trans, or an acceleration with this bit. */
#define HD_KM_ACCEL ((uint32_t)1 << 31)

typedef struct {
  hd_shared_id shared;
  hd_range pre;  /* into pre: sorted, counts may be HD_OMEGA */
  hd_range gain; /* into gain: sorted places; also into first, sum */
  hd_range body; /* into body: the *last* step first */
} hd_km_accel;

/* Workspace: one entry a place, all zero between calls. */
typedef struct {
  uint64_t need; /* before the steps seen so far; UINT64_MAX: omega */
  int64_t sum;   /* of changes */
  bool touched;
  uint32_t pumped; /* by an acceleration, the one at this index of the body + 1
                      (the last such in that order); 0: by none */
} hd_km_effect;

typedef struct {
  const hd_km_system *system;
  hd_vec(hd_km_accel) list;
  hd_token_vec pre;
  hd_u32s gain, body;
  /* For each gain: `pumped` of hd_km_effect, and where that is 0, how much one
   * round gives. */
  hd_u32s first, sum;
  hd_u32s *of_shared; /* ids, oldest first */
  hd_km_effect *effects;
  hd_u32s touched;
} hd_km_accels;

void hd_km_accels_init(hd_km_accels *accels, const hd_km_system *system);
void hd_km_accels_free(hd_km_accels *accels);
/* After the system has grown from so many shared states and places. */
void hd_km_accels_grow(hd_km_accels *accels, uint32_t n_shared,
                       uint32_t n_places);

/* Fires remembered accelerations on `label` until none adds anything; the ids
 * are appended to `fired`. True when there was one. */
bool hd_km_accels_saturate(hd_km_accels *accels, hd_km_store *store,
                           hd_km_label *label, hd_u32s *fired);
/* Remembers the loop `body` (last step first) at `shared`, which leads from
 * some configuration to a strictly larger one. HD_KM_NONE when a count passes
 * HD_COUNT_MAX. */
uint32_t hd_km_accels_learn(hd_km_accels *accels, hd_shared_id shared,
                            const hd_u32s *body);
/* Fires acceleration `id`, which must be enabled in `label`. */
void hd_km_accels_fire(hd_km_accels *accels, hd_km_store *store,
                       hd_km_label *label, uint32_t id);

static inline hd_tokens hd_km_accel_pre(const hd_km_accels *accels,
                                        const hd_km_accel *a) {
  return (hd_tokens){.data =
                         a->pre.size ? accels->pre.data + a->pre.start : NULL,
                     .size = a->pre.size};
}

#endif
