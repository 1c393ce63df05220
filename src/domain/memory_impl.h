/* SPDX-License-Identifier: MIT */
/* Shared by memory.c, memory_join.c, memory_relate.c and memory_replay.c. */
#ifndef HD_DOMAIN_MEMORY_IMPL_H
#define HD_DOMAIN_MEMORY_IMPL_H

#include "domain/contents.h"

struct hd_memory {
  uint32_t refs, n;
  const hd_related *related; /* NULL: no cell has a name */
  hd_relation *relation;     /* of them */
  hd_reads *reads;           /* NULL: nobody wants to know */
  hd_contents *blocks[];     /* ascending by object */
};

/* With one reference, and `n` objects to be filled in. */
hd_memory *hd_memory_sized(uint32_t n, const hd_related *related);
/* Makes sure that nobody else holds it. */
hd_memory *hd_memory_own(hd_memory **memory);

/* Bytes lo … hi - 1 are asked for, or the object as a whole. */
static inline void hd_memory_note(const hd_memory *m, hd_object_id object,
                                  uint64_t lo, uint64_t hi, bool value) {
  if (m->reads)
    hd_reads_add(m->reads, object, lo, hi, value);
}

static inline void hd_memory_note_object(const hd_memory *m,
                                         hd_object_id object) {
  hd_memory_note(m, object, 0, 0, true);
}

/* NULL: there is no such object. */
hd_contents *hd_memory_get(const hd_memory *memory, hd_object_id object);
/* Puts `fresh` (a reference that is given away) in the place of its object. What
 * is known about named cells stays. */
void hd_memory_put(hd_memory **memory, hd_contents *fresh);

static inline hd_name hd_related_name(const hd_related *related, uint32_t i) {
  return hd_cell_name(related->cells[i].object, related->cells[i].offset);
}
hd_relation_side hd_memory_side(const hd_memory *memory);
/* Narrows the cells to what the relation says about each. */
void hd_memory_tighten(hd_memory **memory);

#endif
