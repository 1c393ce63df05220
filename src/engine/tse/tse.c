/* SPDX-License-Identifier: MIT */
/* The engine: equation and search take turns.
 *
 * In each round every open target is tried with some strengthening; then forward
 * searches with a bound on their configurations look for a witness, one directed
 * by the equation, one by what fws chooses; and between them threads are counted
 * up to a small number (saturate.h), which proves what only a few threads can
 * do once. All bounds are counts of work and grow from round to round, so that a
 * run does not depend on the machine. It ends with a proof of every target, with a witness, when a search
 * has seen everything there is, or after the last round with HD_UNKNOWN.
 *
 * The searches start with the number of tokens that the solution uses; paper
 * 002 asks the equation for more and more of them ("n > n-bar"), but idle
 * threads satisfy that, so the equation stays satisfiable and only the search
 * goes on. */
#include "engine/tse/tse.h"
#include "engine/fws/fws.h"
#include "engine/tse/campaign.h"
#include "engine/tse/integral.h"
#include "engine/tse/saturate.h"

/* Simplex iterations for each target; configurations of the search that the
 * equation directs and of the other one; with how much work threads are
 * counted. The first row is one program a target, which proves three of
 * four safe systems of the benchmarks, and what takes a few milliseconds. */
static const struct {
  uint64_t effort, directed, other, work;
} rounds[] = {{0, 4000, 0, 400000},
              {0, 80000, 40000, 1000000},
              {2000, 100000, 60000, 3000000},
              {16000, 250000, 250000, 10000000},
              {128000, 2000000, 2000000, 100000000}};

/* What the distance of the initial configuration is scaled to. Tokens in excess
 * of what the target needs make distances negative; twice as much is added to
 * all, so that they still differ. */
#define SCALE 20000

/* Transitions up to which an integer solution is asked for at the very end; it
 * takes a fraction of a second then. */
#define MAX_INTEGER 3000

typedef struct {
  const hd_problem *problem;
  hd_run *run;
  hd_result *result;
  hd_campaign campaign;
  uint64_t searches, configs; /* configs: of all searches */
  hd_count *most;             /* threads counted up to, in each place */
  hd_result exhausted; /* HD_SAFE when a search has seen everything: used when
                          no inequalities say it shorter */
} job;

static void say_safe(job *j, hd_cert *cert) {
  j->result->verdict = HD_SAFE;
  j->result->cert = cert;
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

/* A forward search of at most `configs` configurations with at most `last_bound`
 * tokens (0: any number), directed by `guide` or, without one, by what fws
 * chooses; true when it found a witness or saw everything. */
static bool search(job *j, uint64_t configs, const hd_linear *guide,
                   uint32_t last_bound) {
  hd_fws_options options = {.order = HD_FWS_DIRECTED,
                            .first_bound = j->campaign.tokens,
                            .last_bound = last_bound,
                            .max_configs = configs,
                            .guide = guide};
  hd_result found = {0};
  hd_fws_end end = hd_fws_search_with(j->problem, &options, j->run, &found);
  j->searches++;
  j->configs += configs;
  if (end == HD_FWS_FOUND)
    take_over(j->result, &found);
  else if (end == HD_FWS_EXHAUSTED)
    take_over(&j->exhausted, &found);
  hd_result_free(&found);
  return end == HD_FWS_FOUND || end == HD_FWS_EXHAUSTED;
}

/* The same, directed by the equation of the first open target: how many firings
 * are missing, as its dual solution says. The first three rounds allow as many
 * tokens as the solution uses, each later one twice as many as the one before. */
static bool search_by_equation(job *j, unsigned round) {
  const hd_net *net = j->problem->net;
  const hd_target *target = &net->targets.data[j->campaign.open.data[0]];
  hd_tokens need = hd_net_view(net, target->need);
  hd_eq *eq = hd_strong_equation(j->campaign.strong);
  if (hd_eq_exclude(eq, target->shared, need, j->run) != HD_EQ_POSSIBLE)
    return false;
  double length = hd_eq_length(eq);
  hd_linear distance = {0};
  hd_eq_distance(eq, length > 200 ? SCALE / length : SCALE / 200, need,
                 &distance);
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    distance.potential[s] += 2 * SCALE;
  uint64_t most = (uint64_t)j->campaign.tokens << (round > 2 ? round - 2 : 0);
  if (most > HD_COUNT_MAX)
    most = HD_COUNT_MAX;
  if (j->problem->max_threads && most > j->problem->max_threads)
    most = j->problem->max_threads;
  bool over = search(j, rounds[round].directed, &distance, (uint32_t)most);
  hd_free(distance.potential);
  hd_free(distance.weight);
  return over;
}

/* Only for the reason: an integer solution, or that there is none. */
static hd_integral_status ask_integers(const job *j) {
  const hd_net *net = j->problem->net;
  const hd_target *target = &net->targets.data[j->campaign.open.data[0]];
  double left = j->run->deadline > 0 ? j->run->deadline - hd_now() : 0;
  if (net->trans.size > MAX_INTEGER)
    return HD_INTEGRAL_UNKNOWN;
  return hd_eq_integral(hd_strong_equation(j->campaign.strong), target->shared,
                        hd_net_view(net, target->need), left);
}

static void say_unknown(job *j) {
  if (j->run->stop != HD_RUNNING)
    hd_result_unknown(j->result, "%s", hd_run_why(j->run));
  else if (ask_integers(j) == HD_INTEGRAL_NONE)
    hd_result_unknown(j->result,
                      "the state equation has rational but no integer "
                      "solutions, so it proves nothing that could be checked; "
                      "try --engine=bws");
  else
    hd_result_unknown(
        j->result,
        "the state equation has a solution (tokens: %u) for %zu of %zu "
        "targets, and searches of %llu configurations found no witness; try "
        "--engine=bws",
        j->campaign.tokens, j->campaign.open.size,
        j->problem->net->targets.size, (unsigned long long)j->configs);
}

/* A proof or a witness by counting up to a small number. */
static bool count_threads(job *j, unsigned round) {
  hd_saturated found = hd_saturate(j->problem->net, j->problem->tset, j->most,
                                   rounds[round].work, j->run);
  if (found.cert) {
    say_safe(j, found.cert);
    return true;
  }
  if (!found.witness)
    return false;
  if (j->problem->max_threads) { /* it may use more */
    hd_witness_delete(found.witness);
    return false;
  }
  j->result->verdict = HD_UNSAFE;
  j->result->witness = found.witness;
  return true;
}

/* What looks for both; true when there is a verdict. */
static bool look(job *j, unsigned round) {
  if (search_by_equation(j, round))
    return j->result->verdict == HD_UNSAFE;
  if (count_threads(j, round))
    return true;
  if (rounds[round].other)
    search(j, rounds[round].other, NULL, j->problem->max_threads);
  return j->result->verdict == HD_UNSAFE;
}

static void decide(job *j) {
  hd_campaign *c = &j->campaign;
  for (unsigned i = 0; i < sizeof rounds / sizeof *rounds; i++) {
    if (!c->settled && (!i || rounds[i].effort))
      hd_campaign_exclude(c, rounds[i].effort, j->run);
    if (!c->open.size) {
      say_safe(j, hd_campaign_take(c));
      return;
    }
    if (j->exhausted.verdict == HD_SAFE || !hd_run_check(j->run))
      break;
    if (look(j, i))
      return;
  }
  if (j->exhausted.verdict == HD_SAFE)
    take_over(j->result, &j->exhausted);
  else
    say_unknown(j);
}

static hd_count most_counted(const job *j) {
  hd_count most = 0;
  for (hd_place_id p = 0; p < j->problem->net->n_places; p++)
    most = j->most[p] > most ? j->most[p] : most;
  return most;
}

static void report(job *j) {
  const hd_eq_stats *s =
      hd_eq_get_stats(hd_strong_equation(j->campaign.strong));
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
  hd_result_stat(r, "tse.dead", "", (double)hd_strong_dead(j->campaign.strong),
                 "transitions shown never to fire");
  hd_result_stat(r, "tse.counted", "", (double)most_counted(j),
                 "threads counted up to, in the place where most");
  hd_result_stat(r, "tse.searches", "", (double)j->searches,
                 "forward searches");
}

static void run_tse(const hd_problem *problem, hd_run *run, hd_result *result) {
  job j = {.problem = problem, .run = run, .result = result};
  hd_campaign_init(&j.campaign, problem->net, problem->tset);
  j.most = hd_calloc(problem->net->n_places, sizeof *j.most);
  for (hd_place_id p = 0; p < problem->net->n_places; p++)
    j.most[p] = 1;
  decide(&j);
  report(&j);
  hd_campaign_free(&j.campaign);
  hd_free(j.most);
  hd_result_free(&j.exhausted);
}

const hd_engine hd_tse_engine = {
    .name = "tse",
    .summary = "state equation: proofs by linear arithmetic, bugs by guided "
               "search; incomplete",
    .unsliced = true, /* traps and inequalities must hold for all that fires */
    .run = run_tse,
};
