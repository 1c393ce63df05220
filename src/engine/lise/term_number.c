/* SPDX-License-Identifier: MIT */
/* Numbers: polynomials with rational coefficients over everything that is no
 * sum and no product. Expanding is bounded; what would get too large stays a
 * product (RAW_MUL), which is no less true. */
#include "engine/lise/term_impl.h"

#include <stdlib.h>

enum { MOST_MONOMIALS = 400 };

/* --- rationals --- */

hd_i128 hd_gcd(hd_i128 a, hd_i128 b) {
  if (a < 0)
    a = -a;
  if (b < 0)
    b = -b;
  while (b) {
    hd_i128 r = a % b;
    a = b;
    b = r;
  }
  return a;
}

/* Room is left so that signs and small sums never overflow. */
static bool small(hd_i128 a) {
  const hd_i128 most = (hd_i128)1 << 120;
  return a < most && a > -most;
}

static bool reduce(hd_i128 num, hd_i128 den, hd_ratio *out) {
  hd_i128 g = hd_gcd(num, den);
  *out = (hd_ratio){num / g, den / g};
  return small(out->num) && small(out->den);
}

bool hd_ratio_add(hd_ratio a, hd_ratio b, hd_ratio *out) {
  hd_i128 x, y, num, den;
  if (__builtin_mul_overflow(a.num, b.den, &x) ||
      __builtin_mul_overflow(b.num, a.den, &y) ||
      __builtin_add_overflow(x, y, &num) ||
      __builtin_mul_overflow(a.den, b.den, &den))
    return false;
  return reduce(num, den, out);
}

bool hd_ratio_mul(hd_ratio a, hd_ratio b, hd_ratio *out) {
  hd_i128 g = hd_gcd(a.num, b.den), h = hd_gcd(b.num, a.den);
  if (g > 1)
    a.num /= g, b.den /= g;
  if (h > 1)
    b.num /= h, a.den /= h;
  hd_i128 num, den;
  if (__builtin_mul_overflow(a.num, b.num, &num) ||
      __builtin_mul_overflow(a.den, b.den, &den))
    return false;
  return reduce(num, den, out);
}

/* --- polynomials --- */

void hd_poly_open(const hd_terms *terms, hd_term t, hd_monos *out) {
  hd_vec_clear(out);
  const hd_term_node *node = node_of(terms, t);
  const hd_ratio none = {0, 1}, one = {1, 1};
  if (node->op == HD_TERM_CONST) {
    hd_vec_push(out, ((hd_mono){0, hd_term_ratio_of(terms, t)}));
  } else if (node->op == HD_TERM_SUM) {
    const uint32_t *args = args_of(terms, t);
    hd_vec_push(out, ((hd_mono){0, hd_term_ratio_of(terms, args[0])}));
    for (uint32_t i = 1; i < node->n; i += 2)
      hd_vec_push(out,
                  ((hd_mono){args[i + 1], hd_term_ratio_of(terms, args[i])}));
  } else {
    hd_vec_push(out, ((hd_mono){0, none}));
    hd_vec_push(out, ((hd_mono){t, one}));
  }
}

static int by_product(const void *a, const void *b) {
  const hd_mono *x = a, *y = b;
  return x->prod < y->prod ? -1 : x->prod > y->prod;
}

/* Sorts and adds up; false when numbers get too large. */
static bool tidy(hd_monos *monos) {
  qsort(monos->data, monos->size, sizeof *monos->data, by_product);
  size_t n = 0;
  for (size_t i = 0; i < monos->size; i++) {
    hd_mono m = monos->data[i];
    while (i + 1 < monos->size && monos->data[i + 1].prod == m.prod)
      if (!hd_ratio_add(m.coef, monos->data[++i].coef, &m.coef))
        return false;
    if (m.coef.num || !m.prod)
      monos->data[n++] = m;
  }
  monos->size = n;
  return true;
}

hd_term hd_poly_close(hd_terms *terms, hd_term_sort sort, hd_monos *monos) {
  if (!tidy(monos))
    return 0;
  assert(monos->size && !monos->data[0].prod);
  if (monos->size == 1)
    return hd_term_number(terms, sort, monos->data[0].coef);
  const hd_mono *m = &monos->data[1];
  if (monos->size == 2 && !monos->data[0].coef.num && m->coef.num == 1 &&
      m->coef.den == 1)
    return m->prod;
  hd_u32s args = {0};
  hd_vec_push(&args, hd_term_number(terms, sort, monos->data[0].coef));
  for (size_t i = 1; i < monos->size; i++) {
    hd_vec_push(&args, hd_term_number(terms, sort, monos->data[i].coef));
    hd_vec_push(&args, monos->data[i].prod);
  }
  hd_term t = hd_term_make(terms, HD_TERM_SUM, sort, args.data, args.size);
  hd_vec_free(&args);
  return t;
}

bool hd_poly_scale(hd_monos *monos, hd_ratio coef) {
  for (size_t i = 0; i < monos->size; i++)
    if (!hd_ratio_mul(monos->data[i].coef, coef, &monos->data[i].coef))
      return false;
  return true;
}

/* --- sums --- */

static bool undefined(const hd_terms *terms, hd_term a, hd_term b) {
  return a == terms->undef || b == terms->undef;
}

/* Makes both of one sort. */
static hd_term_sort unify(hd_terms *terms, hd_term *a, hd_term *b) {
  hd_term_sort x = hd_term_sort_of(terms, *a), y = hd_term_sort_of(terms, *b);
  if (x == HD_OF_BOOL)
    *a = hd_term_from_bool(terms, *a), x = HD_OF_INT;
  if (y == HD_OF_BOOL)
    *b = hd_term_from_bool(terms, *b), y = HD_OF_INT;
  if (x == y)
    return x;
  if (x == HD_OF_INT)
    *a = hd_term_toreal(terms, *a);
  if (y == HD_OF_INT)
    *b = hd_term_toreal(terms, *b);
  return HD_OF_REAL;
}

static hd_term combine(hd_terms *terms, hd_term a, hd_term b, int64_t factor) {
  if (undefined(terms, a, b))
    return terms->undef;
  hd_term_sort sort = unify(terms, &a, &b);
  hd_monos x = {0}, y = {0};
  hd_poly_open(terms, a, &x);
  hd_poly_open(terms, b, &y);
  hd_term t = 0;
  if (hd_poly_scale(&y, (hd_ratio){factor, 1})) {
    for (size_t i = 0; i < y.size; i++)
      hd_vec_push(&x, y.data[i]);
    t = hd_poly_close(terms, sort, &x);
  }
  if (!t) {
    hd_term scaled =
        factor == 1 ? b : hd_term_mul(terms, b, hd_term_int(terms, factor));
    t = hd_term_make(terms, HD_TERM_RAW_ADD, sort, (uint32_t[]){a, scaled}, 2);
  }
  hd_vec_free(&x);
  hd_vec_free(&y);
  return t;
}

hd_term hd_term_add(hd_terms *terms, hd_term a, hd_term b) {
  return combine(terms, a, b, 1);
}

hd_term hd_term_sub(hd_terms *terms, hd_term a, hd_term b) {
  return combine(terms, a, b, -1);
}

hd_term hd_term_neg(hd_terms *terms, hd_term a) {
  return hd_term_sub(terms, terms->zero, a);
}

/* --- products --- */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void add_factors(const hd_terms *terms, hd_term t, hd_u32s *out) {
  if (node_of(terms, t)->op != HD_TERM_PROD) {
    hd_vec_push(out, t);
    return;
  }
  for (uint32_t i = 0; i < node_of(terms, t)->n; i++)
    hd_vec_push(out, args_of(terms, t)[i]);
}

/* x * (1 / x) = 1: a division was checked before INV was made. */
static void cancel(const hd_terms *terms, hd_u32s *factors) {
  for (size_t i = 0; i < factors->size; i++) {
    if (!factors->data[i] ||
        node_of(terms, factors->data[i])->op != HD_TERM_INV)
      continue;
    hd_term of = args_of(terms, factors->data[i])[0];
    for (size_t j = 0; j < factors->size; j++)
      if (factors->data[j] == of) {
        factors->data[i] = factors->data[j] = 0;
        break;
      }
  }
  size_t n = 0;
  for (size_t i = 0; i < factors->size; i++)
    if (factors->data[i])
      factors->data[n++] = factors->data[i];
  factors->size = n;
}

/* The product of two products; 0 = the number 1. */
static hd_term product(hd_terms *terms, hd_term_sort sort, hd_term a,
                       hd_term b) {
  if (!a || !b)
    return a ? a : b;
  hd_u32s factors = {0};
  add_factors(terms, a, &factors);
  add_factors(terms, b, &factors);
  cancel(terms, &factors);
  qsort(factors.data, factors.size, sizeof *factors.data, by_number);
  hd_term t = factors.size == 0   ? 0
              : factors.size == 1 ? factors.data[0]
                                  : hd_term_make(terms, HD_TERM_PROD, sort,
                                                 factors.data, factors.size);
  hd_vec_free(&factors);
  return t;
}

hd_term hd_term_mul(hd_terms *terms, hd_term a, hd_term b) {
  if (undefined(terms, a, b))
    return terms->undef;
  hd_term_sort sort = unify(terms, &a, &b);
  hd_monos x = {0}, y = {0}, all = {0};
  hd_poly_open(terms, a, &x);
  hd_poly_open(terms, b, &y);
  hd_vec_push(&all, ((hd_mono){0, {0, 1}}));
  bool fits = x.size * y.size <= MOST_MONOMIALS;
  for (size_t i = 0; fits && i < x.size; i++)
    for (size_t j = 0; fits && j < y.size; j++) {
      hd_mono m;
      fits = hd_ratio_mul(x.data[i].coef, y.data[j].coef, &m.coef);
      if (!fits || !m.coef.num)
        continue;
      m.prod = product(terms, sort, x.data[i].prod, y.data[j].prod);
      hd_vec_push(&all, m);
    }
  hd_term t = fits ? hd_poly_close(terms, sort, &all) : 0;
  if (!t)
    t = hd_term_make(terms, HD_TERM_RAW_MUL, sort,
                     (uint32_t[]){a < b ? a : b, a < b ? b : a}, 2);
  hd_vec_free(&x);
  hd_vec_free(&y);
  hd_vec_free(&all);
  return t;
}

/* --- division --- */

/* 1 / a with a's first coefficient made 1. */
hd_term hd_term_rdiv(hd_terms *terms, hd_term a, hd_term b) {
  if (undefined(terms, a, b))
    return terms->undef;
  a = hd_term_toreal(terms, a);
  b = hd_term_toreal(terms, b);
  hd_monos y = {0};
  hd_poly_open(terms, b, &y);
  size_t lead = y.size > 1 ? 1 : 0;
  hd_ratio c = y.data[lead].coef;
  hd_term t = 0;
  if (c.num) {
    hd_ratio inverse =
        c.num > 0 ? (hd_ratio){c.den, c.num} : (hd_ratio){-c.den, -c.num};
    hd_term k = hd_term_number(terms, HD_OF_REAL, inverse);
    if (y.size == 1) {
      t = hd_term_mul(terms, a, k);
    } else if (hd_poly_scale(&y, inverse)) {
      hd_term unit = hd_poly_close(terms, HD_OF_REAL, &y);
      if (unit) {
        hd_term inv = hd_term_make(terms, HD_TERM_INV, HD_OF_REAL, &unit, 1);
        t = hd_term_mul(terms, hd_term_mul(terms, a, k), inv);
      }
    }
  }
  hd_vec_free(&y);
  if (!t)
    t = hd_term_mul(terms, a,
                    hd_term_make(terms, HD_TERM_INV, HD_OF_REAL, &b, 1));
  return t;
}

hd_term hd_term_exact_div(hd_terms *terms, hd_term a, int64_t divisor) {
  assert(divisor);
  hd_monos x = {0};
  hd_poly_open(terms, a, &x);
  bool ok = hd_poly_scale(&x, divisor > 0 ? (hd_ratio){1, divisor}
                                          : (hd_ratio){-1, -divisor});
  for (size_t i = 0; ok && i < x.size; i++)
    ok = x.data[i].coef.den == 1;
  hd_term t = ok ? hd_poly_close(terms, HD_OF_INT, &x) : 0;
  hd_vec_free(&x);
  return t;
}

typedef enum { QUOTIENT, REMAINDER, MODULO } division;

static hd_i128 divide(division what, hd_i128 a, hd_i128 b) {
  if (what == QUOTIENT)
    return a / b;
  hd_i128 r = a % b;
  return what == MODULO && r < 0 ? r + (b < 0 ? -b : b) : r;
}

static hd_term integer_division(hd_terms *terms, division what, hd_term a,
                                hd_term b) {
  if (undefined(terms, a, b))
    return terms->undef;
  a = hd_term_sort_of(terms, a) == HD_OF_BOOL ? hd_term_from_bool(terms, a) : a;
  b = hd_term_sort_of(terms, b) == HD_OF_BOOL ? hd_term_from_bool(terms, b) : b;
  int64_t d;
  bool by_number = hd_term_is_int(terms, b, &d) && d != 0;
  if (by_number && hd_term_is_const(terms, a))
    return hd_term_number(
        terms, HD_OF_INT,
        (hd_ratio){divide(what, hd_term_ratio_of(terms, a).num, d), 1});
  if (by_number) {
    hd_term exact = hd_term_exact_div(terms, a, d);
    if (exact)
      return what == QUOTIENT ? exact : terms->zero;
  }
  static const hd_term_op ops[] = {HD_TERM_TDIV, HD_TERM_TREM, HD_TERM_EMOD};
  return hd_term_make(terms, ops[what], HD_OF_INT, (uint32_t[]){a, b}, 2);
}

hd_term hd_term_tdiv(hd_terms *terms, hd_term a, hd_term b) {
  return integer_division(terms, QUOTIENT, a, b);
}

hd_term hd_term_trem(hd_terms *terms, hd_term a, hd_term b) {
  return integer_division(terms, REMAINDER, a, b);
}

hd_term hd_term_emod(hd_terms *terms, hd_term a, hd_term b) {
  return integer_division(terms, MODULO, a, b);
}

/* --- integers and reals --- */

static hd_term real_product(hd_terms *terms, hd_term prod) {
  if (node_of(terms, prod)->op == HD_TERM_PROD) {
    hd_term t = 0;
    for (uint32_t i = 0; i < node_of(terms, prod)->n; i++)
      t = product(terms, HD_OF_REAL, t,
                  real_product(terms, args_of(terms, prod)[i]));
    return t;
  }
  return hd_term_make(terms, HD_TERM_TOREAL, HD_OF_REAL, &prod, 1);
}

hd_term hd_term_toreal(hd_terms *terms, hd_term a) {
  if (a == terms->undef)
    return a;
  if (hd_term_sort_of(terms, a) == HD_OF_BOOL)
    a = hd_term_from_bool(terms, a);
  if (hd_term_sort_of(terms, a) == HD_OF_REAL)
    return a;
  const hd_term_op op = hd_term_op_of(terms, a);
  if (op == HD_TERM_ITE) {
    hd_term c = args_of(terms, a)[0], x = args_of(terms, a)[1],
            y = args_of(terms, a)[2];
    return hd_term_ite(terms, c, hd_term_toreal(terms, x),
                       hd_term_toreal(terms, y));
  }
  hd_monos x = {0};
  hd_poly_open(terms, a, &x);
  for (size_t i = 1; i < x.size; i++)
    x.data[i].prod = real_product(terms, x.data[i].prod);
  hd_term t = hd_poly_close(terms, HD_OF_REAL, &x);
  assert(t);
  hd_vec_free(&x);
  return t;
}

hd_term hd_term_toint(hd_terms *terms, hd_term a) {
  if (a == terms->undef || hd_term_sort_of(terms, a) == HD_OF_INT)
    return a;
  if (hd_term_sort_of(terms, a) == HD_OF_BOOL)
    return hd_term_from_bool(terms, a);
  if (hd_term_is_const(terms, a)) {
    hd_ratio r = hd_term_ratio_of(terms, a);
    return hd_term_number(terms, HD_OF_INT, (hd_ratio){r.num / r.den, 1});
  }
  if (hd_term_op_of(terms, a) == HD_TERM_TOREAL)
    return args_of(terms, a)[0];
  return hd_term_make(terms, HD_TERM_TOINT, HD_OF_INT, &a, 1);
}

hd_term hd_term_min(hd_terms *terms, hd_term a, hd_term b) {
  return hd_term_ite(terms, hd_term_le(terms, a, b), a, b);
}

hd_term hd_term_max(hd_terms *terms, hd_term a, hd_term b) {
  return hd_term_ite(terms, hd_term_le(terms, b, a), a, b);
}
