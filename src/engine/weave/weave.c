/* SPDX-License-Identifier: MIT */
#include "engine/weave/weave.h"

#include "engine/weave/weave_impl.h"
#include "solve/horn.h"

static const char engine_name[] = "weave";

static double time_left(const hd_run *run, double share) {
  const double most = 600;
  double left = run->deadline > 0 ? run->deadline - hd_now() : most;
  left *= share;
  return left > 0.05 ? left : 0.05;
}

/* With numbers with a sign, or without. */
static hd_smt_status attempt(weave_program *p, const weave_product *product,
                             bool plain, double share, hd_run *run) {
  char **equations = hd_weave_equations(p, product, plain, run);
  hd_str text = {0};
  hd_smt_status status = HD_SMT_UNKNOWN;
  if (hd_run_check(run) &&
      hd_weave_clauses(p, product, plain, equations, &text))
    status = hd_horn_solve(hd_str_text(&text), time_left(run, share));
  for (size_t i = 0; i < product->tuples.size; i++)
    hd_free(equations[i]);
  hd_free(equations);
  hd_str_free(&text);
  return status;
}

bool hd_weave_applies(const hd_code *code) {
  weave_program p;
  hd_str why = {0};
  bool good = hd_weave_read(code, &p, &why);
  hd_weave_free(&p);
  hd_str_free(&why);
  return good;
}

void hd_weave_prove(const hd_code *code, hd_run *run, hd_result *result) {
  weave_program p;
  weave_product product = {0};
  hd_str why = {0};
  result->engine = engine_name;
  bool good = hd_weave_read(code, &p, &why);
  if (good) {
    hd_weave_analyse(&p);
    good = hd_weave_multiply(&p, run, &product);
  }
  hd_smt_status status = HD_SMT_UNKNOWN;
  if (good)
    status = attempt(&p, &product, false, 0.6, run);
  if (good && status != HD_SMT_SAT && !p.failed && hd_run_check(run))
    status = attempt(&p, &product, true, 0.95, run);
  if (p.failed)
    hd_result_unknown(result, "%s", hd_str_text(&why));
  else if (status == HD_SMT_SAT)
    result->verdict = HD_SAFE;
  else if (status == HD_SMT_UNSAT)
    hd_result_unknown(result, "an assertion may fail, or a number leave its "
                              "type, as far as weave can tell");
  else
    hd_result_unknown(result, "Spacer does not find an invariant");
  hd_result_stat(result, "weave.threads", "", p.n_threads, "with main");
  hd_result_stat(result, "weave.tuples", "", (double)product.tuples.size,
                 "where all threads stand");
  hd_result_stat(result, "weave.moves", "", (double)product.moves.size,
                 "from one to another");
  hd_str_free(&why);
  hd_vec_free(&product.tuples);
  hd_vec_free(&product.moves);
  hd_weave_free(&p);
}
