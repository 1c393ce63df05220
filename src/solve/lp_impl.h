/* SPDX-License-Identifier: MIT */
/* The inside of hd_lp, shared by lp.c and farkas.c. */
#ifndef HD_SOLVE_LP_IMPL_H
#define HD_SOLVE_LP_IMPL_H

#include "solve/glpk_library.h"
#include "solve/lp.h"

#define HD_LP_NO_ENTRY UINT32_MAX

typedef struct {
  uint32_t row, next; /* of the same column, or HD_LP_NO_ENTRY */
  double value;
} hd_lp_entry;

typedef struct {
  double lower, upper, cost;
  uint32_t first; /* entry */
  int at;         /* GLPK's number of it, 0: left out, at its lower bound 0 */
} hd_lp_column;

struct hd_lp {
  hd_glpk glp;
  glp_prob *prob; /* all rows, and the columns with a number */
  hd_vec(hd_lp_column) cols;
  hd_vec(hd_lp_entry) entries;
  hd_u32s active; /* columns by GLPK's number, from 1 */
  hd_u32s raised; /* columns with a higher cost for the time being */
  bool has_start; /* hd_lp_start_with was used */
  bool begun;     /* solved before: no new column is left out */
  uint64_t iterations;
  hd_lp_status status;
  double *y;            /* scratch: a number for each row */
  size_t room;          /* of y */
  hd_vec(int) index;    /* scratch, GLPK counts from 1 */
  hd_vec(double) value; /* scratch */
};

/* After GLPK found no solution with the columns it has: multipliers that show
 * that, as hd_lp_farkas. */
HD_MUST_USE bool hd_lp_ray(hd_lp *lp, double *y);

/* y times column `col`. */
static inline double hd_lp_price(const hd_lp *lp, uint32_t col,
                                 const double *y) {
  double sum = 0;
  for (uint32_t e = lp->cols.data[col].first; e != HD_LP_NO_ENTRY;
       e = lp->entries.data[e].next)
    sum += y[lp->entries.data[e].row] * lp->entries.data[e].value;
  return sum;
}

#endif
