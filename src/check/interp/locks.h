/* SPDX-License-Identifier: MIT */
/* What the calls that work on locks share (lib_lock.c). */
#ifndef HD_CHECK_INTERP_LOCKS_H
#define HD_CHECK_INTERP_LOCKS_H

#include "check/interp/lib.h"

/* The entry of an object a call uses, after all checks; NULL after a violation.
 */
hd_sync *hd_lock_use(hd_call *c, uint64_t address, hd_sync_kind kind);
/* Is there one at this address, in memory that is there? Semaphores and spin locks
 * have no static initialiser. */
bool hd_lock_was_made(const hd_machine *m, hd_library_fn fn, uint64_t address,
                      hd_sync_kind kind);
/* Initialises and destroys any of them; false after a violation. */
HD_MUST_USE bool hd_lock_init(hd_call *c, uint64_t address, hd_sync_kind kind,
                              uint32_t type);
HD_MUST_USE bool hd_lock_destroy(hd_call *c, uint64_t address,
                                 hd_sync_kind kind);
/* Does another thread wait for it, or may it do so already? */
bool hd_lock_awaited(const hd_call *c, uint64_t address, hd_sync_kind kind);
/* Locking, unlocking and the like access the object's bytes. */
void hd_lock_touch(hd_machine *m, hd_tid tid, uint64_t address,
                   hd_sync_kind kind);
/* Could the thread take the mutex or spin lock? */
bool hd_lock_is_free(const hd_sync *sync, hd_tid tid);
/* Takes one that is free, or that the thread has and may have again: 0, or what
 * has become of a robust one. Gives it up, once. */
int hd_lock_take(hd_call *c, hd_sync *sync);
void hd_lock_give(hd_call *c, hd_sync *sync);
/* A thread has ended: what happens to its robust mutexes. */
void hd_locks_leave(hd_machine *m, hd_tid tid);
/* The thread waits for what it holds itself. */
void hd_lock_self(hd_call *c, uint64_t address, hd_sync_kind kind);
/* Read-write locks (lib_rwlock.c): could one be had now; can the call go on;
 * what a waiting writer does then. */
bool hd_rwlock_is_free(const hd_machine *m, uint64_t address, bool write);
bool hd_rwlock_ready(const hd_machine *m, const hd_thread *t, uint64_t address,
                     bool write);
void hd_rwlock_resume(hd_call *c);
/* The time until which a call waits (lib_time.c): reads it; false after a
 * violation. `valid`: are its nanoseconds some? */
HD_MUST_USE bool hd_time_read(hd_call *c, bool *valid);
/* Is it known not to be valid, in the call the thread stands before? */
bool hd_time_is_invalid(const hd_machine *m, const hd_thread *t,
                        hd_library_fn fn);
/* Which argument is the time, -1 = none. */
int hd_time_arg(hd_library_fn fn);
/* Clocks and events. */
void hd_lock_tell(hd_call *c, hd_event_kind event, uint64_t address,
                  hd_sync_kind kind);
/* … without a call: what it gives up when it returns or ends. */
void hd_lock_tell_release(hd_machine *m, hd_tid tid, uint64_t address,
                          hd_sync_kind kind);
void hd_lock_acquired(hd_call *c, hd_sync *sync);
void hd_lock_released(hd_call *c, hd_sync *sync);
/* Returns a POSIX error number; C11's functions get theirs. */
void hd_lock_return(hd_call *c, int code);
void hd_lock_misuse(hd_machine *m, hd_tid tid, uint64_t address,
                    hd_sync_kind kind, const char *what);

#endif
