/* SPDX-License-Identifier: MIT */
/* Who receives what.
 *
 * Messages from r to q with one tag are received in the order in which they are
 * sent. For small N that order is worked out with numbers, which shows for each
 * send which receives take its messages, and in which iterations. From that
 * comes a relation between sends and receives, and it is proved for all N, r and
 * q (and the other way round, from receives to sends):
 *
 *   M1  every message to q has a partner: some receive of q that happens, from r,
 *       with its tag, type and length;
 *   M2  of two messages on one channel, the partner of the first is before that
 *       of the second.
 *
 * M1 and M2 in both directions make the relation the one between the k-th message
 * and the k-th receive, which is the one of MPI. Collective calls are matched in
 * the same way, all with all. Receives with any tag share the channel with all
 * tags. A process that sends to itself is not followed. */
#include "engine/uniform/parts.h"

#include <stdlib.h>

enum { SAMPLES = 6, MOST_INSTANCES = 400, TRIES = 12 };

/* --- with numbers --- */

/* A site of a process with numbers. */
typedef struct {
  uint32_t site;
  int64_t k[HD_UNI_DEPTH];
  int64_t tag; /* -1: any */
  bool used;
} instance;
typedef hd_vec(instance) instances;

typedef hd_uni_sample sample;

typedef struct {
  hd_uni *u;
  hd_uni_match *m;
  int64_t again; /* a number of processes that says more; 0 = none */
} job;

static void add_instances(job *j, const hd_uni_site *s, uint32_t number,
                          uint32_t depth, hd_uni_values *values, instance *at,
                          int64_t peer, instances *out) {
  const hd_uni *u = j->u;
  if (out->size > MOST_INSTANCES)
    return;
  if (depth == s->depth) {
    int64_t x = 0;
    if (s->op->kind != HD_UNI_ALL &&
        (!hd_uni_evaluate(u, values, s->op->peer, &x) || x != peer))
      return;
    at->site = number;
    at->tag = -1;
    if (s->op->tag && !hd_uni_evaluate(u, values, s->op->tag, &at->tag))
      at->tag = -1;
    hd_vec_push(out, *at);
    return;
  }
  int64_t rounds = 0;
  (void)hd_uni_evaluate(u, values, s->loops[depth]->k, &rounds);
  for (int64_t k = 0; k < rounds; k++) {
    hd_uni_values inner = {0}; /* the symbol means the iteration in there */
    for (size_t i = 0; i < values->size; i++)
      if (values->data[i].symbol != s->loops[depth]->k)
        hd_vec_push(&inner, values->data[i]);
    hd_uni_set(&inner, s->loops[depth]->k, k);
    at->k[depth] = k;
    if (hd_uni_rounds(u, s->bodies[depth], 0, &inner))
      add_instances(j, s, number, depth + 1, &inner, at, peer, out);
    hd_vec_free(&inner);
  }
}

static const hd_uni_sites *order_sites; /* for by_order: qsort has no context */

static int by_order(const void *a, const void *b) {
  const instance *x = a, *y = b;
  const hd_uni_site *s = &order_sites->data[x->site],
                    *v = &order_sites->data[y->site];
  for (uint32_t d = 0;; d++) {
    if (s->at[d] != v->at[d])
      return s->at[d] < v->at[d] ? -1 : 1;
    if (d >= s->depth || d >= v->depth)
      return 0;
    if (x->k[d] != y->k[d])
      return x->k[d] < y->k[d] ? -1 : 1;
  }
}

static void instances_of(job *j, const hd_uni_path *leaf, hd_uni_kind kind,
                         hd_uni_values *values, int64_t peer, instances *out) {
  for (uint32_t i = 0; i < j->m->sites.size; i++) {
    const hd_uni_site *s = &j->m->sites.data[i];
    instance at = {0};
    if (s->leaf == leaf && s->op->kind == kind)
      add_instances(j, s, i, 0, values, &at, peer, out);
  }
  order_sites = &j->m->sites;
  if (out->size)
    qsort(out->data, out->size, sizeof *out->data, by_order);
}

static void keep_sample(job *j, const instance *a, const instance *b, int64_t n,
                        int64_t r, int64_t q) {
  sample s = {.from = a->site, .to = b->site, .n = n, .r = r, .q = q};
  for (int d = 0; d < HD_UNI_DEPTH; d++) {
    s.k[d] = a->k[d];
    s.other[d] = b->k[d];
  }
  hd_vec_push(&j->m->samples, s);
}

/* The receives take the messages in order. False: they do not fit. */
static bool pair_up(job *j, instances *from, instances *to, int64_t n,
                    int64_t r, int64_t q) {
  for (size_t i = 0; i < to->size; i++) {
    instance *v = &to->data[i];
    size_t s = 0;
    while (s < from->size &&
           (from->data[s].used || (v->tag >= 0 && from->data[s].tag >= 0 &&
                                   from->data[s].tag != v->tag)))
      s++;
    const hd_uni_op *op = j->m->sites.data[v->site].op;
    if (s == from->size) {
      hd_uni_fail_at(
          j->u, op->edge,
          op->kind == HD_UNI_ALL
              ? "with %lld processes, process %lld does not come to "
                "this call of process %lld"
              : "with %lld processes, process %lld sends nothing for "
                "this receive of process %lld",
          (long long)n, (long long)r, (long long)q);
      return false;
    }
    from->data[s].used = true;
    keep_sample(j, &from->data[s], v, n, r, q);
    keep_sample(j, v, &from->data[s], n, q, r);
  }
  for (size_t s = 0; s < from->size; s++)
    if (!from->data[s].used) {
      hd_uni_fail_at(j->u, j->m->sites.data[from->data[s].site].op->edge,
                     "with %lld processes, process %lld does not take what "
                     "process %lld does here",
                     (long long)n, (long long)q, (long long)r);
      return false;
    }
  return true;
}

static bool sample_channel(job *j, const hd_uni_path *p, hd_uni_values *pv,
                           const hd_uni_path *q, hd_uni_values *qv, int64_t n,
                           int64_t r, int64_t s) {
  bool ok = true;
  static const hd_uni_kind kinds[2][2] = {{HD_UNI_SEND, HD_UNI_RECV},
                                          {HD_UNI_ALL, HD_UNI_ALL}};
  for (int i = 0; i < 2 && ok; i++) {
    instances from = {0}, to = {0};
    instances_of(j, p, kinds[i][0], pv, s, &from);
    instances_of(j, q, kinds[i][1], qv, r, &to);
    ok = pair_up(j, &from, &to, n, r, s);
    hd_vec_free(&from);
    hd_vec_free(&to);
  }
  return ok;
}

static bool sample_number(job *j, int64_t n) {
  hd_uni *u = j->u;
  bool ok = true;
  for (int64_t r = 0; r < n && ok; r++)
    for (size_t p = 0; p < u->leaves.size && ok; p++) {
      hd_uni_values pv = {0}, qv = {0};
      hd_uni_start(u, n, r, &pv);
      bool here = hd_uni_rounds(u, u->leaves.data[p], 0, &pv);
      for (int64_t q = 0; q < n && ok && here; q++)
        for (size_t i = 0; i < u->leaves.size && ok; i++) {
          hd_uni_start(u, n, q, &qv);
          if (q != r && hd_uni_rounds(u, u->leaves.data[i], 0, &qv))
            ok = sample_channel(j, u->leaves.data[p], &pv, u->leaves.data[i],
                                &qv, n, r, q);
        }
      hd_vec_free(&pv);
      hd_vec_free(&qv);
    }
  if (!ok)
    u->suspect = (uint32_t)n;
  return ok;
}

/* --- the relation --- */

/* Candidates for the iteration of the partner: one of these, and a constant. */
static void bases_of(hd_uni *u, const hd_uni_pair *p, hd_term_list *out) {
  hd_terms *t = u->l.terms;
  const hd_uni_site *s = p->from;
  for (uint32_t d = 0; d < s->depth; d++)
    hd_vec_push(out, s->loops[d]->k);
  for (uint32_t i = 0; i < s->op->post; i++)
    if (s->owner->items.data[i].loop)
      hd_vec_push(out, s->owner->items.data[i].loop->k);
  hd_vec_push(out, u->rank);
  hd_vec_push(out, p->other);
  hd_vec_push(out, hd_term_sub(t, u->size, u->rank));
  hd_vec_push(out, hd_term_sub(t, u->size, p->other));
  hd_vec_push(out, hd_term_max(t, hd_term_sub(t, u->rank, p->other),
                               hd_term_sub(t, p->other, u->rank)));
  hd_vec_push(out, hd_term_int(t, 0));
}

/* The iteration at depth `d` of the partner, by all samples of the pair. */
static bool fit(job *j, hd_uni_pair *p, uint32_t from, uint32_t to,
                uint32_t d) {
  hd_uni *u = j->u;
  hd_term_list bases = {0};
  bases_of(u, p, &bases);
  bool found = false;
  for (size_t base = 0; base < bases.size && !found; base++) {
    bool first = true, fits = true;
    int64_t shift = 0;
    for (size_t i = 0; i < j->m->samples.size && fits; i++) {
      const sample *s = &j->m->samples.data[i];
      if (s->from != from || s->to != to)
        continue;
      hd_uni_values values = {0};
      int64_t x = 0;
      fits = hd_uni_values_at(u, p->from, s->n, s->r, s->k, &values);
      hd_uni_set(&values, p->other, s->q);
      fits = fits && hd_uni_evaluate(u, &values, bases.data[base], &x) &&
             (first || s->other[d] - x == shift);
      shift = first ? s->other[d] - x : shift;
      first = false;
      hd_vec_free(&values);
    }
    found = fits && !first;
    if (found)
      p->k[d] = hd_term_add(u->l.terms, bases.data[base],
                            hd_term_int(u->l.terms, shift));
  }
  hd_vec_free(&bases);
  return found;
}

static bool has_pair(const hd_uni_match *m, const hd_uni_site *a,
                     const hd_uni_site *b) {
  for (size_t i = 0; i < m->pairs.size; i++)
    if (m->pairs.data[i].from == a && m->pairs.data[i].to == b)
      return true;
  return false;
}

static bool make_relation(job *j) {
  hd_uni *u = j->u;
  for (size_t i = 0; i < j->m->samples.size; i++) {
    const sample *s = &j->m->samples.data[i];
    hd_uni_pair p = {.from = &j->m->sites.data[s->from],
                     .to = &j->m->sites.data[s->to]};
    if (has_pair(j->m, p.from, p.to))
      continue;
    p.other = hd_uni_fresh(u, HD_OF_INT);
    for (uint32_t d = 0; d < p.to->depth; d++)
      if (!fit(j, &p, s->from, s->to, d)) {
        hd_uni_fail_at(u, p.from->op->edge,
                       "no rule is found for which iteration of the partner "
                       "this belongs to");
        return false;
      }
    hd_vec_push(&j->m->pairs, p);
  }
  return true;
}

/* --- proofs --- */

/* No values satisfy the facts. */
static bool contradict(hd_uni *u, const hd_term_list *facts) {
  hd_prover_values none = {0};
  hd_proof found =
      hd_prover_model(u->l.prover, facts->data, facts->size, NULL, 0, &none);
  hd_vec_free(&none);
  return found == HD_INVALID;
}

bool hd_uni_impossible(hd_uni *u, const hd_term_list *facts) {
  hd_term_list all = {0};
  for (size_t i = 0; i < facts->size; i++)
    hd_vec_push(&all, facts->data[i]);
  hd_uni_power_lemmas(u, &all, hd_term_bool(u->l.terms, true));
  bool no = contradict(u, &all);
  hd_vec_free(&all);
  return no;
}

bool hd_uni_valid(hd_uni *u, const hd_term_list *facts, hd_term claim) {
  if (hd_term_is_true(u->l.terms, claim))
    return true;
  hd_term_list all = {0};
  for (size_t i = 0; i < facts->size; i++)
    hd_vec_push(&all, facts->data[i]);
  hd_uni_power_lemmas(u, &all, claim);
  bool ok = hd_prover_valid(u->l.prover, all.data, all.size, claim) == HD_VALID;
  if (!ok) { /* the prover takes it that facts do not contradict each other */
    hd_vec_push(&all, hd_term_not(u->l.terms, claim));
    ok = contradict(u, &all);
  }
  hd_vec_free(&all);
  return ok;
}

void hd_uni_partner(hd_uni *u, const hd_uni_pair *pair, const hd_uni_spot *from,
                    const hd_uni_proc *other, hd_uni_spot *out) {
  hd_terms *t = u->l.terms;
  hd_term_pair who = {pair->other, other->rank};
  hd_term k[HD_UNI_DEPTH] = {0};
  for (uint32_t d = 0; d < pair->to->depth; d++)
    k[d] = hd_term_subst(t, hd_uni_spot_put(u, from, pair->k[d]), &who, 1);
  hd_uni_spot_make(u, other, pair->to, k, out);
}

hd_term hd_uni_meet(hd_uni *u, const hd_uni_proc *p, const hd_uni_spot *a,
                    const hd_uni_proc *q, const hd_uni_spot *b) {
  hd_terms *t = u->l.terms;
  const hd_uni_op *x = a->site->op, *y = b->site->op;
  hd_term xp = hd_uni_spot_put(u, a, x->peer),
          yp = hd_uni_spot_put(u, b, y->peer);
  bool same = x->type == y->type && x->count == y->count;
  if (x->kind == HD_UNI_ALL) {
    same = same && x->fn == y->fn && x->op == y->op && x->comm == y->comm;
    return hd_term_and(t, hd_term_bool(t, same),
                       x->peer ? hd_term_eq(t, xp, yp) : hd_term_bool(t, true));
  }
  hd_term meet =
      hd_term_and(t, hd_term_eq(t, xp, q->rank), hd_term_eq(t, yp, p->rank));
  if (x->tag && y->tag)
    meet = hd_term_and(t, meet,
                       hd_term_eq(t, hd_uni_spot_put(u, a, x->tag),
                                  hd_uni_spot_put(u, b, y->tag)));
  return hd_term_and(t, meet, hd_term_bool(t, same));
}

/* An N for which it does not follow. 0: none is known, or it is too large. */
static int64_t counterexample(hd_uni *u, const hd_term_list *facts,
                              hd_term claim) {
  enum { SMALL = 24 };
  hd_terms *t = u->l.terms;
  hd_term_list all = {0};
  for (size_t i = 0; i < facts->size; i++)
    hd_vec_push(&all, facts->data[i]);
  hd_uni_power_lemmas(u, &all, claim);
  hd_vec_push(&all, hd_term_not(t, claim));
  hd_vec_push(&all, hd_term_le(t, u->size, hd_term_int(t, SMALL)));
  hd_prover_values values = {0};
  int64_t n = 0;
  if (hd_prover_model(u->l.prover, all.data, all.size, &u->size, 1, &values) ==
      HD_VALID)
    n = strtoll(values.data[0], NULL, 10);
  for (size_t i = 0; i < values.size; i++)
    hd_free(values.data[i]);
  hd_vec_free(&values);
  hd_vec_free(&all);
  return n;
}

static void add_facts(hd_term_list *to, const hd_term_list *from) {
  for (size_t i = 0; i < from->size; i++)
    hd_vec_push(to, from->data[i]);
}

/* Two processes, not the same. */
static void two(hd_uni *u, const hd_uni_proc *p, const hd_uni_proc *q,
                hd_term_list *facts) {
  add_facts(facts, &p->facts);
  add_facts(facts, &q->facts);
  hd_vec_push(facts, hd_term_ne(u->l.terms, p->rank, q->rank));
}

/* It is addressed to q. */
static void addressed(hd_uni *u, const hd_uni_spot *a, const hd_uni_proc *q,
                      hd_term_list *facts) {
  const hd_uni_op *op = a->site->op;
  if (op->kind != HD_UNI_ALL)
    hd_vec_push(facts, hd_term_eq(u->l.terms, hd_uni_spot_put(u, a, op->peer),
                                  q->rank));
}

/* M1 for one site and the processes of one leaf. */
static bool has_partner(job *j, const hd_uni_proc *p, const hd_uni_site *site,
                        const hd_uni_proc *q) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  hd_term_list facts = {0};
  hd_uni_spot a;
  hd_uni_spot_make(u, p, site, NULL, &a);
  two(u, p, q, &facts);
  hd_uni_spot_facts(u, &a, &facts);
  addressed(u, &a, q, &facts);
  hd_term some = hd_term_bool(t, false);
  for (size_t i = 0; i < j->m->pairs.size; i++) {
    const hd_uni_pair *pair = &j->m->pairs.data[i];
    if (pair->from != site || pair->to->leaf != q->leaf)
      continue;
    hd_uni_spot b;
    hd_uni_partner(u, pair, &a, q, &b);
    some = hd_term_or(t, some,
                      hd_term_and(t, hd_uni_spot_happens(u, &b),
                                  hd_uni_meet(u, p, &a, q, &b)));
    hd_uni_spot_free(&b);
  }
  bool ok = hd_uni_valid(u, &facts, some);
  if (!ok)
    j->again = counterexample(u, &facts, some);
  hd_uni_spot_free(&a);
  hd_vec_free(&facts);
  if (!ok)
    hd_uni_fail_at(u, site->op->edge,
                   "it is not shown that %s has its partner for every number "
                   "of processes",
                   site->op->kind == HD_UNI_SEND   ? "this message"
                   : site->op->kind == HD_UNI_RECV ? "this receive"
                                                   : "this call");
  return ok;
}

/* Share they a channel? */
static hd_term one_channel(hd_uni *u, const hd_uni_spot *a,
                           const hd_uni_spot *b, const hd_uni_spot *x,
                           const hd_uni_spot *y) {
  hd_terms *t = u->l.terms;
  const hd_uni_op *first = a->site->op, *second = b->site->op;
  bool tags = first->tag && second->tag && x->site->op->tag &&
              y->site->op->tag && first->kind != HD_UNI_ALL;
  return tags ? hd_term_eq(t, hd_uni_spot_put(u, a, first->tag),
                           hd_uni_spot_put(u, b, second->tag))
              : hd_term_bool(t, true);
}

/* Do the numbers of items alone say that a is before b, whenever both happen? */
static bool plainly_before(const hd_uni_site *a, const hd_uni_site *b) {
  return a->at[0] < b->at[0];
}

/* M2 for two sites and two partners of theirs. */
static bool keeps_order(job *j, const hd_uni_proc *p, const hd_uni_pair *one,
                        const hd_uni_pair *two_, const hd_uni_proc *q) {
  hd_uni *u = j->u;
  if (plainly_before(two_->from, one->from) ||
      plainly_before(one->to, two_->to) || (one == two_ && !one->from->depth))
    return true;
  hd_term_list facts = {0};
  hd_uni_spot a, b, x, y;
  hd_uni_spot_make(u, p, one->from, NULL, &a);
  hd_uni_spot_make(u, p, two_->from, NULL, &b);
  hd_uni_partner(u, one, &a, q, &x);
  hd_uni_partner(u, two_, &b, q, &y);
  two(u, p, q, &facts);
  hd_uni_spot_facts(u, &a, &facts);
  hd_uni_spot_facts(u, &b, &facts);
  hd_vec_push(&facts, hd_uni_spot_happens(u, &x));
  hd_vec_push(&facts, hd_uni_spot_happens(u, &y));
  hd_vec_push(&facts, hd_uni_meet(u, p, &a, q, &x));
  hd_vec_push(&facts, hd_uni_meet(u, p, &b, q, &y));
  hd_vec_push(&facts, one_channel(u, &a, &b, &x, &y));
  hd_vec_push(&facts, hd_uni_before(u, &a, &b));
  bool ok = hd_uni_valid(u, &facts, hd_uni_before(u, &x, &y));
  hd_uni_spot_free(&a);
  hd_uni_spot_free(&b);
  hd_uni_spot_free(&x);
  hd_uni_spot_free(&y);
  hd_vec_free(&facts);
  if (!ok)
    hd_uni_fail_at(u, one->from->op->edge,
                   "the order of messages is not shown to be that of their "
                   "receives");
  return ok;
}

/* No message to oneself. */
static bool not_to_self(job *j, const hd_uni_proc *p, const hd_uni_site *site) {
  hd_uni *u = j->u;
  if (site->op->kind == HD_UNI_ALL)
    return true;
  hd_term_list facts = {0};
  hd_uni_spot a;
  hd_uni_spot_make(u, p, site, NULL, &a);
  add_facts(&facts, &p->facts);
  hd_uni_spot_facts(u, &a, &facts);
  hd_term peer = hd_uni_spot_put(u, &a, site->op->peer);
  bool ok = hd_uni_valid(u, &facts, hd_term_ne(u->l.terms, peer, p->rank));
  hd_uni_spot_free(&a);
  hd_vec_free(&facts);
  if (!ok)
    hd_uni_fail_at(u, site->op->edge, "a process may send to itself");
  return ok;
}

static bool prove_leaves(job *j, const hd_uni_path *one,
                         const hd_uni_path *other) {
  hd_uni *u = j->u;
  hd_uni_match *m = j->m;
  hd_uni_proc p, q;
  hd_uni_proc_make(u, one, &p);
  hd_uni_proc_make(u, other, &q);
  bool ok = true;
  for (size_t i = 0; i < m->sites.size && ok; i++) {
    const hd_uni_site *s = &m->sites.data[i];
    if (s->leaf != one)
      continue;
    ok = (one != other || not_to_self(j, &p, s)) && has_partner(j, &p, s, &q) &&
         hd_run_check(u->l.run);
  }
  for (size_t i = 0; i < m->pairs.size && ok; i++)
    for (size_t k = 0; k < m->pairs.size && ok; k++) {
      const hd_uni_pair *a = &m->pairs.data[i], *b = &m->pairs.data[k];
      if (a->from->leaf == one && b->from->leaf == one &&
          a->to->leaf == other && b->to->leaf == other &&
          a->from->op->kind == b->from->op->kind)
        ok = keeps_order(j, &p, a, b, &q) && hd_run_check(u->l.run);
    }
  hd_uni_proc_free(&p);
  hd_uni_proc_free(&q);
  return ok;
}

static bool has_sample(const hd_uni_match *m, int64_t n) {
  for (size_t i = 0; i < m->samples.size; i++)
    if (m->samples.data[i].n == n)
      return true;
  return false;
}

static bool prove_all(job *j) {
  hd_uni *u = j->u;
  bool ok = true;
  for (size_t i = 0; i < u->leaves.size && ok; i++)
    for (size_t k = 0; k < u->leaves.size && ok; k++)
      ok = prove_leaves(j, u->leaves.data[i], u->leaves.data[k]);
  return ok;
}

bool hd_uni_match_all(hd_uni *u, hd_uni_match *match) {
  job j = {.u = u, .m = match};
  for (size_t i = 0; i < u->leaves.size; i++)
    hd_uni_sites_of(u->leaves.data[i], &match->sites);
  bool ok = true;
  for (size_t i = 0; i < match->sites.size && ok; i++)
    if (match->sites.data[i].op->wait == HD_NO_ID) {
      hd_uni_fail_at(u, match->sites.data[i].op->edge,
                     "an operation that nobody waits for");
      ok = false;
    }
  for (int64_t n = u->least; ok && n < u->least + SAMPLES && n <= u->most; n++)
    ok = sample_number(&j, n);
  for (int round = 0; ok && round < TRIES; round++) {
    hd_vec_clear(&match->pairs);
    j.again = 0;
    ok = make_relation(&j) && prove_all(&j);
    int64_t n = j.again;
    if (ok || n < u->least + SAMPLES || has_sample(match, n))
      break;
    hd_free(
        u->failed); /* small N have not shown all: once more with this one */
    u->failed = NULL;
    ok = sample_number(&j, n);
  }
  if (!ok && !hd_run_check(u->l.run))
    hd_uni_fail(u, "%s", hd_run_why(u->l.run));
  return ok;
}

void hd_uni_match_free(hd_uni_match *match) {
  hd_vec_free(&match->sites);
  hd_vec_free(&match->pairs);
  hd_vec_free(&match->samples);
}
