/* SPDX-License-Identifier: MIT */
/* Powers of two with a symbolic exponent, and whether they divide something:
 * what solvers know little about and reductions by trees are made of. pow2(e),
 * div(x, e): 2^e divides x; bit(x, e): bit e of x >= 0 is set. They are
 * uninterpreted functions; of those that occur together in a question, the
 * instances of a few laws are added to it. */
#include "engine/uniform/parts.h"

#include <string.h>

static hd_term function(hd_uni *u, const char *name, hd_term_sort sort,
                        hd_term a, hd_term b) {
  hd_term args[2] = {a, b};
  return hd_term_fn(u->l.terms, name, sort, args, b ? 2 : 1);
}

/* exponent = base + constant, with the constant below 0 or above kept apart */
hd_term hd_uni_power(hd_uni *u, hd_term exponent) {
  hd_terms *t = u->l.terms;
  int64_t value;
  if (hd_term_is_int(t, exponent, &value) && value >= 0 && value < 62)
    return hd_term_int(t, (int64_t)1 << value);
  return function(u, "pow2", HD_OF_INT, exponent, 0);
}

hd_term hd_uni_divides(hd_uni *u, hd_term of, hd_term exponent) {
  hd_terms *t = u->l.terms;
  int64_t value;
  if (hd_term_is_int(t, exponent, &value) && value == 0)
    return hd_term_bool(t, true);
  return function(u, "div", HD_OF_BOOL, of, exponent);
}

static bool is_function(const hd_terms *t, hd_term term, const char *name) {
  return hd_term_op_of(t, term) == HD_TERM_FN &&
         !strcmp(hd_term_fn_name(t, term), name);
}

/* term = 2^c * pow2(e): its exponent */
static bool exponent_of(hd_uni *u, hd_term term, hd_term *out) {
  hd_terms *t = u->l.terms;
  if (is_function(t, term, "pow2")) {
    *out = hd_term_args(t, term)[1];
    return true;
  }
  if (hd_term_op_of(t, term) != HD_TERM_SUM || hd_term_node_of(t, term)->n != 3)
    return false;
  hd_term product = hd_term_args(t, term)[2];
  int64_t zero, factor;
  if (!hd_term_is_int(t, hd_term_args(t, term)[0], &zero) || zero ||
      !hd_term_is_int(t, hd_term_args(t, term)[1], &factor) || factor < 1 ||
      factor & (factor - 1) || !is_function(t, product, "pow2"))
    return false;
  int64_t c = 0;
  while ((int64_t)1 << c < factor)
    c++;
  *out = hd_term_add(t, hd_term_args(t, product)[1], hd_term_int(t, c));
  return true;
}

/* --- operations --- */

/* a % b: 2^e as divisor; or a is less than twice the divisor. */
bool hd_uni_remainder(hd_lise *l, hd_term a, hd_term b, hd_term *out) {
  hd_uni *u = hd_uni_of(l);
  hd_terms *t = l->terms;
  hd_term e, zero = hd_term_int(t, 0);
  int64_t value;
  if (hd_term_is_undef(t, a) || hd_term_is_undef(t, b) ||
      hd_term_is_int(t, b, &value))
    return false;
  if (exponent_of(u, b, &e)) {
    if (hd_lise_valid(l, hd_term_le(t, zero, a)) != HD_VALID)
      return false;
    hd_term rest = function(u, "rest", HD_OF_INT, a, e);
    hd_term inside = hd_term_and(t, hd_term_le(t, hd_term_int(t, 1), rest),
                                 hd_term_lt(t, rest, b));
    hd_lise_learn(l, hd_term_or(t, hd_uni_divides(u, a, e), inside));
    *out = hd_term_ite(t, hd_uni_divides(u, a, e), zero, rest);
    return true;
  }
  if (hd_lise_valid(l, hd_term_lt(t, zero, b)) != HD_VALID)
    return false;
  hd_term above = hd_term_lt(t, hd_term_neg(t, b), a);
  if (hd_lise_valid(l, above) != HD_VALID)
    return false;
  if (hd_lise_valid(l, hd_term_lt(t, a, b)) == HD_VALID) {
    *out = a;
    return true;
  }
  if (hd_lise_valid(l, hd_term_lt(t, a, hd_term_add(t, b, b))) != HD_VALID)
    return false;
  *out = hd_term_ite(t, hd_term_lt(t, a, b), a, hd_term_sub(t, a, b));
  return true;
}

/* x & 2^e, x ^ 2^e, x | 2^e */
bool hd_uni_bits(hd_lise *l, hd_code_op op, hd_term a, hd_term b,
                 hd_term *out) {
  hd_uni *u = hd_uni_of(l);
  hd_terms *t = l->terms;
  hd_term e, zero = hd_term_int(t, 0);
  if (!exponent_of(u, b, &e)) {
    hd_term swap = a;
    a = b;
    b = swap;
    if (!exponent_of(u, b, &e))
      return false;
  }
  if (hd_lise_valid(l, hd_term_le(t, zero, a)) != HD_VALID)
    return false;
  hd_term bit = function(u, "bit", HD_OF_BOOL, a, e);
  hd_term less = hd_term_sub(t, a, b), more = hd_term_add(t, a, b);
  *out = op == HD_CODE_AND  ? hd_term_ite(t, bit, b, zero)
         : op == HD_CODE_OR ? hd_term_ite(t, bit, a, more)
                            : hd_term_ite(t, bit, less, more);
  return true;
}

/* --- laws --- */

typedef struct {
  hd_uni *u;
  hd_term_list powers; /* exponents of pow2 */
  hd_term_list of, at; /* div(of, at), bit(of, at) */
  hd_term_list next;   /* bit(…, next): div (…, next + 1) decides it */
  hd_term_list *facts;
} laws;

static void add_new(hd_term_list *list, hd_term term) {
  for (size_t i = 0; i < list->size; i++)
    if (list->data[i] == term)
      return;
  hd_vec_push(list, term);
}

/* Functions below a term. Terms are DAGs: each is looked at once. */
static void collect(laws *w, hd_term term, hd_u32s *seen) {
  const hd_terms *t = w->u->l.terms;
  if (!(hd_term_node_of(t, term)->marks & HD_MARK_FN))
    return;
  for (size_t i = 0; i < seen->size; i++)
    if (seen->data[i] == term)
      return;
  hd_vec_push(seen, term);
  const hd_term_node *node = hd_term_node_of(t, term);
  uint32_t n = node->n;
  hd_term_op op = (hd_term_op)node->op;
  if (op == HD_TERM_CONST || op == HD_TERM_SYM || op == HD_TERM_UNDEF)
    return;
  if (is_function(t, term, "pow2"))
    add_new(&w->powers, hd_term_args(t, term)[1]);
  if (is_function(t, term, "div") || is_function(t, term, "bit")) {
    add_new(&w->of, hd_term_args(t, term)[1]);
    add_new(&w->at, hd_term_args(t, term)[2]);
  }
  if (is_function(t, term, "bit"))
    add_new(&w->next, hd_term_args(t, term)[2]);
  for (uint32_t i = 0; i < n; i++) {
    bool is_term = op == HD_TERM_FN ? i > 0 : op == HD_TERM_PTR ? i == 1 : true;
    if (is_term)
      collect(w, hd_term_args(t, term)[i], seen);
  }
}

static void add(laws *w, hd_term law) {
  if (!hd_term_is_true(w->u->l.terms, law))
    hd_vec_push(w->facts, law);
}

static void laws_of_powers(laws *w) {
  hd_uni *u = w->u;
  hd_terms *t = u->l.terms;
  hd_term one = hd_term_int(t, 1), zero = hd_term_int(t, 0);
  for (size_t i = 0; i < w->powers.size; i++) {
    hd_term a = w->powers.data[i], x = hd_uni_power(u, a);
    hd_term real = hd_term_le(t, zero, a);
    add(w, hd_term_implies(t, real, hd_term_lt(t, a, x)));
    add(w, hd_term_implies(t, hd_term_eq(t, a, zero), hd_term_eq(t, x, one)));
    for (size_t k = 0; k < w->powers.size; k++) {
      hd_term b = w->powers.data[k], y = hd_uni_power(u, b);
      if (a == b)
        continue;
      hd_term both = hd_term_and(t, real, hd_term_le(t, zero, b));
      hd_term next = hd_term_add(t, a, one), twice = hd_term_add(t, x, x);
      add(w, hd_term_implies(t, hd_term_and(t, both, hd_term_lt(t, a, b)),
                             hd_term_le(t, twice, y)));
      add(w, hd_term_implies(t, hd_term_and(t, both, hd_term_eq(t, next, b)),
                             hd_term_eq(t, twice, y)));
      add(w, hd_term_implies(t, hd_term_eq(t, a, b), hd_term_eq(t, x, y)));
    }
  }
}

/* x at exponents a and b */
static void laws_of_one(laws *w, hd_term x, hd_term a, hd_term b) {
  hd_uni *u = w->u;
  hd_terms *t = u->l.terms;
  hd_term zero = hd_term_int(t, 0);
  hd_term da = hd_uni_divides(u, x, a), db = hd_uni_divides(u, x, b);
  hd_term pa = hd_uni_power(u, a);
  hd_term real = hd_term_and(t, hd_term_le(t, zero, a), hd_term_le(t, zero, b));
  if (a == b) {
    hd_term some = hd_term_and(t, da, hd_term_lt(t, zero, x));
    add(w,
        hd_term_implies(t, hd_term_and(t, real, some), hd_term_le(t, pa, x)));
    add(w, hd_term_implies(t, hd_term_eq(t, x, zero), da));
    add(w, hd_term_implies(t, hd_term_eq(t, a, zero), da));
    return;
  }
  add(w, hd_term_implies(
             t, hd_term_and(t, real, hd_term_and(t, da, hd_term_le(t, b, a))),
             db));
  /* bit a: what keeps 2^(a + 1) from dividing what 2^a divides */
  hd_term next = hd_term_eq(t, b, hd_term_add(t, a, hd_term_int(t, 1)));
  hd_term bit = function(u, "bit", HD_OF_BOOL, x, a);
  hd_term there = hd_term_and(t, real, hd_term_and(t, next, da));
  add(w, hd_term_implies(t, there,
                         hd_term_eq(t, hd_term_from_bool(t, bit),
                                    hd_term_from_bool(t, hd_term_not(t, db)))));
}

/* y = x + 2^a: bit a is the other one; b = a + 1 */
static void laws_of_two(laws *w, hd_term x, hd_term y, hd_term a, hd_term b) {
  hd_uni *u = w->u;
  hd_terms *t = u->l.terms;
  hd_term zero = hd_term_int(t, 0);
  hd_term apart = hd_term_eq(t, y, hd_term_add(t, x, hd_uni_power(u, a)));
  hd_term real = hd_term_and(t, hd_term_le(t, zero, a),
                             hd_term_and(t, hd_term_le(t, zero, x), apart));
  hd_term dx = hd_uni_divides(u, x, a), dy = hd_uni_divides(u, y, a);
  add(w, hd_term_implies(t, real,
                         hd_term_eq(t, hd_term_from_bool(t, dx),
                                    hd_term_from_bool(t, dy))));
  hd_term bx = function(u, "bit", HD_OF_BOOL, x, a),
          by = function(u, "bit", HD_OF_BOOL, y, a);
  add(w, hd_term_implies(t, real,
                         hd_term_eq(t, hd_term_from_bool(t, bx),
                                    hd_term_from_bool(t, hd_term_not(t, by)))));
  hd_term next = hd_term_eq(t, b, hd_term_add(t, a, hd_term_int(t, 1)));
  hd_term ex = hd_uni_divides(u, x, b), ey = hd_uni_divides(u, y, b);
  hd_term there = hd_term_and(t, real, hd_term_and(t, next, dx));
  add(w, hd_term_implies(t, there,
                         hd_term_eq(t, hd_term_from_bool(t, ex),
                                    hd_term_from_bool(t, hd_term_not(t, ey)))));
}

void hd_uni_power_lemmas(hd_uni *u, hd_term_list *facts, hd_term claim) {
  laws w = {.u = u, .facts = facts};
  hd_u32s seen = {0};
  size_t n = facts->size;
  for (size_t i = 0; i < n; i++)
    collect(&w, facts->data[i], &seen);
  collect(&w, claim, &seen);
  hd_terms *t = u->l.terms;
  for (size_t i = 0; i < w.next.size; i++)
    add_new(&w.at, hd_term_add(t, w.next.data[i], hd_term_int(t, 1)));
  for (size_t i = 0; i < w.at.size; i++)
    add_new(&w.powers, w.at.data[i]);
  laws_of_powers(&w);
  for (size_t x = 0; x < w.of.size; x++)
    for (size_t a = 0; a < w.at.size; a++)
      for (size_t b = 0; b < w.at.size; b++) {
        laws_of_one(&w, w.of.data[x], w.at.data[a], w.at.data[b]);
        for (size_t y = 0; y < w.of.size; y++)
          if (x != y)
            laws_of_two(&w, w.of.data[x], w.of.data[y], w.at.data[a],
                        w.at.data[b]);
      }
  hd_vec_free(&seen);
  hd_vec_free(&w.powers);
  hd_vec_free(&w.of);
  hd_vec_free(&w.at);
  hd_vec_free(&w.next);
}
