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
 * token to a heavier place. One that uses traps is the difference of two that
 * are true: the same with the traps' members made heavier and the bound raised
 * by as much, of which the above is asked, and "each trap holds a token".
 * Inequalities are judged in their order, and a transition that one excludes
 * does not matter to those after it. */
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

/* `t` moves all tokens out of `place`. (A move back into it counts as an arrival
 * there.) */
static bool emptied(const hd_net *net, hd_trans_id t, hd_place_id place) {
  return hd_judge_moves_from(net, t, place).size > 0;
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

/* An inequality with the traps it uses added: what must be inductive. All
 * numbers fit 64 bits: then no sum here can pass 128, see value () in judge.c. */
typedef struct {
  int64_t *weight, *potential;
  int64_t bound;
} raised;

static bool add_trap(const hd_judge *judge, raised *r, hd_trap_use use) {
  const hd_trap *trap = &judge->cert->traps.data[use.trap];
  bool over = __builtin_add_overflow(r->bound, use.times, &r->bound);
  for (hd_place_id p = 0; !over && p < judge->net->n_places; p++)
    if (hd_bits_test(trap->places, p))
      over = __builtin_add_overflow(r->weight[p], use.times, &r->weight[p]);
  for (hd_shared_id s = 0; !over && s < judge->net->n_shared; s++)
    if (hd_bits_test(trap->shared, s))
      over =
          __builtin_add_overflow(r->potential[s], use.times, &r->potential[s]);
  return !over;
}

/* `r` has room for the net's places and shared states. */
static bool raise_linear(const hd_judge *judge, size_t index, raised *r) {
  const hd_linear *linear = &judge->cert->linear.data[index];
  for (hd_place_id p = 0; p < judge->net->n_places; p++)
    r->weight[p] = linear->weight[p];
  for (hd_shared_id s = 0; s < judge->net->n_shared; s++)
    r->potential[s] = linear->potential ? linear->potential[s] : 0;
  r->bound = linear->bound;
  for (uint32_t i = 0; i < linear->traps.size; i++)
    if (!add_trap(judge, r,
                  judge->cert->trap_uses.data[linear->traps.start + i])) {
      hd_str_printf(judge->why, "inequality %zu has too large numbers",
                    index + 1);
      return false;
    }
  return true;
}

static wide weigh(const raised *r, hd_tokens v) {
  wide sum = 0;
  for (size_t i = 0; i < v.size; i++)
    sum += (wide)r->weight[v.data[i].place] * (wide)v.data[i].count;
  return sum;
}

static bool linear_holds_initially(const hd_judge *judge, const raised *r,
                                   size_t index) {
  const hd_net *net = judge->net;
  wide most = r->potential[net->init_shared];
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (!r->weight[p])
      continue;
    if (net->init[p].max == HD_OMEGA) {
      hd_str_printf(judge->why,
                    "inequality %zu does not hold initially: ", index + 1);
      hd_judge_say_place(judge, p);
      hd_str_puts(judge->why, " has a weight and is unbounded");
      return false;
    }
    most += (wide)r->weight[p] * (wide)net->init[p].max;
  }
  if (most > r->bound)
    hd_str_printf(judge->why,
                  "inequality %zu does not hold initially: its bound is "
                  "exceeded",
                  index + 1);
  return most <= r->bound;
}

static bool grows(const hd_judge *judge, size_t index, hd_trans_id t,
                  const char *how) {
  hd_str_printf(judge->why, "inequality %zu is not inductive: ", index + 1);
  hd_judge_say_trans(judge, t);
  hd_str_puts(judge->why, how);
  return false;
}

static bool keeps_linear(const hd_judge *judge, const raised *r, size_t index,
                         hd_trans_id t) {
  const hd_net *net = judge->net;
  const hd_trans *trans = &net->trans.data[t];
  if ((wide)r->potential[trans->to] + weigh(r, hd_net_post(net, t)) >
      (wide)r->potential[trans->from] + weigh(r, hd_net_pre(net, t)))
    return grows(judge, index, t, " increases its left side");
  const hd_move *moves = hd_net_moves(net, t);
  const uint64_t *row = judge->rows ? judge->rows[trans->from] : NULL;
  for (uint32_t i = 0; i < trans->moves.size; i++) {
    if (moves[i].to == HD_NOWHERE || (row && !hd_bits_test(row, moves[i].from)))
      continue;
    if (r->weight[moves[i].to] > r->weight[moves[i].from])
      return grows(judge, index, t, " moves tokens to a place of more weight");
  }
  return true;
}

static bool linear_is_invariant(const hd_judge *judge, const raised *r,
                                size_t index) {
  if (!linear_holds_initially(judge, r, index))
    return false;
  for (hd_trans_id t = 0; t < judge->net->trans.size; t++)
    if (hd_judge_fires(judge, t) && !keeps_linear(judge, r, index, t))
      return false;
  return true;
}

/* Judges the traps whose stage has come; those the inequality uses must be
 * among the ones that are done. */
static bool traps_before(hd_judge *judge, size_t index, bool *done) {
  const hd_cert *cert = judge->cert;
  const hd_linear *linear = &cert->linear.data[index];
  for (uint32_t k = 0; k < cert->traps.size; k++)
    if (cert->traps.data[k].stage == index) {
      if (!hd_judge_trap(judge, k))
        return false;
      done[k] = true;
    }
  for (uint32_t i = 0; i < linear->traps.size; i++) {
    uint32_t trap = cert->trap_uses.data[linear->traps.start + i].trap;
    if (!done[trap]) {
      hd_str_printf(judge->why,
                    "inequality %zu uses trap %u, which comes later", index + 1,
                    trap + 1);
      return false;
    }
  }
  return true;
}

/* Does inequality `index` exclude a target in some shared state, and is there
 * another that nothing excludes? When all are excluded the claim is proved, and
 * what follows is judged as before. */
static bool fewer_targets(const hd_judge *judge, size_t index) {
  const hd_net *net = judge->net;
  bool fewer = false, left = false;
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_tokens need = hd_net_view(net, target->need);
    bool any = target->shared == HD_ANY_SHARED;
    hd_shared_id first = any ? 0 : target->shared;
    hd_shared_id last = any ? net->n_shared - 1 : target->shared;
    for (hd_shared_id s = first; s <= last && !(fewer && left); s++) {
      fewer = fewer || hd_judge_violates(judge, index, s, need);
      left = left || !hd_judge_excludes(judge, s, need);
    }
  }
  return fewer && left;
}

/* Inequality `index` is proved: transitions it excludes do not fire, and when it
 * excludes a target, fewer shared states may be of interest. */
static void use_linear(hd_judge *judge, size_t index) {
  const hd_net *net = judge->net;
  judge->n_linear = index + 1;
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (hd_judge_fires(judge, t) &&
        hd_judge_violates(judge, index, net->trans.data[t].from,
                          hd_net_pre(net, t)))
      hd_bits_clear(judge->fires, t);
  if (fewer_targets(judge, index))
    hd_judge_slice(judge);
}

bool hd_judge_linear(hd_judge *judge) {
  const hd_cert *cert = judge->cert;
  raised r = {.weight = hd_calloc(judge->net->n_places, sizeof *r.weight),
              .potential =
                  hd_calloc(judge->net->n_shared, sizeof *r.potential)};
  bool *done = hd_calloc(cert->traps.size, sizeof *done);
  bool ok = true;
  for (size_t i = 0; ok && i < cert->linear.size; i++) {
    ok = raise_linear(judge, i, &r) && traps_before(judge, i, done) &&
         linear_is_invariant(judge, &r, i);
    if (ok)
      use_linear(judge, i);
  }
  hd_free(done);
  hd_free(r.weight);
  hd_free(r.potential);
  return ok;
}
