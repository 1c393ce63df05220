/* SPDX-License-Identifier: MIT */
/* Small random nets and the plainest explicit exploration of them: the ground
 * truth that the judges are tested against. Configurations are dense arrays. */
#ifndef HD_TESTS_RANDOM_UTIL_H
#define HD_TESTS_RANDOM_UTIL_H

#include "evidence_util.h"
#include "rng.h"

enum { PLACES = 4, WAYS = 600 };

typedef struct {
  hd_shared_id shared;
  uint32_t count[PLACES];
} dense;

/* --- random numbers --- */

static inline bool chance(rng *r, uint32_t percent) {
  return draw(r, 100) < percent;
}

/* --- nets --- */

typedef struct {
  bool moves, caps, weights, any_shared;
} shape;

static inline void random_tokens(rng *r, uint32_t places, uint32_t most,
                                 uint32_t heaviest, hd_token_vec *v) {
  for (uint32_t n = draw(r, most + 1); n; n--)
    hd_vec_push(v, ((hd_token){.place = draw(r, places),
                               .count = 1 + draw(r, heaviest)}));
}

static inline void random_trans(rng *r, hd_net *net, shape s) {
  items it = {0};
  uint32_t heavy = s.weights ? 2 : 1;
  random_tokens(r, net->n_places, s.weights ? 2 : 1, heavy, &it.pre);
  random_tokens(r, net->n_places, 2, heavy, &it.post);
  if (s.moves && chance(r, 50))
    for (uint32_t n = 1 + draw(r, 3); n; n--) {
      hd_move m = {.from = draw(r, net->n_places),
                   .to = chance(r, 15) ? HD_NOWHERE : draw(r, net->n_places)};
      hd_vec_push(&it.moves, m);
    }
  if (s.caps && chance(r, 30))
    hd_vec_push(&it.caps, ((hd_token){.place = draw(r, net->n_places),
                                      .count = draw(r, 3)}));
  hd_trans_spec spec = {.from = draw(r, net->n_shared),
                        .to = draw(r, net->n_shared),
                        .pre = hd_token_vec_view(&it.pre),
                        .post = hd_token_vec_view(&it.post),
                        .caps = hd_token_vec_view(&it.caps),
                        .moves = it.moves.data,
                        .n_moves = it.moves.size,
                        .line = (uint32_t)net->trans.size + 1};
  assert_true(hd_net_add_trans(net, &spec));
  items_free(&it);
}

static inline void random_target(rng *r, hd_net *net, shape s) {
  items it = {0};
  for (uint32_t n = 1 + draw(r, 3); n; n--)
    random_tokens(r, net->n_places, 1, 2, &it.pre);
  if (s.caps && chance(r, 30))
    hd_vec_push(&it.caps, ((hd_token){.place = draw(r, net->n_places),
                                      .count = draw(r, 3)}));
  hd_shared_id shared =
      s.any_shared && chance(r, 30) ? HD_ANY_SHARED : draw(r, net->n_shared);
  assert_true(hd_net_add_target(net, shared, hd_token_vec_view(&it.pre),
                                hd_token_vec_view(&it.caps), 0));
  items_free(&it);
}

static inline hd_net *random_net(rng *r, shape s) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "random.tts", 1 + draw(r, 3),
                           1 + draw(r, PLACES));
  net->init_shared = draw(r, net->n_shared);
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (chance(r, 40)) {
      hd_count min = draw(r, 2), more = draw(r, 3);
      net->init[p] = (hd_init){min, more == 2 ? HD_OMEGA : min + more};
    }
  for (uint32_t n = 2 + draw(r, 8); n; n--)
    random_trans(r, net, s);
  for (uint32_t n = 1 + draw(r, 2); n; n--)
    random_target(r, net, s);
  hd_net_finish(net);
  return net;
}

static inline shape random_shape(rng *r) {
  return (shape){.moves = chance(r, 60),
                 .caps = chance(r, 30),
                 .weights = chance(r, 60),
                 .any_shared = chance(r, 50)};
}

/* --- firing, token by token --- */

typedef struct {
  dense result[WAYS];
  size_t size;
  bool full; /* there were more */
} results;

/* Sends the tokens still in `left` on their way, one after the other. */
static inline void scatter(const hd_net *net, hd_trans_id t, dense left,
                           dense arrived, results *out) {
  const hd_trans *trans = &net->trans.data[t];
  const hd_move *moves = hd_net_moves(net, t);
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (!left.count[p])
      continue;
    left.count[p]--;
    bool moved = false;
    for (uint32_t i = 0; i < trans->moves.size; i++) {
      if (moves[i].from != p)
        continue;
      moved = true;
      dense next = arrived;
      if (moves[i].to != HD_NOWHERE)
        next.count[moves[i].to]++;
      scatter(net, t, left, next, out);
    }
    if (moved)
      return;
    arrived.count[p]++;
    scatter(net, t, left, arrived, out);
    return;
  }
  hd_tokens post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++)
    arrived.count[post.data[i].place] += post.data[i].count;
  arrived.shared = trans->to;
  for (size_t i = 0; i < out->size; i++)
    if (!memcmp(&out->result[i], &arrived, sizeof arrived))
      return;
  out->full = out->full || out->size == WAYS;
  if (!out->full)
    out->result[out->size++] = arrived;
}

/* Everything `t` makes of `c`. */
static inline void fire_all(const hd_net *net, hd_trans_id t, dense c,
                            bool with_caps, results *out) {
  out->size = 0;
  out->full = false;
  hd_tokens pre = hd_net_pre(net, t), caps = hd_net_caps(net, t);
  if (c.shared != net->trans.data[t].from)
    return;
  for (size_t i = 0; with_caps && i < caps.size; i++)
    if (c.count[caps.data[i].place] > caps.data[i].count)
      return;
  for (size_t i = 0; i < pre.size; i++) {
    if (c.count[pre.data[i].place] < pre.data[i].count)
      return;
    c.count[pre.data[i].place] -= pre.data[i].count;
  }
  scatter(net, t, c, (dense){0}, out);
}

static inline bool in_target(const hd_net *net, uint32_t index, dense c) {
  const hd_target *target = &net->targets.data[index];
  hd_tokens need = hd_net_view(net, target->need);
  hd_tokens caps = hd_net_view(net, target->caps);
  bool in = target->shared == HD_ANY_SHARED || target->shared == c.shared;
  for (size_t i = 0; i < need.size; i++)
    in = in && c.count[need.data[i].place] >= need.data[i].count;
  for (size_t i = 0; i < caps.size; i++)
    in = in && c.count[caps.data[i].place] <= caps.data[i].count;
  return in;
}

static inline uint32_t total(dense c) {
  uint32_t sum = 0;
  for (int p = 0; p < PLACES; p++)
    sum += c.count[p];
  return sum;
}

static inline bool dense_covers(dense large, dense small) {
  for (int p = 0; p < PLACES; p++)
    if (large.count[p] < small.count[p])
      return false;
  return large.shared == small.shared;
}

static inline hd_token_vec sparse(dense c) {
  hd_token_vec v = {0};
  for (hd_place_id p = 0; p < PLACES; p++)
    if (c.count[p])
      hd_vec_push(&v, ((hd_token){.place = p, .count = c.count[p]}));
  return v;
}

/* --- exploration --- */

typedef struct {
  dense config;
  uint32_t parent; /* UINT32_MAX: initial */
  hd_trans_id trans;
} visited;

typedef struct {
  hd_vec(visited) seen;
  bool complete;    /* nothing was left out */
  uint32_t target;  /* index of a target that was reached */
  uint32_t reached; /* in `seen`, or UINT32_MAX */
} exploration;

static inline void visit_config(exploration *e, const hd_net *net, visited v,
                                uint32_t most) {
  if (total(v.config) > most) {
    e->complete = false;
    return;
  }
  for (size_t i = 0; i < e->seen.size; i++)
    if (!memcmp(&e->seen.data[i].config, &v.config, sizeof v.config))
      return;
  for (uint32_t i = 0; e->reached == UINT32_MAX && i < net->targets.size; i++)
    if (in_target(net, i, v.config)) {
      e->reached = (uint32_t)e->seen.size;
      e->target = i;
    }
  hd_vec_push(&e->seen, v);
}

static inline void visit_initial(exploration *e, const hd_net *net, dense c,
                                 hd_place_id p, uint32_t most) {
  if (p == net->n_places) {
    visit_config(e, net, (visited){.config = c, .parent = UINT32_MAX}, most);
    return;
  }
  assert(p < sizeof c.count / sizeof *c.count);
  hd_init range = net->init[p];
  e->complete = e->complete && range.max != HD_OMEGA;
  for (c.count[p] = range.min; c.count[p] <= range.max && c.count[p] <= most;
       c.count[p]++)
    visit_initial(e, net, c, p + 1, most);
}

/* All configurations with at most `most` tokens that are reachable through such
 * ones, as long as there are at most `limit`. */
static inline exploration explore(const hd_net *net, uint32_t most,
                                  size_t limit) {
  exploration e = {.complete = true, .reached = UINT32_MAX};
  static results next;
  visit_initial(&e, net, (dense){.shared = net->init_shared}, 0, most);
  for (uint32_t i = 0; i < e.seen.size; i++) {
    if (e.seen.size > limit) {
      e.complete = false;
      break;
    }
    for (hd_trans_id t = 0; t < net->trans.size; t++) {
      fire_all(net, t, e.seen.data[i].config, true, &next);
      e.complete = e.complete && !next.full;
      for (size_t k = 0; k < next.size; k++)
        visit_config(
            &e, net,
            (visited){.config = next.result[k], .parent = i, .trans = t}, most);
    }
  }
  return e;
}

#endif
