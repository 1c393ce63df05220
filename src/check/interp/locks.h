/* SPDX-License-Identifier: MIT */
/* What the calls that work on locks share (lib_lock.c). */
#ifndef HD_CHECK_INTERP_LOCKS_H
#define HD_CHECK_INTERP_LOCKS_H

#include "check/interp/lib.h"

/* The entry of an object a call uses, after all checks; NULL after a violation.
 */
hd_sync *hd_lock_use(hd_call *c, uint64_t address, hd_sync_kind kind);
/* Initialises and destroys any of them; false after a violation. */
HD_MUST_USE bool hd_lock_init(hd_call *c, uint64_t address, hd_sync_kind kind,
                              uint32_t type);
HD_MUST_USE bool hd_lock_destroy(hd_call *c, uint64_t address,
                                 hd_sync_kind kind);
/* Clocks and events. */
void hd_lock_acquired(hd_call *c, hd_sync *sync);
void hd_lock_released(hd_call *c, hd_sync *sync);
/* Returns a POSIX error number; C11's functions get theirs. */
void hd_lock_return(hd_call *c, int code);
void hd_lock_misuse(hd_machine *m, hd_tid tid, uint64_t address,
                    hd_sync_kind kind, const char *what);

#endif
