/* SPDX-License-Identifier: MIT */
/* What a solution of the state equation says: firings, tokens left, the shared
 * state at the end, and by its dual how far a configuration is from there. */
#include "engine/tse/equation_impl.h"

#define NONE HD_EQ_NONE

double hd_eq_length(const hd_eq *eq) {
  return hd_lp_value(eq->lp);
}

double hd_eq_fired(const hd_eq *eq, hd_trans_id t) {
  return eq->col[t] == NONE ? 0 : hd_lp_col_value(eq->lp, eq->col[t]);
}

static void apply(hd_eq *eq, hd_trans_id t, double times) {
  hd_tokens pre = hd_net_pre(eq->net, t), post = hd_net_post(eq->net, t);
  for (size_t i = 0; i < pre.size; i++)
    eq->marking[pre.data[i].place] -= times * pre.data[i].count;
  for (size_t i = 0; i < post.size; i++)
    eq->marking[post.data[i].place] += times * post.data[i].count;
}

static void compute_marking(hd_eq *eq) {
  for (hd_place_id p = 0; p < eq->net->n_places; p++)
    eq->marking[p] =
        eq->net->init[p].max == HD_OMEGA ? 0 : eq->net->init[p].max;
  for (uint32_t c = 0; c < eq->n_cols; c++) {
    double times = hd_lp_col_value(eq->lp, c);
    if (times > 1e-9)
      apply(eq, eq->leader.data[c], times);
  }
  for (uint32_t i = 0; i < eq->moves.size; i++) {
    double times = hd_lp_col_value(eq->lp, eq->n_cols + i);
    hd_move m = eq->moves.data[i];
    eq->marking[m.from] -= times;
    if (m.to != HD_NOWHERE)
      eq->marking[m.to] += times;
  }
  eq->marking_known = true;
}

double hd_eq_marking(hd_eq *eq, hd_place_id place) {
  if (!eq->marking_known)
    compute_marking(eq);
  return eq->marking[place];
}

hd_shared_id hd_eq_shared(const hd_eq *eq) {
  if (eq->target != HD_ANY_SHARED || eq->net->n_shared == 1)
    return eq->target == HD_ANY_SHARED ? 0 : eq->target;
  for (hd_shared_id s = 0; s < eq->net->n_shared; s++) {
    double rest = hd_lp_row_value(eq->lp, eq->shared_row[s]) +
                  (s == eq->net->init_shared ? 1 : 0);
    if (rest > 1 - 1e-6)
      return s;
  }
  return HD_ANY_SHARED;
}

/* The row duals y of "fewest firings": y · effect_t <= 1 for each transition,
 * so that y · (what is missing) never drops by more than one a firing. */
void hd_eq_distance(hd_eq *eq, double scale, hd_tokens need,
                    hd_linear *distance) {
  const hd_net *net = eq->net;
  double constant = 0;
  distance->potential = hd_calloc(net->n_shared, sizeof(int64_t));
  distance->weight = hd_calloc(net->n_places, sizeof(int64_t));
  for (size_t i = 0; i < need.size; i++)
    if (eq->place_row[need.data[i].place] != NONE)
      constant += need.data[i].count *
                  hd_lp_row_dual(eq->lp, eq->place_row[need.data[i].place]);
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (eq->place_row[p] != NONE)
      distance->weight[p] =
          -llround(scale * hd_lp_row_dual(eq->lp, eq->place_row[p]));
  hd_shared_id end = hd_eq_shared(eq);
  if (net->n_shared > 1 && end != HD_ANY_SHARED)
    constant += hd_lp_row_dual(eq->lp, eq->shared_row[end]);
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    distance->potential[s] = llround(
        scale *
        (constant -
         (net->n_shared > 1 ? hd_lp_row_dual(eq->lp, eq->shared_row[s]) : 0)));
}
