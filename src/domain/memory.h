/* SPDX-License-Identifier: MIT */
/* Abstract memory: what is known about the contents of objects.
 *
 * An object is a list of cells, each with a value; bytes outside of all cells
 * have the object's fill (zero, undefined, or anything). Memories are persistent:
 * operations make a new one that shares all objects that did not change, and
 * nothing is ever changed in place. Reference counts say who still needs what.
 *
 * A cell also has a *stamp*, the last writer's number. Two memories of concurrent
 * histories that started from the same one are merged by taking, cell by cell,
 * the one that the other has not seen; the caller knows which that is.
 *
 * Sums and differences of a few cells are known as well, if the caller has named
 * such cells: writing to one forgets them, joins and merges keep what holds. */
#ifndef HD_DOMAIN_MEMORY_H
#define HD_DOMAIN_MEMORY_H

#include "domain/reads.h"
#include "domain/relation.h"
#include "domain/value.h"

typedef uint32_t hd_stamp; /* 0: as it was in the beginning */

typedef enum { HD_FILL_ZERO, HD_FILL_UNDEFINED, HD_FILL_ANY } hd_fill;

typedef struct hd_memory hd_memory;

/* Integers whose relations are worth knowing. They are few, so that none of them
 * ever has to be left out: cutoffs depend on it. */
enum { HD_MAX_CELLS = 8 };
typedef struct {
  hd_octagons *lib;
  uint32_t n;
  struct {
    hd_object_id object;
    uint32_t offset, bytes;
  } cells[HD_MAX_CELLS];
} hd_related;

/* What the cell is called in a relation. */
static inline hd_name hd_cell_name(hd_object_id object, uint32_t offset) {
  return (hd_name)1 << 63 | (hd_name)object << 32 | offset;
}
/* The value of a named cell as a number; false: it is none. */
bool hd_memory_range(const void *memory, hd_name name, hd_span *range);
/* The bounds of an integer in the signed view; false: it may be something else. */
bool hd_value_range(const hd_value *v, hd_span *range);

hd_memory *hd_memory_new(void); /* without objects */
/* The same, for programs with such cells; `related` outlives all memories. */
hd_memory *hd_memory_new_related(const hd_related *related);
hd_memory *hd_memory_keep(hd_memory *memory);
void hd_memory_drop(hd_memory *memory); /* NULL is fine */

/* All that follows takes over the caller's reference to its argument `*memory`
 * and leaves the new memory there. */

/* A new object, or an old number used anew: its cells are forgotten. */
void hd_memory_create(hd_memory **memory, hd_object_id object, uint64_t size,
                      hd_fill fill, hd_stamp stamp);
/* It may not be there: MAYBE from now on, so that nothing is certain of it. */
void hd_memory_doubt(hd_memory **memory, hd_object_id object);
/* Further accesses are errors: freed, or its frame is gone. */
void hd_memory_kill(hd_memory **memory, hd_object_id object, hd_stamp stamp);

/* The object as it is in another memory, if it is there. */
void hd_memory_take(hd_memory **memory, const hd_memory *from,
                    hd_object_id object);

typedef enum {
  HD_LIFE_NONE,
  HD_LIFE_ALIVE,
  HD_LIFE_DEAD,
  HD_LIFE_MAYBE
} hd_life;
/* NONE: there is no such object. MAYBE: after a join. */
hd_life hd_memory_life(const hd_memory *memory, hd_object_id object);
uint64_t hd_memory_size(const hd_memory *memory, hd_object_id object);

/* `target` is within the object's bounds with `bytes`, which is 1 … 8. */
hd_value hd_memory_load(const hd_memory *memory, const hd_pointee *target,
                        uint32_t bytes);
/* `weak`: maybe this is not what is written to. A target of several addresses is
 * always weak. */
void hd_memory_store(hd_memory **memory, const hd_pointee *target,
                     uint32_t bytes, const hd_value *value, bool weak,
                     hd_stamp stamp);
/* What is known by now about a value that was not written: keeps the stamp. */
void hd_memory_refine(hd_memory **memory, const hd_pointee *target,
                      uint32_t bytes, const hd_value *value);
/* The same for all cells at the target's addresses. */
void hd_memory_narrow(hd_memory **memory, const hd_pointee *target,
                      uint32_t bytes, const hd_value *value);
/* All bytes of [offset, offset + bytes) become unknown, or zero. */
void hd_memory_fill(hd_memory **memory, hd_object_id object, uint64_t offset,
                    uint64_t bytes, hd_fill fill, hd_stamp stamp);

/* Copies bytes between two places that do not overlap, within bounds. */
void hd_memory_copy(hd_memory **memory, hd_object_id to, uint64_t to_offset,
                    hd_object_id from, uint64_t from_offset, uint64_t bytes,
                    hd_stamp stamp);

/* What is known about the named cells; borrowed, NULL: nothing. */
hd_relation *hd_memory_relation(const hd_memory *memory);
/* Replaces it (takes over `relation`), and narrows the cells to what it says. */
void hd_memory_relate(hd_memory **memory, hd_relation *relation);
/* Of what was not written since (it has another stamp than this), all that was
 * known then is known now: joins and widening forget it. */
void hd_memory_recall(hd_memory **memory, const hd_memory *before,
                      hd_stamp stamp);

/* Of what was written with this stamp, only what stays when the older memory `old`
 * is widened to it. A chain of these, with each the older one of the next, ends. */
void hd_memory_widen(hd_memory **memory, const hd_memory *old, hd_stamp stamp,
                     const hd_widening *how);

/* The order ignores stamps. */
bool hd_memory_within(const hd_memory *a, const hd_memory *b);
bool hd_memory_same(const hd_memory *a, const hd_memory *b);
/* Of two memories at one point of a thread: they come from one history, and what
 * was written since has a newer stamp, which is kept. `widen` NULL: a join. */
hd_memory *hd_memory_join(const hd_memory *a, const hd_memory *b,
                          const hd_widening *widen);

/* Of two histories: for a cell whose stamps x (in `a`) and y (in `b`) differ,
 * `choose` says 1: take a's, 2: take b's, 0: neither knows the other (a race):
 * the join is taken and `*race` gets the object. Of one and the same write all
 * that either knows is kept. NULL: they contradict each other, so that there is
 * no run with both histories. */
typedef int (*hd_choose)(void *context, hd_stamp x, hd_stamp y);
hd_memory *hd_memory_merge(const hd_memory *a, const hd_memory *b,
                           hd_choose choose, void *context, hd_object_id *race);

/* --- what a computation depends on --- */

/* From now on what is asked of this memory, and of those that are made from it, is
 * noted in `reads`, which outlives them; NULL: no more. Comparing and joining such
 * memories notes only where they differ. */
void hd_memory_watch(hd_memory **memory, hd_reads *reads);
/* Do both give the same answers to all that was asked? Stamps do not count. */
bool hd_memory_agrees(const hd_memory *a, const hd_memory *b,
                      const hd_reads *reads);
/* What the computation that made `after` of `before`, writing with the stamp `old`,
 * makes of `start`, writing with `fresh`; the two must agree on what it read, and
 * there must be no relations. NULL: that cannot be said. */
hd_memory *hd_memory_replay(hd_memory *start, const hd_memory *before,
                            const hd_memory *after, hd_stamp old,
                            hd_stamp fresh);

/* Calls visit for every cell, in order. */
typedef void (*hd_cell_visit)(void *context, hd_object_id object,
                              uint32_t offset, uint32_t bytes,
                              const hd_value *value);
void hd_memory_each(const hd_memory *memory, hd_cell_visit visit,
                    void *context);

#endif
