/* SPDX-License-Identifier: MIT */
/* A step of the net becomes a chain of edges: the thread moves (and whoever it
 * wakes all at once), then the one it creates appears, then the one it signals
 * moves. In between the shared state is one that only the next edge knows: if
 * that cannot be taken, nobody can do anything any more, so nothing new is
 * reached. */
#include "model/small_net.h"

typedef struct {
  const hd_small_net *from;
  hd_net *to;
  hd_shared_id fresh; /* next in-between state */
  hd_place_id ended;
  hd_vec(hd_move) moves;
} translation;

static uint32_t edges_of(const hd_small_step *s) {
  return 1u + (s->spawned != HD_NO_ID) + s->one;
}

static void add(translation *t, hd_shared_id from, hd_shared_id to,
                hd_place_id take, hd_place_id give, hd_place_id also,
                uint32_t line) {
  hd_token pre = {.place = take, .count = 1};
  hd_token post[2] = {{.place = give, .count = 1}, {.place = also, .count = 1}};
  hd_trans_spec spec = {
      .from = from,
      .to = to,
      .pre = {.data = &pre, .size = 1},
      .post = {.data = post, .size = also == HD_NO_ID ? 1 : 2},
      .moves = t->moves.data,
      .n_moves = t->moves.size,
      .line = line};
  if (!hd_net_add_trans(t->to, &spec))
    hd_bug("an edge overflowed");
  hd_vec_clear(&t->moves);
}

static void add_step(translation *t, hd_trans_id id) {
  const hd_small_step *s = &t->from->steps.data[id];
  const hd_net *net = t->from->net;
  const hd_trans *trans = &net->trans.data[id];
  hd_place_id after = s->next_local == HD_NO_ID ? t->ended : s->next_local;
  if (s->kind != HD_SMALL_GOES)
    after = hd_net_post(net, id).data[0].place;
  const hd_move *moves = hd_net_moves(net, id);
  for (uint32_t i = 0; i < trans->moves.size; i++) {
    hd_move move = moves[i];
    if (move.to == HD_NOWHERE)
      move.to = t->ended;
    hd_vec_push(&t->moves, move);
  }
  uint32_t left = edges_of(s);
  hd_shared_id at = trans->from, next = --left ? t->fresh++ : trans->to;
  add(t, at, next, s->local, after, HD_NO_ID, trans->line);
  if (s->spawned != HD_NO_ID) {
    at = next;
    next = --left ? t->fresh++ : trans->to;
    add(t, at, next, after, after, s->spawned, trans->line);
  }
  if (s->one) {
    assert(left == 1);
    add(t, next, trans->to, s->woken, s->wakes, HD_NO_ID, trans->line);
  }
}

static void copy_rest(translation *t) {
  const hd_net *net = t->from->net;
  t->to->init_shared = net->init_shared;
  for (hd_place_id p = 0; p < net->n_places; p++)
    t->to->init[p] = net->init[p];
  for (hd_shared_id s = 0; net->shared_names && s < net->n_shared; s++)
    hd_net_name_shared(t->to, s, net->shared_names[s]);
  for (hd_place_id p = 0; net->place_names && p < net->n_places; p++)
    hd_net_name_place(t->to, p, net->place_names[p]);
  hd_net_name_place(t->to, t->ended, "@ended");
  for (hd_vec_each(const hd_target, target, &net->targets))
    if (!hd_net_add_target(t->to, target->shared,
                           hd_net_view(net, target->need), (hd_tokens){0},
                           target->line))
      hd_bug("a target overflowed");
}

hd_net *hd_small_net_portable(const hd_small_net *net) {
  uint32_t n_shared = net->net->n_shared;
  for (hd_vec_each(const hd_small_step, s, &net->steps))
    n_shared += edges_of(s) - 1;
  translation t = {.from = net,
                   .to = hd_net_new(net->net->format, net->net->file, n_shared,
                                    net->net->n_places + 1),
                   .fresh = net->net->n_shared,
                   .ended = net->net->n_places};
  copy_rest(&t);
  for (hd_trans_id id = 0; id < net->steps.size; id++)
    add_step(&t, id);
  assert(t.fresh == n_shared);
  hd_net_finish(t.to);
  hd_vec_free(&t.moves);
  return t.to;
}
