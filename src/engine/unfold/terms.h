/* SPDX-License-Identifier: MIT */
/* Private to this folder: inputs as variables (--domain=concrete).
 *
 * An input of many values gets a variable of its own, and what is computed from it
 * is a term over bit vectors, beside its interval (hd_value.term: the number of the
 * term plus 1). What branches decided about such terms is the *path* of a state
 * since its thread's last event; with the paths of all events in a history it is
 * the history's condition. A branch is taken only if Z3 does not exclude it: so an
 * alarm whose straight-line program (a partial order and the ways taken in it) has
 * no inputs is refuted before it is raised. To forget a part of a condition, or a
 * term, only adds states, and costs precision alone. */
#ifndef HD_ENGINE_UNFOLD_TERMS_H
#define HD_ENGINE_UNFOLD_TERMS_H

#include "engine/unfold/state.h"

/* Of an analysis that tells values apart; needs Z3 when there is a variable. */
terms *hd_terms_create(void);
void hd_terms_free(terms *t);

/* The next segment is that of the thread's event number `seq`, in a history with
 * this condition (borrowed until the next call). */
void hd_terms_begin(analysis *a, uint32_t seq, const hd_u32s *condition);

/* The register holds an input: it gets a variable. */
void hd_terms_name(analysis *a, thread_id thread, local *l, hd_reg_id reg,
                   uint8_t width);
/* The term of `v`, the result of an operation that is defined, if there is one. */
void hd_terms_apply(analysis *a, const hd_cexpr *e, const hd_type *types,
                    const hd_value *args, hd_value *v);
/* What of `mays`, that may go wrong in the operation, is not excluded. */
hd_mays hd_terms_undefined(analysis *a, const local *l, const hd_cexpr *e,
                           const hd_type *types, const hd_value *args,
                           hd_mays mays);
/* A value of this width (as it was before) is `truth`, that is not 0 or 0. False:
 * the state's path and its history exclude that. */
HD_MUST_USE bool hd_terms_assume(analysis *a, local *l, const hd_value *v,
                                 uint8_t width, bool truth);
/* From now on `v` has the value of the constant `is`; false: it cannot. */
HD_MUST_USE bool hd_terms_fix(analysis *a, local *l, const hd_value *v,
                              uint8_t width, const hd_value *is);

/* May two states that are the same but for their paths be one? Then `*both` is
 * the path of that. */
bool hd_terms_merge(analysis *a, const local *x, const local *y, trail **both);
/* Adds what a path says to a condition: an ascending set. */
void hd_terms_add_path(hd_u32s *condition, const trail *p);
void hd_terms_add(hd_u32s *condition, const hd_u32s *more);
/* The variables that a value, a thread's frames, or a memory depend on. */
uint64_t hd_terms_in_value(analysis *a, const hd_value *v);
uint64_t hd_terms_in_frame(analysis *a, const frame *f);
uint64_t hd_terms_in_memory(analysis *a, const hd_memory *memory);
/* Is all that the condition `of` says about these variables said by `by`, too? */
bool hd_terms_implied(analysis *a, const hd_u32s *by, const hd_u32s *of,
                      uint64_t variables);

trail *hd_trail_keep(trail *p);
void hd_trail_drop(trail *p);

#endif
