/* SPDX-License-Identifier: MIT */
/* Multipliers of infeasible programs.
 *
 * When the dual simplex finds no feasible point it stops at a basic variable that
 * violates a bound although every nonbasic variable already helps as much as it
 * can; the row of the inverse basis matrix that belongs to it is the vector of
 * multipliers. Columns that were left out do not matter: they were asked about
 * before the program was called infeasible. */
#include "solve/exact.h"
#include "solve/lp_impl.h"

#include <string.h>

/* The bounds of row i (from 1) as numbers that may be infinite. */
static double row_lower(const hd_lp *lp, int i) {
  int type = lp->glp.get_row_type(lp->prob, i);
  return type == GLP_FR || type == GLP_UP ? -INFINITY
                                          : lp->glp.get_row_lb(lp->prob, i);
}

static double row_upper(const hd_lp *lp, int i) {
  int type = lp->glp.get_row_type(lp->prob, i);
  return type == GLP_FR || type == GLP_LO ? INFINITY
                                          : lp->glp.get_row_ub(lp->prob, i);
}

/* Multipliers that use a bound the row does not have are rounding noise. */
static void clean(const hd_lp *lp, double *y, uint32_t rows) {
  double largest = 0;
  for (uint32_t r = 0; r < rows; r++)
    largest = fmax(largest, fabs(y[r]));
  for (uint32_t r = 0; r < rows; r++)
    if (fabs(y[r]) < 1e-9 * largest ||
        (fabs(y[r]) < 1e-6 * largest &&
         isinf(y[r] > 0 ? row_lower(lp, (int)r + 1)
                        : row_upper(lp, (int)r + 1))))
      y[r] = 0;
}

/* How much more `y` asks for than the columns can give; > 0 proves
 * infeasibility, up to rounding. */
static double farkas_gap(hd_lp *lp, const double *y) {
  double gap = 0;
  int rows = lp->glp.get_num_rows(lp->prob);
  for (int r = 1; r <= rows; r++)
    if (y[r - 1] != 0)
      gap += y[r - 1] * (y[r - 1] > 0 ? row_lower(lp, r) : row_upper(lp, r));
  for (hd_vec_each(const uint32_t, c, &lp->active)) {
    const hd_lp_column *col = &lp->cols.data[*c];
    double d = hd_lp_price(lp, *c, y);
    if (d != 0)
      gap -= d * (d > 1e-7 ? col->upper : col->lower);
  }
  return gap;
}

/* The position in the basis of the variable at which the simplex stopped, from
 * 1, or 0. */
static int stuck_position(const hd_lp *lp) {
  int k = lp->glp.get_unbnd_ray(lp->prob);
  if (!k || !lp->glp.bf_exists(lp->prob))
    return 0;
  return k <= lp->glp.get_num_rows(lp->prob)
             ? lp->glp.get_row_bind(lp->prob, k)
             : lp->glp.get_col_bind(lp->prob,
                                    k - lp->glp.get_num_rows(lp->prob));
}

/* Without any basis (GLPK makes none for a program without entries) a single row
 * may show it: e_r or -e_r for some r. */
static bool single_row(hd_lp *lp, double *y) {
  uint32_t rows = hd_lp_rows(lp);
  memset(y, 0, rows * sizeof *y);
  for (uint32_t r = 0; r < rows; r++) {
    for (y[r] = -1; y[r] <= 1; y[r] += 2)
      if (isfinite(y[r] > 0 ? row_lower(lp, (int)r + 1)
                            : row_upper(lp, (int)r + 1)) &&
          farkas_gap(lp, y) > 0)
        return true;
    y[r] = 0;
  }
  return false;
}

bool hd_lp_ray(hd_lp *lp, double *y) {
  int at = stuck_position(lp);
  if (!at)
    return !lp->glp.bf_exists(lp->prob) && single_row(lp, y);
  uint32_t rows = hd_lp_rows(lp);
  double *rho = hd_calloc(rows + 1, sizeof *rho);
  rho[at] = 1;
  lp->glp.btran(lp->prob, rho);
  for (uint32_t r = 0; r < rows; r++)
    y[r] = rho[r + 1];
  hd_free(rho);
  clean(lp, y, rows);
  if (farkas_gap(lp, y) > 0)
    return true;
  for (uint32_t r = 0; r < rows; r++)
    y[r] = -y[r];
  clean(lp, y, rows);
  return farkas_gap(lp, y) > 0;
}

bool hd_lp_farkas(hd_lp *lp, double *y) {
  assert(lp->status == HD_LP_INFEASIBLE);
  return hd_lp_ray(lp, y);
}

/* The equations B' y = e_k of the row of the inverse: one for each basic
 * column; a basic row's own variable has y = 0 unless it is the stuck one. */
static bool exact_equations(hd_lp *lp, hd_exact *system, const uint32_t *number,
                            int stuck) {
  int rows = lp->glp.get_num_rows(lp->prob);
  hd_vec_resize(&lp->index, (size_t)rows + 1);
  hd_vec_resize(&lp->value, (size_t)rows + 1);
  for (int i = 1; i <= rows; i++) {
    int k = lp->glp.get_bhead(lp->prob, i);
    if (k <= rows) {
      if (i != stuck)
        continue;
      hd_exact_equation(system, 1);
      hd_exact_term(system, number[k - 1], 1);
      continue;
    }
    hd_exact_equation(system, i == stuck);
    int n =
        lp->glp.get_mat_col(lp->prob, k - rows, lp->index.data, lp->value.data);
    for (int e = 1; e <= n; e++) {
      uint32_t unknown = number[lp->index.data[e] - 1];
      double a = lp->value.data[e];
      if (a != floor(a) || fabs(a) > 1e15)
        return false;
      if (unknown != UINT32_MAX)
        hd_exact_term(system, unknown, (int64_t)a);
    }
  }
  return true;
}

bool hd_lp_farkas_exact(hd_lp *lp, int64_t *y) {
  assert(lp->status == HD_LP_INFEASIBLE);
  int stuck = stuck_position(lp);
  if (!stuck)
    return false;
  uint32_t rows = hd_lp_rows(lp), unknowns = 0;
  uint32_t *number = hd_calloc(rows, sizeof *number);
  int k = lp->glp.get_bhead(lp->prob, stuck);
  for (uint32_t r = 0; r < rows; r++)
    number[r] =
        lp->glp.get_row_stat(lp->prob, (int)r + 1) == GLP_BS && (int)r + 1 != k
            ? UINT32_MAX
            : unknowns++;
  hd_exact *system = hd_exact_new(unknowns);
  int64_t *solution = hd_calloc(unknowns + 1, sizeof *solution);
  bool good = exact_equations(lp, system, number, stuck) &&
              hd_exact_solve(system, solution);
  double *guess = hd_calloc(rows, sizeof *guess);
  for (uint32_t r = 0; good && r < rows; r++) {
    y[r] = number[r] == UINT32_MAX ? 0 : solution[number[r]];
    guess[r] = (double)y[r];
  }
  if (good && farkas_gap(lp, guess) <= 0)
    for (uint32_t r = 0; r < rows; r++) {
      y[r] = -y[r];
      guess[r] = -guess[r];
    }
  good = good && farkas_gap(lp, guess) > 0;
  hd_free(guess);
  hd_free(solution);
  hd_free(number);
  hd_exact_delete(system);
  return good;
}
