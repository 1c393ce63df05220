/* SPDX-License-Identifier: MIT */
/* Nobody waits for ever.
 *
 * Each item of each path gets a time, a term over the rank, N and iterations,
 * which grows along the path. Whoever waits for an operation does so later than
 * its partner starts. Then, for given N, of all items that are not done the one
 * with the least time can be done: if it waits, the partner has started. So all
 * are done in the end, though nothing is buffered and collective calls wait for
 * all.
 *
 * Times are sums of a few features with unknown factors, which small N determine
 * (or show that there are none); that they do for all N is then proved. */
#include "engine/uniform/parts.h"

#include <stdlib.h>

enum { RUNGS = 3, MOST_FACTS = 6000, TRIES = 60 };

typedef struct {
  const hd_uni_path *path;
  uint32_t item;
  hd_term time; /* over the symbols of the path and unknown factors */
} point;

typedef struct {
  hd_uni *u;
  const hd_uni_match *m;
  int rung;
  hd_vec(point) points;
  hd_term_list factors;
  hd_term_list limits; /* what numbers say about the factors */
  hd_uni_map solved;   /* factor to number */
  bool learnt;         /* one more limit */
} job;

/* --- times --- */

static hd_term term_if(hd_terms *t, hd_term cond) {
  return hd_term_ite(t, cond, hd_term_int(t, 1), hd_term_int(t, 0));
}

static void features_of(job *j, const hd_uni_site *site,
                        const hd_uni_path *path, uint32_t item,
                        hd_term_list *out) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  hd_vec_push(out, hd_term_int(t, 1));
  if (!j->rung)
    return;
  hd_vec_push(out, u->rank);
  hd_vec_push(out, u->size);
  size_t first = out->size;
  for (uint32_t d = 0; d < site->depth; d++)
    hd_vec_push(out, site->loops[d]->k);
  for (uint32_t i = 0; i <= item && i < path->items.size; i++)
    if (path->items.data[i].loop)
      hd_vec_push(out, path->items.data[i].loop->k);
  if (j->rung < 2)
    return;
  size_t loops = out->size;
  for (size_t i = first; i < loops; i++)
    hd_vec_push(out, hd_term_mul(t, out->data[i], u->size));
  hd_term zero = hd_term_int(t, 0), two = hd_term_int(t, 2);
  hd_term last = hd_term_sub(t, u->size, hd_term_int(t, 1));
  hd_term odd = hd_term_trem(t, u->rank, two);
  hd_vec_push(out, odd);
  hd_vec_push(out, term_if(t, hd_term_eq(t, u->rank, zero)));
  hd_vec_push(out, term_if(t, hd_term_eq(t, u->rank, last)));
  hd_vec_push(out,
              hd_term_mul(t, odd, term_if(t, hd_term_eq(t, u->rank, last))));
}

static void add_points(job *j, hd_uni_site site, const hd_uni_path *path) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  for (size_t i = 0; i < j->points.size; i++)
    if (j->points.data[i].path == path)
      return;
  for (uint32_t i = 0; i < path->items.size; i++) {
    hd_term_list features = {0};
    features_of(j, &site, path, i, &features);
    hd_term time = hd_term_int(t, 0);
    for (size_t f = 0; f < features.size; f++) {
      hd_term c = hd_uni_fresh(u, HD_OF_INT);
      hd_vec_push(&j->factors, c);
      time = hd_term_add(t, time, hd_term_mul(t, c, features.data[f]));
    }
    hd_vec_free(&features);
    point p = {path, i, time};
    hd_vec_push(&j->points, p);
  }
  for (uint32_t i = 0; i < path->items.size; i++) {
    const hd_uni_loop *loop = path->items.data[i].loop;
    if (!loop)
      continue;
    hd_uni_site inner = site;
    inner.loops[inner.depth++] = loop;
    for (size_t b = 0; b < loop->bodies.size; b++)
      add_points(j, inner, loop->bodies.data[b]);
  }
}

static hd_term time_of(const job *j, const hd_uni_path *path, uint32_t item) {
  for (size_t i = 0; i < j->points.size; i++)
    if (j->points.data[i].path == path && j->points.data[i].item == item)
      return j->points.data[i].time;
  return 0;
}

/* --- what times have to satisfy --- */

/* A pair of times, each over the symbols of its path: the first is less. In a
 * loop, `at`: its symbol is this instead. */
typedef struct {
  hd_term less, more;
} later;
typedef hd_vec(later) claims;

static hd_term at_round(hd_uni *u, hd_term time, const hd_uni_loop *loop,
                        hd_term k) {
  hd_term_pair pair = {loop->k, k};
  return hd_term_subst(u->l.terms, time, &pair, 1);
}

static hd_term start_of(job *j, const hd_uni_path *path, uint32_t item) {
  const hd_uni_loop *loop = path->items.data[item].loop;
  hd_term time = time_of(j, path, item);
  return loop ? at_round(j->u, time, loop, hd_term_int(j->u->l.terms, 0))
              : time;
}

static void add_claim(claims *list, hd_term less, hd_term more) {
  later c = {less, more};
  hd_vec_push(list, c);
}

/* Along a path, without what is inside of its loops. */
static void along(job *j, const hd_uni_path *path, claims *out) {
  for (uint32_t i = 0; i + 1 < path->items.size; i++)
    add_claim(out, time_of(j, path, i), start_of(j, path, i + 1));
}

/* An iteration: from the head through the body to the head. */
static void around(job *j, const hd_uni_path *path, uint32_t item,
                   const hd_uni_path *body, claims *out) {
  hd_terms *t = j->u->l.terms;
  const hd_uni_loop *loop = path->items.data[item].loop;
  hd_term head = time_of(j, path, item);
  hd_term next =
      at_round(j->u, head, loop, hd_term_add(t, loop->k, hd_term_int(t, 1)));
  uint32_t n = (uint32_t)body->items.size;
  add_claim(out, head, n ? start_of(j, body, 0) : next);
  if (n)
    add_claim(out, time_of(j, body, n - 1), next);
  along(j, body, out);
}

/* --- with numbers --- */

static void limit(job *j, const hd_uni_values *a, hd_term less,
                  const hd_uni_values *b, hd_term more) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  hd_term sides[2] = {less, more};
  const hd_uni_values *values[2] = {a, b};
  for (int i = 0; i < 2; i++) {
    hd_uni_map map = {0};
    for (size_t k = 0; k < values[i]->size; k++) {
      hd_term_pair pair = {values[i]->data[k].symbol,
                           hd_term_int(t, values[i]->data[k].value)};
      hd_vec_push(&map, pair);
    }
    sides[i] = hd_uni_put(u, &map, sides[i]);
    hd_vec_free(&map);
  }
  hd_term fact = hd_term_lt(t, sides[0], sides[1]);
  if (!hd_term_is_true(t, fact))
    hd_vec_push(&j->limits, fact);
}

static void limit_all(job *j, const hd_uni_values *values, const claims *list) {
  for (size_t i = 0; i < list->size; i++)
    limit(j, values, list->data[i].less, values, list->data[i].more);
}

/* All iterations of the loops of a path. */
static void limit_loops(job *j, const hd_uni_path *path,
                        const hd_uni_values *values) {
  hd_uni *u = j->u;
  for (uint32_t i = 0; i < path->items.size; i++) {
    const hd_uni_loop *loop = path->items.data[i].loop;
    int64_t rounds = 0;
    if (!loop || !hd_uni_evaluate(u, values, loop->k, &rounds))
      continue;
    for (int64_t k = 0; k < rounds; k++)
      for (size_t b = 0; b < loop->bodies.size; b++) {
        hd_uni_values inner = {0};
        for (size_t v = 0; v < values->size; v++)
          if (values->data[v].symbol != loop->k)
            hd_vec_push(&inner, values->data[v]);
        hd_uni_set(&inner, loop->k, k);
        if (hd_uni_rounds(u, loop->bodies.data[b], 0, &inner)) {
          claims list = {0};
          around(j, path, i, loop->bodies.data[b], &list);
          limit_all(j, &inner, &list);
          hd_vec_free(&list);
          limit_loops(j, loop->bodies.data[b], &inner);
        }
        hd_vec_free(&inner);
      }
  }
}

static void limit_paths(job *j, int64_t n) {
  hd_uni *u = j->u;
  for (int64_t r = 0; r < n; r++)
    for (size_t p = 0; p < u->leaves.size; p++) {
      hd_uni_values values = {0};
      hd_uni_start(u, n, r, &values);
      if (hd_uni_rounds(u, u->leaves.data[p], 0, &values)) {
        claims list = {0};
        along(j, u->leaves.data[p], &list);
        limit_all(j, &values, &list);
        hd_vec_free(&list);
        limit_loops(j, u->leaves.data[p], &values);
      }
      hd_vec_free(&values);
    }
}

static void limit_pairs(job *j, int64_t most) {
  hd_uni *u = j->u;
  for (size_t i = 0; i < j->m->samples.size; i++) {
    const hd_uni_sample *s = &j->m->samples.data[i];
    const hd_uni_site *from = &j->m->sites.data[s->from],
                      *to = &j->m->sites.data[s->to];
    hd_uni_values a = {0}, b = {0};
    if (s->n <= most && hd_uni_values_at(u, from, s->n, s->r, s->k, &a) &&
        hd_uni_values_at(u, to, s->n, s->q, s->other, &b))
      limit(j, &b, time_of(j, to->owner, to->op->post), &a,
            time_of(j, from->owner, from->op->wait));
    hd_vec_free(&a);
    hd_vec_free(&b);
  }
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void without_doubles(hd_term_list *list) {
  if (list->size)
    qsort(list->data, list->size, sizeof *list->data, by_number);
  size_t n = 0;
  for (size_t i = 0; i < list->size; i++)
    if (!i || list->data[i] != list->data[i - 1])
      list->data[n++] = list->data[i];
  list->size = n;
}

/* What small N say. */
static void limit_small(job *j) {
  hd_uni *u = j->u;
  int64_t most = u->least + 4;
  for (int64_t n = u->least; n <= most && n <= u->most; n++)
    limit_paths(j, n);
  limit_pairs(j, most);
}

/* Factors that the limits allow. */
static bool solve(job *j) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  without_doubles(&j->limits);
  hd_vec_clear(&j->solved);
  for (size_t i = 0; i < j->limits.size; i++)
    if (hd_term_is_false(t, j->limits.data[i]))
      return false;
  if (j->limits.size > MOST_FACTS)
    return false;
  hd_prover_values values = {0};
  bool found =
      hd_prover_model(u->l.prover, j->limits.data, j->limits.size,
                      j->factors.data, j->factors.size, &values) == HD_VALID;
  for (size_t i = 0; i < values.size; i++) {
    long long value = strtoll(values.data[i], NULL, 10);
    hd_term_pair pair = {j->factors.data[i], hd_term_int(t, value)};
    hd_vec_push(&j->solved, pair);
    hd_free(values.data[i]);
  }
  hd_vec_free(&values);
  return found;
}

/* --- for all --- */

/* Where `less` is not less, in numbers: one more limit for the factors. */
static void learn(job *j, const hd_term_list *facts, hd_term less, hd_term more,
                  hd_term claim) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  hd_term_list all = {0}, symbols = {0};
  for (size_t i = 0; i < facts->size; i++)
    hd_vec_push(&all, facts->data[i]);
  hd_uni_power_lemmas(u, &all, claim);
  hd_vec_push(&all, hd_term_not(t, claim));
  hd_term_visit_begin(t);
  hd_term_visit(t, less, &symbols);
  hd_term_visit(t, more, &symbols);
  size_t n = 0;
  for (size_t i = 0; i < symbols.size; i++) {
    bool factor = false;
    for (size_t k = 0; k < j->factors.size && !factor; k++)
      factor = j->factors.data[k] == symbols.data[i];
    if (!factor)
      symbols.data[n++] = symbols.data[i];
  }
  hd_prover_values values = {0};
  if (hd_prover_model(u->l.prover, all.data, all.size, symbols.data, n,
                      &values) == HD_VALID) {
    hd_uni_values numbers = {0};
    for (size_t i = 0; i < n; i++)
      hd_uni_set(&numbers, symbols.data[i], strtoll(values.data[i], NULL, 10));
    size_t before = j->limits.size;
    limit(j, &numbers, less, &numbers, more);
    j->learnt = j->limits.size > before;
    hd_vec_free(&numbers);
  }
  for (size_t i = 0; i < values.size; i++)
    hd_free(values.data[i]);
  hd_vec_free(&values);
  hd_vec_free(&symbols);
  hd_vec_free(&all);
}

static bool less_for_all(job *j, const hd_term_list *facts, hd_term less,
                         hd_term more) {
  hd_uni *u = j->u;
  hd_term claim = hd_term_lt(u->l.terms, hd_uni_put(u, &j->solved, less),
                             hd_uni_put(u, &j->solved, more));
  if (hd_uni_valid(u, facts, claim))
    return true;
  learn(j, facts, less, more, claim);
  return false;
}

static bool prove_claims(job *j, const hd_uni_map *map,
                         const hd_term_list *facts, const claims *list) {
  hd_uni *u = j->u;
  bool ok = true;
  for (size_t i = 0; i < list->size && ok; i++)
    ok = less_for_all(j, facts, hd_uni_put(u, map, list->data[i].less),
                      hd_uni_put(u, map, list->data[i].more));
  return ok;
}

static bool prove_loops(job *j, const hd_uni_proc *proc, hd_uni_site site,
                        const hd_uni_path *path) {
  hd_uni *u = j->u;
  bool ok = true;
  for (uint32_t i = 0; i < path->items.size && ok; i++) {
    const hd_uni_loop *loop = path->items.data[i].loop;
    if (!loop)
      continue;
    for (size_t b = 0; b < loop->bodies.size && ok; b++) {
      hd_uni_site inner = site;
      inner.loops[inner.depth] = loop;
      inner.bodies[inner.depth++] = loop->bodies.data[b];
      hd_uni_spot spot;
      hd_uni_spot_make(u, proc, &inner, NULL, &spot);
      hd_term_list facts = {0};
      for (size_t f = 0; f < proc->facts.size; f++)
        hd_vec_push(&facts, proc->facts.data[f]);
      hd_uni_spot_facts(u, &spot, &facts);
      claims list = {0};
      around(j, path, i, loop->bodies.data[b], &list);
      ok = prove_claims(j, &spot.level[inner.depth], &facts, &list) &&
           prove_loops(j, proc, inner, loop->bodies.data[b]);
      hd_vec_free(&list);
      hd_vec_free(&facts);
      hd_uni_spot_free(&spot);
    }
  }
  return ok;
}

static bool prove_path(job *j, const hd_uni_path *leaf) {
  hd_uni *u = j->u;
  hd_uni_proc proc;
  hd_uni_proc_make(u, leaf, &proc);
  claims list = {0};
  along(j, leaf, &list);
  bool ok = prove_claims(j, &proc.map, &proc.facts, &list) &&
            prove_loops(j, &proc, (hd_uni_site){.leaf = leaf}, leaf);
  hd_vec_free(&list);
  hd_uni_proc_free(&proc);
  return ok;
}

static bool prove_pair(job *j, const hd_uni_pair *pair) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  hd_uni_proc p, q;
  hd_uni_proc_make(u, pair->from->leaf, &p);
  hd_uni_proc_make(u, pair->to->leaf, &q);
  hd_uni_spot a, b;
  hd_uni_spot_make(u, &p, pair->from, NULL, &a);
  hd_uni_partner(u, pair, &a, &q, &b);
  hd_term_list facts = {0};
  for (size_t i = 0; i < p.facts.size; i++)
    hd_vec_push(&facts, p.facts.data[i]);
  for (size_t i = 0; i < q.facts.size; i++)
    hd_vec_push(&facts, q.facts.data[i]);
  hd_vec_push(&facts, hd_term_ne(t, p.rank, q.rank));
  hd_uni_spot_facts(u, &a, &facts);
  hd_vec_push(&facts, hd_uni_spot_happens(u, &b));
  hd_vec_push(&facts, hd_uni_meet(u, &p, &a, &q, &b));
  hd_term starts =
      hd_uni_spot_put(u, &b, time_of(j, pair->to->owner, pair->to->op->post));
  hd_term waits = hd_uni_spot_put(
      u, &a, time_of(j, pair->from->owner, pair->from->op->wait));
  bool ok = less_for_all(j, &facts, starts, waits);
  hd_vec_free(&facts);
  hd_uni_spot_free(&a);
  hd_uni_spot_free(&b);
  hd_uni_proc_free(&p);
  hd_uni_proc_free(&q);
  return ok;
}

static bool prove(job *j) {
  hd_uni *u = j->u;
  bool ok = true;
  for (size_t i = 0; i < u->leaves.size && ok; i++)
    ok = prove_path(j, u->leaves.data[i]) && hd_run_check(u->l.run);
  for (size_t i = 0; i < j->m->pairs.size && ok; i++)
    ok = prove_pair(j, &j->m->pairs.data[i]) && hd_run_check(u->l.run);
  return ok;
}

/* Factors, until they do for all N or there are none. */
static bool attempt(job *j) {
  hd_uni *u = j->u;
  for (size_t i = 0; i < u->leaves.size; i++)
    add_points(j, (hd_uni_site){0}, u->leaves.data[i]);
  limit_small(j);
  bool ok = false;
  j->learnt = true;
  for (int round = 0; round < TRIES && j->learnt && !ok; round++) {
    j->learnt = false;
    ok = solve(j) && prove(j);
  }
  return ok;
}

bool hd_uni_order(hd_uni *u, const hd_uni_match *match) {
  for (int rung = 0; rung < RUNGS && hd_run_check(u->l.run); rung++) {
    job j = {.u = u, .m = match, .rung = rung};
    bool ok = attempt(&j);
    hd_vec_free(&j.points);
    hd_vec_free(&j.factors);
    hd_vec_free(&j.limits);
    hd_vec_free(&j.solved);
    if (ok)
      return true;
  }
  if (!hd_run_check(u->l.run))
    hd_uni_fail(u, "%s", hd_run_why(u->l.run));
  hd_uni_fail(u, "no order of the messages is found in which nobody waits for "
                 "ever, for every number of processes");
  return false;
}
