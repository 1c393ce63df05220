/* SPDX-License-Identifier: MIT */
/* From multipliers to a proof.
 *
 * The solver's vector is rounded to integers (solve/exact.h); then every
 * condition of an inductive inequality is checked in 128-bit arithmetic:
 * weights >= 0, no live transition and no move increases the weighted sum with
 * the traps added, the initial value, the violation by the target. Should
 * rounding fail, the same basis is solved in rational arithmetic and checked
 * again. Only what passes enters the certificate. */
#include "engine/tse/equation_impl.h"
#include "solve/exact.h"

#include <string.h>

#define NONE HD_EQ_NONE

__extension__ typedef __int128 wide;

/* A candidate: the inequality as it will be used (w, pi), and the one that is
 * inductive (u, rho), with the traps added. */
typedef struct {
  int64_t *w, *pi, *u, *rho;
  wide extra; /* sum of the traps' multipliers */
} candidate;

static bool fits(wide x) {
  return x < HD_EXACT_MAX && x > -HD_EXACT_MAX;
}

static bool add_to(int64_t *sum, int64_t value) {
  return !__builtin_add_overflow(*sum, value, sum) && fits(*sum);
}

static bool add_trap(const hd_eq *eq, candidate *c, const hd_trap *trap,
                     int64_t times) {
  c->extra += times;
  for (hd_place_id p = 0; p < eq->net->n_places; p++)
    if (hd_bits_test(trap->places, p) && !add_to(&c->u[p], times))
      return false;
  for (hd_shared_id s = 0; s < eq->net->n_shared; s++)
    if (hd_bits_test(trap->shared, s) && !add_to(&c->rho[s], times))
      return false;
  return fits(c->extra);
}

static bool fill(const hd_eq *eq, candidate *c, const int64_t *z) {
  for (hd_place_id p = 0; p < eq->net->n_places; p++) {
    c->w[p] = eq->place_row[p] == NONE ? 0 : z[eq->place_row[p]];
    if (c->w[p] < 0)
      return false;
    c->u[p] = c->w[p];
  }
  for (hd_shared_id s = 0; s < eq->net->n_shared; s++)
    c->rho[s] = c->pi[s] = eq->shared_row[s] == NONE ? 0 : z[eq->shared_row[s]];
  for (uint32_t k = 0; k < eq->trap_row.size; k++) {
    int64_t times = eq->trap_row.data[k] == NONE ? 0 : z[eq->trap_row.data[k]];
    if (times < 0 ||
        (times && !add_trap(eq, c, &eq->cert->traps.data[k], times)))
      return false;
  }
  return true;
}

static bool never_increased(const hd_eq *eq, const candidate *c,
                            hd_trans_id t) {
  const hd_trans *trans = &eq->net->trans.data[t];
  hd_tokens pre = hd_net_pre(eq->net, t), post = hd_net_post(eq->net, t);
  wide change = (wide)c->rho[trans->to] - c->rho[trans->from];
  for (size_t i = 0; i < pre.size; i++)
    change -= (wide)c->u[pre.data[i].place] * pre.data[i].count;
  for (size_t i = 0; i < post.size; i++)
    change += (wide)c->u[post.data[i].place] * post.data[i].count;
  return change <= 0;
}

static bool is_inductive(const hd_eq *eq, const candidate *c) {
  for (hd_trans_id t = 0; t < eq->net->trans.size; t++)
    if (hd_eq_alive(eq, t) && !never_increased(eq, c, t))
      return false;
  for (hd_vec_each(const hd_move, m, &eq->moves))
    if (m->to != HD_NOWHERE && c->u[m->to] > c->u[m->from])
      return false;
  return true;
}

/* The largest initial value; false when it does not fit or is unbounded. */
static bool initial_value(const hd_eq *eq, const candidate *c, wide *value) {
  *value = c->rho[eq->net->init_shared];
  for (hd_place_id p = 0; p < eq->net->n_places; p++) {
    if (!c->u[p])
      continue;
    if (eq->net->init[p].max == HD_OMEGA)
      return false;
    *value += (wide)c->u[p] * eq->net->init[p].max;
    if (!fits(*value))
      return false;
  }
  return true;
}

/* The least value with which the target may be reached. */
static wide target_value(const hd_eq *eq, const candidate *c,
                         hd_shared_id shared, hd_tokens need) {
  wide value = HD_EXACT_MAX;
  for (hd_shared_id s = 0; s < eq->net->n_shared; s++)
    if (c->pi[s] < value && hd_eq_may_end(eq, s, shared, need))
      value = c->pi[s];
  for (size_t i = 0; i < need.size; i++)
    value += (wide)c->w[need.data[i].place] * need.data[i].count;
  return value;
}

/* Puts the inequality into the certificate. Potentials only matter up to a
 * constant: the least becomes zero. */
static bool record(hd_eq *eq, const candidate *c, wide bound,
                   const int64_t *z) {
  int64_t least = c->pi[0];
  for (hd_shared_id s = 0; s < eq->net->n_shared; s++)
    least = c->pi[s] < least ? c->pi[s] : least;
  if (!fits(bound) || !fits(bound - least))
    return false;
  hd_linear *linear = hd_cert_add_linear(eq->cert);
  linear->bound = (int64_t)(bound - least);
  memcpy(linear->weight, c->w, eq->net->n_places * sizeof *c->w);
  for (hd_shared_id s = 0; s < eq->net->n_shared; s++)
    linear->potential[s] = c->pi[s] - least;
  linear->traps.start = (uint32_t)eq->cert->trap_uses.size;
  for (uint32_t k = 0; k < eq->trap_row.size; k++)
    if (eq->trap_row.data[k] != NONE && z[eq->trap_row.data[k]]) {
      hd_trap_use use = {.trap = k, .times = z[eq->trap_row.data[k]]};
      hd_vec_push(&eq->cert->trap_uses, use);
      linear->traps.size++;
    }
  return true;
}

/* Checks the multipliers `z` of the rows; records what they prove. */
static bool check(hd_eq *eq, hd_shared_id shared, hd_tokens need,
                  const int64_t *z) {
  const hd_net *net = eq->net;
  candidate c = {.w = hd_calloc(net->n_places, sizeof *c.w),
                 .u = hd_calloc(net->n_places, sizeof *c.u),
                 .pi = hd_calloc(net->n_shared, sizeof *c.pi),
                 .rho = hd_calloc(net->n_shared, sizeof *c.rho)};
  wide start = 0;
  bool good = fill(eq, &c, z) && is_inductive(eq, &c) &&
              initial_value(eq, &c, &start) &&
              target_value(eq, &c, shared, need) > start - c.extra &&
              record(eq, &c, start - c.extra, z);
  hd_free(c.w);
  hd_free(c.u);
  hd_free(c.pi);
  hd_free(c.rho);
  return good;
}

static void reserve(hd_eq *eq) {
  size_t rows = hd_lp_rows(eq->lp);
  if (rows <= eq->y_cap)
    return;
  hd_free(eq->y);
  hd_free(eq->z);
  eq->y_cap = rows + 64;
  eq->y = hd_calloc(eq->y_cap, sizeof *eq->y);
  eq->z = hd_calloc(eq->y_cap, sizeof *eq->z);
}

hd_eq_status hd_eq_prove(hd_eq *eq, hd_shared_id shared, hd_tokens need) {
  reserve(eq);
  bool rounded = hd_lp_farkas(eq->lp, eq->y) &&
                 hd_exact_round(eq->y, hd_lp_rows(eq->lp), eq->z) &&
                 check(eq, shared, need, eq->z);
  bool repaired = !rounded && hd_lp_farkas_exact(eq->lp, eq->z) &&
                  check(eq, shared, need, eq->z);
  eq->stats.repaired += repaired;
  eq->stats.excluded += rounded || repaired;
  eq->stats.inexact += !rounded && !repaired;
  return rounded || repaired ? HD_EQ_EXCLUDED : HD_EQ_UNKNOWN;
}
