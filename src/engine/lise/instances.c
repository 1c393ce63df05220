/* SPDX-License-Identifier: MIT */
/* Quantified questions made plain. To show "for all k …" take one k of which
 * nothing is known; and of a fact "for all k …" use only what it says of that k
 * and of the indices in the claim. Most invariants over arrays need no more, and
 * solvers find instances of array[i * n + j] hard to guess. What does not follow
 * from these instances may still follow from the facts. */
#include "engine/lise/instances.h"

enum { MOST_INSTANCES = 8, FIRST_SYMBOL = 0x3fff0000 };

static bool is_connective(hd_term_op op) {
  return op == HD_TERM_AND || op == HD_TERM_OR;
}

bool hd_prover_quantified(const hd_terms *terms, hd_term t) {
  hd_term_op op = hd_term_op_of(terms, t);
  if (op == HD_TERM_FORALL || op == HD_TERM_EXISTS)
    return true;
  for (uint32_t i = 0; is_connective(op) && i < hd_term_node_of(terms, t)->n;
       i++)
    if (hd_prover_quantified(terms, hd_term_args(terms, t)[i]))
      return true;
  return false;
}

/* A connective of what `each` makes of its parts. */
typedef hd_term part_fn(hd_terms *terms, hd_term t, hd_term_list *list);
static hd_term map_parts(hd_terms *terms, hd_term t, hd_term_list *list,
                         part_fn *each) {
  bool is_and = hd_term_op_of(terms, t) == HD_TERM_AND;
  uint32_t n = hd_term_node_of(terms, t)->n;
  hd_term out = hd_term_bool(terms, is_and);
  for (uint32_t i = 0; i < n; i++) {
    hd_term part = each(terms, hd_term_args(terms, t)[i], list);
    out = is_and ? hd_term_and(terms, out, part) : hd_term_or(terms, out, part);
  }
  return out;
}

static hd_term put(hd_terms *terms, hd_term t, hd_term value) {
  const uint32_t *args = hd_term_args(terms, t);
  hd_term_pair pair = {args[0], value};
  return hd_term_subst(terms, args[1], &pair, 1);
}

hd_term hd_prover_skolemise(hd_terms *terms, hd_term t, hd_term_list *symbols) {
  hd_term_op op = hd_term_op_of(terms, t);
  if (is_connective(op))
    return map_parts(terms, t, symbols, hd_prover_skolemise);
  if (op != HD_TERM_FORALL)
    return t;
  hd_term fresh = hd_term_sym(
      terms, HD_SYM_Y, FIRST_SYMBOL + (uint32_t)symbols->size, HD_OF_INT);
  hd_vec_push(symbols, fresh);
  return hd_prover_skolemise(terms, put(terms, t, fresh), symbols);
}

hd_term hd_prover_instantiate(hd_terms *terms, hd_term t, hd_term_list *at) {
  hd_term_op op = hd_term_op_of(terms, t);
  if (is_connective(op))
    return map_parts(terms, t, at, hd_prover_instantiate);
  if (op == HD_TERM_EXISTS)
    return hd_term_bool(terms, true);
  if (op != HD_TERM_FORALL)
    return t;
  hd_term out = hd_term_bool(terms, true);
  for (size_t i = 0; i < at->size && i < MOST_INSTANCES; i++)
    out = hd_term_and(
        terms, out,
        hd_prover_instantiate(terms, put(terms, t, at->data[i]), at));
  return out;
}

void hd_prover_indices(hd_terms *terms, hd_term t, hd_term_list *out) {
  hd_term_op op = hd_term_op_of(terms, t);
  if (op == HD_TERM_CONST || op == HD_TERM_SYM || op == HD_TERM_UNDEF ||
      op == HD_TERM_FORALL || op == HD_TERM_EXISTS || op == HD_TERM_FN)
    return;
  uint32_t n = hd_term_node_of(terms, t)->n;
  if (op == HD_TERM_SELECT) {
    hd_term index = hd_term_args(terms, t)[1];
    for (size_t i = 0; i < out->size; i++)
      if (out->data[i] == index)
        return;
    if (out->size < MOST_INSTANCES)
      hd_vec_push(out, index);
    return;
  }
  if (op == HD_TERM_PTR)
    return;
  bool pairs = op == HD_TERM_SUM; /* constant, then coefficient and product */
  for (uint32_t i = pairs ? 2 : 0; i < n; i += pairs ? 2 : 1)
    hd_prover_indices(terms, hd_term_args(terms, t)[i], out);
}
