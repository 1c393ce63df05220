/* SPDX-License-Identifier: MIT */
/* Z3, loaded when it is first asked for: starting it costs a millisecond, more
 * than the rest of heddle's start together, and most runs never need it.
 *
 * `lib.mk_int64(…)` is what `Z3_mk_int64(…)` would be. A function that is not
 * in the list is one word away. Only smt.c and logic.c include this. */
#ifndef HD_SOLVE_Z3_LIBRARY_H
#define HD_SOLVE_Z3_LIBRARY_H

#include "base/common.h"

#include <z3.h>

#define HD_Z3_FUNCTIONS(X)                                                     \
  X(del_config)                                                                \
  X(del_context)                                                               \
  X(get_error_code)                                                            \
  X(get_numeral_int64)                                                         \
  X(get_numeral_string)                                                        \
  X(get_numeral_uint64)                                                        \
  X(is_numeral_ast)                                                            \
  X(mk_add)                                                                    \
  X(mk_and)                                                                    \
  X(mk_app)                                                                    \
  X(mk_array_sort)                                                             \
  X(mk_bool_sort)                                                              \
  X(mk_bv_sort)                                                                \
  X(mk_bvadd)                                                                  \
  X(mk_bvand)                                                                  \
  X(mk_bvashr)                                                                 \
  X(mk_bvlshr)                                                                 \
  X(mk_bvmul)                                                                  \
  X(mk_bvor)                                                                   \
  X(mk_bvsdiv)                                                                 \
  X(mk_bvshl)                                                                  \
  X(mk_bvsle)                                                                  \
  X(mk_bvslt)                                                                  \
  X(mk_bvsrem)                                                                 \
  X(mk_bvsub)                                                                  \
  X(mk_bvudiv)                                                                 \
  X(mk_bvule)                                                                  \
  X(mk_bvult)                                                                  \
  X(mk_bvurem)                                                                 \
  X(mk_bvxor)                                                                  \
  X(mk_config)                                                                 \
  X(mk_const)                                                                  \
  X(mk_const_array)                                                            \
  X(mk_context)                                                                \
  X(mk_div)                                                                    \
  X(mk_eq)                                                                     \
  X(mk_exists_const)                                                           \
  X(mk_extract)                                                                \
  X(mk_false)                                                                  \
  X(mk_forall_const)                                                           \
  X(mk_func_decl)                                                              \
  X(mk_ge)                                                                     \
  X(mk_int2real)                                                               \
  X(mk_int64)                                                                  \
  X(mk_int_sort)                                                               \
  X(mk_int_symbol)                                                             \
  X(mk_ite)                                                                    \
  X(mk_le)                                                                     \
  X(mk_lt)                                                                     \
  X(mk_mod)                                                                    \
  X(mk_mul)                                                                    \
  X(mk_not)                                                                    \
  X(mk_numeral)                                                                \
  X(mk_or)                                                                     \
  X(mk_params)                                                                 \
  X(mk_real2int)                                                               \
  X(mk_real_sort)                                                              \
  X(mk_select)                                                                 \
  X(mk_sign_ext)                                                               \
  X(mk_simple_solver)                                                          \
  X(mk_solver)                                                                 \
  X(mk_solver_for_logic)                                                       \
  X(mk_store)                                                                  \
  X(mk_string_symbol)                                                          \
  X(mk_true)                                                                   \
  X(mk_unsigned_int64)                                                         \
  X(mk_zero_ext)                                                               \
  X(model_dec_ref)                                                             \
  X(model_eval)                                                                \
  X(model_inc_ref)                                                             \
  X(params_dec_ref)                                                            \
  X(params_inc_ref)                                                            \
  X(params_set_uint)                                                           \
  X(set_error_handler)                                                         \
  X(solver_assert)                                                             \
  X(solver_check)                                                              \
  X(solver_dec_ref)                                                            \
  X(solver_from_string)                                                        \
  X(solver_get_model)                                                          \
  X(solver_get_statistics)                                                     \
  X(solver_inc_ref)                                                            \
  X(solver_pop)                                                                \
  X(solver_push)                                                               \
  X(solver_reset)                                                              \
  X(solver_set_params)                                                         \
  X(stats_dec_ref)                                                             \
  X(stats_get_key)                                                             \
  X(stats_get_uint_value)                                                      \
  X(stats_inc_ref)                                                             \
  X(stats_size)                                                                \
  X(to_app)

typedef struct {
  void *handle;
#define HD_Z3_MEMBER(name) __typeof__(&Z3_##name) name;
  HD_Z3_FUNCTIONS(HD_Z3_MEMBER)
#undef HD_Z3_MEMBER
} hd_z3;

/* Fills `lib`; the library stays in memory for the next time. When it is
 * missing, or is not the one heddle was built with, says so on stderr and ends
 * the process with status 6. */
void hd_z3_open(hd_z3 *lib);
void hd_z3_close(hd_z3 *lib);

#endif
