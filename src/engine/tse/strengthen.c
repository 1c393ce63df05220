/* SPDX-License-Identifier: MIT */
/* The refinement loop around the state equation.
 *
 * Data: for each transition that was found possible the solution that says so:
 * which columns it uses and which tokens it leaves. As long as all of these
 * columns are open and every trap added since has a token in it, the solution
 * still stands and the transition need not be asked about again.
 *
 * Each round adds a trap row that the last solution violates, or kills a
 * transition it uses; there are finitely many of both, and the effort is
 * bounded anyway. */
#include "engine/tse/strengthen.h"
#include "engine/tse/traps.h"

#define TINY 1e-7
#define TRAP_ROUNDS 3 /* for the precondition of one transition, a visit */

typedef struct {
  hd_place_id place;
  double count;
} amount;

/* The solution for the precondition of a transition. */
typedef struct {
  bool known;
  size_t traps; /* traps it takes into account */
  hd_shared_id shared;
  hd_u32s used; /* first transitions of the columns it uses */
  hd_vec(amount) left;
} memory;

struct hd_strong {
  const hd_net *net;
  const hd_cert *tset;
  hd_cert *cert;
  hd_eq *eq;
  memory *memories; /* one a transition */
  uint64_t price;   /* of an iteration: they take longer in large programs */
  uint64_t spent, dead;
};

hd_strong *hd_strong_new(const hd_net *net, const hd_cert *tset,
                         hd_cert *cert) {
  hd_strong *s = hd_calloc(1, sizeof *s);
  s->net = net;
  s->tset = tset;
  s->cert = cert;
  s->eq = hd_eq_new(net, tset, cert);
  s->memories = hd_calloc(net->trans.size, sizeof *s->memories);
  size_t columns;
  hd_eq_leaders(s->eq, &columns);
  s->price = 1 + columns / 2000;
  return s;
}

void hd_strong_delete(hd_strong *s) {
  if (!s)
    return;
  for (size_t t = 0; t < s->net->trans.size; t++) {
    hd_vec_free(&s->memories[t].used);
    hd_vec_free(&s->memories[t].left);
  }
  hd_free(s->memories);
  hd_eq_delete(s->eq);
  hd_free(s);
}

hd_eq *hd_strong_equation(hd_strong *strong) {
  return strong->eq;
}

uint64_t hd_strong_dead(const hd_strong *strong) {
  return strong->dead;
}

/* --- memory --- */

static void remember(hd_strong *s, hd_trans_id t) {
  memory *m = &s->memories[t];
  m->known = true;
  m->traps = s->cert->traps.size;
  m->shared = hd_eq_shared(s->eq);
  hd_vec_clear(&m->used);
  hd_vec_clear(&m->left);
  size_t n;
  const hd_trans_id *leaders = hd_eq_leaders(s->eq, &n);
  for (size_t i = 0; i < n; i++)
    if (hd_eq_fired(s->eq, leaders[i]) > TINY)
      hd_vec_push(&m->used, leaders[i]);
  for (hd_place_id p = 0; p < s->net->n_places; p++) {
    double count = hd_eq_marking(s->eq, p);
    if (count > TINY)
      hd_vec_push(&m->left, ((amount){.place = p, .count = count}));
  }
}

static bool satisfies(const memory *m, const hd_trap *trap) {
  double sum =
      m->shared != HD_ANY_SHARED && hd_bits_test(trap->shared, m->shared) ? 1
                                                                          : 0;
  for (hd_vec_each(const amount, a, &m->left))
    if (hd_bits_test(trap->places, a->place))
      sum += a->count;
  return sum > 1 - TINY;
}

/* Does the remembered solution still stand? */
static bool stands(hd_strong *s, hd_trans_id t) {
  memory *m = &s->memories[t];
  if (!m->known)
    return false;
  for (hd_vec_each(const uint32_t, u, &m->used))
    if (!hd_eq_open(s->eq, *u))
      return false;
  for (; m->traps < s->cert->traps.size; m->traps++)
    if (!satisfies(m, &s->cert->traps.data[m->traps]))
      return false;
  return true;
}

/* --- refinement --- */

static hd_eq_status solve(hd_strong *s, hd_shared_id shared, hd_tokens need,
                          hd_run *run) {
  uint64_t before = hd_eq_get_stats(s->eq)->iterations;
  hd_eq_status status = hd_eq_exclude(s->eq, shared, need, run);
  s->spent += s->price * (10 + hd_eq_get_stats(s->eq)->iterations - before);
  return status;
}

/* Tries to show that `t` never fires. */
static bool show_dead(hd_strong *s, hd_trans_id t, hd_run *run) {
  hd_shared_id from = s->net->trans.data[t].from;
  hd_tokens pre = hd_net_pre(s->net, t);
  bool dead = hd_eq_known(s->cert, s->tset, from, pre);
  for (int round = 0; !dead && round <= TRAP_ROUNDS; round++) {
    hd_eq_status status = solve(s, from, pre, run);
    dead = status == HD_EQ_EXCLUDED;
    if (status != HD_EQ_POSSIBLE)
      break;
    remember(s, t);
    if (!hd_traps_refute(s->eq, run))
      break;
  }
  if (dead) {
    hd_eq_kill(s->eq, t);
    s->dead++;
  }
  return dead;
}

static void list_used(hd_strong *s, hd_u32s *used) {
  hd_vec_clear(used);
  for (hd_trans_id t = 0; t < s->net->trans.size; t++)
    if (hd_eq_alive(s->eq, t) && hd_eq_fired(s->eq, t) > TINY)
      hd_vec_push(used, t);
}

/* How many of `used` are dead; stops when the effort is spent, and when (shared |
 * need) is excluded on the way: what is shown after that must not be used to say
 * which transitions the other targets need (check/judge.h looks at that point,
 * not later). */
static size_t kill_used(hd_strong *s, const hd_u32s *used, hd_shared_id shared,
                        hd_tokens need, uint64_t end, hd_run *run) {
  size_t killed = 0;
  for (size_t i = 0; i < used->size; i++) {
    if (s->spent >= end || !hd_run_check(run))
      break;
    if (stands(s, used->data[i]) || !show_dead(s, used->data[i], run))
      continue;
    killed++;
    if (hd_eq_known(s->cert, s->tset, shared, need))
      break;
  }
  return killed;
}

hd_eq_status hd_strong_exclude(hd_strong *s, hd_shared_id shared,
                               hd_tokens need, uint64_t effort, hd_run *run,
                               bool *settled) {
  uint64_t end = s->spent + effort;
  hd_u32s used = {0};
  bool done = false;
  hd_eq_status status = solve(s, shared, need, run);
  while (status == HD_EQ_POSSIBLE && !done && s->spent < end &&
         hd_run_check(run)) {
    if (!hd_traps_refute(s->eq, run)) {
      list_used(s, &used);
      done = !kill_used(s, &used, shared, need, end, run) && s->spent < end;
    }
    status = hd_eq_known(s->cert, s->tset, shared, need)
                 ? HD_EQ_EXCLUDED
                 : solve(s, shared, need, run);
  }
  hd_vec_free(&used);
  if (settled)
    *settled = done;
  return status;
}
