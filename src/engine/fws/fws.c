/* SPDX-License-Identifier: MIT */
/* The engine around the search.
 *
 * A net without upper guards needs one search, whose configurations are a cover
 * when it is exhausted. With upper guards the search is exact but its
 * configurations prove nothing to a checker that thinks in downward-closed
 * sets. So a short search comes first in which upper guards throw surplus
 * tokens away instead of blocking: it sees at least all that is reachable, and
 * if it ends without a target, it is the proof. Only then the exact one runs;
 * if that is exhausted, the first is tried once more with more room, and if it
 * still gives nothing the verdict rests on the exploration alone. */
#include "engine/fws/fws.h"

#include "engine/fws/search.h"

#include <stdio.h>

enum { SHORT_SEARCH = 5000 };

static void add_stats(const fws_search *search, hd_result *result) {
  hd_result_stat(result, "fws.configurations", "",
                 (double)search->store.nodes.size, "configurations seen");
  hd_result_stat(result, "fws.expanded", "", (double)search->expanded,
                 "configurations whose successors were made");
  hd_result_stat(result, "fws.generated", "", (double)search->generated,
                 "successors made, known ones included");
  hd_result_stat(result, "fws.bound", "", (double)search->bound,
                 "most finite tokens allowed in the last round");
  hd_result_stat(result, "fws.rounds", "", (double)search->rounds + 1,
                 "rounds, each with a higher bound");
  hd_result_stat(result, "fws.memory", "bytes",
                 (double)hd_fws_store_size(&search->store),
                 "held by the configurations");
}

static void say_stopped(const fws_search *search, hd_result *result) {
  size_t n = search->store.nodes.size;
  if (search->run->stop == HD_RUNNING)
    hd_result_unknown(result, "limit of %zu configurations reached", n);
  else
    hd_result_unknown(result,
                      "%s after %zu configurations, with at most %llu tokens "
                      "outside unbounded places; try --engine=bws",
                      hd_run_why(search->run), n,
                      (unsigned long long)search->bound);
}

static void say_bounded(const fws_search *search, hd_result *result) {
  if (search->last_bound == HD_COUNT_MAX)
    hd_result_unknown(result, "counts too large");
  else
    hd_result_unknown(result,
                      "no target with at most %llu tokens outside unbounded "
                      "places; a higher --max-threads or --engine=bws may "
                      "decide",
                      (unsigned long long)search->last_bound);
}

static hd_fws_end report_found(fws_search *search, hd_result *result) {
  hd_witness *witness = hd_witness_new();
  if (!hd_fws_witness(search, witness)) {
    hd_witness_delete(witness);
    hd_result_unknown(result, "counts too large");
    return HD_FWS_STOPPED;
  }
  result->verdict = HD_UNSAFE;
  result->witness = witness;
  return HD_FWS_FOUND;
}

/* The search that throws surplus tokens away. True when it was exhausted;
 * *hopeless tells that more room would not help. The certificate is
 * NULL if the net has none to offer within the limits. */
static bool prove(const hd_net *net, const hd_fws_options *options,
                  uint64_t max_configs, hd_run *run, bool *hopeless,
                  hd_result *result) {
  fws_rules rules;
  fws_search search;
  hd_fws_options mine = *options;
  mine.max_configs = max_configs;
  hd_fws_rules_init(&rules, net, FWS_TARGETS);
  hd_fws_search_init(&search, &rules, &mine, run);
  hd_fws_end end = hd_fws_search_run(&search);
  *hopeless = end == HD_FWS_FOUND;
  if (end == HD_FWS_EXHAUSTED && (result->cert = hd_fws_cover(&search, run))) {
    result->verdict = HD_SAFE;
    add_stats(&search, result);
  }
  hd_fws_search_free(&search);
  hd_fws_rules_free(&rules);
  return result->cert != NULL;
}

static hd_fws_end report_exhausted(fws_search *search, bool guarded,
                                   bool hopeless, hd_result *result) {
  size_t n = search->store.nodes.size;
  if (!guarded)
    result->cert = hd_fws_cover(search, search->run);
  else if (!hopeless && prove(search->rules->net, search->options,
                              4 * (uint64_t)n, search->run, &hopeless, result))
    return HD_FWS_EXHAUSTED;
  result->verdict = HD_SAFE;
  hd_str reason = {0};
  if (!result->cert)
    hd_str_printf(&reason, "exhausted: %zu configurations", n);
  result->reason = result->cert ? NULL : hd_str_take(&reason);
  return HD_FWS_EXHAUSTED;
}

static hd_fws_end report(fws_search *search, hd_fws_end end, bool guarded,
                         bool hopeless, hd_result *result) {
  add_stats(search, result);
  switch (end) {
  case HD_FWS_FOUND:
    return report_found(search, result);
  case HD_FWS_EXHAUSTED:
    return report_exhausted(search, guarded, hopeless, result);
  case HD_FWS_BOUNDED:
    say_bounded(search, result);
    return end;
  case HD_FWS_STOPPED:
    say_stopped(search, result);
    return end;
  }
  hd_bug("fws: unknown end %d", (int)end);
}

hd_fws_end hd_fws_search_with(const hd_problem *problem,
                              const hd_fws_options *options, hd_run *run,
                              hd_result *result) {
  const hd_net *net = problem->net;
  bool guarded = net->features & (HD_HAS_CAPS | HD_HAS_TARGET_CAPS);
  bool hopeless = false;
  if (guarded && prove(net, options, SHORT_SEARCH, run, &hopeless, result))
    return HD_FWS_EXHAUSTED;
  fws_rules rules;
  fws_search search;
  hd_fws_rules_init(&rules, net, FWS_CAPS | FWS_TARGETS);
  hd_fws_search_init(&search, &rules, options, run);
  hd_fws_end end = hd_fws_search_run(&search);
  end = report(&search, end, guarded, hopeless, result);
  hd_fws_search_free(&search);
  hd_fws_rules_free(&rules);
  return end;
}

hd_fws_end hd_fws_search(const hd_problem *problem, uint32_t bound, hd_run *run,
                         hd_result *result) {
  hd_fws_options options = {.first_bound = bound, .last_bound = bound};
  if (!bound)
    options = (hd_fws_options){.first_bound = 1, .last_bound = 1};
  return hd_fws_search_with(problem, &options, run, result);
}

static void run_engine(const hd_problem *problem, hd_run *run,
                       hd_result *result) {
  hd_fws_options options = {.last_bound = problem->max_threads};
  (void)hd_fws_search_with(problem, &options, run, result);
}

const hd_engine hd_fws_engine = {
    .name = "fws",
    .summary = "directed forward search with a rising number of threads",
    .refuses = 0,
    .complete = false,
    .run = run_engine,
};
