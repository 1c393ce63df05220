/* SPDX-License-Identifier: MIT */
/* The nest of loops of a process: the records of the loops with invariants that
 * it is in. */
#ifndef HD_ENGINE_LISE_NEST_H
#define HD_ENGINE_LISE_NEST_H

#include "engine/lise/loops.h"

/* Where a record is. */
typedef struct {
  bool on_stack; /* or in the queue */
  size_t index;
  size_t depth; /* of its loop in the nest, from 0 */
} hd_lise_rung;
typedef hd_vec(hd_lise_rung) hd_lise_nest;

hd_lise_record *hd_lise_rung_record(const hd_lise_state *s, hd_lise_rung at);
/* For changing. */
hd_lise_record *hd_lise_rung_own(hd_lise_state *s, hd_lise_rung at);
/* The last entry is the current record. Of each loop there are the records of
 * all iterations that the state still has, oldest first: where the paper's
 * algorithm pops the record of the iteration before, it stays here until the
 * loop is left. All these have one write set: what is known of what the body
 * modifies. */
void hd_lise_nest_of(const hd_lise_state *s, hd_proc p, hd_lise_nest *out);

/* Does process `q` come to this record at some time? */
bool hd_lise_takes_part(const hd_lise *l, const hd_lise_record *r, hd_proc q);
/* Adds a fact that is not there and not trivial. */
void hd_lise_add_fact(const hd_lise *l, hd_term_list *list, hd_term fact);
/* What the snapshots of a complete record must prove (claim.c): the
 * conjunction of all claims, proved, or a violation. */
hd_going hd_lise_claim(hd_lise *l, const hd_lise_record *r, hd_term *claim);
/* An assertion or assumption of the running process alone. */
hd_going hd_lise_own_note(hd_lise *l, const hd_notes *notes,
                          const hd_note *note);

#endif
