/* SPDX-License-Identifier: MIT */
/* Counting threads up to a small number: 0, 1, …, most, many; and loops that may be
 * repeated.
 *
 * The equation forgets order, T forgets numbers. What a single thread can do
 * only once lies between them: after it has left a place the place is empty,
 * which T does not see, and it cannot come back to where it was, which the
 * equation gets round by loops that are never entered. This abstraction knows
 * both, for small numbers, and nothing else. It often has few configurations
 * where there are many places with "any number". */
#ifndef HD_ENGINE_TSE_SATURATE_H
#define HD_ENGINE_TSE_SATURATE_H

#include "base/run.h"
#include "model/evidence.h"

/* At most one of them; the caller's. */
typedef struct {
  hd_cert *cert;       /* a cover without target */
  hd_witness *witness; /* for nets without moves and caps */
} hd_saturated;

/* Counts in place p up to most[p], then HD_OMEGA. When the abstraction reaches a
 * target in a way that no number of threads can go, `most` is raised where it
 * was too little, and everything begins anew. Neither comes out when that does
 * not help, when it takes more than `work` steps and comparisons, or when the
 * run is over. `tset` (may be NULL) is a T part. */
hd_saturated hd_saturate(const hd_net *net, const hd_cert *tset, hd_count *most,
                         uint64_t work, hd_run *run);

#endif
