/* SPDX-License-Identifier: MIT */
/* GLPK, loaded when it is first asked for (library.h): with the libraries it
 * needs it is most of what the start of heddle would load.
 *
 * `lib.simplex(…)` is what `glp_simplex(…)` would be. A function that is not in
 * the list is one word away. Only lp_impl.h includes this. */
#ifndef HD_SOLVE_GLPK_LIBRARY_H
#define HD_SOLVE_GLPK_LIBRARY_H

#include "base/common.h"

#include <glpk.h>

#define HD_GLPK_FUNCTIONS(X)                                                   \
  X(add_cols)                                                                  \
  X(add_rows)                                                                  \
  X(bf_exists)                                                                 \
  X(btran)                                                                     \
  X(create_prob)                                                               \
  X(delete_prob)                                                               \
  X(get_bhead)                                                                 \
  X(get_col_bind)                                                              \
  X(get_col_prim)                                                              \
  X(get_it_cnt)                                                                \
  X(get_mat_col)                                                               \
  X(get_num_rows)                                                              \
  X(get_obj_val)                                                               \
  X(get_prim_stat)                                                             \
  X(get_row_bind)                                                              \
  X(get_row_dual)                                                              \
  X(get_row_lb)                                                                \
  X(get_row_prim)                                                              \
  X(get_row_stat)                                                              \
  X(get_row_type)                                                              \
  X(get_row_ub)                                                                \
  X(get_status)                                                                \
  X(get_unbnd_ray)                                                             \
  X(init_smcp)                                                                 \
  X(set_col_bnds)                                                              \
  X(set_col_stat)                                                              \
  X(set_mat_col)                                                               \
  X(set_mat_row)                                                               \
  X(set_obj_coef)                                                              \
  X(set_obj_dir)                                                               \
  X(set_row_bnds)                                                              \
  X(set_row_stat)                                                              \
  X(simplex)                                                                   \
  X(std_basis)                                                                 \
  X(term_out)                                                                  \
  X(warm_up)

typedef struct {
  void *handle;
#define HD_GLPK_MEMBER(name) __typeof__(&glp_##name) name;
  HD_GLPK_FUNCTIONS(HD_GLPK_MEMBER)
#undef HD_GLPK_MEMBER
} hd_glpk;

/* Fills `lib`, or ends the process with status 6. */
void hd_glpk_open(hd_glpk *lib);
void hd_glpk_close(hd_glpk *lib);

#endif
