/* SPDX-License-Identifier: MIT */
#include "engine/teams/term.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  hd_team_op op;
  int64_t value;
  hd_team_term args[3];
} term_key;

static uint64_t hash_key(term_key k) {
  uint64_t parts[5] = {(uint64_t)k.op, (uint64_t)k.value, k.args[0], k.args[1],
                       k.args[2]};
  return hd_hash_bytes(parts, sizeof parts);
}

static bool same_key(term_key a, term_key b) {
  return a.op == b.op && a.value == b.value &&
         !memcmp(a.args, b.args, sizeof a.args);
}

#define HD_MAP key_map
#define HD_KEY term_key
#define HD_VAL hd_team_term
#define HD_HASH(k) hash_key(k)
#define HD_EQ(a, b) same_key(a, b)
#include "base/map_templ.h"

typedef struct {
  hd_logic_expr expr[2];
  bool said[2];
} saying;

struct hd_team_terms {
  hd_vec(hd_team_term_node) nodes;
  hd_vec(saying) said;
  key_map known;
  int64_t symbols;
  hd_vec(uint8_t) touched; /* by term: a symbol */
  hd_team_list touches;
  bool loads; /* what is in memory counts as one */
};

hd_team_terms *hd_team_terms_new(void) {
  hd_team_terms *t = hd_calloc(1, sizeof *t);
  hd_vec_push(&t->nodes, ((hd_team_term_node){0})); /* 0 is no term */
  return t;
}

void hd_team_terms_delete(hd_team_terms *t) {
  hd_vec_free(&t->nodes);
  hd_vec_free(&t->said);
  key_map_free(&t->known);
  hd_vec_free(&t->touched);
  hd_vec_free(&t->touches);
  hd_free(t);
}

const hd_team_term_node *hd_team_term_at(const hd_team_terms *t,
                                         hd_team_term term) {
  return &t->nodes.data[term];
}

static hd_team_term intern(hd_team_terms *t, hd_team_op op, int64_t value,
                           hd_team_term a, hd_team_term b, hd_team_term c,
                           bool uniform) {
  term_key k = {op, value, {a, b, c}};
  bool fresh;
  hd_team_term next = (hd_team_term)t->nodes.size;
  hd_team_term got = *key_map_put(&t->known, k, next, &fresh);
  if (!fresh)
    return got;
  hd_team_term_node node = {op, uniform, value, 0, {a, b, c}};
  const hd_team_term list[] = {a, b, c};
  for (size_t i = 0; i < 3; i++)
    node.uniform = node.uniform && (!list[i] || t->nodes.data[list[i]].uniform);
  hd_vec_push(&t->nodes, node);
  return next;
}

hd_team_term hd_team_term_const(hd_team_terms *t, int64_t value) {
  return intern(t, HD_TEAM_CONST, value, 0, 0, 0, true);
}

hd_team_term hd_team_term_symbol(hd_team_terms *t, bool uniform,
                                 uint8_t width) {
  hd_team_term symbol =
      intern(t, HD_TEAM_SYMBOL, t->symbols++, 0, 0, 0, uniform);
  t->nodes.data[symbol].width = width;
  return symbol;
}

int64_t hd_team_term_symbols(const hd_team_terms *t) {
  return t->symbols;
}

hd_team_term hd_team_term_load(hd_team_terms *t, hd_team_term address,
                               uint64_t size, int64_t when) {
  return intern(t, HD_TEAM_LOAD, 0, address,
                hd_team_term_const(t, (int64_t)size),
                hd_team_term_const(t, when), true);
}

bool hd_team_term_is_const(const hd_team_terms *t, hd_team_term term,
                           int64_t *value) {
  const hd_team_term_node *n = &t->nodes.data[term];
  if (n->op == HD_TEAM_CONST)
    *value = n->value;
  return n->op == HD_TEAM_CONST;
}

hd_team_term hd_team_term_split(hd_team_terms *t, hd_team_term term,
                                int64_t *added) {
  const hd_team_term_node n = t->nodes.data[term];
  *added = 0;
  if (n.op == HD_TEAM_CONST) {
    *added = n.value;
    return hd_team_term_const(t, 0);
  }
  if (n.op == HD_TEAM_ADD && hd_team_term_is_const(t, n.args[1], added))
    return n.args[0];
  return term;
}

static hd_team_term raw(hd_team_terms *t, hd_team_op op, hd_team_term a,
                        hd_team_term b) {
  return intern(t, op, 0, a, b, 0, true);
}

/* --- sums --- */

/* A sum as the parts that are no sums, with their factors, and a constant. */
enum { MOST_PARTS = 16 };
typedef struct {
  hd_team_term of[MOST_PARTS];
  int64_t times[MOST_PARTS];
  size_t n;
  int64_t constant;
} sum;

/* False: it has too many parts, or too large numbers. */
static bool collect(const hd_team_terms *t, hd_team_term term, int64_t times,
                    sum *out) {
  const hd_team_term_node *n = &t->nodes.data[term];
  int64_t factor;
  if (n->op == HD_TEAM_CONST)
    return !__builtin_mul_overflow(n->value, times, &factor) &&
           !__builtin_add_overflow(out->constant, factor, &out->constant);
  if (n->op == HD_TEAM_ADD)
    return collect(t, n->args[0], times, out) &&
           collect(t, n->args[1], times, out);
  if (n->op == HD_TEAM_MUL && hd_team_term_is_const(t, n->args[1], &factor))
    return !__builtin_mul_overflow(factor, times, &factor) &&
           collect(t, n->args[0], factor, out);
  size_t i = 0;
  while (i < out->n && out->of[i] < term)
    i++;
  if (i < out->n && out->of[i] == term)
    return !__builtin_add_overflow(out->times[i], times, &out->times[i]);
  if (out->n == MOST_PARTS)
    return false;
  for (size_t k = out->n++; k > i; k--) {
    out->of[k] = out->of[k - 1];
    out->times[k] = out->times[k - 1];
  }
  out->of[i] = term;
  out->times[i] = times;
  return true;
}

/* In one order, the constant behind the rest. */
static hd_team_term build(hd_team_terms *t, const sum *s) {
  hd_team_term rest = 0;
  for (size_t i = 0; i < s->n; i++) {
    if (!s->times[i])
      continue;
    hd_team_term part =
        s->times[i] == 1
            ? s->of[i]
            : raw(t, HD_TEAM_MUL, s->of[i], hd_team_term_const(t, s->times[i]));
    rest = rest ? raw(t, HD_TEAM_ADD, rest, part) : part;
  }
  if (!rest)
    return hd_team_term_const(t, s->constant);
  return s->constant
             ? raw(t, HD_TEAM_ADD, rest, hd_team_term_const(t, s->constant))
             : rest;
}

static hd_team_term add(hd_team_terms *t, hd_team_term a, hd_team_term b) {
  sum s = {0};
  return collect(t, a, 1, &s) && collect(t, b, 1, &s)
             ? build(t, &s)
             : raw(t, HD_TEAM_ADD, a, b);
}

static hd_team_term mul(hd_team_terms *t, hd_team_term a, hd_team_term b) {
  int64_t factor;
  if (hd_team_term_is_const(t, a, &factor)) {
    hd_team_term other = a;
    a = b;
    b = other;
  }
  sum s = {0};
  if (hd_team_term_is_const(t, b, &factor))
    return collect(t, a, factor, &s) ? build(t, &s) : raw(t, HD_TEAM_MUL, a, b);
  for (int i = 0; i < 2; i++) { /* (x + c) n = x n + c n */
    hd_team_term one = i ? b : a, other = i ? a : b;
    int64_t inner;
    hd_team_term rest = hd_team_term_split(t, one, &inner);
    if (inner)
      return add(t, mul(t, rest, other),
                 mul(t, other, hd_team_term_const(t, inner)));
  }
  return a < b ? raw(t, HD_TEAM_MUL, a, b) : raw(t, HD_TEAM_MUL, b, a);
}

static hd_team_term divide(hd_team_terms *t, hd_team_op op, hd_team_term a,
                           hd_team_term b) {
  int64_t p, q;
  bool known = hd_team_term_is_const(t, b, &q) && q > 0;
  if (known && q == 1)
    return op == HD_TEAM_DIV ? a : hd_team_term_const(t, 0);
  if (known && hd_team_term_is_const(t, a, &p) && p >= 0)
    return hd_team_term_const(t, op == HD_TEAM_DIV ? p / q : p % q);
  return raw(t, op, a, b);
}

static hd_team_term compare(hd_team_terms *t, hd_team_op op, hd_team_term a,
                            hd_team_term b) {
  int64_t p, q;
  if (hd_team_term_is_const(t, a, &p) && hd_team_term_is_const(t, b, &q))
    return hd_team_term_const(t, op == HD_TEAM_LE ? p <= q : p == q);
  if (a == b)
    return hd_team_term_const(t, 1);
  hd_team_term x = hd_team_term_split(t, a, &p),
               y = hd_team_term_split(t, b, &q);
  if (x == y)
    return hd_team_term_const(t, op == HD_TEAM_LE ? p <= q : p == q);
  return raw(t, op, a, b);
}

static hd_team_term both(hd_team_terms *t, hd_team_op op, hd_team_term a,
                         hd_team_term b) {
  int64_t p;
  for (int i = 0; i < 2; i++) {
    hd_team_term one = i ? b : a, other = i ? a : b;
    if (hd_team_term_is_const(t, one, &p))
      return (p != 0) == (op == HD_TEAM_AND) ? other : one;
  }
  return a == b ? a : raw(t, op, a, b);
}

hd_team_term hd_team_term_make(hd_team_terms *t, hd_team_op op, hd_team_term a,
                               hd_team_term b) {
  switch (op) {
  case HD_TEAM_ADD:
    return add(t, a, b);
  case HD_TEAM_MUL:
    return mul(t, a, b);
  case HD_TEAM_DIV:
  case HD_TEAM_MOD:
    return divide(t, op, a, b);
  case HD_TEAM_LE:
  case HD_TEAM_EQ:
    return compare(t, op, a, b);
  case HD_TEAM_AND:
  case HD_TEAM_OR:
    return both(t, op, a, b);
  case HD_TEAM_NOT:
    return hd_team_term_not(t, a);
  case HD_TEAM_CONST:
  case HD_TEAM_SYMBOL:
  case HD_TEAM_LOAD:
  case HD_TEAM_ITE:
    break;
  }
  return raw(t, op, a, b);
}

hd_team_term hd_team_term_ite(hd_team_terms *t, hd_team_term condition,
                              hd_team_term a, hd_team_term b) {
  int64_t value;
  if (hd_team_term_is_const(t, condition, &value))
    return value ? a : b;
  return a == b ? a : intern(t, HD_TEAM_ITE, 0, condition, a, b, true);
}

hd_team_term hd_team_term_sub(hd_team_terms *t, hd_team_term a,
                              hd_team_term b) {
  return add(t, a, mul(t, b, hd_team_term_const(t, -1)));
}

hd_team_term hd_team_term_not(hd_team_terms *t, hd_team_term a) {
  int64_t value;
  if (hd_team_term_is_const(t, a, &value))
    return hd_team_term_const(t, !value);
  const hd_team_term_node *n = &t->nodes.data[a];
  return n->op == HD_TEAM_NOT ? n->args[0] : raw(t, HD_TEAM_NOT, a, 0);
}

hd_team_term hd_team_term_lt(hd_team_terms *t, hd_team_term a, hd_team_term b) {
  return compare(t, HD_TEAM_LE, add(t, a, hd_team_term_const(t, 1)), b);
}

/* --- divisors --- */

bool hd_team_term_is_multiple(const hd_team_terms *t, hd_team_term term,
                              int64_t of) {
  const hd_team_term_node n = t->nodes.data[term];
  switch (n.op) {
  case HD_TEAM_CONST:
    return n.value % of == 0;
  case HD_TEAM_ADD:
    return hd_team_term_is_multiple(t, n.args[0], of) &&
           hd_team_term_is_multiple(t, n.args[1], of);
  case HD_TEAM_MUL:
    return hd_team_term_is_multiple(t, n.args[0], of) ||
           hd_team_term_is_multiple(t, n.args[1], of);
  case HD_TEAM_ITE:
    return hd_team_term_is_multiple(t, n.args[1], of) &&
           hd_team_term_is_multiple(t, n.args[2], of);
  default:
    return false;
  }
}

/* --- marks --- */

void hd_team_term_touch(hd_team_terms *t, hd_team_term term) {
  while (t->touched.size < t->nodes.size)
    hd_vec_push(&t->touched, 0);
  const hd_team_term_node *n = &t->nodes.data[term];
  t->loads = t->loads || n->op == HD_TEAM_LOAD;
  if (n->op == HD_TEAM_SYMBOL && !t->touched.data[term]) {
    t->touched.data[term] = 1;
    hd_vec_push(&t->touches, term);
  }
  for (size_t i = 0; i < 3 && n->args[i]; i++)
    hd_team_term_touch(t, n->args[i]);
}

bool hd_team_term_touches(const hd_team_terms *t, hd_team_term term) {
  const hd_team_term_node *n = &t->nodes.data[term];
  if (n->op == HD_TEAM_LOAD && t->loads)
    return true;
  if (n->op == HD_TEAM_SYMBOL)
    return term < t->touched.size && t->touched.data[term];
  for (size_t i = 0; i < 3 && n->args[i]; i++)
    if (hd_team_term_touches(t, n->args[i]))
      return true;
  return false;
}

void hd_team_term_untouch(hd_team_terms *t) {
  for (size_t i = 0; i < t->touches.size; i++)
    t->touched.data[t->touches.data[i]] = 0;
  t->touches.size = 0;
  t->loads = false;
}

/* --- bounds --- */

static bool is_condition(hd_team_op op);

static bool bounds_of_two(const hd_team_terms *t, const hd_team_term_node *n,
                          int64_t *least, int64_t *most) {
  int64_t a, b, c, d;
  size_t first = n->op == HD_TEAM_ITE;
  if (!hd_team_term_bounds(t, n->args[first], &a, &b) ||
      !hd_team_term_bounds(t, n->args[first + 1], &c, &d))
    return false;
  if (n->op == HD_TEAM_ITE) {
    *least = a < c ? a : c;
    *most = b > d ? b : d;
    return true;
  }
  if (n->op == HD_TEAM_ADD)
    return !__builtin_add_overflow(a, c, least) &&
           !__builtin_add_overflow(b, d, most);
  if (n->op != HD_TEAM_MUL || c != d)
    return false;
  return !__builtin_mul_overflow(c < 0 ? b : a, c, least) &&
         !__builtin_mul_overflow(c < 0 ? a : b, c, most);
}

bool hd_team_term_bounds(const hd_team_terms *t, hd_team_term term,
                         int64_t *least, int64_t *most) {
  const hd_team_term_node *n = &t->nodes.data[term];
  uint8_t width = n->op == HD_TEAM_SYMBOL ? n->width
                  : n->op == HD_TEAM_LOAD
                      ? (uint8_t)(8 * t->nodes.data[n->args[1]].value)
                      : 0;
  if (n->op == HD_TEAM_CONST) {
    *least = *most = n->value;
    return true;
  }
  if (is_condition(n->op) || width == 1) {
    *least = 0;
    *most = 1;
    return true;
  }
  if (n->op == HD_TEAM_SYMBOL || n->op == HD_TEAM_LOAD) {
    *most = width && width < 64 ? ((int64_t)1 << (width - 1)) - 1 : INT64_MAX;
    *least = -*most - 1;
    return true;
  }
  return (n->op == HD_TEAM_ITE || n->op == HD_TEAM_ADD ||
          n->op == HD_TEAM_MUL) &&
         bounds_of_two(t, n, least, most);
}

/* --- for the solver --- */

static bool is_condition(hd_team_op op) {
  return op == HD_TEAM_LE || op == HD_TEAM_EQ || op == HD_TEAM_NOT ||
         op == HD_TEAM_AND || op == HD_TEAM_OR;
}

static hd_logic_expr say(hd_team_terms *t, hd_logic *logic, hd_team_term term,
                         int thread);

/* A condition as such, also where it is written as an integer. */
static hd_logic_expr say_condition(hd_team_terms *t, hd_logic *logic,
                                   hd_team_term term, int thread) {
  const hd_team_term_node n = t->nodes.data[term];
  if (n.op == HD_TEAM_CONST)
    return hd_logic_bool(logic, n.value != 0);
  hd_logic_expr e = say(t, logic, term, thread);
  if (is_condition(n.op))
    return e;
  hd_logic_expr args[] = {e, hd_logic_number(logic, HD_LOGIC_INT, "0")};
  hd_logic_expr zero = hd_logic_apply(logic, HD_LOGIC_EQ, args, 2);
  return hd_logic_apply(logic, HD_LOGIC_NOT, &zero, 1);
}

static hd_logic_expr say_integer(hd_team_terms *t, hd_logic *logic,
                                 hd_team_term term, int thread) {
  hd_logic_expr e = say(t, logic, term, thread);
  if (!is_condition(t->nodes.data[term].op))
    return e;
  hd_logic_expr args[] = {e, hd_logic_number(logic, HD_LOGIC_INT, "1"),
                          hd_logic_number(logic, HD_LOGIC_INT, "0")};
  return hd_logic_apply(logic, HD_LOGIC_ITE, args, 3);
}

static hd_logic_expr say_leaf(hd_logic *logic, const hd_team_term_node *n,
                              int thread) {
  char text[40];
  if (n->op == HD_TEAM_CONST) {
    snprintf(text, sizeof text, "%" PRId64, n->value);
    return hd_logic_number(logic, HD_LOGIC_INT, text);
  }
  snprintf(text, sizeof text, "%s%" PRId64,
           n->uniform ? "u"
           : thread   ? "b"
                      : "a",
           n->value);
  return hd_logic_const(logic, text, HD_LOGIC_INT);
}

static hd_logic_expr say_node(hd_team_terms *t, hd_logic *logic,
                              const hd_team_term_node *n, int thread) {
  static const hd_logic_op ops[] = {
      [HD_TEAM_ADD] = HD_LOGIC_ADD,  [HD_TEAM_MUL] = HD_LOGIC_MUL,
      [HD_TEAM_DIV] = HD_LOGIC_IDIV, [HD_TEAM_MOD] = HD_LOGIC_MOD,
      [HD_TEAM_LE] = HD_LOGIC_LE,    [HD_TEAM_EQ] = HD_LOGIC_EQ,
      [HD_TEAM_NOT] = HD_LOGIC_NOT,  [HD_TEAM_AND] = HD_LOGIC_AND,
      [HD_TEAM_OR] = HD_LOGIC_OR,    [HD_TEAM_ITE] = HD_LOGIC_ITE,
  };
  if (n->op == HD_TEAM_CONST || n->op == HD_TEAM_SYMBOL)
    return say_leaf(logic, n, thread);
  hd_logic_expr args[3];
  size_t k = 0;
  bool logical =
      n->op == HD_TEAM_NOT || n->op == HD_TEAM_AND || n->op == HD_TEAM_OR;
  for (; k < 3 && n->args[k]; k++)
    args[k] = logical || (n->op == HD_TEAM_ITE && k == 0)
                  ? say_condition(t, logic, n->args[k], thread)
                  : say_integer(t, logic, n->args[k], thread);
  const hd_logic_sort sorts[] = {HD_LOGIC_INT, HD_LOGIC_INT};
  if (n->op == HD_TEAM_LOAD) {
    char name[60];
    snprintf(name, sizeof name, "load%" PRId64 ".%" PRId64,
             t->nodes.data[n->args[1]].value, t->nodes.data[n->args[2]].value);
    return hd_logic_call(logic, name, HD_LOGIC_INT, args, sorts, 1);
  }
  /* What is known of these is said by query.c. */
  const char *name = n->op == HD_TEAM_MUL   ? "product"
                     : n->op == HD_TEAM_DIV ? "quotient"
                     : n->op == HD_TEAM_MOD ? "remainder"
                                            : NULL;
  if (name && t->nodes.data[n->args[1]].op != HD_TEAM_CONST)
    return hd_logic_call(logic, name, HD_LOGIC_INT, args, sorts, 2);
  return hd_logic_apply(logic, ops[n->op], args, k);
}

static hd_logic_expr say(hd_team_terms *t, hd_logic *logic, hd_team_term term,
                         int thread) {
  const hd_team_term_node n = t->nodes.data[term];
  saying *s = &t->said.data[term];
  if (s->said[thread])
    return s->expr[thread];
  hd_logic_expr e = say_node(t, logic, &n, thread);
  s = &t->said.data[term];
  s->said[thread] = true;
  s->expr[thread] = e;
  return e;
}

static void prepare(hd_team_terms *t) {
  while (t->said.size < t->nodes.size)
    hd_vec_push(&t->said, ((saying){0}));
}

hd_logic_expr hd_team_term_say(hd_team_terms *t, hd_logic *logic,
                               hd_team_term term, int thread) {
  prepare(t);
  return say_integer(t, logic, term, thread);
}

hd_logic_expr hd_team_term_claim(hd_team_terms *t, hd_logic *logic,
                                 hd_team_term term, int thread) {
  prepare(t);
  return say_condition(t, logic, term, thread);
}
