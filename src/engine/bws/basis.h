/* SPDX-License-Identifier: MIT */
/* A growing set of configurations of which only the minimal ones are alive: the
 * basis of an upward-closed set. Every configuration ever added keeps its
 * number and its tokens, so that parents can be followed after they were
 * subsumed.
 *
 * Profile (SATABS systems and Petri nets): two of three candidates are rejected
 * as subsumed, so "is there an alive u <= M" is the hot loop; one in three
 * kills what is above it. */
#ifndef HD_ENGINE_BWS_BASIS_H
#define HD_ENGINE_BWS_BASIS_H

#include "model/tokens.h"

#define HD_NO_CONFIG UINT32_MAX

typedef struct hd_basis hd_basis;

hd_basis *hd_basis_new(uint32_t n_shared, uint32_t n_places);
void hd_basis_delete(hd_basis *basis);

/* Adds (shared | tokens) unless an alive element is below it. Returns its new
 * number, or HD_NO_CONFIG when subsumed. Alive elements above it die. The
 * tokens are copied; they must not point into the basis. */
uint32_t hd_basis_add(hd_basis *basis, hd_shared_id shared, hd_tokens tokens,
                      uint32_t parent, hd_trans_id trans);

/* Takes an element out of the basis that is known not to matter. */
void hd_basis_kill(hd_basis *basis, uint32_t id);

/* All configurations ever added are 0 … size - 1. */
size_t hd_basis_size(const hd_basis *basis);
size_t hd_basis_alive(const hd_basis *basis);
/* How many branches have been looked at: what the questions have cost. */
uint64_t hd_basis_visits(const hd_basis *basis);
bool hd_basis_is_alive(const hd_basis *basis, uint32_t id);
hd_shared_id hd_basis_shared(const hd_basis *basis, uint32_t id);
/* Valid until the next add. */
hd_tokens hd_basis_tokens(const hd_basis *basis, uint32_t id);
uint32_t hd_basis_parent(const hd_basis *basis, uint32_t id);
hd_trans_id hd_basis_trans(const hd_basis *basis, uint32_t id);
hd_count hd_basis_total(const hd_basis *basis, uint32_t id);

#endif
