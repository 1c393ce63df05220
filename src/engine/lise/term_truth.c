/* SPDX-License-Identifier: MIT */
/* Truth values, choices and arrays. A comparison is a polynomial against 0,
 * divided by what its coefficients have in common, so that equal conditions
 * are equal terms and integers need no strict one. */
#include "engine/lise/term_impl.h"

#include <stdlib.h>

/* --- comparisons with 0 --- */

/* A polynomial k + c * (b ? x : y) with numbers x and y, compared: the choice
 * decides. 0 when it is not of that form. */
static hd_term split(hd_terms *terms, hd_term a,
                     hd_term (*compare)(hd_terms *, hd_term)) {
  hd_monos m = {0};
  hd_poly_open(terms, a, &m);
  hd_term t = 0;
  if (m.size == 2 && node_of(terms, m.data[1].prod)->op == HD_TERM_ITE) {
    hd_term ite = m.data[1].prod;
    hd_term c = args_of(terms, ite)[0], x = args_of(terms, ite)[1],
            y = args_of(terms, ite)[2];
    if (hd_term_is_const(terms, x) || hd_term_is_const(terms, y)) {
      hd_term_sort sort = hd_term_sort_of(terms, a);
      hd_term k = hd_term_number(terms, sort, m.data[0].coef);
      hd_term f = hd_term_number(terms, sort, m.data[1].coef);
      x = hd_term_add(terms, k, hd_term_mul(terms, f, x));
      y = hd_term_add(terms, k, hd_term_mul(terms, f, y));
      t = hd_term_ite(terms, c, compare(terms, x), compare(terms, y));
    }
  }
  hd_vec_free(&m);
  return t;
}

/* Divides by what all coefficients (without the constant) have in common;
 * `sign`: and by the sign of the first. False when numbers get too large. */
static bool divide_out(hd_monos *m, bool sign) {
  hd_i128 num = 0, den = 1;
  for (size_t i = 1; i < m->size; i++) {
    num = hd_gcd(num, m->data[i].coef.num);
    hd_i128 g = hd_gcd(den, m->data[i].coef.den);
    if (__builtin_mul_overflow(den / g, m->data[i].coef.den, &den))
      return false;
  }
  if (sign && m->data[1].coef.num < 0)
    den = -den;
  return hd_poly_scale(m, num ? (hd_ratio){den, num} : (hd_ratio){1, 1});
}

hd_term hd_term_eq0(hd_terms *terms, hd_term a) {
  if (hd_term_is_const(terms, a))
    return hd_term_bool(terms, hd_term_ratio_of(terms, a).num == 0);
  hd_term t = split(terms, a, hd_term_eq0);
  if (t)
    return t;
  hd_term_sort sort = hd_term_sort_of(terms, a);
  hd_monos m = {0};
  hd_poly_open(terms, a, &m);
  if (divide_out(&m, true)) {
    if (sort == HD_OF_INT && m.data[0].coef.den != 1)
      t = terms->false_;
    else
      a = hd_poly_close(terms, sort, &m);
  }
  hd_vec_free(&m);
  return t ? t : hd_term_make(terms, HD_TERM_EQ0, HD_OF_BOOL, &a, 1);
}

hd_term hd_term_le0(hd_terms *terms, hd_term a) {
  if (hd_term_is_const(terms, a))
    return hd_term_bool(terms, hd_term_ratio_of(terms, a).num <= 0);
  hd_term t = split(terms, a, hd_term_le0);
  if (t)
    return t;
  hd_term_sort sort = hd_term_sort_of(terms, a);
  hd_monos m = {0};
  hd_poly_open(terms, a, &m);
  if (divide_out(&m, false)) {
    hd_ratio *c = &m.data[0].coef;
    if (sort == HD_OF_INT && c->den != 1) /* k + rest <= 0: round k up */
      *c = (hd_ratio){
          c->num >= 0 ? (c->num + c->den - 1) / c->den : c->num / c->den, 1};
    a = hd_poly_close(terms, sort, &m);
  }
  hd_vec_free(&m);
  return hd_term_make(terms, HD_TERM_LE0, HD_OF_BOOL, &a, 1);
}

hd_term hd_term_lt0(hd_terms *terms, hd_term a) {
  if (hd_term_is_const(terms, a))
    return hd_term_bool(terms, hd_term_ratio_of(terms, a).num < 0);
  if (hd_term_sort_of(terms, a) == HD_OF_INT)
    return hd_term_le0(terms, hd_term_add(terms, a, terms->one));
  hd_term t = split(terms, a, hd_term_lt0);
  if (t)
    return t;
  hd_monos m = {0};
  hd_poly_open(terms, a, &m);
  if (divide_out(&m, false))
    a = hd_poly_close(terms, HD_OF_REAL, &m);
  hd_vec_free(&m);
  return hd_term_make(terms, HD_TERM_LT0, HD_OF_BOOL, &a, 1);
}

/* --- comparisons --- */

static bool undefined(const hd_terms *terms, hd_term a, hd_term b) {
  return a == terms->undef || b == terms->undef;
}

static hd_term same_pointer(hd_terms *terms, hd_term a, hd_term b) {
  if (hd_term_op_of(terms, a) == HD_TERM_ITE)
    return hd_term_ite(terms, args_of(terms, a)[0],
                       same_pointer(terms, args_of(terms, a)[1], b),
                       same_pointer(terms, args_of(terms, a)[2], b));
  if (hd_term_op_of(terms, b) == HD_TERM_ITE)
    return same_pointer(terms, b, a);
  if (hd_term_op_of(terms, a) != HD_TERM_PTR ||
      hd_term_op_of(terms, b) != HD_TERM_PTR)
    return a == b ? terms->true_
                  : hd_term_fn(terms, "same", HD_OF_BOOL,
                               (hd_term[]){a < b ? a : b, a < b ? b : a}, 2);
  if (args_of(terms, a)[0] != args_of(terms, b)[0])
    return terms->false_;
  return hd_term_eq(terms, args_of(terms, a)[1], args_of(terms, b)[1]);
}

hd_term hd_term_eq(hd_terms *terms, hd_term a, hd_term b) {
  if (undefined(terms, a, b))
    return terms->undef;
  if (a == b)
    return terms->true_;
  hd_term_sort x = hd_term_sort_of(terms, a), y = hd_term_sort_of(terms, b);
  if (x == HD_OF_PTR && y == HD_OF_PTR)
    return same_pointer(terms, a, b);
  if (x == HD_OF_BOOL && y == HD_OF_BOOL)
    return hd_term_ite(terms, a, b, hd_term_not(terms, b));
  if (x >= HD_OF_PTR || y >= HD_OF_PTR)
    return hd_term_make(terms, HD_TERM_SAME, HD_OF_BOOL,
                        (uint32_t[]){a < b ? a : b, a < b ? b : a}, 2);
  return hd_term_eq0(terms, hd_term_sub(terms, a, b));
}

hd_term hd_term_ne(hd_terms *terms, hd_term a, hd_term b) {
  return hd_term_not(terms, hd_term_eq(terms, a, b));
}

hd_term hd_term_lt(hd_terms *terms, hd_term a, hd_term b) {
  return undefined(terms, a, b) ? terms->undef
                                : hd_term_lt0(terms, hd_term_sub(terms, a, b));
}

hd_term hd_term_le(hd_terms *terms, hd_term a, hd_term b) {
  return undefined(terms, a, b) ? terms->undef
                                : hd_term_le0(terms, hd_term_sub(terms, a, b));
}

/* --- connectives --- */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void flatten(const hd_terms *terms, hd_term_op op, hd_term t,
                    hd_u32s *out) {
  if (node_of(terms, t)->op != op) {
    hd_vec_push(out, t);
    return;
  }
  for (uint32_t i = 0; i < node_of(terms, t)->n; i++)
    hd_vec_push(out, args_of(terms, t)[i]);
}

static hd_term connect(hd_terms *terms, hd_term_op op, hd_term a, hd_term b) {
  hd_term neutral = op == HD_TERM_AND ? terms->true_ : terms->false_;
  hd_term strong = op == HD_TERM_AND ? terms->false_ : terms->true_;
  if (a == strong || b == strong)
    return strong;
  if (undefined(terms, a, b))
    return terms->undef;
  if (a == neutral || a == b)
    return b;
  if (b == neutral)
    return a;
  hd_u32s all = {0};
  flatten(terms, op, a, &all);
  flatten(terms, op, b, &all);
  qsort(all.data, all.size, sizeof *all.data, by_number);
  size_t n = 0;
  for (size_t i = 0; i < all.size; i++)
    if (!n || all.data[n - 1] != all.data[i])
      all.data[n++] = all.data[i];
  all.size = n;
  hd_term t = 0;
  for (size_t i = 0; i < n && !t && n <= 32; i++) {
    hd_term opposite = hd_term_not(terms, all.data[i]);
    if (bsearch(&opposite, all.data, n, sizeof opposite, by_number))
      t = strong;
  }
  if (!t)
    t = n == 1 ? all.data[0] : hd_term_make(terms, op, HD_OF_BOOL, all.data, n);
  hd_vec_free(&all);
  return t;
}

hd_term hd_term_and(hd_terms *terms, hd_term a, hd_term b) {
  return connect(terms, HD_TERM_AND, a, b);
}

hd_term hd_term_or(hd_terms *terms, hd_term a, hd_term b) {
  return connect(terms, HD_TERM_OR, a, b);
}

hd_term hd_term_implies(hd_terms *terms, hd_term a, hd_term b) {
  return hd_term_or(terms, hd_term_not(terms, a), b);
}

static hd_term not_each(hd_terms *terms, hd_term a, hd_term_op op) {
  hd_term t = op == HD_TERM_AND ? terms->true_ : terms->false_;
  for (uint32_t i = 0; i < node_of(terms, a)->n; i++)
    t = connect(terms, op, t, hd_term_not(terms, args_of(terms, a)[i]));
  return t;
}

hd_term hd_term_not(hd_terms *terms, hd_term a) {
  assert(hd_term_sort_of(terms, a) == HD_OF_BOOL || a == terms->undef);
  if (a == terms->undef)
    return a;
  const uint32_t *args = args_of(terms, a);
  hd_term first = args ? args[0] : 0, second = 0;
  switch (hd_term_op_of(terms, a)) {
  case HD_TERM_CONST:
    return a == terms->true_ ? terms->false_ : terms->true_;
  case HD_TERM_NOT:
    return first;
  case HD_TERM_LE0:
    return hd_term_lt0(terms, hd_term_neg(terms, first));
  case HD_TERM_LT0:
    return hd_term_le0(terms, hd_term_neg(terms, first));
  case HD_TERM_AND:
    return not_each(terms, a, HD_TERM_OR);
  case HD_TERM_OR:
    return not_each(terms, a, HD_TERM_AND);
  case HD_TERM_FORALL:
    second = args[1];
    return hd_term_exists(terms, first, hd_term_not(terms, second));
  case HD_TERM_EXISTS:
    second = args[1];
    return hd_term_forall(terms, first, hd_term_not(terms, second));
  default:
    return hd_term_make(terms, HD_TERM_NOT, HD_OF_BOOL, &a, 1);
  }
}

hd_term hd_term_ite(hd_terms *terms, hd_term c, hd_term a, hd_term b) {
  if (c == terms->undef)
    return c;
  if (c == terms->true_ || a == b)
    return a;
  if (c == terms->false_)
    return b;
  if (undefined(terms, a, b))
    return terms->undef;
  hd_term_sort sort = hd_term_sort_of(terms, a);
  if (sort == HD_OF_BOOL && hd_term_sort_of(terms, b) == HD_OF_BOOL)
    return hd_term_or(terms, hd_term_and(terms, c, a),
                      hd_term_and(terms, hd_term_not(terms, c), b));
  if (sort != hd_term_sort_of(terms, b)) {
    a = hd_term_toreal(terms, a);
    b = hd_term_toreal(terms, b);
    sort = HD_OF_REAL;
  }
  if (hd_term_op_of(terms, c) == HD_TERM_NOT)
    return hd_term_ite(terms, args_of(terms, c)[0], b, a);
  return hd_term_make(terms, HD_TERM_ITE, sort, (uint32_t[]){c, a, b}, 3);
}

hd_term hd_term_from_bool(hd_terms *terms, hd_term a) {
  return a == terms->undef ? a : hd_term_ite(terms, a, terms->one, terms->zero);
}

hd_term hd_term_to_bool(hd_terms *terms, hd_term a) {
  switch (hd_term_sort_of(terms, a)) {
  case HD_OF_BOOL:
  case HD_OF_ANY:
    return a;
  case HD_OF_PTR:
    return hd_term_ne(terms, a, hd_term_ptr(terms, 0, terms->zero));
  default:
    return hd_term_not(terms, hd_term_eq0(terms, a));
  }
}

static bool occurs(hd_terms *terms, hd_term sym, hd_term in) {
  hd_term_list list = {0};
  hd_term_visit_begin(terms);
  hd_term_visit(terms, in, &list);
  bool found = false;
  for (size_t i = 0; i < list.size; i++)
    found = found || list.data[i] == sym;
  hd_vec_free(&list);
  return found;
}

static hd_term quantify(hd_terms *terms, hd_term_op op, hd_term bound,
                        hd_term body) {
  assert(hd_term_op_of(terms, bound) == HD_TERM_SYM);
  if (body == terms->undef || !occurs(terms, bound, body))
    return body;
  return hd_term_make(terms, op, HD_OF_BOOL, (uint32_t[]){bound, body}, 2);
}

hd_term hd_term_forall(hd_terms *terms, hd_term bound, hd_term body) {
  return quantify(terms, HD_TERM_FORALL, bound, body);
}

hd_term hd_term_exists(hd_terms *terms, hd_term bound, hd_term body) {
  return quantify(terms, HD_TERM_EXISTS, bound, body);
}

/* --- arrays --- */

/* Are these two indices surely different, or surely the same? */
static int index_order(hd_terms *terms, hd_term i, hd_term j) {
  if (i == j)
    return 0;
  hd_term d = hd_term_sub(terms, i, j);
  if (!hd_term_is_const(terms, d))
    return -1;
  return hd_term_ratio_of(terms, d).num ? 1 : 0;
}

hd_term hd_term_select(hd_terms *terms, hd_term array, hd_term index) {
  if (array == terms->undef || index == terms->undef)
    return terms->undef;
  for (;;) {
    hd_term_op op = hd_term_op_of(terms, array);
    const uint32_t *args = args_of(terms, array);
    if (op == HD_TERM_FILL)
      return args[0];
    if (op != HD_TERM_STORE)
      break;
    hd_term rest = args[0], at = args[1], value = args[2];
    int order = index_order(terms, at, index);
    if (order == 0)
      return value;
    if (order < 0)
      break;
    array = rest;
  }
  hd_term_sort sort =
      hd_term_sort_of(terms, array) == HD_OF_INTS ? HD_OF_INT : HD_OF_REAL;
  return hd_term_make(terms, HD_TERM_SELECT, sort, (uint32_t[]){array, index},
                      2);
}

hd_term hd_term_store(hd_terms *terms, hd_term array, hd_term index,
                      hd_term value) {
  assert(array != terms->undef && index != terms->undef);
  if (hd_term_sort_of(terms, array) == HD_OF_REALS)
    value = hd_term_toreal(terms, value);
  if (hd_term_op_of(terms, array) == HD_TERM_STORE) {
    hd_term rest = args_of(terms, array)[0], at = args_of(terms, array)[1];
    hd_term old = args_of(terms, array)[2];
    int order = index_order(terms, at, index);
    if (order == 0)
      return hd_term_store(terms, rest, index, value);
    /* Stores to different places in one order. */
    if (order > 0 && index < at)
      return hd_term_make(
          terms, HD_TERM_STORE, hd_term_sort_of(terms, array),
          (uint32_t[]){hd_term_store(terms, rest, index, value), at, old}, 3);
  }
  return hd_term_make(terms, HD_TERM_STORE, hd_term_sort_of(terms, array),
                      (uint32_t[]){array, index, value}, 3);
}

hd_term hd_term_fill(hd_terms *terms, hd_term_sort sort, hd_term value) {
  if (sort == HD_OF_REALS)
    value = hd_term_toreal(terms, value);
  return hd_term_make(terms, HD_TERM_FILL, sort, &value, 1);
}
