/* SPDX-License-Identifier: MIT */
/* Counting thread states for a number of threads: a search without target and
 * without HD_OMEGA, oldest first, in which no more than n tokens are ever
 * there. */
#include "engine/fws/search.h"

static bool never_grows(const hd_net *net) {
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (hd_tokens_total(hd_net_post(net, t)) >
        hd_tokens_total(hd_net_pre(net, t)))
      return false;
  return true;
}

/* Where no transition makes tokens and none has an upper guard, n tokens can do
 * all that fewer can, the surplus waiting in an unbounded place. */
static bool most_is_all(const hd_net *net) {
  return net->features & HD_HAS_UNBOUNDED && !(net->features & HD_HAS_CAPS) &&
         never_grows(net);
}

static void note(const fws_search *search, hd_fws_census *census) {
  fws_config config = {0};
  for (uint32_t id = 0; id < search->store.nodes.size; id++) {
    hd_fws_store_get(&search->store, id, &config);
    for (size_t i = 0; i < config.tokens.size; i++)
      hd_bits_set(census->rows + config.shared * census->words,
                  config.tokens.data[i].place);
  }
  hd_vec_free(&config.tokens);
}

bool hd_fws_count(const hd_net *net, uint32_t n, hd_fws_threads threads,
                  hd_run *run, hd_fws_census *census) {
  *census = (hd_fws_census){.words = hd_bits_words(net->n_places)};
  census->rows = hd_calloc(net->n_shared * census->words, sizeof *census->rows);
  if (!n)
    return true; /* no token, hence no thread state */
  fws_rules rules;
  fws_search search;
  hd_fws_options options = {
      .order = HD_FWS_BREADTH, .first_bound = n, .last_bound = n};
  hd_fws_rules_init(&rules, net, FWS_CAPS | FWS_ALL_EXACT);
  hd_fws_search_init(&search, &rules, &options, run);
  if (threads == HD_FWS_EXACTLY || most_is_all(net))
    search.total = n;
  hd_fws_end end = hd_fws_search_run(&search);
  assert(end != HD_FWS_FOUND);
  bool done = end != HD_FWS_STOPPED;
  if (done) {
    note(&search, census);
    census->configs = search.store.nodes.size;
    census->states = hd_bits_count(census->rows, net->n_shared * census->words);
  }
  hd_fws_search_free(&search);
  hd_fws_rules_free(&rules);
  return done;
}

void hd_fws_census_free(hd_fws_census *census) {
  hd_free(census->rows);
  *census = (hd_fws_census){0};
}
