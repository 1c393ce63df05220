/* SPDX-License-Identifier: MIT */
/* Problem: a finite set D of configurations with counts 0 … most and HD_OMEGA
 * whose downward closure contains the initial configurations, is closed under
 * all transitions and has no target in it.
 *
 * Idea: the successors of the largest initial configuration, where a count that
 * would pass `most` becomes HD_OMEGA. That only enlarges what is reached, so D
 * is closed by construction, and there are finitely many such configurations.
 * Only the maximal ones are kept: what lies below another one has its
 * successors below the successors of that one. Upper guards are ignored: they
 * take transitions away.
 *
 * Transitions that T excludes, or into shared states from which no target's
 * shared state can be reached, do not count; nor do places from which neither a
 * transition that counts nor a target takes: they hold any number. The judge of
 * covers (check/cover.c) knows both.
 *
 * Verdict: a cover without target proves that no target is reached. When a target
 * is in it, the way to it is a witness if some number of threads can go it,
 * which is found out backwards; if not it means nothing. The work is bounded. */
#include "engine/tse/saturate.h"

#define NONE UINT32_MAX

typedef struct {
  hd_shared_id shared;
  hd_range tokens; /* in the pool */
  uint64_t signature;
  uint32_t next;     /* of the same shared state */
  uint32_t parent;   /* NONE: the initial one */
  hd_trans_id trans; /* from it */
  bool covered;      /* by a later one */
} element;

typedef struct {
  const hd_net *net;
  const hd_cert *tset;
  hd_count most;
  uint64_t work;
  uint64_t *counts;  /* bits over transitions: they count */
  uint64_t *matters; /* bits over places */
  uint32_t *first;   /* element of a shared state */
  hd_vec(element) elements;
  hd_token_vec pool;
  hd_token_vec next, rest; /* scratch */
  hd_u32s open;
} search;

/* --- what counts --- */

static bool in_tset(const hd_cert *tset, hd_shared_id s, hd_tokens pre) {
  if (!tset || !tset->rows)
    return true;
  const uint64_t *row = tset->rows[s];
  for (size_t i = 0; row && i < pre.size; i++)
    if (!hd_bits_test(row, pre.data[i].place))
      return false;
  return row != NULL;
}

static void mark(uint64_t *live, hd_u32s *queue, hd_shared_id s) {
  if (hd_bits_test(live, s))
    return;
  hd_bits_set(live, s);
  hd_vec_push(queue, s);
}

/* The shared states from which a target's can be reached. */
static uint64_t *live_states(const search *q) {
  const hd_net *net = q->net;
  uint64_t *live = hd_calloc(hd_bits_words(net->n_shared), sizeof *live);
  hd_u32s queue = {0};
  for (hd_vec_each(const hd_target, target, &net->targets))
    for (hd_shared_id s = 0; s < net->n_shared; s++)
      if (s == target->shared || target->shared == HD_ANY_SHARED)
        mark(live, &queue, s);
  while (queue.size) {
    hd_shared_id s = hd_vec_pop(&queue);
    for (uint32_t i = net->to_start[s]; i < net->to_start[s + 1]; i++)
      if (hd_bits_test(q->counts, net->to_ids[i]))
        mark(live, &queue, net->trans.data[net->to_ids[i]].from);
  }
  hd_vec_free(&queue);
  return live;
}

static void mark_places(search *q, hd_tokens v) {
  for (size_t i = 0; i < v.size; i++)
    hd_bits_set(q->matters, v.data[i].place);
}

static void find_what_counts(search *q) {
  const hd_net *net = q->net;
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (in_tset(q->tset, net->trans.data[t].from, hd_net_pre(net, t)))
      hd_bits_set(q->counts, t);
  uint64_t *live = live_states(q);
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_trans *trans = &net->trans.data[t];
    if (!hd_bits_test(live, trans->to))
      hd_bits_clear(q->counts, t);
    if (!hd_bits_test(q->counts, t))
      continue;
    mark_places(q, hd_net_pre(net, t));
    const hd_move *moves = hd_net_moves(net, t);
    for (uint32_t i = 0; i < trans->moves.size; i++)
      hd_bits_set(q->matters, moves[i].from);
  }
  for (hd_vec_each(const hd_target, target, &net->targets))
    mark_places(q, hd_net_view(net, target->need));
  hd_free(live);
}

/* --- the set --- */

static hd_tokens tokens_of(const search *q, const element *e) {
  return (hd_tokens){.data = q->pool.data + e->tokens.start,
                     .size = e->tokens.size};
}

/* Adds (s | q->next), which `t` makes of `parent`, unless another covers it, and
 * takes out those it covers. */
static void add(search *q, hd_shared_id s, uint32_t parent, hd_trans_id t) {
  hd_tokens v = hd_token_vec_view(&q->next);
  uint64_t signature = hd_tokens_signature(v);
  for (uint32_t i = q->first[s]; i != NONE; i = q->elements.data[i].next) {
    element *e = &q->elements.data[i];
    q->work -= q->work > 0;
    if (e->covered)
      continue;
    if (!(signature & ~e->signature) && hd_tokens_covers(tokens_of(q, e), v))
      return;
    if (!(e->signature & ~signature) && hd_tokens_covers(v, tokens_of(q, e)))
      e->covered = true;
  }
  element e = {
      .shared = s,
      .tokens = {.start = (uint32_t)q->pool.size, .size = (uint32_t)v.size},
      .signature = signature,
      .next = q->first[s],
      .parent = parent,
      .trans = t};
  q->first[s] = (uint32_t)q->elements.size;
  hd_vec_push(&q->open, q->first[s]);
  hd_vec_push(&q->elements, e);
  for (size_t i = 0; i < v.size; i++)
    hd_vec_push(&q->pool, v.data[i]);
}

/* The target that element `index` covers, or NONE. */
static uint32_t target_in(const search *q, uint32_t index) {
  const element *e = &q->elements.data[index];
  const hd_net *net = q->net;
  for (uint32_t i = 0; i < net->targets.size; i++) {
    const hd_target *target = &net->targets.data[i];
    if ((target->shared == e->shared || target->shared == HD_ANY_SHARED) &&
        hd_tokens_covers(tokens_of(q, e), hd_net_view(net, target->need)))
      return i;
  }
  return NONE;
}

/* The way to element `index`, if enough threads can really go it. */
static hd_witness *make_witness(const search *q, uint32_t index,
                                uint32_t target) {
  if (q->net->features & (HD_HAS_MOVES | HD_HAS_CAPS) ||
      q->net->targets.data[target].caps.size)
    return NULL;
  hd_witness *witness = hd_witness_new();
  for (uint32_t i = index; q->elements.data[i].parent != NONE;
       i = q->elements.data[i].parent)
    hd_vec_push(&witness->steps,
                ((hd_step){.trans = q->elements.data[i].trans}));
  for (size_t i = 0, n = witness->steps.size; i < n / 2; i++) {
    hd_step step = witness->steps.data[i];
    witness->steps.data[i] = witness->steps.data[n - 1 - i];
    witness->steps.data[n - 1 - i] = step;
  }
  witness->target = target;
  if (hd_witness_find_init(witness, q->net))
    return witness;
  hd_witness_delete(witness);
  return NULL;
}

/* --- successors --- */

/* Puts n tokens more into a place of q->next, which is not sorted meanwhile. */
static void give(search *q, hd_place_id place, hd_count n) {
  if (!n || !hd_bits_test(q->matters, place))
    return;
  for (hd_vec_each(hd_token, token, &q->next))
    if (token->place == place) {
      token->count = hd_count_add(token->count, n);
      return;
    }
  hd_vec_push(&q->next, ((hd_token){.place = place, .count = n}));
}

/* All tokens that are in the source of a move leave it at once. With several
 * moves out of a place each destination may get all of them. */
static void move_tokens(search *q, hd_trans_id t) {
  const hd_move *moves = hd_net_moves(q->net, t);
  uint32_t n = q->net->trans.data[t].moves.size;
  if (!n)
    return;
  hd_vec_clear(&q->rest);
  for (hd_vec_each(hd_token, token, &q->next)) {
    hd_vec_push(&q->rest, *token);
    for (uint32_t i = 0; i < n; i++)
      if (token->place == moves[i].from)
        token->count = 0;
  }
  hd_tokens rest = hd_token_vec_view(&q->rest);
  for (uint32_t i = 0; i < n; i++)
    if (moves[i].to != HD_NOWHERE)
      give(q, moves[i].to, hd_tokens_at(rest, moves[i].from));
}

static void tidy(search *q) {
  size_t kept = 0;
  for (size_t i = 0; i < q->next.size; i++) {
    hd_token token = q->next.data[i];
    if (!token.count)
      continue;
    if (token.count > q->most)
      token.count = HD_OMEGA;
    size_t at = kept++;
    for (; at && q->next.data[at - 1].place > token.place; at--)
      q->next.data[at] = q->next.data[at - 1];
    q->next.data[at] = token;
  }
  q->next.size = kept;
}

/* q->next becomes what `t` makes of element `index`; false when it is not
 * enabled there. */
static bool fire(search *q, uint32_t index, hd_trans_id t) {
  hd_tokens v = tokens_of(q, &q->elements.data[index]);
  hd_tokens pre = hd_net_pre(q->net, t), post = hd_net_post(q->net, t);
  if (!hd_tokens_covers(v, pre))
    return false;
  hd_vec_clear(&q->next);
  for (size_t i = 0; i < v.size; i++) {
    hd_token token = v.data[i];
    token.count = hd_count_sub(token.count, hd_tokens_at(pre, token.place));
    hd_vec_push(&q->next, token);
  }
  move_tokens(q, t);
  for (size_t i = 0; i < post.size; i++)
    give(q, post.data[i].place, post.data[i].count);
  tidy(q);
  return true;
}

static void start(search *q) {
  const hd_net *net = q->net;
  hd_vec_clear(&q->next);
  for (hd_place_id p = 0; p < net->n_places; p++)
    give(q, p, net->init[p].max);
  tidy(q);
  add(q, net->init_shared, NONE, 0);
}

/* The latest first: they are the ones with most tokens. False when a target is
 * reached or the work is spent. */
static bool explore(search *q, hd_run *run, hd_witness **witness) {
  const hd_net *net = q->net;
  while (q->open.size) {
    uint32_t index = hd_vec_pop(&q->open);
    element e = q->elements.data[index];
    if (e.covered)
      continue;
    uint32_t target = target_in(q, index);
    if (target != NONE) {
      *witness = make_witness(q, index, target);
      return false;
    }
    for (uint32_t i = net->from_start[e.shared];
         i < net->from_start[e.shared + 1]; i++) {
      hd_trans_id t = net->from_ids[i];
      q->work -= q->work > 0;
      if (hd_bits_test(q->counts, t) && fire(q, index, t))
        add(q, net->trans.data[t].to, index, t);
    }
    if (!q->work || !hd_run_check(run))
      return false;
  }
  return true;
}

static hd_cert *make_cover(const search *q) {
  const hd_net *net = q->net;
  hd_cert *cert = hd_cert_new(HD_CERT_COVER, net->n_shared, net->n_places);
  for (hd_vec_each(const element, e, &q->elements))
    if (!e->covered)
      hd_cert_add_config(cert, e->shared, tokens_of(q, e));
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (!hd_bits_test(q->matters, p))
      hd_vec_push(&cert->ignored, p);
  return cert;
}

hd_saturated hd_saturate(const hd_net *net, const hd_cert *tset, hd_count most,
                         uint64_t work, hd_run *run) {
  search q = {.net = net, .tset = tset, .most = most, .work = work};
  q.counts = hd_calloc(hd_bits_words(net->trans.size), sizeof *q.counts);
  q.matters = hd_calloc(hd_bits_words(net->n_places), sizeof *q.matters);
  q.first = hd_calloc(net->n_shared, sizeof *q.first);
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    q.first[s] = NONE;
  find_what_counts(&q);
  start(&q);
  hd_saturated out = {0};
  if (explore(&q, run, &out.witness))
    out.cert = make_cover(&q);
  hd_free(q.counts);
  hd_free(q.matters);
  hd_free(q.first);
  hd_vec_free(&q.elements);
  hd_vec_free(&q.pool);
  hd_vec_free(&q.next);
  hd_vec_free(&q.rest);
  hd_vec_free(&q.open);
  return out;
}
