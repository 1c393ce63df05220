/* SPDX-License-Identifier: MIT */
/* The GLPK side of solve/lp.h.
 *
 * Every solve is a dual simplex from the last basis: with costs >= 0 and all
 * columns at their lower bounds the slack basis is dual feasible, and stays so
 * whatever rows are added and bounds changed. When the dual simplex finds no
 * feasible point it stops at a basic variable that violates a bound although
 * every nonbasic variable already helps as much as it can; the row of the
 * inverse basis matrix that belongs to it is the vector of multipliers that
 * hd_lp_farkas returns. */
#include "solve/lp.h"
#include "solve/exact.h"

#include <glpk.h>
#include <string.h>

struct hd_lp {
  glp_prob *prob;
  uint64_t iterations;
  hd_lp_status status;
  hd_vec(int) index;    /* scratch, GLPK counts from 1 */
  hd_vec(double) value; /* scratch */
};

hd_lp *hd_lp_new(void) {
  hd_lp *lp = hd_calloc(1, sizeof *lp);
  glp_term_out(GLP_OFF);
  lp->prob = glp_create_prob();
  glp_set_obj_dir(lp->prob, GLP_MIN);
  return lp;
}

void hd_lp_delete(hd_lp *lp) {
  if (!lp)
    return;
  glp_delete_prob(lp->prob);
  hd_vec_free(&lp->index);
  hd_vec_free(&lp->value);
  hd_free(lp);
}

static int bound_type(double lower, double upper) {
  assert(lower <= upper);
  if (lower == upper)
    return GLP_FX;
  if (isinf(lower))
    return isinf(upper) ? GLP_FR : GLP_UP;
  return isinf(upper) ? GLP_LO : GLP_DB;
}

void hd_lp_set_row(hd_lp *lp, uint32_t row, double lower, double upper) {
  assert(row < hd_lp_rows(lp));
  glp_set_row_bnds(lp->prob, (int)row + 1, bound_type(lower, upper), lower,
                   upper);
}

void hd_lp_set_col(hd_lp *lp, uint32_t col, double lower, double upper) {
  assert(col < hd_lp_cols(lp) && isfinite(lower));
  glp_set_col_bnds(lp->prob, (int)col + 1, bound_type(lower, upper), lower,
                   upper);
}

void hd_lp_set_cost(hd_lp *lp, uint32_t col, double cost) {
  assert(col < hd_lp_cols(lp) && cost >= 0);
  glp_set_obj_coef(lp->prob, (int)col + 1, cost);
}

void hd_lp_start_with(hd_lp *lp, uint32_t col, uint32_t row) {
  assert(col < hd_lp_cols(lp) && row < hd_lp_rows(lp));
  int type = glp_get_row_type(lp->prob, (int)row + 1);
  glp_set_col_stat(lp->prob, (int)col + 1, GLP_BS);
  glp_set_row_stat(lp->prob, (int)row + 1, type == GLP_FX ? GLP_NS : GLP_NL);
}

uint32_t hd_lp_rows(const hd_lp *lp) {
  return (uint32_t)glp_get_num_rows(lp->prob);
}

uint32_t hd_lp_cols(const hd_lp *lp) {
  return (uint32_t)glp_get_num_cols(lp->prob);
}

/* Copies terms into the scratch vectors in GLPK's numbering. */
static void gather(hd_lp *lp, const hd_lp_term *terms, size_t n) {
  hd_vec_resize(&lp->index, n + 1);
  hd_vec_resize(&lp->value, n + 1);
  for (size_t i = 0; i < n; i++) {
    lp->index.data[i + 1] = (int)terms[i].index + 1;
    lp->value.data[i + 1] = terms[i].value;
  }
}

uint32_t hd_lp_add_row(hd_lp *lp, double lower, double upper) {
  uint32_t row = (uint32_t)glp_add_rows(lp->prob, 1) - 1;
  hd_lp_set_row(lp, row, lower, upper);
  return row;
}

uint32_t hd_lp_add_col(hd_lp *lp, double lower, double upper, double cost,
                       const hd_lp_term *terms, size_t n) {
  uint32_t col = (uint32_t)glp_add_cols(lp->prob, 1) - 1;
  gather(lp, terms, n);
  glp_set_mat_col(lp->prob, (int)col + 1, (int)n, lp->index.data,
                  lp->value.data);
  hd_lp_set_col(lp, col, lower, upper);
  hd_lp_set_cost(lp, col, cost);
  return col;
}

uint32_t hd_lp_add_cut(hd_lp *lp, double lower, double upper,
                       const hd_lp_term *terms, size_t n) {
  uint32_t row = hd_lp_add_row(lp, lower, upper);
  gather(lp, terms, n);
  glp_set_mat_row(lp->prob, (int)row + 1, (int)n, lp->index.data,
                  lp->value.data);
  return row;
}

/* Columns that sit at a bound they no longer have would start the simplex from
 * a point that does not exist; GLPK moves them itself when bounds change. */
hd_lp_status hd_lp_solve(hd_lp *lp, double seconds) {
  glp_smcp parm;
  glp_init_smcp(&parm);
  parm.msg_lev = GLP_MSG_OFF;
  parm.meth = GLP_DUAL;
  if (seconds > 0)
    parm.tm_lim = seconds > 1e6 ? 1000000000 : (int)(seconds * 1000) + 1;
  lp->status = HD_LP_FAILED;
  int before = glp_get_it_cnt(lp->prob);
  int code = glp_simplex(lp->prob, &parm);
  if (code == GLP_EBADB || code == GLP_ESING || code == GLP_ECOND) {
    glp_std_basis(lp->prob);
    code = glp_simplex(lp->prob, &parm);
  }
  lp->iterations += (uint64_t)(glp_get_it_cnt(lp->prob) - before);
  if (code)
    return HD_LP_FAILED;
  int status = glp_get_status(lp->prob);
  if (status == GLP_OPT)
    lp->status = HD_LP_OPTIMAL;
  else if (status == GLP_NOFEAS || glp_get_prim_stat(lp->prob) == GLP_NOFEAS)
    lp->status = HD_LP_INFEASIBLE;
  return lp->status;
}

uint64_t hd_lp_iterations(const hd_lp *lp) {
  return lp->iterations;
}

double hd_lp_value(const hd_lp *lp) {
  return glp_get_obj_val(lp->prob);
}

double hd_lp_col_value(const hd_lp *lp, uint32_t col) {
  return glp_get_col_prim(lp->prob, (int)col + 1);
}

double hd_lp_row_value(const hd_lp *lp, uint32_t row) {
  return glp_get_row_prim(lp->prob, (int)row + 1);
}

double hd_lp_row_dual(const hd_lp *lp, uint32_t row) {
  return glp_get_row_dual(lp->prob, (int)row + 1);
}

/* The bounds of row i (from 1) as numbers that may be infinite. */
static double row_lower(const hd_lp *lp, int i) {
  int type = glp_get_row_type(lp->prob, i);
  return type == GLP_FR || type == GLP_UP ? -INFINITY
                                          : glp_get_row_lb(lp->prob, i);
}

static double row_upper(const hd_lp *lp, int i) {
  int type = glp_get_row_type(lp->prob, i);
  return type == GLP_FR || type == GLP_LO ? INFINITY
                                          : glp_get_row_ub(lp->prob, i);
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
  int rows = glp_get_num_rows(lp->prob), cols = glp_get_num_cols(lp->prob);
  for (int r = 1; r <= rows; r++)
    if (y[r - 1] != 0)
      gap += y[r - 1] * (y[r - 1] > 0 ? row_lower(lp, r) : row_upper(lp, r));
  hd_vec_resize(&lp->index, (size_t)rows + 1);
  hd_vec_resize(&lp->value, (size_t)rows + 1);
  for (int c = 1; c <= cols; c++) {
    double d = 0;
    int n = glp_get_mat_col(lp->prob, c, lp->index.data, lp->value.data);
    for (int i = 1; i <= n; i++)
      d += y[lp->index.data[i] - 1] * lp->value.data[i];
    int type = glp_get_col_type(lp->prob, c);
    if (d > 1e-7)
      gap -= d * (type == GLP_LO ? INFINITY : glp_get_col_ub(lp->prob, c));
    else
      gap -= d * glp_get_col_lb(lp->prob, c);
  }
  return gap;
}

/* The position in the basis of the variable at which the simplex stopped, from
 * 1, or 0. */
static int stuck_position(const hd_lp *lp) {
  int k = glp_get_unbnd_ray(lp->prob);
  if (!k || !glp_bf_exists(lp->prob))
    return 0;
  return k <= glp_get_num_rows(lp->prob)
             ? glp_get_row_bind(lp->prob, k)
             : glp_get_col_bind(lp->prob, k - glp_get_num_rows(lp->prob));
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

bool hd_lp_farkas(hd_lp *lp, double *y) {
  assert(lp->status == HD_LP_INFEASIBLE);
  int at = stuck_position(lp);
  if (!at)
    return !glp_bf_exists(lp->prob) && single_row(lp, y);
  uint32_t rows = hd_lp_rows(lp);
  double *rho = hd_calloc(rows + 1, sizeof *rho);
  rho[at] = 1;
  glp_btran(lp->prob, rho);
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

/* The equations B' y = e_k of the row of the inverse: one for each basic
 * column; a basic row's own variable has y = 0 unless it is the stuck one. */
static bool exact_equations(hd_lp *lp, hd_exact *system, const uint32_t *number,
                            int stuck) {
  int rows = glp_get_num_rows(lp->prob);
  hd_vec_resize(&lp->index, (size_t)rows + 1);
  hd_vec_resize(&lp->value, (size_t)rows + 1);
  for (int i = 1; i <= rows; i++) {
    int k = glp_get_bhead(lp->prob, i);
    if (k <= rows) {
      if (i != stuck)
        continue;
      hd_exact_equation(system, 1);
      hd_exact_term(system, number[k - 1], 1);
      continue;
    }
    hd_exact_equation(system, i == stuck);
    int n = glp_get_mat_col(lp->prob, k - rows, lp->index.data, lp->value.data);
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
  int k = glp_get_bhead(lp->prob, stuck);
  for (uint32_t r = 0; r < rows; r++)
    number[r] =
        glp_get_row_stat(lp->prob, (int)r + 1) == GLP_BS && (int)r + 1 != k
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
