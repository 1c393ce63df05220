/* SPDX-License-Identifier: MIT */
/* Random thread systems and nets in the one form that readers make: no
 * duplicate edges, no idle moves, names that differ. */
#ifndef HD_TESTS_FRONT_RANDOM_H
#define HD_TESTS_FRONT_RANDOM_H

#include "front_util.h"

#include "front/threads.h"

typedef struct {
  uint64_t state;
} dice;

static inline uint32_t roll(dice *d, uint32_t n) {
  d->state = d->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(d->state >> 33) % n;
}

/* Small mostly, sometimes as large as can be. */
static inline hd_count some_count(dice *d, bool huge) {
  if (huge && !roll(d, 30))
    return HD_COUNT_MAX - roll(d, 2);
  return roll(d, 4);
}

/* A name no other number gets, with letters that need care in some format. */
static inline void odd_name(dice *d, uint32_t number, hd_str *out) {
  static const char *const parts[] = {"x",   "in", "a b", "%41", "'q",
                                      "<&>", "t",  "s",   "#;|", "\xC3\xA4"};
  hd_vec_clear(out);
  hd_str_printf(out, "%s%u%s", parts[roll(d, 10)], number,
                roll(d, 3) ? "" : parts[roll(d, 10)]);
}

static inline void random_tokens(dice *d, uint32_t n_places, uint32_t most,
                                 bool huge, hd_token_vec *out) {
  hd_vec_clear(out);
  for (uint32_t i = roll(d, most + 1); i && n_places; i--) {
    hd_token t = {.place = roll(d, n_places), .count = some_count(d, huge)};
    bool there = false;
    for (hd_vec_each(hd_token, o, out))
      there = there || o->place == t.place;
    if (!there)
      hd_vec_push(out, t);
  }
}

static inline void random_names(dice *d, hd_net *net) {
  hd_str name = {0};
  bool shared = net->format == HD_FORMAT_TTS && !roll(d, 3);
  for (uint32_t s = 0; shared && s < net->n_shared; s++) {
    odd_name(d, s, &name);
    hd_net_name_shared(net, s, name.data);
  }
  bool places = net->format != HD_FORMAT_TTS || !roll(d, 3);
  for (uint32_t p = 0; places && p < net->n_places; p++) {
    if (!roll(d, 5) && net->format == HD_FORMAT_TTS)
      continue; /* stays its number */
    odd_name(d, p, &name);
    hd_net_name_place(net, p, name.data);
  }
  hd_str_free(&name);
}

/* Moves out of each of `n` places with some chance; `nowhere` allows resets,
 * `choice` several out of one place. */
static inline size_t random_moves(dice *d, uint32_t n, bool nowhere,
                                  bool choice, hd_move *moves) {
  size_t size = 0;
  for (uint32_t p = 0; p < n; p++) {
    if (roll(d, 4))
      continue;
    uint32_t to = nowhere && !roll(d, 3) ? HD_NOWHERE : roll(d, n);
    if (to == p)
      continue;
    moves[size++] = (hd_move){.from = p, .to = to};
    if (choice && roll(d, 2))
      moves[size++] = (hd_move){.from = p, .to = p};
  }
  return size;
}

static inline void random_edge(dice *d, hd_net *net, bool moves) {
  hd_token pre = {.place = roll(d, net->n_places), .count = 1};
  hd_token post[2] = {{.place = roll(d, net->n_places), .count = 1}, pre};
  hd_move some[32];
  hd_trans_spec spec = {.from = roll(d, net->n_shared),
                        .to = roll(d, net->n_shared),
                        .pre = {.data = &pre, .size = 1},
                        .post = {.data = post, .size = 1},
                        .moves = some,
                        .name = roll(d, 5) ? NULL : "a t"};
  switch (roll(d, moves ? 4 : 2)) {
  case 0:
    break;
  case 1:
    spec.post.size = 2;
    break;
  case 2:
    spec.n_moves = random_moves(d, net->n_places, false, true, some);
    break;
  case 3:
    spec.pre.size = spec.post.size = 0;
    some[0] = (hd_move){.from = pre.place, .to = post[0].place};
    spec.n_moves = pre.place != post[0].place;
  }
  if (!hd_net_add_trans(net, &spec))
    abort();
}

static inline hd_net *random_threads(dice *d) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "r", 1 + roll(d, 4), 1 + roll(d, 5));
  bool moves = roll(d, 2);
  random_names(d, net);
  net->init_shared = roll(d, 3) ? 0 : roll(d, net->n_shared);
  for (uint32_t p = 0; p < net->n_places; p++) {
    hd_count min = roll(d, 3) ? 0 : some_count(d, true);
    hd_count max = roll(d, 3) ? min : HD_OMEGA;
    net->init[p] = (hd_init){.min = min, .max = max};
  }
  for (uint32_t n = roll(d, 10); n; n--)
    random_edge(d, net, moves);
  hd_token_vec need = {0};
  for (uint32_t n = roll(d, 3); n; n--) {
    random_tokens(d, net->n_places, 3, true, &need);
    bool any = net->n_shared > 1 && !roll(d, 4);
    if (!hd_net_add_target(net, any ? HD_ANY_SHARED : roll(d, net->n_shared),
                           hd_token_vec_view(&need), (hd_tokens){0}, 0))
      abort();
  }
  hd_vec_free(&need);
  hd_net_finish(net);
  hd_diag *diag = hd_diag_new();
  net = hd_threads_unique(net, NULL, diag);
  hd_diag_delete(diag);
  return net;
}

/* Upper bounds not below `least`; a place they fix has no moves. */
static inline void random_caps(dice *d, uint32_t n_places, hd_tokens least,
                               hd_token_vec *caps) {
  hd_vec_clear(caps);
  for (uint32_t p = 0; p < n_places; p++)
    if (!roll(d, 4)) {
      hd_count n = hd_tokens_at(least, p) + roll(d, 3);
      hd_vec_push(caps,
                  ((hd_token){.place = p,
                              .count = n < HD_COUNT_MAX ? n : HD_COUNT_MAX}));
    }
}

typedef struct {
  bool moves, caps, huge;
} net_style;

static inline void random_rule(dice *d, hd_net *net, net_style style) {
  hd_token_vec pre = {0}, post = {0}, caps = {0};
  hd_move some[32];
  random_tokens(d, net->n_places, 3, style.huge, &pre);
  random_tokens(d, net->n_places, 3, style.huge, &post);
  if (!hd_token_vec_normalise(&pre))
    abort();
  if (style.caps)
    random_caps(d, net->n_places, hd_token_vec_view(&pre), &caps);
  size_t n =
      style.moves ? random_moves(d, net->n_places, true, false, some) : 0;
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    bool fixed = false;
    for (hd_vec_each(hd_token, c, &caps))
      fixed = fixed ||
              (c->place == some[i].from &&
               c->count == hd_tokens_at(hd_token_vec_view(&pre), c->place));
    if (!fixed)
      some[kept++] = some[i];
  }
  hd_trans_spec spec = {.pre = hd_token_vec_view(&pre),
                        .post = hd_token_vec_view(&post),
                        .caps = hd_token_vec_view(&caps),
                        .moves = some,
                        .n_moves = kept,
                        .name = roll(d, 3) ? NULL : "t'1"};
  if (!hd_net_add_trans(net, &spec))
    abort();
  hd_vec_free(&pre);
  hd_vec_free(&post);
  hd_vec_free(&caps);
}

static inline hd_net *random_net(dice *d, net_style style) {
  hd_format format = roll(d, 2) ? HD_FORMAT_MIST : HD_FORMAT_PNML;
  hd_net *net = hd_net_new(format, "r", 1, roll(d, 6));
  if (roll(d, 6))
    random_names(d, net);
  for (uint32_t p = 0; p < net->n_places; p++) {
    hd_count min = some_count(d, style.huge);
    hd_count max = roll(d, 3)   ? min
                   : roll(d, 2) ? HD_OMEGA
                                : min + (min < 10 ? roll(d, 4) : 0);
    net->init[p] = (hd_init){.min = min, .max = max};
  }
  for (uint32_t n = roll(d, 8); n; n--)
    random_rule(d, net, style);
  hd_token_vec need = {0}, caps = {0};
  for (uint32_t n = net->n_places ? roll(d, 4) : 0; n; n--) {
    random_tokens(d, net->n_places, 3, style.huge, &need);
    if (!hd_token_vec_normalise(&need))
      abort();
    if (style.caps)
      random_caps(d, net->n_places, hd_token_vec_view(&need), &caps);
    if (!hd_net_add_target(net, 0, hd_token_vec_view(&need),
                           hd_token_vec_view(&caps), 0))
      abort();
  }
  hd_vec_free(&need);
  hd_vec_free(&caps);
  hd_net_finish(net);
  return net;
}

#endif
