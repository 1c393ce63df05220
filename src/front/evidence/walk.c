/* SPDX-License-Identifier: MIT */
#include "front/evidence/walk.h"

#include <string.h>

/* The index of the first entry at or after `place`. */
static size_t seek(const hd_token_vec *v, hd_place_id place) {
  size_t low = 0, high = v->size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (v->data[middle].place < place)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static hd_count count_at(const hd_walk *walk, hd_place_id place) {
  return hd_tokens_at(hd_token_vec_view(&walk->marking), place);
}

static void add(hd_walk *walk, hd_place_id place, hd_count count) {
  hd_token_vec *v = &walk->marking;
  size_t at = seek(v, place);
  if (at < v->size && v->data[at].place == place) {
    if (count > HD_COUNT_MAX - v->data[at].count)
      walk->lost = true;
    else
      v->data[at].count += count;
  } else if (count) {
    hd_vec_resize(v, v->size + 1);
    memmove(v->data + at + 1, v->data + at,
            (v->size - 1 - at) * sizeof *v->data);
    v->data[at] = (hd_token){.place = place, .count = count};
  }
}

static void take(hd_walk *walk, hd_place_id place, hd_count count) {
  hd_token_vec *v = &walk->marking;
  size_t at = seek(v, place);
  if (!count)
    return;
  if (at == v->size || v->data[at].place != place ||
      v->data[at].count < count) {
    walk->lost = true;
    return;
  }
  v->data[at].count -= count;
  if (v->data[at].count)
    return;
  memmove(v->data + at, v->data + at + 1, (v->size - 1 - at) * sizeof *v->data);
  v->size--;
}

void hd_walk_start(hd_walk *walk, const hd_net *net,
                   const hd_witness *witness) {
  *walk = (hd_walk){.net = net, .witness = witness, .shared = net->init_shared};
  for (hd_vec_each(const hd_token, t, &witness->init)) {
    walk->lost =
        walk->lost || t->place >= net->n_places || t->count > HD_COUNT_MAX;
    if (!walk->lost)
      add(walk, t->place, t->count);
  }
}

static void leave(hd_walk *walk, hd_place_id from, hd_place_id to,
                  hd_count count) {
  take(walk, from, count);
  if (to != HD_NOWHERE)
    hd_vec_push(&walk->moved, ((hd_token){.place = to, .count = count}));
}

static bool known_choice(const hd_walk *walk, hd_choice choice) {
  uint32_t n = walk->net->n_places;
  return choice.from < n && (choice.to < n || choice.to == HD_NOWHERE);
}

/* First those that chose, then all others along the first move of their
 * place. */
static void move(hd_walk *walk, const hd_step *step) {
  hd_vec_clear(&walk->moved);
  for (uint32_t i = 0; !walk->lost && i < step->choices.size; i++) {
    hd_choice choice = walk->witness->choices.data[step->choices.start + i];
    if (known_choice(walk, choice))
      leave(walk, choice.from, choice.to, choice.count);
    else
      walk->lost = true;
  }
  const hd_move *moves = hd_net_moves(walk->net, step->trans);
  for (uint32_t i = 0; i < walk->net->trans.data[step->trans].moves.size; i++)
    leave(walk, moves[i].from, moves[i].to, count_at(walk, moves[i].from));
  for (hd_vec_each(const hd_token, t, &walk->moved))
    add(walk, t->place, t->count);
}

void hd_walk_step(hd_walk *walk, const hd_step *step) {
  const hd_net *net = walk->net;
  if (walk->lost || step->trans >= net->trans.size ||
      net->trans.data[step->trans].from != walk->shared ||
      (uint64_t)step->choices.start + step->choices.size >
          walk->witness->choices.size) {
    walk->lost = true;
    return;
  }
  hd_tokens pre = hd_net_pre(net, step->trans);
  hd_tokens post = hd_net_post(net, step->trans);
  for (size_t i = 0; i < pre.size; i++)
    take(walk, pre.data[i].place, pre.data[i].count);
  move(walk, step);
  for (size_t i = 0; i < post.size; i++)
    add(walk, post.data[i].place, post.data[i].count);
  walk->shared = net->trans.data[step->trans].to;
}

void hd_walk_free(hd_walk *walk) {
  hd_vec_free(&walk->marking);
  hd_vec_free(&walk->moved);
}
