/* SPDX-License-Identifier: MIT */
/* Terms as sums: a constant and factors times atoms, which are variables and
 * whatever is not linear. The value of an atom is a number from 0 to 2^width - 1;
 * a sum is equal to its term modulo 2^bits. */
#ifndef HD_ENGINE_PAIRS_LINEAR_H
#define HD_ENGINE_PAIRS_LINEAR_H

#include "engine/pairs/term.h"

typedef struct {
  pterm atom;
  int64_t factor; /* not 0 */
} ppart;

/* All zero is 0, exactly. */
typedef struct {
  hd_vec(ppart) parts; /* each atom once */
  int64_t constant;
  uint8_t less; /* bits = 64 - less */
} plinear;

static inline uint8_t hd_pairs_linear_bits(const plinear *a) {
  return (uint8_t)(64 - a->less);
}

void hd_pairs_linear_free(plinear *a);
/* a += factor * b, modulo the fewer bits of both. False: numbers are too large,
 * and `a` is of no use any more. */
HD_MUST_USE bool hd_pairs_linear_add(plinear *a, const plinear *b,
                                     int64_t factor);
/* The sum of a term, into `out`, which is all zero. */
void hd_pairs_linear_of(pterms *t, pterm a, plinear *out);

/* out += a * b, likewise; products of atoms are atoms. */
HD_MUST_USE bool hd_pairs_linear_times(pterms *t, const plinear *a,
                                       const plinear *b, plinear *out);

/* The product of two terms as an atom, whatever `out` was. */
void hd_pairs_linear_product(pterms *t, pterm a, pterm b, plinear *out);

/* What is known to be equal, as replacements for atoms. All zero: nothing. */
typedef struct {
  pterm atom;
  plinear by;
} preplacement;
typedef hd_vec(preplacement) preplacements;

/* Adds what the condition, of one bit, says if it holds. False: it cannot hold
 * with what is known. */
HD_MUST_USE bool hd_pairs_learn(pterms *t, pterm condition,
                                preplacements *known);
/* Replaces atoms in `a`. False: numbers are too large. */
HD_MUST_USE bool hd_pairs_replace(const preplacements *known, plinear *a);
void hd_pairs_replacements_free(preplacements *known);

#endif
