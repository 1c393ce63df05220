/* SPDX-License-Identifier: MIT */
/* What is known about the bytes of one object: cells with values, and a fill for
 * the bytes between them. Contents are counted and shared by memories, so that
 * whoever changes one makes a new one. Private to this folder. */
#ifndef HD_DOMAIN_CONTENTS_H
#define HD_DOMAIN_CONTENTS_H

#include "domain/memory.h"

typedef struct {
  uint32_t offset, bytes;
  hd_stamp stamp;
  hd_value value;
} hd_memory_cell;

typedef hd_vec(hd_memory_cell) hd_cell_list;

typedef struct {
  uint32_t refs, n;
  uint64_t size;
  hd_object_id object;
  hd_stamp stamp; /* of fill and life */
  uint8_t fill, life;
  hd_memory_cell cells[]; /* ascending, disjoint */
} hd_contents;

/* With one reference, and `n` cells to be filled in. */
hd_contents *hd_contents_new(uint32_t n);
/* The same object with other cells, which are copied. */
hd_contents *hd_contents_with(const hd_contents *old,
                              const hd_memory_cell *cells, size_t n);
void hd_contents_drop(hd_contents *contents);

/* The first cell that ends behind `offset`. */
uint32_t hd_contents_find(const hd_contents *contents, uint64_t offset);
/* The cell of exactly these bytes; NULL: there is none. */
const hd_memory_cell *hd_contents_cell(const hd_contents *contents,
                                       uint64_t offset, uint32_t bytes);
/* The value of 1 … 8 bytes. */
hd_value hd_contents_load(const hd_contents *contents, uint64_t offset,
                          uint32_t bytes);
/* The stamp of what covers them: the newest. */
hd_stamp hd_contents_stamp(const hd_contents *contents, uint32_t offset,
                           uint32_t bytes);
static inline hd_stamp hd_stamp_newer(hd_stamp x, hd_stamp y) {
  return x > y ? x : y;
}

/* Replaces what is at [offset, offset + bytes). */
hd_contents *hd_contents_store(const hd_contents *contents, uint64_t offset,
                               uint32_t bytes, const hd_value *value,
                               hd_stamp stamp);
/* The cells of the target's addresses, which may or may not be written to, in one
 * pass over the object; NULL: a cell of another shape is in the way. */
hd_contents *hd_contents_store_weakly(const hd_contents *contents,
                                      const hd_pointee *target, uint32_t bytes,
                                      const hd_value *value, hd_stamp stamp);
hd_contents *hd_contents_fill(const hd_contents *contents, uint64_t offset,
                              uint64_t bytes, hd_fill fill, hd_stamp stamp);

/* Is all that `b` says true in `a`? Stamps do not count. */
bool hd_contents_within(const hd_contents *a, const hd_contents *b);

#endif
