/* SPDX-License-Identifier: MIT */
/* The Z3 side of solve/smt.h. Errors of the library are recorded by a handler
 * and turn every later answer into HD_SMT_UNKNOWN; no Z3 type leaves this
 * file. */
#include "solve/smt.h"
#include "solve/z3_library.h"

struct hd_smt {
  hd_z3 z3;
  Z3_context context;
  Z3_solver solver;
  Z3_model model; /* of the last HD_SMT_SAT, or NULL */
  Z3_sort integers;
  hd_vec(Z3_ast) vars;
  hd_vec(Z3_ast) parts; /* scratch */
};

/* Without a handler of its own Z3 would end the process. */
static void on_error(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

static bool failed(const hd_smt *smt) {
  return smt->z3.get_error_code(smt->context) != Z3_OK;
}

hd_smt *hd_smt_new(void) {
  hd_smt *smt = hd_calloc(1, sizeof *smt);
  hd_z3_open(&smt->z3);
  Z3_config config = smt->z3.mk_config();
  smt->context = smt->z3.mk_context(config);
  smt->z3.del_config(config);
  smt->z3.set_error_handler(smt->context, on_error);
  smt->integers = smt->z3.mk_int_sort(smt->context);
  smt->solver = smt->z3.mk_solver_for_logic(
      smt->context, smt->z3.mk_string_symbol(smt->context, "QF_LIA"));
  smt->z3.solver_inc_ref(smt->context, smt->solver);
  return smt;
}

static void drop_model(hd_smt *smt) {
  if (smt->model)
    smt->z3.model_dec_ref(smt->context, smt->model);
  smt->model = NULL;
}

void hd_smt_delete(hd_smt *smt) {
  if (!smt)
    return;
  drop_model(smt);
  smt->z3.solver_dec_ref(smt->context, smt->solver);
  smt->z3.del_context(smt->context);
  hd_z3_close(&smt->z3);
  hd_vec_free(&smt->vars);
  hd_vec_free(&smt->parts);
  hd_free(smt);
}

static Z3_ast number(hd_smt *smt, int64_t value) {
  return smt->z3.mk_int64(smt->context, value, smt->integers);
}

static void assert_that(hd_smt *smt, Z3_ast fact) {
  drop_model(smt);
  smt->z3.solver_assert(smt->context, smt->solver, fact);
}

uint32_t hd_smt_add_var(hd_smt *smt, int64_t lower) {
  uint32_t index = (uint32_t)smt->vars.size;
  Z3_symbol name = smt->z3.mk_int_symbol(smt->context, (int)index);
  Z3_ast var = smt->z3.mk_const(smt->context, name, smt->integers);
  hd_vec_push(&smt->vars, var);
  assert_that(smt, smt->z3.mk_ge(smt->context, var, number(smt, lower)));
  return index;
}

static Z3_ast sum_of(hd_smt *smt, const hd_smt_term *terms, size_t n) {
  hd_vec_clear(&smt->parts);
  for (size_t i = 0; i < n; i++) {
    assert(terms[i].index < smt->vars.size);
    Z3_ast pair[] = {number(smt, terms[i].value),
                     smt->vars.data[terms[i].index]};
    hd_vec_push(&smt->parts, terms[i].value == 1
                                 ? pair[1]
                                 : smt->z3.mk_mul(smt->context, 2, pair));
  }
  if (!n)
    return number(smt, 0);
  return n == 1 ? smt->parts.data[0]
                : smt->z3.mk_add(smt->context, (unsigned)n, smt->parts.data);
}

void hd_smt_add_row(hd_smt *smt, const hd_smt_term *terms, size_t n,
                    int64_t lower, int64_t upper) {
  Z3_ast sum = sum_of(smt, terms, n);
  if (lower == upper) {
    assert_that(smt, smt->z3.mk_eq(smt->context, sum, number(smt, lower)));
    return;
  }
  if (lower != HD_SMT_NO_LOWER)
    assert_that(smt, smt->z3.mk_ge(smt->context, sum, number(smt, lower)));
  if (upper != HD_SMT_NO_UPPER)
    assert_that(smt, smt->z3.mk_le(smt->context, sum, number(smt, upper)));
}

static void set_timeout(hd_smt *smt, double seconds) {
  Z3_params params = smt->z3.mk_params(smt->context);
  smt->z3.params_inc_ref(smt->context, params);
  double ms = seconds * 1000 + 1;
  unsigned limit = seconds <= 0 ? UINT32_MAX
                   : ms > 4e9   ? UINT32_MAX
                                : (unsigned)ms;
  smt->z3.params_set_uint(smt->context, params,
                          smt->z3.mk_string_symbol(smt->context, "timeout"),
                          limit);
  smt->z3.solver_set_params(smt->context, smt->solver, params);
  smt->z3.params_dec_ref(smt->context, params);
}

hd_smt_status hd_smt_solve(hd_smt *smt, double seconds) {
  drop_model(smt);
  set_timeout(smt, seconds);
  Z3_lbool answer = smt->z3.solver_check(smt->context, smt->solver);
  if (failed(smt) || answer == Z3_L_UNDEF)
    return HD_SMT_UNKNOWN;
  if (answer == Z3_L_FALSE)
    return HD_SMT_UNSAT;
  smt->model = smt->z3.solver_get_model(smt->context, smt->solver);
  if (!smt->model || failed(smt)) {
    smt->model = NULL;
    return HD_SMT_UNKNOWN;
  }
  smt->z3.model_inc_ref(smt->context, smt->model);
  return HD_SMT_SAT;
}

bool hd_smt_value(const hd_smt *smt, uint32_t var, int64_t *value) {
  assert(smt->model && var < smt->vars.size);
  Z3_ast term = NULL;
  return smt->z3.model_eval(smt->context, smt->model, smt->vars.data[var], true,
                            &term) &&
         smt->z3.get_numeral_int64(smt->context, term, value);
}
