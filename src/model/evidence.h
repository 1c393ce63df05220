/* SPDX-License-Identifier: MIT */
/* What backs a verdict, always in terms of the *input* model: its transition
 * numbers, places and shared states. Engines make evidence, check/ judges it,
 * front/evidence reads and writes it.
 *
 * Witness: an exact initial configuration and a sequence of transitions that
 * leads from it to a configuration in the target.
 *
 * Certificate: one of two kinds.
 *
 * HD_CERT_BACKWARD — optional parts that together bound what is reachable:
 *   rows     T: for each shared state the places that may ever hold a token
 *            there (a shared state without a row is never reached at all).
 *            Inductive: holds initially; every transition enabled within T
 *            leads into T.
 *   linear   inequalities  potential[s] + sum weight[p] * M(p) <= bound  with
 *            weights >= 0: hold initially, never increased by a transition
 *            enabled within T and not excluded by an inequality before it: one
 *            excludes a transition when its source with only its pre tokens
 *            already violates it.
 *   traps    sets Q of places and shared states that keep a token: one has a
 *            token initially, whatever the choice, and every transition
 *            enabled within T (and not excluded by an inequality before the
 *            trap's stage) that takes or moves a token out of Q also puts one
 *            into Q. An inequality that uses traps Q1, … with times k1, … is
 *            true because  potential + weight + sum ki * Qi  (one more unit of
 *            weight or potential ki for each member of Qi) is never increased
 *            and at most bound + sum ki initially, while each Qi holds at
 *            least one. A trap's stage is at most the index of what uses it.
 *   basis    U: configurations none of which is below an initial one, and
 *            closed under minimal predecessors, except for those that T or an
 *            inequality excludes.
 *   Every target is excluded by T or an inequality, or lies above an element of
 *   U. Only T: proof by reduce; only linear: by the state equation; the basis:
 *   by backward search.
 *
 * HD_CERT_COVER — maximal configurations D (counts may be HD_OMEGA) whose
 *   downward closure contains the initial configurations, is closed under every
 *   transition into a shared state from which a target's shared state can
 *   still be reached, and contains no target. `ignored` places count as
 *   HD_OMEGA in every element of D. With rows (T, as above), only transitions
 *   enabled within T count.
 *
 * `control`, if not empty, says: read the net in its split form, where these
 * places, which always hold exactly one token together, are the shared states
 * 0, 1, … in this order (model/split.h). Shared states and places in the rest
 * of the certificate are then those of the split net. */
#ifndef HD_MODEL_EVIDENCE_H
#define HD_MODEL_EVIDENCE_H

#include "base/bitset.h"
#include "model/net.h"

/* `count` tokens took the move from -> to in a step. */
typedef struct {
  hd_place_id from, to; /* `to` may be HD_NOWHERE */
  hd_count count;
} hd_choice;

typedef struct {
  hd_trans_id trans;
  hd_range choices; /* into witness->choices; needed only where a place has
                       several moves */
} hd_step;

typedef struct {
  hd_token_vec init; /* exact counts; the shared state is the net's */
  hd_vec(hd_step) steps;
  hd_vec(hd_choice) choices;
  uint32_t target; /* index into net->targets */
} hd_witness;

hd_witness *hd_witness_new(void);
void hd_witness_delete(hd_witness *witness);
/* Fills in `init` for a net without moves and caps: the least initial
 * configuration from which `steps` can be fired and target `target` is covered
 * after. False when there is none. */
HD_MUST_USE bool hd_witness_find_init(hd_witness *witness, const hd_net *net);

/* A configuration with its vector in a shared pool of tokens. */
typedef struct {
  hd_shared_id shared;
  hd_range tokens;
} hd_config;

typedef struct {
  int64_t bound;
  int64_t *potential; /* n_shared, or NULL: all zero */
  int64_t *weight;    /* n_places, each >= 0 */
  hd_range traps;     /* into cert->trap_uses: the traps it needs, see above */
} hd_linear;

/* A set of places and shared states that keeps a token. */
typedef struct {
  uint64_t *places; /* n_places bits */
  uint64_t *shared; /* n_shared bits */
  uint32_t stage;   /* may rely on the inequalities before this one */
} hd_trap;

typedef struct {
  uint32_t trap; /* index into cert->traps */
  int64_t times; /* > 0 */
} hd_trap_use;

typedef enum { HD_CERT_BACKWARD, HD_CERT_COVER } hd_cert_kind;

typedef struct {
  hd_cert_kind kind;
  uint32_t n_shared, n_places; /* of the (split) net it is about */
  hd_u32s control;
  uint64_t **rows; /* n_shared bitsets of n_places bits, NULL = never reached;
                      the array itself NULL = no T part */
  hd_vec(hd_linear) linear;
  hd_vec(hd_trap) traps;
  hd_vec(hd_trap_use) trap_uses;
  hd_vec(hd_config) configs; /* the basis U, or the cover D */
  hd_token_vec tokens;       /* pool of the configs */
  hd_u32s ignored;           /* HD_CERT_COVER: sorted places */
} hd_cert;

hd_cert *hd_cert_new(hd_cert_kind kind, uint32_t n_shared, uint32_t n_places);
void hd_cert_delete(hd_cert *cert);
void hd_cert_add_config(hd_cert *cert, hd_shared_id shared, hd_tokens tokens);
static inline hd_tokens hd_cert_view(const hd_cert *cert, const hd_config *c) {
  return (hd_tokens){
      .data = c->tokens.size ? cert->tokens.data + c->tokens.start : NULL,
      .size = c->tokens.size};
}
/* Gives the T part empty rows (no shared state reached). */
void hd_cert_add_rows(hd_cert *cert);
/* The row of `shared`, made empty if it is not there. */
uint64_t *hd_cert_row(hd_cert *cert, hd_shared_id shared);
/* A zeroed inequality appended to the certificate; the pointer is valid until
 * the next call. */
hd_linear *hd_cert_add_linear(hd_cert *cert);
/* An empty trap appended to the certificate, with the same lifetime; its stage
 * is the number of inequalities so far. */
hd_trap *hd_cert_add_trap(hd_cert *cert);
/* Appends the inequalities of `from` (which has the same dimensions), with the
 * traps they need. */
void hd_cert_copy_linear(hd_cert *cert, const hd_cert *from);
/* Takes over the T part of `from` (which has the same dimensions). */
void hd_cert_copy_rows(hd_cert *cert, const hd_cert *from);

#endif
