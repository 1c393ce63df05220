/* SPDX-License-Identifier: MIT */
#include "oracle.h"

#include "base/hash.h"

#include <string.h>

typedef struct {
  const hd_net *net;
  size_t most, width; /* a configuration: the shared state, then the counts */
  hd_u32s all;
  hd_vec(uint64_t) hashes; /* one a configuration */
  bool hit, full;
} oracle;

static bool in_target(const hd_net *net, const hd_target *target,
                      const uint32_t *c) {
  hd_tokens need = hd_net_view(net, target->need);
  hd_tokens caps = hd_net_view(net, target->caps);
  if (target->shared != HD_ANY_SHARED && target->shared != c[0])
    return false;
  for (size_t i = 0; i < need.size; i++)
    if (c[1 + need.data[i].place] < need.data[i].count)
      return false;
  for (size_t i = 0; i < caps.size; i++)
    if (c[1 + caps.data[i].place] > caps.data[i].count)
      return false;
  return true;
}

static void see(oracle *o, const uint32_t *c) {
  uint64_t hash = hd_hash_bytes(c, o->width * sizeof *c);
  for (size_t i = 0; i < o->hashes.size; i++)
    if (o->hashes.data[i] == hash &&
        !memcmp(o->all.data + i * o->width, c, o->width * sizeof *c))
      return;
  if (o->hashes.size >= o->most) {
    o->full = true;
    return;
  }
  hd_vec_push(&o->hashes, hash);
  for (size_t i = 0; i < o->width; i++)
    hd_vec_push(&o->all, c[i]);
  for (hd_vec_each(const hd_target, target, &o->net->targets))
    o->hit = o->hit || in_target(o->net, target, c);
}

static uint32_t *copy(const oracle *o, const uint32_t *c) {
  uint32_t *other = hd_calloc(o->width, sizeof *other);
  memcpy(other, c, o->width * sizeof *other);
  return other;
}

/* Sends the tokens that are left in sources of moves one by one, each along
 * every move it has; then adds post. */
static void move_one(oracle *o, hd_trans_id t, const uint32_t *left,
                     const uint32_t *moved) {
  const hd_move *move = hd_net_moves(o->net, t);
  size_t n = o->net->trans.data[t].moves.size, i = 0;
  while (i < n && !left[1 + move[i].from])
    i++;
  for (size_t j = 0; i < n && j < n && !o->full; j++) {
    if (move[j].from != move[i].from)
      continue;
    uint32_t *l = copy(o, left), *m = copy(o, moved);
    l[1 + move[i].from]--;
    if (move[j].to != HD_NOWHERE)
      m[1 + move[j].to]++;
    move_one(o, t, l, m);
    hd_free(l);
    hd_free(m);
  }
  if (i < n)
    return;
  uint32_t *c = copy(o, left);
  for (size_t k = 1; k < o->width; k++)
    c[k] += moved[k];
  hd_tokens post = hd_net_post(o->net, t);
  for (size_t k = 0; k < post.size; k++)
    c[1 + post.data[k].place] += post.data[k].count;
  c[0] = o->net->trans.data[t].to;
  see(o, c);
  hd_free(c);
}

/* Tokens that all can choose make very many configurations. */
static bool too_many(const oracle *o, hd_trans_id t, const uint32_t *c) {
  uint32_t sum = 0;
  const hd_move *move = hd_net_moves(o->net, t);
  for (size_t i = 1; i < o->net->trans.data[t].moves.size; i++)
    if (move[i].from == move[i - 1].from)
      sum += c[1 + move[i].from];
  return sum > 6;
}

static void fire(oracle *o, hd_trans_id t, const uint32_t *from) {
  hd_tokens pre = hd_net_pre(o->net, t), caps = hd_net_caps(o->net, t);
  if (o->net->trans.data[t].from != from[0])
    return;
  for (size_t i = 0; i < pre.size; i++)
    if (from[1 + pre.data[i].place] < pre.data[i].count)
      return;
  for (size_t i = 0; i < caps.size; i++)
    if (from[1 + caps.data[i].place] > caps.data[i].count)
      return;
  uint32_t *left = copy(o, from);
  uint32_t *none = hd_calloc(o->width, sizeof *none);
  for (size_t i = 0; i < pre.size; i++)
    left[1 + pre.data[i].place] -= pre.data[i].count;
  if (too_many(o, t, left))
    o->full = true;
  else
    move_one(o, t, left, none);
  hd_free(left);
  hd_free(none);
}

static void start(oracle *o, uint32_t *c, hd_place_id place, uint32_t extra) {
  if (place == o->net->n_places) {
    see(o, c);
    return;
  }
  hd_init init = o->net->init[place];
  uint32_t max = init.max == HD_OMEGA ? init.min + extra : init.max;
  for (uint32_t n = init.min; n <= max && !o->full; n++) {
    c[1 + place] = n;
    start(o, c, place + 1, extra);
  }
}

hd_verdict hd_oracle(const hd_net *net, size_t most, uint32_t extra) {
  oracle o = {.net = net, .most = most, .width = (size_t)net->n_places + 1};
  uint32_t *c = hd_calloc(o.width, sizeof *c);
  c[0] = net->init_shared;
  start(&o, c, 0, extra);
  for (size_t i = 0; i < o.hashes.size && !o.hit; i++) {
    memcpy(c, o.all.data + i * o.width, o.width * sizeof *c);
    for (hd_trans_id t = 0; t < net->trans.size; t++)
      fire(&o, t, c);
  }
  hd_free(c);
  hd_vec_free(&o.all);
  hd_vec_free(&o.hashes);
  if (o.hit)
    return HD_UNSAFE;
  return o.full || net->features & HD_HAS_UNBOUNDED ? HD_UNKNOWN : HD_SAFE;
}
