/* SPDX-License-Identifier: MIT */
/* Inside of one-sided communication: what window.c, access.c, order.c and epoch.c
 * share. */
#ifndef HD_CHECK_MPI_WINDOW_H
#define HD_CHECK_MPI_WINDOW_H

#include "check/mpi/parts.h"

/* Assertions of mpi.h. */
enum {
  HD_MPI_NOCHECK = 1,
  HD_MPI_NOPRECEDE = 2,
  HD_MPI_NOPUT = 4,
  HD_MPI_NOSTORE = 8,
  HD_MPI_NOSUCCEED = 16
};

/* Operations of MPI that only accesses have. */
enum { HD_MPI_REPLACE = 13, HD_MPI_NO_OP = 14 };

/* Accesses, and processes, as bits of a word. */
static inline uint64_t hd_mpi_bit(uint32_t i) {
  return (uint64_t)1 << i;
}

/* --- window.c --- */

/* The window that the call is about, as the process has it; NULL after a
 * violation. */
hd_mpi_opened *hd_mpi_window_of(const hd_mpi_call *c);
/* Whose the buffers of accesses to the window of this rank are
 * (hd_mpi_claim). */
uint32_t hd_mpi_window_owner(uint32_t window, uint32_t rank);
/* … of the range whose loads and stores are written down. */
uint32_t hd_mpi_watcher(uint32_t window, uint32_t rank);
/* They are free again; `rank` HD_NO_ID: of accesses to all ranks. */
void hd_mpi_release_window(const hd_mpi_call *c, uint32_t window,
                           uint32_t rank);
/* Has process `p` locked the window of this rank? */
bool hd_mpi_holds(const hd_mpi_window *w, uint32_t rank, uint32_t p);

/* An epoch begins for the own part of the process: has it been changed by the
 * process before, though `flags` say that it was not? False after a violation. */
HD_MUST_USE bool hd_mpi_opens_part(const hd_mpi_call *c, hd_mpi_opened *opened,
                                   int32_t flags);

/* --- access.c --- */

bool hd_mpi_is_access(hd_library_fn fn);
void hd_mpi_arrive_access(const hd_mpi_call *c);
void hd_mpi_move_access(const hd_mpi_call *c);
/* The rank (in the window) that the access names. */
int32_t hd_mpi_access_rank(const hd_mpi_call *c);

/* --- order.c --- */

/* Adds an access of process `a.origin`; false after a violation. */
HD_MUST_USE bool hd_mpi_add_access(hd_mpi *mpi, const hd_mpi_call *c,
                                   hd_mpi_access a);
/* The accesses of a process to a window that are not complete are it now;
 * `target`: those to this process, or HD_NO_ID for all. */
void hd_mpi_complete(const hd_mpi_call *c, uint32_t window, uint32_t target);
/* Has process `p` accesses to the window that are not complete? */
bool hd_mpi_unfinished(const hd_mpi *mpi, uint32_t window, uint32_t p);

/* Loads and stores of process `p` to shared memory are carried out; it sees those
 * that it knows. */
void hd_mpi_synchronize(hd_mpi *mpi, uint32_t p);

/* --- shared.c --- */

/* Is the address of process `p` in a window of shared memory? Where? */
bool hd_mpi_in_shared(const hd_mpi *mpi, uint32_t p, uint64_t address,
                      uint32_t *window, uint64_t *offset);
/* Bytes in the copy of process `p` into all others. */
void hd_mpi_spread(hd_mpi *mpi, uint32_t p, uint32_t window, uint64_t offset,
                   uint64_t size);
/* The steps of MPI_Win_allocate_shared and MPI_Win_free, and MPI_Win_shared_query.
 * False after a violation. */
HD_MUST_USE bool hd_mpi_bring_shared(const hd_mpi_call *c);
HD_MUST_USE bool hd_mpi_give_shared(const hd_mpi_call *c, uint32_t window);
HD_MUST_USE bool hd_mpi_free_shared(const hd_mpi_call *c, uint32_t window);
void hd_mpi_query_shared(const hd_mpi_call *c);

/* --- epoch.c --- */

bool hd_mpi_is_epoch(hd_library_fn fn);
void hd_mpi_arrive_epoch(const hd_mpi_call *c);
void hd_mpi_epoch_enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out);
void hd_mpi_move_epoch(const hd_mpi_call *c, uint64_t choice);
void hd_mpi_epoch_wait(hd_str *out, const hd_mpi *mpi, uint32_t p);
/* Is the process between MPI_Win_start and MPI_Win_complete with this rank? */
bool hd_mpi_started(const hd_mpi *mpi, const hd_mpi_opened *opened,
                    uint32_t rank);
/* Has that rank called MPI_Win_post for process `p`, which has not completed? */
bool hd_mpi_posted(const hd_mpi *mpi, const hd_mpi_opened *opened,
                   uint32_t rank, uint32_t p);
/* The process learns what that rank knew when it posted. */
void hd_mpi_meet_post(const hd_mpi_call *c, const hd_mpi_opened *opened,
                      uint32_t rank);

#endif
