/* SPDX-License-Identifier: MIT */
/* Shared by value.c, value_ops.c and value_refine.c. */
#ifndef HD_DOMAIN_VALUE_IMPL_H
#define HD_DOMAIN_VALUE_IMPL_H

#include "domain/value.h"

__extension__ typedef __int128 hd_wide;

/* Offsets are kept within ± this; further away nothing is known. */
#define HD_FAR ((int64_t)1 << 40)

/* Adds the integers lo … hi modulo 2^width. */
void hd_value_add_range(hd_value *v, uint8_t width, hd_wide lo, hd_wide hi);
void hd_value_add_ints(hd_value *v, uint8_t width, const hd_value *from);
void hd_value_add_target(hd_value *v, hd_pointee target);
/* Of two progressions that are `apart` together. */
uint32_t hd_value_stride(uint32_t a, uint32_t b, int64_t apart);
void hd_value_make_wild(hd_value *v);
/* The truth values that a comparison of two may have. */
hd_value hd_value_compare(hd_code_op op, uint8_t width, const hd_value *args);

typedef struct {
  hd_wide lo, hi;
} range;

typedef struct {
  hd_wide lo, hi;   /* signed view */
  hd_wide ulo, uhi; /* unsigned view */
} part;

/* The intervals of its integers, at most two. */
static inline int parts_of(const hd_value *v, uint8_t width, part out[2]) {
  int n = 0;
  hd_wide modulus = (hd_wide)1 << width;
  if (v->plo <= v->phi)
    out[n++] = (part){v->plo, v->phi, v->plo, v->phi};
  if (v->nlo <= v->nhi)
    out[n++] = (part){v->nlo, v->nhi, v->nlo + modulus, v->nhi + modulus};
  return n;
}

static inline hd_wide least(hd_wide a, hd_wide b) {
  return a < b ? a : b;
}
static inline hd_wide most(hd_wide a, hd_wide b) {
  return a > b ? a : b;
}

static inline bool has_address(const hd_value *v) {
  return v->wild || v->n_targets;
}

#endif
