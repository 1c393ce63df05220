/* SPDX-License-Identifier: MIT */
/* What was not seen when the process was executed: it follows from what others
 * send. A value that was received is what the partner's message has in it, on
 * some path of the partner's; if it was received in turn, nothing is known about
 * it, unless an invariant says it. Duties of a path are shown one by one, those
 * before being assumed: the first that fails in a run would have to fail where
 * all before, of all processes, hold. */
#include "engine/uniform/parts.h"

#include "engine/lise/mpi.h"

#include <string.h>

typedef struct {
  hd_uni *u;
  const hd_uni_match *m;
} job;

static hd_term same_cells(hd_uni *u, const hd_uni_spot *a,
                          const hd_lise_message *got, const hd_uni_spot *b,
                          const hd_lise_message *sent) {
  hd_terms *t = u->l.terms;
  hd_term all = hd_term_bool(t, true);
  for (size_t i = 0; i < got->cells.size; i++)
    for (size_t k = 0; k < sent->cells.size; k++) {
      const hd_lise_cell *x = &got->cells.data[i], *y = &sent->cells.data[k];
      if (x->offset != y->offset || x->bytes != y->bytes ||
          hd_term_is_undef(t, y->value) ||
          hd_term_sort_of(t, x->value) != hd_term_sort_of(t, y->value))
        continue;
      all = hd_term_and(t, all,
                        hd_term_eq(t, hd_uni_spot_put(u, a, x->value),
                                   hd_uni_spot_put(u, b, y->value)));
    }
  return all;
}

/* What the partner of `a` sends, by one pair. */
static hd_term by_pair(job *j, const hd_uni_proc *q, const hd_uni_spot *a,
                       const hd_uni_pair *pair) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  const hd_uni_op *op = a->site->op, *other = pair->to->op;
  hd_uni_proc p;
  hd_uni_proc_make(u, pair->to->leaf, &p);
  hd_uni_spot b;
  hd_uni_partner(u, pair, a, &p, &b);
  hd_term all =
      hd_term_and(t, hd_uni_spot_happens(u, &b), hd_uni_meet(u, q, a, &p, &b));
  all = hd_term_and(t, all, hd_term_ne(t, p.rank, q->rank));
  for (size_t i = 0; i < p.facts.size; i++)
    all = hd_term_and(t, all, p.facts.data[i]);
  hd_term_list facts = {0};
  hd_uni_spot_facts(u, &b, &facts);
  for (size_t i = 0; i < facts.size; i++)
    all = hd_term_and(t, all, facts.data[i]);
  hd_vec_free(&facts);
  if (op->fn == HD_LIB_MPI_Bcast) /* the root's */
    all = hd_term_and(t, all,
                      hd_term_eq(t, p.rank, hd_uni_spot_put(u, a, op->peer)));
  const hd_lise_message *got = op->kind == HD_UNI_ALL ? op->result : op->cells;
  if (got && other->cells)
    all = hd_term_and(t, all, same_cells(u, a, got, &b, other->cells));
  hd_uni_spot_free(&b);
  hd_uni_proc_free(&p);
  return all;
}

/* --- reductions of one signed integer --- */

enum { MAX = 1, MIN = 2, SUM = 3 }; /* of mpi.h */

/* The only cell, an integer with a sign; 0: something else. */
static hd_term only_cell(const hd_uni_op *op, const hd_lise_message *m) {
  const char *name = hd_lise_type_name(op->type);
  if (!m || m->cells.size != 1 || op->count != 1 || m->cells.data[0].offset ||
      !strcmp(name, "MPI_C_BOOL") || strstr(name, "UNSIGNED") ||
      strstr(name, "MPI_UINT"))
    return 0;
  return m->cells.data[0].value;
}

/* Is what a process brings first + step * rank, with constants? */
static bool is_linear(hd_uni *u, hd_term value, int64_t *first, int64_t *step) {
  hd_terms *t = u->l.terms;
  int64_t next = 0;
  hd_uni_values at = {0};
  enum { ANY = 1000 };
  hd_uni_start(u, ANY, 0, &at);
  bool ok = hd_uni_evaluate(u, &at, value, first);
  hd_uni_start(u, ANY, 1, &at);
  ok = ok && hd_uni_evaluate(u, &at, value, &next) &&
       *first / ANY<INT32_MAX / ANY && * first / ANY> - INT32_MAX / ANY &&
       next / ANY < INT32_MAX / ANY && next / ANY > -INT32_MAX / ANY;
  hd_vec_free(&at);
  *step = ok ? next - *first : 0;
  hd_term line =
      ok ? hd_term_add(t, hd_term_int(t, *first),
                       hd_term_mul(t, hd_term_int(t, *step), u->rank))
         : 0;
  return ok && hd_term_is_true(t, hd_term_eq(t, value, line));
}

/* The sum of what all bring, if each brings the same line over its rank, and if it
 * fits into the type. */
static hd_term sum_of(job *j, const hd_uni_spot *a, hd_term result) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  const hd_uni_op *op = a->site->op;
  hd_term known = hd_term_bool(t, true), mine = only_cell(op, op->cells);
  int64_t first, step;
  hd_type unit;
  uint32_t bytes;
  if (!mine || !is_linear(u, mine, &first, &step) ||
      !hd_lise_datatype(op->type, &unit, &bytes))
    return known;
  for (size_t i = 0; i < j->m->pairs.size; i++) {
    const hd_uni_pair *pair = &j->m->pairs.data[i];
    if (pair->from == a->site &&
        only_cell(pair->to->op, pair->to->op->cells) != mine)
      return known;
  }
  hd_term n = u->size, one = hd_term_int(t, 1);
  hd_term twice =
      hd_term_add(t, hd_term_mul(t, hd_term_int(t, 2 * first), n),
                  hd_term_mul(t, hd_term_int(t, step),
                              hd_term_mul(t, n, hd_term_sub(t, n, one))));
  int64_t most =
      bytes < 8 ? ((int64_t)1 << (8 * bytes - 1)) - 1 : INT64_MAX / 4;
  hd_term fits = hd_term_and(t, hd_term_le(t, hd_term_int(t, -2 * most), twice),
                             hd_term_le(t, twice, hd_term_int(t, 2 * most)));
  hd_term is = hd_term_eq(t, hd_term_mul(t, hd_term_int(t, 2), result), twice);
  return hd_term_or(t, hd_term_not(t, fits), is);
}

static hd_term reduced(job *j, const hd_uni_proc *q, const hd_uni_spot *a) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  const hd_uni_op *op = a->site->op;
  hd_term result = only_cell(op, op->result), own = only_cell(op, op->cells);
  hd_term known = hd_term_bool(t, true);
  if (!result || !own || hd_term_sort_of(t, result) != HD_OF_INT ||
      hd_term_sort_of(t, own) != HD_OF_INT || hd_term_is_undef(t, own))
    return known;
  result = hd_uni_spot_put(u, a, result);
  if (op->op == SUM)
    return sum_of(j, a, result);
  if (op->op != MAX && op->op != MIN)
    return known;
  own = hd_uni_spot_put(u, a, own);
  known =
      op->op == MAX ? hd_term_le(t, own, result) : hd_term_le(t, result, own);
  hd_term from = hd_term_eq(t, result, own);
  for (size_t i = 0; i < j->m->pairs.size; i++)
    if (j->m->pairs.data[i].from == a->site)
      from = hd_term_or(t, from, by_pair(j, q, a, &j->m->pairs.data[i]));
  return hd_term_and(t, known, from);
}

/* What is known about what an operation has received. */
static hd_term received(job *j, const hd_uni_proc *q, const hd_uni_spot *a) {
  hd_terms *t = j->u->l.terms;
  hd_term some = hd_term_bool(t, false);
  const hd_uni_op *op = a->site->op;
  if (op->kind == HD_UNI_SEND || (op->kind == HD_UNI_ALL && !op->result))
    return hd_term_bool(t, true);
  if (op->kind == HD_UNI_ALL && op->fn != HD_LIB_MPI_Bcast)
    return reduced(j, q, a);
  for (size_t i = 0; i < j->m->pairs.size; i++)
    if (j->m->pairs.data[i].from == a->site)
      some = hd_term_or(t, some, by_pair(j, q, a, &j->m->pairs.data[i]));
  return some;
}

static bool is_claim_before(const hd_uni_path *path, const hd_uni_duty *duty,
                            hd_term fact) {
  for (size_t i = 0; i < duty->n_facts && i < path->facts.size; i++)
    if (path->facts.data[i] == fact)
      return true;
  return false;
}

/* The claim does not follow from the facts: for which number of processes, the
 * smallest, does it not either? */
static void suspect(hd_uni *u, const hd_term_list *facts, hd_term claim) {
  enum { MOST = 128 };
  hd_terms *t = u->l.terms;
  hd_term_list all = {0};
  for (size_t i = 0; i < facts->size; i++)
    hd_vec_push(&all, facts->data[i]);
  hd_vec_push(&all, hd_term_bool(t, true));
  for (uint32_t n = u->least; n <= MOST && hd_run_check(u->l.run); n++) {
    hd_vec_last(&all) = hd_term_eq(t, u->size, hd_term_int(t, n));
    if (hd_uni_valid(u, &all, claim))
      continue;
    u->suspect = n;
    break;
  }
  hd_vec_free(&all);
}

static void not_shown(hd_uni *u, const hd_uni_duty *duty,
                      const hd_term_list *facts, hd_term claim) {
  suspect(u, facts, claim);
  hd_uni_fail_at(u, duty->edge,
                 "%s is not shown for every number of processes: %s",
                 hd_property_name(duty->property), duty->message);
}

/* One duty of a path, of `site` (whose operation does not matter). */
static bool discharge(job *j, const hd_uni_site *site,
                      const hd_uni_duty *duty) {
  hd_uni *u = j->u;
  const hd_uni_path *path = site->owner;
  hd_uni_proc q;
  hd_uni_proc_make(u, site->leaf, &q);
  hd_uni_spot at;
  hd_uni_spot_make(u, &q, site, NULL, &at);
  hd_term_list facts = {0};
  for (size_t i = 0; i < q.facts.size; i++)
    hd_vec_push(&facts, q.facts.data[i]);
  hd_uni_spot_facts(u, &at, &facts);
  for (size_t i = 0; i < path->claims.size; i++)
    if (is_claim_before(path, duty, path->claims.data[i]))
      hd_vec_push(&facts, hd_uni_spot_put(u, &at, path->claims.data[i]));
  hd_term claim = hd_uni_spot_put(u, &at, duty->claim);
  bool ok = hd_uni_valid(u, &facts, claim);
  for (size_t i = 0; i < j->m->sites.size && !ok; i++) {
    const hd_uni_site *s = &j->m->sites.data[i];
    if (s->leaf != site->leaf || s->owner != path ||
        (size_t)(s->op - path->ops.data) >= duty->n_ops)
      continue;
    hd_uni_spot here = at;
    here.site = s;
    hd_vec_push(&facts, received(j, &q, &here));
  }
  ok = ok || hd_uni_valid(u, &facts, claim);
  if (!ok)
    not_shown(u, duty, &facts, claim);
  hd_vec_free(&facts);
  hd_uni_spot_free(&at);
  hd_uni_proc_free(&q);
  return ok;
}

/* Of the master or a worker: from what is known there, and that alone. Whether it
 * comes to its end is not known yet. */
static bool discharge_here(job *j, const hd_uni_path *path,
                           const hd_uni_duty *duty) {
  hd_term_list facts = {0};
  for (size_t i = 0; i < duty->n_facts; i++)
    hd_vec_push(&facts, path->facts.data[i]);
  bool ok = hd_uni_valid(j->u, &facts, duty->claim);
  if (!ok)
    not_shown(j->u, duty, &facts, duty->claim);
  hd_vec_free(&facts);
  return ok;
}

static bool discharge_path(job *j, hd_uni_site site, const hd_uni_path *path) {
  bool ok = true;
  site.owner = path;
  for (size_t i = 0; i < path->duties.size && ok; i++)
    ok = (j->u->role == HD_UNI_EACH
              ? discharge(j, &site, &path->duties.data[i])
              : discharge_here(j, path, &path->duties.data[i])) &&
         hd_run_check(j->u->l.run);
  for (size_t i = 0; i < path->items.size && ok; i++) {
    const hd_uni_loop *loop = path->items.data[i].loop;
    for (size_t b = 0; loop && b < loop->bodies.size && ok; b++) {
      hd_uni_site inner = site;
      inner.loops[inner.depth] = loop;
      inner.bodies[inner.depth++] = loop->bodies.data[b];
      ok = discharge_path(j, inner, loop->bodies.data[b]);
    }
  }
  return ok;
}

bool hd_uni_discharge(hd_uni *u, const hd_uni_match *match) {
  job j = {.u = u, .m = match};
  bool ok = true;
  for (size_t i = 0; i < u->leaves.size && ok; i++)
    ok = discharge_path(&j, (hd_uni_site){.leaf = u->leaves.data[i]},
                        u->leaves.data[i]);
  if (!ok && !hd_run_check(u->l.run))
    hd_uni_fail(u, "%s", hd_run_why(u->l.run));
  return ok;
}
