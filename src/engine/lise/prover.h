/* SPDX-License-Identifier: MIT */
/* Does a claim follow from facts? First by rewriting: equations among the facts
 * are solved and put into the rest, the claim is looked up among the facts, up
 * to constants. What is left is asked once of the SMT solver and remembered. */
#ifndef HD_ENGINE_LISE_PROVER_H
#define HD_ENGINE_LISE_PROVER_H

#include "engine/lise/term.h"

typedef enum {
  HD_INVALID, /* the facts allow that it does not hold */
  HD_VALID,
  HD_UNPROVED, /* the solver gave up */
} hd_proof;

typedef struct hd_prover hd_prover;

/* One question may take the work of so many `seconds`, and none is answered
 * after `deadline` (hd_now (); 0 = none). The terms are borrowed. */
hd_prover *hd_prover_new(hd_terms *terms, double seconds, double deadline);
void hd_prover_delete(hd_prover *prover);

/* `facts` must not contradict each other, as far as INVALID is concerned. */
hd_proof hd_prover_valid(hd_prover *prover, const hd_term *facts, size_t n,
                         hd_term claim);

/* The term with the equations among the facts put into it. */
hd_term hd_prover_simplify(hd_prover *prover, const hd_term *facts, size_t n,
                           hd_term term);

/* Values of symbols (numbers) that satisfy the facts, as text, one behind the
 * other in `values` (owned by the caller). HD_VALID: here they are; HD_INVALID:
 * there are none. */
typedef hd_vec(char *) hd_prover_values;
hd_proof hd_prover_model(hd_prover *prover, const hd_term *facts, size_t n,
                         const hd_term *symbols, size_t n_symbols,
                         hd_prover_values *values);

/* Questions in all, and those that went to the solver. */
uint64_t hd_prover_questions(const hd_prover *prover);
uint64_t hd_prover_calls(const hd_prover *prover);

#endif
