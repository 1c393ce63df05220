/* SPDX-License-Identifier: MIT */
/* T and the inequalities: is each of them an invariant?
 *
 * T holds initially when the row of the initial shared state has every place
 * that may start with tokens, and is kept by a transition that is enabled
 * within T when the row of `to` has every place that can have tokens after it:
 * the old row, without the places that are emptied by moves; the destinations
 * of moves out of places of the row; the places of post.
 *
 * An inequality holds initially when it does with the most tokens everywhere,
 * and is kept by a transition when  potential + sum weight * tokens  does not
 * grow: taking pre and giving post does not increase it, and no move carries a
 * token to a heavier place. */
#include "check/judge.h"

__extension__ typedef __int128 wide;

/* --- T --- */

static bool rows_hold_initially(const hd_judge *judge) {
  const hd_net *net = judge->net;
  const uint64_t *row = judge->cert->rows[net->init_shared];
  for (hd_place_id p = 0; row && p < net->n_places; p++)
    if (net->init[p].max && !hd_bits_test(row, p)) {
      hd_str_puts(judge->why, "T does not hold initially: ");
      hd_judge_say_place(judge, p);
      hd_str_puts(judge->why, " is not in the row of ");
      hd_judge_say_shared(judge, net->init_shared);
      return false;
    }
  if (!row) {
    hd_str_puts(judge->why, "T does not hold initially: it has no row for ");
    hd_judge_say_shared(judge, net->init_shared);
  }
  return row != NULL;
}

static bool not_in_row(const hd_judge *judge, hd_trans_id t,
                       hd_place_id place) {
  hd_str_puts(judge->why, "T is not inductive: ");
  hd_judge_say_trans(judge, t);
  hd_str_puts(judge->why, " can leave tokens in ");
  hd_judge_say_place(judge, place);
  hd_str_puts(judge->why, ", which is not in the row of ");
  hd_judge_say_shared(judge, judge->net->trans.data[t].to);
  return false;
}

/* All tokens that were in `place` are gone after `t`, apart from what arrives
 * there by moves and post. */
static bool emptied(const hd_net *net, hd_trans_id t, hd_place_id place) {
  hd_range moves = hd_judge_moves_from(net, t, place);
  for (uint32_t i = 0; i < moves.size; i++)
    if (net->moves.data[moves.start + i].to == place)
      return false;
  return moves.size > 0;
}

/* The places of the old row that keep their tokens are in the new one. Sets
 * `*inside` when the whole old row is. */
static bool row_kept(const hd_judge *judge, hd_trans_id t, bool *inside) {
  const hd_net *net = judge->net;
  const uint64_t *old = judge->cert->rows[net->trans.data[t].from];
  const uint64_t *new = judge->cert->rows[net->trans.data[t].to];
  *inside = true;
  for (size_t w = 0; w < hd_bits_words(net->n_places); w++)
    for (uint64_t lost = old[w] & ~new[w]; lost; lost &= lost - 1) {
      hd_place_id p = (hd_place_id)(64 * w + (size_t)__builtin_ctzll(lost));
      *inside = false;
      if (p < net->n_places && !emptied(net, t, p))
        return not_in_row(judge, t, p);
    }
  return true;
}

static bool arrivals_in_row(const hd_judge *judge, hd_trans_id t) {
  const hd_net *net = judge->net;
  const uint64_t *old = judge->cert->rows[net->trans.data[t].from];
  const uint64_t *new = judge->cert->rows[net->trans.data[t].to];
  const hd_move *moves = hd_net_moves(net, t);
  for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++)
    if (moves[i].to != HD_NOWHERE && hd_bits_test(old, moves[i].from) &&
        !hd_bits_test(new, moves[i].to))
      return not_in_row(judge, t, moves[i].to);
  hd_tokens post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++)
    if (!hd_bits_test(new, post.data[i].place))
      return not_in_row(judge, t, post.data[i].place);
  return true;
}

static bool enabled_in_rows(const hd_judge *judge, hd_trans_id t) {
  const uint64_t *row = judge->cert->rows[judge->net->trans.data[t].from];
  hd_tokens pre = hd_net_pre(judge->net, t);
  for (size_t i = 0; row && i < pre.size; i++)
    if (!hd_bits_test(row, pre.data[i].place))
      return false;
  return row != NULL;
}

/* `inside_of[to] == from + 1`: the row of `from` is known to be part of that of
 * `to`, so that parallel transitions compare the rows once. */
static bool keeps_rows(const hd_judge *judge, hd_trans_id t,
                       uint32_t *inside_of) {
  const hd_trans *trans = &judge->net->trans.data[t];
  if (!judge->cert->rows[trans->to]) {
    hd_str_puts(judge->why, "T is not inductive: ");
    hd_judge_say_trans(judge, t);
    hd_str_puts(judge->why, " is enabled within it, and there is no row for ");
    hd_judge_say_shared(judge, trans->to);
    return false;
  }
  if (inside_of[trans->to] != trans->from + 1) {
    bool inside;
    if (!row_kept(judge, t, &inside))
      return false;
    if (inside)
      inside_of[trans->to] = trans->from + 1;
  }
  return arrivals_in_row(judge, t);
}

bool hd_judge_rows(hd_judge *judge) {
  const hd_net *net = judge->net;
  if (!rows_hold_initially(judge))
    return false;
  uint32_t *inside_of = hd_calloc(net->n_shared, sizeof *inside_of);
  bool ok = true;
  /* Grouped by `from`, which is what makes `inside_of` useful. */
  for (size_t i = 0; ok && i < net->trans.size; i++) {
    hd_trans_id t = net->from_ids[i];
    if (hd_judge_fires(judge, t) && enabled_in_rows(judge, t))
      ok = keeps_rows(judge, t, inside_of);
  }
  hd_free(inside_of);
  return ok;
}

/* --- inequalities --- */

/* No sum here can pass 128 bits: see value () in judge.c. */
static wide weigh(const hd_linear *linear, hd_tokens v) {
  wide sum = 0;
  for (size_t i = 0; i < v.size; i++)
    sum += (wide)linear->weight[v.data[i].place] * (wide)v.data[i].count;
  return sum;
}

static wide potential(const hd_linear *linear, hd_shared_id s) {
  return linear->potential ? linear->potential[s] : 0;
}

static bool linear_holds_initially(const hd_judge *judge, size_t index) {
  const hd_net *net = judge->net;
  const hd_linear *linear = &judge->cert->linear.data[index];
  wide most = potential(linear, net->init_shared);
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (!linear->weight[p])
      continue;
    if (net->init[p].max == HD_OMEGA) {
      hd_str_printf(judge->why,
                    "inequality %zu does not hold initially: ", index + 1);
      hd_judge_say_place(judge, p);
      hd_str_puts(judge->why, " has a weight and is unbounded");
      return false;
    }
    most += (wide)linear->weight[p] * (wide)net->init[p].max;
  }
  if (most > linear->bound)
    hd_str_printf(judge->why,
                  "inequality %zu does not hold initially: its bound is "
                  "exceeded",
                  index + 1);
  return most <= linear->bound;
}

static bool grows(const hd_judge *judge, size_t index, hd_trans_id t,
                  const char *how) {
  hd_str_printf(judge->why, "inequality %zu is not inductive: ", index + 1);
  hd_judge_say_trans(judge, t);
  hd_str_puts(judge->why, how);
  return false;
}

static bool keeps_linear(const hd_judge *judge, size_t index, hd_trans_id t) {
  const hd_net *net = judge->net;
  const hd_linear *linear = &judge->cert->linear.data[index];
  const hd_trans *trans = &net->trans.data[t];
  if (potential(linear, trans->to) + weigh(linear, hd_net_post(net, t)) >
      potential(linear, trans->from) + weigh(linear, hd_net_pre(net, t)))
    return grows(judge, index, t, " increases its left side");
  const hd_move *moves = hd_net_moves(net, t);
  const uint64_t *row = judge->rows ? judge->rows[trans->from] : NULL;
  for (uint32_t i = 0; i < trans->moves.size; i++) {
    if (moves[i].to == HD_NOWHERE || (row && !hd_bits_test(row, moves[i].from)))
      continue;
    if (linear->weight[moves[i].to] > linear->weight[moves[i].from])
      return grows(judge, index, t, " moves tokens to a place of more weight");
  }
  return true;
}

bool hd_judge_linear(hd_judge *judge) {
  for (size_t i = 0; i < judge->cert->linear.size; i++) {
    if (!linear_holds_initially(judge, i))
      return false;
    for (hd_trans_id t = 0; t < judge->net->trans.size; t++)
      if (hd_judge_fires(judge, t) && !keeps_linear(judge, i, t))
        return false;
  }
  return true;
}
