/* SPDX-License-Identifier: MIT */
/* Finding traps that a solution of the state equation empties.
 *
 * Among the places that the solution leaves without tokens (and the shared
 * states it does not end in) there is a greatest trap: starting from all of
 * them, throw out what some transition takes without giving back, until
 * nothing changes. If that trap has no initial token, no trap refutes the
 * solution in this way. Otherwise it is shrunk: each member in turn is thrown
 * out on trial, and stays out when what remains is still a marked trap; small
 * traps are strong constraints. Rational solutions also leave fractions of a
 * token behind: those places are allowed too as long as the trap's total stays
 * below one.
 *
 * Cost: one throwing-out is linear in the net, since each transition keeps the
 * number of members it gives to. Shrinking is quadratic and has a budget. */
#include "engine/tse/traps.h"

#include <string.h>

#define EMPTY 1e-6

typedef struct {
  hd_eq *eq;
  const hd_net *net;
  uint32_t n;      /* places, then shared states */
  hd_u32s *givers; /* node -> live transitions that give to it */
  uint32_t *gives; /* transition -> members it gives to */
  bool *in;        /* node is a member */
  double *content; /* tokens the solution leaves at a node */
  hd_u32s queue;   /* nodes thrown out, to be processed */
  hd_u32s trail;   /* everything thrown out, for undoing */
  uint64_t work;
} finder;

static void list_transition(finder *f, hd_trans_id t) {
  hd_tokens post = hd_net_post(f->net, t);
  for (size_t i = 0; i < post.size; i++)
    hd_vec_push(&f->givers[post.data[i].place], t);
  hd_vec_push(&f->givers[f->net->n_places + f->net->trans.data[t].to], t);
}

static double content(const finder *f, uint32_t node) {
  if (node >= f->net->n_places)
    return hd_eq_shared(f->eq) == node - f->net->n_places ? 1 : 0;
  if (f->net->init[node].max == HD_OMEGA)
    return 2; /* a trap with such a place constrains nothing */
  return hd_eq_marking(f->eq, node);
}

static void init(finder *f, hd_eq *eq, const hd_net *net) {
  *f = (finder){.eq = eq, .net = net, .n = net->n_places + net->n_shared};
  f->givers = hd_calloc(f->n, sizeof *f->givers);
  f->gives = hd_calloc(net->trans.size, sizeof *f->gives);
  f->in = hd_calloc(f->n, sizeof *f->in);
  f->content = hd_calloc(f->n, sizeof *f->content);
  for (uint32_t v = 0; v < f->n; v++)
    f->content[v] = content(f, v);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (hd_eq_alive(eq, t))
      list_transition(f, t);
}

static void release(finder *f) {
  for (uint32_t v = 0; v < f->n; v++)
    hd_vec_free(&f->givers[v]);
  hd_free(f->givers);
  hd_free(f->gives);
  hd_free(f->in);
  hd_free(f->content);
  hd_vec_free(&f->queue);
  hd_vec_free(&f->trail);
}

static void throw_out(finder *f, uint32_t node) {
  assert(f->in[node]);
  f->in[node] = false;
  hd_vec_push(&f->queue, node);
  hd_vec_push(&f->trail, node);
}

/* `t` takes from the set: what it takes must go, unless it gives back. Moves
 * are stricter: moved tokens must stay inside, or a token be given. */
static void judge(finder *f, hd_trans_id t) {
  const hd_net *net = f->net;
  const hd_trans *trans = &net->trans.data[t];
  if (f->gives[t])
    return;
  hd_tokens pre = hd_net_pre(net, t);
  const hd_move *moves = hd_net_moves(net, t);
  for (size_t i = 0; i < pre.size; i++)
    if (f->in[pre.data[i].place])
      throw_out(f, pre.data[i].place);
  if (f->in[net->n_places + trans->from])
    throw_out(f, net->n_places + trans->from);
  for (uint32_t i = 0; i < trans->moves.size; i++)
    if (f->in[moves[i].from] &&
        (moves[i].to == HD_NOWHERE || !f->in[moves[i].to]))
      throw_out(f, moves[i].from);
}

/* A node outside also makes moves into it leave the set. */
static void judge_movers(finder *f) {
  if (!(f->net->features & HD_HAS_MOVES))
    return;
  for (hd_trans_id t = 0; t < f->net->trans.size; t++)
    if (hd_eq_alive(f->eq, t) && f->net->trans.data[t].moves.size)
      judge(f, t);
}

/* Throws out until what is left is a trap. */
static void settle(finder *f) {
  while (f->queue.size) {
    uint32_t node = hd_vec_pop(&f->queue);
    f->work += f->givers[node].size + 1;
    for (hd_vec_each(uint32_t, t, &f->givers[node]))
      if (--f->gives[*t] == 0)
        judge(f, *t);
    if (!f->queue.size)
      judge_movers(f);
  }
}

/* Takes back everything thrown out since `mark`. */
static void undo(finder *f, size_t mark) {
  assert(!f->queue.size);
  while (f->trail.size > mark) {
    uint32_t node = hd_vec_pop(&f->trail);
    f->in[node] = true;
    f->work += f->givers[node].size + 1;
    for (hd_vec_each(uint32_t, t, &f->givers[node]))
      f->gives[*t]++;
  }
}

/* Does the set hold a token in every initial configuration? */
static bool marked(const finder *f) {
  if (f->in[f->net->n_places + f->net->init_shared])
    return true;
  for (hd_place_id p = 0; p < f->net->n_places; p++)
    if (f->in[p] && f->net->init[p].min)
      return true;
  return false;
}

/* The greatest trap among the nodes with at most `limit` tokens. */
static bool greatest(finder *f, double limit) {
  memset(f->gives, 0, f->net->trans.size * sizeof *f->gives);
  hd_vec_clear(&f->trail);
  for (uint32_t v = 0; v < f->n; v++) {
    f->in[v] = f->content[v] <= limit;
    if (f->in[v])
      for (hd_vec_each(uint32_t, t, &f->givers[v]))
        f->gives[*t]++;
  }
  for (hd_trans_id t = 0; t < f->net->trans.size; t++)
    if (hd_eq_alive(f->eq, t))
      judge(f, t);
  settle(f);
  return marked(f);
}

static double total(const finder *f) {
  double sum = 0;
  for (uint32_t v = 0; v < f->n; v++)
    if (f->in[v])
      sum += f->content[v];
  return sum;
}

/* Throws out members on trial, beginning at node `from`. */
static void shrink(finder *f, uint32_t from, uint64_t budget) {
  uint64_t end = f->work + budget;
  for (uint32_t i = 0; i < f->n && f->work < end; i++) {
    uint32_t node = (from + i) % f->n;
    if (!f->in[node])
      continue;
    size_t mark = f->trail.size;
    throw_out(f, node);
    settle(f);
    if (!marked(f))
      undo(f, mark);
  }
}

static void record(finder *f, hd_eq *eq, hd_cert *cert) {
  hd_trap *trap = hd_cert_add_trap(cert);
  for (uint32_t v = 0; v < f->n; v++)
    if (f->in[v] && v < f->net->n_places)
      hd_bits_set(trap->places, v);
    else if (f->in[v])
      hd_bits_set(trap->shared, v - f->net->n_places);
  hd_eq_add_trap(eq, (uint32_t)cert->traps.size - 1);
}

static bool already(const finder *f, const hd_cert *cert) {
  for (hd_vec_each(const hd_trap, trap, &cert->traps)) {
    bool same = true;
    for (uint32_t v = 0; v < f->n && same; v++)
      same =
          f->in[v] == (v < f->net->n_places
                           ? hd_bits_test(trap->places, v)
                           : hd_bits_test(trap->shared, v - f->net->n_places));
    if (same)
      return true;
  }
  return false;
}

/* Several traps at once save programs: shrinking in different orders gives
 * different small traps of the same greatest one. */
uint32_t hd_traps_refute(hd_eq *eq, hd_run *run) {
  static const double limits[] = {EMPTY, 0.26, 0.51, 0.99};
  finder f;
  hd_cert *cert = hd_eq_cert(eq);
  init(&f, eq, hd_eq_net(eq));
  uint32_t found = 0;
  for (size_t k = 0; k < sizeof limits / sizeof *limits && !found; k++)
    for (uint32_t turn = 0; turn < 4 && hd_run_check(run); turn++) {
      if (!greatest(&f, limits[k]))
        break;
      shrink(&f, turn * (f.n / 4), 1u << 22);
      if (total(&f) > 1 - EMPTY || already(&f, cert))
        continue;
      record(&f, eq, cert);
      found++;
    }
  release(&f);
  return found;
}
