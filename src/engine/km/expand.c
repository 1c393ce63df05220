/* SPDX-License-Identifier: MIT */
/* Expanding a node: which transitions are enabled, and what they lead to. */
#include "engine/km/search.h"

#include <string.h>

/* Firings between two looks at the limits, besides one at each expansion. */
enum { LOOK = 64 };

static bool enabled(const hd_km_search *search, const hd_km_trans *trans) {
  hd_tokens pre = hd_km_system_view(&search->system, trans->pre);
  for (size_t i = 0; i < pre.size; i++)
    if (search->counts[pre.data[i].place] < pre.data[i].count)
      return false;
  return true;
}

/* True when firing `trans` within its shared state adds no finite token. */
static bool idle(const hd_km_search *search, const uint64_t *omega,
                 const hd_km_trans *trans) {
  if (trans->from != trans->to)
    return false;
  const hd_km_change *change = hd_km_changes(&search->system, trans);
  for (uint32_t i = 0; i < trans->change.size; i++)
    if (change[i].change > 0 && !hd_bits_test(omega, change[i].place))
      return false;
  return true;
}

static bool push_token(hd_token_vec *out, hd_place_id place, int64_t count) {
  assert(count >= 0);
  if (count > HD_COUNT_MAX)
    return false;
  if (count)
    hd_vec_push(out, ((hd_token){.place = place, .count = (hd_count)count}));
  return true;
}

/* The expanded node's finite part after `trans`, into the draft. False when a
 * count is too large. */
static bool fire_tokens(hd_km_search *search, const hd_km_trans *trans) {
  const hd_km_change *change = hd_km_changes(&search->system, trans);
  hd_token_vec *out = &search->draft.label.tokens;
  hd_vec_clear(out);
  const hd_token *base = search->base.data;
  size_t i = 0, n = search->base.size;
  for (uint32_t k = 0; k < trans->change.size; k++) {
    hd_place_id place = change[k].place;
    if (hd_bits_test(search->omega, place))
      continue;
    while (i < n && base[i].place < place)
      hd_vec_push(out, base[i++]);
    int64_t count = i < n && base[i].place == place ? base[i++].count : 0;
    if (!push_token(out, place, count + change[k].change))
      return false;
  }
  while (i < n)
    hd_vec_push(out, base[i++]);
  return true;
}

static void try_trans(hd_km_search *search, uint32_t node, uint32_t index) {
  const hd_km_trans *trans = &search->system.trans.data[index];
  if (!enabled(search, trans) || idle(search, search->omega, trans))
    return;
  if (!(++search->stats.fired % LOOK) && !hd_run_check(search->run))
    search->stopped = true;
  hd_km_label *label = &search->draft.label;
  if (!fire_tokens(search, trans)) {
    search->too_large = true;
    return;
  }
  label->cell = hd_km_store_cell_at(&search->store, trans->to,
                                    search->store.nodes.data[node].cell);
  hd_km_store_seal(label);
  search->draft.parent = node;
  search->draft.trans = index;
  hd_vec_clear(&search->draft.fired);
  hd_km_offer(search);
}

/* The transitions whose key is in the omega set of the node under expansion, or
 * that have none: those that stay in the shared state, then the others. */
static void list_ready(const hd_km_search *search, const hd_km_group *group,
                       bool moving, hd_u32s *ready) {
  uint32_t end = moving ? group->end : group->moves;
  for (uint32_t t = moving ? group->moves : group->start; t < end; t++)
    if (!idle(search, search->omega, &search->system.trans.data[t]))
      hd_vec_push(ready, t);
}

static void list_ready_open(const hd_km_search *search, hd_shared_id shared,
                            bool moving, hd_u32s *ready) {
  uint32_t n = search->system.n_places;
  for (size_t p = hd_bits_next(search->omega, n, 0); p < n;
       p = hd_bits_next(search->omega, n, p + 1)) {
    const hd_km_group *group =
        hd_km_system_group(&search->system, shared, (hd_place_id)p);
    if (group)
      list_ready(search, group, moving, ready);
  }
}

static void list_ready_closed(const hd_km_search *search, hd_shared_id shared,
                              bool moving, hd_u32s *ready) {
  const hd_km_system *system = &search->system;
  for (uint32_t g = system->group_start[shared];
       g < system->group_start[shared + 1]; g++) {
    const hd_km_group *group = &system->groups.data[g];
    if (group->place == HD_KM_NONE || hd_bits_test(search->omega, group->place))
      list_ready(search, group, moving, ready);
  }
}

static uint32_t find_ready(const hd_km_search *search, hd_shared_id shared,
                           hd_u32s *ready) {
  uint32_t same = 0;
  hd_vec_clear(ready);
  for (int moving = 0; moving < 2; moving++) {
    if (search->system.source)
      list_ready_open(search, shared, moving, ready);
    else
      list_ready_closed(search, shared, moving, ready);
    if (!moving)
      same = (uint32_t)ready->size;
  }
  return same;
}

/* The same by way of the cell; most cells are expanded once only. */
static hd_u32s ready_transitions(hd_km_search *search, uint32_t id,
                                 uint32_t *same) {
  hd_km_cell *cell = &search->store.cells.data[id];
  if (cell->ready_asked == 0) {
    cell->ready_asked = 1;
    *same = find_ready(search, cell->shared, &search->ready);
    return search->ready;
  }
  if (cell->ready_asked == 1) {
    cell->ready_asked = 2;
    cell->ready_same = find_ready(search, cell->shared, &cell->ready);
  }
  *same = cell->ready_same;
  return cell->ready;
}

static void set_counts(hd_km_search *search, uint32_t cell, hd_count count) {
  const uint64_t *omega = hd_km_omega(&search->store, cell);
  uint32_t n = search->system.n_places;
  for (size_t p = hd_bits_next(omega, n, 0); p < n;
       p = hd_bits_next(omega, n, p + 1))
    search->counts[p] = count;
}

/* Spreads the node's configuration for the tests of `enabled`. Nodes expanded
 * one after the other mostly have the same omega set, which stays spread. */
static void load_node(hd_km_search *search, uint32_t node) {
  const hd_km_store *store = &search->store;
  uint32_t cell = store->nodes.data[node].cell, old = search->loaded;
  if (old == HD_KM_NONE ||
      store->cells.data[old].omega != store->cells.data[cell].omega) {
    if (old != HD_KM_NONE)
      set_counts(search, old, 0);
    set_counts(search, cell, HD_OMEGA);
    memcpy(search->omega, hd_km_omega(store, cell),
           store->words * sizeof *search->omega);
    search->loaded = cell;
  }
  hd_tokens tokens = hd_km_store_view(store, node);
  hd_vec_clear(&search->base);
  for (size_t i = 0; i < tokens.size; i++) {
    hd_vec_push(&search->base, tokens.data[i]);
    search->counts[tokens.data[i].place] = tokens.data[i].count;
  }
}

static void unload_tokens(hd_km_search *search) {
  for (size_t i = 0; i < search->base.size; i++)
    search->counts[search->base.data[i].place] = 0;
}

/* True while expanding `node` still makes sense. */
static bool going(const hd_km_search *search, uint32_t node) {
  return search->found == HD_KM_NONE && !search->too_large &&
         !search->stopped && search->store.nodes.data[node].live &&
         !search->tree.data[node].vain;
}

/* Fires transitions whose key is one of the node's finite tokens. */
static void fire_finite(hd_km_search *search, uint32_t node,
                        hd_shared_id shared, bool moving) {
  for (size_t i = 0; i < search->base.size; i++) {
    const hd_km_group *group =
        hd_km_system_group(&search->system, shared, search->base.data[i].place);
    if (!group)
      continue;
    uint32_t end = moving ? group->end : group->moves;
    for (uint32_t t = moving ? group->moves : group->start; t < end; t++) {
      if (!going(search, node))
        return;
      try_trans(search, node, t);
    }
  }
}

/* Open systems: what is known of a token. False when the search ends there. */
static bool follow(hd_km_search *search, uint32_t node, hd_place_id place) {
  const hd_km_store *store = &search->store;
  hd_shared_id shared = store->cells.data[store->nodes.data[node].cell].shared;
  bool bad = false;
  if (!hd_km_system_follow(&search->system, shared, place, &bad))
    search->stopped = true;
  if (bad) {
    search->found = node;
    search->found_place = place;
  }
  return !bad && !search->stopped;
}

/* Follows every token of the node. */
static bool follow_node(hd_km_search *search, uint32_t node) {
  hd_km_store *store = &search->store;
  uint32_t id = store->nodes.data[node].cell, n = store->n_places;
  hd_tokens tokens = hd_km_store_view(store, node);
  for (size_t i = 0; i < tokens.size; i++)
    if (!follow(search, node, tokens.data[i].place))
      return false;
  const uint64_t *omega = hd_km_omega(store, id);
  if (!store->cells.data[id].followed)
    for (size_t p = hd_bits_next(omega, n, 0); p < n;
         p = hd_bits_next(omega, n, p + 1))
      if (!follow(search, node, (hd_place_id)p))
        return false;
  store->cells.data[id].followed = true;
  hd_km_search_grow(search);
  return true;
}

/* First what stays in the shared state: if that accelerates, the rest is left
 * to the accelerated node. */
void hd_km_expand(hd_km_search *search, uint32_t node) {
  search->stats.expanded++;
  if (search->system.source && !follow_node(search, node))
    return;
  load_node(search, node);
  uint32_t cell = search->store.nodes.data[node].cell, same;
  hd_shared_id shared = search->store.cells.data[cell].shared;
  search->expanding = shared;
  hd_u32s ready = ready_transitions(search, cell, &same);
  for (size_t i = 0; i < same && going(search, node); i++)
    try_trans(search, node, ready.data[i]);
  fire_finite(search, node, shared, false);
  for (size_t i = same; i < ready.size && going(search, node); i++)
    try_trans(search, node, ready.data[i]);
  fire_finite(search, node, shared, true);
  unload_tokens(search);
}
