/* SPDX-License-Identifier: MIT */
/* Explicit forward search, directed and bounded.
 *
 * Problem: from the initial configurations, find one that covers a target.
 *
 * Order: the configuration nearest to the target is expanded next, of equally
 * near ones the newest, which crosses plateaus quickly. But every few steps it
 * is the lightest, of those the oldest: a guide that is wrong can then delay the
 * search, never trap it, and a bug with few threads is found soon in any case.
 *
 * Bound: a successor whose weight (finite tokens) is above the bound is not
 * made; its predecessor is remembered in `cut`. When nothing is open any more,
 * or the round has used up its allowance, the bound rises and the
 * configurations in `cut` are opened again: what they lead to within the old
 * bound is in the store already, so nothing is explored twice. Rounds get
 * longer, and the excess of the bound over the lightest initial configuration
 * doubles.
 *
 * Termination: for a given bound there are finitely many configurations. The
 * bound may rise up to HD_COUNT_MAX, so a search for a net whose finite part is
 * unbounded ends only by a witness or a limit.
 *
 * Verdict: a configuration in the target is real (rules.h), its path is the
 * witness. Nothing open and nothing cut means that everything reachable was
 * seen: safe. */
#include "engine/fws/search.h"

#include <string.h>

/* The first two are measured, see docs/engines/fws.md; with more than CHECKED
 * configurations the invariants are no longer checked after each round. */
enum { LIGHTEST_EVERY = 4, ROUND = 500, BATCH = 64, CHECKED = 5000 };

void hd_fws_search_init(fws_search *search, const fws_rules *rules,
                        const hd_fws_options *options, hd_run *run) {
  *search = (fws_search){.rules = rules,
                         .options = options,
                         .run = run,
                         .found = FWS_NONE,
                         .target = FWS_NONE,
                         .total = FWS_NONE};
  hd_fws_store_init(&search->store);
  hd_fws_firing_init(&search->firing, rules);
  hd_fws_seeds_init(&search->seeds, rules);
  search->firing.run = run;
  bool directed = options->order != HD_FWS_BREADTH;
  hd_fws_order_init(&search->order, directed);
  if (directed)
    search->guide = hd_fws_guide_new(rules, options->measure, options->guide);
}

void hd_fws_search_free(fws_search *search) {
  hd_fws_store_free(&search->store);
  hd_fws_firing_free(&search->firing);
  hd_fws_seeds_free(&search->seeds);
  if (search->guide)
    hd_fws_guide_delete(search->guide);
  hd_fws_order_free(&search->order);
  hd_vec_free(&search->cut);
  hd_vec_free(&search->config.tokens);
  hd_vec_free(&search->child.tokens);
  hd_vec_free(&search->matches);
  hd_vec_free(&search->batch);
  hd_vec_free(&search->batch_bytes);
}

/* ---- the order ---- */

static uint32_t take(fws_search *search) {
  fws_order *order = &search->order;
  switch (search->options->order) {
  case HD_FWS_BREADTH:
    return hd_fws_order_oldest(order);
  case HD_FWS_DIRECTED:
    if (search->expanded % LIGHTEST_EVERY == 0)
      return hd_fws_order_lightest(order);
    break;
  case HD_FWS_ASTAR:
    break;
  }
  return hd_fws_order_nearest(order);
}

static uint32_t key_of(const fws_search *search, uint32_t depth,
                       uint32_t distance) {
  if (search->options->order != HD_FWS_ASTAR || distance == FWS_FAR)
    return distance;
  uint64_t key = (uint64_t)depth + distance;
  return key < FWS_FAR ? (uint32_t)key : FWS_FAR - 1;
}

/* ---- configurations ---- */

/* Adds the packed configuration unless it is known. False when it is in the
 * target. */
static bool discover(fws_search *search, fws_packed packed, fws_node node) {
  bool fresh;
  search->generated++;
  uint32_t id = hd_fws_store_put(&search->store, packed, node, &fresh);
  if (!fresh)
    return true;
  hd_fws_store_get(&search->store, id, &search->child);
  uint32_t key = 0;
  if (search->guide)
    key = key_of(search, node.depth,
                 hd_fws_guide_distance(search->guide, &search->child));
  hd_fws_order_add(&search->order, key,
                   hd_fws_weight(hd_token_vec_view(&search->child.tokens)));
  assert(search->order.entries.size == id + 1);
  search->target =
      hd_fws_rules_target(search->rules, &search->child, &search->matches);
  if (search->target == FWS_NONE)
    return true;
  search->found = id;
  return false;
}

/* Puts the waiting successors into the store. */
static bool flush(fws_search *search) {
  fws_node node = {.parent = search->current,
                   .depth =
                       search->store.nodes.data[search->current].depth + 1};
  for (size_t i = 0; i < search->batch.size; i++)
    hd_fws_store_fetch_record(&search->store, search->batch.data[i].hash);
  bool more = true;
  for (size_t i = 0; more && i < search->batch.size; i++) {
    fws_pending pending = search->batch.data[i];
    fws_packed packed = {.data = search->batch_bytes.data + pending.start,
                         .size = pending.size,
                         .hash = pending.hash};
    node.trans = pending.trans;
    more = discover(search, packed, node);
  }
  hd_vec_clear(&search->batch);
  hd_vec_clear(&search->batch_bytes);
  return more;
}

static bool on_successor(void *context, hd_trans_id trans) {
  fws_search *search = context;
  const fws_bytes *packed = &search->firing.packed;
  fws_pending pending = {.start = (uint32_t)search->batch_bytes.size,
                         .size = (uint32_t)packed->size,
                         .hash = hd_fws_hash(packed->data, packed->size),
                         .trans = trans};
  hd_fws_store_fetch_slot(&search->store, pending.hash);
  hd_vec_resize(&search->batch_bytes, pending.start + packed->size);
  memcpy(search->batch_bytes.data + pending.start, packed->data, packed->size);
  hd_vec_push(&search->batch, pending);
  return search->batch.size < BATCH || flush(search);
}

/* False when the search is over: found or stopped. */
static bool expand(fws_search *search, uint32_t id) {
  search->current = id;
  search->expanded++;
  search->firing.cut = false;
  hd_fws_store_get(&search->store, id, &search->config);
  bool more =
      hd_fws_fire_all(&search->firing, &search->config, on_successor, search) &&
      flush(search);
  if (search->firing.cut)
    hd_vec_push(&search->cut, id);
  return more;
}

/* Opens the initial configurations within the bound. */
static bool seed(fws_search *search) {
  fws_seeds *seeds = &search->seeds;
  bool more = true;
  for (bool any = hd_fws_seeds_first(seeds, search->bound); any && more;
       any = hd_fws_seeds_next(seeds, search->bound)) {
    more = hd_run_tick(search->run);
    if (!more || (search->total != FWS_NONE && seeds->weight != search->total))
      continue;
    hd_fws_seeds_pack(seeds, &search->firing.packed);
    more = discover(search, hd_fws_packed(&search->firing.packed),
                    (fws_node){FWS_NONE, FWS_NONE, 0, 0});
  }
  return more;
}

/* ---- invariants ---- */

static void check_config(const fws_search *search, uint32_t id,
                         fws_config *config) {
  const fws_node *node = &search->store.nodes.data[id];
  hd_fws_store_get(&search->store, id, config);
  hd_tokens tokens = hd_token_vec_view(&config->tokens);
  for (size_t i = 0; i < tokens.size; i++)
    assert(tokens.data[i].count != HD_OMEGA ||
           !hd_bits_test(search->rules->exact, tokens.data[i].place)); /* I1 */
  assert(node->parent == FWS_NONE || node->parent < id);               /* I2 */
  assert(hd_fws_weight(tokens) <= search->bound);                      /* I2 */
  (void)node;
}

bool hd_fws_search_check(const fws_search *search) {
  fws_config config = {0};
  assert(search->order.entries.size == search->store.nodes.size);
  for (uint32_t id = 0; id < search->store.nodes.size; id++)
    check_config(search, id, &config);
  hd_vec_free(&config.tokens);
  return hd_fws_order_check(&search->order);
}

/* ---- the loop ---- */

static void first_bound(fws_search *search) {
  const hd_fws_options *options = search->options;
  search->last_bound = options->last_bound && options->last_bound < HD_COUNT_MAX
                           ? options->last_bound
                           : HD_COUNT_MAX;
  search->bound =
      options->first_bound ? options->first_bound : search->seeds.lightest + 1;
  if (search->bound > search->last_bound)
    search->bound = search->last_bound;
}

static void raise_bound(fws_search *search) {
  assert(search->bound < search->last_bound);
  uint64_t lightest = search->seeds.lightest;
  uint64_t excess = search->bound > lightest ? search->bound - lightest : 1;
  search->bound += excess;
  if (search->bound > search->last_bound)
    search->bound = search->last_bound;
  for (size_t i = 0; i < search->cut.size; i++)
    hd_fws_order_reopen(&search->order, search->cut.data[i]);
  hd_vec_clear(&search->cut);
}

static bool was_cut(const fws_search *search) {
  return search->cut.size || search->seeds.cut;
}

static void show(fws_search *search) {
  if (!hd_run_wants_progress(search->run))
    return;
  hd_progress progress = {
      .engine = "fws",
      .names = {"configurations", "open", "bound", "generated"},
      .values = {search->store.nodes.size, search->order.n_open, search->bound,
                 search->generated}};
  hd_run_show(search->run, &progress);
}

static bool is_full(const fws_search *search) {
  uint64_t max = search->options->max_configs;
  return max && search->store.nodes.size >= max;
}

/* Expands until nothing is open or the round's allowance is used up; in the
 * last round there is none. False when the search is over. */
static bool explore(fws_search *search) {
  uint64_t allowance = search->bound < search->last_bound
                           ? (uint64_t)ROUND
                                 << (search->rounds < 32 ? search->rounds : 32)
                           : UINT64_MAX;
  search->firing.bound = search->bound;
  uint64_t generated = search->generated;
  for (uint64_t i = 0; search->order.n_open && i < allowance; i++) {
    uint64_t done = search->generated - generated;
    generated = search->generated;
    if (is_full(search) || !hd_run_spend(search->run, 1 + done))
      return false;
    if (i % 64 == 0)
      show(search);
    if (!expand(search, take(search)))
      return false;
    if (i + 1 == allowance && !was_cut(search))
      allowance *= 2; /* nothing waits for a higher bound */
  }
  return true;
}

hd_fws_end hd_fws_search_run(fws_search *search) {
  first_bound(search);
  for (;; search->rounds++) {
    if (!seed(search) || !explore(search))
      return search->found != FWS_NONE ? HD_FWS_FOUND : HD_FWS_STOPPED;
    assert(search->store.nodes.size > CHECKED || hd_fws_search_check(search));
    if (!was_cut(search)) {
      assert(!search->order.n_open);
      return HD_FWS_EXHAUSTED;
    }
    if (search->bound == search->last_bound)
      return HD_FWS_BOUNDED;
    raise_bound(search);
  }
}
