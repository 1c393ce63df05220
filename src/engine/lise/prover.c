/* SPDX-License-Identifier: MIT */
/* Questions: facts and claim are rewritten first (rewrite.c). Facts without a
 * connection to what is left of the claim are not asked about: they do not
 * contradict each other, so they cannot help.
 *
 * Fractions: 1 / d is a factor of its own in a product. An equation with such
 * factors is multiplied by d where the facts say that d is not 0, which turns
 * identities of fractions into identities of polynomials. */
#include "engine/lise/prover.h"
#include "base/hash.h"
#include "engine/lise/instances.h"
#include "engine/lise/rewrite.h"
#include "engine/lise/term_impl.h"
#include "engine/lise/translate.h"

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
  hd_translator to;
  double seconds, deadline;
  answers cache;
  uint64_t questions, calls;
};

hd_prover *hd_prover_new(hd_terms *terms, double seconds, double deadline) {
  hd_prover *prover = hd_calloc(1, sizeof *prover);
  prover->terms = prover->to.terms = terms;
  prover->seconds = seconds;
  prover->deadline = deadline;
  return prover;
}

void hd_prover_delete(hd_prover *prover) {
  if (!prover)
    return;
  hd_logic_delete(prover->to.logic);
  hd_vec_free(&prover->to.exprs);
  answers_free(&prover->cache);
  hd_free(prover);
}

uint64_t hd_prover_questions(const hd_prover *prover) {
  return prover->questions;
}

uint64_t hd_prover_calls(const hd_prover *prover) {
  return prover->calls;
}

/* --- fractions --- */

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
    hd_term d = hd_rewrite_denominator(terms, t);
    if (!d)
      break;
    hd_term zero = hd_term_int(terms, 0);
    if (settle(p, facts, hd_term_ne(terms, d, zero), depth + 1) != HD_VALID)
      return eq;
    t = hd_rewrite_times(terms, t, d);
  }
  hd_term made = hd_term_eq0(terms, t);
  return negated ? hd_term_not(terms, made) : made;
}

/* --- asking --- */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Facts that must contradict the opposite of the claim. */
static hd_smt_status check(hd_prover *p, const hd_term_list *facts,
                           hd_term claim) {
  hd_vec(hd_logic_expr) exprs = {0};
  for (size_t i = 0; i < facts->size; i++) {
    hd_logic_expr e = hd_translator_express(&p->to, facts->data[i]);
    hd_vec_push(&exprs, e);
  }
  hd_logic_expr e = hd_translator_express(&p->to, hd_term_not(p->terms, claim));
  hd_vec_push(&exprs, e);
  p->calls++;
  hd_smt_status status = hd_logic_check(p->to.logic, exprs.data, exprs.size,
                                        p->seconds, p->deadline);
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
    hd_rewrite_add(terms, &plain,
                   hd_prover_instantiate(terms, facts->data[i], &at));
  if (ok && hd_rewrite_equations(terms, &plain, &goal))
    ok = hd_rewrite_follows(terms, &plain, goal) ||
         check(p, &plain, goal) == HD_SMT_UNSAT;
  hd_vec_free(&at);
  hd_vec_free(&plain);
  return ok;
}

static hd_proof ask(hd_prover *p, const hd_term_list *facts, hd_term claim) {
  hd_term_list chosen = {0};
  hd_rewrite_select(p->terms, facts, claim, &chosen);
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
  if (!p->to.logic)
    p->to.logic = hd_logic_new();
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
  if (hd_rewrite_follows(terms, facts, claim))
    return HD_VALID;
  if (hd_term_is_false(terms, claim))
    return facts->size ? ask(p, facts, claim) : HD_INVALID;
  /* What is left of a conjunction is asked in one question. */
  hd_term_list parts = {0};
  hd_rewrite_add(terms, &parts, claim);
  hd_term rest = hd_term_bool(terms, true);
  for (size_t i = 0; i < parts.size; i++) {
    hd_term part = clear_fractions(p, facts, parts.data[i], depth);
    if (!hd_rewrite_follows(terms, facts, part))
      rest = hd_term_and(terms, rest, part);
  }
  hd_vec_free(&parts);
  if (hd_term_is_true(terms, rest))
    return HD_VALID;
  if (hd_rewrite_among(facts, hd_term_not(terms, rest)))
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
    hd_rewrite_add(terms, &list, facts[i]);
  hd_proof proof = HD_VALID;
  if (!hd_rewrite_among(&list, claim) &&
      hd_rewrite_equations(terms, &list, &claim))
    proof = settle(p, &list, claim, 0);
  hd_vec_free(&list);
  return proof;
}

hd_term hd_prover_simplify(hd_prover *p, const hd_term *facts, size_t n,
                           hd_term term) {
  hd_term_list list = {0};
  for (size_t i = 0; i < n; i++)
    hd_rewrite_add(p->terms, &list, facts[i]);
  if (hd_term_node_of(p->terms, term)->marks)
    (void)hd_rewrite_equations(p->terms, &list, &term);
  hd_vec_free(&list);
  return term;
}

hd_proof hd_prover_model(hd_prover *p, const hd_term *facts, size_t n,
                         const hd_term *symbols, size_t n_symbols,
                         hd_prover_values *values) {
  if (!p->to.logic)
    p->to.logic = hd_logic_new();
  hd_vec(hd_logic_expr) exprs = {0};
  for (size_t i = 0; i < n; i++) {
    hd_logic_expr e = hd_translator_express(&p->to, facts[i]);
    hd_vec_push(&exprs, e);
  }
  p->calls++;
  hd_smt_status status = hd_logic_check(p->to.logic, exprs.data, exprs.size,
                                        p->seconds, p->deadline);
  hd_vec_free(&exprs);
  if (status != HD_SMT_SAT)
    return status == HD_SMT_UNSAT ? HD_INVALID : HD_UNPROVED;
  for (size_t i = 0; i < n_symbols; i++) {
    hd_str text = {0};
    if (!hd_logic_value(p->to.logic, hd_translator_express(&p->to, symbols[i]),
                        &text))
      hd_str_puts(&text, "0");
    hd_vec_push(values, hd_str_take(&text));
  }
  return HD_VALID;
}
