/* SPDX-License-Identifier: MIT */
/* What is done with facts and a claim before anybody is asked. */
#ifndef HD_ENGINE_LISE_REWRITE_H
#define HD_ENGINE_LISE_REWRITE_H

#include "engine/lise/term.h"

/* Adds a fact, conjunctions in parts, unless it is there or trivial. */
void hd_rewrite_add(hd_terms *terms, hd_term_list *list, hd_term fact);
/* Uses up the equations among `facts`; false when the facts are false. */
bool hd_rewrite_equations(hd_terms *terms, hd_term_list *facts, hd_term *claim);
/* A d with 1 / d in the term, outermost first; 0 = none. */
hd_term hd_rewrite_denominator(const hd_terms *terms, hd_term t);
/* The term multiplied by d. */
hd_term hd_rewrite_times(hd_terms *terms, hd_term t, hd_term d);
bool hd_rewrite_among(const hd_term_list *facts, hd_term claim);
/* Does the claim follow from single facts? False: not seen. */
bool hd_rewrite_follows(hd_terms *terms, const hd_term_list *facts,
                        hd_term claim);
/* The facts that are connected with the claim through common symbols. */
void hd_rewrite_select(hd_terms *terms, const hd_term_list *facts,
                       hd_term claim, hd_term_list *out);

#endif
