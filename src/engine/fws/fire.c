/* SPDX-License-Identifier: MIT */
/* A transition without moves merges the tokens with its few changes straight
 * into the packed form. One with moves goes the long way, through a vector that
 * is sorted; where tokens may choose between moves, all ways to distribute the
 * finite counts are gone through, place by place like the digits of an
 * odometer, each digit being a way to split a count into k parts.
 *
 * Two ways out of a place are never worth taking: HD_OMEGA tokens simply fill
 * every destination, and where the place is not exact and some destination
 * keeps tokens, no token chooses HD_NOWHERE (more tokens can do more). */
#include "engine/fws/fire.h"

void hd_fws_firing_init(fws_firing *firing, const fws_rules *rules) {
  *firing = (fws_firing){.rules = rules, .bound = HD_COUNT_MAX};
  firing->count = hd_calloc(rules->net->n_places, sizeof *firing->count);
}

void hd_fws_firing_free(fws_firing *firing) {
  hd_free(firing->count);
  hd_vec_free(&firing->packed);
  hd_vec_free(&firing->choices);
  hd_vec_free(&firing->candidates);
  hd_vec_free(&firing->scratch);
}

uint64_t hd_fws_weight(hd_tokens tokens) {
  uint64_t weight = 0;
  for (size_t i = 0; i < tokens.size; i++)
    if (tokens.data[i].count != HD_OMEGA)
      weight += tokens.data[i].count;
  return weight;
}

static void load(fws_firing *firing, const fws_config *config) {
  assert(!firing->config);
  firing->config = config;
  firing->weight = 0;
  for (size_t i = 0; i < config->tokens.size; i++) {
    hd_token token = config->tokens.data[i];
    assert(token.place < firing->rules->net->n_places && token.count);
    assert(token.count != HD_OMEGA ||
           !hd_bits_test(firing->rules->exact, token.place)); /* I1 */
    firing->count[token.place] = token.count;
    if (token.count != HD_OMEGA)
      firing->weight += token.count;
  }
}

static void unload(fws_firing *firing) {
  for (size_t i = 0; i < firing->config->tokens.size; i++)
    firing->count[firing->config->tokens.data[i].place] = 0;
  firing->config = NULL;
}

static bool enabled(const fws_firing *firing, hd_trans_id t) {
  const hd_net *net = firing->rules->net;
  hd_tokens pre = hd_net_pre(net, t);
  for (size_t i = 0; i < pre.size; i++)
    if (firing->count[pre.data[i].place] < pre.data[i].count)
      return false;
  hd_tokens caps = hd_net_caps(net, t);
  if (!firing->rules->caps)
    return true;
  for (size_t i = 0; i < caps.size; i++) {
    assert(firing->count[caps.data[i].place] != HD_OMEGA);
    if (firing->count[caps.data[i].place] > caps.data[i].count)
      return false;
  }
  return true;
}

/* The weight after a plain transition. */
static uint64_t weight_after(const fws_firing *firing, const fws_change *change,
                             size_t n) {
  int64_t weight = (int64_t)firing->weight;
  for (size_t i = 0; i < n; i++)
    if (firing->count[change[i].place] != HD_OMEGA)
      weight += change[i].change;
  assert(weight >= 0);
  return (uint64_t)weight;
}

static void pack_plain(fws_firing *firing, hd_trans_id t,
                       const fws_change *change, size_t n) {
  const hd_token *token = firing->config->tokens.data;
  size_t n_tokens = firing->config->tokens.size;
  hd_place_id last = UINT32_MAX;
  uint8_t *at = hd_fws_pack_start(&firing->packed, n_tokens + n);
  at = hd_fws_pack_number(at, firing->rules->net->trans.data[t].to);
  for (size_t i = 0, j = 0; i < n_tokens || j < n;) {
    if (j == n || (i < n_tokens && token[i].place < change[j].place)) {
      at = hd_fws_pack_token(at, &last, token[i].place, token[i].count);
      i++;
      continue;
    }
    hd_count count = 0;
    if (i < n_tokens && token[i].place == change[j].place)
      count = token[i++].count;
    if (count != HD_OMEGA)
      count = (hd_count)((int64_t)count + change[j].change);
    assert(count == HD_OMEGA || count <= HD_COUNT_MAX);
    if (count)
      at = hd_fws_pack_token(at, &last, change[j].place, count);
    j++;
  }
  hd_fws_pack_end(&firing->packed, at);
}

static bool fire_plain(fws_firing *firing, hd_trans_id t, fws_sink *sink,
                       void *context) {
  hd_range range = firing->rules->change_of[t];
  const fws_change *change =
      range.size ? firing->rules->changes.data + range.start : NULL;
  if (weight_after(firing, change, range.size) > firing->bound) {
    firing->cut = true;
    return true;
  }
  pack_plain(firing, t, change, range.size);
  return sink(context, t);
}

static void put(fws_firing *firing, hd_place_id place, hd_count count) {
  hd_token token = {.place = place, .count = count};
  if (count && place != HD_NOWHERE)
    hd_vec_push(&firing->scratch, token);
}

static size_t moves_of_place(const hd_move *move, size_t n) {
  size_t k = 1;
  while (k < n && move[k].from == move[0].from)
    k++;
  return k;
}

/* The tokens of `place` that are there when the moves happen. */
static hd_count left_of(const fws_firing *firing, hd_trans_id t,
                        hd_place_id place) {
  return hd_count_sub(firing->count[place],
                      hd_tokens_at(hd_net_pre(firing->rules->net, t), place));
}

/* Gives each place with several moves its first distribution: all its tokens
 * take the first move that is worth taking. */
static void choose_first(fws_firing *firing, hd_trans_id t) {
  const hd_net *net = firing->rules->net;
  const hd_move *move = hd_net_moves(net, t);
  hd_vec_clear(&firing->choices);
  size_t n = net->trans.data[t].moves.size, k;
  for (size_t i = 0; i < n; i += k) {
    k = moves_of_place(move + i, n - i);
    if (k == 1)
      continue;
    hd_count count = left_of(firing, t, move[i].from);
    assert(count != HD_OMEGA ||
           !hd_bits_test(firing->rules->exact, move[i].from)); /* I1 */
    for (size_t j = 0; j < k; j++) {
      hd_choice choice = {.from = move[i].from, .to = move[i + j].to};
      if (count == HD_OMEGA || !j)
        choice.count = count;
      hd_vec_push(&firing->choices, choice);
    }
  }
}

/* The next way to split the same sum into `k` parts; false after the last,
 * with the first way restored. */
static bool split_next(hd_choice *part, size_t k) {
  assert(k);
  size_t i = 0;
  while (i < k && !part[i].count)
    i++;
  if (i == k)
    return false;
  hd_count sum = part[i].count;
  part[i].count = 0;
  if (i == k - 1) {
    part[0].count = sum;
    return false;
  }
  part[0].count = sum - 1;
  part[i + 1].count++;
  return true;
}

/* Of the k moves of one place those that a finite count is split among. */
static size_t ways_of(const fws_firing *firing, const hd_choice *choice,
                      size_t k) {
  assert(k > 1);
  /* HD_NOWHERE is the largest destination, hence the last. */
  bool swallows = choice[k - 1].to == HD_NOWHERE;
  bool exact = hd_bits_test(firing->rules->exact, choice->from);
  return swallows && !exact ? k - 1 : k;
}

/* False after the last way. */
static bool choose_next(fws_firing *firing) {
  hd_choice *choice = firing->choices.data;
  size_t n = firing->choices.size, k;
  for (size_t i = 0; i < n; i += k) {
    k = 1;
    while (i + k < n && choice[i + k].from == choice[i].from)
      k++;
    if (choice[i].count == HD_OMEGA)
      continue;
    if (split_next(choice + i, ways_of(firing, choice + i, k)))
      return true;
  }
  return false;
}

/* The successor by the chosen distribution, in scratch. False when a count
 * passes HD_COUNT_MAX. */
static bool build_moved(fws_firing *firing, hd_trans_id t) {
  const hd_net *net = firing->rules->net;
  const hd_move *move = hd_net_moves(net, t);
  size_t n = net->trans.data[t].moves.size;
  const hd_token_vec *tokens = &firing->config->tokens;
  hd_vec_clear(&firing->scratch);
  size_t m = 0;
  for (size_t i = 0; i < tokens->size; i++) {
    hd_place_id place = tokens->data[i].place;
    while (m < n && move[m].from < place)
      m++;
    if (m == n || move[m].from != place)
      put(firing, place, left_of(firing, t, place));
  }
  for (size_t i = 0, k; i < n; i += k) {
    k = moves_of_place(move + i, n - i);
    if (k == 1)
      put(firing, move[i].to, left_of(firing, t, move[i].from));
  }
  for (size_t i = 0; i < firing->choices.size; i++)
    put(firing, firing->choices.data[i].to, firing->choices.data[i].count);
  hd_tokens post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++)
    put(firing, post.data[i].place, post.data[i].count);
  return hd_token_vec_normalise(&firing->scratch);
}

static bool fire_moves(fws_firing *firing, hd_trans_id t, fws_sink *sink,
                       void *context) {
  choose_first(firing, t);
  do {
    if (firing->run && !hd_run_tick(firing->run))
      return false;
    if (!build_moved(firing, t) ||
        hd_fws_weight(hd_token_vec_view(&firing->scratch)) > firing->bound) {
      firing->cut = true;
      continue;
    }
    hd_fws_pack(&firing->packed, firing->rules->net->trans.data[t].to,
                hd_token_vec_view(&firing->scratch));
    if (!sink(context, t))
      return false;
  } while (choose_next(firing));
  return true;
}

static bool fire(fws_firing *firing, hd_trans_id t, fws_sink *sink,
                 void *context) {
  if (!enabled(firing, t))
    return true;
  if (firing->rules->net->trans.data[t].moves.size)
    return fire_moves(firing, t, sink, context);
  hd_vec_clear(&firing->choices);
  return fire_plain(firing, t, sink, context);
}

/* Fires from min (configuration, upper guards). */
static bool fire_lossy(fws_firing *firing, hd_trans_id t, fws_sink *sink,
                       void *context) {
  const fws_config *config = firing->config;
  hd_tokens caps = hd_net_caps(firing->rules->net, t);
  fws_config less = {.shared = config->shared};
  size_t c = 0;
  for (size_t i = 0; i < config->tokens.size; i++) {
    hd_token token = config->tokens.data[i];
    while (c < caps.size && caps.data[c].place < token.place)
      c++;
    if (c < caps.size && caps.data[c].place == token.place &&
        caps.data[c].count < token.count)
      token.count = caps.data[c].count;
    if (token.count)
      hd_vec_push(&less.tokens, token);
  }
  unload(firing);
  load(firing, &less);
  bool more = fire(firing, t, sink, context);
  unload(firing);
  load(firing, config);
  hd_vec_free(&less.tokens);
  return more;
}

static bool fire_any(fws_firing *firing, hd_trans_id t, fws_sink *sink,
                     void *context) {
  const fws_rules *rules = firing->rules;
  if (!rules->caps && rules->net->trans.data[t].caps.size)
    return fire_lossy(firing, t, sink, context);
  return fire(firing, t, sink, context);
}

bool hd_fws_fire_all(fws_firing *firing, const fws_config *config,
                     fws_sink *sink, void *context) {
  load(firing, config);
  hd_vec_clear(&firing->candidates);
  hd_fws_index_collect(&firing->rules->index, config->shared,
                       hd_token_vec_view(&config->tokens), &firing->candidates);
  bool more = true;
  for (size_t i = 0; more && i < firing->candidates.size; i++)
    more = fire_any(firing, firing->candidates.data[i], sink, context);
  unload(firing);
  return more;
}

bool hd_fws_fire_one(fws_firing *firing, const fws_config *config,
                     hd_trans_id trans, fws_sink *sink, void *context) {
  assert(firing->rules->net->trans.data[trans].from == config->shared);
  load(firing, config);
  bool more = fire_any(firing, trans, sink, context);
  unload(firing);
  return more;
}
