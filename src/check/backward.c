/* SPDX-License-Identifier: MIT */
/* The basis U of a backward certificate.
 *
 * T and the inequalities are invariants by now (stage one and two). What is
 * left to verify:
 *   1. no element of U lies below an initial configuration;
 *   2. for each element (s | u) and each transition t into s, every minimal
 *      configuration from which t leads to something above (s | u) is excluded
 *      or above an element of U;
 *   3. every target is excluded or above an element of U.
 * Then no reachable configuration lies above U: going back along a run from one
 * that does, each configuration before it is not excluded, since it is
 * reachable, so by 2 it lies above U as well, and so does the first; but 1 says
 * that it does not.
 *
 * The minimal predecessors under t: after post was added there are at least u
 * tokens, so before that at least u - post (not below 0). Each of these tokens
 * was moved there or stayed: a token now in place b was in b if t does not move
 * tokens out of b, or has a move b -> b; or it was in a place a with a move
 * a -> b. Every way of sending the tokens back where they can have come from,
 * plus pre, is one minimal predecessor, and there are no others. Upper guards
 * are not monotone and are used in one way only: where a predecessor has more
 * tokens than a guard allows, t is not enabled there nor anywhere above.
 *
 * Most pairs (u, t) cost nothing. A transition that stays in s, moves nothing
 * and adds to no place of u has a predecessor above u itself. So only those are
 * looked at that come from another shared state or have moves (`jumps`), and
 * those that add to a place of u (`makers`). */
#include "check/judge.h"
#include "check/keys.h"
#include "check/trie.h"
#include "check/ways.h"

#include <stdlib.h>

typedef struct {
  const hd_judge *judge;
  hd_trie *basis;
  hd_keys makers;      /* transitions s -> s without moves, by the places that
                           they add to */
  hd_move *by_to;      /* the net's moves, those of each transition sorted by
                           destination */
  hd_token_vec rest;   /* u - post */
  hd_token_vec before; /* a predecessor */
  hd_ways ways;
} basis_judge;

/* --- preparation --- */

static bool is_jump(const hd_trans *trans) {
  return trans->from != trans->to || trans->moves.size;
}

static void find_makers(basis_judge *b) {
  const hd_net *net = b->judge->net;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    if (is_jump(&net->trans.data[t]) || !hd_judge_fires(b->judge, t))
      continue;
    hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
    for (size_t i = 0; i < post.size; i++) {
      hd_key key = {.shared = net->trans.data[t].to,
                    .place = post.data[i].place,
                    .trans = t};
      if (post.data[i].count > hd_tokens_at(pre, key.place))
        hd_vec_push(&b->makers, key);
    }
  }
  hd_keys_sort(&b->makers);
}

static int compare_to(const void *left, const void *right) {
  const hd_move *a = left, *b = right;
  if (a->to != b->to)
    return a->to < b->to ? -1 : 1;
  return (a->from > b->from) - (a->from < b->from);
}

static void sort_moves(basis_judge *b) {
  const hd_net *net = b->judge->net;
  b->by_to = hd_calloc(net->moves.size, sizeof *b->by_to);
  for (size_t i = 0; i < net->moves.size; i++)
    b->by_to[i] = net->moves.data[i];
  for (hd_vec_each(const hd_trans, trans, &net->trans))
    if (trans->moves.size > 1)
      qsort(b->by_to + trans->moves.start, trans->moves.size, sizeof(hd_move),
            compare_to);
}

/* --- predecessors --- */

static void refuse_pair(const basis_judge *b, const hd_config *c, hd_trans_id t,
                        const char *what) {
  const hd_judge *judge = b->judge;
  hd_str_puts(judge->why, "the basis is not closed: ");
  hd_judge_say_trans(judge, t);
  hd_str_puts(judge->why, " into basis element ");
  hd_judge_say_config(judge, c->shared, hd_cert_view(judge->cert, c));
  hd_str_puts(judge->why, what);
}

/* Is b->before, a predecessor of `c` under `t`, accounted for? */
static bool accounted(basis_judge *b, const hd_config *c, hd_trans_id t) {
  const hd_judge *judge = b->judge;
  hd_shared_id from = judge->net->trans.data[t].from;
  hd_tokens before = hd_token_vec_view(&b->before);
  if (hd_judge_over_cap(before, hd_net_caps(judge->net, t)) ||
      hd_judge_excludes(judge, from, before) ||
      hd_trie_below(b->basis, from, before))
    return true;
  refuse_pair(b, c, t, " has the predecessor ");
  hd_judge_say_config(judge, from, before);
  hd_str_puts(judge->why, ", which nothing accounts for");
  return false;
}

/* Writes max(u - post, 0) to b->rest. */
static void take_post(basis_judge *b, hd_tokens u, hd_tokens post) {
  hd_vec_clear(&b->rest);
  for (size_t i = 0; i < u.size; i++) {
    hd_count given = hd_tokens_at(post, u.data[i].place);
    if (u.data[i].count > given)
      hd_vec_push(&b->rest, ((hd_token){.place = u.data[i].place,
                                        .count = u.data[i].count - given}));
  }
}

/* Writes rest + pre to b->before. Where a sum is larger than any count of the
 * basis can be, the largest count will do: it is covered by the same elements,
 * and excluded less often. */
static void add_pre(basis_judge *b, hd_tokens pre) {
  hd_tokens rest = hd_token_vec_view(&b->rest);
  hd_vec_clear(&b->before);
  size_t i = 0, j = 0;
  while (i < rest.size || j < pre.size) {
    if (j == pre.size ||
        (i < rest.size && rest.data[i].place < pre.data[j].place)) {
      hd_vec_push(&b->before, rest.data[i++]);
    } else if (i == rest.size || pre.data[j].place < rest.data[i].place) {
      hd_vec_push(&b->before, pre.data[j++]);
    } else {
      hd_count sum = rest.data[i].count + pre.data[j].count;
      hd_vec_push(
          &b->before,
          ((hd_token){.place = pre.data[j].place,
                      .count = sum < HD_COUNT_MAX ? sum : HD_COUNT_MAX}));
      i++;
      j++;
    }
  }
}

/* Adds the places from which `t` can have brought a token to `place` as options
 * of a new pile. False when there are none. */
static bool add_origins(basis_judge *b, hd_trans_id t, hd_token token) {
  const hd_net *net = b->judge->net;
  hd_range moves = net->trans.data[t].moves;
  hd_ways_add_pile(&b->ways, token.count);
  if (!hd_judge_moves_from(net, t, token.place).size)
    hd_ways_add_option(&b->ways, token.place);
  uint32_t low = moves.start, high = moves.start + moves.size;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (b->by_to[middle].to < token.place)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < moves.start + moves.size && b->by_to[low].to == token.place;
       low++)
    hd_ways_add_option(&b->ways, b->by_to[low].from);
  return hd_vec_last(&b->ways.piles).size > 0;
}

/* Writes one way of moving `rest` back, plus pre, to b->before. */
static bool move_back(basis_judge *b, hd_tokens pre) {
  hd_vec_clear(&b->before);
  for (size_t i = 0; i < pre.size; i++)
    hd_vec_push(&b->before, pre.data[i]);
  for (size_t i = 0; i < b->ways.options.size; i++)
    if (b->ways.share.data[i])
      hd_vec_push(&b->before, ((hd_token){.place = b->ways.options.data[i],
                                          .count = b->ways.share.data[i]}));
  return hd_token_vec_normalise(&b->before);
}

static bool moved_predecessors(basis_judge *b, const hd_config *c,
                               hd_trans_id t) {
  hd_ways_clear(&b->ways);
  for (size_t i = 0; i < b->rest.size; i++)
    if (!add_origins(b, t, b->rest.data[i]))
      return true; /* that token cannot be there after t */
  hd_ways_start(&b->ways);
  uint32_t n = 0;
  do {
    if (++n > HD_WAYS_MAX) {
      refuse_pair(b, c, t, " has too many predecessors to look at");
      return false;
    }
    if (!move_back(b, hd_net_pre(b->judge->net, t))) {
      refuse_pair(b, c, t, " has a predecessor with too large a count");
      return false;
    }
    if (!accounted(b, c, t))
      return false;
  } while (hd_ways_next(&b->ways));
  return true;
}

static bool predecessors(basis_judge *b, const hd_config *c, hd_trans_id t) {
  const hd_net *net = b->judge->net;
  take_post(b, hd_cert_view(b->judge->cert, c), hd_net_post(net, t));
  if (net->trans.data[t].moves.size)
    return moved_predecessors(b, c, t);
  add_pre(b, hd_net_pre(net, t));
  return accounted(b, c, t);
}

/* --- closure --- */

static bool closed_under_makers(basis_judge *b, const hd_config *c) {
  hd_tokens u = hd_cert_view(b->judge->cert, c);
  for (size_t i = 0; i < u.size; i++) {
    hd_place_id place = u.data[i].place;
    for (size_t k = hd_keys_first(&b->makers, c->shared, place);
         hd_keys_has(&b->makers, k, c->shared, place); k++)
      if (!predecessors(b, c, b->makers.data[k].trans))
        return false;
  }
  return true;
}

static bool closed_under_jumps(basis_judge *b, const hd_config *c) {
  const hd_net *net = b->judge->net;
  uint32_t end = net->to_start[c->shared + 1];
  for (uint32_t i = net->to_start[c->shared]; i < end; i++) {
    hd_trans_id t = net->to_ids[i];
    if (is_jump(&net->trans.data[t]) && hd_judge_fires(b->judge, t) &&
        !predecessors(b, c, t))
      return false;
  }
  return true;
}

/* An element that is excluded claims nothing: what lies above it is excluded
 * too. */
static bool closed(basis_judge *b) {
  const hd_judge *judge = b->judge;
  for (hd_vec_each(const hd_config, c, &judge->cert->configs)) {
    if (hd_judge_excludes(judge, c->shared, hd_cert_view(judge->cert, c)))
      continue;
    if (!closed_under_makers(b, c) || !closed_under_jumps(b, c))
      return false;
  }
  return true;
}

/* --- the ends --- */

static bool below_init(const hd_net *net, hd_shared_id s, hd_tokens v) {
  for (size_t i = 0; i < v.size; i++)
    if (v.data[i].count > net->init[v.data[i].place].max)
      return false;
  return s == net->init_shared;
}

static bool none_initial(const hd_judge *judge) {
  for (hd_vec_each(const hd_config, c, &judge->cert->configs)) {
    hd_tokens u = hd_cert_view(judge->cert, c);
    if (!below_init(judge->net, c->shared, u))
      continue;
    hd_str_puts(judge->why, "basis element ");
    hd_judge_say_config(judge, c->shared, u);
    hd_str_puts(judge->why, " lies below an initial configuration");
    return false;
  }
  return true;
}

static bool refuse_target(const hd_judge *judge, uint32_t index, hd_shared_id s,
                          hd_tokens need) {
  hd_str_printf(judge->why, "target %u is not accounted for: ", index);
  hd_judge_say_config(judge, s, need);
  hd_str_puts(judge->why, " is neither excluded nor above the basis");
  return false;
}

static bool targets_accounted(basis_judge *b) {
  const hd_judge *judge = b->judge;
  const hd_net *net = judge->net;
  for (uint32_t i = 0; i < net->targets.size; i++) {
    const hd_target *target = &net->targets.data[i];
    hd_tokens need = hd_net_view(net, target->need);
    if (hd_judge_over_cap(need, hd_net_view(net, target->caps)))
      continue; /* it contradicts itself */
    bool any = target->shared == HD_ANY_SHARED;
    hd_shared_id first = any ? 0 : target->shared;
    hd_shared_id last = any ? net->n_shared - 1 : target->shared;
    for (hd_shared_id s = first; s <= last; s++)
      if (!hd_judge_excludes(judge, s, need) &&
          !hd_trie_below(b->basis, s, need))
        return refuse_target(judge, i, s, need);
  }
  return true;
}

bool hd_judge_basis(hd_judge *judge) {
  const hd_cert *cert = judge->cert;
  if (!none_initial(judge))
    return false;
  basis_judge b = {.judge = judge};
  b.basis = hd_trie_new(cert->configs.data, cert->configs.size,
                        cert->tokens.data, judge->net->n_shared);
  find_makers(&b);
  sort_moves(&b);
  bool ok = targets_accounted(&b) && closed(&b);
  hd_trie_delete(b.basis);
  hd_vec_free(&b.makers);
  hd_free(b.by_to);
  hd_vec_free(&b.rest);
  hd_vec_free(&b.before);
  hd_ways_free(&b.ways);
  return ok;
}
