/* SPDX-License-Identifier: MIT */
#include "engine/tse/relevant.h"

static bool in_tset(const hd_cert *tset, hd_shared_id s, hd_tokens pre) {
  if (!tset || !tset->rows)
    return true;
  const uint64_t *row = tset->rows[s];
  for (size_t i = 0; row && i < pre.size; i++)
    if (!hd_bits_test(row, pre.data[i].place))
      return false;
  return row != NULL;
}

static void mark(uint64_t *live, hd_u32s *queue, hd_shared_id s) {
  if (hd_bits_test(live, s))
    return;
  hd_bits_set(live, s);
  hd_vec_push(queue, s);
}

/* The shared states from which a target's can be reached. */
static uint64_t *live_states(const hd_net *net, const uint64_t *counts) {
  uint64_t *live = hd_calloc(hd_bits_words(net->n_shared), sizeof *live);
  hd_u32s queue = {0};
  for (hd_vec_each(const hd_target, target, &net->targets))
    for (hd_shared_id s = 0; s < net->n_shared; s++)
      if (s == target->shared || target->shared == HD_ANY_SHARED)
        mark(live, &queue, s);
  while (queue.size) {
    hd_shared_id s = hd_vec_pop(&queue);
    for (uint32_t i = net->to_start[s]; i < net->to_start[s + 1]; i++)
      if (hd_bits_test(counts, net->to_ids[i]))
        mark(live, &queue, net->trans.data[net->to_ids[i]].from);
  }
  hd_vec_free(&queue);
  return live;
}

static void mark_places(uint64_t *matters, hd_tokens v) {
  for (size_t i = 0; i < v.size; i++)
    hd_bits_set(matters, v.data[i].place);
}

void hd_find_relevant(const hd_net *net, const hd_cert *tset, uint64_t *counts,
                      uint64_t *matters) {
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (in_tset(tset, net->trans.data[t].from, hd_net_pre(net, t)))
      hd_bits_set(counts, t);
  uint64_t *live = live_states(net, counts);
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_trans *trans = &net->trans.data[t];
    if (!hd_bits_test(live, trans->to))
      hd_bits_clear(counts, t);
    if (!hd_bits_test(counts, t))
      continue;
    mark_places(matters, hd_net_pre(net, t));
    const hd_move *moves = hd_net_moves(net, t);
    for (uint32_t i = 0; i < trans->moves.size; i++)
      hd_bits_set(matters, moves[i].from);
  }
  for (hd_vec_each(const hd_target, target, &net->targets))
    mark_places(matters, hd_net_view(net, target->need));
  hd_free(live);
}
