/* SPDX-License-Identifier: MIT */
/* Facts are flattened, equations with a symbol that can be isolated are used up
 * as substitutions (newest symbols first), then the claim's parts are looked for
 * among what is left. */
#include "engine/lise/rewrite.h"
#include "engine/lise/term_impl.h"

/* --- equations --- */

void hd_rewrite_add(hd_terms *terms, hd_term_list *list, hd_term fact) {
  if (hd_term_is_true(terms, fact))
    return;
  if (hd_term_op_of(terms, fact) == HD_TERM_AND) {
    for (uint32_t i = 0; i < hd_term_node_of(terms, fact)->n; i++)
      hd_rewrite_add(terms, list, hd_term_args(terms, fact)[i]);
    return;
  }
  for (size_t i = 0; i < list->size; i++)
    if (list->data[i] == fact)
      return;
  hd_vec_push(list, fact);
}

static bool mentions(hd_terms *terms, hd_term t, hd_term sym) {
  hd_term_list list = {0};
  hd_term_visit_begin(terms);
  hd_term_visit(terms, t, &list);
  bool found = false;
  for (size_t i = 0; i < list.size && !found; i++)
    found = list.data[i] == sym;
  hd_vec_free(&list);
  return found;
}

/* Is symbol a eliminated before b? Y before X, newer ones before older. */
static bool sooner(const hd_terms *terms, hd_term a, hd_term b) {
  const uint32_t *x = hd_term_args(terms, a), *y = hd_term_args(terms, b);
  return x[0] != y[0] ? x[0] > y[0] : x[1] > y[1];
}

/* A symbol of the equation p = 0 that can be isolated; 0 = none. */
static bool isolate(hd_terms *terms, hd_term p, hd_term_pair *out) {
  hd_monos m = {0};
  hd_poly_open(terms, p, &m);
  bool whole = hd_term_sort_of(terms, p) == HD_OF_INT;
  size_t best = 0;
  for (size_t i = 1; i < m.size; i++) {
    hd_mono x = m.data[i];
    if (hd_term_op_of(terms, x.prod) != HD_TERM_SYM ||
        hd_term_args(terms, x.prod)[0] == HD_SYM_BOUND ||
        (whole && x.coef.num != 1 && x.coef.num != -1) ||
        (best && !sooner(terms, x.prod, m.data[best].prod)))
      continue;
    bool alone = true;
    for (size_t k = 1; k < m.size && alone; k++)
      alone = k == i || !mentions(terms, m.data[k].prod, x.prod);
    if (alone)
      best = i;
  }
  bool ok = best != 0;
  if (ok) {
    hd_mono x = m.data[best];
    m.data[best] = hd_vec_last(&m);
    m.size--;
    hd_ratio f = x.coef.num > 0 ? (hd_ratio){-x.coef.den, x.coef.num}
                                : (hd_ratio){x.coef.den, -x.coef.num};
    ok = hd_poly_scale(&m, f);
    out->from = x.prod;
    out->to = ok ? hd_poly_close(terms, hd_term_sort_of(terms, p), &m) : 0;
    ok = ok && out->to;
  }
  hd_vec_free(&m);
  return ok;
}

static bool solve(hd_terms *terms, hd_term fact, hd_term_pair *out) {
  const uint32_t *args = hd_term_args(terms, fact);
  if (hd_term_op_of(terms, fact) == HD_TERM_EQ0)
    return isolate(terms, args[0], out);
  if (hd_term_op_of(terms, fact) != HD_TERM_SAME)
    return false;
  hd_term a = args[0], b = args[1];
  for (int k = 0; k < 2; k++) {
    hd_term from = k ? b : a, to = k ? a : b;
    if (hd_term_op_of(terms, from) == HD_TERM_SYM &&
        !mentions(terms, to, from)) {
      *out = (hd_term_pair){from, to};
      return true;
    }
  }
  return false;
}

bool hd_rewrite_equations(hd_terms *terms, hd_term_list *facts,
                          hd_term *claim) {
  for (size_t i = 0; i < facts->size;) {
    if (hd_term_is_false(terms, facts->data[i]))
      return false;
    hd_term_pair pair;
    if (!solve(terms, facts->data[i], &pair)) {
      i++;
      continue;
    }
    hd_term_list new = {0};
    hd_term_subst_begin(terms, &pair, 1);
    for (size_t k = 0; k < facts->size; k++)
      if (k != i)
        hd_rewrite_add(terms, &new, hd_term_subst_next(terms, facts->data[k]));
    *claim = hd_term_subst_next(terms, *claim);
    hd_term_subst_end(terms);
    hd_vec_free(facts);
    *facts = new;
    i = 0;
  }
  return true;
}

/* --- fractions --- */

hd_term hd_rewrite_denominator(const hd_terms *terms, hd_term t) {
  hd_monos m = {0};
  hd_poly_open(terms, t, &m);
  hd_term found = 0;
  for (size_t i = 1; i < m.size && !found; i++) {
    hd_term prod = m.data[i].prod;
    bool single = hd_term_op_of(terms, prod) != HD_TERM_PROD;
    uint32_t n = single ? 1 : hd_term_node_of(terms, prod)->n;
    for (uint32_t k = 0; k < n && !found; k++) {
      hd_term f = single ? prod : hd_term_args(terms, prod)[k];
      if (hd_term_op_of(terms, f) == HD_TERM_INV)
        found = hd_term_args(terms, f)[0];
    }
  }
  hd_vec_free(&m);
  return found;
}

/* t * d where t is a polynomial with factors 1 / d: those are taken away. */
hd_term hd_rewrite_times(hd_terms *terms, hd_term t, hd_term d) {
  hd_monos m = {0};
  hd_poly_open(terms, t, &m);
  hd_term inv = hd_term_rdiv(terms, hd_term_int(terms, 1), d);
  hd_term all = hd_term_number(terms, HD_OF_REAL, (hd_ratio){0, 1});
  for (size_t i = 0; i < m.size; i++) {
    hd_term c = hd_term_number(terms, HD_OF_REAL, m.data[i].coef);
    hd_term prod = m.data[i].prod;
    bool gone = false;
    if (prod && hd_term_op_of(terms, prod) == HD_TERM_PROD) {
      for (uint32_t k = 0; k < hd_term_node_of(terms, prod)->n; k++) {
        hd_term f = hd_term_args(terms, prod)[k];
        if (f == inv && !gone)
          gone = true;
        else
          c = hd_term_mul(terms, c, f);
      }
    } else if (prod == inv) {
      gone = true;
    } else if (prod) {
      c = hd_term_mul(terms, c, prod);
    }
    all = hd_term_add(terms, all, gone ? c : hd_term_mul(terms, c, d));
  }
  hd_vec_free(&m);
  return all;
}

/* --- looking up --- */

/* p <= 0 from q <= 0 or q = 0 with p = q + c, c <= 0 */
static bool bounded(hd_terms *terms, const hd_term_list *facts, hd_term p,
                    bool strict) {
  for (size_t i = 0; i < facts->size; i++) {
    hd_term_op op = hd_term_op_of(terms, facts->data[i]);
    if (op != HD_TERM_LE0 && op != HD_TERM_EQ0 && op != HD_TERM_LT0)
      continue;
    hd_term q = hd_term_args(terms, facts->data[i])[0];
    if (hd_term_sort_of(terms, q) != hd_term_sort_of(terms, p))
      continue;
    for (int sign = 0; sign < (op == HD_TERM_EQ0 ? 2 : 1); sign++) {
      hd_term d = sign ? hd_term_add(terms, p, q) : hd_term_sub(terms, p, q);
      if (!hd_term_is_const(terms, d))
        continue;
      hd_i128 c = hd_term_ratio_of(terms, d).num;
      if (c < 0 || (c == 0 && (!strict || op == HD_TERM_LT0)))
        return true;
    }
  }
  return false;
}

bool hd_rewrite_among(const hd_term_list *facts, hd_term claim) {
  for (size_t i = 0; i < facts->size; i++)
    if (facts->data[i] == claim)
      return true;
  return false;
}

bool hd_rewrite_follows(hd_terms *terms, const hd_term_list *facts,
                        hd_term claim) {
  if (hd_term_is_true(terms, claim) || hd_rewrite_among(facts, claim))
    return true;
  hd_term_op op = hd_term_op_of(terms, claim);
  hd_term a = op == HD_TERM_CONST ? 0 : hd_term_args(terms, claim)[0];
  switch (op) {
  case HD_TERM_LE0:
    return bounded(terms, facts, a, false);
  case HD_TERM_LT0:
    return bounded(terms, facts, a, true);
  case HD_TERM_EQ0:
    return bounded(terms, facts, a, false) &&
           bounded(terms, facts, hd_term_neg(terms, a), false);
  case HD_TERM_NOT:
    if (hd_term_op_of(terms, a) != HD_TERM_EQ0)
      return false;
    a = hd_term_args(terms, a)[0];
    if (hd_term_sort_of(terms, a) == HD_OF_REAL)
      return bounded(terms, facts, a, true) ||
             bounded(terms, facts, hd_term_neg(terms, a), true);
    return bounded(terms, facts, hd_term_add(terms, a, hd_term_int(terms, 1)),
                   false) ||
           bounded(terms, facts, hd_term_sub(terms, hd_term_int(terms, 1), a),
                   false);
  case HD_TERM_OR:
    for (uint32_t i = 0; i < hd_term_node_of(terms, claim)->n; i++)
      if (hd_rewrite_follows(terms, facts, hd_term_args(terms, claim)[i]))
        return true;
    return false;
  case HD_TERM_AND:
    for (uint32_t i = 0; i < hd_term_node_of(terms, claim)->n; i++)
      if (!hd_rewrite_follows(terms, facts, hd_term_args(terms, claim)[i]))
        return false;
    return true;
  default:
    return false;
  }
}

void hd_rewrite_select(hd_terms *terms, const hd_term_list *facts,
                       hd_term claim, hd_term_list *out) {
  hd_term_list syms = {0};
  bool *taken = hd_calloc(facts->size + 1, sizeof *taken);
  hd_term_visit_begin(terms);
  hd_term_visit(terms, claim, &syms);
  hd_vec(uint64_t) marks = {0};
  while (marks.size < hd_terms_count(terms))
    hd_vec_push(&marks, 0);
  for (size_t i = 0; i < syms.size; i++)
    marks.data[syms.data[i]] = 1;
  bool more = true;
  while (more) {
    more = false;
    for (size_t i = 0; i < facts->size; i++) {
      if (taken[i])
        continue;
      hd_term_list own = {0};
      hd_term_visit_begin(terms);
      hd_term_visit(terms, facts->data[i], &own);
      bool touches = own.size == 0 || hd_term_is_false(terms, claim);
      for (size_t k = 0; k < own.size && !touches; k++)
        touches = marks.data[own.data[k]] != 0;
      if (touches) {
        taken[i] = more = true;
        for (size_t k = 0; k < own.size; k++)
          marks.data[own.data[k]] = 1;
      }
      hd_vec_free(&own);
    }
  }
  for (size_t i = 0; i < facts->size; i++)
    if (taken[i])
      hd_vec_push(out, facts->data[i]);
  hd_vec_free(&marks);
  hd_vec_free(&syms);
  hd_free(taken);
}
