/* SPDX-License-Identifier: MIT */
/* Traps: does each of them keep a token?
 *
 * A trap Q holds a token initially when the initial shared state is in Q or a
 * place of Q starts with one at least, and keeps it when every transition that
 * may fire either gives to Q (post, or the new shared state), or takes nothing
 * out of it: pre and the old shared state are outside, and tokens of Q are
 * moved within Q.
 *
 * Transitions that no target needs are not asked for this. Without upper guards
 * a run stays a run, with as many tokens where it matters, when they are left
 * out: they keep the shared state, move nothing, and leave no more tokens than
 * they took in any place that matters; and a place matters when a target or a
 * transition that is needed takes tokens from it. Everything else this
 * certificate claims is true of such runs as well, so they cover no target, so
 * none does. */
#include "check/judge.h"

/* --- what is needed --- */

static bool mark(uint64_t *places, hd_place_id p) {
  bool fresh = !hd_bits_test(places, p);
  hd_bits_set(places, p);
  return fresh;
}

static bool gains(const hd_net *net, hd_trans_id t, const uint64_t *places) {
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++)
    if (hd_bits_test(places, post.data[i].place) &&
        post.data[i].count > hd_tokens_at(pre, post.data[i].place))
      return true;
  return false;
}

/* Marks what `t` takes from; true when that is new. */
static bool mark_taken(const hd_net *net, hd_trans_id t, uint64_t *places) {
  bool fresh = false;
  hd_tokens pre = hd_net_pre(net, t);
  const hd_move *moves = hd_net_moves(net, t);
  for (size_t i = 0; i < pre.size; i++)
    fresh = mark(places, pre.data[i].place) || fresh;
  for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++)
    fresh = mark(places, moves[i].from) || fresh;
  return fresh;
}

/* One pass; true when a place was found to matter that did not before. */
static bool need_more(hd_judge *judge, uint64_t *places) {
  const hd_net *net = judge->net;
  bool changed = false;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_trans *trans = &net->trans.data[t];
    if (!hd_judge_fires(judge, t) || hd_bits_test(judge->needed, t))
      continue;
    if (trans->from == trans->to && !trans->moves.size &&
        !gains(net, t, places))
      continue;
    hd_bits_set(judge->needed, t);
    changed = mark_taken(net, t, places) || changed;
  }
  return changed;
}

static void find_needed(hd_judge *judge) {
  const hd_net *net = judge->net;
  judge->needed = hd_calloc(hd_bits_words(net->trans.size), sizeof(uint64_t));
  if (net->features & (HD_HAS_CAPS | HD_HAS_TARGET_CAPS)) {
    for (hd_trans_id t = 0; t < net->trans.size; t++)
      hd_bits_set(judge->needed, t);
    return;
  }
  uint64_t *places = hd_calloc(hd_bits_words(net->n_places), sizeof *places);
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_tokens need = hd_net_view(net, target->need);
    for (size_t i = 0; i < need.size; i++)
      mark(places, need.data[i].place);
  }
  while (need_more(judge, places))
    continue;
  hd_free(places);
}

/* --- the trap --- */

static bool refuse(const hd_judge *judge, uint32_t index, const char *what) {
  hd_str_printf(judge->why, "trap %u %s", index + 1, what);
  return false;
}

static bool holds_initially(const hd_judge *judge, uint32_t index) {
  const hd_net *net = judge->net;
  const hd_trap *trap = &judge->cert->traps.data[index];
  if (hd_bits_test(trap->shared, net->init_shared))
    return true;
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (hd_bits_test(trap->places, p) && net->init[p].min)
      return true;
  return refuse(judge, index, "may hold no token initially");
}

static bool meets(const uint64_t *places, hd_tokens v) {
  for (size_t i = 0; i < v.size; i++)
    if (hd_bits_test(places, v.data[i].place))
      return true;
  return false;
}

static bool moves_out(const hd_judge *judge, const hd_trap *trap,
                      hd_trans_id t) {
  const hd_trans *trans = &judge->net->trans.data[t];
  const hd_move *moves = hd_net_moves(judge->net, t);
  const uint64_t *row = judge->rows ? judge->rows[trans->from] : NULL;
  for (uint32_t i = 0; i < trans->moves.size; i++)
    if (hd_bits_test(trap->places, moves[i].from) &&
        (!row || hd_bits_test(row, moves[i].from)) &&
        (moves[i].to == HD_NOWHERE || !hd_bits_test(trap->places, moves[i].to)))
      return true;
  return false;
}

static bool keeps(const hd_judge *judge, uint32_t index, hd_trans_id t) {
  const hd_net *net = judge->net;
  const hd_trap *trap = &judge->cert->traps.data[index];
  const hd_trans *trans = &net->trans.data[t];
  if (meets(trap->places, hd_net_post(net, t)) ||
      hd_bits_test(trap->shared, trans->to))
    return true;
  if (!meets(trap->places, hd_net_pre(net, t)) &&
      !hd_bits_test(trap->shared, trans->from) && !moves_out(judge, trap, t))
    return true;
  refuse(judge, index, "is not one: ");
  hd_judge_say_trans(judge, t);
  hd_str_puts(judge->why, " takes from it and gives nothing back");
  return false;
}

bool hd_judge_trap(hd_judge *judge, uint32_t index) {
  if (!judge->needed)
    find_needed(judge);
  if (!holds_initially(judge, index))
    return false;
  for (hd_trans_id t = 0; t < judge->net->trans.size; t++)
    if (hd_judge_fires(judge, t) && hd_bits_test(judge->needed, t) &&
        !keeps(judge, index, t))
      return false;
  return true;
}
