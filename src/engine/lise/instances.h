/* SPDX-License-Identifier: MIT */
/* Quantified questions made plain: part of the prover. */
#ifndef HD_ENGINE_LISE_INSTANCES_H
#define HD_ENGINE_LISE_INSTANCES_H

#include "engine/lise/term.h"

/* Is there a quantifier that only && and || stand above? */
bool hd_prover_quantified(const hd_terms *terms, hd_term t);
/* The claim with a fresh symbol for each variable that is quantified by forall;
 * appends the symbols. It is valid if and only if the claim is. */
hd_term hd_prover_skolemise(hd_terms *terms, hd_term t, hd_term_list *symbols);
/* What a fact says when its variables are some of `at`; follows from it. */
hd_term hd_prover_instantiate(hd_terms *terms, hd_term t, hd_term_list *at);
/* Appends a few indices of arrays in a term without quantifiers. */
void hd_prover_indices(hd_terms *terms, hd_term t, hd_term_list *out);

#endif
