/* SPDX-License-Identifier: MIT */
/* Quantifiers. Three forms are understood:
 *
 *   forall {int k | 0 <= k && k < n} e        the paper's
 *   forall {k = 0 .. n-1} e
 *   \forall int k; 0 <= k && k < n ==> e      ACSL's
 *
 * In the first and third, conjuncts of the condition that bound the variable
 * become the bounds of the node, so that small ranges can be written out; the
 * others remain a condition of the body. */
#include "front/formula/reader.h"

#include <string.h>

typedef struct {
  hd_formula_id lower, upper, rest; /* HD_NO_ID = none */
} range;

static bool mentions(const formula_reader *r, hd_formula_id id,
                     int64_t variable) {
  const hd_formula *f = hd_formula_of(r, id);
  if (f->op == HD_FORMULA_BOUND && f->value == variable)
    return true;
  for (int i = 0; i < 3; i++)
    if (f->args[i] != HD_NO_ID && mentions(r, f->args[i], variable))
      return true;
  return false;
}

static bool is_bound(const formula_reader *r, hd_formula_id id,
                     int64_t variable) {
  const hd_formula *f = hd_formula_of(r, id);
  return f->op == HD_FORMULA_BOUND && f->value == variable;
}

/* May `id` be a bound of `variable`? Variables quantified further inside must
 * not occur in it. */
static bool is_limit(const formula_reader *r, hd_formula_id id,
                     int64_t variable) {
  if (hd_formula_of(r, id)->sort != HD_SORT_INT)
    return false;
  for (int64_t v = variable; v < r->notes->n_bound; v++)
    if (mentions(r, id, v))
      return false;
  return true;
}

static hd_formula_id conjoin(formula_reader *r, hd_formula_id a,
                             hd_formula_id b) {
  return a == HD_NO_ID ? b
                       : hd_formula_binary(r, HD_FORMULA_AND, a, b,
                                           hd_formula_of(r, a)->at);
}

/* Of two lower bounds the larger one, of two upper the smaller. */
static void limit(formula_reader *r, hd_formula_id *old, hd_formula_id id,
                  hd_formula_op choose) {
  *old = *old == HD_NO_ID
             ? id
             : hd_formula_binary(r, choose, *old, id, hd_formula_of(r, id)->at);
}

static void split(formula_reader *r, hd_formula_id id, int64_t variable,
                  range *out) {
  hd_formula f = *hd_formula_of(r, id);
  if (f.op == HD_FORMULA_AND) {
    split(r, f.args[0], variable, out);
    split(r, f.args[1], variable, out);
    return;
  }
  bool less = f.op == HD_FORMULA_LT || f.op == HD_FORMULA_LE;
  hd_formula_id one =
      f.op == HD_FORMULA_LT ? hd_formula_int(r, 1, f.at) : HD_NO_ID;
  if (less && is_bound(r, f.args[0], variable) &&
      is_limit(r, f.args[1], variable)) {
    hd_formula_id to = f.args[1];
    if (one != HD_NO_ID)
      to = hd_formula_binary(r, HD_FORMULA_SUB, to, one, f.at);
    limit(r, &out->upper, to, HD_FORMULA_MIN);
  } else if (less && is_bound(r, f.args[1], variable) &&
             is_limit(r, f.args[0], variable)) {
    hd_formula_id from = f.args[0];
    if (one != HD_NO_ID)
      from = hd_formula_binary(r, HD_FORMULA_ADD, from, one, f.at);
    limit(r, &out->lower, from, HD_FORMULA_MAX);
  } else if (f.op == HD_FORMULA_EQ && is_bound(r, f.args[0], variable) &&
             is_limit(r, f.args[1], variable)) {
    limit(r, &out->lower, f.args[1], HD_FORMULA_MAX);
    limit(r, &out->upper, f.args[1], HD_FORMULA_MIN);
  } else {
    out->rest = conjoin(r, out->rest, id);
  }
}

static hd_formula_id quantify(formula_reader *r, hd_formula_op op,
                              int64_t variable, range limits,
                              hd_formula_id body, uint32_t at) {
  hd_formula f = {.op = (uint8_t)op,
                  .sort = HD_SORT_BOOL,
                  .type = HD_NO_ID,
                  .args = {limits.lower, limits.upper, body},
                  .value = variable,
                  .at = at};
  return hd_formula_node(r, f);
}

/* Around `body` the quantifiers of the variables from `first` on, innermost
 * last declared. A bound of an outer variable cannot mention an inner one, so
 * going outwards each takes from the condition what bounds it. */
static hd_formula_id wrap(formula_reader *r, hd_formula_op op, int64_t first,
                          int64_t last, hd_formula_id condition,
                          hd_formula_id body, uint32_t at) {
  body = hd_formula_bool(r, body);
  range ranges[8];
  assert(last - first < 8);
  for (int64_t v = last; v >= first; v--) {
    range found = {HD_NO_ID, HD_NO_ID, HD_NO_ID};
    if (condition != HD_NO_ID)
      split(r, condition, v, &found);
    condition = found.rest;
    ranges[v - first] = found;
  }
  if (condition != HD_NO_ID)
    body = hd_formula_binary(
        r, op == HD_FORMULA_FORALL ? HD_FORMULA_IMPLIES : HD_FORMULA_AND,
        condition, body, at);
  for (int64_t v = last; v >= first; v--)
    body = quantify(r, op, v, ranges[v - first], body, at);
  return body;
}

static bool is_integer_type(const formula_reader *r) {
  static const char *const names[] = {
      "int",     "long",   "short",  "unsigned", "char",
      "integer", "size_t", "signed", "int32_t",  "int64_t"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hd_formula_is(r, names[i]))
      return true;
  return false;
}

/* The name of a quantified variable, after its type if there is one. */
static bool declare(formula_reader *r) {
  while (is_integer_type(r))
    hd_formula_next(r);
  if (r->token.kind != FORMULA_NAME) {
    hd_formula_expected(r, "the name of an integer variable");
    return false;
  }
  formula_bound bound = {r->token.word, r->notes->n_bound++};
  hd_vec_push(&r->bound, bound);
  hd_formula_next(r);
  return true;
}

/* Variables up to `end`, separated by commas or semicolons. */
static bool declare_all(formula_reader *r, const char *end) {
  size_t before = r->bound.size;
  do {
    if (!declare(r))
      return false;
    if (r->bound.size - before > 8) {
      hd_formula_error(r, r->token.at, 1,
                       "at most 8 variables in one quantifier");
      return false;
    }
  } while (hd_formula_take(r, ",") ||
           (strcmp(end, ";") && hd_formula_take(r, ";")));
  return true;
}

/* `k = lower .. upper }` behind the variable's name. The variable itself is not
 * known in its bounds. */
static bool read_range(formula_reader *r, range *out) {
  formula_bound own = hd_vec_pop(&r->bound);
  out->lower =
      hd_formula_integer(r, hd_formula_parse(r), "the start of a range");
  if (r->failed || !hd_formula_need(r, ".."))
    return false;
  out->upper = hd_formula_integer(r, hd_formula_parse(r), "the end of a range");
  hd_vec_push(&r->bound, own);
  return !r->failed;
}

static hd_formula_id braces(formula_reader *r, hd_formula_op op, uint32_t at) {
  int64_t first = r->notes->n_bound;
  if (!declare_all(r, "|"))
    return hd_formula_int(r, 0, at);
  int64_t last = (int64_t)r->notes->n_bound - 1;
  range given = {HD_NO_ID, HD_NO_ID, HD_NO_ID};
  hd_formula_id condition = HD_NO_ID;
  bool is_range = first == last && hd_formula_take(r, "=");
  if (is_range) {
    if (!read_range(r, &given))
      return hd_formula_int(r, 0, at);
  } else if (hd_formula_take(r, "|")) {
    condition = hd_formula_bool(r, hd_formula_parse(r));
  } else if (!hd_formula_is(r, "}")) {
    hd_formula_expected(r, first == last ? "'|' and a condition, or '= A .. B'"
                                         : "'|' and a condition");
  }
  if (r->failed || !hd_formula_need(r, "}"))
    return hd_formula_int(r, 0, at);
  hd_formula_id body = hd_formula_bool(r, hd_formula_parse(r));
  if (r->failed)
    return body;
  return is_range ? quantify(r, op, first, given, body, at)
                  : wrap(r, op, first, last, condition, body, at);
}

static hd_formula_id acsl(formula_reader *r, hd_formula_op op, uint32_t at) {
  int64_t first = r->notes->n_bound;
  if (!declare_all(r, ";") || !hd_formula_need(r, ";"))
    return hd_formula_int(r, 0, at);
  int64_t last = (int64_t)r->notes->n_bound - 1;
  hd_formula_id body = hd_formula_bool(r, hd_formula_parse(r));
  if (r->failed)
    return body;
  hd_formula f = *hd_formula_of(r, body);
  if (op == HD_FORMULA_FORALL && f.op == HD_FORMULA_IMPLIES)
    return wrap(r, op, first, last, f.args[0], f.args[1], at);
  if (op == HD_FORMULA_EXISTS && f.op == HD_FORMULA_AND)
    return wrap(r, op, first, last, body, hd_formula_int(r, 1, at), at);
  return wrap(r, op, first, last, HD_NO_ID, body, at);
}

hd_formula_id hd_formula_quantifier(formula_reader *r) {
  uint32_t at = r->token.at;
  hd_formula_op op = hd_formula_is(r, "forall") || hd_formula_is(r, "\\forall")
                         ? HD_FORMULA_FORALL
                         : HD_FORMULA_EXISTS;
  bool old_style = r->token.word.text[0] == '\\';
  hd_formula_next(r);
  size_t outer = r->bound.size;
  hd_formula_id id;
  if (hd_formula_take(r, "{"))
    id = braces(r, op, at);
  else if (old_style || is_integer_type(r))
    id = acsl(r, op, at);
  else {
    hd_formula_expected(r, "'{', as in forall {int k | 0 <= k && k < n}");
    id = hd_formula_int(r, 0, at);
  }
  r->bound.size = outer;
  return id;
}
