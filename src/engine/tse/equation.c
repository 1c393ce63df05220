/* SPDX-License-Identifier: MIT */
/* The state equation: building it, solving it, strengthening it. proof.c turns
 * "no solution" into an inequality in integers, solution.c reads a solution.
 *
 * Columns are shared by transitions with the same effect, and transitions
 * without effect have none; rows of places that only gain tokens are left out
 * until a target asks for them. Both make the programs of large nets several
 * times smaller. The objective is the number of firings, so that a solution is
 * a shortest candidate for a run, and so that the dual simplex can start from
 * any basis it had before: a sequence of targets is solved by a few iterations
 * each. */
#include "engine/tse/equation_impl.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define NONE HD_EQ_NONE

__extension__ typedef __int128 wide;

const hd_net *hd_eq_net(const hd_eq *eq) {
  return eq->net;
}

hd_cert *hd_eq_cert(const hd_eq *eq) {
  return eq->cert;
}

const hd_eq_stats *hd_eq_get_stats(const hd_eq *eq) {
  return &eq->stats;
}

bool hd_eq_alive(const hd_eq *eq, hd_trans_id t) {
  return hd_bits_test(eq->alive, t);
}

const hd_trans_id *hd_eq_leaders(const hd_eq *eq, size_t *n) {
  *n = eq->leader.size;
  return eq->leader.data;
}

bool hd_eq_open(const hd_eq *eq, hd_trans_id t) {
  return eq->col[t] == NONE ? hd_eq_alive(eq, t) : eq->users[eq->col[t]] > 0;
}

/* --- what is known --- */

static bool tset_excludes(const hd_cert *tset, hd_shared_id shared,
                          hd_tokens need) {
  if (!tset || !tset->rows)
    return false;
  const uint64_t *row = tset->rows[shared];
  if (!row)
    return true;
  for (size_t i = 0; i < need.size; i++)
    if (!hd_bits_test(row, need.data[i].place))
      return true;
  return false;
}

bool hd_eq_violates(const hd_linear *linear, hd_shared_id shared,
                    hd_tokens need) {
  wide sum = linear->potential ? linear->potential[shared] : 0;
  for (size_t i = 0; i < need.size; i++)
    sum += (wide)linear->weight[need.data[i].place] * need.data[i].count;
  return sum > linear->bound;
}

static bool known_at(const hd_cert *cert, const hd_cert *tset,
                     hd_shared_id shared, hd_tokens need) {
  if (tset_excludes(tset, shared, need) || tset_excludes(cert, shared, need))
    return true;
  for (size_t i = cert->linear.size; i-- > 0;)
    if (hd_eq_violates(&cert->linear.data[i], shared, need))
      return true;
  return false;
}

bool hd_eq_known(const hd_cert *cert, const hd_cert *tset, hd_shared_id shared,
                 hd_tokens need) {
  if (shared != HD_ANY_SHARED)
    return known_at(cert, tset, shared, need);
  for (hd_shared_id s = 0; s < cert->n_shared; s++)
    if (!known_at(cert, tset, s, need))
      return false;
  return true;
}

/* --- effects --- */

/* The effect of a transition on nodes: places 0 … n_places-1, then shared
 * states. Initially unbounded places are left out. */
typedef hd_vec(hd_lp_term) effect;

static bool is_bounded(const hd_eq *eq, hd_place_id p) {
  return eq->net->init[p].max != HD_OMEGA;
}

static int by_node(const void *a, const void *b) {
  uint32_t x = ((const hd_lp_term *)a)->index;
  uint32_t y = ((const hd_lp_term *)b)->index;
  return (x > y) - (x < y);
}

static void push_tokens(const hd_eq *eq, effect *out, hd_tokens v,
                        double sign) {
  for (size_t i = 0; i < v.size; i++)
    if (is_bounded(eq, v.data[i].place))
      hd_vec_push(out, ((hd_lp_term){.index = v.data[i].place,
                                     .value = sign * v.data[i].count}));
}

/* Sorted by node, without zeroes. */
static void effect_of(const hd_eq *eq, hd_trans_id t, effect *out) {
  const hd_trans *trans = &eq->net->trans.data[t];
  hd_vec_clear(out);
  push_tokens(eq, out, hd_net_pre(eq->net, t), -1);
  push_tokens(eq, out, hd_net_post(eq->net, t), 1);
  if (trans->from != trans->to) {
    uint32_t base = eq->net->n_places;
    hd_vec_push(out, ((hd_lp_term){.index = base + trans->from, .value = -1}));
    hd_vec_push(out, ((hd_lp_term){.index = base + trans->to, .value = 1}));
  }
  if (out->size)
    qsort(out->data, out->size, sizeof *out->data, by_node);
  size_t kept = 0;
  for (size_t i = 0; i < out->size; i++) {
    if (kept && out->data[kept - 1].index == out->data[i].index)
      out->data[kept - 1].value += out->data[i].value;
    else
      out->data[kept++] = out->data[i];
    if (out->data[kept - 1].value == 0)
      kept--;
  }
  out->size = kept;
}

typedef struct {
  const hd_lp_term *terms;
  size_t n;
} effect_key;

static uint64_t effect_hash(effect_key e) {
  uint64_t h = e.n;
  for (size_t i = 0; i < e.n; i++)
    h = hd_hash_mix(h, (uint64_t)e.terms[i].index << 32 ^
                           (uint32_t)(int32_t)e.terms[i].value);
  return h;
}

static bool effect_equal(effect_key a, effect_key b) {
  if (a.n != b.n)
    return false;
  for (size_t i = 0; i < a.n; i++)
    if (a.terms[i].index != b.terms[i].index ||
        a.terms[i].value != b.terms[i].value)
      return false;
  return true;
}

#define HD_MAP effect_map
#define HD_KEY effect_key
#define HD_VAL uint32_t
#define HD_HASH(k) effect_hash(k)
#define HD_EQ(a, b) effect_equal(a, b)
#include "base/map_templ.h"

/* --- building --- */

static void mark_losers(const hd_eq *eq, hd_trans_id t, bool *loses) {
  hd_tokens pre = hd_net_pre(eq->net, t), post = hd_net_post(eq->net, t);
  const hd_move *moves = hd_net_moves(eq->net, t);
  for (size_t i = 0; i < pre.size; i++)
    if (pre.data[i].count > hd_tokens_at(post, pre.data[i].place))
      loses[pre.data[i].place] = true;
  for (uint32_t i = 0; i < eq->net->trans.data[t].moves.size; i++)
    loses[moves[i].from] = true;
}

static void add_rows(hd_eq *eq) {
  const hd_net *net = eq->net;
  bool *loses = hd_calloc(net->n_places, sizeof *loses);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (hd_eq_alive(eq, t))
      mark_losers(eq, t, loses);
  for (hd_place_id p = 0; p < net->n_places; p++)
    eq->place_row[p] =
        is_bounded(eq, p) && loses[p]
            ? hd_lp_add_row(eq->lp, -(double)net->init[p].max, INFINITY)
            : NONE;
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    eq->shared_row[s] = net->n_shared == 1 ? NONE : hd_lp_add_row(eq->lp, 0, 0);
  hd_free(loses);
}

/* Moves out of a place that T keeps empty never move anything. */
static void add_moves(hd_eq *eq, hd_trans_id t) {
  const hd_trans *trans = &eq->net->trans.data[t];
  const hd_move *moves = hd_net_moves(eq->net, t);
  const uint64_t *row =
      eq->tset && eq->tset->rows ? eq->tset->rows[trans->from] : NULL;
  for (uint32_t i = 0; i < trans->moves.size; i++) {
    bool fresh = moves[i].from != moves[i].to &&
                 (!row || hd_bits_test(row, moves[i].from));
    for (hd_vec_each(const hd_move, m, &eq->moves))
      if (m->from == moves[i].from && m->to == moves[i].to)
        fresh = false;
    if (fresh)
      hd_vec_push(&eq->moves, moves[i]);
  }
}

static void add_move_columns(hd_eq *eq) {
  for (hd_vec_each(const hd_move, m, &eq->moves)) {
    hd_lp_term terms[2];
    size_t n = 0;
    uint32_t from = eq->place_row[m->from];
    uint32_t to = m->to == HD_NOWHERE ? NONE : eq->place_row[m->to];
    if (from != NONE)
      terms[n++] = (hd_lp_term){.index = from, .value = -1};
    if (to != NONE)
      terms[n++] = (hd_lp_term){.index = to, .value = 1};
    hd_lp_add_col(eq->lp, 0, INFINITY, 1, terms, n);
  }
}

/* A column with the effect on the rows there are. */
static uint32_t add_column(hd_eq *eq, const effect *e, effect *scratch) {
  hd_vec_clear(scratch);
  for (hd_vec_each(const hd_lp_term, term, e)) {
    uint32_t row = term->index < eq->net->n_places
                       ? eq->place_row[term->index]
                       : eq->shared_row[term->index - eq->net->n_places];
    if (row != NONE)
      hd_vec_push(scratch, ((hd_lp_term){.index = row, .value = term->value}));
  }
  return hd_lp_add_col(eq->lp, 0, INFINITY, 1, scratch->data, scratch->size);
}

static void add_columns(hd_eq *eq) {
  effect_map seen = {0};
  hd_arena arena;
  hd_arena_init(&arena);
  effect e = {0}, scratch = {0};
  for (hd_trans_id t = 0; t < eq->net->trans.size; t++) {
    eq->col[t] = NONE;
    if (!hd_eq_alive(eq, t))
      continue;
    add_moves(eq, t);
    effect_of(eq, t, &e);
    if (!e.size)
      continue;
    effect_key key = {.terms = e.data, .n = e.size};
    uint32_t *found = effect_map_find(&seen, key);
    if (!found) {
      hd_lp_term *copy = hd_arena_alloc(&arena, e.size * sizeof *copy);
      memcpy(copy, e.data, e.size * sizeof *copy);
      key.terms = copy;
      found = effect_map_put(&seen, key, add_column(eq, &e, &scratch), NULL);
      hd_vec_push(&eq->leader, t);
    }
    eq->col[t] = *found;
    eq->users[*found]++;
  }
  eq->n_cols = hd_lp_cols(eq->lp);
  assert(eq->n_cols == eq->leader.size);
  add_move_columns(eq);
  hd_vec_free(&e);
  hd_vec_free(&scratch);
  effect_map_free(&seen);
  hd_arena_free(&arena);
}

/* A first basis: the transitions of a breadth-first tree over the shared states.
 * They are independent, one for each shared state but the initial one, and
 * with the distances as potentials no reduced cost is negative: each firing
 * costs one, and no transition leads further away than one. So the dual simplex
 * starts with a way to every shared state, where it would otherwise spend most
 * of its iterations. */
static void start_with_tree(hd_eq *eq) {
  const hd_net *net = eq->net;
  bool *seen = hd_calloc(net->n_shared, sizeof *seen);
  hd_u32s queue = {0};
  seen[net->init_shared] = true;
  hd_vec_push(&queue, net->init_shared);
  for (size_t head = 0; head < queue.size; head++) {
    hd_shared_id s = queue.data[head];
    for (uint32_t i = net->from_start[s]; i < net->from_start[s + 1]; i++) {
      hd_trans_id t = net->from_ids[i];
      hd_shared_id to = net->trans.data[t].to;
      if (seen[to] || eq->col[t] == NONE)
        continue;
      seen[to] = true;
      hd_lp_start_with(eq->lp, eq->col[t], eq->shared_row[to]);
      hd_vec_push(&queue, to);
    }
  }
  hd_free(seen);
  hd_vec_free(&queue);
}

hd_eq *hd_eq_new(const hd_net *net, const hd_cert *tset, hd_cert *cert) {
  assert(cert->n_places == net->n_places && cert->n_shared == net->n_shared);
  assert(!tset ||
         (tset->n_places == net->n_places && tset->n_shared == net->n_shared));
  hd_eq *eq = hd_calloc(1, sizeof *eq);
  eq->net = net;
  eq->tset = tset;
  eq->cert = cert;
  eq->lp = hd_lp_new();
  eq->place_row = hd_calloc(net->n_places, sizeof *eq->place_row);
  eq->shared_row = hd_calloc(net->n_shared, sizeof *eq->shared_row);
  eq->marking = hd_calloc(net->n_places, sizeof *eq->marking);
  eq->col = hd_calloc(net->trans.size, sizeof *eq->col);
  eq->users = hd_calloc(net->trans.size, sizeof *eq->users);
  eq->alive = hd_calloc(hd_bits_words(net->trans.size), sizeof *eq->alive);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (!tset_excludes(tset, net->trans.data[t].from, hd_net_pre(net, t)))
      hd_bits_set(eq->alive, t);
  add_rows(eq);
  add_columns(eq);
  if (!hd_lp_cols(eq->lp)) /* the solver wants one; it stays at zero */
    hd_lp_add_col(eq->lp, 0, 0, 0, NULL, 0);
  if (net->n_shared > 1)
    start_with_tree(eq);
  return eq;
}

void hd_eq_delete(hd_eq *eq) {
  if (!eq)
    return;
  hd_lp_delete(eq->lp);
  hd_free(eq->place_row);
  hd_free(eq->shared_row);
  hd_free(eq->marking);
  hd_free(eq->col);
  hd_free(eq->users);
  hd_free(eq->alive);
  hd_vec_free(&eq->leader);
  hd_vec_free(&eq->moves);
  hd_vec_free(&eq->trap_row);
  hd_vec_free(&eq->asked);
  hd_free(eq->y);
  hd_free(eq->z);
  hd_free(eq);
}

/* --- rows that come later --- */

/* A set of nodes, one token at least: a trap, or a single place. */
typedef struct {
  const uint64_t *places, *shared; /* bits, or NULL and `place` */
  hd_place_id place;
} node_set;

static double has_place(node_set set, hd_place_id p) {
  return set.places ? (double)hd_bits_test(set.places, p)
                    : (double)(set.place == p);
}

static double has_shared(node_set set, hd_shared_id s) {
  return set.shared && hd_bits_test(set.shared, s) ? 1 : 0;
}

/* How much `t` changes the number of tokens in the set, the shared state
 * counted as a token. */
static double set_effect(const hd_eq *eq, node_set set, hd_trans_id t) {
  const hd_trans *trans = &eq->net->trans.data[t];
  hd_tokens pre = hd_net_pre(eq->net, t), post = hd_net_post(eq->net, t);
  double sum = has_shared(set, trans->to) - has_shared(set, trans->from);
  for (size_t i = 0; i < pre.size; i++)
    sum -= has_place(set, pre.data[i].place) * pre.data[i].count;
  for (size_t i = 0; i < post.size; i++)
    sum += has_place(set, post.data[i].place) * post.data[i].count;
  return sum;
}

/* A row for the tokens in the set, at least `lower` more than initially. */
static uint32_t add_set_row(hd_eq *eq, node_set set, double lower) {
  effect terms = {0};
  for (uint32_t c = 0; c < eq->n_cols; c++) {
    double value = set_effect(eq, set, eq->leader.data[c]);
    if (value != 0)
      hd_vec_push(&terms, ((hd_lp_term){.index = c, .value = value}));
  }
  for (uint32_t i = 0; i < eq->moves.size; i++) {
    hd_move m = eq->moves.data[i];
    double value = (m.to == HD_NOWHERE ? 0 : has_place(set, m.to)) -
                   has_place(set, m.from);
    if (value != 0)
      hd_vec_push(&terms,
                  ((hd_lp_term){.index = eq->n_cols + i, .value = value}));
  }
  uint32_t row = hd_lp_add_cut(eq->lp, lower, INFINITY, terms.data, terms.size);
  hd_vec_free(&terms);
  return row;
}

void hd_eq_add_trap(hd_eq *eq, uint32_t trap) {
  const hd_trap *q = &eq->cert->traps.data[trap];
  double start = hd_bits_test(q->shared, eq->net->init_shared) ? 1 : 0;
  bool bounded = true;
  for (hd_place_id p = 0; p < eq->net->n_places; p++)
    if (hd_bits_test(q->places, p)) {
      start += eq->net->init[p].max;
      bounded = bounded && is_bounded(eq, p);
    }
  while (eq->trap_row.size <= trap)
    hd_vec_push(&eq->trap_row, NONE);
  if (!bounded)
    return; /* no constraint: the place may have held any number */
  node_set set = {.places = q->places, .shared = q->shared};
  eq->trap_row.data[trap] = add_set_row(eq, set, 1 - start);
  eq->stats.traps++;
}

void hd_eq_kill(hd_eq *eq, hd_trans_id t) {
  if (!hd_eq_alive(eq, t))
    return;
  hd_bits_clear(eq->alive, t);
  if (eq->col[t] != NONE && --eq->users[eq->col[t]] == 0) /* I3 */
    hd_lp_set_col(eq->lp, eq->col[t], 0, 0);
}

/* --- solving --- */

bool hd_eq_may_end(const hd_eq *eq, hd_shared_id s, hd_shared_id shared,
                   hd_tokens need) {
  return shared == HD_ANY_SHARED ? !known_at(eq->cert, eq->tset, s, need)
                                 : s == shared;
}

static void set_shared_rows(hd_eq *eq, hd_shared_id shared, hd_tokens need) {
  for (hd_shared_id s = 0; s < eq->net->n_shared; s++) {
    if (eq->shared_row[s] == NONE)
      continue;
    double balance =
        (s == shared ? 1 : 0) - (s == eq->net->init_shared ? 1 : 0);
    bool open = shared == HD_ANY_SHARED && hd_eq_may_end(eq, s, shared, need);
    hd_lp_set_row(eq->lp, eq->shared_row[s], balance,
                  open ? INFINITY : balance);
  }
}

static void set_target(hd_eq *eq, hd_shared_id shared, hd_tokens need) {
  for (hd_vec_each(const uint32_t, p, &eq->asked))
    hd_lp_set_row(eq->lp, eq->place_row[*p], -(double)eq->net->init[*p].max,
                  INFINITY);
  hd_vec_clear(&eq->asked);
  set_shared_rows(eq, shared, need);
  eq->target = shared;
  for (size_t i = 0; i < need.size; i++) {
    hd_place_id p = need.data[i].place;
    if (!is_bounded(eq, p))
      continue;
    double lower = (double)need.data[i].count - (double)eq->net->init[p].max;
    if (eq->place_row[p] == NONE)
      eq->place_row[p] = add_set_row(eq, (node_set){.place = p}, lower);
    else
      hd_lp_set_row(eq->lp, eq->place_row[p], lower, INFINITY);
    hd_vec_push(&eq->asked, p);
  }
}

static double seconds_left(const hd_run *run) {
  if (!run || run->deadline <= 0)
    return 0;
  double left = run->deadline - hd_now();
  return left > 0.001 ? left : 0.001;
}

/* What solving took, for hd_run_spend (): an iteration goes through rows and
 * columns, most of which are sparse, and so does the preparation. It is counted
 * before the next program: often there is none. */
static uint64_t work_of(const hd_eq *eq, uint64_t iterations) {
  uint64_t size = (uint64_t)hd_lp_rows(eq->lp) + hd_lp_cols(eq->lp);
  return (iterations + 5) * (10 + size / 50);
}

hd_eq_status hd_eq_exclude(hd_eq *eq, hd_shared_id shared, hd_tokens need,
                           hd_run *run) {
  if (run && !hd_run_spend(run, eq->work))
    return HD_EQ_UNKNOWN;
  set_target(eq, shared, need);
  uint64_t before = hd_lp_iterations(eq->lp);
  hd_lp_status status = hd_lp_solve(eq->lp, seconds_left(run));
  uint64_t iterations = hd_lp_iterations(eq->lp) - before;
  eq->stats.programs++;
  eq->stats.iterations += iterations;
  eq->work = work_of(eq, iterations);
  eq->marking_known = false;
  if (status == HD_LP_OPTIMAL)
    return HD_EQ_POSSIBLE;
  return status == HD_LP_INFEASIBLE ? hd_eq_prove(eq, shared, need)
                                    : HD_EQ_UNKNOWN;
}
