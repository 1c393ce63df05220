/* SPDX-License-Identifier: MIT */
/* Loop counts: integers k_i >= 0 with  a · k <= bound  for every row. Where
 * each row has at most one negative coefficient the solutions have a least
 * element, found by raising lower bounds; a short search and then Z3 do the
 * rest. */
#ifndef HD_ENGINE_CONCOLIC_COUNTS_H
#define HD_ENGINE_CONCOLIC_COUNTS_H

#include "engine/concolic/summary.h"

typedef struct {
  int64_t a[HD_MAX_LOOPS];
  int64_t bound;
} hd_count_row;
typedef hd_vec(hd_count_row) hd_rows;

typedef enum {
  HD_COUNTS_UNKNOWN = 0, /* not solved within the bounds of the search */
  HD_COUNTS_NONE,
  HD_COUNTS_FOUND,
} hd_counts_status;

typedef struct {
  uint64_t direct;   /* solved by raising bounds */
  uint64_t searched; /* by the search */
  uint64_t smt;      /* by Z3 */
} hd_counts_stats;

/* The rows that say: every term of `summary` of a local for which `only` is set
 * (NULL: of every local) is at most what is available. */
void hd_counts_rows(hd_rows *rows, const hd_summary *summary,
                    const hd_count *available, const uint64_t *only);

/* Finds a solution for `n` variables; `k` gets it. `seconds` limits Z3, which
 * is not asked at all when it is zero. */
HD_MUST_USE hd_counts_status hd_counts_solve(const hd_rows *rows, uint32_t n,
                                             double seconds, int64_t *k,
                                             hd_counts_stats *stats);

#endif
