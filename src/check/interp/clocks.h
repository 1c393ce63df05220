/* SPDX-License-Identifier: MIT */
/* Races: who accessed a byte last, and what each thread knows of the others. */
#ifndef HD_CHECK_INTERP_CLOCKS_H
#define HD_CHECK_INTERP_CLOCKS_H

#include "check/interp/state.h"

/* The last accesses to the bytes of one object. */
typedef struct hd_cells hd_cells;
void hd_cells_keep(hd_cells *cells);
void hd_cells_drop(hd_cells *cells);

/* An access that is allowed: is it ordered with the earlier ones? */
void hd_clock_access(hd_machine *m, hd_tid tid, uint64_t address, uint64_t size,
                     bool write, bool atomic);

/* The thread learns what `from` says. All of these do nothing when clocks are
 * off. */
void hd_clock_acquire(hd_machine *m, hd_tid tid, const hd_clock *from);
/* `into` learns what the thread knows; the thread's own time goes on. */
void hd_clock_release(hd_machine *m, hd_tid tid, hd_clock *into, bool replace);
/* A new thread knows what its creator knows; a joiner learns all of the ended. */
void hd_clock_fork(hd_machine *m, hd_tid parent, hd_tid child);
void hd_clock_join(hd_machine *m, hd_tid tid, hd_tid ended);

/* Acquire and release of an atomic access. */
void hd_clock_atomic(hd_machine *m, hd_tid tid, uint64_t address,
                     hd_order order, bool reads, bool writes);
void hd_clock_fence(hd_machine *m, hd_tid tid, hd_order order);

/* Calls `visit` for every access that is remembered, by offset: kind 0 is the last
 * plain write; of others it can be asked whether they are atomic. */
typedef void hd_cells_visit(void *context, uint64_t offset, unsigned kind,
                            hd_tid thread, uint64_t time);
bool hd_cells_atomic(unsigned kind);
void hd_cells_each(const hd_cells *cells, hd_cells_visit *visit, void *context);

#endif
