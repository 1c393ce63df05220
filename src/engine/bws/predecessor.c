/* SPDX-License-Identifier: MIT */
#include "engine/bws/predecessor.h"

void hd_predecessor_free(hd_predecessor *p) {
  hd_vec_free(&p->tokens);
  hd_vec_free(&p->choices);
}

/* out = max (m - post, 0) + pre, one merge over the three sorted vectors. */
static bool plain(hd_tokens m, hd_tokens post, hd_tokens pre,
                  hd_token_vec *out) {
  hd_vec_clear(out);
  hd_vec_reserve(out, m.size + pre.size);
  size_t i = 0, j = 0, k = 0;
  while (i < m.size || k < pre.size) {
    hd_place_id place =
        k == pre.size || (i < m.size && m.data[i].place < pre.data[k].place)
            ? m.data[i].place
            : pre.data[k].place;
    hd_count count = 0;
    if (i < m.size && m.data[i].place == place) {
      count = m.data[i++].count;
      while (j < post.size && post.data[j].place < place)
        j++;
      if (j < post.size && post.data[j].place == place)
        count = count > post.data[j].count ? count - post.data[j].count : 0;
    }
    if (k < pre.size && pre.data[k].place == place)
      count += pre.data[k++].count;
    if (count > HD_COUNT_MAX)
      return false;
    if (count)
      out->data[out->size++] = (hd_token){.place = place, .count = count};
  }
  return true;
}

typedef struct {
  const hd_net *net;
  hd_trans_id trans;
  hd_token_vec rest; /* max (M - post, 0) */
  hd_predecessor *p;
  hd_predecessor_visit visit;
  void *context;
  bool overflow;
} enumeration;

static bool is_source(const enumeration *e, hd_place_id place) {
  const hd_move *moves = hd_net_moves(e->net, e->trans);
  for (uint32_t i = 0; i < e->net->trans.data[e->trans].moves.size; i++)
    if (moves[i].from == place)
      return true;
  return false;
}

/* All choices are made: tokens = chosen sources + stayers + pre. */
static bool emit(enumeration *e) {
  hd_token_vec *out = &e->p->tokens;
  hd_vec_clear(out);
  for (hd_vec_each(hd_token, t, &e->rest))
    if (!is_source(e, t->place)) {
      /* stayers are what no choice accounts for */
      hd_count left = t->count;
      for (hd_vec_each(hd_choice, c, &e->p->choices))
        if (c->to == t->place)
          left -= c->count;
      if (left)
        hd_vec_push(out, ((hd_token){.place = t->place, .count = left}));
    }
  for (hd_vec_each(hd_choice, c, &e->p->choices))
    hd_vec_push(out, ((hd_token){.place = c->from, .count = c->count}));
  hd_tokens pre = hd_net_pre(e->net, e->trans);
  for (size_t i = 0; i < pre.size; i++)
    hd_vec_push(out, pre.data[i]);
  if (!hd_token_vec_normalise(out)) {
    e->overflow = true;
    return false;
  }
  return e->visit(e->context, e->p);
}

static bool distribute(enumeration *e, size_t index);

/* Splits the `left` tokens at rest[index] among the moves into that place from
 * number `move` on; what is left over stays, where staying is possible. */
static bool split_among(enumeration *e, size_t index, uint32_t move,
                        hd_count left) {
  hd_place_id place = e->rest.data[index].place;
  const hd_move *moves = hd_net_moves(e->net, e->trans);
  uint32_t n = e->net->trans.data[e->trans].moves.size;
  while (move < n && moves[move].to != place)
    move++;
  if (move == n)
    return left && is_source(e, place) ? true : distribute(e, index + 1);
  bool go_on = split_among(e, index, move + 1, left);
  for (hd_count k = 1; go_on && k <= left; k++) {
    hd_vec_push(
        &e->p->choices,
        ((hd_choice){.from = moves[move].from, .to = place, .count = k}));
    go_on = split_among(e, index, move + 1, left - k);
    (void)hd_vec_pop(&e->p->choices);
  }
  return go_on;
}

static bool distribute(enumeration *e, size_t index) {
  if (index == e->rest.size)
    return emit(e);
  return split_among(e, index, 0, e->rest.data[index].count);
}

hd_pred_status hd_predecessors(const hd_net *net, hd_trans_id trans,
                               hd_tokens tokens, hd_predecessor *scratch,
                               hd_predecessor_visit visit, void *context) {
  hd_vec_clear(&scratch->choices);
  hd_tokens post = hd_net_post(net, trans);
  if (!net->trans.data[trans].moves.size) {
    if (!plain(tokens, post, hd_net_pre(net, trans), &scratch->tokens))
      return HD_PRED_OVERFLOW;
    return visit(context, scratch) ? HD_PRED_DONE : HD_PRED_STOPPED;
  }
  enumeration e = {.net = net,
                   .trans = trans,
                   .p = scratch,
                   .visit = visit,
                   .context = context};
  if (!plain(tokens, post, (hd_tokens){0}, &e.rest))
    hd_bug("a difference overflowed");
  bool finished = distribute(&e, 0);
  hd_vec_free(&e.rest);
  return e.overflow ? HD_PRED_OVERFLOW
         : finished ? HD_PRED_DONE
                    : HD_PRED_STOPPED;
}
