/* SPDX-License-Identifier: MIT */
/* The engine's entry points: runs the search and turns its end into a verdict.
 *
 *   complete   SAFE; the live nodes are the certificate's cover D,
 *   found      UNSAFE; the branch, unrolled, is the witness,
 *   otherwise  UNKNOWN with the reason. */
#include "engine/km/km.h"

#include "engine/km/search.h"

/* The longest witness that is written out. */
enum { MAX_STEPS = 10 * 1000 * 1000 };

void hd_km_report(const hd_km_search *search, hd_result *result) {
  hd_km_stats stats = search->stats;
  stats.omega_sets = search->store.omega_size.size;
  stats.maximal = search->store.n_live;
#define HD_KM_REPORT(name, unit, help)                                         \
  hd_result_stat(result, "km." #name, unit, (double)stats.name, help);
  HD_KM_STATS(HD_KM_REPORT)
#undef HD_KM_REPORT
}

/* The configuration of a live node, places numbered as in the net: finite part
 * and omega set merged (the numbering keeps the order). */
static void add_config(const hd_km_search *search, hd_cert *cert, uint32_t node,
                       hd_token_vec *scratch) {
  const hd_km_store *store = &search->store;
  const hd_km_system *system = &search->system;
  uint32_t cell = store->nodes.data[node].cell, n = system->n_places;
  const uint64_t *omega = hd_km_omega(store, cell);
  hd_tokens tokens = hd_km_store_view(store, node);
  hd_vec_clear(scratch);
  size_t i = 0, p = hd_bits_next(omega, n, 0);
  while (p < n || i < tokens.size) {
    bool finite = i < tokens.size && tokens.data[i].place < p;
    size_t place = finite ? tokens.data[i].place : p;
    hd_token token = {.place = system->old_place[place],
                      .count = finite ? tokens.data[i].count : HD_OMEGA};
    hd_vec_push(scratch, token);
    if (finite)
      i++;
    else
      p = hd_bits_next(omega, n, p + 1);
  }
  hd_cert_add_config(cert, store->cells.data[cell].shared,
                     hd_token_vec_view(scratch));
}

static hd_cert *make_cover(const hd_km_search *search) {
  const hd_km_system *system = &search->system;
  const hd_net *net = system->net;
  hd_cert *cert = hd_cert_new(HD_CERT_COVER, net->n_shared, net->n_places);
  for (uint32_t p = 0; p < net->n_places; p++)
    if (system->new_place[p] == HD_KM_NONE)
      hd_vec_push(&cert->ignored, p);
  hd_token_vec scratch = {0};
  for (uint32_t node = 0; node < search->store.nodes.size; node++)
    if (search->store.nodes.data[node].live)
      add_config(search, cert, node, &scratch);
  hd_vec_free(&scratch);
  return cert;
}

static void make_witness(hd_km_search *search, hd_run *run, hd_result *result) {
  hd_u32s steps = {0};
  hd_witness *witness = hd_witness_new();
  witness->target = search->found_goal;
  bool done = hd_km_unroll(search, MAX_STEPS, run, &steps);
  for (size_t i = 0; i < steps.size && done; i++)
    hd_vec_push(&witness->steps, ((hd_step){.trans = steps.data[i]}));
  if (!done)
    hd_result_unknown(result,
                      "a target is covered, but its witness is too long (%s); "
                      "try bws",
                      run->stop == HD_RUNNING ? "over 10 million steps"
                                              : hd_run_why(run));
  else if (!hd_witness_find_init(witness, search->system.net))
    hd_result_unknown(result, "a target is covered, but the counts of its "
                              "witness are too large; try bws");
  else
    result->verdict = HD_UNSAFE;
  if (result->verdict == HD_UNSAFE)
    result->witness = witness;
  else
    hd_witness_delete(witness);
  hd_vec_free(&steps);
}

static void search_net(const hd_net *net, bool targeted, hd_km_order order,
                       hd_run *run, hd_result *result) {
  hd_km_search search;
  hd_km_search_init(&search, net, targeted);
  search.order = order;
  result->engine = "km";
  switch (hd_km_search_run(&search, run)) {
  case HD_KM_COMPLETE:
    result->verdict = HD_SAFE;
    result->cert = make_cover(&search);
    break;
  case HD_KM_FOUND:
    make_witness(&search, run, result);
    break;
  case HD_KM_STOPPED:
    hd_result_unknown(result, "%s", hd_run_why(run));
    break;
  case HD_KM_TOO_LARGE:
    hd_result_unknown(result, "counts too large");
    break;
  case HD_KM_FULL:
    hd_result_unknown(result, "too many configurations");
    break;
  }
  hd_km_report(&search, result);
  hd_km_search_free(&search);
}

static void run_km(const hd_problem *problem, hd_run *run, hd_result *result) {
  search_net(problem->net, problem->net->targets.size > 0, problem->order, run,
             result);
}

void hd_km_cover(const hd_net *net, hd_run *run, hd_result *result) {
  search_net(net, false, HD_KM_LARGEST, run, result);
}

const hd_engine hd_km_engine = {
    .name = "km",
    .summary = "Karp–Miller search; finds all coverable configurations",
    .refuses = HD_HAS_MOVES | HD_HAS_CAPS | HD_HAS_TARGET_CAPS,
    .complete = true,
    .run = run_km,
};
