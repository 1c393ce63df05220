/* SPDX-License-Identifier: MIT */
/* Multisets of local states, each with a set of shared states: what the sweep
 * knows. They are kept in a trie whose paths are the members in ascending order,
 * so that the multisets contained in a given one are found by walking it. */
#ifndef HD_ENGINE_CONCOLIC_SHELF_H
#define HD_ENGINE_CONCOLIC_SHELF_H

#include "base/vec.h"

#define HD_NO_ENTRY UINT32_MAX

typedef struct hd_shelf hd_shelf;

/* Sets are bitsets of `words` words. */
hd_shelf *hd_shelf_new(uint32_t words);
void hd_shelf_delete(hd_shelf *shelf);

/* The number of multisets; they are 0, 1, … in the order of their first use. */
uint32_t hd_shelf_size(const hd_shelf *shelf);
/* The number of multiset `m`, ascending, one entry a member; new ones have the
 * empty set. */
uint32_t hd_shelf_entry(hd_shelf *shelf, const hd_u32s *m);
void hd_shelf_read(const hd_shelf *shelf, uint32_t entry, hd_u32s *m);
uint32_t hd_shelf_members(const hd_shelf *shelf, uint32_t entry);
/* Its set; valid until the next hd_shelf_entry. */
const uint64_t *hd_shelf_set(const hd_shelf *shelf, uint32_t entry);
void hd_shelf_add(hd_shelf *shelf, uint32_t entry, const uint64_t *bits);

/* Takes out of `bits` the sets of all multisets contained in `m`, but for that
 * of entry `but` (HD_NO_ENTRY: none). True when nothing is left. */
bool hd_shelf_subtract(hd_shelf *shelf, const hd_u32s *m, uint32_t but,
                       uint64_t *bits);
/* Trie nodes visited by all subtractions. */
uint64_t hd_shelf_visits(const hd_shelf *shelf);

#endif
