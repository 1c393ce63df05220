/* SPDX-License-Identifier: MIT */
/* Linear programs: minimise cost · x over bounded columns x, subject to rows
 * lower <= a · x <= upper. GLPK is behind it; docs/engines/tse.md says why.
 *
 * Everything here is floating point. What a caller concludes from an answer
 * has to be made exact first, by solve/exact.h or by integer arithmetic: an
 * answer of this module is a hint about where to look for a proof.
 *
 * Rows and columns may be added at any time, and bounds and costs changed; the
 * next solve starts from the last basis. Costs must not be negative and columns
 * have finite lower bounds, so that the dual simplex can always start. */
#ifndef HD_SOLVE_LP_H
#define HD_SOLVE_LP_H

#include "base/vec.h"

#include <math.h>

typedef struct hd_lp hd_lp;

/* An entry of a row (index = column) or of a column (index = row). */
typedef struct {
  uint32_t index;
  double value;
} hd_lp_term;

typedef enum {
  HD_LP_FAILED = 0, /* time limit, or numerical trouble: nothing is known */
  HD_LP_OPTIMAL,
  HD_LP_INFEASIBLE,
} hd_lp_status;

hd_lp *hd_lp_new(void);
void hd_lp_delete(hd_lp *lp);

/* Bounds are finite or -INFINITY, INFINITY; equal bounds fix. A new row is
 * empty until columns mention it. Returns the index: 0, 1, … */
uint32_t hd_lp_add_row(hd_lp *lp, double lower, double upper);
/* The terms mention existing rows, each at most once. */
uint32_t hd_lp_add_col(hd_lp *lp, double lower, double upper, double cost,
                       const hd_lp_term *terms, size_t n);
/* A row over existing columns, each mentioned at most once. */
uint32_t hd_lp_add_cut(hd_lp *lp, double lower, double upper,
                       const hd_lp_term *terms, size_t n);
void hd_lp_set_row(hd_lp *lp, uint32_t row, double lower, double upper);
void hd_lp_set_col(hd_lp *lp, uint32_t col, double lower, double upper);
void hd_lp_set_cost(hd_lp *lp, uint32_t col, double cost);
/* Puts `col` into the basis the next solve starts from, and the variable of
 * `row` out of it, at its lower bound. The caller knows that the columns so
 * placed are independent in their rows and that no reduced cost is negative;
 * a bad start costs time, not correctness. */
void hd_lp_start_with(hd_lp *lp, uint32_t col, uint32_t row);
uint32_t hd_lp_rows(const hd_lp *lp);
uint32_t hd_lp_cols(const hd_lp *lp);

/* Solves; `seconds` <= 0 means no limit. There must be a column. */
hd_lp_status hd_lp_solve(hd_lp *lp, double seconds);
/* Simplex iterations of all solves so far. */
uint64_t hd_lp_iterations(const hd_lp *lp);

/* After HD_LP_OPTIMAL. */
double hd_lp_value(const hd_lp *lp);
double hd_lp_col_value(const hd_lp *lp, uint32_t col);
double hd_lp_row_value(const hd_lp *lp, uint32_t row);
double hd_lp_row_dual(const hd_lp *lp, uint32_t row);

/* After HD_LP_INFEASIBLE: multipliers y, one a row, that show it: y > 0 uses
 * the row's lower bound, y < 0 its upper bound, and what the combination asks
 * for is more than the columns can give within their bounds. False when the
 * solver cannot say. */
HD_MUST_USE bool hd_lp_farkas(hd_lp *lp, double *y);
/* The same multipliers in exact arithmetic, as integers without a common
 * divisor, computed from the last basis: all entries of the program are read as
 * the integers they must be. False when they do not fit 62 bits, or the basis
 * turns out not to prove anything. */
HD_MUST_USE bool hd_lp_farkas_exact(hd_lp *lp, int64_t *y);

#endif
