/* SPDX-License-Identifier: MIT */
/* Explicit forward search, directed and bounded.
 *
 * Problem: from the initial configurations, find one that covers a target.
 *
 * Order: new configurations go into a bucket by their distance to the target;
 * within a bucket last come, first served, which crosses plateaus quickly. The
 * nearest is expanded next, but every few steps the oldest open one is instead: a guide that is wrong can
 * then delay the search, never trap it. Since ids count up in the order of
 * discovery, "the oldest" is a cursor and costs no memory.
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
enum { OLDEST_EVERY = 4, ROUND = 500, BATCH = 64, CHECKED = 5000 };

void hd_fws_search_init(fws_search *search, const fws_rules *rules,
                        const hd_fws_options *options, hd_run *run) {
  *search = (fws_search){.rules = rules,
                         .options = options,
                         .run = run,
                         .far = FWS_NONE,
                         .found = FWS_NONE,
                         .target = FWS_NONE,
                         .total = FWS_NONE};
  hd_fws_store_init(&search->store);
  hd_fws_firing_init(&search->firing, rules);
  hd_fws_seeds_init(&search->seeds, rules);
  search->firing.run = run;
  if (options->order == HD_FWS_BREADTH)
    return;
  search->guide = hd_fws_guide_new(rules, options->measure, options->guide);
}

void hd_fws_search_free(fws_search *search) {
  hd_fws_store_free(&search->store);
  hd_fws_firing_free(&search->firing);
  hd_fws_seeds_free(&search->seeds);
  if (search->guide)
    hd_fws_guide_delete(search->guide);
  hd_vec_free(&search->entries);
  hd_vec_free(&search->buckets);
  hd_vec_free(&search->cut);
  hd_vec_free(&search->config.tokens);
  hd_vec_free(&search->child.tokens);
  hd_vec_free(&search->matches);
  hd_vec_free(&search->batch);
  hd_vec_free(&search->batch_bytes);
}

/* ---- the order ---- */

static uint32_t *bucket_of(fws_search *search, uint16_t key) {
  if (key == FWS_FAR)
    return &search->far;
  while (search->buckets.size <= key)
    hd_vec_push(&search->buckets, FWS_NONE);
  return &search->buckets.data[key];
}

static void enqueue(fws_search *search, uint32_t id) {
  fws_entry *entry = &search->entries.data[id];
  assert(!entry->queued);
  entry->queued = true;
  uint32_t *bucket = bucket_of(search, entry->key);
  entry->next = *bucket;
  *bucket = id;
  if (entry->key < search->lowest)
    search->lowest = entry->key;
}

static void open_config(fws_search *search, uint32_t id) {
  fws_entry *entry = &search->entries.data[id];
  assert(!entry->open);
  entry->open = true;
  search->n_open++;
  if (id < search->oldest)
    search->oldest = id;
  if (search->guide && !entry->queued)
    enqueue(search, id);
}

static uint32_t take_oldest(fws_search *search) {
  while (!search->entries.data[search->oldest].open)
    search->oldest++;
  return search->oldest++;
}

/* The first open configuration in the list; FWS_NONE after the last. Those
 * that were taken as the oldest are still in it and go now. */
static uint32_t take_from(fws_search *search, uint32_t *bucket) {
  while (*bucket != FWS_NONE) {
    uint32_t id = *bucket;
    fws_entry *entry = &search->entries.data[id];
    *bucket = entry->next;
    entry->queued = false;
    if (entry->open)
      return id;
  }
  return FWS_NONE;
}

static uint32_t take_nearest(fws_search *search) {
  for (; search->lowest < search->buckets.size; search->lowest++) {
    uint32_t id = take_from(search, &search->buckets.data[search->lowest]);
    if (id != FWS_NONE)
      return id;
  }
  return take_from(search, &search->far);
}

static uint32_t take(fws_search *search) {
  assert(search->n_open);
  bool fair = search->options->order == HD_FWS_DIRECTED &&
              search->expanded % OLDEST_EVERY == 0;
  uint32_t id =
      !search->guide || fair ? take_oldest(search) : take_nearest(search);
  assert(id != FWS_NONE); /* I3: every open one is in a list */
  search->entries.data[id].open = false;
  search->n_open--;
  return id;
}

static uint16_t key_of(const fws_search *search, const fws_node *node,
                       uint32_t distance) {
  if (search->options->order == HD_FWS_ASTAR && distance < FWS_FAR) {
    uint64_t key = (uint64_t)node->depth + distance;
    distance = key < FWS_FAR ? (uint32_t)key : FWS_FAR - 1;
  }
  return (uint16_t)(distance < FWS_FAR ? distance : FWS_FAR);
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
  fws_entry entry = {.next = FWS_NONE};
  if (search->guide)
    entry.key = key_of(search, &node,
                       hd_fws_guide_distance(search->guide, &search->child));
  hd_vec_push(&search->entries, entry);
  open_config(search, id);
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
  const fws_entry *entry = &search->entries.data[id];
  hd_fws_store_get(&search->store, id, config);
  hd_tokens tokens = hd_token_vec_view(&config->tokens);
  for (size_t i = 0; i < tokens.size; i++)
    assert(tokens.data[i].count != HD_OMEGA ||
           !hd_bits_test(search->rules->exact, tokens.data[i].place)); /* I1 */
  assert(node->parent == FWS_NONE || node->parent < id);               /* I2 */
  assert(hd_fws_weight(tokens) <= search->bound);                      /* I2 */
  assert(!entry->open || entry->queued || !search->guide);             /* I3 */
  assert(!entry->open || id >= search->oldest);                        /* I4 */
  assert(!entry->queued || entry->key >= search->lowest);              /* I4 */
  (void)node;
  (void)entry;
}

static void check_buckets(const fws_search *search) {
  size_t listed = 0, queued = 0;
  for (hd_vec_each(const fws_entry, entry, &search->entries))
    queued += entry->queued;
  for (uint32_t key = 0; key <= search->buckets.size; key++) {
    bool last = key == search->buckets.size;
    uint32_t id = last ? search->far : search->buckets.data[key];
    for (; id != FWS_NONE; id = search->entries.data[id].next, listed++) {
      assert(search->entries.data[id].queued); /* I3 */
      assert(search->entries.data[id].key == (last ? FWS_FAR : key));
    }
  }
  assert(listed == queued); /* I3 */
}

bool hd_fws_search_check(const fws_search *search) {
  fws_config config = {0};
  uint64_t n_open = 0;
  assert(search->entries.size == search->store.nodes.size);
  for (uint32_t id = 0; id < search->store.nodes.size; id++) {
    check_config(search, id, &config);
    n_open += search->entries.data[id].open;
  }
  assert(n_open == search->n_open);
  check_buckets(search);
  hd_vec_free(&config.tokens);
  return n_open == search->n_open;
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
    open_config(search, search->cut.data[i]);
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
      .values = {search->store.nodes.size, search->n_open, search->bound,
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
  for (uint64_t i = 0; search->n_open && i < allowance; i++) {
    if (is_full(search) || !hd_run_tick(search->run))
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
      assert(!search->n_open);
      return HD_FWS_EXHAUSTED;
    }
    if (search->bound == search->last_bound)
      return HD_FWS_BOUNDED;
    raise_bound(search);
  }
}
