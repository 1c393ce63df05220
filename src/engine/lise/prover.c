/* SPDX-License-Identifier: MIT */
/* Questions: facts are flattened, equations with a symbol that can be isolated
 * are used up as substitutions (newest symbols first), then the claim's parts
 * are looked for among what is left. Facts without a connection to the claim
 * are not asked about: they do not contradict each other, so they cannot help.
 *
 * Fractions: 1 / d is a factor of its own in a product. An equation with such
 * factors is multiplied by d where the facts say that d is not 0, which turns
 * identities of fractions into identities of polynomials. */
#include "engine/lise/prover.h"
#include "base/hash.h"
#include "engine/lise/instances.h"
#include "engine/lise/term_impl.h"
#include "solve/logic.h"

#include <stdlib.h>

#define HD_MAP answers
#define HD_KEY hd_key128
#define HD_VAL uint8_t
typedef struct {
  uint64_t a, b;
} hd_key128;
#define HD_HASH(k) ((k).a)
#define HD_EQ(x, y) ((x).a == (y).a && (x).b == (y).b)
#include "base/map_templ.h"

struct hd_prover {
  hd_terms *terms;
  hd_logic *logic; /* NULL until it is asked */
  double seconds, deadline;
  hd_u32s exprs; /* of each term: its expression + 1 */
  answers cache;
  uint64_t questions, calls;
};

hd_prover *hd_prover_new(hd_terms *terms, double seconds, double deadline) {
  hd_prover *prover = hd_calloc(1, sizeof *prover);
  prover->terms = terms;
  prover->seconds = seconds;
  prover->deadline = deadline;
  return prover;
}

void hd_prover_delete(hd_prover *prover) {
  if (!prover)
    return;
  hd_logic_delete(prover->logic);
  hd_vec_free(&prover->exprs);
  answers_free(&prover->cache);
  hd_free(prover);
}

uint64_t hd_prover_questions(const hd_prover *prover) {
  return prover->questions;
}

uint64_t hd_prover_calls(const hd_prover *prover) {
  return prover->calls;
}

/* --- translation --- */

static hd_logic_expr express(hd_prover *p, hd_term t);

static hd_logic_sort sort_of(hd_term_sort sort) {
  switch (sort) {
  case HD_OF_BOOL:
    return HD_LOGIC_BOOL;
  case HD_OF_REAL:
    return HD_LOGIC_REAL;
  case HD_OF_INTS:
    return HD_LOGIC_INTS;
  case HD_OF_REALS:
    return HD_LOGIC_REALS;
  default: /* pointers occur below uninterpreted functions only */
    return HD_LOGIC_INT;
  }
}

static hd_logic_expr apply(hd_prover *p, hd_logic_op op, hd_logic_expr a,
                           hd_logic_expr b) {
  return hd_logic_apply(p->logic, op, (hd_logic_expr[]){a, b}, 2);
}

static hd_logic_expr negate(hd_prover *p, hd_logic_expr a, hd_logic_sort sort) {
  return apply(p, HD_LOGIC_MUL, hd_logic_number(p->logic, sort, "-1"), a);
}

static hd_logic_expr arg(hd_prover *p, hd_term t, uint32_t i) {
  return express(p, hd_term_args(p->terms, t)[i]);
}

static hd_logic_expr number(hd_prover *p, hd_term t) {
  hd_str text = {0};
  hd_term_print(&text, p->terms, t);
  hd_logic_expr e = hd_logic_number(
      p->logic, sort_of(hd_term_sort_of(p->terms, t)), hd_str_text(&text));
  hd_str_free(&text);
  return e;
}

static hd_logic_expr symbol(hd_prover *p, hd_term t) {
  hd_str text = {0};
  hd_term_print(&text, p->terms, t);
  hd_term_sort sort = hd_term_sort_of(p->terms, t);
  hd_str_printf(&text, "!%d", (int)sort);
  hd_logic_expr e = hd_logic_const(p->logic, hd_str_text(&text), sort_of(sort));
  hd_str_free(&text);
  return e;
}

static hd_logic_expr unique(hd_prover *p, hd_term t) {
  hd_str text = {0};
  hd_str_printf(&text, "pointer!%u", t);
  hd_logic_expr e = hd_logic_const(p->logic, hd_str_text(&text), HD_LOGIC_INT);
  hd_str_free(&text);
  return e;
}

static hd_logic_expr sum(hd_prover *p, hd_term t) {
  hd_vec(hd_logic_expr) parts = {0};
  hd_logic_expr c = arg(p, t, 0);
  hd_vec_push(&parts, c);
  for (uint32_t i = 1; i < hd_term_node_of(p->terms, t)->n; i += 2) {
    hd_logic_expr f = arg(p, t, i), m = arg(p, t, i + 1);
    m = apply(p, HD_LOGIC_MUL, f, m);
    hd_vec_push(&parts, m);
  }
  hd_logic_expr e =
      hd_logic_apply(p->logic, HD_LOGIC_ADD, parts.data, parts.size);
  hd_vec_free(&parts);
  return e;
}

static hd_logic_expr call(hd_prover *p, hd_term t) {
  hd_vec(hd_logic_expr) args = {0};
  hd_vec(hd_logic_sort) sorts = {0};
  hd_str name = {0};
  hd_str_printf(&name, "%s", hd_term_fn_name(p->terms, t));
  for (uint32_t i = 1; i < hd_term_node_of(p->terms, t)->n; i++) {
    hd_term a = hd_term_args(p->terms, t)[i];
    hd_logic_sort s = sort_of(hd_term_sort_of(p->terms, a));
    hd_vec_push(&sorts, s);
    hd_logic_expr e = express(p, a);
    hd_vec_push(&args, e);
    hd_str_printf(&name, "!%d", (int)s);
  }
  hd_logic_expr e = hd_logic_call(p->logic, hd_str_text(&name),
                                  sort_of(hd_term_sort_of(p->terms, t)),
                                  args.data, sorts.data, args.size);
  hd_vec_free(&args);
  hd_vec_free(&sorts);
  hd_str_free(&name);
  return e;
}

/* C's division from the one whose remainder is not negative. */
static hd_logic_expr truncated(hd_prover *p, hd_term t) {
  hd_logic_expr a = arg(p, t, 0), b = arg(p, t, 1);
  hd_logic_expr zero = hd_logic_number(p->logic, HD_LOGIC_INT, "0");
  hd_logic_expr parts[] = {
      apply(p, HD_LOGIC_LE, zero, a), apply(p, HD_LOGIC_IDIV, a, b),
      negate(p, apply(p, HD_LOGIC_IDIV, negate(p, a, HD_LOGIC_INT), b),
             HD_LOGIC_INT)};
  hd_logic_expr q = hd_logic_apply(p->logic, HD_LOGIC_ITE, parts, 3);
  if (hd_term_op_of(p->terms, t) == HD_TERM_TDIV)
    return q;
  return apply(p, HD_LOGIC_ADD, a,
               negate(p, apply(p, HD_LOGIC_MUL, b, q), HD_LOGIC_INT));
}

static hd_logic_expr to_int(hd_prover *p, hd_term t) {
  hd_logic_expr a = arg(p, t, 0);
  hd_logic_expr minus = negate(p, a, HD_LOGIC_REAL);
  hd_logic_expr zero = hd_logic_number(p->logic, HD_LOGIC_REAL, "0");
  hd_logic_expr parts[] = {
      apply(p, HD_LOGIC_LE, zero, a),
      hd_logic_apply(p->logic, HD_LOGIC_FLOOR, &a, 1),
      negate(p, hd_logic_apply(p->logic, HD_LOGIC_FLOOR, &minus, 1),
             HD_LOGIC_INT)};
  return hd_logic_apply(p->logic, HD_LOGIC_ITE, parts, 3);
}

static hd_logic_expr plain(hd_prover *p, hd_term t, hd_logic_op op) {
  hd_vec(hd_logic_expr) args = {0};
  for (uint32_t i = 0; i < hd_term_node_of(p->terms, t)->n; i++) {
    hd_logic_expr e = arg(p, t, i);
    hd_vec_push(&args, e);
  }
  hd_logic_expr e = hd_logic_apply(p->logic, op, args.data, args.size);
  hd_vec_free(&args);
  return e;
}

static hd_logic_expr translate(hd_prover *p, hd_term t) {
  hd_terms *terms = p->terms;
  const uint32_t *args = hd_term_args(terms, t);
  hd_logic_expr e;
  switch (hd_term_op_of(terms, t)) {
  case HD_TERM_CONST:
    return hd_term_sort_of(terms, t) == HD_OF_BOOL
               ? hd_logic_bool(p->logic, hd_term_is_true(terms, t))
               : number(p, t);
  case HD_TERM_SYM:
    return symbol(p, t);
  case HD_TERM_UNDEF:
  case HD_TERM_PTR:
    return unique(p, t); /* below "same" only: some number */
  case HD_TERM_SUM:
    return sum(p, t);
  case HD_TERM_PROD:
  case HD_TERM_RAW_MUL:
    return plain(p, t, HD_LOGIC_MUL);
  case HD_TERM_RAW_ADD:
    return plain(p, t, HD_LOGIC_ADD);
  case HD_TERM_INV:
    e = hd_logic_number(p->logic, HD_LOGIC_REAL, "1");
    return apply(p, HD_LOGIC_RDIV, e, express(p, args[0]));
  case HD_TERM_TDIV:
  case HD_TERM_TREM:
    return truncated(p, t);
  case HD_TERM_EMOD:
    return plain(p, t, HD_LOGIC_MOD);
  case HD_TERM_TOREAL:
    return plain(p, t, HD_LOGIC_TOREAL);
  case HD_TERM_TOINT:
    return to_int(p, t);
  case HD_TERM_ITE:
    return plain(p, t, HD_LOGIC_ITE);
  case HD_TERM_FN:
    return call(p, t);
  case HD_TERM_SELECT:
    return plain(p, t, HD_LOGIC_SELECT);
  case HD_TERM_STORE:
    return plain(p, t, HD_LOGIC_STORE);
  case HD_TERM_FILL:
    return hd_logic_fill(p->logic, express(p, args[0]));
  case HD_TERM_EQ0:
  case HD_TERM_LE0:
  case HD_TERM_LT0: {
    hd_logic_op op = hd_term_op_of(terms, t) == HD_TERM_EQ0   ? HD_LOGIC_EQ
                     : hd_term_op_of(terms, t) == HD_TERM_LE0 ? HD_LOGIC_LE
                                                              : HD_LOGIC_LT;
    hd_logic_sort sort = sort_of(hd_term_sort_of(terms, args[0]));
    e = express(p, args[0]);
    return apply(p, op, e, hd_logic_number(p->logic, sort, "0"));
  }
  case HD_TERM_SAME:
    return plain(p, t, HD_LOGIC_EQ);
  case HD_TERM_NOT:
    return plain(p, t, HD_LOGIC_NOT);
  case HD_TERM_AND:
    return plain(p, t, HD_LOGIC_AND);
  case HD_TERM_OR:
    return plain(p, t, HD_LOGIC_OR);
  case HD_TERM_FORALL:
  case HD_TERM_EXISTS: {
    hd_term bound = args[0], body = args[1];
    e = express(p, body);
    return hd_logic_quantify(p->logic,
                             hd_term_op_of(terms, t) == HD_TERM_FORALL,
                             express(p, bound), e);
  }
  }
  hd_bug("a term of kind %d cannot be asked about",
         (int)hd_term_op_of(terms, t));
}

static hd_logic_expr express(hd_prover *p, hd_term t) {
  while (p->exprs.size <= t)
    hd_vec_push(&p->exprs, 0);
  if (!p->exprs.data[t]) {
    hd_logic_expr e = translate(p, t);
    p->exprs.data[t] = e + 1;
  }
  return p->exprs.data[t] - 1;
}

/* --- rewriting --- */

static void add_fact(hd_terms *terms, hd_term_list *list, hd_term fact) {
  if (hd_term_is_true(terms, fact))
    return;
  if (hd_term_op_of(terms, fact) == HD_TERM_AND) {
    for (uint32_t i = 0; i < hd_term_node_of(terms, fact)->n; i++)
      add_fact(terms, list, hd_term_args(terms, fact)[i]);
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

/* Uses up the equations among `facts`; false when the facts are false. */
static bool use_equations(hd_terms *terms, hd_term_list *facts,
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
        add_fact(terms, &new, hd_term_subst_next(terms, facts->data[k]));
    *claim = hd_term_subst_next(terms, *claim);
    hd_term_subst_end(terms);
    hd_vec_free(facts);
    *facts = new;
    i = 0;
  }
  return true;
}

/* --- fractions --- */

/* A d with 1 / d in the term, outermost first; 0 = none. */
static hd_term denominator(const hd_terms *terms, hd_term t) {
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
static hd_term times(hd_terms *terms, hd_term t, hd_term d) {
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

static hd_proof settle(hd_prover *p, hd_term_list *facts, hd_term claim,
                       int depth);

/* An equation without fractions, as far as the facts allow it. */
static hd_term clear_fractions(hd_prover *p, hd_term_list *facts, hd_term eq,
                               int depth) {
  hd_terms *terms = p->terms;
  bool negated = hd_term_op_of(terms, eq) == HD_TERM_NOT;
  hd_term inner = negated ? hd_term_args(terms, eq)[0] : eq;
  if (depth || hd_term_op_of(terms, inner) != HD_TERM_EQ0 ||
      hd_term_sort_of(terms, hd_term_args(terms, inner)[0]) != HD_OF_REAL)
    return eq;
  hd_term t = hd_term_args(terms, inner)[0];
  for (int round = 0; round < 8; round++) {
    hd_term d = denominator(terms, t);
    if (!d)
      break;
    hd_term zero = hd_term_int(terms, 0);
    if (settle(p, facts, hd_term_ne(terms, d, zero), depth + 1) != HD_VALID)
      return eq;
    t = times(terms, t, d);
  }
  hd_term made = hd_term_eq0(terms, t);
  return negated ? hd_term_not(terms, made) : made;
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

static bool among(const hd_term_list *facts, hd_term claim) {
  for (size_t i = 0; i < facts->size; i++)
    if (facts->data[i] == claim)
      return true;
  return false;
}

static bool follows(hd_terms *terms, const hd_term_list *facts, hd_term claim) {
  if (hd_term_is_true(terms, claim) || among(facts, claim))
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
      if (follows(terms, facts, hd_term_args(terms, claim)[i]))
        return true;
    return false;
  case HD_TERM_AND:
    for (uint32_t i = 0; i < hd_term_node_of(terms, claim)->n; i++)
      if (!follows(terms, facts, hd_term_args(terms, claim)[i]))
        return false;
    return true;
  default:
    return false;
  }
}

/* --- asking --- */

/* The facts that are connected with the claim through common symbols. */
static void select_facts(hd_terms *terms, const hd_term_list *facts,
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

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Facts that must contradict the opposite of the claim. */
static hd_smt_status check(hd_prover *p, const hd_term_list *facts,
                           hd_term claim) {
  hd_vec(hd_logic_expr) exprs = {0};
  for (size_t i = 0; i < facts->size; i++) {
    hd_logic_expr e = express(p, facts->data[i]);
    hd_vec_push(&exprs, e);
  }
  hd_logic_expr e = express(p, hd_term_not(p->terms, claim));
  hd_vec_push(&exprs, e);
  p->calls++;
  hd_smt_status status =
      hd_logic_check(p->logic, exprs.data, exprs.size, p->seconds, p->deadline);
  hd_vec_free(&exprs);
  return status;
}

/* Does it follow from a few instances of the facts? (instances.c) */
static bool plain_follows(hd_prover *p, const hd_term_list *facts,
                          hd_term claim) {
  hd_terms *terms = p->terms;
  bool any = hd_prover_quantified(terms, claim);
  for (size_t i = 0; i < facts->size && !any; i++)
    any = hd_prover_quantified(terms, facts->data[i]);
  if (!any)
    return false;
  hd_term_list at = {0}, plain = {0};
  hd_term goal = hd_prover_skolemise(terms, claim, &at);
  bool ok = !hd_prover_quantified(terms, goal);
  if (ok && !at.size)
    hd_prover_indices(terms, goal, &at);
  for (size_t i = 0; i < facts->size && ok; i++)
    add_fact(terms, &plain, hd_prover_instantiate(terms, facts->data[i], &at));
  if (ok && use_equations(terms, &plain, &goal))
    ok = follows(terms, &plain, goal) || check(p, &plain, goal) == HD_SMT_UNSAT;
  hd_vec_free(&at);
  hd_vec_free(&plain);
  return ok;
}

static hd_proof ask(hd_prover *p, const hd_term_list *facts, hd_term claim) {
  hd_term_list chosen = {0};
  select_facts(p->terms, facts, claim, &chosen);
  if (chosen.size)
    qsort(chosen.data, chosen.size, sizeof *chosen.data, by_number);
  hd_key128 key = {claim, claim};
  for (size_t i = 0; i < chosen.size; i++) {
    key.a = hd_hash_mix(key.a, chosen.data[i]);
    key.b = hd_hash_mix(key.b + 0x9E37, (uint64_t)chosen.data[i] << 7 | 3);
  }
  bool fresh;
  uint8_t *answer = answers_put(&p->cache, key, HD_UNPROVED, &fresh);
  if (!fresh) {
    hd_vec_free(&chosen);
    return (hd_proof)*answer;
  }
  if (!p->logic)
    p->logic = hd_logic_new();
  hd_smt_status status = plain_follows(p, &chosen, claim)
                             ? HD_SMT_UNSAT
                             : check(p, &chosen, claim);
  hd_vec_free(&chosen);
  hd_proof proof = status == HD_SMT_UNSAT ? HD_VALID
                   : status == HD_SMT_SAT ? HD_INVALID
                                          : HD_UNPROVED;
  *answers_put(&p->cache, key, HD_UNPROVED, &fresh) = (uint8_t)proof;
  return proof;
}

/* After equations are used up. */
static hd_proof settle(hd_prover *p, hd_term_list *facts, hd_term claim,
                       int depth) {
  hd_terms *terms = p->terms;
  if (follows(terms, facts, claim))
    return HD_VALID;
  if (hd_term_is_false(terms, claim))
    return facts->size ? ask(p, facts, claim) : HD_INVALID;
  /* What is left of a conjunction is asked in one question. */
  hd_term_list parts = {0};
  add_fact(terms, &parts, claim);
  hd_term rest = hd_term_bool(terms, true);
  for (size_t i = 0; i < parts.size; i++) {
    hd_term part = clear_fractions(p, facts, parts.data[i], depth);
    if (!follows(terms, facts, part))
      rest = hd_term_and(terms, rest, part);
  }
  hd_vec_free(&parts);
  if (hd_term_is_true(terms, rest))
    return HD_VALID;
  if (among(facts, hd_term_not(terms, rest)))
    return HD_INVALID;
  return ask(p, facts, rest);
}

hd_proof hd_prover_valid(hd_prover *p, const hd_term *facts, size_t n,
                         hd_term claim) {
  hd_terms *terms = p->terms;
  assert(hd_term_sort_of(terms, claim) == HD_OF_BOOL);
  p->questions++;
  if (hd_term_is_true(terms, claim))
    return HD_VALID;
  hd_term_list list = {0};
  for (size_t i = 0; i < n; i++)
    add_fact(terms, &list, facts[i]);
  hd_proof proof = HD_VALID;
  if (!among(&list, claim) && use_equations(terms, &list, &claim))
    proof = settle(p, &list, claim, 0);
  hd_vec_free(&list);
  return proof;
}

hd_term hd_prover_simplify(hd_prover *p, const hd_term *facts, size_t n,
                           hd_term term) {
  hd_term_list list = {0};
  for (size_t i = 0; i < n; i++)
    add_fact(p->terms, &list, facts[i]);
  if (hd_term_node_of(p->terms, term)->marks)
    (void)use_equations(p->terms, &list, &term);
  hd_vec_free(&list);
  return term;
}

hd_proof hd_prover_model(hd_prover *p, const hd_term *facts, size_t n,
                         const hd_term *symbols, size_t n_symbols,
                         hd_prover_values *values) {
  if (!p->logic)
    p->logic = hd_logic_new();
  hd_vec(hd_logic_expr) exprs = {0};
  for (size_t i = 0; i < n; i++) {
    hd_logic_expr e = express(p, facts[i]);
    hd_vec_push(&exprs, e);
  }
  p->calls++;
  hd_smt_status status =
      hd_logic_check(p->logic, exprs.data, exprs.size, p->seconds, p->deadline);
  hd_vec_free(&exprs);
  if (status != HD_SMT_SAT)
    return status == HD_SMT_UNSAT ? HD_INVALID : HD_UNPROVED;
  for (size_t i = 0; i < n_symbols; i++) {
    hd_str text = {0};
    if (!hd_logic_value(p->logic, express(p, symbols[i]), &text))
      hd_str_puts(&text, "0");
    hd_vec_push(values, hd_str_take(&text));
  }
  return HD_VALID;
}
