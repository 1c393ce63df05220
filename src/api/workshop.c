/* SPDX-License-Identifier: MIT */
#include "api/workshop.h"

#include "engine/bws/bws.h"
#include "engine/concolic/concolic.h"

void hd_workshop_drop(hd_result *result) {
  hd_witness_delete(result->witness);
  hd_cert_delete(result->cert);
  hd_free(result->reason);
  result->witness = NULL;
  result->cert = NULL;
  result->reason = NULL;
  result->verdict = HD_UNKNOWN;
}

static void run_engine(const hd_engine *engine, const hd_problem *problem,
                       hd_run *run, hd_result *result) {
  double before = hd_now();
  hd_workshop_drop(result);
  result->engine = engine->name;
  engine->run(problem, run, result);
  static const char *const prefix = "time.engine";
  hd_result_stat(result, prefix, "s", hd_now() - before, engine->name);
}

/* Runs one engine for at most `seconds` of the run's time, and `ticks` of its
 * steps; 0 = no such limit. */
static void run_stage(const hd_engine *engine, double seconds, uint64_t ticks,
                      const hd_problem *problem, hd_run *run,
                      hd_result *result) {
  hd_run mine = *run;
  if (ticks)
    mine.steps = mine.ticks + ticks;
  double until = hd_now() + seconds;
  if (seconds > 0 && (mine.deadline <= 0 || until < mine.deadline))
    mine.deadline = until;
  run_engine(engine, problem, &mine, result);
  run->ticks = mine.ticks;
  run->next_show = mine.next_show;
  /* Running out of this stage's share, or of memory that is free again now,
   * does not end the run. */
  bool own_share =
      (mine.stop == HD_STOP_TIME && mine.deadline != run->deadline) ||
      (mine.stop == HD_STOP_STEPS && mine.steps != run->steps);
  if (!own_share && mine.stop != HD_STOP_MEMORY && run->stop == HD_RUNNING)
    run->stop = mine.stop;
}

static const hd_reduced *reduction_for(hd_workshop *w,
                                       const hd_engine *engine) {
  if (!engine->unsliced || !w->sliced)
    return w->sliced;
  if (!w->unsliced)
    w->unsliced = hd_reduce_forward(w->input);
  return w->unsliced;
}

/* Backward search alone decides most systems before a linear program is set up.
 * What it does not decide with some 15 ms of work, and about as much as the
 * program takes, the state equation helps with: everything it excludes need not
 * be searched. */
static uint64_t plain_work(const hd_net *net) {
  return 20000 + 4 * net->trans.size;
}

static void report_pool(const hd_tse_pool *pool, const hd_engine *engine,
                        hd_result *result) {
  bool bws = engine == &hd_bws_engine;
  hd_tse_pool_stats s = hd_tse_pool_get_stats(pool);
  hd_result_stat(result, bws ? "bws.inequalities" : "concolic.inequalities", "",
                 (double)s.inequalities,
                 "linear inequalities used for pruning");
  hd_result_stat(result, bws ? "bws.programs" : "concolic.programs", "",
                 (double)s.programs,
                 "linear programs solved for single configurations");
}

/* The pool speaks about every transition that can fire, and so is right for
 * those that are left of them. */
static void run_pruned(hd_workshop *w, const hd_engine *engine, double seconds,
                       hd_run *run, hd_result *result) {
  double before = hd_now();
  if (!w->unsliced)
    w->unsliced = hd_reduce_forward(w->input);
  if (!w->pool)
    w->pool = hd_tse_pool_new(w->unsliced->net, w->unsliced->tset, run);
  hd_tse_pool_use(w->pool, run);
  hd_problem problem = w->problem;
  problem.net = w->sliced->net;
  problem.tset = w->sliced->tset;
  problem.invariants = hd_tse_pool_cert(w->pool);
  problem.exclude = hd_tse_pool_exclude;
  problem.exclude_context = w->pool;
  double left = seconds > 0 ? seconds - (hd_now() - before) : 0;
  if (seconds > 0 && left <= 0)
    return;
  run_stage(engine, left, 0, &problem, run, result);
  report_pool(w->pool, engine, result);
  if (result->verdict != HD_UNKNOWN)
    hd_reduced_lift(w->sliced, w->input, result);
}

static void run_reduced(hd_workshop *w, const hd_engine *engine, double seconds,
                        uint64_t ticks, hd_run *run, hd_result *result);

/* For the engines that search backward: bws and concolic. */
static void run_backward(hd_workshop *w, const hd_engine *engine,
                         double seconds, hd_run *run, hd_result *result) {
  bool prune = w->sliced && w->pruning != HD_PRUNE_NEVER;
  double end = hd_now() + seconds;
  if (!prune || w->pruning != HD_PRUNE_ALWAYS)
    run_reduced(w, engine, seconds, prune ? plain_work(w->sliced->net) : 0, run,
                result);
  double left = seconds > 0 ? end - hd_now() : 0;
  if (prune && result->verdict == HD_UNKNOWN && (left > 0 || seconds <= 0) &&
      hd_run_check(run))
    run_pruned(w, engine, left, run, result);
}

void hd_workshop_run(hd_workshop *w, const hd_engine *engine, double seconds,
                     hd_run *run, hd_result *result) {
  if (engine == &hd_bws_engine || engine == &hd_concolic_engine)
    run_backward(w, engine, seconds, run, result);
  else
    run_reduced(w, engine, seconds, 0, run, result);
}

static void run_reduced(hd_workshop *w, const hd_engine *engine, double seconds,
                        uint64_t ticks, hd_run *run, hd_result *result) {
  const hd_reduced *reduced = reduction_for(w, engine);
  hd_problem problem = w->problem;
  problem.net = reduced ? reduced->net : w->input;
  problem.tset = reduced ? reduced->tset : NULL;
  run_stage(engine, seconds, ticks, &problem, run, result);
  if (reduced && result->verdict != HD_UNKNOWN)
    hd_reduced_lift(reduced, w->input, result);
}

void hd_workshop_prepare(hd_workshop *w, const hd_engine *engine) {
  (void)reduction_for(w, engine);
}

void hd_workshop_judge(hd_workshop *w, hd_result *result) {
  if (result->verdict == HD_UNKNOWN || w->no_check)
    return;
  w->checked = hd_verify_evidence(w->input, result);
  if (w->checked || w->rejected)
    return;
  hd_str text = {0};
  hd_str_printf(&text,
                "%s (a bug in heddle: please report it with the input); the "
                "verdict is another engine's",
                result->reason);
  w->rejected = hd_str_take(&text);
}

void hd_workshop_free(hd_workshop *w) {
  hd_tse_pool_delete(w->pool);
  hd_reduced_delete(w->sliced);
  hd_reduced_delete(w->unsliced);
  hd_free(w->rejected);
  hd_free(w->failed);
}
