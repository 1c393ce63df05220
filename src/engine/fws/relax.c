/* SPDX-License-Identifier: MIT */
/* Facts are the shared states, "one more token in p" for each place p, and the
 * goal. A step needs facts and gives facts: one step for each transition, one
 * more for each of its moves (which needs a token in the move's source, too),
 * and one for each target, which gives the goal. A need of k tokens in p is met
 * where the configuration has them and costs (k - M(p)) * cost(p) otherwise; a
 * step costs 1 plus all its needs; a fact costs as much as the cheapest step
 * that gives it. Costs only grow along the way, so Dijkstra's order works
 * (Knuth's generalisation): a step is ready when its last need is settled. */
#include "engine/fws/relax.h"

#include "engine/fws/guide.h"

#include <string.h>

typedef struct {
  uint32_t fact;
  hd_count count;
} need;

typedef struct {
  hd_range needs, gives;
} step;

typedef struct {
  uint32_t step;
  hd_count count;
} use;

typedef struct {
  uint32_t cost, fact;
} entry;

struct fws_relax {
  uint32_t n_shared, n_facts, goal;
  hd_vec(step) steps;
  hd_vec(need) needs;
  hd_u32s gives;
  uint32_t *use_start; /* uses of fact f: uses[use_start[f]] … */
  use *uses;
  /* of one evaluation */
  uint32_t *left;  /* needs not yet settled, per step */
  uint32_t *spent; /* their costs so far, per step */
  uint32_t *cost;  /* per fact */
  bool *settled;
  hd_count *have; /* per fact */
  hd_vec(entry) heap;
};

static void add_need(fws_relax *r, uint32_t fact, hd_count count) {
  need n = {fact, count};
  hd_vec_push(&r->needs, n);
}

/* A step with the needs of pre (and one token in `extra` unless FWS_NONE). */
static void add_step(fws_relax *r, hd_shared_id from, hd_tokens pre,
                     hd_place_id extra, uint32_t gives_start) {
  step s = {.needs.start = (uint32_t)r->needs.size,
            .gives = {gives_start, (uint32_t)r->gives.size - gives_start}};
  if (from != HD_ANY_SHARED)
    add_need(r, from, 1);
  for (size_t i = 0; i < pre.size; i++)
    add_need(r, r->n_shared + pre.data[i].place, pre.data[i].count);
  if (extra != FWS_NONE)
    add_need(r, r->n_shared + extra, 1);
  s.needs.size = (uint32_t)r->needs.size - s.needs.start;
  hd_vec_push(&r->steps, s);
}

static void add_trans(fws_relax *r, const hd_net *net, hd_trans_id t) {
  const hd_trans *trans = &net->trans.data[t];
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  uint32_t start = (uint32_t)r->gives.size;
  if (trans->from != trans->to)
    hd_vec_push(&r->gives, trans->to);
  for (size_t i = 0; i < post.size; i++)
    if (hd_tokens_at(pre, post.data[i].place) < post.data[i].count)
      hd_vec_push(&r->gives, r->n_shared + post.data[i].place);
  if (r->gives.size > start)
    add_step(r, trans->from, pre, FWS_NONE, start);
  const hd_move *move = hd_net_moves(net, t);
  for (size_t i = 0; i < trans->moves.size; i++) {
    if (move[i].to == HD_NOWHERE || move[i].to == move[i].from)
      continue;
    start = (uint32_t)r->gives.size;
    hd_vec_push(&r->gives, r->n_shared + move[i].to);
    add_step(r, trans->from, pre, move[i].from, start);
  }
}

static void index_uses(fws_relax *r) {
  r->use_start = hd_calloc((size_t)r->n_facts + 1, sizeof *r->use_start);
  r->uses = hd_calloc(r->needs.size, sizeof *r->uses);
  for (size_t i = 0; i < r->needs.size; i++)
    r->use_start[r->needs.data[i].fact + 1]++;
  for (uint32_t f = 0; f < r->n_facts; f++)
    r->use_start[f + 1] += r->use_start[f];
  uint32_t *at = hd_calloc(r->n_facts, sizeof *at);
  memcpy(at, r->use_start, r->n_facts * sizeof *at);
  for (uint32_t s = 0; s < r->steps.size; s++) {
    hd_range needs = r->steps.data[s].needs;
    for (uint32_t i = 0; i < needs.size; i++) {
      need n = r->needs.data[needs.start + i];
      r->uses[at[n.fact]++] = (use){s, n.count};
    }
  }
  hd_free(at);
}

fws_relax *hd_fws_relax_new(const hd_net *net) {
  fws_relax *r = hd_calloc(1, sizeof *r);
  r->n_shared = net->n_shared;
  r->goal = net->n_shared + net->n_places;
  r->n_facts = r->goal + 1;
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    add_trans(r, net, t);
  for (size_t i = 0; i < net->targets.size; i++) {
    const hd_target *target = &net->targets.data[i];
    uint32_t start = (uint32_t)r->gives.size;
    hd_vec_push(&r->gives, r->goal);
    add_step(r, target->shared, hd_net_view(net, target->need), FWS_NONE,
             start);
  }
  index_uses(r);
  r->left = hd_calloc(r->steps.size, sizeof *r->left);
  r->spent = hd_calloc(r->steps.size, sizeof *r->spent);
  r->cost = hd_calloc(r->n_facts, sizeof *r->cost);
  r->settled = hd_calloc(r->n_facts, sizeof *r->settled);
  r->have = hd_calloc(r->n_facts, sizeof *r->have);
  return r;
}

void hd_fws_relax_delete(fws_relax *r) {
  hd_vec_free(&r->steps);
  hd_vec_free(&r->needs);
  hd_vec_free(&r->gives);
  hd_free(r->use_start);
  hd_free(r->uses);
  hd_free(r->left);
  hd_free(r->spent);
  hd_free(r->cost);
  hd_free(r->settled);
  hd_free(r->have);
  hd_vec_free(&r->heap);
  hd_free(r);
}

static void heap_push(fws_relax *r, uint32_t cost, uint32_t fact) {
  entry e = {cost, fact};
  hd_vec_push(&r->heap, e);
  size_t at = r->heap.size - 1;
  for (; at && r->heap.data[(at - 1) / 2].cost > cost; at = (at - 1) / 2)
    r->heap.data[at] = r->heap.data[(at - 1) / 2];
  r->heap.data[at] = e;
}

static entry heap_pop(fws_relax *r) {
  assert(r->heap.size);
  entry top = r->heap.data[0], last = hd_vec_pop(&r->heap);
  size_t at = 0, n = r->heap.size;
  for (size_t kid; (kid = 2 * at + 1) < n; at = kid) {
    if (kid + 1 < n && r->heap.data[kid + 1].cost < r->heap.data[kid].cost)
      kid++;
    if (r->heap.data[kid].cost >= last.cost)
      break;
    r->heap.data[at] = r->heap.data[kid];
  }
  if (n)
    r->heap.data[at] = last;
  return top;
}

static void ready(fws_relax *r, uint32_t s) {
  hd_range gives = r->steps.data[s].gives;
  uint32_t cost = r->spent[s] + 1;
  for (uint32_t i = 0; i < gives.size; i++) {
    uint32_t fact = r->gives.data[gives.start + i];
    if (r->settled[fact] || r->cost[fact] <= cost)
      continue;
    r->cost[fact] = cost;
    heap_push(r, cost, fact);
  }
}

/* One need of step `s` is met at the price `cost`. */
static void meet(fws_relax *r, uint32_t s, uint64_t cost) {
  assert(r->left[s]);
  uint64_t spent = r->spent[s] + cost;
  r->spent[s] = spent < FWS_FAR ? (uint32_t)spent : FWS_FAR;
  if (--r->left[s] == 0 && r->spent[s] < FWS_FAR)
    ready(r, s);
}

static void give(fws_relax *r, uint32_t fact, hd_count count) {
  assert(!r->have[fact] && count);
  r->have[fact] = count;
  for (uint32_t i = r->use_start[fact]; i < r->use_start[fact + 1]; i++)
    if (r->uses[i].count <= count)
      meet(r, r->uses[i].step, 0);
}

static void settle(fws_relax *r, uint32_t fact, uint32_t cost) {
  assert(!r->settled[fact] && r->cost[fact] == cost);
  r->settled[fact] = true;
  hd_count have = r->have[fact];
  for (uint32_t i = r->use_start[fact]; i < r->use_start[fact + 1]; i++)
    if (r->uses[i].count > have)
      meet(r, r->uses[i].step, (uint64_t)(r->uses[i].count - have) * cost);
}

static void start(fws_relax *r, const fws_config *config) {
  hd_vec_clear(&r->heap);
  memset(r->cost, 0xFF, r->n_facts * sizeof *r->cost);
  memset(r->settled, 0, r->n_facts * sizeof *r->settled);
  memset(r->spent, 0, r->steps.size * sizeof *r->spent);
  for (uint32_t s = 0; s < r->steps.size; s++)
    r->left[s] = r->steps.data[s].needs.size;
  for (uint32_t s = 0; s < r->steps.size; s++)
    if (!r->left[s])
      ready(r, s);
  give(r, config->shared, 1);
  for (size_t i = 0; i < config->tokens.size; i++)
    give(r, r->n_shared + config->tokens.data[i].place,
         config->tokens.data[i].count);
}

static void finish(fws_relax *r, const fws_config *config) {
  r->have[config->shared] = 0;
  for (size_t i = 0; i < config->tokens.size; i++)
    r->have[r->n_shared + config->tokens.data[i].place] = 0;
}

uint32_t hd_fws_relax_distance(fws_relax *r, const fws_config *config) {
  start(r, config);
  uint32_t distance = FWS_FAR;
  while (r->heap.size) {
    entry e = heap_pop(r);
    if (r->settled[e.fact])
      continue;
    assert(e.cost == r->cost[e.fact]);
    if (e.fact == r->goal) {
      distance = e.cost - 1;
      break;
    }
    settle(r, e.fact, e.cost);
  }
  finish(r, config);
  return distance < FWS_FAR ? distance : FWS_FAR;
}
