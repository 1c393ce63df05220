/* SPDX-License-Identifier: MIT */
/* The engine: equation and search take turns.
 *
 * First each target is tried with a little strengthening, which is enough for
 * nearly every safe system that can be proved at all. For what stays open,
 * rounds follow: a forward search with a bound on its configurations, then
 * strengthening with a bound on its simplex iterations, both larger in each
 * round. All bounds are counts of work, so that a run does not depend on the
 * machine. It ends with a proof of every target, with a witness, when the
 * search has seen everything there is, or after the last round with
 * HD_UNKNOWN.
 *
 * The search starts with the number of tokens that the solution uses; paper 002
 * asks the equation for more and more of them ("n > n-bar"), but idle threads
 * satisfy that, so the equation stays satisfiable and only the search goes
 * on. */
#include "engine/tse/tse.h"
#include "engine/fws/fws.h"
#include "engine/tse/strengthen.h"

#include <math.h>

/* Simplex iterations for each target, then configurations of a search. The
 * first row is one program a target, which proves three of four safe systems of
 * the benchmarks; the second proves the rest of them but one. */
static const struct {
  uint64_t effort, configs;
} rounds[] = {{0, 4000}, {2000, 30000}, {16000, 250000}, {128000, 2000000}};

typedef struct {
  const hd_problem *problem;
  hd_run *run;
  hd_result *result;
  hd_cert *cert;
  hd_strong *strong;
  hd_u32s open;    /* targets not excluded yet */
  bool settled;    /* strengthening has nothing left to try */
  uint32_t tokens; /* that the solutions use: the bound to start from */
  uint64_t searches, configs;
} job;

/* What the distance of the initial configuration is scaled to. Tokens in excess
 * of what the target needs make distances negative; twice as much is added to
 * all, so that they still differ. */
#define SCALE 20000

static uint32_t as_count(double x) {
  return x < 1 ? 1 : x > HD_COUNT_MAX ? HD_COUNT_MAX : (uint32_t)ceil(x - 1e-6);
}

/* Tokens a run like the solution needs besides those that stay in unbounded
 * places: at the end, or taken from them on the way. */
static uint32_t tokens_used(hd_eq *eq) {
  const hd_net *net = hd_eq_net(eq);
  double taken = 0, left = 0;
  for (hd_place_id p = 0; p < net->n_places; p++) {
    double count = hd_eq_marking(eq, p);
    if (net->init[p].max != HD_OMEGA) {
      left += count;
      taken += net->init[p].max;
    } else if (count < 0) {
      taken -= count;
    }
  }
  return as_count(taken > left ? taken : left);
}

/* Tries to exclude the open targets; keeps those that resist. */
static void exclude_open(job *j, uint64_t effort) {
  const hd_net *net = j->problem->net;
  size_t kept = 0;
  uint32_t tokens = 0;
  j->settled = true;
  for (size_t i = 0; i < j->open.size; i++) {
    uint32_t index = j->open.data[i];
    const hd_target *target = &net->targets.data[index];
    hd_tokens need = hd_net_view(net, target->need);
    if (hd_eq_known(j->cert, j->problem->tset, target->shared, need))
      continue;
    bool settled = false;
    hd_eq_status status = HD_EQ_UNKNOWN;
    if (hd_run_check(j->run))
      status = hd_strong_exclude(j->strong, target->shared, need, effort,
                                 j->run, &settled);
    if (status == HD_EQ_EXCLUDED)
      continue;
    j->settled = j->settled && settled;
    if (status == HD_EQ_POSSIBLE) {
      uint32_t used = tokens_used(hd_strong_equation(j->strong));
      tokens = !tokens || used < tokens ? used : tokens;
    }
    j->open.data[kept++] = index;
  }
  j->open.size = kept;
  j->tokens = tokens ? tokens : 1;
}

static void say_safe(job *j) {
  if (j->problem->tset && j->problem->tset->rows)
    hd_cert_copy_rows(j->cert, j->problem->tset);
  j->result->verdict = HD_SAFE;
  j->result->cert = j->cert;
  j->cert = NULL;
}

/* Takes over the verdict and the evidence of a search. */
static void take_over(hd_result *into, hd_result *from) {
  into->verdict = from->verdict;
  into->witness = from->witness;
  into->cert = from->cert;
  into->reason = from->reason;
  from->witness = NULL;
  from->cert = NULL;
  from->reason = NULL;
}

/* A forward search of at most j->configs configurations with at most
 * `last_bound` tokens (0: any number), directed by `guide` or, without one, by
 * what fws chooses; true when it decided. */
static bool search(job *j, const hd_linear *guide, uint32_t last_bound) {
  hd_fws_options options = {.order = HD_FWS_DIRECTED,
                            .first_bound = j->tokens,
                            .last_bound = last_bound,
                            .max_configs = j->configs,
                            .guide = guide};
  hd_result found = {0};
  hd_fws_end end = hd_fws_search_with(j->problem, &options, j->run, &found);
  j->searches++;
  bool decided = end == HD_FWS_FOUND || end == HD_FWS_EXHAUSTED;
  if (decided)
    take_over(j->result, &found);
  hd_result_free(&found);
  return decided;
}

/* The same, directed by the equation of the first open target: how many firings
 * are missing, as its dual solution says. The first two rounds allow as many
 * tokens as the solution uses, each later one twice as many as the one before. */
static bool search_by_equation(job *j, unsigned round) {
  const hd_net *net = j->problem->net;
  const hd_target *target = &net->targets.data[j->open.data[0]];
  hd_tokens need = hd_net_view(net, target->need);
  hd_eq *eq = hd_strong_equation(j->strong);
  if (hd_eq_exclude(eq, target->shared, need, j->run) != HD_EQ_POSSIBLE)
    return false;
  double length = hd_eq_length(eq);
  hd_linear distance = {0};
  hd_eq_distance(eq, length > 200 ? SCALE / length : SCALE / 200, need,
                 &distance);
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    distance.potential[s] += 2 * SCALE;
  uint64_t most = (uint64_t)j->tokens << (round > 1 ? round - 1 : 0);
  if (most > HD_COUNT_MAX)
    most = HD_COUNT_MAX;
  if (j->problem->max_threads && most > j->problem->max_threads)
    most = j->problem->max_threads;
  bool decided = search(j, &distance, (uint32_t)most);
  hd_free(distance.potential);
  hd_free(distance.weight);
  return decided;
}

static void say_unknown(job *j) {
  if (j->run->stop != HD_RUNNING) {
    hd_result_unknown(j->result, "%s", hd_run_why(j->run));
    return;
  }
  hd_result_unknown(
      j->result,
      "the state equation has a solution with %u tokens for %zu of %zu "
      "targets, "
      "and searches of %llu configurations found no witness; try --engine=bws",
      j->tokens, j->open.size, j->problem->net->targets.size,
      (unsigned long long)(2 * j->configs));
}

static void decide(job *j) {
  for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
    if (!j->settled)
      exclude_open(j, rounds[i].effort);
    if (!j->open.size || !hd_run_check(j->run))
      break;
    j->configs = rounds[i].configs;
    if (search(j, NULL, j->problem->max_threads) ||
        search_by_equation(j, (unsigned)i))
      return;
  }
  if (j->open.size)
    say_unknown(j);
  else
    say_safe(j);
}

static void report(job *j) {
  const hd_eq_stats *s = hd_eq_get_stats(hd_strong_equation(j->strong));
  hd_result *r = j->result;
  hd_result_stat(r, "tse.programs", "", (double)s->programs,
                 "linear programs solved");
  hd_result_stat(r, "tse.iterations", "", (double)s->iterations,
                 "simplex iterations in all");
  hd_result_stat(r, "tse.inequalities", "", (double)s->excluded,
                 "inductive inequalities found");
  hd_result_stat(r, "tse.repaired", "", (double)s->repaired,
                 "of them by rational elimination, not by rounding");
  hd_result_stat(r, "tse.inexact", "", (double)s->inexact,
                 "programs infeasible in floating point only");
  hd_result_stat(r, "tse.traps", "", (double)s->traps, "trap rows added");
  hd_result_stat(r, "tse.dead", "", (double)s->dead,
                 "transitions shown never to fire");
  hd_result_stat(r, "tse.searches", "", (double)j->searches,
                 "forward searches");
}

static void run_tse(const hd_problem *problem, hd_run *run, hd_result *result) {
  const hd_net *net = problem->net;
  job j = {.problem = problem, .run = run, .result = result};
  j.cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
  j.strong = hd_strong_new(net, problem->tset, j.cert);
  for (uint32_t i = 0; i < net->targets.size; i++)
    hd_vec_push(&j.open, i);
  decide(&j);
  report(&j);
  hd_strong_delete(j.strong);
  hd_cert_delete(j.cert);
  hd_vec_free(&j.open);
}

const hd_engine hd_tse_engine = {
    .name = "tse",
    .summary = "state equation: proofs by linear arithmetic, bugs by guided "
               "search; incomplete",
    .unsliced = true,
    .run = run_tse,
};
