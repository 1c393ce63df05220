/* SPDX-License-Identifier: MIT */
/* The GLPK side of solve/lp.h.
 *
 * Every solve starts from the last basis: with costs >= 0 and all columns at
 * their lower bounds the slack basis is dual feasible, and stays so whatever
 * rows are added and bounds changed, so that the dual simplex can go on.
 *
 * An iteration of GLPK looks at every column, and of thousands of columns a few
 * hundred are ever used. So of large programs GLPK is first given some of the
 * columns ("sifting"): those that the prices of the first basis do not speak
 * against, about half of them. What it answers is tried on all others, in one
 * pass over their entries. Columns with a negative reduced cost after a solution
 * join and the primal simplex goes on; there are few. When columns contradict
 * "no solution" all of them join, at a cost with which the dual simplex can go
 * on. (Without dual feasibility it takes ten times as long.) When nothing
 * contradicts the answer it is that of the whole program. */
#include "base/run.h"
#include "solve/lp_impl.h"

#include <string.h>

#define LARGE 500      /* columns, from which on some are left out */
#define TOLERANCE 1e-7 /* GLPK's own for reduced costs */

hd_lp *hd_lp_new(void) {
  hd_lp *lp = hd_calloc(1, sizeof *lp);
  hd_glpk_open(&lp->glp);
  lp->glp.term_out(GLP_OFF);
  lp->prob = lp->glp.create_prob();
  lp->glp.set_obj_dir(lp->prob, GLP_MIN);
  return lp;
}

void hd_lp_delete(hd_lp *lp) {
  if (!lp)
    return;
  lp->glp.delete_prob(lp->prob);
  hd_glpk_close(&lp->glp);
  hd_vec_free(&lp->cols);
  hd_vec_free(&lp->entries);
  hd_vec_free(&lp->active);
  hd_vec_free(&lp->raised);
  hd_vec_free(&lp->index);
  hd_vec_free(&lp->value);
  hd_free(lp->y);
  hd_free(lp);
}

uint32_t hd_lp_rows(const hd_lp *lp) {
  return (uint32_t)lp->glp.get_num_rows(lp->prob);
}

uint32_t hd_lp_cols(const hd_lp *lp) {
  return (uint32_t)lp->cols.size;
}

/* --- building --- */

static int bound_type(double lower, double upper) {
  assert(lower <= upper);
  if (lower == upper)
    return GLP_FX;
  if (isinf(lower))
    return isinf(upper) ? GLP_FR : GLP_UP;
  return isinf(upper) ? GLP_LO : GLP_DB;
}

static void pass_bounds(hd_lp *lp, const hd_lp_column *col) {
  lp->glp.set_col_bnds(lp->prob, col->at, bound_type(col->lower, col->upper),
                       col->lower, col->upper);
}

/* Gives a column to GLPK, nonbasic. */
static void activate(hd_lp *lp, uint32_t c) {
  hd_lp_column *col = &lp->cols.data[c];
  assert(!col->at);
  hd_vec_resize(&lp->index, 1);
  hd_vec_resize(&lp->value, 1);
  for (uint32_t e = col->first; e != HD_LP_NO_ENTRY;
       e = lp->entries.data[e].next) {
    hd_vec_push(&lp->index, (int)lp->entries.data[e].row + 1);
    hd_vec_push(&lp->value, lp->entries.data[e].value);
  }
  col->at = lp->glp.add_cols(lp->prob, 1);
  lp->glp.set_mat_col(lp->prob, col->at, (int)lp->index.size - 1,
                      lp->index.data, lp->value.data);
  pass_bounds(lp, col);
  lp->glp.set_obj_coef(lp->prob, col->at, col->cost);
  hd_vec_push(&lp->active, c);
  assert(lp->active.size == (size_t)col->at);
}

void hd_lp_set_row(hd_lp *lp, uint32_t row, double lower, double upper) {
  assert(row < hd_lp_rows(lp));
  lp->glp.set_row_bnds(lp->prob, (int)row + 1, bound_type(lower, upper), lower,
                       upper);
}

void hd_lp_set_col(hd_lp *lp, uint32_t c, double lower, double upper) {
  assert(c < hd_lp_cols(lp) && isfinite(lower));
  hd_lp_column *col = &lp->cols.data[c];
  col->lower = lower;
  col->upper = upper;
  if (col->at)
    pass_bounds(lp, col);
  else if (lower != 0)
    activate(lp, c);
}

void hd_lp_set_cost(hd_lp *lp, uint32_t c, double cost) {
  assert(c < hd_lp_cols(lp) && cost >= 0);
  hd_lp_column *col = &lp->cols.data[c];
  col->cost = cost;
  if (col->at)
    lp->glp.set_obj_coef(lp->prob, col->at, cost);
}

void hd_lp_start_with(hd_lp *lp, uint32_t c, uint32_t row) {
  assert(c < hd_lp_cols(lp) && row < hd_lp_rows(lp));
  if (!lp->cols.data[c].at)
    activate(lp, c);
  int type = lp->glp.get_row_type(lp->prob, (int)row + 1);
  lp->glp.set_col_stat(lp->prob, lp->cols.data[c].at, GLP_BS);
  lp->glp.set_row_stat(lp->prob, (int)row + 1,
                       type == GLP_FX ? GLP_NS : GLP_NL);
  lp->has_start = true;
}

uint32_t hd_lp_add_row(hd_lp *lp, double lower, double upper) {
  uint32_t row = (uint32_t)lp->glp.add_rows(lp->prob, 1) - 1;
  hd_lp_set_row(lp, row, lower, upper);
  return row;
}

static void add_entry(hd_lp *lp, uint32_t c, uint32_t row, double value) {
  hd_lp_entry e = {.row = row, .value = value, .next = lp->cols.data[c].first};
  lp->cols.data[c].first = (uint32_t)lp->entries.size;
  hd_vec_push(&lp->entries, e);
}

uint32_t hd_lp_add_col(hd_lp *lp, double lower, double upper, double cost,
                       const hd_lp_term *terms, size_t n) {
  assert(isfinite(lower) && lower <= upper && cost >= 0);
  uint32_t c = hd_lp_cols(lp);
  hd_lp_column col = {
      .lower = lower, .upper = upper, .cost = cost, .first = HD_LP_NO_ENTRY};
  hd_vec_push(&lp->cols, col);
  for (size_t i = 0; i < n; i++)
    add_entry(lp, c, terms[i].index, terms[i].value);
  if (lower != 0 || lp->begun)
    activate(lp, c);
  return c;
}

uint32_t hd_lp_add_cut(hd_lp *lp, double lower, double upper,
                       const hd_lp_term *terms, size_t n) {
  uint32_t row = hd_lp_add_row(lp, lower, upper);
  hd_vec_resize(&lp->index, 1);
  hd_vec_resize(&lp->value, 1);
  for (size_t i = 0; i < n; i++) {
    add_entry(lp, terms[i].index, row, terms[i].value);
    if (lp->cols.data[terms[i].index].at) {
      hd_vec_push(&lp->index, lp->cols.data[terms[i].index].at);
      hd_vec_push(&lp->value, terms[i].value);
    }
  }
  lp->glp.set_mat_row(lp->prob, (int)row + 1, (int)lp->index.size - 1,
                      lp->index.data, lp->value.data);
  return row;
}

/* --- solving --- */

/* Columns that sit at a bound they no longer have would start the simplex from
 * a point that does not exist; GLPK moves them itself when bounds change. */
static hd_lp_status run_simplex(hd_lp *lp, int method, double seconds) {
  glp_smcp parm;
  lp->glp.init_smcp(&parm);
  parm.msg_lev = GLP_MSG_OFF;
  parm.meth = method;
  if (seconds > 0)
    parm.tm_lim = seconds > 1e6 ? 1000000000 : (int)(seconds * 1000) + 1;
  int before = lp->glp.get_it_cnt(lp->prob);
  int code = lp->glp.simplex(lp->prob, &parm);
  if (code == GLP_EBADB || code == GLP_ESING || code == GLP_ECOND) {
    lp->glp.std_basis(lp->prob);
    code = lp->glp.simplex(lp->prob, &parm);
  }
  lp->iterations += (uint64_t)(lp->glp.get_it_cnt(lp->prob) - before);
  if (code)
    return HD_LP_FAILED;
  int status = lp->glp.get_status(lp->prob);
  if (status == GLP_OPT)
    return HD_LP_OPTIMAL;
  if (status == GLP_NOFEAS || lp->glp.get_prim_stat(lp->prob) == GLP_NOFEAS)
    return HD_LP_INFEASIBLE;
  return HD_LP_FAILED;
}

static bool leaves_out(const hd_lp *lp) {
  return lp->active.size < lp->cols.size;
}

static void take_all(hd_lp *lp) {
  for (uint32_t c = 0; c < hd_lp_cols(lp); c++)
    if (!lp->cols.data[c].at)
      activate(lp, c);
}

static void read_duals(hd_lp *lp) {
  for (uint32_t r = 0; r < hd_lp_rows(lp); r++)
    lp->y[r] = lp->glp.get_row_dual(lp->prob, (int)r + 1);
}

/* The columns to begin with. */
static void take_first(hd_lp *lp) {
  uint32_t n = hd_lp_cols(lp);
  lp->begun = true;
  if (n < LARGE || !lp->has_start || lp->glp.warm_up(lp->prob)) {
    take_all(lp);
    return;
  }
  read_duals(lp);
  for (uint32_t c = 0; c < n; c++)
    if (!lp->cols.data[c].at && hd_lp_price(lp, c, lp->y) > -TOLERANCE)
      activate(lp, c);
  if (lp->active.size > n - n / 4) /* not worth it */
    take_all(lp);
}

/* How much column `c`, if it is left out, contradicts the answer whose duals or
 * multipliers are in lp->y. */
static double contradicts(const hd_lp *lp, uint32_t c) {
  const hd_lp_column *col = &lp->cols.data[c];
  if (col->at || col->upper == 0)
    return 0;
  double price = hd_lp_price(lp, c, lp->y);
  return lp->status == HD_LP_OPTIMAL ? price - col->cost : price;
}

/* The columns that contradict a solution join, those that do so most; false when
 * there is none. */
static bool improve(hd_lp *lp) {
  double most = 0;
  uint32_t n = hd_lp_cols(lp);
  if (!leaves_out(lp))
    return false;
  read_duals(lp);
  for (uint32_t c = 0; c < n; c++)
    most = fmax(most, contradicts(lp, c));
  if (most <= TOLERANCE)
    return false;
  for (uint32_t c = 0; c < n; c++)
    if (contradicts(lp, c) >= most / 2)
      activate(lp, c);
  return true;
}

/* Is there no solution with the columns that are left out either? */
static bool is_infeasible(hd_lp *lp) {
  bool sure = hd_lp_ray(lp, lp->y);
  for (uint32_t c = 0; sure && c < hd_lp_cols(lp); c++)
    sure = contradicts(lp, c) <= 1e-9;
  return sure;
}

/* All columns join. Those with a negative reduced cost get a higher cost for the
 * time being, so that the dual simplex can go on where it is. */
static void join_all(hd_lp *lp) {
  read_duals(lp);
  for (uint32_t c = 0; c < hd_lp_cols(lp); c++) {
    hd_lp_column *col = &lp->cols.data[c];
    if (col->at)
      continue;
    double price = hd_lp_price(lp, c, lp->y);
    activate(lp, c);
    if (price <= col->cost)
      continue;
    lp->glp.set_obj_coef(lp->prob, col->at, price);
    hd_vec_push(&lp->raised, c);
  }
}

/* Higher costs do no harm until there is a solution. */
static void lower_costs(hd_lp *lp) {
  for (hd_vec_each(const uint32_t, c, &lp->raised))
    hd_lp_set_cost(lp, *c, lp->cols.data[*c].cost);
  hd_vec_clear(&lp->raised);
}

/* What is left of `seconds`, which may be no limit. */
static double left_of(double seconds, double start) {
  return seconds > 0 ? fmax(seconds - (hd_now() - start), 0.001) : 0;
}

static void reserve(hd_lp *lp) {
  size_t rows = hd_lp_rows(lp);
  if (rows <= lp->room)
    return;
  hd_free(lp->y);
  lp->room = rows + rows / 2;
  lp->y = hd_calloc(lp->room, sizeof *lp->y);
}

hd_lp_status hd_lp_solve(hd_lp *lp, double seconds) {
  double start = hd_now();
  reserve(lp);
  if (!lp->begun)
    take_first(lp);
  lp->status = run_simplex(lp, GLP_DUAL, seconds);
  if (leaves_out(lp) && lp->status != HD_LP_OPTIMAL &&
      !(lp->status == HD_LP_INFEASIBLE && is_infeasible(lp))) {
    join_all(lp);
    lp->status = run_simplex(lp, GLP_DUAL, left_of(seconds, start));
  }
  bool better = lp->raised.size > 0;
  while (lp->status == HD_LP_OPTIMAL && (better || improve(lp))) {
    better = false;
    lower_costs(lp);
    lp->status = run_simplex(lp, GLP_PRIMAL, left_of(seconds, start));
  }
  return lp->status;
}

uint64_t hd_lp_iterations(const hd_lp *lp) {
  return lp->iterations;
}

double hd_lp_value(const hd_lp *lp) {
  return lp->glp.get_obj_val(lp->prob);
}

double hd_lp_col_value(const hd_lp *lp, uint32_t col) {
  int at = lp->cols.data[col].at;
  return at ? lp->glp.get_col_prim(lp->prob, at) : 0;
}

double hd_lp_row_value(const hd_lp *lp, uint32_t row) {
  return lp->glp.get_row_prim(lp->prob, (int)row + 1);
}

double hd_lp_row_dual(const hd_lp *lp, uint32_t row) {
  return lp->glp.get_row_dual(lp->prob, (int)row + 1);
}
