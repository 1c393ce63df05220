/* SPDX-License-Identifier: MIT */
/* Which vectors of whole numbers are orthogonal to all rows of a matrix? Rows
 * come one after the other, sparse; they are eliminated modulo a prime of 61
 * bits, so what comes out is a guess that is right unless the prime divides
 * something by accident: who needs to be sure multiplies. */
#ifndef HD_SOLVE_NULL_SPACE_H
#define HD_SOLVE_NULL_SPACE_H

#include "base/common.h"

typedef struct hd_null_space hd_null_space;

typedef struct {
  uint32_t column;
  int64_t value; /* less than 2^60 in size */
} hd_null_entry;

hd_null_space *hd_null_space_new(uint32_t n_columns);
void hd_null_space_delete(hd_null_space *space);
/* A column may come several times: its values are added. */
void hd_null_space_row(hd_null_space *space, const hd_null_entry *entries,
                       size_t n);
/* Columns that the rows do not determine: each is 1 in a vector of a basis (times
 * a factor that makes it whole), and 0 in the others. */
size_t hd_null_space_dimension(const hd_null_space *space);
/* Vector `index` of that basis, into `out`, `n_columns` long. False when it has no
 * small whole numbers. */
HD_MUST_USE bool hd_null_space_vector(const hd_null_space *space, size_t index,
                                      int64_t *out);

#endif
