/* SPDX-License-Identifier: MIT */
/* The judges against explicit exploration, on random nets with moves, choices,
 * resets, upper guards and initial intervals.
 *
 * Certificates are made by searches that know nothing but how to fire: they must
 * be accepted. Then they are damaged at random: what is still accepted must not
 * contradict what exploration finds. */
#include "random_util.h"

#include "model/split.h"

enum { BASIS = 80 };

/* The seed of the net at hand, for the message of a failure. */
static uint64_t seed_now;

static void fail_seed(const char *what, hd_str *why) {
  print_error("seed %llu: %s: %s\n", (unsigned long long)seed_now, what,
              hd_str_text(why));
  fail();
}

static void must_accept(const hd_net *net, const hd_cert *cert) {
  hd_str why = {0};
  if (!hd_check_cert(net, cert, &why))
    fail_seed("a good certificate is refused", &why);
  hd_str_free(&why);
}

static bool accepted(const hd_net *net, const hd_cert *cert) {
  hd_str why = {0};
  bool ok = hd_check_cert(net, cert, &why);
  if (ok == (why.size > 0))
    fail_seed("a refusal and only a refusal has a reason", &why);
  hd_str_free(&why);
  return ok;
}

/* --- backward search by definition --- */

typedef struct {
  dense element[BASIS];
  bool expanded[BASIS];
  size_t size;
  bool full;
} basis;

static void basis_add(basis *b, dense c) {
  size_t kept = 0;
  for (size_t i = 0; i < b->size; i++)
    if (dense_covers(c, b->element[i]))
      return;
  for (size_t i = 0; i < b->size; i++)
    if (!dense_covers(b->element[i], c)) {
      b->element[kept] = b->element[i];
      b->expanded[kept++] = b->expanded[i];
    }
  b->size = kept;
  b->full = b->full || b->size == BASIS;
  if (b->full)
    return;
  b->element[b->size] = c;
  b->expanded[b->size++] = false;
}

static bool over_caps(const hd_net *net, hd_trans_id t, dense c) {
  hd_tokens caps = hd_net_caps(net, t);
  for (size_t i = 0; i < caps.size; i++)
    if (c.count[caps.data[i].place] > caps.data[i].count)
      return true;
  return false;
}

/* What T and the inequalities of `cert` exclude. */
static bool excluded(const hd_cert *cert, dense c) {
  if (cert->rows && !cert->rows[c.shared])
    return true;
  for (hd_place_id p = 0; cert->rows && p < cert->n_places; p++)
    if (c.count[p] && !hd_bits_test(cert->rows[c.shared], p))
      return true;
  for (hd_vec_each(const hd_linear, linear, &cert->linear)) {
    int64_t sum = linear->potential[c.shared];
    for (hd_place_id p = 0; p < cert->n_places; p++)
      sum += linear->weight[p] * c.count[p];
    if (sum > linear->bound)
      return true;
  }
  return false;
}

/* Tries every configuration with at most `most` tokens: does t lead from it to
 * something above `u`? Those below others already found do not matter. */
static void try_predecessors(const hd_net *net, hd_trans_id t, dense u, dense c,
                             hd_place_id p, uint32_t most, basis *found) {
  static results next;
  if (p < net->n_places) {
    assert(p < sizeof c.count / sizeof *c.count);
    for (c.count[p] = 0; c.count[p] <= most; c.count[p]++)
      try_predecessors(net, t, u, c, p + 1, most - c.count[p], found);
    return;
  }
  fire_all(net, t, c, false, &next);
  found->full = found->full || next.full;
  for (size_t i = 0; i < next.size; i++)
    if (dense_covers(next.result[i], u)) {
      basis_add(found, c);
      return;
    }
}

static void expand(const hd_net *net, const hd_cert *cert, basis *b, dense u) {
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_trans *trans = &net->trans.data[t];
    if (trans->to != u.shared)
      continue;
    static basis found;
    found.size = 0;
    found.full = false;
    uint32_t most = total(u) + hd_tokens_total(hd_net_pre(net, t));
    try_predecessors(net, t, u, (dense){.shared = trans->from}, 0, most,
                     &found);
    b->full = b->full || found.full || most > 7;
    for (size_t i = 0; i < found.size && !b->full; i++)
      if (!over_caps(net, t, found.element[i]) &&
          !excluded(cert, found.element[i]))
        basis_add(b, found.element[i]);
  }
}

static void add_targets(const hd_net *net, const hd_cert *cert, basis *b) {
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    dense c = {0};
    hd_tokens need = hd_net_view(net, target->need);
    hd_tokens caps = hd_net_view(net, target->caps);
    bool possible = true;
    for (size_t i = 0; i < need.size; i++)
      c.count[need.data[i].place] = need.data[i].count;
    for (size_t i = 0; i < caps.size; i++)
      possible = possible && c.count[caps.data[i].place] <= caps.data[i].count;
    for (c.shared = 0; possible && c.shared < net->n_shared; c.shared++)
      if ((target->shared == HD_ANY_SHARED || target->shared == c.shared) &&
          !excluded(cert, c))
        basis_add(b, c);
  }
}

/* The least basis that is closed under predecessors, apart from what `cert`
 * excludes; `full` when it is too large for this test. */
static void search_backward(const hd_net *net, const hd_cert *cert, basis *b) {
  b->size = 0;
  b->full = false;
  add_targets(net, cert, b);
  for (size_t i = 0; i < b->size && !b->full; i++)
    if (!b->expanded[i]) {
      b->expanded[i] = true;
      expand(net, cert, b, b->element[i]);
      i = (size_t)-1; /* elements may have moved */
    }
}

static bool has_initial(const hd_net *net, const basis *b) {
  for (size_t i = 0; i < b->size; i++) {
    bool below = b->element[i].shared == net->init_shared;
    for (hd_place_id p = 0; p < net->n_places; p++)
      below = below && b->element[i].count[p] <= net->init[p].max;
    if (below)
      return true;
  }
  return false;
}

static void add_basis(hd_cert *cert, const basis *b) {
  for (size_t i = 0; i < b->size; i++) {
    hd_token_vec v = sparse(b->element[i]);
    hd_cert_add_config(cert, b->element[i].shared, hd_token_vec_view(&v));
    hd_vec_free(&v);
  }
}

/* --- invariants at random --- */

/* The least T, by the rules of counters.md. */
static void add_least_rows(const hd_net *net, hd_cert *cert) {
  hd_cert_add_rows(cert);
  uint64_t *init = hd_cert_row(cert, net->init_shared);
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (net->init[p].max)
      hd_bits_set(init, p);
  for (bool again = true; again;) {
    again = false;
    for (hd_trans_id t = 0; t < net->trans.size; t++) {
      const hd_trans *trans = &net->trans.data[t];
      hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
      bool enabled = cert->rows[trans->from] != NULL;
      for (size_t i = 0; enabled && i < pre.size; i++)
        enabled = hd_bits_test(cert->rows[trans->from], pre.data[i].place);
      if (!enabled)
        continue;
      again = again || !cert->rows[trans->to];
      uint64_t *to = hd_cert_row(cert, trans->to), old = *to;
      *to |= *cert->rows[trans->from];
      for (uint32_t i = 0; i < trans->moves.size; i++) {
        hd_move m = hd_net_moves(net, t)[i];
        if (m.to != HD_NOWHERE && hd_bits_test(to, m.from))
          hd_bits_set(to, m.to);
      }
      for (size_t i = 0; i < post.size; i++)
        hd_bits_set(to, post.data[i].place);
      again = again || *to != old;
    }
  }
}

/* An inequality with small coefficients and the least bound it can have. */
static void add_random_linear(rng *r, const hd_net *net, hd_cert *cert) {
  hd_linear *linear = hd_cert_add_linear(cert);
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    linear->potential[s] = (int64_t)draw(r, 5) - 2;
  linear->bound = linear->potential[net->init_shared];
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (net->init[p].max != HD_OMEGA)
      linear->weight[p] = draw(r, 3);
    linear->bound += linear->weight[p] * net->init[p].max;
  }
}

static void drop_last_linear(hd_cert *cert) {
  hd_linear last = hd_vec_pop(&cert->linear);
  hd_free(last.potential);
  hd_free(last.weight);
}

/* Leaves an inequality in `cert` that the judge takes for an invariant. */
static bool add_inductive_linear(rng *r, const hd_net *net, hd_cert *cert) {
  for (int tries = 0; tries < 30; tries++) {
    add_random_linear(r, net, cert);
    hd_str why = {0};
    bool holds = hd_check_cert(net, cert, &why) ||
                 !strstr(hd_str_text(&why), "inequality");
    hd_str_free(&why);
    if (holds)
      return true;
    drop_last_linear(cert);
  }
  return false;
}

/* --- the tests --- */

static void must_not_contradict(const hd_net *net, const hd_cert *cert,
                                const exploration *e) {
  hd_str nothing = {0};
  if (e->reached != UINT32_MAX && accepted(net, cert))
    fail_seed("a certificate of a reachable target is accepted", &nothing);
}

/* The same with any configuration that was reached for a target. */
static void must_not_exclude(rng *r, hd_net *net, const hd_cert *cert,
                             const exploration *e) {
  hd_net saved = *net;
  dense c = e->seen.data[draw(r, (uint32_t)e->seen.size)].config;
  hd_token_vec v = sparse(c);
  memset(&net->targets, 0, sizeof net->targets);
  assert_true(hd_net_add_target(net, c.shared, hd_token_vec_view(&v),
                                (hd_tokens){0}, 0));
  hd_str nothing = {0};
  if (accepted(net, cert))
    fail_seed("a certificate excludes what is reachable", &nothing);
  hd_vec_free(&net->targets);
  net->targets = saved.targets;
  hd_vec_free(&v);
}

static hd_cert *copy_cert(const hd_cert *from) {
  hd_cert *cert = hd_cert_new(from->kind, from->n_shared, from->n_places);
  if (from->rows)
    hd_cert_copy_rows(cert, from);
  for (hd_vec_each(const hd_linear, linear, &from->linear)) {
    hd_linear *mine = hd_cert_add_linear(cert);
    mine->bound = linear->bound;
    for (uint32_t s = 0; s < from->n_shared; s++)
      mine->potential[s] = linear->potential[s];
    for (uint32_t p = 0; p < from->n_places; p++)
      mine->weight[p] = linear->weight[p];
  }
  for (hd_vec_each(const hd_config, c, &from->configs))
    hd_cert_add_config(cert, c->shared, hd_cert_view(from, c));
  for (size_t i = 0; i < from->ignored.size; i++)
    hd_vec_push(&cert->ignored, from->ignored.data[i]);
  for (size_t i = 0; i < from->control.size; i++)
    hd_vec_push(&cert->control, from->control.data[i]);
  return cert;
}

/* One small lie that keeps the certificate well formed. */
static void damage(rng *r, hd_cert *cert) {
  if (cert->rows && chance(r, 30)) {
    uint64_t *row = cert->rows[draw(r, cert->n_shared)];
    if (row)
      *row ^= (uint64_t)1 << draw(r, cert->n_places);
  }
  if (cert->linear.size && chance(r, 30)) {
    hd_linear *l = &cert->linear.data[draw(r, (uint32_t)cert->linear.size)];
    uint32_t what = draw(r, 3);
    if (what == 0)
      l->bound--;
    if (what == 1)
      l->potential[draw(r, cert->n_shared)] += (int64_t)draw(r, 3) - 1;
    if (what == 2)
      l->weight[draw(r, cert->n_places)] += draw(r, 2);
  }
  if (cert->configs.size && chance(r, 40)) {
    hd_config *c = &cert->configs.data[draw(r, (uint32_t)cert->configs.size)];
    *c = hd_vec_last(&cert->configs);
    cert->configs.size--;
  }
  if (cert->tokens.size && chance(r, 50)) {
    hd_token *t = &cert->tokens.data[draw(r, (uint32_t)cert->tokens.size)];
    if (chance(r, 50))
      t->count++;
    else if (t->count > 1)
      t->count--;
  }
}

/* How often things happened, so that no test is empty. */
typedef struct {
  unsigned accepted, refused, reachable, damaged;
} tally;

static void judge_backward(rng *r, hd_net *net, bool rows, bool linear,
                           tally *count) {
  static basis b;
  hd_cert *cert = backward_cert(net);
  exploration e = explore(net, 6, 2000);
  count->reachable += e.reached != UINT32_MAX;
  if (rows)
    add_least_rows(net, cert);
  if (linear && !add_inductive_linear(r, net, cert))
    linear = false;
  search_backward(net, cert, &b);
  if (!b.full) {
    add_basis(cert, &b);
    if (has_initial(net, &b)) {
      assert_false(accepted(net, cert));
      count->refused++;
    } else {
      must_accept(net, cert);
      assert_true(e.reached == UINT32_MAX);
      count->accepted++;
    }
  }
  for (int i = 0; i < 6; i++) {
    hd_cert *lie = copy_cert(cert);
    for (uint32_t n = 1 + draw(r, 3); n; n--)
      damage(r, lie);
    must_not_contradict(net, lie, &e);
    must_not_exclude(r, net, lie, &e);
    count->damaged += accepted(net, lie);
    hd_cert_delete(lie);
  }
  for (int i = 0; i < 4 && !b.full; i++)
    must_not_exclude(r, net, cert, &e);
  hd_cert_delete(cert);
  hd_vec_free(&e.seen);
}

static void run_backward(uint64_t first, int n, bool rows, bool linear) {
  tally count = {0};
  for (int i = 0; i < n; i++) {
    seed_now = first + (uint64_t)i;
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    judge_backward(&r, net, rows, linear, &count);
    hd_net_delete(net);
  }
  print_message("  %u accepted, %u refused, %u reachable, %u damaged but "
                "accepted\n",
                count.accepted, count.refused, count.reachable, count.damaged);
  assert_true(count.accepted > (unsigned)n / 10);
  assert_true(count.refused > (unsigned)n / 10);
  assert_true(count.reachable > (unsigned)n / 10);
}

static void random_basis(void **state) {
  run_backward(1000000, 1500, false, false);
}

static void random_basis_within_rows(void **state) {
  run_backward(2000000, 1000, true, false);
}

static void random_basis_within_inequalities(void **state) {
  run_backward(3000000, 1000, false, true);
}

static void random_basis_within_both(void **state) {
  run_backward(4000000, 1000, true, true);
}

/* Every element of a least basis is needed, and so is every count of it. */
static void random_basis_is_least(void **state) {
  static basis b;
  unsigned tried = 0;
  for (seed_now = 5000000; seed_now < 5001000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    hd_cert *cert = backward_cert(net);
    search_backward(net, cert, &b);
    if (!b.full && !has_initial(net, &b)) {
      add_basis(cert, &b);
      must_accept(net, cert);
      for (size_t i = 0; i < cert->configs.size; i++) {
        hd_cert *less = copy_cert(cert);
        less->configs.data[i] = hd_vec_last(&less->configs);
        less->configs.size--;
        assert_false(accepted(net, less));
        hd_cert_delete(less);
        tried++;
      }
      for (size_t i = 0; i < cert->tokens.size; i++) {
        cert->tokens.data[i].count++;
        assert_false(accepted(net, cert));
        cert->tokens.data[i].count--;
      }
    }
    hd_cert_delete(cert);
    hd_net_delete(net);
  }
  assert_true(tried > 500);
}

/* T alone, drawn at random: now and then it is right. */
static void random_rows(void **state) {
  unsigned good = 0;
  for (seed_now = 6000000; seed_now < 6004000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    hd_cert *cert = backward_cert(net);
    hd_cert_add_rows(cert);
    for (hd_shared_id s = 0; s < net->n_shared; s++)
      if (chance(&r, 70))
        *hd_cert_row(cert, s) = draw(&r, 1u << net->n_places);
    exploration e = explore(net, 5, 500);
    must_not_contradict(net, cert, &e);
    good += accepted(net, cert);
    hd_vec_free(&e.seen);
    hd_cert_delete(cert);
    hd_net_delete(net);
  }
  assert_true(good > 100);
}

static void random_inequalities(void **state) {
  unsigned good = 0;
  for (seed_now = 7000000; seed_now < 7004000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    hd_cert *cert = backward_cert(net);
    add_random_linear(&r, net, cert);
    exploration e = explore(net, 5, 500);
    must_not_contradict(net, cert, &e);
    good += accepted(net, cert);
    hd_vec_free(&e.seen);
    hd_cert_delete(cert);
    hd_net_delete(net);
  }
  assert_true(good > 20);
}

/* --- traps --- */

static void add_random_trap(rng *r, const hd_net *net, hd_cert *cert) {
  hd_trap *trap = hd_cert_add_trap(cert);
  *trap->places = draw(r, 1u << net->n_places);
  *trap->shared = chance(r, 40) ? draw(r, 1u << net->n_shared) : 0;
}

/* Makes the last inequality of `cert` use trap `index`, as often as its weights
 * allow, so that what has to be inductive stays the same. */
static void lean_on_trap(hd_cert *cert, uint32_t index) {
  hd_linear *l = &hd_vec_last(&cert->linear);
  const hd_trap *trap = &cert->traps.data[index];
  int64_t times = 2;
  for (hd_place_id p = 0; p < cert->n_places; p++)
    if (hd_bits_test(trap->places, p) && l->weight[p] < times)
      times = l->weight[p];
  if (times <= 0)
    return;
  for (hd_place_id p = 0; p < cert->n_places; p++)
    l->weight[p] -= hd_bits_test(trap->places, p) ? times : 0;
  for (hd_shared_id s = 0; s < cert->n_shared; s++)
    l->potential[s] -= hd_bits_test(trap->shared, s) ? times : 0;
  l->bound -= times;
  if (!l->traps.size)
    l->traps.start = (uint32_t)cert->trap_uses.size;
  l->traps.size++;
  hd_vec_push(&cert->trap_uses, ((hd_trap_use){.trap = index, .times = times}));
}

static bool invariants_hold(const hd_net *net, const hd_cert *cert) {
  hd_str why = {0};
  bool ok = hd_check_cert(net, cert, &why);
  ok = ok || strstr(hd_str_text(&why), "target ");
  hd_str_free(&why);
  return ok;
}

/* Whatever the judge takes for invariants, with traps, excludes nothing that is
 * reachable. */
static void random_traps(void **state) {
  unsigned good = 0, excluding = 0;
  for (seed_now = 14000000; seed_now < 14012000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    exploration e = explore(net, 6, 800);
    for (int tries = 0; tries < 10 && e.seen.size; tries++) {
      hd_cert *cert = backward_cert(net);
      if (chance(&r, 30))
        add_least_rows(net, cert);
      if (chance(&r, 30))
        add_random_linear(&r, net, cert);
      add_random_trap(&r, net, cert);
      if (chance(&r, 30))
        add_random_trap(&r, net, cert);
      add_random_linear(&r, net, cert);
      for (uint32_t k = 0; k < cert->traps.size; k++)
        lean_on_trap(cert, k);
      if (cert->trap_uses.size && invariants_hold(net, cert)) {
        good++;
        excluding += accepted(net, cert);
        for (int i = 0; i < 20; i++)
          must_not_exclude(&r, net, cert, &e);
        must_not_contradict(net, cert, &e);
      }
      hd_cert_delete(cert);
    }
    hd_vec_free(&e.seen);
    hd_net_delete(net);
  }
  print_message("  %u with traps that hold, %u prove their target\n", good,
                excluding);
  assert_true(good > 300 && excluding > 50);
}

/* --- covers --- */

typedef struct {
  dense element[BASIS]; /* HD_OMEGA is omega */
  size_t size;
  bool full;
} cover;

/* Larger counts become omega. */
static dense widen(dense c) {
  for (int p = 0; p < PLACES; p++)
    if (c.count[p] > 2)
      c.count[p] = HD_OMEGA;
  return c;
}

static void cover_add(cover *d, dense c) {
  for (size_t i = 0; i < d->size; i++)
    if (dense_covers(d->element[i], c))
      return;
  d->full = d->full || d->size == BASIS;
  if (!d->full)
    d->element[d->size++] = c;
}

/* Where the omega of `c` go: they stay, or go to every destination. */
static dense omega_after(const hd_net *net, hd_trans_id t, dense c) {
  const hd_trans *trans = &net->trans.data[t];
  dense after = {.shared = trans->to};
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (c.count[p] != HD_OMEGA)
      continue;
    bool moved = false;
    for (uint32_t i = 0; i < trans->moves.size; i++) {
      hd_move m = hd_net_moves(net, t)[i];
      if (m.from == p && m.to != HD_NOWHERE)
        after.count[m.to] = HD_OMEGA;
      moved = moved || m.from == p;
    }
    if (!moved)
      after.count[p] = HD_OMEGA;
  }
  return after;
}

/* Fires with the finite part of `c`, and with just enough of the omega. */
static void cover_step(const hd_net *net, hd_trans_id t, dense c, cover *d) {
  static results next;
  dense after = omega_after(net, t, c);
  for (hd_place_id p = 0; p < PLACES; p++)
    if (c.count[p] == HD_OMEGA)
      c.count[p] = hd_tokens_at(hd_net_pre(net, t), p);
  fire_all(net, t, c, false, &next);
  d->full = d->full || next.full;
  for (size_t i = 0; i < next.size; i++) {
    for (int p = 0; p < PLACES; p++)
      if (after.count[p] == HD_OMEGA)
        next.result[i].count[p] = HD_OMEGA;
    cover_add(d, widen(next.result[i]));
  }
}

static void search_cover(const hd_net *net, cover *d) {
  d->size = 0;
  d->full = false;
  dense init = {.shared = net->init_shared};
  for (hd_place_id p = 0; p < net->n_places; p++)
    init.count[p] = net->init[p].max;
  cover_add(d, widen(init));
  for (size_t i = 0; i < d->size && !d->full; i++)
    for (hd_trans_id t = 0; t < net->trans.size; t++)
      cover_step(net, t, d->element[i], d);
}

static bool below_cover(const hd_cert *cert, dense c) {
  for (hd_vec_each(const hd_config, element, &cert->configs)) {
    hd_tokens v = hd_cert_view(cert, element);
    bool below = element->shared == c.shared;
    for (hd_place_id p = 0; p < cert->n_places; p++) {
      bool ignored = false;
      for (size_t i = 0; i < cert->ignored.size; i++)
        ignored = ignored || cert->ignored.data[i] == p;
      below = below && (ignored || c.count[p] <= hd_tokens_at(v, p));
    }
    if (below)
      return true;
  }
  return false;
}

/* If the cover is closed, everything that exploration finds lies below it. */
static bool judge_closed(const hd_net *net, const hd_cert *cert,
                         const exploration *e) {
  hd_str why = {0};
  bool closed = hd_check_cover(net, cert, &why);
  for (size_t i = 0; closed && i < e->seen.size; i++)
    if (!below_cover(cert, e->seen.data[i].config))
      fail_seed("a reachable configuration is not below the cover", &why);
  hd_str_free(&why);
  return closed;
}

static hd_cert *cert_of_cover(rng *r, const hd_net *net, const cover *d) {
  hd_cert *cert = cover_cert(net);
  for (size_t i = 0; i < d->size; i++) {
    hd_token_vec v = sparse(d->element[i]);
    hd_cert_add_config(cert, d->element[i].shared, hd_token_vec_view(&v));
    hd_vec_free(&v);
  }
  for (hd_place_id p = 0; chance(r, 30) && p < net->n_places; p++)
    if (chance(r, 40))
      hd_vec_push(&cert->ignored, p);
  return cert;
}

static void random_covers(void **state) {
  static cover d;
  tally count = {0};
  unsigned closed_lies = 0;
  for (seed_now = 8000000; seed_now < 8003000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    exploration e = explore(net, 5, 1000);
    search_cover(net, &d);
    hd_cert *cert = cert_of_cover(&r, net, &d);
    if (!d.full && !cert->ignored.size) {
      assert_true(judge_closed(net, cert, &e));
      count.accepted += accepted(net, cert);
    }
    count.reachable += e.reached != UINT32_MAX;
    must_not_contradict(net, cert, &e);
    for (int i = 0; i < 6; i++) {
      hd_cert *lie = copy_cert(cert);
      for (uint32_t n = 1 + draw(&r, 2); n; n--)
        damage(&r, lie);
      must_not_contradict(net, lie, &e);
      closed_lies += judge_closed(net, lie, &e);
      count.damaged += accepted(net, lie);
      hd_cert_delete(lie);
    }
    hd_cert_delete(cert);
    hd_vec_free(&e.seen);
    hd_net_delete(net);
  }
  print_message("  %u accepted, %u reachable, %u damaged but accepted, %u "
                "damaged but closed\n",
                count.accepted, count.reachable, count.damaged, closed_lies);
  assert_true(count.accepted > 300 && count.reachable > 300);
  assert_true(closed_lies > 300 && count.damaged > 300);
}

/* --- split nets --- */

/* A net whose places 0 and 1 hold one token together. */
static hd_net *random_split_net(rng *r) {
  shape s = random_shape(r);
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "split.spec", 1, PLACES);
  net->init[draw(r, 2)] = (hd_init){1, 1};
  for (hd_place_id p = 2; p < PLACES; p++)
    net->init[p] = (hd_init){0, chance(r, 40) ? HD_OMEGA : draw(r, 3)};
  for (uint32_t n = 1 + draw(r, 5); n; n--) {
    items it = {0};
    hd_vec_push(&it.pre, ((hd_token){.place = draw(r, 2), .count = 1}));
    hd_vec_push(&it.post, ((hd_token){.place = draw(r, 2), .count = 1}));
    for (uint32_t k = draw(r, 3); k; k--)
      hd_vec_push(&it.pre, ((hd_token){.place = 2 + draw(r, 2), .count = 1}));
    for (uint32_t k = draw(r, 3); k; k--)
      hd_vec_push(&it.post, ((hd_token){.place = 2 + draw(r, 2), .count = 1}));
    if (s.moves && chance(r, 40))
      hd_vec_push(&it.moves,
                  ((hd_move){.from = 2 + draw(r, 2), .to = 2 + draw(r, 2)}));
    if (s.caps && chance(r, 40))
      hd_vec_push(&it.caps,
                  ((hd_token){.place = 2 + draw(r, 2), .count = draw(r, 2)}));
    hd_trans_spec spec = {.pre = hd_token_vec_view(&it.pre),
                          .post = hd_token_vec_view(&it.post),
                          .caps = hd_token_vec_view(&it.caps),
                          .moves = it.moves.data,
                          .n_moves = it.moves.size};
    assert_true(hd_net_add_trans(net, &spec));
    items_free(&it);
  }
  random_target(r, net, (shape){0});
  hd_net_finish(net);
  return net;
}

static void random_split_nets(void **state) {
  static basis b;
  unsigned good = 0, reachable = 0;
  for (seed_now = 9000000; seed_now < 9001000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_split_net(&r);
    hd_str why = {0};
    uint32_t control[] = {0, 1};
    hd_net *split = hd_split(net, control, 2, &why);
    assert_non_null(split);
    hd_cert *cert = backward_cert(split);
    hd_vec_push(&cert->control, 0);
    hd_vec_push(&cert->control, 1);
    exploration e = explore(net, 6, 1500), f = explore(split, 5, 1500);
    reachable += e.reached != UINT32_MAX;
    if (e.seen.size <= 1500 && f.seen.size <= 1500)
      assert_int_equal(e.reached == UINT32_MAX, f.reached == UINT32_MAX);
    search_backward(split, cert, &b);
    add_basis(cert, &b);
    if (!b.full && !has_initial(split, &b)) {
      must_accept(net, cert);
      good++;
    }
    for (int i = 0; i < 4; i++) {
      must_not_contradict(net, cert, &e);
      damage(&r, cert);
    }
    hd_vec_free(&e.seen);
    hd_vec_free(&f.seen);
    hd_cert_delete(cert);
    hd_net_delete(split);
    hd_net_delete(net);
  }
  assert_true(good > 200 && reachable > 200);
}

/* --- witnesses --- */

/* How many tokens took which move on the way from `a` to `b`: found by trying
 * all ways that are there. */
static bool find_choices(const hd_net *net, hd_trans_id t, dense left,
                         dense arrived, dense goal, hd_witness *w) {
  const hd_move *moves = hd_net_moves(net, t);
  hd_place_id p = 0;
  while (p < net->n_places && !left.count[p])
    p++;
  if (p == net->n_places)
    return !memcmp(arrived.count, goal.count, sizeof goal.count);
  left.count[p]--;
  size_t mark = w->choices.size;
  bool moved = false;
  for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++) {
    if (moves[i].from != p)
      continue;
    moved = true;
    dense next = arrived;
    if (moves[i].to != HD_NOWHERE)
      next.count[moves[i].to]++;
    hd_vec_push(&w->choices,
                ((hd_choice){.from = p, .to = moves[i].to, .count = 1}));
    if (find_choices(net, t, left, next, goal, w))
      return true;
    w->choices.size = mark;
  }
  if (moved)
    return false;
  arrived.count[p]++;
  return find_choices(net, t, left, arrived, goal, w);
}

static hd_witness *witness_of(const hd_net *net, const exploration *e) {
  hd_witness *w = hd_witness_new();
  w->target = e->target;
  hd_u32s path = {0};
  uint32_t at = e->reached;
  for (; e->seen.data[at].parent != UINT32_MAX; at = e->seen.data[at].parent)
    hd_vec_push(&path, at);
  w->init = sparse(e->seen.data[at].config);
  while (path.size) {
    visited v = e->seen.data[hd_vec_pop(&path)];
    dense left = e->seen.data[v.parent].config, goal = v.config;
    hd_tokens pre = hd_net_pre(net, v.trans), post = hd_net_post(net, v.trans);
    for (size_t i = 0; i < pre.size; i++)
      left.count[pre.data[i].place] -= pre.data[i].count;
    for (size_t i = 0; i < post.size; i++)
      goal.count[post.data[i].place] -= post.data[i].count;
    hd_step step = {.trans = v.trans,
                    .choices = {.start = (uint32_t)w->choices.size}};
    assert_true(find_choices(net, v.trans, left, (dense){0}, goal, w));
    step.choices.size = (uint32_t)w->choices.size - step.choices.start;
    hd_vec_push(&w->steps, step);
  }
  hd_vec_free(&path);
  return w;
}

static void random_witnesses(void **state) {
  unsigned good = 0, steps = 0;
  for (seed_now = 10000000; seed_now < 10004000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    exploration e = explore(net, 5, 500);
    if (e.reached != UINT32_MAX) {
      hd_witness *w = witness_of(net, &e);
      hd_str why = {0};
      if (!hd_check_witness(net, w, &why))
        fail_seed("a witness is refused", &why);
      good++;
      steps += (unsigned)w->steps.size;
      hd_str_free(&why);
      hd_witness_delete(w);
    }
    hd_vec_free(&e.seen);
    hd_net_delete(net);
  }
  print_message("  %u witnesses, %u steps\n", good, steps);
  assert_true(good > 800 && steps > 1000);
}

/* A witness that is accepted proves that the target is reachable: where
 * exploration is complete and finds none, every witness is refused. */
static void random_false_witnesses(void **state) {
  unsigned tried = 0;
  for (seed_now = 11000000; seed_now < 11006000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    exploration e = explore(net, 6, 500);
    for (int i = 0; e.complete && e.reached == UINT32_MAX && i < 20; i++) {
      hd_witness *w = hd_witness_new();
      for (hd_place_id p = 0; p < net->n_places; p++) {
        hd_count n = net->init[p].min;
        if (net->init[p].max > n)
          n += draw(&r, net->init[p].max - n + 1);
        if (n)
          hd_vec_push(&w->init, ((hd_token){.place = p, .count = n}));
      }
      for (uint32_t n = draw(&r, 6); n; n--)
        hd_vec_push(&w->steps,
                    ((hd_step){.trans = draw(&r, (uint32_t)net->trans.size)}));
      w->target = draw(&r, (uint32_t)net->targets.size);
      hd_str why = {0};
      assert_false(hd_check_witness(net, w, &why));
      hd_str_free(&why);
      hd_witness_delete(w);
      tried++;
    }
    hd_vec_free(&e.seen);
    hd_net_delete(net);
  }
  assert_true(tried > 1000);
}

/* --- rubbish --- */

static uint32_t odd_number(rng *r) {
  static const uint32_t odd[] = {0,
                                 1,
                                 2,
                                 3,
                                 5,
                                 64,
                                 1u << 24,
                                 HD_COUNT_MAX,
                                 HD_COUNT_MAX + 1,
                                 UINT32_MAX / 2,
                                 UINT32_MAX - 1,
                                 UINT32_MAX};
  return odd[draw(r, sizeof odd / sizeof *odd)];
}

static void corrupt_cert(rng *r, hd_cert *cert) {
  uint32_t configs = (uint32_t)cert->configs.size;
  hd_config *c = configs ? &cert->configs.data[draw(r, configs)] : NULL;
  switch (draw(r, 9)) {
  case 0:
    if (c)
      c->shared = odd_number(r);
    break;
  case 1:
    if (c)
      c->tokens.start = odd_number(r);
    break;
  case 2:
    if (c)
      c->tokens.size = odd_number(r);
    break;
  case 3:
  case 4:
    if (cert->tokens.size) {
      hd_token *t = &cert->tokens.data[draw(r, (uint32_t)cert->tokens.size)];
      *(chance(r, 50) ? &t->place : &t->count) = odd_number(r);
    }
    break;
  case 5:
    hd_vec_push(&cert->ignored, odd_number(r));
    break;
  case 6:
    hd_vec_push(&cert->control, odd_number(r));
    break;
  case 7:
    if (cert->linear.size)
      cert->linear.data[0].weight[0] =
          (int64_t)((uint64_t)odd_number(r) << draw(r, 33));
    break;
  default:
    if (cert->linear.size)
      cert->linear.data[0].potential[0] =
          (int64_t)((uint64_t)odd_number(r) << draw(r, 33));
  }
}

/* Nothing to assert but that nothing worse than "no" happens. */
static void corrupted_certificates(void **state) {
  static basis b;
  for (seed_now = 12000000; seed_now < 12003000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    hd_cert *cert = chance(&r, 50) ? backward_cert(net) : cover_cert(net);
    if (chance(&r, 50))
      add_least_rows(net, cert);
    if (cert->kind == HD_CERT_BACKWARD && chance(&r, 50))
      add_random_linear(&r, net, cert);
    search_backward(net, cert, &b);
    add_basis(cert, &b);
    exploration e = explore(net, 4, 200);
    for (int i = 0; i < 20; i++) {
      corrupt_cert(&r, cert);
      must_not_contradict(net, cert, &e);
      hd_str why = {0};
      if (!hd_check_cover(net, cert, &why))
        assert_true(why.size > 0);
      hd_str_free(&why);
    }
    hd_vec_free(&e.seen);
    hd_cert_delete(cert);
    hd_net_delete(net);
  }
}

static void corrupt_witness(rng *r, hd_witness *w) {
  hd_step *step =
      w->steps.size ? &w->steps.data[draw(r, (uint32_t)w->steps.size)] : NULL;
  switch (draw(r, 7)) {
  case 0:
    w->target = odd_number(r);
    break;
  case 1:
    if (step)
      step->trans = odd_number(r);
    break;
  case 2:
    if (step)
      step->choices.start = odd_number(r);
    break;
  case 3:
    if (step)
      step->choices.size = odd_number(r);
    break;
  case 4:
    if (w->choices.size) {
      hd_choice *c = &w->choices.data[draw(r, (uint32_t)w->choices.size)];
      *(chance(r, 50)   ? &c->from
        : chance(r, 50) ? &c->to
                        : &c->count) = odd_number(r);
    }
    break;
  case 5:
    hd_vec_push(&w->init, ((hd_token){odd_number(r), odd_number(r)}));
    break;
  default:
    if (w->init.size) {
      hd_token *t = &w->init.data[draw(r, (uint32_t)w->init.size)];
      *(chance(r, 50) ? &t->place : &t->count) = odd_number(r);
    }
  }
}

static void corrupted_witnesses(void **state) {
  unsigned refused = 0;
  for (seed_now = 13000000; seed_now < 13003000; seed_now++) {
    rng r = rng_of(seed_now);
    hd_net *net = random_net(&r, random_shape(&r));
    exploration e = explore(net, 5, 300);
    hd_witness *w = e.reached != UINT32_MAX ? witness_of(net, &e) : NULL;
    for (int i = 0; w && i < 10; i++) {
      corrupt_witness(&r, w);
      hd_str why = {0};
      bool ok = hd_check_witness(net, w, &why);
      assert_true(ok == !why.size);
      refused += !ok;
      hd_str_free(&why);
    }
    hd_witness_delete(w);
    hd_vec_free(&e.seen);
    hd_net_delete(net);
  }
  assert_true(refused > 1000);
}

#define T(name) cmocka_unit_test(name)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(random_basis),
      T(random_basis_within_rows),
      T(random_basis_within_inequalities),
      T(random_basis_within_both),
      T(random_basis_is_least),
      T(random_rows),
      T(random_inequalities),
      T(random_traps),
      T(random_covers),
      T(random_split_nets),
      T(random_witnesses),
      T(random_false_witnesses),
      T(corrupted_certificates),
      T(corrupted_witnesses),
  };
  return cmocka_run_group_tests_name("check_random", tests, NULL, NULL);
}
