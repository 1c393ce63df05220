/* SPDX-License-Identifier: MIT */
/* What follows from facts for the value of a term, found without the solver. */
#include "engine/teams/bounds.h"

typedef struct {
  int64_t low, high;
  bool from, to; /* is there a lowest, a highest one? */
} range;

typedef struct {
  hd_team_terms *terms;
  const hd_team_list *facts;
  unsigned left; /* terms that may be looked at */
} search;

enum { DEEP = 5, MOST_TERMS = 200 };

static range range_of(search *s, hd_team_term term, unsigned depth);

static void at_least(range *r, int64_t low) {
  if (!r->from || r->low < low)
    r->low = low;
  r->from = true;
}
static void at_most(range *r, int64_t high) {
  if (!r->to || r->high > high)
    r->high = high;
  r->to = true;
}

static range sum(range a, range b) {
  range r = {.from = a.from && b.from, .to = a.to && b.to};
  r.from = r.from && !__builtin_add_overflow(a.low, b.low, &r.low);
  r.to = r.to && !__builtin_add_overflow(a.high, b.high, &r.high);
  return r;
}

static range times(range a, int64_t c) {
  range r = {.from = c >= 0 ? a.from : a.to, .to = c >= 0 ? a.to : a.from};
  r.from =
      r.from && !__builtin_mul_overflow(c >= 0 ? a.low : a.high, c, &r.low);
  r.to = r.to && !__builtin_mul_overflow(c >= 0 ? a.high : a.low, c, &r.high);
  return r;
}

static range product(range a, range b) {
  range r = {0};
  if (!a.from || !b.from || a.low < 0 || b.low < 0)
    return r;
  r.from = true;
  r.to = a.to && b.to && !__builtin_mul_overflow(a.high, b.high, &r.high);
  return r;
}

static range quotient(hd_team_op op, range a, int64_t by) {
  range r = {0};
  if (by <= 0 || !a.from || a.low < 0)
    return r;
  r.from = true;
  if (op == HD_TEAM_DIV) {
    r.low = a.low / by;
    r.to = a.to;
    r.high = a.high / by;
    return r;
  }
  at_most(&r, by - 1);
  if (a.to)
    at_most(&r, a.high);
  return r;
}

/* condition ? a : b, also where that is the smaller or the larger of two. */
static range one_of(search *s, const hd_team_term_node *n, unsigned depth) {
  hd_team_terms *t = s->terms;
  range a = range_of(s, n->args[1], depth), b = range_of(s, n->args[2], depth),
        r = {.from = a.from && b.from, .to = a.to && b.to};
  r.low = a.low < b.low ? a.low : b.low;
  r.high = a.high > b.high ? a.high : b.high;
  hd_team_term_node c = *hd_team_term_at(t, n->args[0]);
  bool otherwise = c.op == HD_TEAM_NOT;
  if (otherwise)
    c = *hd_team_term_at(t, c.args[0]);
  if (c.op != HD_TEAM_LE)
    return r;
  /* x + p <= y + q, so x <= y where q - p is 0 or -1. */
  int64_t p, q, v, w;
  hd_team_term x = hd_team_term_split(t, c.args[0], &p),
               y = hd_team_term_split(t, c.args[1], &q),
               first = hd_team_term_split(t, n->args[1 + otherwise], &v),
               second = hd_team_term_split(t, n->args[2 - otherwise], &w);
  if (x == first && y == second) { /* the smaller one, but for constants */
    int64_t more;
    if (!__builtin_sub_overflow(q - p, w - v, &more) && more <= 0 &&
        more >= -1) {
      if (a.to)
        at_most(&r, a.high);
      if (b.to)
        at_most(&r, b.high);
    }
  } else if (y == first && x == second) { /* the larger one */
    int64_t more = q - p - (v - w);
    if (more <= 0 && more >= -1) {
      if (a.from)
        at_least(&r, a.low);
      if (b.from)
        at_least(&r, b.low);
    }
  }
  return r;
}

static range from_parts(search *s, hd_team_term term, unsigned depth) {
  const hd_team_term_node n = *hd_team_term_at(s->terms, term);
  range r = {0};
  int64_t c;
  switch (n.op) {
  case HD_TEAM_ADD:
    return sum(range_of(s, n.args[0], depth), range_of(s, n.args[1], depth));
  case HD_TEAM_MUL:
    if (hd_team_term_is_const(s->terms, n.args[1], &c))
      return times(range_of(s, n.args[0], depth), c);
    return product(range_of(s, n.args[0], depth),
                   range_of(s, n.args[1], depth));
  case HD_TEAM_DIV:
  case HD_TEAM_MOD:
    if (hd_team_term_is_const(s->terms, n.args[1], &c))
      return quotient(n.op, range_of(s, n.args[0], depth), c);
    return r;
  case HD_TEAM_ITE:
    return one_of(s, &n, depth);
  case HD_TEAM_CONST:
  case HD_TEAM_SYMBOL:
  case HD_TEAM_LOAD:
  case HD_TEAM_LE:
  case HD_TEAM_EQ:
  case HD_TEAM_NOT:
  case HD_TEAM_AND:
  case HD_TEAM_OR:
    r.from = r.to = hd_team_term_bounds(s->terms, term, &r.low, &r.high);
    return r;
  }
  return r;
}

/* x <= y + more, where `term` may be part of either. */
static void use_order(search *s, hd_team_term term, hd_team_term x,
                      hd_team_term y, int64_t more, unsigned depth, range *r) {
  hd_team_terms *t = s->terms;
  int64_t p, q, end;
  hd_team_term a = hd_team_term_split(t, x, &p),
               b = hd_team_term_split(t, y, &q);
  if (a == term && b != term) {
    range other = range_of(s, y, depth);
    if (other.to && !__builtin_add_overflow(other.high, more, &end) &&
        !__builtin_sub_overflow(end, p, &end))
      at_most(r, end);
  } else if (b == term && a != term) {
    range other = range_of(s, x, depth);
    if (other.from && !__builtin_sub_overflow(other.low, more, &end) &&
        !__builtin_sub_overflow(end, q, &end))
      at_least(r, end);
  }
}

static void use_fact(search *s, hd_team_term term, hd_team_term fact,
                     unsigned depth, range *r) {
  const hd_team_term_node n = *hd_team_term_at(s->terms, fact);
  if (n.op == HD_TEAM_LE || n.op == HD_TEAM_EQ)
    use_order(s, term, n.args[0], n.args[1], 0, depth, r);
  if (n.op == HD_TEAM_EQ)
    use_order(s, term, n.args[1], n.args[0], 0, depth, r);
  if (n.op == HD_TEAM_AND) {
    use_fact(s, term, n.args[0], depth, r);
    use_fact(s, term, n.args[1], depth, r);
  }
  if (n.op != HD_TEAM_NOT)
    return;
  const hd_team_term_node not = *hd_team_term_at(s->terms, n.args[0]);
  if (not .op == HD_TEAM_LE)
    use_order(s, term, not .args[1], not .args[0], -1, depth, r);
}

static range range_of(search *s, hd_team_term term, unsigned depth) {
  range r = {0};
  int64_t value;
  if (hd_team_term_is_const(s->terms, term, &value))
    return (range){value, value, true, true};
  if (!s->left || !depth) {
    r.from = r.to = hd_team_term_bounds(s->terms, term, &r.low, &r.high);
    return r;
  }
  s->left--;
  r = from_parts(s, term, depth - 1);
  for (size_t i = 0; i < s->facts->size; i++)
    use_fact(s, term, s->facts->data[i], depth - 1, &r);
  return r;
}

bool hd_team_bounds_between(hd_team_terms *terms, const hd_team_list *facts,
                            hd_team_term term, int64_t low, int64_t high) {
  search s = {terms, facts, MOST_TERMS};
  range r = range_of(&s, term, DEEP);
  return r.from && r.to && low <= r.low && r.high <= high;
}

int hd_team_bounds_decide(hd_team_terms *terms, const hd_team_list *facts,
                          hd_team_term condition) {
  const hd_team_term_node n = *hd_team_term_at(terms, condition);
  if (n.op == HD_TEAM_CONST)
    return n.value != 0;
  if (n.op == HD_TEAM_NOT) {
    int is = hd_team_bounds_decide(terms, facts, n.args[0]);
    return is < 0 ? is : !is;
  }
  if (n.op != HD_TEAM_LE && n.op != HD_TEAM_EQ)
    return -1;
  search s = {terms, facts, MOST_TERMS};
  range a = range_of(&s, n.args[0], DEEP), b = range_of(&s, n.args[1], DEEP);
  if (a.from && b.to && a.low > b.high)
    return 0;
  if (n.op == HD_TEAM_EQ)
    return b.from && a.to && b.low > a.high ? 0 : -1;
  return a.to && b.from && a.high <= b.low ? 1 : -1;
}
