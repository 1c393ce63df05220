/* SPDX-License-Identifier: MIT */
#include "engine/fws/rules.h"

#include <stdlib.h>

static int by_key(const void *a, const void *b) {
  const fws_key *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->item > y->item) - (x->item < y->item);
}

void hd_fws_index_build(fws_index *index, fws_keys *keys, uint32_t n_rows) {
  if (keys->size)
    qsort(keys->data, keys->size, sizeof *keys->data, by_key);
  index->row = hd_calloc((size_t)n_rows + 1, sizeof *index->row);
  index->groups = hd_calloc(keys->size + 1, sizeof *index->groups);
  index->items = hd_calloc(keys->size, sizeof *index->items);
  uint32_t n_groups = 0, row = 0;
  for (uint32_t i = 0; i < keys->size; i++) {
    const fws_key *now = &keys->data[i], *was = i ? now - 1 : NULL;
    assert(now->row < n_rows);
    for (; row < now->row; row++)
      index->row[row + 1] = n_groups;
    if (!was || was->row != now->row || was->place != now->place)
      index->groups[n_groups++] = (fws_group){now->place, i};
    index->items[i] = now->item;
  }
  for (; row < n_rows; row++)
    index->row[row + 1] = n_groups;
  assert(n_groups <= keys->size && index->row[n_rows] == n_groups);
  index->groups[n_groups].start = (uint32_t)keys->size;
}

void hd_fws_index_free(fws_index *index) {
  hd_free(index->row);
  hd_free(index->groups);
  hd_free(index->items);
}

static void index_take(const fws_index *index, uint32_t group, hd_u32s *out) {
  for (uint32_t i = index->groups[group].start;
       i < index->groups[group + 1].start; i++)
    hd_vec_push(out, index->items[i]);
}

/* The group of `place` in low … high - 1, or `high`. */
static uint32_t index_find(const fws_index *index, uint32_t low, uint32_t high,
                           hd_place_id place) {
  uint32_t end = high;
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (index->groups[mid].place < place)
      low = mid + 1;
    else
      high = mid;
  }
  return low < end && index->groups[low].place == place ? low : end;
}

void hd_fws_index_collect(const fws_index *index, uint32_t row,
                          hd_tokens tokens, hd_u32s *out) {
  uint32_t low = index->row[row], high = index->row[row + 1];
  if (low == high)
    return;
  bool free_group = index->groups[high - 1].place == FWS_NONE;
  uint32_t last = high - free_group;
  if (last - low > 4 * tokens.size) {
    for (size_t i = 0; i < tokens.size; i++) {
      uint32_t g = index_find(index, low, last, tokens.data[i].place);
      if (g != last)
        index_take(index, g, out);
    }
  } else {
    size_t i = 0;
    for (uint32_t g = low; g < last; g++) {
      while (i < tokens.size && tokens.data[i].place < index->groups[g].place)
        i++;
      if (i == tokens.size)
        break;
      if (tokens.data[i].place == index->groups[g].place)
        index_take(index, g, out);
    }
  }
  if (free_group)
    index_take(index, last, out);
}

/* The place in `need` that fewest items ask for: `uses` counts them, and a
 * place that starts unbounded is nearly always full. */
static hd_place_id rarest(const hd_net *net, hd_tokens need,
                          const uint32_t *uses) {
  hd_place_id best = FWS_NONE;
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < need.size; i++) {
    hd_place_id p = need.data[i].place;
    uint64_t cost = uses[p];
    if (net->init[p].max == HD_OMEGA)
      cost += UINT32_MAX;
    if (cost < least) {
      least = cost;
      best = p;
    }
  }
  return best;
}

/* A plain transition that changes nothing is no rule. */
static bool is_idle(const fws_rules *rules, hd_trans_id t) {
  const hd_trans *trans = &rules->net->trans.data[t];
  return trans->from == trans->to && !trans->moves.size &&
         !rules->change_of[t].size;
}

static void index_transitions(fws_rules *rules) {
  const hd_net *net = rules->net;
  uint32_t *uses = hd_calloc(net->n_places, sizeof *uses);
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_tokens pre = hd_net_pre(net, t);
    for (size_t i = 0; i < pre.size; i++)
      uses[pre.data[i].place]++;
  }
  fws_keys k = {0};
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_trans *trans = &net->trans.data[t];
    if (is_idle(rules, t) || !hd_bits_test(rules->useful, trans->to))
      continue;
    fws_key one = {trans->from, rarest(net, hd_net_pre(net, t), uses), t};
    hd_vec_push(&k, one);
  }
  hd_fws_index_build(&rules->index, &k, net->n_shared);
  hd_vec_free(&k);
  hd_free(uses);
}

/* A target that asks for more than it allows is never reached. */
static bool contradicts_itself(const hd_net *net, const hd_target *target) {
  hd_tokens need = hd_net_view(net, target->need);
  hd_tokens caps = hd_net_view(net, target->caps);
  for (size_t i = 0; i < caps.size; i++)
    if (hd_tokens_at(need, caps.data[i].place) > caps.data[i].count)
      return true;
  return false;
}

static void index_targets(fws_rules *rules, bool wanted) {
  const hd_net *net = rules->net;
  uint32_t *uses = hd_calloc(net->n_places, sizeof *uses);
  fws_keys k = {0};
  for (uint32_t i = 0; wanted && i < net->targets.size; i++) {
    const hd_target *target = &net->targets.data[i];
    if (contradicts_itself(net, target))
      continue;
    fws_key one = {target->shared == HD_ANY_SHARED ? net->n_shared
                                                   : target->shared,
                   rarest(net, hd_net_view(net, target->need), uses), i};
    hd_vec_push(&k, one);
  }
  hd_fws_index_build(&rules->targets, &k, net->n_shared + 1);
  hd_vec_free(&k);
  hd_free(uses);
}

static void add_changes(fws_rules *rules, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(rules->net, t), post = hd_net_post(rules->net, t);
  hd_range range = {.start = (uint32_t)rules->changes.size};
  for (size_t i = 0, j = 0; i < pre.size || j < post.size;) {
    fws_change change = {0};
    if (j == post.size ||
        (i < pre.size && pre.data[i].place <= post.data[j].place)) {
      change.place = pre.data[i].place;
      change.change = -(int32_t)pre.data[i++].count;
    } else {
      change.place = post.data[j].place;
    }
    if (j < post.size && post.data[j].place == change.place)
      change.change += (int32_t)post.data[j++].count;
    if (change.change)
      hd_vec_push(&rules->changes, change);
  }
  range.size = (uint32_t)rules->changes.size - range.start;
  assert(range.size <= pre.size + post.size);
  rules->change_of[t] = range;
}

static void mark_places(uint64_t *bits, hd_tokens places) {
  for (size_t i = 0; i < places.size; i++)
    hd_bits_set(bits, places.data[i].place);
}

/* The least set with the guarded places in it that is closed backward under
 * moves. */
static void find_exact(fws_rules *rules) {
  const hd_net *net = rules->net;
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    mark_places(rules->exact, hd_net_caps(net, t));
  for (size_t i = 0; i < net->targets.size; i++)
    mark_places(rules->exact, hd_net_view(net, net->targets.data[i].caps));
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < net->moves.size; i++) {
      hd_move move = net->moves.data[i];
      if (move.to == HD_NOWHERE || !hd_bits_test(rules->exact, move.to) ||
          hd_bits_test(rules->exact, move.from))
        continue;
      hd_bits_set(rules->exact, move.from);
      again = true;
    }
  }
}

static void find_useful(fws_rules *rules, bool targets) {
  const hd_net *net = rules->net;
  hd_u32s todo = {0};
  for (hd_shared_id s = 0; s < net->n_shared; s++) {
    bool wanted = !targets;
    for (size_t i = 0; !wanted && i < net->targets.size; i++)
      wanted = net->targets.data[i].shared == s ||
               net->targets.data[i].shared == HD_ANY_SHARED;
    if (wanted) {
      hd_bits_set(rules->useful, s);
      hd_vec_push(&todo, s);
    }
  }
  while (todo.size) {
    hd_shared_id s = hd_vec_pop(&todo);
    for (uint32_t i = net->to_start[s]; i < net->to_start[s + 1]; i++) {
      hd_shared_id from = net->trans.data[net->to_ids[i]].from;
      if (hd_bits_test(rules->useful, from))
        continue;
      hd_bits_set(rules->useful, from);
      hd_vec_push(&todo, from);
    }
  }
  hd_vec_free(&todo);
}

void hd_fws_rules_init(fws_rules *rules, const hd_net *net, unsigned mode) {
  assert(!(mode & FWS_TARGETS) || net->targets.size);
  *rules = (fws_rules){.net = net, .caps = mode & FWS_CAPS};
  rules->exact = hd_calloc(hd_bits_words(net->n_places), sizeof(uint64_t));
  rules->useful = hd_calloc(hd_bits_words(net->n_shared), sizeof(uint64_t));
  rules->change_of = hd_calloc(net->trans.size, sizeof *rules->change_of);
  if (mode & FWS_ALL_EXACT)
    for (hd_place_id p = 0; p < net->n_places; p++)
      hd_bits_set(rules->exact, p);
  else if (mode & FWS_CAPS)
    find_exact(rules);
  find_useful(rules, mode & FWS_TARGETS);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    add_changes(rules, t);
  index_transitions(rules);
  index_targets(rules, mode & FWS_TARGETS);
}

void hd_fws_rules_free(fws_rules *rules) {
  hd_free(rules->exact);
  hd_free(rules->useful);
  hd_free(rules->change_of);
  hd_vec_free(&rules->changes);
  hd_fws_index_free(&rules->index);
  hd_fws_index_free(&rules->targets);
}

static bool below_caps(hd_tokens tokens, hd_tokens caps) {
  for (size_t i = 0; i < caps.size; i++)
    if (hd_tokens_at(tokens, caps.data[i].place) > caps.data[i].count)
      return false;
  return true;
}

uint32_t hd_fws_rules_target(const fws_rules *rules, const fws_config *config,
                             hd_u32s *scratch) {
  const hd_net *net = rules->net;
  assert(config->shared < net->n_shared);
  hd_tokens tokens = hd_token_vec_view(&config->tokens);
  hd_vec_clear(scratch);
  hd_fws_index_collect(&rules->targets, config->shared, tokens, scratch);
  hd_fws_index_collect(&rules->targets, net->n_shared, tokens, scratch);
  uint32_t best = FWS_NONE;
  for (size_t i = 0; i < scratch->size; i++) {
    uint32_t at = scratch->data[i];
    const hd_target *target = &net->targets.data[at];
    if (at < best && hd_tokens_covers(tokens, hd_net_view(net, target->need)) &&
        (!rules->caps || below_caps(tokens, hd_net_view(net, target->caps))))
      best = at;
  }
  return best;
}
