/* SPDX-License-Identifier: MIT */
/* Z3 behind solve/logic.h. A question first goes to the plain SMT core, which
 * starts at once; what it gives up on, to the solver with all of Z3's tactics
 * (nonlinear arithmetic). */
#include "solve/logic.h"

#include "base/run.h"
#include "solve/z3_library.h"

struct hd_logic {
  hd_z3 z3;
  Z3_context context;
  Z3_solver quick, thorough; /* thorough: NULL until it is needed */
  Z3_model model;            /* of the last HD_SMT_SAT, or NULL */
  Z3_sort sorts[5];
  hd_vec(Z3_ast) exprs;
};

/* Without a handler of its own Z3 would end the process. */
static void on_error(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

static bool failed(const hd_logic *logic) {
  return logic->z3.get_error_code(logic->context) != Z3_OK;
}

hd_logic *hd_logic_new(void) {
  hd_logic *logic = hd_calloc(1, sizeof *logic);
  hd_z3 *z3 = &logic->z3;
  hd_z3_open(z3);
  Z3_config config = z3->mk_config();
  logic->context = z3->mk_context(config);
  z3->del_config(config);
  z3->set_error_handler(logic->context, on_error);
  Z3_context c = logic->context;
  Z3_sort integers = z3->mk_int_sort(c), reals = z3->mk_real_sort(c);
  logic->sorts[HD_LOGIC_BOOL] = z3->mk_bool_sort(c);
  logic->sorts[HD_LOGIC_INT] = integers;
  logic->sorts[HD_LOGIC_REAL] = reals;
  logic->sorts[HD_LOGIC_INTS] = z3->mk_array_sort(c, integers, integers);
  logic->sorts[HD_LOGIC_REALS] = z3->mk_array_sort(c, integers, reals);
  logic->quick = z3->mk_simple_solver(c);
  z3->solver_inc_ref(c, logic->quick);
  return logic;
}

static void drop_model(hd_logic *logic) {
  if (logic->model)
    logic->z3.model_dec_ref(logic->context, logic->model);
  logic->model = NULL;
}

void hd_logic_delete(hd_logic *logic) {
  if (!logic)
    return;
  drop_model(logic);
  logic->z3.solver_dec_ref(logic->context, logic->quick);
  if (logic->thorough)
    logic->z3.solver_dec_ref(logic->context, logic->thorough);
  logic->z3.del_context(logic->context);
  hd_z3_close(&logic->z3);
  hd_vec_free(&logic->exprs);
  hd_free(logic);
}

/* --- expressions --- */

static hd_logic_expr keep(hd_logic *logic, Z3_ast ast) {
  if (!ast)
    hd_bug("Z3 refuses an expression");
  hd_vec_push(&logic->exprs, ast);
  return (hd_logic_expr)logic->exprs.size - 1;
}

static Z3_ast ast_of(const hd_logic *logic, hd_logic_expr expr) {
  assert(expr < logic->exprs.size);
  return logic->exprs.data[expr];
}

hd_logic_expr hd_logic_number(hd_logic *logic, hd_logic_sort sort,
                              const char *text) {
  return keep(logic,
              logic->z3.mk_numeral(logic->context, text, logic->sorts[sort]));
}

hd_logic_expr hd_logic_bool(hd_logic *logic, bool value) {
  return keep(logic, value ? logic->z3.mk_true(logic->context)
                           : logic->z3.mk_false(logic->context));
}

hd_logic_expr hd_logic_const(hd_logic *logic, const char *name,
                             hd_logic_sort sort) {
  Z3_symbol symbol = logic->z3.mk_string_symbol(logic->context, name);
  return keep(logic,
              logic->z3.mk_const(logic->context, symbol, logic->sorts[sort]));
}

hd_logic_expr hd_logic_call(hd_logic *logic, const char *name,
                            hd_logic_sort sort, const hd_logic_expr *args,
                            const hd_logic_sort *sorts, size_t n) {
  hd_vec(Z3_ast) values = {0};
  hd_vec(Z3_sort) domain = {0};
  for (size_t i = 0; i < n; i++) {
    hd_vec_push(&values, ast_of(logic, args[i]));
    hd_vec_push(&domain, logic->sorts[sorts[i]]);
  }
  Z3_func_decl f = logic->z3.mk_func_decl(
      logic->context, logic->z3.mk_string_symbol(logic->context, name),
      (unsigned)n, domain.data, logic->sorts[sort]);
  Z3_ast ast = logic->z3.mk_app(logic->context, f, (unsigned)n, values.data);
  hd_vec_free(&values);
  hd_vec_free(&domain);
  return keep(logic, ast);
}

hd_logic_expr hd_logic_apply(hd_logic *logic, hd_logic_op op,
                             const hd_logic_expr *args, size_t n) {
  const hd_z3 *z3 = &logic->z3;
  Z3_context c = logic->context;
  hd_vec(Z3_ast) v = {0};
  for (size_t i = 0; i < n; i++)
    hd_vec_push(&v, ast_of(logic, args[i]));
  Z3_ast *a = v.data, ast = NULL;
  switch (op) {
  case HD_LOGIC_ADD:
    ast = z3->mk_add(c, (unsigned)n, a);
    break;
  case HD_LOGIC_MUL:
    ast = z3->mk_mul(c, (unsigned)n, a);
    break;
  case HD_LOGIC_RDIV:
  case HD_LOGIC_IDIV:
    ast = z3->mk_div(c, a[0], a[1]);
    break;
  case HD_LOGIC_MOD:
    ast = z3->mk_mod(c, a[0], a[1]);
    break;
  case HD_LOGIC_TOREAL:
    ast = z3->mk_int2real(c, a[0]);
    break;
  case HD_LOGIC_FLOOR:
    ast = z3->mk_real2int(c, a[0]);
    break;
  case HD_LOGIC_ITE:
    ast = z3->mk_ite(c, a[0], a[1], a[2]);
    break;
  case HD_LOGIC_SELECT:
    ast = z3->mk_select(c, a[0], a[1]);
    break;
  case HD_LOGIC_STORE:
    ast = z3->mk_store(c, a[0], a[1], a[2]);
    break;
  case HD_LOGIC_EQ:
    ast = z3->mk_eq(c, a[0], a[1]);
    break;
  case HD_LOGIC_LE:
    ast = z3->mk_le(c, a[0], a[1]);
    break;
  case HD_LOGIC_LT:
    ast = z3->mk_lt(c, a[0], a[1]);
    break;
  case HD_LOGIC_NOT:
    ast = z3->mk_not(c, a[0]);
    break;
  case HD_LOGIC_AND:
    ast = z3->mk_and(c, (unsigned)n, a);
    break;
  case HD_LOGIC_OR:
    ast = z3->mk_or(c, (unsigned)n, a);
    break;
  }
  hd_vec_free(&v);
  return keep(logic, ast);
}

hd_logic_expr hd_logic_fill(hd_logic *logic, hd_logic_expr value) {
  return keep(logic, logic->z3.mk_const_array(logic->context,
                                              logic->sorts[HD_LOGIC_INT],
                                              ast_of(logic, value)));
}

hd_logic_expr hd_logic_quantify(hd_logic *logic, bool forall,
                                hd_logic_expr bound, hd_logic_expr body) {
  Z3_app var = logic->z3.to_app(logic->context, ast_of(logic, bound));
  Z3_ast ast = ast_of(logic, body);
  return keep(logic, forall ? logic->z3.mk_forall_const(logic->context, 0, 1,
                                                        &var, 0, NULL, ast)
                            : logic->z3.mk_exists_const(logic->context, 0, 1,
                                                        &var, 0, NULL, ast));
}

/* --- questions --- */

/* Z3's own steps in a second, roughly; and how much longer a second may take
 * where others work, too. */
enum { STEPS = 1600000, PATIENCE = 6 };

#define SMALL 0.15

static void set_number(hd_logic *logic, Z3_params params, const char *name,
                       double value, unsigned otherwise) {
  logic->z3.params_set_uint(
      logic->context, params, logic->z3.mk_string_symbol(logic->context, name),
      value <= 0 || value > UINT32_MAX ? otherwise : (unsigned)value);
}

static void set_limits(hd_logic *logic, Z3_solver solver, double seconds,
                       double deadline) {
  Z3_params params = logic->z3.mk_params(logic->context);
  logic->z3.params_inc_ref(logic->context, params);
  /* A clock is a thread, for which small questions do not last long enough. */
  bool small = seconds > 0 && seconds <= SMALL;
  double wall = small ? 0 : seconds * PATIENCE;
  if (deadline > 0 && !small) {
    double left = deadline - hd_now();
    left = left > 0.01 ? left : 0.01;
    wall = wall > 0 && wall < left ? wall : left;
  }
  set_number(logic, params, "timeout", wall * 1000, UINT32_MAX);
  set_number(logic, params, "rlimit", seconds * STEPS, 0);
  logic->z3.solver_set_params(logic->context, solver, params);
  logic->z3.params_dec_ref(logic->context, params);
}

static hd_smt_status ask(hd_logic *logic, Z3_solver solver,
                         const hd_logic_expr *facts, size_t n, double seconds,
                         double deadline) {
  const hd_z3 *z3 = &logic->z3;
  z3->solver_reset(logic->context, solver);
  set_limits(logic, solver, seconds, deadline);
  for (size_t i = 0; i < n; i++)
    z3->solver_assert(logic->context, solver, ast_of(logic, facts[i]));
  Z3_lbool answer = z3->solver_check(logic->context, solver);
  if (failed(logic) || answer == Z3_L_UNDEF)
    return HD_SMT_UNKNOWN;
  if (answer == Z3_L_FALSE)
    return HD_SMT_UNSAT;
  logic->model = z3->solver_get_model(logic->context, solver);
  if (!logic->model || failed(logic)) {
    logic->model = NULL;
    return HD_SMT_UNKNOWN;
  }
  z3->model_inc_ref(logic->context, logic->model);
  return HD_SMT_SAT;
}

hd_smt_status hd_logic_check(hd_logic *logic, const hd_logic_expr *facts,
                             size_t n, double seconds, double deadline) {
  drop_model(logic);
  hd_smt_status status =
      ask(logic, logic->quick, facts, n, seconds / 2, deadline);
  if (status != HD_SMT_UNKNOWN)
    return status;
  if (!logic->thorough) {
    logic->thorough = logic->z3.mk_solver(logic->context);
    logic->z3.solver_inc_ref(logic->context, logic->thorough);
  }
  return ask(logic, logic->thorough, facts, n, seconds / 2, deadline);
}

bool hd_logic_value(hd_logic *logic, hd_logic_expr expr, hd_str *out) {
  if (!logic->model)
    return false;
  Z3_ast value = NULL;
  if (!logic->z3.model_eval(logic->context, logic->model, ast_of(logic, expr),
                            true, &value) ||
      !logic->z3.is_numeral_ast(logic->context, value))
    return false;
  hd_str_puts(out, logic->z3.get_numeral_string(logic->context, value));
  return true;
}
