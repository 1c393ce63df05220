/* SPDX-License-Identifier: MIT */
/* Shared by value.c and value_ops.c. */
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

#endif
