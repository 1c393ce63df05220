/* SPDX-License-Identifier: MIT */
/* The thread-modular forward set T.
 *
 * One bitset row a reached shared state. A transition waits on one place of its
 * pre-vector that is not in T[from] yet (like a watched literal); when that
 * place arrives it looks for another one to wait on, and fires when there is
 * none. Firing makes T[to] contain what it leads to and from then on passes on
 * every later addition to T[from]. Each place enters a row once, so the waiting
 * costs the sum of the pre-vectors; passing on costs one row union for each
 * distinct pair (from, to) and each time T[from] grew since the last pass. */
#include "engine/reduce/reduce.h"

#include "base/hash.h"

#include <string.h>

#define NONE UINT32_MAX

#define HD_MAP pair_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct {
  const hd_net *net;
  hd_cert *cert;
  size_t words;
  uint64_t *enabled;   /* transitions */
  pair_map waiting;    /* (shared, place) -> first waiting transition */
  uint32_t *next_wait; /* transition -> next in its list */
  pair_map passes;     /* distinct (from, to) that pass rows on */
  hd_u32s *successors; /* from -> to, for transitions without moves */
  hd_u32s *movers;     /* from -> enabled transitions with moves */
  hd_u32s dirty;       /* queue of shared states whose row grew */
  uint64_t *is_dirty;
  hd_u32s woken; /* transitions to look at again */
  uint64_t *scratch;
} forward;

static uint64_t pair(uint32_t a, uint32_t b) {
  return (uint64_t)a << 32 | b;
}

static void mark_dirty(forward *f, hd_shared_id s) {
  if (hd_bits_test(f->is_dirty, s))
    return;
  hd_bits_set(f->is_dirty, s);
  hd_vec_push(&f->dirty, s);
}

/* A place arrived in T[s]: wake those who wait for it. */
static void wake(forward *f, hd_shared_id s, hd_place_id p) {
  uint32_t *head = pair_map_find(&f->waiting, pair(s, p));
  if (!head)
    return;
  for (uint32_t t = *head; t != NONE; t = f->next_wait[t])
    hd_vec_push(&f->woken, t);
  *head = NONE;
}

static void add_place(forward *f, hd_shared_id s, hd_place_id p) {
  uint64_t *row = hd_cert_row(f->cert, s);
  if (hd_bits_test(row, p))
    return;
  hd_bits_set(row, p);
  mark_dirty(f, s);
  wake(f, s, p);
}

/* T[s] |= row, waking for each fresh place. */
static void add_row(forward *f, hd_shared_id s, const uint64_t *row) {
  uint64_t *into = hd_cert_row(f->cert, s);
  for (size_t w = 0; w < f->words; w++) {
    uint64_t fresh = row[w] & ~into[w];
    if (!fresh)
      continue;
    into[w] |= fresh;
    mark_dirty(f, s);
    for (; fresh; fresh &= fresh - 1)
      wake(f, s, (hd_place_id)(w * 64 + (size_t)__builtin_ctzll(fresh)));
  }
}

/* Waits on a missing place of the pre-vector, or returns true: enabled. */
static bool look(forward *f, hd_trans_id t) {
  hd_shared_id s = f->net->trans.data[t].from;
  const uint64_t *row = f->cert->rows[s];
  hd_tokens pre = hd_net_pre(f->net, t);
  for (size_t i = 0; i < pre.size; i++) {
    if (row && hd_bits_test(row, pre.data[i].place))
      continue;
    uint32_t *head =
        pair_map_put(&f->waiting, pair(s, pre.data[i].place), NONE, NULL);
    f->next_wait[t] = *head;
    *head = t;
    return false;
  }
  return row != NULL;
}

/* What is left of T[from] after the moves of `t`, in f->scratch. */
static void move_row(forward *f, hd_trans_id t) {
  const hd_trans *tr = &f->net->trans.data[t];
  const hd_move *moves = hd_net_moves(f->net, t);
  const uint64_t *row = f->cert->rows[tr->from];
  memcpy(f->scratch, row, f->words * sizeof *row);
  for (uint32_t i = 0; i < tr->moves.size; i++)
    hd_bits_clear(f->scratch, moves[i].from);
  for (uint32_t i = 0; i < tr->moves.size; i++)
    if (moves[i].to != HD_NOWHERE && hd_bits_test(row, moves[i].from))
      hd_bits_set(f->scratch, moves[i].to);
}

static void pass_on(forward *f, hd_trans_id t) {
  const hd_trans *tr = &f->net->trans.data[t];
  if (tr->moves.size) {
    move_row(f, t);
    add_row(f, tr->to, f->scratch);
  } else if (tr->to != tr->from) {
    add_row(f, tr->to, f->cert->rows[tr->from]);
  }
}

/* Wakes the transitions that start in a shared state just reached and need no
 * place, or whose places were there before: all of them are looked at. */
static void reach(forward *f, hd_shared_id s) {
  if (f->cert->rows[s])
    return;
  hd_cert_row(f->cert, s);
  mark_dirty(f, s);
  for (uint32_t i = f->net->from_start[s]; i < f->net->from_start[s + 1]; i++)
    hd_vec_push(&f->woken, f->net->from_ids[i]);
}

static void enable(forward *f, hd_trans_id t) {
  const hd_trans *tr = &f->net->trans.data[t];
  hd_bits_set(f->enabled, t);
  reach(f, tr->to);
  hd_tokens post = hd_net_post(f->net, t);
  for (size_t i = 0; i < post.size; i++)
    add_place(f, tr->to, post.data[i].place);
  if (tr->moves.size) {
    hd_vec_push(&f->movers[tr->from], t);
  } else if (tr->to != tr->from) {
    bool fresh;
    pair_map_put(&f->passes, pair(tr->from, tr->to), 0, &fresh);
    if (!fresh)
      return;
    hd_vec_push(&f->successors[tr->from], tr->to);
  }
  pass_on(f, t);
}

static void look_at_woken(forward *f) {
  while (f->woken.size) {
    hd_trans_id t = hd_vec_pop(&f->woken);
    if (!hd_bits_test(f->enabled, t) && look(f, t))
      enable(f, t);
  }
}

static void spread(forward *f, hd_shared_id s) {
  for (size_t i = 0; i < f->successors[s].size; i++)
    add_row(f, f->successors[s].data[i], f->cert->rows[s]);
  for (size_t i = 0; i < f->movers[s].size; i++)
    pass_on(f, f->movers[s].data[i]);
}

static void start(forward *f) {
  const hd_net *net = f->net;
  reach(f, net->init_shared);
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (net->init[p].max)
      add_place(f, net->init_shared, p);
}

static void finish(forward *f) {
  for (uint32_t s = 0; s < f->net->n_shared; s++) {
    hd_vec_free(&f->successors[s]);
    hd_vec_free(&f->movers[s]);
  }
  hd_free(f->successors);
  hd_free(f->movers);
  hd_free(f->next_wait);
  hd_free(f->is_dirty);
  hd_free(f->scratch);
  hd_vec_free(&f->dirty);
  hd_vec_free(&f->woken);
  pair_map_free(&f->waiting);
  pair_map_free(&f->passes);
}

hd_cert *hd_reduce_tset(const hd_net *net, uint64_t *enabled) {
  size_t trans_words = hd_bits_words(net->trans.size);
  uint64_t *own = enabled ? NULL : hd_calloc(trans_words, sizeof *own);
  forward f = {
      .net = net,
      .cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places),
      .words = hd_bits_words(net->n_places),
      .enabled = enabled ? enabled : own,
      .next_wait = hd_calloc(net->trans.size, sizeof(uint32_t)),
      .successors = hd_calloc(net->n_shared, sizeof(hd_u32s)),
      .movers = hd_calloc(net->n_shared, sizeof(hd_u32s)),
      .is_dirty = hd_calloc(hd_bits_words(net->n_shared), sizeof(uint64_t)),
      .scratch = hd_calloc(hd_bits_words(net->n_places), sizeof(uint64_t)),
  };
  memset(f.enabled, 0, trans_words * sizeof *f.enabled);
  hd_cert_add_rows(f.cert);
  start(&f);
  look_at_woken(&f);
  for (size_t head = 0; head < f.dirty.size; head++) {
    hd_shared_id s = f.dirty.data[head];
    hd_bits_clear(f.is_dirty, s);
    spread(&f, s);
    look_at_woken(&f);
  }
  finish(&f);
  hd_free(own);
  return f.cert;
}

static bool row_has(const uint64_t *row, hd_tokens need) {
  for (size_t i = 0; i < need.size; i++)
    if (!hd_bits_test(row, need.data[i].place))
      return false;
  return true;
}

bool hd_reduce_excludes(const hd_cert *tset, const hd_target *target,
                        hd_tokens need) {
  if (target->shared != HD_ANY_SHARED)
    return !tset->rows[target->shared] ||
           !row_has(tset->rows[target->shared], need);
  for (uint32_t s = 0; s < tset->n_shared; s++)
    if (tset->rows[s] && row_has(tset->rows[s], need))
      return false;
  return true;
}
