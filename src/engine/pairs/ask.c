/* SPDX-License-Identifier: MIT */
#include "engine/pairs/ask.h"

#include <string.h>

/* Seconds for one question: with few preparations, which mostly is faster, and
 * with all. */
static const double short_patience = 3.0, patience = 10.0;

enum {
  LIVE_BITS = 24, /* nobody has more threads at once at one place */
  /* Of those that have ended and were not joined: all that were ever created,
   * PAIRS_MOST_CREATED in each of a few families. */
  ENDED_BITS = 28,
  MOST_FAMILIES = 16,
  MOST_KINDS = 8, /* so that sums of 32 bits do not wrap around */
  SUM_BITS = 30,  /* of a few that are 0 or 1 */
};

/* --- terms --- */

pterm hd_pairs_ask_constant(pteller *k, uint8_t width, uint64_t value) {
  return hd_pairs_term_const(k->s->terms, width, value);
}

static pterm fresh(pteller *k, uint8_t width) {
  return hd_pairs_term_var(
      k->s->terms, (pvar){.owner = OF_NOBODY, .index = k->fresh++}, width);
}

pterm hd_pairs_ask_either(pteller *k, pterm a, pterm b) {
  return hd_pairs_term_apply(k->s->terms, HD_BV_OR, a, b);
}

void hd_pairs_ask_demand(pteller *k, pterm condition) {
  assert(hd_pairs_node_of(k->s->terms, condition)->width == 1);
  const pnode n = *hd_pairs_node_of(k->s->terms, condition);
  if (n.op == HD_BV_AND && n.width == 1) {
    hd_pairs_ask_demand(k, n.args[0]);
    hd_pairs_ask_demand(k, n.args[1]);
    return;
  }
  hd_vec_push(&k->question, condition);
  while (k->given.size <= condition)
    hd_vec_push(&k->given, 0);
  k->given.data[condition] = k->turn;
}

void hd_pairs_ask_new(pteller *k) {
  hd_vec_clear(&k->question);
  hd_vec_clear(&k->some);
  k->turn++;
}

/* sum += factor * a, at the sum's width */
static void add(pteller *k, pterm *sum, int64_t factor, pterm a) {
  pterms *t = k->s->terms;
  uint8_t width = hd_pairs_node_of(t, *sum)->width;
  if (!factor)
    return;
  pterm part = hd_pairs_term_apply(
      t, HD_BV_MUL, hd_pairs_term_resize(t, a, width, false),
      hd_pairs_ask_constant(k, width,
                            (uint64_t)(factor < 0 ? -factor : factor)));
  *sum = hd_pairs_term_apply(t, factor < 0 ? HD_BV_SUB : HD_BV_ADD, *sum, part);
}

pterm hd_pairs_ask_own(const pteller *k, powner owner, uint32_t x) {
  assert(owner == OF_FIRST || owner == OF_SECOND || owner == OF_THIRD);
  assert(x < k->s->local.size);
  return hd_pairs_term_var(k->s->terms, (pvar){.owner = owner, .index = x},
                           k->s->local.data[x].width);
}

pterm hd_pairs_ask_shared(const pteller *k, uint32_t v) {
  assert(v < k->s->shared.size);
  return hd_pairs_term_var(k->s->terms, (pvar){.owner = OF_ALL, .index = v},
                           k->s->shared.data[v].width);
}

/* Condition `i` of a thread at the spot. */
pterm hd_pairs_ask_known(const pteller *k, uint32_t spot, size_t i) {
  assert(spot < k->sums.n_spots);
  size_t n = k->sure[spot].size;
  assert(i < n + k->facts[spot].size);
  return i < n ? k->sure[spot].data[i] : k->facts[spot].data[i - n];
}

/* --- what the sums say --- */

static bool is_in(const pteller *k, const pcast *c, uint32_t kind) {
  for (int i = 0; i < 2; i++)
    if (c->spots[i] != UNBORN && hd_pairs_kind_at(k->s, c->spots[i]) == kind)
      return true;
  return false;
}

static bool is_of_main(const pteller *k, uint32_t spot) {
  return hd_pairs_kind_at(k->s, spot) == 0 &&
         hd_pairs_spot_used(&k->sums, spot);
}

/* So often as a scale says, at so many bits. */
static pterm times_scale(const pteller *k, uint32_t scale, pterm a,
                         uint8_t width) {
  assert(scale < k->sums.n_scales);
  pterms *t = k->s->terms;
  pterm by = hd_pairs_ask_shared(k, k->sums.scales[scale]);
  return hd_pairs_term_apply(t, HD_BV_MUL,
                             hd_pairs_term_resize(t, by, width, false),
                             hd_pairs_term_resize(t, a, width, false));
}

/* What one thread adds to a sum. */
static void add_thread(pteller *k, const pinvariant *inv, uint32_t spot,
                       powner owner, pterm *sum) {
  assert(hd_pairs_node_of(k->s->terms, *sum)->width == inv->bits);
  add(k, sum, hd_pairs_factor_one(&k->sums, inv, spot),
      hd_pairs_ask_constant(k, 64, 1));
  for (uint32_t x = 0; x < k->s->local.size; x++)
    add(k, sum, hd_pairs_factor_own(&k->sums, inv, spot, x),
        hd_pairs_ask_own(k, owner, x));
  for (uint32_t v = 0; v < k->s->shared.size; v++)
    add(k, sum, hd_pairs_factor_shared(&k->sums, inv, spot, v),
        hd_pairs_ask_shared(k, v));
  for (uint32_t i = 0; i < k->sums.n_scales; i++) {
    add(k, sum, hd_pairs_factor_scaled_one(&k->sums, inv, spot, i),
        hd_pairs_ask_shared(k, k->sums.scales[i]));
    for (uint32_t x = 0; x < k->s->local.size; x++) {
      int64_t factor = hd_pairs_factor_scaled_own(&k->sums, inv, spot, i, x);
      if (factor)
        add(k, sum, factor,
            times_scale(k, i, hd_pairs_ask_own(k, owner, x), inv->bits));
    }
  }
}

/* Main is somewhere: OF_THIRD, at the spot whose number is `at`. */
static void add_main(pteller *k, const pinvariant *inv, pterm at, pterm *sum) {
  pterms *t = k->s->terms;
  uint8_t width = hd_pairs_node_of(t, *sum)->width;
  pterm there = hd_pairs_ask_constant(k, width, 0);
  for (uint32_t r = 1; r < k->sums.n_spots; r++) {
    if (!is_of_main(k, r))
      continue;
    pterm part = hd_pairs_ask_constant(k, width, 0);
    add_thread(k, inv, r, OF_THIRD, &part);
    there = hd_pairs_term_ite(
        t,
        hd_pairs_term_apply(t, HD_BV_EQ, at, hd_pairs_ask_constant(k, 16, r)),
        part, there);
  }
  *sum = hd_pairs_term_apply(t, HD_BV_ADD, *sum, there);
}

/* Where main is, with what is known about it there. */
static pterm place_main(pteller *k) {
  pterms *t = k->s->terms;
  pterm at = fresh(k, 16), somewhere = hd_pairs_ask_constant(k, 1, 0);
  for (uint32_t r = 1; r < k->sums.n_spots; r++) {
    if (!is_of_main(k, r))
      continue;
    pterm here =
        hd_pairs_term_apply(t, HD_BV_EQ, at, hd_pairs_ask_constant(k, 16, r));
    pterm fine = here;
    for (size_t i = 0; i < k->sure[r].size + k->facts[r].size; i++)
      fine =
          hd_pairs_term_and(t, fine,
                            hd_pairs_term_rename(t, hd_pairs_ask_known(k, r, i),
                                                 OF_THIRD, OF_NOBODY));
    somewhere = hd_pairs_ask_either(k, somewhere, fine);
  }
  hd_pairs_ask_demand(k, somewhere);
  return at;
}

typedef struct {
  pterm *counts; /* of the others, a spot each; HD_NO_ID = not needed */
  pterm *values; /* (spot, variable): the sum of theirs */
  pterm *scaled; /* (spot, scale): how many, so often */
} others;

/* Are all threads of the kind in a few families that count? */
static bool is_counted(const pteller *k, uint32_t kind) {
  uint32_t families[MOST_FAMILIES], n = 0;
  for (hd_vec_each(const pstep, step, &k->s->steps)) {
    if (step->creates != kind || step->fails)
      continue;
    uint32_t i = 0;
    while (i < n && families[i] != step->into)
      i++;
    if (step->into == HD_NO_ID || i == MOST_FAMILIES ||
        !k->s->families.data[step->into].counted)
      return false;
    families[i] = step->into;
    n = i == n ? n + 1 : n;
  }
  return k->s->kinds.size <= MOST_KINDS;
}

static uint8_t bits_at(const pteller *k, uint32_t spot) {
  assert(spot != UNBORN); /* of those there are as many as one likes */
  uint32_t kind = hd_pairs_kind_at(k->s, spot);
  if (k->s->kinds.data[kind].once)
    return 1;
  if (spot < k->s->places.size)
    return LIVE_BITS;
  return is_counted(k, kind) ? ENDED_BITS : 64;
}

/* How many others are at a spot. */
static pterm count_at(pteller *k, others *o, uint32_t spot) {
  assert(spot < k->sums.n_spots);
  if (o->counts[spot] == HD_NO_ID)
    o->counts[spot] = fresh(k, bits_at(k, spot));
  return o->counts[spot];
}

static pterm is_nobody(pteller *k, others *o, uint32_t spot) {
  pterm count = count_at(k, o, spot);
  uint8_t width = hd_pairs_node_of(k->s->terms, count)->width;
  return hd_pairs_term_apply(k->s->terms, HD_BV_EQ, count,
                             hd_pairs_ask_constant(k, width, 0));
}

static pterm values_at(pteller *k, others *o, uint32_t spot, uint32_t x) {
  assert(x < k->s->local.size);
  pterm *sum = &o->values[spot * k->s->local.size + x];
  if (*sum != HD_NO_ID)
    return *sum;
  *sum = fresh(k, 64);
  pterms *t = k->s->terms;
  pterm nothing =
      hd_pairs_term_apply(t, HD_BV_EQ, *sum, hd_pairs_ask_constant(k, 64, 0));
  hd_pairs_ask_demand(
      k, hd_pairs_ask_either(k, hd_pairs_term_not(t, is_nobody(k, o, spot)),
                             nothing));
  return *sum;
}

/* The product is left open but for none: a solver has a hard time with it. */
static pterm scaled_at(pteller *k, others *o, uint32_t spot, uint32_t scale) {
  assert(scale < k->sums.n_scales);
  pterm *product = &o->scaled[spot * SCALES_MOST + scale];
  if (*product != HD_NO_ID)
    return *product;
  *product = fresh(k, 64);
  pterms *t = k->s->terms;
  pterm nothing = hd_pairs_term_apply(t, HD_BV_EQ, *product,
                                      hd_pairs_ask_constant(k, 64, 0));
  hd_pairs_ask_demand(
      k, hd_pairs_ask_either(k, hd_pairs_term_not(t, is_nobody(k, o, spot)),
                             nothing));
  return *product;
}

static void add_others(pteller *k, const pinvariant *inv, others *o,
                       pterm *sum) {
  for (uint32_t q = 1; q < k->sums.n_spots; q++) {
    if (hd_pairs_kind_at(k->s, q) == 0)
      continue;
    int64_t one = hd_pairs_factor_one(&k->sums, inv, q);
    if (one)
      add(k, sum, one, count_at(k, o, q));
    for (uint32_t i = 0; i < k->sums.n_scales; i++) {
      int64_t scaled = hd_pairs_factor_scaled_one(&k->sums, inv, q, i);
      if (scaled)
        add(k, sum, scaled, scaled_at(k, o, q, i));
    }
    for (uint32_t x = 0; x < k->s->local.size; x++) {
      int64_t factor = hd_pairs_factor_own(&k->sums, inv, q, x);
      if (factor)
        add(k, sum, factor, values_at(k, o, q, x));
    }
  }
}

/* Of some kinds there is at most one thread. */
static void limit_kind(pteller *k, const pcast *c, uint32_t kind, others *o) {
  pterms *t = k->s->terms;
  if (!k->s->kinds.data[kind].once)
    return;
  pterm sum = hd_pairs_ask_constant(k, SUM_BITS, is_in(k, c, kind));
  for (uint32_t q = 1; q < k->sums.n_spots; q++)
    if (hd_pairs_kind_at(k->s, q) == kind)
      add(k, &sum, 1, count_at(k, o, q));
  hd_pairs_ask_demand(
      k, hd_pairs_term_apply(t, HD_BV_ULE, sum,
                             hd_pairs_ask_constant(k, SUM_BITS, 1)));
}

/* A thread that can be joined is there. */
static void need_ended(pteller *k, const pstep *step, const pcast *c,
                       others *o) {
  if (step->joins == HD_NO_ID)
    return;
  pterms *t = k->s->terms;
  const pfamily *f = &k->s->families.data[step->joins];
  pterm some = hd_pairs_ask_constant(k, 1, 0);
  for (size_t i = 0; i < f->kinds.size; i++) {
    uint32_t end = hd_pairs_end_of(k->s, f->kinds.data[i]);
    if (c->spots[1] == end)
      return;
    some = hd_pairs_ask_either(k, some,
                               hd_pairs_term_not(t, is_nobody(k, o, end)));
  }
  hd_pairs_ask_demand(k, some);
}

/* The facts of one of the two. */
void hd_pairs_ask_thread(pteller *k, const pcast *c, int i) {
  uint32_t spot = c->spots[i];
  size_t n = spot == UNBORN ? 0 : k->sure[spot].size + k->facts[spot].size;
  for (size_t f = 0; f < n; f++)
    hd_pairs_ask_demand(
        k, hd_pairs_term_rename(k->s->terms, hd_pairs_ask_known(k, spot, f),
                                i ? OF_SECOND : OF_FIRST, OF_NOBODY));
}

/* All that is known where the threads of `c` are; the first is about to make
 * `step`, which may be NULL. */
void hd_pairs_ask_given(pteller *k, const pcast *c, const pstep *step,
                        bool all) {
  pterms *t = k->s->terms;
  size_t n = k->sums.n_spots, m = n * k->s->local.size;
  others o = {.counts = hd_calloc(n + 1, sizeof *o.counts),
              .values = hd_calloc(m + 1, sizeof *o.values),
              .scaled = hd_calloc(n * SCALES_MOST + 1, sizeof *o.scaled)};
  memset(o.scaled, 0xff, n * SCALES_MOST * sizeof *o.scaled);
  memset(o.counts, 0xff, n * sizeof *o.counts);
  memset(o.values, 0xff, m * sizeof *o.values);
  k->fresh = 2 * k->s->inputs; /* of two threads */
  for (int i = 0; i < 2; i++)
    hd_pairs_ask_thread(k, c, i);
  pterm at = is_in(k, c, 0) ? 0 : place_main(k);
  for (hd_vec_each(const pinvariant, inv, &k->sums.found)) {
    if (!all && inv->bits < 64)
      continue;
    pterm sum = hd_pairs_ask_constant(k, inv->bits, 0);
    for (int i = 0; i < 2; i++)
      if (c->spots[i] != UNBORN)
        add_thread(k, inv, c->spots[i], i ? OF_SECOND : OF_FIRST, &sum);
    if (!is_in(k, c, 0))
      add_main(k, inv, at, &sum);
    add_others(k, inv, &o, &sum);
    hd_pairs_ask_demand(k, hd_pairs_term_apply(t, HD_BV_EQ, sum,
                                               hd_pairs_ask_constant(
                                                   k, inv->bits, inv->total)));
  }
  for (uint32_t kind = 1; kind < k->s->kinds.size; kind++)
    limit_kind(k, c, kind, &o);
  if (step)
    need_ended(k, step, c, &o);
  if (step)
    hd_pairs_ask_demand(k, step->guard);
  hd_free(o.counts);
  hd_free(o.values);
  hd_free(o.scaled);
}

/* --- questions --- */

static void to_solver(pteller *k) {
  hd_vec_clear(&k->asked);
  hd_vec_clear(&k->asked_some);
  for (size_t i = 0; i < k->question.size; i++)
    hd_vec_push(&k->asked,
                hd_pairs_term_solver(k->s->terms, k->bv, k->question.data[i]));
  for (size_t i = 0; i < k->some.size; i++)
    hd_vec_push(&k->asked_some,
                hd_pairs_term_solver(k->s->terms, k->bv, k->some.data[i]));
}

/* Can all of the question hold, and one of `some`? */
hd_smt_status hd_pairs_ask(pteller *k) {
  k->tally->questions++;
  if (!hd_run_spend(k->run, 2000 + hd_bv_work(k->bv)))
    return HD_SMT_UNKNOWN;
  to_solver(k);
  hd_smt_status status =
      hd_bv_solve_some(k->bv, k->asked.data, k->asked.size, k->asked_some.data,
                       k->asked_some.size, short_patience);
  if (status != HD_SMT_UNKNOWN)
    return status;
  pterm some = hd_pairs_ask_constant(k, 1, !k->some.size);
  for (size_t i = 0; i < k->some.size; i++)
    some = hd_pairs_ask_either(k, some, k->some.data[i]);
  hd_vec_push(&k->asked, hd_pairs_term_solver(k->s->terms, k->bv, some));
  return hd_bv_solve(k->bv, k->asked.data, k->asked.size, patience);
}

/* Is it part of the question, as what the step leaves alone mostly is? */
bool hd_pairs_ask_has(const pteller *k, pterm term) {
  uint64_t value;
  if (hd_pairs_term_is_const(k->s->terms, term, &value))
    return value;
  return term < k->given.size && k->given.data[term] == k->turn;
}
