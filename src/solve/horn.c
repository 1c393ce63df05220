/* SPDX-License-Identifier: MIT */
#include "solve/horn.h"

#include "solve/z3_library.h"

static void on_error(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

static hd_smt_status ask(hd_z3 *z3, Z3_context c, const char *logic,
                         const char *text, double seconds) {
  Z3_solver solver =
      z3->mk_solver_for_logic(c, z3->mk_string_symbol(c, logic));
  z3->solver_inc_ref(c, solver);
  Z3_params params = z3->mk_params(c);
  z3->params_inc_ref(c, params);
  z3->params_set_uint(c, params, z3->mk_string_symbol(c, "timeout"),
                      (unsigned)(seconds * 1000) + 1);
  z3->solver_set_params(c, solver, params);
  z3->params_dec_ref(c, params);
  z3->solver_from_string(c, solver, text);
  hd_smt_status status = HD_SMT_UNKNOWN;
  if (z3->get_error_code(c) == Z3_OK) {
    Z3_lbool answer = z3->solver_check(c, solver);
    if (z3->get_error_code(c) == Z3_OK && answer != Z3_L_UNDEF)
      status = answer == Z3_L_TRUE ? HD_SMT_SAT : HD_SMT_UNSAT;
  }
  z3->solver_dec_ref(c, solver);
  return status;
}

static hd_smt_status solve(const char *logic, const char *text,
                           double seconds) {
  hd_z3 z3;
  hd_z3_open(&z3);
  Z3_config config = z3.mk_config();
  Z3_context context = z3.mk_context(config);
  z3.del_config(config);
  z3.set_error_handler(context, on_error);
  hd_smt_status status = ask(&z3, context, logic, text, seconds);
  z3.del_context(context);
  hd_z3_close(&z3);
  return status;
}

hd_smt_status hd_horn_solve(const char *text, double seconds) {
  return solve("HORN", text, seconds);
}

hd_smt_status hd_horn_linear(const char *text, double seconds) {
  return solve("QF_LIA", text, seconds);
}
