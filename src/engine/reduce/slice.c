/* SPDX-License-Identifier: MIT */
/* Backward slicing: what no target needs.
 *
 * A shared state matters when a target's shared state can be reached from it by
 * enabled transitions. A place matters when a target that T does not rule out,
 * or a transition that matters, takes tokens from it. A transition matters when
 * it leads to a shared state that matters and either changes the shared state,
 * moves tokens, or leaves more tokens than it took in a place that matters.
 * Dropping the others is exact for coverability: they only take tokens away or
 * put them where nobody looks. Upper guards (caps) make taking away useful, so
 * nets with caps keep every transition whose shared state matters. */
#include "engine/reduce/reduce.h"

typedef struct {
  const hd_net *net;
  uint64_t *keep;     /* in: enabled transitions; out: those that matter */
  uint64_t *live;     /* shared states that matter */
  uint64_t *matters;  /* places */
  uint64_t *taken;    /* transitions found to matter */
  hd_u32s places;     /* queue of places that matter */
  hd_u32s *producers; /* place -> transitions that gain tokens there */
} slice;

static void need_shared(slice *s, hd_u32s *queue, hd_shared_id shared) {
  if (hd_bits_test(s->live, shared))
    return;
  hd_bits_set(s->live, shared);
  hd_vec_push(queue, shared);
}

static void find_live(slice *s, const hd_cert *tset) {
  const hd_net *net = s->net;
  hd_u32s queue = {0};
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    if (hd_reduce_excludes(tset, target, hd_net_view(net, target->need)))
      continue;
    if (target->shared != HD_ANY_SHARED) {
      need_shared(s, &queue, target->shared);
      continue;
    }
    for (uint32_t shared = 0; shared < net->n_shared; shared++)
      if (tset->rows[shared])
        need_shared(s, &queue, shared);
  }
  for (size_t head = 0; head < queue.size; head++) {
    hd_shared_id to = queue.data[head];
    for (uint32_t i = net->to_start[to]; i < net->to_start[to + 1]; i++)
      if (hd_bits_test(s->keep, net->to_ids[i]))
        need_shared(s, &queue, net->trans.data[net->to_ids[i]].from);
  }
  hd_vec_free(&queue);
}

static void need_place(slice *s, hd_place_id place) {
  if (hd_bits_test(s->matters, place))
    return;
  hd_bits_set(s->matters, place);
  hd_vec_push(&s->places, place);
}

static void need_tokens(slice *s, hd_tokens tokens) {
  for (size_t i = 0; i < tokens.size; i++)
    need_place(s, tokens.data[i].place);
}

static void take(slice *s, hd_trans_id t) {
  if (hd_bits_test(s->taken, t))
    return;
  hd_bits_set(s->taken, t);
  need_tokens(s, hd_net_pre(s->net, t));
  need_tokens(s, hd_net_caps(s->net, t));
  const hd_move *moves = hd_net_moves(s->net, t);
  for (uint32_t i = 0; i < s->net->trans.data[t].moves.size; i++)
    need_place(s, moves[i].from);
}

static void list_producers(slice *s, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(s->net, t), post = hd_net_post(s->net, t);
  for (size_t i = 0; i < post.size; i++)
    if (post.data[i].count > hd_tokens_at(pre, post.data[i].place))
      hd_vec_push(&s->producers[post.data[i].place], t);
}

static void find_places(slice *s, const hd_cert *tset) {
  const hd_net *net = s->net;
  bool all = (net->features & (HD_HAS_CAPS | HD_HAS_TARGET_CAPS)) != 0;
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    if (hd_reduce_excludes(tset, target, hd_net_view(net, target->need)))
      continue;
    need_tokens(s, hd_net_view(net, target->need));
    need_tokens(s, hd_net_view(net, target->caps));
  }
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_trans *tr = &net->trans.data[t];
    if (!hd_bits_test(s->keep, t) || !hd_bits_test(s->live, tr->to))
      continue;
    if (all || tr->from != tr->to || tr->moves.size)
      take(s, t);
    else
      list_producers(s, t);
  }
  for (size_t head = 0; head < s->places.size; head++) {
    hd_u32s *list = &s->producers[s->places.data[head]];
    for (size_t i = 0; i < list->size; i++)
      take(s, list->data[i]);
  }
}

void hd_reduce_slice(const hd_net *net, const hd_cert *tset, uint64_t *keep,
                     hd_u32s *ignored) {
  size_t words = hd_bits_words(net->trans.size);
  slice s = {
      .net = net,
      .keep = keep,
      .live = hd_calloc(hd_bits_words(net->n_shared), sizeof(uint64_t)),
      .matters = hd_calloc(hd_bits_words(net->n_places), sizeof(uint64_t)),
      .taken = hd_calloc(words, sizeof(uint64_t)),
      .producers = hd_calloc(net->n_places, sizeof(hd_u32s)),
  };
  find_live(&s, tset);
  find_places(&s, tset);
  for (size_t w = 0; w < words; w++) {
    assert(!(s.taken[w] & ~keep[w]));
    keep[w] = s.taken[w];
  }
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (!hd_bits_test(s.matters, p))
      hd_vec_push(ignored, p);
    hd_vec_free(&s.producers[p]);
  }
  hd_free(s.producers);
  hd_free(s.live);
  hd_free(s.matters);
  hd_free(s.taken);
  hd_vec_free(&s.places);
}
