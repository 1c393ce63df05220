/* SPDX-License-Identifier: MIT */
/* Four measures of the way to the target.
 *
 * HD_FWS_HUB: steps from the shared state to a target's, whoever makes them.
 *
 * HD_FWS_THREAD: for a token wanted in place q with shared state t, the least
 * number of steps that bring the pair (shared state, token's place) to (t, q)
 * when in each step either the token itself moves or some other thread changes
 * the shared state. One table over all pairs for each wanted pair, made once
 * by breadth-first search backward from it; targets of a single token share
 * one. A configuration adds up, over the tokens its target wants, the nearest
 * tokens it has. The place after the last stands for "no token": transitions
 * without pre produce from it.
 *
 * HD_FWS_RELAXED: the target's cost in the net where tokens are never used up
 * and shared states never left, costs of several needs added (relax.c).
 *
 * A linear function, if given, goes before all of them. */
#include "engine/fws/guide.h"

#include "engine/fws/relax.h"

#include <stdlib.h>
#include <string.h>

/* The most table entries and the most steps to fill them. */
enum { MAX_ENTRIES = 1 << 24, MAX_FILL = 1 << 27 };

/* `count` tokens wanted at the place that table `table` leads to. */
typedef struct {
  uint32_t table;
  hd_count count;
} want;

typedef struct {
  uint32_t distance;
  hd_count count;
} near;

struct fws_guide {
  const fws_rules *rules;
  hd_fws_measure measure;
  const hd_linear *linear;
  uint16_t *hub; /* n_shared */
  size_t width;  /* places and "no token" */
  uint32_t n_tables;
  uint16_t *tables; /* n_tables * n_shared * width */
  hd_vec(want) wants;
  hd_vec(hd_range) goals; /* into wants: each a disjunct of the target */
  hd_vec(near) nearest;   /* scratch */
  fws_relax *relax;
};

/* ---- one step backward in the expanded diagram ---- */

typedef struct {
  hd_shared_id shared;
  hd_place_id place;
} pair;

typedef struct {
  const hd_net *net;
  size_t width;
  uint32_t *start; /* others' steps into s come from before[start[s]] … */
  hd_shared_id *before;
  hd_vec(pair) sources; /* of the token's own steps */
  fws_index index;      /* of sources, by shared state and place after */
} backward;

static void add_source(backward *b, fws_keys *keys, hd_trans_id t,
                       hd_place_id from, hd_place_id to) {
  const hd_trans *trans = &b->net->trans.data[t];
  fws_key key = {trans->to, to, (uint32_t)b->sources.size};
  hd_vec_push(keys, key);
  pair source = {trans->from, from};
  hd_vec_push(&b->sources, source);
}

static void add_sources(backward *b, fws_keys *keys, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(b->net, t), post = hd_net_post(b->net, t);
  for (size_t j = 0; j < post.size; j++) {
    for (size_t i = 0; i < pre.size; i++)
      add_source(b, keys, t, pre.data[i].place, post.data[j].place);
    if (!pre.size)
      add_source(b, keys, t, b->net->n_places, post.data[j].place);
  }
  const hd_move *move = hd_net_moves(b->net, t);
  for (size_t i = 0; i < b->net->trans.data[t].moves.size; i++)
    if (move[i].to != HD_NOWHERE)
      add_source(b, keys, t, move[i].from, move[i].to);
}

static void backward_init(backward *b, const hd_net *net) {
  *b = (backward){.net = net, .width = (size_t)net->n_places + 1};
  b->start = hd_calloc((size_t)net->n_shared + 1, sizeof *b->start);
  b->before = hd_calloc(net->trans.size, sizeof *b->before);
  uint32_t *seen = hd_calloc(net->n_shared, sizeof *seen), n = 0;
  for (hd_shared_id s = 0; s < net->n_shared; s++) {
    for (uint32_t i = net->to_start[s]; i < net->to_start[s + 1]; i++) {
      hd_shared_id from = net->trans.data[net->to_ids[i]].from;
      if (from == s || seen[from] == s + 1)
        continue;
      seen[from] = s + 1;
      b->before[n++] = from;
    }
    b->start[s + 1] = n;
  }
  hd_free(seen);
  fws_keys keys = {0};
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    add_sources(b, &keys, t);
  hd_fws_index_build(&b->index, &keys, net->n_shared);
  hd_vec_free(&keys);
}

static void backward_free(backward *b) {
  hd_free(b->start);
  hd_free(b->before);
  hd_vec_free(&b->sources);
  hd_fws_index_free(&b->index);
}

/* Fills `table` from the pairs in it that are 0 already. */
static void fill(const backward *b, uint16_t *table) {
  size_t n = b->net->n_shared * b->width;
  hd_u32s todo = {0}, items = {0};
  for (size_t i = 0; i < n; i++)
    if (!table[i])
      hd_vec_push(&todo, (uint32_t)i);
  for (size_t at = 0; at < todo.size; at++) {
    uint32_t node = todo.data[at];
    if (table[node] >= FWS_FAR - 1)
      break;
    uint16_t next = (uint16_t)(table[node] + 1);
    hd_shared_id shared = (hd_shared_id)(node / b->width);
    assert(shared < b->net->n_shared);
    hd_place_id place = (hd_place_id)(node % b->width);
    for (uint32_t i = b->start[shared]; i < b->start[shared + 1]; i++) {
      size_t from = b->before[i] * b->width + place;
      if (table[from] <= next)
        continue;
      table[from] = next;
      hd_vec_push(&todo, (uint32_t)from);
    }
    hd_token token = {place, 1};
    hd_vec_clear(&items);
    hd_fws_index_collect(&b->index, shared,
                         (hd_tokens){.data = &token, .size = 1}, &items);
    for (size_t i = 0; i < items.size; i++) {
      pair source = b->sources.data[items.data[i]];
      assert(source.place < b->width);
      size_t from = source.shared * b->width + source.place;
      if (table[from] <= next)
        continue;
      table[from] = next;
      hd_vec_push(&todo, (uint32_t)from);
    }
  }
  hd_vec_free(&todo);
  hd_vec_free(&items);
}

/* ---- making the tables ---- */

static void mark(uint16_t *table, size_t width, const hd_net *net,
                 hd_shared_id shared, hd_place_id place) {
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    if (shared == HD_ANY_SHARED || shared == s)
      table[s * width + place] = 0;
}

static void make_hub(fws_guide *guide) {
  const hd_net *net = guide->rules->net;
  guide->hub = hd_alloc(net->n_shared * sizeof *guide->hub);
  memset(guide->hub, 0xFF, net->n_shared * sizeof *guide->hub);
  for (size_t i = 0; i < net->targets.size; i++)
    mark(guide->hub, 1, net, net->targets.data[i].shared, 0);
  backward b;
  backward_init(&b, net);
  hd_fws_index_free(&b.index); /* whoever moves: no token is followed */
  fws_keys none = {0};
  hd_fws_index_build(&b.index, &none, net->n_shared);
  b.width = 1;
  fill(&b, guide->hub);
  backward_free(&b);
}

/* The wanted pairs of all targets in order; tables come later. A target that
 * wants no token wants "no token". */
static void collect_wants(fws_guide *guide, hd_u32s *target_of) {
  const hd_net *net = guide->rules->net;
  bool shared_table = false;
  for (uint32_t i = 0; i < net->targets.size; i++) {
    hd_tokens need = hd_net_view(net, net->targets.data[i].need);
    bool single = hd_tokens_total(need) <= 1;
    if (single && shared_table)
      continue;
    hd_range goal = {.start = (uint32_t)guide->wants.size};
    for (size_t j = 0; j < need.size + !need.size; j++) {
      want w = {guide->n_tables++, need.size ? need.data[j].count : 1};
      hd_vec_push(&guide->wants, w);
      hd_vec_push(target_of, i);
      goal.size++;
    }
    hd_vec_push(&guide->goals, goal);
    shared_table = shared_table || single;
  }
}

static bool tables_fit(const fws_guide *guide, const backward *b) {
  uint64_t entries = (uint64_t)b->net->n_shared * guide->width;
  uint64_t steps =
      (uint64_t)b->start[b->net->n_shared] * guide->width + b->sources.size;
  return guide->n_tables && entries <= MAX_ENTRIES / guide->n_tables &&
         steps <= MAX_FILL / guide->n_tables;
}

static void mark_target(const fws_guide *guide, uint16_t *table,
                        uint32_t target, size_t which) {
  const hd_net *net = guide->rules->net;
  hd_tokens need = hd_net_view(net, net->targets.data[target].need);
  mark(table, guide->width, net, net->targets.data[target].shared,
       need.size ? need.data[which].place : net->n_places);
}

/* Makes the tables; false, with none made, when they would be too large. */
static bool make_tables(fws_guide *guide) {
  const hd_net *net = guide->rules->net;
  hd_u32s target_of = {0};
  backward b;
  backward_init(&b, net);
  collect_wants(guide, &target_of);
  bool fits = tables_fit(guide, &b);
  if (fits) {
    size_t entries = net->n_shared * guide->width;
    guide->tables = hd_alloc(guide->n_tables * entries * sizeof *guide->tables);
    memset(guide->tables, 0xFF,
           guide->n_tables * entries * sizeof *guide->tables);
    assert(target_of.size == guide->n_tables);
    for (uint32_t k = 0, which = 0; k < guide->n_tables; k++) {
      uint32_t target = target_of.data[k];
      which = k && target_of.data[k - 1] == target ? which + 1 : 0;
      uint16_t *table = guide->tables + k * entries;
      mark_target(guide, table, target, which);
      hd_tokens need = hd_net_view(net, net->targets.data[target].need);
      for (uint32_t i = 0; hd_tokens_total(need) <= 1 && i < net->targets.size;
           i++)
        if (hd_tokens_total(hd_net_view(net, net->targets.data[i].need)) <= 1)
          mark_target(guide, table, i, 0);
      fill(&b, table);
    }
  }
  hd_vec_free(&target_of);
  backward_free(&b);
  return fits;
}

fws_guide *hd_fws_guide_new(const fws_rules *rules, hd_fws_measure measure,
                            const hd_linear *linear) {
  fws_guide *guide = hd_calloc(1, sizeof *guide);
  guide->rules = rules;
  guide->linear = linear;
  guide->width = (size_t)rules->net->n_places + 1;
  guide->measure = measure == HD_FWS_BEST ? HD_FWS_THREAD : measure;
  if (linear)
    return guide;
  if (guide->measure == HD_FWS_THREAD && !make_tables(guide))
    guide->measure = HD_FWS_HUB;
  if (guide->measure == HD_FWS_HUB)
    make_hub(guide);
  if (guide->measure == HD_FWS_RELAXED)
    guide->relax = hd_fws_relax_new(rules->net);
  return guide;
}

void hd_fws_guide_delete(fws_guide *guide) {
  hd_free(guide->hub);
  hd_free(guide->tables);
  hd_vec_free(&guide->wants);
  hd_vec_free(&guide->goals);
  hd_vec_free(&guide->nearest);
  if (guide->relax)
    hd_fws_relax_delete(guide->relax);
  hd_free(guide);
}

hd_fws_measure hd_fws_guide_measure(const fws_guide *guide) {
  return guide->measure;
}

/* ---- distances ---- */

static int by_distance(const void *a, const void *b) {
  uint32_t x = ((const near *)a)->distance, y = ((const near *)b)->distance;
  return (x > y) - (x < y);
}

/* The sum of the distances of the nearest `count` tokens; tokens that are still
 * missing count as much as the nearest. */
static uint64_t nearest_sum(fws_guide *guide, hd_count count) {
  assert(guide->nearest.size);
  qsort(guide->nearest.data, guide->nearest.size, sizeof(near), by_distance);
  uint64_t sum = 0;
  for (size_t i = 0; count && i < guide->nearest.size; i++) {
    near n = guide->nearest.data[i];
    hd_count take = n.count < count ? n.count : count;
    sum += (uint64_t)take * n.distance;
    count -= take;
  }
  return sum + (uint64_t)count * guide->nearest.data[0].distance;
}

static uint64_t want_distance(fws_guide *guide, want w,
                              const fws_config *config) {
  const uint16_t *row =
      guide->tables +
      (w.table * (size_t)guide->rules->net->n_shared + config->shared) *
          guide->width;
  uint32_t least = row[guide->width - 1];
  for (size_t i = 0; i < config->tokens.size; i++)
    if (row[config->tokens.data[i].place] < least)
      least = row[config->tokens.data[i].place];
  if (w.count == 1 || least == FWS_FAR)
    return least;
  hd_vec_clear(&guide->nearest);
  near none = {row[guide->width - 1], HD_OMEGA};
  if (none.distance != FWS_FAR)
    hd_vec_push(&guide->nearest, none);
  for (size_t i = 0; i < config->tokens.size; i++) {
    hd_token token = config->tokens.data[i];
    near n = {row[token.place], token.count};
    if (n.distance != FWS_FAR)
      hd_vec_push(&guide->nearest, n);
  }
  return nearest_sum(guide, w.count);
}

static uint32_t thread_distance(fws_guide *guide, const fws_config *config) {
  assert(guide->goals.size);
  uint64_t best = FWS_FAR;
  for (size_t g = 0; g < guide->goals.size; g++) {
    hd_range goal = guide->goals.data[g];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < goal.size && sum < best; i++)
      sum += want_distance(guide, guide->wants.data[goal.start + i], config);
    if (sum < best)
      best = sum;
  }
  return (uint32_t)best;
}

static uint32_t linear_distance(const hd_linear *linear,
                                const fws_config *config) {
  double sum =
      linear->potential ? (double)linear->potential[config->shared] : 0;
  for (size_t i = 0; i < config->tokens.size; i++) {
    hd_token token = config->tokens.data[i];
    if (token.count != HD_OMEGA)
      sum += (double)linear->weight[token.place] * token.count;
  }
  return sum < 0 ? 0 : sum > FWS_FAR ? FWS_FAR : (uint32_t)sum;
}

uint32_t hd_fws_guide_distance(fws_guide *guide, const fws_config *config) {
  if (guide->linear)
    return linear_distance(guide->linear, config);
  switch (guide->measure) {
  case HD_FWS_THREAD:
    return thread_distance(guide, config);
  case HD_FWS_RELAXED:
    return hd_fws_relax_distance(guide->relax, config);
  case HD_FWS_BEST:
  case HD_FWS_HUB:
    break;
  }
  return guide->hub[config->shared];
}
