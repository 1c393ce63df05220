/* SPDX-License-Identifier: MIT */
#include "engine/weave/weave.h"

#include "engine/weave/weave_impl.h"
#include "solve/horn.h"

enum { SPACER_TUPLES = 3000 };

static const char engine_name[] = "weave";

/* A share of what is left, and never long: what Spacer has not found by then it
 * seldom finds, and others wait. */
static double time_left(const hd_run *run, double share, double most) {
  double left = run->deadline > 0 ? run->deadline - hd_now() : most;
  left = left * share < most ? left * share : most;
  return left > 0.05 ? left : 0.05;
}

typedef struct {
  weave_program *p;
  weave_product product;
  hd_run *run;
  bool done; /* proved, or refused */
  hd_smt_status status;
} prover;

/* By what is known at each tuple, or (`spacer`) by what Spacer finds besides. */
static void attempt(prover *c, bool strict, bool spacer, double share) {
  if (c->done || !hd_run_check(c->run) ||
      (spacer && c->product.tuples.size > SPACER_TUPLES))
    return;
  char **known = hd_weave_equations(c->p, &c->product, strict, c->run);
  hd_str text = {0};
  hd_smt_status status = HD_SMT_UNKNOWN;
  if (hd_run_check(c->run) &&
      hd_weave_clauses(c->p, &c->product, strict, !spacer, known, &text)) {
    double seconds = time_left(c->run, share, spacer ? 10 : 30);
    if (spacer)
      status = hd_horn_solve(hd_str_text(&text), seconds);
    else if (hd_horn_linear(hd_str_text(&text), seconds) == HD_SMT_UNSAT)
      status = HD_SMT_SAT;
  }
  for (size_t i = 0; i < c->product.tuples.size; i++)
    hd_free(known[i]);
  hd_free(known);
  hd_str_free(&text);
  if (spacer || status == HD_SMT_SAT)
    c->status = status;
  c->done = status == HD_SMT_SAT || c->p->failed;
}

/* The product, with the values of small variables as part of where all stand, or
 * without them. False: it is too large, or nothing is small. */
static bool multiply(prover *c, bool fine) {
  weave_product made = {0};
  if (c->done)
    return false;
  hd_vec_clear(&c->p->small);
  if (fine)
    hd_weave_find_small(c->p);
  if (fine && !c->p->small.size)
    return false;
  bool good = hd_weave_multiply(c->p, c->run, &made);
  if (fine) { /* then it is as it was */
    c->p->failed = false;
    hd_vec_clear(c->p->why);
  }
  if (!good || (fine && !c->p->small.size)) {
    hd_weave_product_free(&made);
    return false;
  }
  hd_weave_product_free(&c->product);
  c->product = made;
  if (!made.useful[0]) { /* nothing can fail, as far as control tells */
    c->status = HD_SMT_SAT;
    c->done = true;
  }
  return true;
}

static void prove(prover *c) {
  if (!multiply(c, false))
    return;
  attempt(c, true, false, 0.2);
  attempt(c, false, false, 0.2);
  bool fine = multiply(c, true);
  if (fine) {
    attempt(c, true, false, 0.3);
    attempt(c, false, false, 0.3);
    (void)multiply(c, false);
  } else {
    hd_vec_clear(&c->p->small);
  }
  attempt(c, true, true, 0.4);
  if (fine && multiply(c, true))
    attempt(c, true, true, 0.5);
  attempt(c, false, true, 0.95);
}

bool hd_weave_applies(const hd_code *code) {
  weave_program p;
  hd_str why = {0};
  bool good = hd_weave_read(code, false, &p, &why);
  hd_weave_free(&p);
  hd_str_free(&why);
  return good;
}

void hd_weave_prove(const hd_code *code, bool malloc_fails, hd_run *run,
                    hd_result *result) {
  weave_program p;
  hd_str why = {0};
  prover c = {.p = &p, .run = run, .status = HD_SMT_UNKNOWN};
  result->engine = engine_name;
  if (hd_weave_read(code, malloc_fails, &p, &why)) {
    hd_weave_analyse(&p);
    prove(&c);
  }
  if (p.failed)
    hd_result_unknown(result, "%s", hd_str_text(&why));
  else if (c.status == HD_SMT_SAT)
    result->verdict = HD_SAFE;
  else if (c.status == HD_SMT_UNSAT)
    hd_result_unknown(result, "an assertion may fail, or a number leave its "
                              "type, as far as weave can tell");
  else
    hd_result_unknown(result, "Spacer does not find an invariant");
  hd_result_stat(result, "weave.threads", "", p.n_threads, "with main");
  hd_result_stat(result, "weave.tuples", "", (double)c.product.tuples.size,
                 "where all threads stand");
  hd_result_stat(result, "weave.small", "", (double)p.small.size,
                 "variables whose values are part of that");
  hd_result_stat(result, "weave.moves", "", (double)c.product.moves.size,
                 "from one to another");
  hd_str_free(&why);
  hd_weave_product_free(&c.product);
  hd_weave_free(&p);
}
