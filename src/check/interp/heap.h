/* SPDX-License-Identifier: MIT */
/* Blocks of the heap, with `heaps`: which of them only their maker knows, and names
 * that do not tell when a block was made.
 *
 * A block is *private* to the thread that made it until its address is put where
 * others may find it: into a global, into a block or variable that is not private,
 * into the argument of a thread. Whatever its maker does with it until then nobody
 * notices.
 *
 * All this holds as long as addresses are only kept whole. When one is taken apart or
 * computed with, so that a value that is no address tells it, that is noted
 * (hd_machine_obscured), and nothing holds any more. */
#ifndef HD_CHECK_INTERP_HEAP_H
#define HD_CHECK_INTERP_HEAP_H

#include "check/interp/state.h"

/* Is it in a block that only the thread, which made it, knows? */
bool hd_heap_private(const hd_machine *m, hd_tid tid, uint64_t address);

/* The thread has stored a word there. */
void hd_heap_stored(hd_machine *m, hd_tid tid, uint64_t address,
                    uint64_t value);
/* Bytes were put there: by whom is not known. */
void hd_heap_wrote(hd_machine *m, uint64_t address, const uint8_t *bytes,
                   uint64_t size);
/* The value gets where others may find it. */
void hd_heap_publish(hd_machine *m, uint64_t value);
/* A number is loaded, or bytes are copied, from there. */
void hd_heap_cut(const hd_machine *m, uint64_t address, uint64_t size);
/* The operation has made `result` of the words. */
void hd_heap_computed(const hd_machine *m, hd_code_op op, uint64_t a,
                      uint64_t b, uint64_t result);

/* The block in the heap of a thread other than main that the address leads to, and
 * its number there; NULL: to none. The thread is hd_ram_owner's. */
const hd_object *hd_heap_block(const hd_machine *m, uint64_t address,
                               uint64_t *index);
/* The same place of the thread's block of another number. */
uint64_t hd_heap_renumber(uint64_t address, uint64_t index, uint64_t other);

#endif
