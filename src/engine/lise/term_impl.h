/* SPDX-License-Identifier: MIT */
/* Inside of the terms. */
#ifndef HD_ENGINE_LISE_TERM_IMPL_H
#define HD_ENGINE_LISE_TERM_IMPL_H

#include "engine/lise/term.h"

typedef struct {
  hd_term prod; /* 0 = the constant */
  hd_ratio coef;
} hd_mono;
typedef hd_vec(hd_mono) hd_monos;

struct hd_terms {
  hd_vec(hd_term_node) nodes;
  hd_u32s args;
  uint32_t *slots; /* hash table: term, or 0 */
  size_t n_slots;
  hd_vec(char *) names; /* of FN */
  hd_term true_, false_, undef, zero, one;
  /* substitution and visiting: a result for each term, valid when its stamp is
   * the current one */
  hd_vec(uint64_t) stamps;
  hd_u32s results;
  uint64_t stamp;
  hd_vec(uint64_t) seen;
  uint64_t visit;
  const hd_term_pair *map;
  size_t n_map;
  bool by_index; /* map is from symbols, found by stamps */
};

/* The term with these parts; no simplification. `args` may lie in the pool. */
hd_term hd_term_make(hd_terms *terms, hd_term_op op, hd_term_sort sort,
                     const uint32_t *args, size_t n);

static inline const hd_term_node *node_of(const hd_terms *terms, hd_term t) {
  assert(t && t < terms->nodes.size);
  return &terms->nodes.data[t];
}
static inline const uint32_t *args_of(const hd_terms *terms, hd_term t) {
  return terms->args.data + node_of(terms, t)->first;
}

/* Exact arithmetic; false when numbers get too large. */
HD_MUST_USE bool hd_ratio_add(hd_ratio a, hd_ratio b, hd_ratio *out);
HD_MUST_USE bool hd_ratio_mul(hd_ratio a, hd_ratio b, hd_ratio *out);
hd_i128 hd_gcd(hd_i128 a, hd_i128 b);

/* A number as a list of monomials, the constant first (always there). */
void hd_poly_open(const hd_terms *terms, hd_term t, hd_monos *out);
/* Back to a term; sorts and drops zeroes. */
hd_term hd_poly_close(hd_terms *terms, hd_term_sort sort, hd_monos *monos);
/* poly * coef; false when numbers get too large */
HD_MUST_USE bool hd_poly_scale(hd_monos *monos, hd_ratio coef);

/* a = 0, a <= 0, a < 0 */
hd_term hd_term_eq0(hd_terms *terms, hd_term a);
hd_term hd_term_le0(hd_terms *terms, hd_term a);
hd_term hd_term_lt0(hd_terms *terms, hd_term a);

#endif
