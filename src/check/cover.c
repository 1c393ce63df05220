/* SPDX-License-Identifier: MIT */
/* The cover D: a finite set of vectors with omega whose downward closure, the
 * configurations that lie below an element of D, holds everything reachable.
 *
 *   1. The initial configurations lie below one element of D: they are all that
 *      lie below the vector of the maxima (a set that is in a finite union of
 *      such closures is in one of them).
 *   2. For each element (s | d) and each transition t from s, what t makes of
 *      the configurations below d lies below D. Those that enable t lie below
 *      min(d, caps) and above pre; so the results lie below
 *      move(min(d, caps) - pre) + post, for all ways in which the tokens can
 *      choose among several moves. omega tokens that choose make omega at
 *      every destination; a token that can go anywhere else need not be
 *      considered vanishing.
 *   3. No target lies below D.
 * So no run reaches a target. Transitions that cannot fire within T, or lead to
 * a shared state from which no target can be reached, are not looked at.
 *
 * Ignored places hold omega in every element. They are left out of all vectors:
 * whatever is compared at them is true. */
#include "check/judge.h"
#include "check/keys.h"
#include "check/trie.h"
#include "check/ways.h"

#include <stdlib.h>

typedef hd_vec(hd_config) config_vec;

typedef struct {
  const hd_judge *judge;
  uint64_t *ignored;  /* a bitset of places */
  config_vec configs; /* D without the ignored places */
  hd_token_vec pool;
  hd_trie *cover;
  hd_keys takers;    /* transitions by a place they take from */
  hd_token_vec base; /* what a successor has however tokens choose */
  hd_token_vec next; /* a successor */
  hd_ways ways;
} cover_judge;

/* A number of tokens in d; omega at ignored places. */
static hd_count at(const cover_judge *c, hd_tokens d, hd_place_id place) {
  return hd_bits_test(c->ignored, place) ? HD_OMEGA : hd_tokens_at(d, place);
}

/* An upper guard of `t` on `place`, omega where there is none. */
static hd_count cap(const hd_net *net, hd_trans_id t, hd_place_id place) {
  hd_tokens caps = hd_net_caps(net, t);
  for (size_t i = 0; i < caps.size; i++)
    if (caps.data[i].place == place)
      return caps.data[i].count;
  return HD_OMEGA;
}

/* min(d, caps) - pre at `place`, for a transition enabled below d. */
static hd_count left_over(const cover_judge *c, hd_tokens d, hd_trans_id t,
                          hd_place_id place) {
  const hd_net *net = c->judge->net;
  hd_count have = at(c, d, place), most = cap(net, t, place);
  return hd_count_sub(have < most ? have : most,
                      hd_tokens_at(hd_net_pre(net, t), place));
}

/* Some configuration below d enables t. That pre fits under the caps is part of
 * hd_judge_fires. */
static bool enabled(const cover_judge *c, hd_tokens d, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(c->judge->net, t);
  for (size_t i = 0; i < pre.size; i++)
    if (at(c, d, pre.data[i].place) < pre.data[i].count)
      return false;
  return true;
}

/* t stays in its shared state, moves nothing and adds only where d has omega:
 * the successors of what is below d are below d. */
static bool stays_below(const cover_judge *c, hd_tokens d, hd_trans_id t) {
  const hd_net *net = c->judge->net;
  const hd_trans *trans = &net->trans.data[t];
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  if (trans->from != trans->to || trans->moves.size)
    return false;
  for (size_t i = 0; i < post.size; i++)
    if (post.data[i].count > hd_tokens_at(pre, post.data[i].place) &&
        at(c, d, post.data[i].place) != HD_OMEGA)
      return false;
  return true;
}

/* --- successors --- */

static void put(const cover_judge *c, hd_token_vec *v, hd_place_id place,
                hd_count count) {
  if (count && !hd_bits_test(c->ignored, place))
    hd_vec_push(v, ((hd_token){.place = place, .count = count}));
}

static int compare_places(const void *left, const void *right) {
  const hd_token *a = left, *b = right;
  return (a->place > b->place) - (a->place < b->place);
}

/* Sorts and adds up. A finite sum beyond HD_COUNT_MAX becomes omega, which is
 * larger: only more is asked of D. */
static void tidy(hd_token_vec *v) {
  if (v->size > 1)
    qsort(v->data, v->size, sizeof *v->data, compare_places);
  size_t kept = 0;
  for (size_t i = 0; i < v->size; i++)
    if (kept && v->data[kept - 1].place == v->data[i].place)
      v->data[kept - 1].count =
          hd_count_add(v->data[kept - 1].count, v->data[i].count);
    else
      v->data[kept++] = v->data[i];
  v->size = kept;
}

/* The tokens in the source of the moves `moves` (all out of one place) go where
 * they can: into the base if there is no choice or there are omega of them,
 * else they make a pile. */
static void move_out(cover_judge *c, hd_range moves, hd_count count) {
  const hd_move *all = c->judge->net->moves.data + moves.start;
  /* Sorted by destination: HD_NOWHERE is the last, and matters only alone. */
  uint32_t n = moves.size;
  if (all[n - 1].to == HD_NOWHERE)
    n--;
  if (!count || !n)
    return;
  bool choice = n > 1 && count != HD_OMEGA;
  if (choice)
    hd_ways_add_pile(&c->ways, count);
  for (uint32_t i = 0; i < n; i++)
    if (choice)
      hd_ways_add_option(&c->ways, all[i].to);
    else
      put(c, &c->base, all[i].to, count);
}

/* Splits what t makes of d into `base` and `ways`. */
static void fire(cover_judge *c, hd_tokens d, hd_trans_id t) {
  const hd_net *net = c->judge->net;
  hd_vec_clear(&c->base);
  hd_ways_clear(&c->ways);
  for (size_t i = 0; i < d.size; i++) {
    hd_place_id place = d.data[i].place;
    if (!hd_judge_moves_from(net, t, place).size)
      put(c, &c->base, place, left_over(c, d, t, place));
  }
  hd_range moves = net->trans.data[t].moves;
  for (uint32_t i = 0; i < moves.size;) {
    hd_place_id source = net->moves.data[moves.start + i].from;
    hd_range mine = hd_judge_moves_from(net, t, source);
    move_out(c, mine, left_over(c, d, t, source));
    i += mine.size;
  }
  hd_tokens post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++)
    put(c, &c->base, post.data[i].place, post.data[i].count);
}

static void choose(cover_judge *c) {
  hd_vec_clear(&c->next);
  for (size_t i = 0; i < c->base.size; i++)
    hd_vec_push(&c->next, c->base.data[i]);
  for (size_t i = 0; i < c->ways.options.size; i++)
    put(c, &c->next, c->ways.options.data[i], c->ways.share.data[i]);
  tidy(&c->next);
}

/* --- the three conditions --- */

static void refuse_pair(const cover_judge *c, const hd_config *element,
                        hd_trans_id t) {
  const hd_judge *judge = c->judge;
  hd_str_puts(judge->why, "the cover is not closed: ");
  hd_judge_say_trans(judge, t);
  hd_str_puts(judge->why, " leads from ");
  hd_judge_say_config(judge, element->shared,
                      hd_cert_view(judge->cert, element));
}

static bool successors(cover_judge *c, const hd_config *element, hd_tokens d,
                       hd_trans_id t) {
  const hd_judge *judge = c->judge;
  hd_shared_id to = judge->net->trans.data[t].to;
  fire(c, d, t);
  hd_ways_start(&c->ways);
  uint32_t n = 0;
  do {
    choose(c);
    bool limit = ++n > HD_WAYS_MAX;
    if (!limit && hd_trie_above(c->cover, to, hd_token_vec_view(&c->next)))
      continue;
    refuse_pair(c, element, t);
    if (limit) {
      hd_str_puts(judge->why, " to too many configurations to look at");
    } else {
      hd_str_puts(judge->why, " to ");
      hd_judge_say_config(judge, to, hd_token_vec_view(&c->next));
      hd_str_puts(judge->why, ", which is not below it");
    }
    return false;
  } while (hd_ways_next(&c->ways));
  return true;
}

static hd_tokens stripped(const cover_judge *c, size_t index) {
  hd_range range = c->configs.data[index].tokens;
  return (hd_tokens){.data = range.size ? c->pool.data + range.start : NULL,
                     .size = range.size};
}

/* The place of pre that the fewest elements have, HD_NO_PLACE where pre has none
 * but ignored ones. `used` counts elements by place. */
static hd_place_id rarest(const cover_judge *c, hd_tokens pre,
                          const uint32_t *used) {
  hd_place_id best = HD_NO_PLACE;
  for (size_t i = 0; i < pre.size; i++) {
    hd_place_id place = pre.data[i].place;
    if (!hd_bits_test(c->ignored, place) &&
        (best == HD_NO_PLACE || used[place] < used[best]))
      best = place;
  }
  return best;
}

static void find_takers(cover_judge *c) {
  const hd_net *net = c->judge->net;
  uint32_t *used = hd_calloc(net->n_places, sizeof *used);
  for (size_t i = 0; i < c->pool.size; i++)
    used[c->pool.data[i].place]++;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_key key = {.shared = net->trans.data[t].from,
                  .place = rarest(c, hd_net_pre(net, t), used),
                  .trans = t};
    if (hd_judge_fires(c->judge, t))
      hd_vec_push(&c->takers, key);
  }
  hd_keys_sort(&c->takers);
  hd_free(used);
}

/* Closed under the transitions with this key. */
static bool closed_under(cover_judge *c, size_t index, hd_place_id place) {
  const hd_config *element = &c->judge->cert->configs.data[index];
  hd_tokens d = stripped(c, index);
  for (size_t k = hd_keys_first(&c->takers, element->shared, place);
       hd_keys_has(&c->takers, k, element->shared, place); k++) {
    hd_trans_id t = c->takers.data[k].trans;
    if (enabled(c, d, t) && !stays_below(c, d, t) &&
        !successors(c, element, d, t))
      return false;
  }
  return true;
}

static bool closed(cover_judge *c) {
  find_takers(c);
  for (size_t k = 0; k < c->configs.size; k++) {
    hd_tokens d = stripped(c, k);
    if (!closed_under(c, k, HD_NO_PLACE))
      return false;
    for (size_t i = 0; i < d.size; i++)
      if (!closed_under(c, k, d.data[i].place))
        return false;
  }
  return true;
}

static bool has_init(cover_judge *c) {
  const hd_net *net = c->judge->net;
  hd_vec_clear(&c->next);
  for (hd_place_id p = 0; p < net->n_places; p++)
    put(c, &c->next, p, net->init[p].max);
  hd_tokens most = hd_token_vec_view(&c->next);
  if (hd_trie_above(c->cover, net->init_shared, most))
    return true;
  hd_str_puts(c->judge->why, "the initial configurations, up to ");
  hd_judge_say_config(c->judge, net->init_shared, most);
  hd_str_puts(c->judge->why, ", do not lie below an element of the cover");
  return false;
}

static bool lacks_target(cover_judge *c, uint32_t index) {
  const hd_net *net = c->judge->net;
  const hd_target *target = &net->targets.data[index];
  hd_tokens need = hd_net_view(net, target->need);
  if (hd_judge_over_cap(need, hd_net_view(net, target->caps)))
    return true; /* it contradicts itself */
  hd_vec_clear(&c->next);
  for (size_t i = 0; i < need.size; i++)
    put(c, &c->next, need.data[i].place, need.data[i].count);
  bool any = target->shared == HD_ANY_SHARED;
  hd_shared_id first = any ? 0 : target->shared;
  hd_shared_id last = any ? net->n_shared - 1 : target->shared;
  for (hd_shared_id s = first; s <= last; s++)
    if (hd_trie_above(c->cover, s, hd_token_vec_view(&c->next)) &&
        !hd_judge_excludes(c->judge, s, need)) {
      hd_str_printf(c->judge->why, "target %u lies below the cover: ", index);
      hd_judge_say_config(c->judge, s, need);
      return false;
    }
  return true;
}

static bool lacks_targets(cover_judge *c) {
  for (uint32_t i = 0; i < c->judge->net->targets.size; i++)
    if (!lacks_target(c, i))
      return false;
  return true;
}

static void strip(cover_judge *c) {
  const hd_cert *cert = c->judge->cert;
  c->ignored = hd_calloc(hd_bits_words(cert->n_places), sizeof(uint64_t));
  for (size_t i = 0; i < cert->ignored.size; i++)
    hd_bits_set(c->ignored, cert->ignored.data[i]);
  for (hd_vec_each(const hd_config, element, &cert->configs)) {
    hd_tokens v = hd_cert_view(cert, element);
    hd_config mine = {.shared = element->shared,
                      .tokens = {.start = (uint32_t)c->pool.size}};
    for (size_t i = 0; i < v.size; i++)
      put(c, &c->pool, v.data[i].place, v.data[i].count);
    mine.tokens.size = (uint32_t)c->pool.size - mine.tokens.start;
    hd_vec_push(&c->configs, mine);
  }
}

bool hd_judge_cover(hd_judge *judge) {
  cover_judge c = {.judge = judge};
  strip(&c);
  c.cover = hd_trie_new(c.configs.data, c.configs.size, c.pool.data,
                        judge->net->n_shared);
  bool ok =
      has_init(&c) && (judge->any_target || lacks_targets(&c)) && closed(&c);
  hd_trie_delete(c.cover);
  hd_free(c.ignored);
  hd_vec_free(&c.takers);
  hd_vec_free(&c.configs);
  hd_vec_free(&c.pool);
  hd_vec_free(&c.base);
  hd_vec_free(&c.next);
  hd_ways_free(&c.ways);
  return ok;
}
