/* SPDX-License-Identifier: MIT */
/* The engine: paths first, then what they leave.
 *
 *   1. Quotient. No way from the initial shared state to a goal: safe, and the
 *      shared states that are reached are the certificate.
 *   2. Paths (paths.h). One that works: unsafe.
 *   3. What is left, if anything:
 *        - ends parked at spaghetti components: explicit search from the
 *          targets, which gives a certificate, or from those ends when that
 *          saves many rounds of a loop;
 *        - too many paths: explicit search from the targets over the union of
 *          all paths. The statistics say so (concolic.fallback).
 *   4. Nothing found: safe. Without a certificate so far, a bounded search for
 *      one.
 *
 * Explicit search is the sweep where the thread view is direct, and bws on the
 * net, restricted to the transitions the quotient kept, otherwise.
 *
 * Every step is exact, so the verdict is; and nothing is said about systems
 * whose counts pass HD_COUNT_MAX. */
#include "engine/concolic/concolic.h"

#include "engine/bws/bws.h"
#include "engine/concolic/paths.h"
#include "engine/concolic/sweep.h"

#include <string.h>

/* Ends followed before the union is searched instead. */
#define END_LIMIT 20000
/* Steps of a witness; more are not written down. */
#define STEP_LIMIT 20000000
/* Rounds of a loop that are gone through one by one. */
#define ROUND_LIMIT 64
/* Steps of bws for a certificate after a proof by summaries. */
#define CERTIFICATE_STEPS 5000

#define FALLBACK_HELP "1: too many paths, their union was searched"

typedef struct {
  const hd_problem *problem;
  hd_run *run;
  hd_result *result;
  hd_threads *view;
  hd_quotient *quotient;
  hd_paths paths;
  bool fallback;
} task;

static const hd_cert *tset_of(const hd_problem *problem) {
  return problem->no_pruning ? NULL : problem->tset;
}

/* ---- evidence ---- */

/* Maps a run of the view to transitions and completes it. */
static void set_witness(task *t, const hd_u32s *edges, uint32_t goal) {
  hd_witness *witness = hd_witness_new();
  witness->target = t->view->goals.data[goal].target;
  for (hd_vec_each(const uint32_t, i, edges))
    if (t->view->edges.data[*i].last)
      hd_vec_push(&witness->steps,
                  ((hd_step){.trans = t->view->edges.data[*i].origin}));
  if (!hd_witness_find_init(witness, t->problem->net))
    hd_bug("concolic found a run that cannot be replayed");
  t->result->verdict = HD_UNSAFE;
  t->result->witness = witness;
}

static void set_too_long(task *t) {
  hd_result_unknown(t->result,
                    "the target is reachable, but only by runs of more than "
                    "%d steps; try --engine=km",
                    STEP_LIMIT);
}

static void witness_from_path(task *t) {
  hd_u32s edges = {0};
  const hd_path *path = &t->paths.found;
  if (hd_paths_unroll(&t->paths, path, STEP_LIMIT, &edges))
    set_witness(t, &edges, t->paths.ends.data[path->end].goal);
  else
    set_too_long(t);
  hd_vec_free(&edges);
}

/* No target can be reached over the shared states alone. */
static void certify_by_shared(task *t) {
  const hd_net *net = t->problem->net;
  hd_cert *cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
  hd_cert_add_rows(cert);
  for (hd_shared_id s = 0; s < net->n_shared; s++) {
    if (!hd_bits_test(t->quotient->reached, s))
      continue;
    const hd_cert *tset = tset_of(t->problem);
    const uint64_t *row = tset && tset->rows ? tset->rows[s] : NULL;
    for (hd_place_id p = 0; p < net->n_places; p++)
      if (!row || hd_bits_test(row, p))
        hd_bits_set(hd_cert_row(cert, s), p);
  }
  t->result->verdict = HD_SAFE;
  t->result->cert = cert;
}

/* ---- explicit search ---- */

/* The transitions that the quotient kept an edge of. */
static void list_kept(const task *t, hd_u32s *ids) {
  const hd_net *net = t->problem->net;
  uint64_t *keep = hd_calloc(hd_bits_words(net->trans.size) + 1, sizeof *keep);
  for (uint32_t i = 0; i < t->view->edges.size; i++)
    if (hd_bits_test(t->quotient->used, i))
      hd_bits_set(keep, t->view->edges.data[i].origin);
  for (hd_trans_id id = 0; id < net->trans.size; id++)
    if (hd_bits_test(keep, id))
      hd_vec_push(ids, id);
  hd_free(keep);
}

/* Takes the shared states that no walk reaches out of the T part: a basis for
 * the transitions kept is then one for all. */
static void restrict_rows(const task *t, hd_cert *cert) {
  bool all = !cert->rows;
  if (all)
    hd_cert_add_rows(cert);
  for (hd_shared_id s = 0; s < cert->n_shared; s++) {
    if (!hd_bits_test(t->quotient->reached, s)) {
      hd_free(cert->rows[s]);
      cert->rows[s] = NULL;
    } else if (all)
      for (hd_place_id p = 0; p < cert->n_places; p++)
        hd_bits_set(hd_cert_row(cert, s), p);
  }
}

/* bws on the union, its evidence turned into evidence for the net. */
static void search_by_bws(task *t) {
  hd_u32s ids = {0};
  list_kept(t, &ids);
  hd_net *net = hd_net_restrict(t->problem->net, ids.data, ids.size);
  hd_problem problem = *t->problem;
  problem.net = net;
  hd_result mine = {0};
  hd_bws_engine.run(&problem, t->run, &mine);
  t->result->verdict = mine.verdict;
  t->result->reason = mine.reason;
  t->result->witness = mine.witness;
  t->result->cert = mine.cert;
  mine.reason = NULL;
  mine.witness = NULL;
  mine.cert = NULL;
  hd_result_add_stats(t->result, &mine);
  hd_result_free(&mine);
  if (t->result->witness)
    for (hd_vec_each(hd_step, step, &t->result->witness->steps))
      step->trans = ids.data[step->trans];
  if (t->result->cert)
    restrict_rows(t, t->result->cert);
  hd_net_delete(net);
  hd_vec_free(&ids);
}

static void seed_goals(const task *t, hd_sweep *sweep) {
  const hd_net *net = t->problem->net;
  for (uint32_t i = 0; i < t->view->goals.size; i++) {
    const hd_goal *goal = &t->view->goals.data[i];
    hd_sweep_seed(sweep, goal->shared,
                  hd_net_view(net, net->targets.data[goal->target].need), i);
  }
}

/* Explicit search from the targets over everything. */
static void search_from_goals(task *t) {
  if (!hd_sweep_accepts(t->quotient)) {
    search_by_bws(t);
    return;
  }
  hd_sweep *sweep = hd_sweep_new(t->quotient, t->problem);
  seed_goals(t, sweep);
  hd_sweep_status status = hd_sweep_run(sweep, t->run);
  hd_sweep_report(sweep, t->result);
  if (status == HD_SWEEP_FOUND) {
    hd_u32s edges = {0};
    uint32_t goal = hd_sweep_unroll(sweep, &edges);
    set_witness(t, &edges, goal);
    hd_vec_free(&edges);
  } else if (status == HD_SWEEP_NONE) {
    t->result->verdict = HD_SAFE;
    t->result->cert = hd_sweep_certificate(sweep);
  } else if (status == HD_SWEEP_STOPPED) {
    hd_result_unknown(t->result, "%s", hd_run_why(t->run));
  }
  hd_sweep_delete(sweep);
  if (status == HD_SWEEP_TOO_LARGE)
    search_by_bws(t);
}

/* ---- from parked ends on ---- */

/* A configuration that a parked end stands for: its summary with k1 = k. */
typedef struct {
  uint32_t end;
  int64_t k;
} parked_seed;
typedef hd_vec(parked_seed) parked_seeds;

static void value_at(const hd_summary *summary, int64_t k, hd_token_vec *v) {
  hd_vec_clear(v);
  for (hd_vec_each(const hd_summary_term, t, &summary->terms)) {
    if (v->size && hd_vec_last(v).place == t->local)
      continue;
    int64_t n = hd_summary_value(summary, t->local, &k);
    if (n > 0)
      hd_vec_push(v, ((hd_token){.place = t->local, .count = (hd_count)n}));
  }
}

/* From k on, more rounds lower no counter: every term that falls with k is
 * below one that does not, or below zero. */
static bool is_bottomed(const hd_summary *summary, int64_t k) {
  for (hd_vec_each(const hd_summary_term, t, &summary->terms))
    if (t->c[1] < 0 && t->c[0] + t->c[1] * k > 0) {
      int64_t best = 0;
      for (hd_vec_each(const hd_summary_term, u, &summary->terms))
        if (u->local == t->local && u->c[1] >= 0 &&
            u->c[0] + u->c[1] * k > best)
          best = u->c[0] + u->c[1] * k;
      if (t->c[0] + t->c[1] * k > best)
        return false;
    }
  return true;
}

/* The least number of rounds after the first that the final condition allows,
 * as far as it is settled at the end `id`. */
static int64_t least_rounds(const task *t, uint32_t id) {
  const hd_path_end *end = &t->paths.ends.data[id];
  const hd_quotient *q = t->quotient;
  if (!q->settled || !end->summary.n_loops)
    return 0;
  hd_rows rows = {0};
  hd_counts_stats unused = {0};
  int64_t k[HD_MAX_LOOPS];
  hd_counts_rows(&rows, &end->summary, t->view->available,
                 q->settled[q->component_of[end->shared]]);
  hd_counts_status status =
      hd_counts_solve(&rows, end->summary.n_loops, 0, k, &unused);
  hd_vec_free(&rows);
  return status == HD_COUNTS_FOUND ? k[0] : 0;
}

/* The minimal configurations of the parked ends. False when an end has several
 * loops or too many rounds matter. `*most` gets the largest number of rounds. */
static bool list_seeds(const task *t, parked_seeds *seeds, int64_t *most) {
  *most = 0;
  for (hd_vec_each(const uint32_t, id, &t->paths.parked)) {
    const hd_summary *summary = &t->paths.ends.data[*id].summary;
    if (summary->n_loops > 1)
      return false;
    int64_t least = least_rounds(t, *id);
    for (int64_t k = least;; k++) {
      hd_vec_push(seeds, ((parked_seed){.end = *id, .k = k}));
      *most = k > *most ? k : *most;
      if (!summary->n_loops || is_bottomed(summary, k))
        break;
      if (k - least == ROUND_LIMIT)
        return false;
    }
  }
  return true;
}

static void set_parked_witness(task *t, const parked_seed *seed,
                               hd_u32s *edges) {
  hd_path path = {.end = seed->end, .k = {seed->k}};
  if (hd_paths_unroll_end(&t->paths, &path, STEP_LIMIT, edges))
    set_witness(t, edges, t->paths.ends.data[seed->end].goal);
  else
    set_too_long(t);
}

static hd_sweep_status sweep_seeds(task *t, const parked_seeds *seeds) {
  hd_sweep *sweep = hd_sweep_new(t->quotient, t->problem);
  hd_token_vec tokens = {0};
  for (uint32_t i = 0; i < seeds->size; i++) {
    const hd_path_end *end = &t->paths.ends.data[seeds->data[i].end];
    value_at(&end->summary, seeds->data[i].k, &tokens);
    hd_sweep_seed(sweep, end->shared, hd_token_vec_view(&tokens), i);
  }
  hd_vec_free(&tokens);
  hd_sweep_status status = hd_sweep_run(sweep, t->run);
  hd_sweep_report(sweep, t->result);
  if (status == HD_SWEEP_FOUND) {
    hd_u32s edges = {0};
    uint32_t seed = hd_sweep_unroll(sweep, &edges);
    set_parked_witness(t, &seeds->data[seed], &edges);
    hd_vec_free(&edges);
  }
  hd_sweep_delete(sweep);
  return status;
}

/* From the ends on when that saves many rounds. Otherwise from the targets,
 * which costs little more and gives a certificate. */
static void search_from_parked(task *t) {
  parked_seeds seeds = {0};
  int64_t most;
  hd_sweep_status status = HD_SWEEP_TOO_LARGE;
  if (t->paths.stats.loops && hd_sweep_accepts(t->quotient) &&
      list_seeds(t, &seeds, &most) && most > ROUND_LIMIT)
    status = sweep_seeds(t, &seeds);
  hd_vec_free(&seeds);
  if (status == HD_SWEEP_NONE)
    t->result->verdict = HD_SAFE;
  else if (status == HD_SWEEP_STOPPED)
    hd_result_unknown(t->result, "%s", hd_run_why(t->run));
  else if (status == HD_SWEEP_TOO_LARGE)
    search_from_goals(t);
}

/* ---- the engine ---- */

/* A proof by summaries has no certificate; a search within CERTIFICATE_STEPS may
 * find one. It must not find a run: that would mean that a summary is wrong. */
static void look_for_certificate(task *t) {
  hd_run mine = *t->run;
  hd_run *run = t->run;
  hd_result result = {0}, *outer = t->result;
  mine.steps = mine.ticks + CERTIFICATE_STEPS;
  t->run = &mine;
  t->result = &result;
  search_by_bws(t);
  t->run = run;
  t->result = outer;
  run->ticks = mine.ticks;
  if (result.verdict == HD_UNSAFE)
    hd_bug("concolic's summaries exclude a run that bws finds");
  outer->cert = result.cert;
  result.cert = NULL;
  hd_result_free(&result);
  if (!outer->cert)
    outer->reason =
        hd_strdup("proved by loop summaries, which leave no certificate; "
                  "--certify makes one by backward search");
}

static void report(const task *t) {
  hd_result *r = t->result;
  double kinds[HD_SPAGHETTI + 1] = {0};
  for (hd_vec_each(const hd_component, c, &t->quotient->components))
    kinds[c->kind]++;
  const hd_paths_stats *s = &t->paths.stats;
  hd_result_stat(r, "concolic.trivial", "", kinds[HD_TRIVIAL],
                 "components without an edge");
  hd_result_stat(r, "concolic.simple", "",
                 kinds[HD_SIMPLE_REAL] + kinds[HD_SIMPLE_EXPANDED],
                 "components that are one loop");
  hd_result_stat(r, "concolic.spaghetti", "", kinds[HD_SPAGHETTI],
                 "other components");
  hd_result_stat(r, "concolic.ends", "", (double)s->ends,
                 "partial paths followed");
  hd_result_stat(r, "concolic.paths", "", (double)s->paths,
                 "complete paths tested");
  hd_result_stat(r, "concolic.loops", "", (double)s->loops,
                 "times a loop was summarised");
  hd_result_stat(r, "concolic.covered", "", (double)s->covered,
                 "partial paths given up for a better one");
  hd_result_stat(r, "concolic.settled", "", (double)s->settled,
                 "partial paths given up by the final condition");
  hd_result_stat(r, "concolic.direct", "", (double)s->counts.direct,
                 "loop counts found in closed form");
  hd_result_stat(r, "concolic.searched", "", (double)s->counts.searched,
                 "loop counts found by search");
  hd_result_stat(r, "concolic.smt", "", (double)s->counts.smt,
                 "loop counts found by Z3");
  hd_result_stat(r, "concolic.fallback", "", t->fallback ? 1 : 0,
                 FALLBACK_HELP);
}

static void decide(task *t) {
  hd_paths_status status = hd_paths_run(&t->paths, t->run);
  switch (status) {
  case HD_PATHS_FOUND:
    witness_from_path(t);
    break;
  case HD_PATHS_NONE:
    t->result->verdict = HD_SAFE;
    break;
  case HD_PATHS_PARKED:
    search_from_parked(t);
    break;
  case HD_PATHS_TOO_MANY:
    t->fallback = true;
    search_from_goals(t);
    break;
  case HD_PATHS_STOPPED:
    hd_result_unknown(t->result, "%s", hd_run_why(t->run));
    break;
  }
  if (t->result->verdict == HD_SAFE && !t->result->cert)
    look_for_certificate(t);
}

static void run_concolic(const hd_problem *problem, hd_run *run,
                         hd_result *result) {
  task t = {.problem = problem, .run = run, .result = result};
  hd_str why = {0};
  t.view = hd_threads_new(problem->net, &why);
  if (!t.view) {
    /* The weights are too large to be counted out; bws counts in numbers. */
    hd_bws_engine.run(problem, run, result);
    hd_result_stat(result, "concolic.fallback", "", 1, FALLBACK_HELP);
    hd_str_free(&why);
    return;
  }
  t.quotient = hd_quotient_new(t.view, tset_of(problem));
  t.paths = (hd_paths){
      .quotient = t.quotient, .tset = tset_of(problem), .limit = END_LIMIT};
  if (t.quotient->component_of[t.view->init_shared] == HD_NO_ID)
    certify_by_shared(&t);
  else
    decide(&t);
  report(&t);
  hd_paths_free(&t.paths);
  hd_quotient_delete(t.quotient);
  hd_threads_delete(t.view);
}

const hd_engine hd_concolic_engine = {
    .name = "concolic",
    .summary = "backward search with loops summarised by arithmetic; complete "
               "for thread systems and nets",
    .refuses = HD_HAS_MOVES | HD_HAS_CAPS | HD_HAS_TARGET_CAPS,
    .complete = true,
    .run = run_concolic,
};
