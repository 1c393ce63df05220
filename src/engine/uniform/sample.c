/* SPDX-License-Identifier: MIT */
/* Terms with numbers for their symbols. */
#include "engine/uniform/parts.h"

#include <string.h>

static bool function_at(const hd_uni *u, const hd_uni_values *values,
                        hd_term term, int64_t *out) {
  const hd_terms *t = u->l.terms;
  const char *name = hd_term_fn_name(t, term);
  uint32_t n = hd_term_node_of(t, term)->n;
  int64_t x = 0, e = 0;
  if (n < 2 || n > 3 ||
      !hd_uni_evaluate(u, values, hd_term_args(t, term)[1], &x) ||
      (n == 3 && !hd_uni_evaluate(u, values, hd_term_args(t, term)[2], &e)))
    return false;
  if (n == 2 && !strcmp(name, "pow2") && x >= 0 && x < 60) {
    *out = (int64_t)1 << x;
    return true;
  }
  if (n != 3 || e < 0 || e > 60)
    return false;
  int64_t power = (int64_t)1 << e;
  if (!strcmp(name, "div"))
    *out = x % power == 0;
  else if (!strcmp(name, "bit"))
    *out = x / power % 2 != 0;
  else if (!strcmp(name, "rest"))
    *out = x % power;
  else
    return false;
  return true;
}

static bool sum_at(const hd_uni *u, const hd_uni_values *values, hd_term term,
                   int64_t *out) {
  const hd_terms *t = u->l.terms;
  uint32_t n = hd_term_node_of(t, term)->n;
  hd_ratio c = hd_term_ratio_of(t, hd_term_args(t, term)[0]);
  hd_i128 num = c.num, den = c.den;
  for (uint32_t i = 1; i + 1 < n; i += 2) {
    hd_ratio f = hd_term_ratio_of(t, hd_term_args(t, term)[i]);
    int64_t x;
    if (!hd_uni_evaluate(u, values, hd_term_args(t, term)[i + 1], &x) ||
        f.den != 1 || den != 1 || x > (int64_t)1 << 50 ||
        x < -((int64_t)1 << 50) || f.num > (hd_i128)1 << 62 ||
        f.num < -((hd_i128)1 << 62))
      return false;
    num += f.num * x;
  }
  *out = (int64_t)num;
  return den == 1 && num <= INT64_MAX && num >= INT64_MIN;
}

static bool two_at(const hd_uni *u, const hd_uni_values *values, hd_term term,
                   int64_t *out) {
  const hd_terms *t = u->l.terms;
  int64_t a, b;
  if (!hd_uni_evaluate(u, values, hd_term_args(t, term)[0], &a) ||
      !hd_uni_evaluate(u, values, hd_term_args(t, term)[1], &b) || !b ||
      b == -1)
    return false;
  if (hd_term_op_of(t, term) == HD_TERM_TDIV)
    *out = a / b;
  else if (hd_term_op_of(t, term) == HD_TERM_TREM)
    *out = a % b;
  else
    *out = (a % b + (b < 0 ? -b : b)) % b;
  return true;
}

static bool junction_at(const hd_uni *u, const hd_uni_values *values,
                        hd_term term, int64_t *out) {
  const hd_terms *t = u->l.terms;
  int64_t decides = hd_term_op_of(t, term) == HD_TERM_OR;
  bool all = true;
  for (uint32_t i = 0; i < hd_term_node_of(t, term)->n; i++) {
    int64_t x;
    if (!hd_uni_evaluate(u, values, hd_term_args(t, term)[i], &x))
      all = false;
    else if (x == decides) {
      *out = decides;
      return true;
    }
  }
  *out = !decides;
  return all;
}

bool hd_uni_evaluate(const hd_uni *u, const hd_uni_values *values, hd_term term,
                     int64_t *out) {
  const hd_terms *t = u->l.terms;
  const uint32_t *args = hd_term_args(t, term);
  int64_t x;
  switch (hd_term_op_of(t, term)) {
  case HD_TERM_CONST:
    if (hd_term_sort_of(t, term) == HD_OF_BOOL) {
      *out = hd_term_is_true(t, term);
      return true;
    }
    return hd_term_is_int(t, term, out);
  case HD_TERM_SYM:
    for (size_t i = 0; i < values->size; i++)
      if (values->data[i].symbol == term) {
        *out = values->data[i].value;
        return true;
      }
    return false;
  case HD_TERM_SUM:
    return sum_at(u, values, term, out);
  case HD_TERM_PROD:
    *out = 1;
    for (uint32_t i = 0; i < hd_term_node_of(t, term)->n; i++) {
      if (!hd_uni_evaluate(u, values, args[i], &x) || x > 1 << 20 ||
          x < -(1 << 20) || *out > 1 << 30 || *out < -(1 << 30))
        return false;
      *out *= x;
    }
    return true;
  case HD_TERM_TDIV:
  case HD_TERM_TREM:
  case HD_TERM_EMOD:
    return two_at(u, values, term, out);
  case HD_TERM_ITE:
    return hd_uni_evaluate(u, values, args[0], &x) &&
           hd_uni_evaluate(u, values, args[x ? 1 : 2], out);
  case HD_TERM_FN:
    return function_at(u, values, term, out);
  case HD_TERM_EQ0:
  case HD_TERM_LE0:
  case HD_TERM_LT0:
    if (!hd_uni_evaluate(u, values, args[0], &x))
      return false;
    *out = hd_term_op_of(t, term) == HD_TERM_EQ0   ? x == 0
           : hd_term_op_of(t, term) == HD_TERM_LE0 ? x <= 0
                                                   : x < 0;
    return true;
  case HD_TERM_NOT:
    if (!hd_uni_evaluate(u, values, args[0], &x))
      return false;
    *out = !x;
    return true;
  case HD_TERM_AND:
  case HD_TERM_OR:
    return junction_at(u, values, term, out);
  default:
    return false;
  }
}

/* --- paths with numbers --- */

enum { MOST_ROUNDS = 40 };

/* 1 true, 0 false, -1 open */
static int truth(const hd_uni *u, const hd_uni_values *values,
                 const hd_uni_path *path) {
  int all = 1;
  for (size_t i = 0; i < path->facts.size; i++) {
    int64_t x;
    if (!hd_uni_evaluate(u, values, path->facts.data[i], &x))
      all = -1;
    else if (!x)
      return 0;
  }
  return all;
}

void hd_uni_set(hd_uni_values *values, hd_term symbol, int64_t value) {
  hd_uni_value v = {symbol, value};
  hd_vec_push(values, v);
}

/* Numbers of iterations that the conditions of the path allow; true: `values`
 * has them. */
bool hd_uni_rounds(const hd_uni *u, const hd_uni_path *path, size_t item,
                   hd_uni_values *values) {
  while (item < path->items.size && !path->items.data[item].loop)
    item++;
  if (item == path->items.size)
    return truth(u, values, path) != 0;
  for (int64_t n = 0; n < MOST_ROUNDS; n++) {
    size_t before = values->size;
    hd_uni_set(values, path->items.data[item].loop->k, n);
    if (truth(u, values, path) != 0 && hd_uni_rounds(u, path, item + 1, values))
      return true;
    values->size = before;
  }
  return false;
}

void hd_uni_start(const hd_uni *u, int64_t n, int64_t r,
                  hd_uni_values *values) {
  hd_vec_clear(values);
  hd_uni_set(values, u->rank, r);
  hd_uni_set(values, u->size, n);
}

/* What the symbols of a site are there. */
bool hd_uni_values_at(const hd_uni *u, const hd_uni_site *site, int64_t n,
                      int64_t r, const int64_t *k, hd_uni_values *values) {
  hd_uni_start(u, n, r, values);
  bool ok = hd_uni_rounds(u, site->leaf, 0, values);
  for (uint32_t d = 0; d < site->depth && ok; d++) {
    size_t kept = 0;
    for (size_t i = 0; i < values->size; i++)
      if (values->data[i].symbol != site->loops[d]->k)
        values->data[kept++] = values->data[i];
    values->size = kept;
    hd_uni_set(values, site->loops[d]->k, k[d]);
    ok = hd_uni_rounds(u, site->bodies[d], 0, values);
  }
  return ok;
}
