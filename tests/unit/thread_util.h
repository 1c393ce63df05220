/* SPDX-License-Identifier: MIT */
/* Small thread systems for tests: edges written as numbers, random ones in
 * several shapes, and the plainest backward search as an oracle. */
#ifndef HD_TESTS_UNIT_THREAD_UTIL_H
#define HD_TESTS_UNIT_THREAD_UTIL_H

#include "model/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

typedef struct {
  hd_shared_id from;
  hd_place_id take;
  char kind; /* '-' plain, '+' spawn */
  hd_shared_id to;
  hd_place_id give;
} tedge;

static uint64_t thread_seed;

static inline uint32_t pick(uint32_t n) {
  thread_seed = thread_seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(thread_seed >> 33) % n;
}

static inline void add_tedge(hd_net *net, tedge e) {
  hd_token pre = {e.take, 1};
  hd_token post[2] = {{e.give, 1}, {e.take, 1}};
  assert_true(hd_net_add_trans(
      net,
      &(hd_trans_spec){.from = e.from,
                       .to = e.to,
                       .pre = {.data = &pre, .size = 1},
                       .post = {.data = post, .size = e.kind == '+' ? 2 : 1}}));
}

static inline void add_goal(hd_net *net, hd_shared_id shared,
                            const hd_place_id *locals, size_t n) {
  hd_token_vec need = {0};
  for (size_t i = 0; i < n; i++)
    hd_vec_push(&need, ((hd_token){locals[i], 1}));
  assert_true(hd_net_add_target(net, shared, hd_token_vec_view(&need),
                                (hd_tokens){0}, 0));
  hd_vec_free(&need);
}

/* Any number of threads in local 0, shared state 0; target (shared | local). */
static inline hd_net *new_system(uint32_t n_shared, uint32_t n_locals,
                                 const tedge *edges, size_t n,
                                 hd_shared_id shared, hd_place_id local) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "test", n_shared, n_locals);
  net->init[0] = (hd_init){0, HD_OMEGA};
  for (size_t i = 0; i < n; i++)
    add_tedge(net, edges[i]);
  add_goal(net, shared, &local, 1);
  hd_net_finish(net);
  return net;
}

/* Paper 000, figure 1(a). */
static const tedge figure1[] = {
    {0, 0, '-', 1, 1}, {1, 0, '-', 2, 1}, {2, 0, '-', 3, 1}, {3, 1, '-', 1, 2},
    {3, 2, '-', 4, 3}, {4, 2, '-', 5, 4}, {5, 4, '-', 6, 3}};

/* ---- the oracle ---- */

/* Backward search as in the textbook: dense vectors, linear search. */
typedef hd_vec(uint32_t) oracle_store; /* shared, then n_places counts, … */

static inline bool oracle_covered(const oracle_store *store, uint32_t width,
                                  const uint32_t *c) {
  for (size_t at = 0; at < store->size; at += width) {
    bool below = store->data[at] == c[0];
    for (uint32_t i = 1; i < width && below; i++)
      below = store->data[at + i] <= c[i];
    if (below)
      return true;
  }
  return false;
}

static inline bool oracle_initial(const hd_net *net, const uint32_t *c) {
  bool initial = c[0] == net->init_shared;
  for (uint32_t p = 0; p < net->n_places && initial; p++)
    initial = net->init[p].max == HD_OMEGA || c[1 + p] <= net->init[p].max;
  return initial;
}

static inline void oracle_before(const hd_net *net, hd_trans_id t,
                                 uint32_t *c) {
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++) {
    uint32_t *n = &c[1 + post.data[i].place];
    *n = *n > post.data[i].count ? *n - post.data[i].count : 0;
  }
  for (size_t i = 0; i < pre.size; i++)
    c[1 + pre.data[i].place] += pre.data[i].count;
  c[0] = net->trans.data[t].from;
}

/* 1: a target is coverable, 0: none is, -1: not known after `limit`
 * configurations. */
static inline int oracle(const hd_net *net, size_t limit) {
  oracle_store store = {0};
  uint32_t width = net->n_places + 1;
  uint32_t *c = hd_calloc(width, sizeof *c);
  int result = 0;
  for (uint32_t i = 0; i < net->targets.size; i++)
    for (hd_shared_id s = 0; s < net->n_shared; s++) {
      const hd_target *target = &net->targets.data[i];
      if (target->shared != s && target->shared != HD_ANY_SHARED)
        continue;
      memset(c, 0, width * sizeof *c);
      c[0] = s;
      hd_tokens need = hd_net_view(net, target->need);
      for (size_t k = 0; k < need.size; k++)
        c[1 + need.data[k].place] = need.data[k].count;
      if (oracle_initial(net, c))
        result = 1;
      for (uint32_t k = 0; k < width; k++)
        hd_vec_push(&store, c[k]);
    }
  for (size_t at = 0; at < store.size && !result; at += width)
    for (hd_trans_id t = 0; t < net->trans.size && !result; t++) {
      if (net->trans.data[t].to != store.data[at])
        continue;
      memcpy(c, store.data + at, width * sizeof *c);
      oracle_before(net, t, c);
      if (oracle_covered(&store, width, c))
        continue;
      if (oracle_initial(net, c))
        result = 1;
      for (uint32_t k = 0; k < width; k++)
        hd_vec_push(&store, c[k]);
      if (store.size / width > limit)
        result = -1;
    }
  hd_free(c);
  hd_vec_free(&store);
  return result;
}

/* ---- random systems ---- */

typedef struct {
  uint32_t components; /* in a row; more edges skip some */
  uint32_t spaghetti;  /* percent of components with extra edges */
  uint32_t loops;      /* percent with a loop */
  uint32_t locals;
  uint32_t spawns;  /* percent of edges */
  uint32_t bridges; /* most parallel edges between components */
} shape;

static inline tedge random_tedge(const shape *sh, hd_shared_id from,
                                 hd_shared_id to) {
  return (tedge){from, pick(sh->locals), pick(100) < sh->spawns ? '+' : '-', to,
                 pick(sh->locals)};
}

/* A row of components, each a state, a loop of up to four edges or a tangle,
 * with parallel and skipping edges between them. */
static inline hd_net *random_row(const shape *sh) {
  hd_shared_id first[16], size[16], n = 0;
  for (uint32_t c = 0; c < sh->components; c++) {
    first[c] = n;
    size[c] = pick(100) < sh->loops ? 1 + pick(4) : 1;
    n += size[c];
  }
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "random", n, sh->locals);
  for (uint32_t c = 0; c < sh->components; c++) {
    bool tangle = pick(100) < sh->spaghetti;
    if (size[c] > 1 || pick(100) < sh->loops)
      for (uint32_t i = 0; i < size[c]; i++)
        add_tedge(net,
                  random_tedge(sh, first[c] + i, first[c] + (i + 1) % size[c]));
    for (uint32_t i = 0; tangle && i < 1 + pick(3); i++)
      add_tedge(net, random_tedge(sh, first[c] + pick(size[c]),
                                  first[c] + pick(size[c])));
    if (c + 1 == sh->components)
      break;
    for (uint32_t i = 0; i < 1 + pick(sh->bridges); i++)
      add_tedge(net, random_tedge(sh, first[c] + pick(size[c]),
                                  first[c + 1] + pick(size[c + 1])));
    if (c + 2 < sh->components && !pick(4))
      add_tedge(net, random_tedge(sh, first[c] + pick(size[c]),
                                  first[c + 2] + pick(size[c + 2])));
  }
  return net;
}

static inline hd_net *random_graph(uint32_t n_shared, uint32_t locals,
                                   uint32_t edges, uint32_t spawns) {
  shape sh = {.locals = locals, .spawns = spawns};
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "random", n_shared, locals);
  for (uint32_t i = 0; i < edges; i++)
    add_tedge(net, random_tedge(&sh, pick(n_shared), pick(n_shared)));
  return net;
}

/* Initial states of all kinds, and one or two targets of up to three threads
 * in the last shared states. */
static inline void random_question(hd_net *net) {
  for (hd_place_id p = 0; p < net->n_places; p++) {
    hd_count most = 1 + pick(3);
    if (p == 0 || !pick(5))
      net->init[p] = pick(3) ? (hd_init){0, HD_OMEGA} : (hd_init){0, most};
    if (!pick(4) && net->init[p].max != HD_OMEGA)
      net->init[p].min = net->init[p].max;
  }
  uint32_t targets = pick(4) ? 1 : 2;
  for (uint32_t i = 0; i < targets; i++) {
    hd_place_id locals[3];
    uint32_t n = pick(8) ? 1 + pick(3) : 0;
    for (uint32_t k = 0; k < n; k++)
      locals[k] = pick(net->n_places);
    hd_shared_id last = net->n_shared - 1;
    add_goal(net, pick(3) ? last : pick(last + 1), locals, n);
  }
  hd_net_finish(net);
}

#endif
