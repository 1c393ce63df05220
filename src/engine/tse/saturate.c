/* SPDX-License-Identifier: MIT */
/* Problem: a finite set D of configurations with finite counts and HD_OMEGA
 * whose downward closure contains the initial configurations, is closed under
 * all transitions and has no target in it; or a way to a target.
 *
 * Idea: the successors of the largest initial configuration, where two things
 * make a count HD_OMEGA. A configuration above one it came from (with the same
 * shared state) may be left out by going round that loop, so where it has more
 * there can be any number. And a count that passes `most` of its place is cut
 * off, whether there can be more or not. Both only enlarge what is reached, so
 * D is closed by construction, and the cut makes it finite. Only the maximal
 * ones are kept: what lies below another one has its successors below the
 * successors of that one. Below a configuration an upper guard holds with at most
 * so many tokens, so what fires there has that many (check/cover.c does the
 * same). A loop with moves or upper guards does not do the same every time and is
 * not repeated.
 *
 * Transitions that T excludes, or into shared states from which no target's
 * shared state can be reached, do not count; nor do places from which neither a
 * transition that counts nor a target takes: they hold any number. The judge of
 * covers (check/cover.c) knows both.
 *
 * When a target is in D, the way to it is walked backward (ways.c). If no cut
 * pretended more than there is, it is a witness. Otherwise `most` of the places
 * where one did is raised and everything begins anew, so that one counts only
 * where it matters.
 *
 * Verdict: a cover without target proves that no target is reached; a way is a
 * witness. All the work is bounded; when it is spent nothing is known. With
 * `most` without bounds this would be a plain Karp–Miller search; the cut is what
 * keeps it small, and the work what makes it incomplete. */
#include "engine/tse/relevant.h"
#include "engine/tse/saturate_impl.h"

#include <stdlib.h>
#include <string.h>

#define NONE HD_NO_ELEMENT

/* Elements to expand, the first first. */
typedef struct {
  hd_u32s list;
  size_t taken;
} waiting;

typedef struct {
  const hd_net *net;
  hd_count *most; /* of each place */
  uint64_t work;
  uint64_t *counts;  /* bits over transitions: they count */
  uint64_t *matters; /* bits over places */
  uint32_t *first;   /* element of a shared state */
  hd_elements all;
  /* Transitions of shared states with many, by a place they take from (in the
   * upper half of the number); sorted when they are first needed. */
  uint64_t *by_place;
  uint64_t *sorted;        /* bits over shared states */
  hd_count *dense;         /* counts of the element under expansion, else 0 */
  hd_token_vec next, rest; /* scratch */
  hd_u32s noted;           /* places: repeat_steps */
  hd_vec(hd_jump) jumps;   /* of `next` */
  waiting *open;           /* by number of HD_OMEGA */
  uint32_t most_open;      /* none above is open */
  uint32_t found; /* the element that covers a target, number `target` */
  uint32_t target;
  hd_u32s short_of; /* where a cut was wrong */
} search;

/* --- the set --- */

static hd_tokens tokens_of(const search *q, const hd_element *e) {
  return (hd_tokens){.data = e->tokens.size ? q->all.pool.data + e->tokens.start
                                            : NULL,
                     .size = e->tokens.size};
}

static void spend(search *q, uint64_t work) {
  q->work -= q->work < work ? q->work : work;
}

/* Signatures are those of q->next. */
static bool is_covered(search *q, hd_shared_id s, uint64_t signature) {
  hd_tokens v = hd_token_vec_view(&q->next);
  for (uint32_t i = q->first[s]; i != NONE; i = q->all.elements.data[i].next) {
    const hd_element *e = &q->all.elements.data[i];
    spend(q, 1);
    if (!(signature & ~e->signature) && hd_tokens_covers(tokens_of(q, e), v))
      return true;
  }
  return false;
}

/* Takes those out that (s | q->next) covers. */
static void take_out(search *q, hd_shared_id s, uint64_t signature) {
  hd_tokens v = hd_token_vec_view(&q->next);
  uint32_t *at = &q->first[s];
  while (*at != NONE) {
    hd_element *e = &q->all.elements.data[*at];
    spend(q, 1);
    e->covered =
        !(e->signature & ~signature) && hd_tokens_covers(v, tokens_of(q, e));
    if (e->covered)
      *at = e->next;
    else
      at = &e->next;
  }
}

static void put_open(search *q, uint32_t index) {
  uint32_t omegas = 0;
  for (hd_vec_each(const hd_token, token, &q->next))
    omegas += token->count == HD_OMEGA;
  hd_vec_push(&q->open[omegas].list, index);
  q->most_open = omegas > q->most_open ? omegas : q->most_open;
}

/* An element to expand, or NONE. */
static uint32_t take_open(search *q) {
  for (;; q->most_open--) {
    waiting *open = &q->open[q->most_open];
    if (open->taken < open->list.size)
      return open->list.data[open->taken++];
    open->taken = 0;
    hd_vec_clear(&open->list);
    if (!q->most_open)
      return NONE;
  }
}

/* Adds (s | q->next), which `t` makes of `parent` and no other covers. */
static void add(search *q, hd_shared_id s, uint64_t signature, uint32_t parent,
                hd_trans_id t) {
  take_out(q, s, signature);
  hd_element e = {.shared = s,
                  .tokens = {.start = (uint32_t)q->all.pool.size,
                             .size = (uint32_t)q->next.size},
                  .jumps = {.start = (uint32_t)q->all.jumps.size,
                            .size = (uint32_t)q->jumps.size},
                  .signature = signature,
                  .next = q->first[s],
                  .parent = parent,
                  .trans = t};
  q->first[s] = (uint32_t)q->all.elements.size;
  put_open(q, q->first[s]);
  hd_vec_push(&q->all.elements, e);
  for (hd_vec_each(const hd_token, token, &q->next))
    hd_vec_push(&q->all.pool, *token);
  for (hd_vec_each(const hd_jump, jump, &q->jumps))
    hd_vec_push(&q->all.jumps, *jump);
}

/* The target that element `index` covers, or NONE. */
static uint32_t target_in(const search *q, uint32_t index) {
  const hd_element *e = &q->all.elements.data[index];
  const hd_net *net = q->net;
  for (uint32_t i = 0; i < net->targets.size; i++) {
    const hd_target *target = &net->targets.data[i];
    if ((target->shared == e->shared || target->shared == HD_ANY_SHARED) &&
        hd_tokens_covers(tokens_of(q, e), hd_net_view(net, target->need)))
      return i;
  }
  return NONE;
}

/* --- transitions by place, counts of q->next --- */

static int by_number(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Those that take from nowhere come last. */
static void sort_by_place(search *q, hd_shared_id s) {
  const hd_net *net = q->net;
  uint32_t start = net->from_start[s], end = net->from_start[s + 1];
  if (hd_bits_test(q->sorted, s))
    return;
  hd_bits_set(q->sorted, s);
  for (uint32_t i = start; i < end; i++) {
    hd_tokens pre = hd_net_pre(net, net->from_ids[i]);
    uint64_t place = pre.size ? pre.data[0].place : UINT32_MAX;
    q->by_place[i] = place << 32 | net->from_ids[i];
  }
  qsort(q->by_place + start, end - start, sizeof *q->by_place, by_number);
}

/* The first of them that takes from `place` or a later one. */
static uint32_t first_of(const search *q, hd_shared_id s, hd_place_id place) {
  uint32_t low = q->net->from_start[s], high = q->net->from_start[s + 1];
  while (low < high) {
    uint32_t mid = low + (high - low) / 2;
    if (q->by_place[mid] >> 32 < place)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* Where `place` is in q->next, or would be: it is sorted. */
static size_t find(const search *q, hd_place_id place) {
  size_t low = 0, high = q->next.size;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (q->next.data[mid].place < place)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

/* Puts n tokens more into a place of q->next. */
static void give(search *q, hd_place_id place, hd_count n) {
  if (!n || !hd_bits_test(q->matters, place))
    return;
  size_t at = find(q, place);
  if (at < q->next.size && q->next.data[at].place == place) {
    q->next.data[at].count = hd_count_add(q->next.data[at].count, n);
    return;
  }
  hd_vec_push(&q->next, ((hd_token){0}));
  for (size_t i = q->next.size - 1; i > at; i--)
    q->next.data[i] = q->next.data[i - 1];
  q->next.data[at] = (hd_token){.place = place, .count = n};
}

static hd_count count_of(const search *q, hd_place_id place) {
  size_t at = find(q, place);
  return at < q->next.size && q->next.data[at].place == place
             ? q->next.data[at].count
             : 0;
}

/* --- what becomes any number --- */

/* True when `t` does the same every time. */
static bool is_plain(const search *q, hd_trans_id t) {
  const hd_trans *trans = &q->net->trans.data[t];
  return !trans->moves.size && !trans->caps.size;
}

/* True when `t`, which stays in its shared state, can be repeated for ever from
 * q->next: it takes from where any number is, or gives back. */
static bool lasts(const search *q, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(q->net, t), post = hd_net_post(q->net, t);
  for (size_t i = 0; i < pre.size; i++) {
    hd_count have = count_of(q, pre.data[i].place);
    if (have < pre.data[i].count ||
        (have != HD_OMEGA &&
         hd_tokens_at(post, pre.data[i].place) < pre.data[i].count))
      return false;
  }
  return is_plain(q, t) && hd_bits_test(q->counts, t);
}

/* Repeats `t`. The places that have any number then are noted. */
static void repeat_step(search *q, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(q->net, t), post = hd_net_post(q->net, t);
  for (size_t i = 0; i < post.size; i++) {
    hd_place_id p = post.data[i].place;
    hd_count had = count_of(q, p), took = hd_tokens_at(pre, p);
    if (had == HD_OMEGA || post.data[i].count <= took ||
        !hd_bits_test(q->matters, p))
      continue;
    hd_jump jump = {.loop = HD_ONE_STEP,
                    .step = t,
                    .place = p,
                    .before = had,
                    .change = post.data[i].count - took};
    hd_vec_push(&q->jumps, jump);
    give(q, p, HD_OMEGA);
    hd_vec_push(&q->noted, p);
  }
}

/* Single steps that can be repeated at once: threads of which there are any
 * number go on alone. Those that take from several places are looked at when the
 * first of these has any number, which finds most. */
static void repeat_steps(search *q, hd_shared_id s) {
  sort_by_place(q, s);
  hd_vec_clear(&q->noted);
  for (hd_vec_each(const hd_token, token, &q->next))
    if (token->count == HD_OMEGA)
      hd_vec_push(&q->noted, token->place);
  while (q->noted.size) {
    hd_place_id p = hd_vec_pop(&q->noted);
    spend(q, 1);
    for (uint32_t i = first_of(q, s, p);
         i < q->net->from_start[s + 1] && q->by_place[i] >> 32 == p; i++) {
      hd_trans_id t = (hd_trans_id)q->by_place[i];
      if (q->net->trans.data[t].to == s && lasts(q, t))
        repeat_step(q, t);
    }
  }
}

/* q->next covers element `loop` and comes from it. */
static void repeat(search *q, uint32_t loop) {
  hd_tokens old = tokens_of(q, &q->all.elements.data[loop]);
  size_t k = 0;
  for (hd_vec_each(hd_token, token, &q->next)) {
    while (k < old.size && old.data[k].place < token->place)
      k++;
    hd_count had = k < old.size && old.data[k].place == token->place
                       ? old.data[k].count
                       : 0;
    if (had == HD_OMEGA || had == token->count)
      continue;
    assert(had < token->count);
    if (token->count == HD_OMEGA)
      continue;
    hd_jump jump = {.loop = loop,
                    .place = token->place,
                    .before = token->count,
                    .change = token->count - had};
    hd_vec_push(&q->jumps, jump);
    token->count = HD_OMEGA;
  }
}

/* The loops that lead from an ancestor, `parent` or one of its, by `t` to
 * q->next. */
static void find_loops(search *q, hd_shared_id s, uint64_t signature,
                       uint32_t parent, hd_trans_id t) {
  hd_tokens v = hd_token_vec_view(&q->next);
  for (uint32_t i = parent; i != NONE && is_plain(q, t);) {
    const hd_element *e = &q->all.elements.data[i];
    if (e->shared == s) {
      spend(q, 1);
      if (!(e->signature & ~signature) && hd_tokens_covers(v, tokens_of(q, e)))
        repeat(q, i);
    }
    t = e->trans;
    i = e->parent;
  }
}

static void cut_off(search *q) {
  for (hd_vec_each(hd_token, token, &q->next))
    if (token->count != HD_OMEGA && token->count > q->most[token->place]) {
      hd_jump jump = {
          .loop = NONE, .place = token->place, .before = token->count};
      hd_vec_push(&q->jumps, jump);
      token->count = HD_OMEGA;
    }
}

/* Makes q->next, which `t` makes of `parent`, an element unless another covers
 * it. */
static void settle(search *q, hd_shared_id s, uint32_t parent, hd_trans_id t) {
  uint64_t signature = hd_tokens_signature(hd_token_vec_view(&q->next));
  hd_vec_clear(&q->jumps);
  if (is_covered(q, s, signature))
    return;
  repeat_steps(q, s);
  if (q->jumps.size)
    signature = hd_tokens_signature(hd_token_vec_view(&q->next));
  find_loops(q, s, signature, parent, t);
  cut_off(q);
  if (q->jumps.size && is_covered(q, s, signature))
    return;
  add(q, s, signature, parent, t);
  q->target = target_in(q, q->first[s]);
  if (q->target != NONE)
    q->found = q->first[s];
}

/* --- successors --- */

/* All tokens that are in the source of a move leave it at once. With several
 * moves out of a place each destination may get all of them. */
static void move_tokens(search *q, hd_trans_id t) {
  const hd_move *moves = hd_net_moves(q->net, t);
  uint32_t n = q->net->trans.data[t].moves.size;
  if (!n)
    return;
  hd_vec_clear(&q->rest);
  for (hd_vec_each(hd_token, token, &q->next)) {
    hd_vec_push(&q->rest, *token);
    for (uint32_t i = 0; i < n; i++)
      if (token->place == moves[i].from)
        token->count = 0;
  }
  hd_tokens rest = hd_token_vec_view(&q->rest);
  for (uint32_t i = 0; i < n; i++)
    if (moves[i].to != HD_NOWHERE)
      give(q, moves[i].to, hd_tokens_at(rest, moves[i].from));
}

static void drop_zeroes(search *q) {
  size_t kept = 0;
  for (size_t i = 0; i < q->next.size; i++)
    if (q->next.data[i].count)
      q->next.data[kept++] = q->next.data[i];
  q->next.size = kept;
}

static bool is_enabled(const search *q, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(q->net, t), caps = hd_net_caps(q->net, t);
  for (size_t i = 0; i < pre.size; i++)
    if (q->dense[pre.data[i].place] < pre.data[i].count)
      return false;
  for (size_t i = 0; i < caps.size; i++)
    if (caps.data[i].count < hd_tokens_at(pre, caps.data[i].place))
      return false;
  return hd_bits_test(q->counts, t);
}

/* Takes out of q->next what is over the upper guards of `t`. */
static void obey_caps(search *q, hd_trans_id t) {
  hd_tokens caps = hd_net_caps(q->net, t);
  for (size_t i = 0; i < caps.size; i++) {
    size_t at = find(q, caps.data[i].place);
    if (at < q->next.size && q->next.data[at].place == caps.data[i].place &&
        q->next.data[at].count > caps.data[i].count)
      q->next.data[at].count = caps.data[i].count;
  }
}

/* q->next becomes what `t` makes of element `index`, in which it is enabled. */
static void fire(search *q, uint32_t index, hd_trans_id t) {
  hd_tokens v = tokens_of(q, &q->all.elements.data[index]);
  hd_tokens pre = hd_net_pre(q->net, t), post = hd_net_post(q->net, t);
  hd_vec_resize(&q->next, v.size);
  if (v.size)
    memcpy(q->next.data, v.data, v.size * sizeof *v.data);
  obey_caps(q, t);
  for (size_t i = 0; i < pre.size; i++) {
    hd_token *token = &q->next.data[find(q, pre.data[i].place)];
    token->count = hd_count_sub(token->count, pre.data[i].count);
  }
  move_tokens(q, t);
  for (size_t i = 0; i < post.size; i++)
    give(q, post.data[i].place, post.data[i].count);
  drop_zeroes(q);
}

static void start(search *q) {
  const hd_net *net = q->net;
  hd_vec_clear(&q->all.elements);
  hd_vec_clear(&q->all.jumps);
  hd_vec_clear(&q->all.pool);
  hd_vec_clear(&q->next);
  q->found = NONE;
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    q->first[s] = NONE;
  for (hd_place_id p = 0; p <= net->n_places; p++) {
    hd_vec_clear(&q->open[p].list);
    q->open[p].taken = 0;
  }
  for (hd_place_id p = 0; p < net->n_places; p++)
    give(q, p, net->init[p].max);
  settle(q, net->init_shared, NONE, 0);
}

/* The successor of element `index` by `t`, if it is enabled. False when there is
 * no need to go on: a target is reached, or the element is covered now. */
static bool try_one(search *q, uint32_t index, hd_trans_id t) {
  spend(q, 1);
  if (!is_enabled(q, t))
    return true;
  fire(q, index, t);
  settle(q, q->net->trans.data[t].to, index, t);
  return q->found == NONE && !q->all.elements.data[index].covered;
}

/* Tries those that take from `place`; false as try_one. */
static bool try_place(search *q, uint32_t index, hd_place_id place) {
  hd_shared_id s = q->all.elements.data[index].shared;
  spend(q, 1);
  for (uint32_t i = first_of(q, s, place);
       i < q->net->from_start[s + 1] && q->by_place[i] >> 32 == place; i++)
    if (!try_one(q, index, (hd_trans_id)q->by_place[i]))
      return false;
  return true;
}

/* Makes the successors of element `index`, by going through the transitions or
 * through its tokens, whatever is less. */
static void fire_all(search *q, uint32_t index) {
  const hd_net *net = q->net;
  hd_element e = q->all.elements.data[index];
  uint32_t start = net->from_start[e.shared],
           end = net->from_start[e.shared + 1];
  if (end - start <= 4 * e.tokens.size + 16) {
    for (uint32_t i = start; i < end; i++)
      if (!try_one(q, index, net->from_ids[i]))
        return;
    return;
  }
  sort_by_place(q, e.shared);
  for (uint32_t i = 0; i < e.tokens.size; i++)
    if (!try_place(q, index, q->all.pool.data[e.tokens.start + i].place))
      return;
  try_place(q, index, UINT32_MAX);
}

static void expand(search *q, uint32_t index) {
  hd_tokens v = tokens_of(q, &q->all.elements.data[index]);
  for (size_t i = 0; i < v.size; i++)
    q->dense[v.data[i].place] = v.data[i].count;
  fire_all(q, index);
  v = tokens_of(q, &q->all.elements.data[index]); /* they may have moved */
  for (size_t i = 0; i < v.size; i++)
    q->dense[v.data[i].place] = 0;
}

typedef enum { COVER, TARGET, SPENT } outcome;

/* Those with most HD_OMEGA first, since they cover most; then the oldest, which
 * keeps the branches short. */
static outcome explore(search *q, hd_run *run) {
  while (q->found == NONE) {
    uint32_t index = take_open(q);
    if (index == NONE)
      return COVER;
    if (q->all.elements.data[index].covered)
      continue;
    uint64_t before = q->work;
    expand(q, index);
    /* Six units of work are about one of a run's. */
    if (!q->work || !hd_run_spend(run, 1 + (before - q->work) / 6))
      return SPENT;
  }
  return TARGET;
}

static hd_cert *make_cover(const search *q) {
  const hd_net *net = q->net;
  hd_cert *cert = hd_cert_new(HD_CERT_COVER, net->n_shared, net->n_places);
  for (hd_vec_each(const hd_element, e, &q->all.elements))
    if (!e->covered)
      hd_cert_add_config(cert, e->shared, tokens_of(q, e));
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (!hd_bits_test(q->matters, p))
      hd_vec_push(&cert->ignored, p);
  return cert;
}

/* --- counting further --- */

static bool count_further(search *q, hd_place_id p) {
  if (q->most[p] > HD_COUNT_MAX / 4)
    return false;
  q->most[p] = 2 * q->most[p] + 1;
  return true;
}

/* The places that were cut off on the way to element `index`. */
static void find_cuts(search *q, uint32_t index) {
  for (uint32_t i = index; i != NONE; i = q->all.elements.data[i].parent) {
    hd_range jumps = q->all.elements.data[i].jumps;
    for (uint32_t k = 0; k < jumps.size; k++)
      if (q->all.jumps.data[jumps.start + k].loop == NONE)
        hd_vec_push(&q->short_of, q->all.jumps.data[jumps.start + k].place);
  }
}

/* Counts further where the way to the target has fewer tokens than it takes; with
 * moves and upper guards, where one cannot tell, wherever it was cut off. The way
 * in `*witness` if there is one. False when there is or when counting does not
 * help. */
static bool refine(search *q, hd_witness **witness) {
  hd_vec_clear(&q->short_of);
  if (q->net->features & (HD_HAS_MOVES | HD_HAS_CAPS))
    find_cuts(q, q->found);
  else
    *witness = hd_elements_way(&q->all, q->found, q->target, &q->short_of);
  bool raised = false;
  for (hd_vec_each(const uint32_t, p, &q->short_of))
    raised = count_further(q, *p) || raised;
  return raised;
}

static hd_saturated run_search(search *q, hd_run *run) {
  hd_saturated out = {0};
  for (;;) {
    start(q);
    switch (explore(q, run)) {
    case COVER:
      out.cert = make_cover(q);
      return out;
    case SPENT:
      return out;
    case TARGET:
      if (!refine(q, &out.witness))
        return out;
    }
  }
}

hd_saturated hd_saturate(const hd_net *net, const hd_cert *tset, hd_count *most,
                         uint64_t work, hd_run *run) {
  search q = {.net = net, .most = most, .work = work};
  q.all.net = net;
  q.counts = hd_calloc(hd_bits_words(net->trans.size), sizeof *q.counts);
  q.matters = hd_calloc(hd_bits_words(net->n_places), sizeof *q.matters);
  q.first = hd_calloc(net->n_shared, sizeof *q.first);
  q.open = hd_calloc(net->n_places + 1, sizeof *q.open);
  q.by_place = hd_calloc(net->trans.size, sizeof *q.by_place);
  q.sorted = hd_calloc(hd_bits_words(net->n_shared), sizeof *q.sorted);
  q.dense = hd_calloc(net->n_places, sizeof *q.dense);
  hd_find_relevant(net, tset, q.counts, q.matters);
  hd_saturated out = run_search(&q, run);
  hd_free(q.counts);
  hd_free(q.matters);
  hd_free(q.first);
  for (hd_place_id p = 0; p <= net->n_places; p++)
    hd_vec_free(&q.open[p].list);
  hd_free(q.open);
  hd_free(q.dense);
  hd_free(q.by_place);
  hd_free(q.sorted);
  hd_vec_free(&q.all.elements);
  hd_vec_free(&q.all.jumps);
  hd_vec_free(&q.all.pool);
  hd_vec_free(&q.next);
  hd_vec_free(&q.rest);
  hd_vec_free(&q.jumps);
  hd_vec_free(&q.noted);
  hd_vec_free(&q.short_of);
  return out;
}
