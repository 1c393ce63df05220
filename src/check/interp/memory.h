/* SPDX-License-Identifier: MIT */
/* Objects and accesses to them. */
#ifndef HD_CHECK_INTERP_MEMORY_H
#define HD_CHECK_INTERP_MEMORY_H

#include "check/interp/state.h"

hd_objects *hd_region_new(void);
hd_objects *hd_region_keep(hd_objects *region);
void hd_region_drop(hd_objects *region);

/* Where the g-th global will be. */
uint64_t hd_ram_global_base(const hd_plan *plan, hd_global_id g);
/* Builds the globals with their initial values. */
void hd_ram_init(hd_machine *m);
/* The address of a new object, or 0 when there is no room for it (the machine
 * has been stopped then). Its bytes are undefined, or zero. */
uint64_t hd_ram_push(hd_machine *m, hd_tid tid, hd_object_kind kind,
                     uint32_t origin, uint64_t size, uint32_t align, bool zero);
/* The same at the address of memory that was freed. */
uint64_t hd_ram_reuse(hd_machine *m, hd_tid tid, uint64_t address,
                      uint32_t origin, uint64_t size, bool zero);
/* Removes the objects of the stack from number `count` on. */
void hd_ram_pop(hd_machine *m, hd_tid tid, size_t count);
/* Ends them, but keeps their numbers. Was the address of one put somewhere? */
bool hd_ram_leave(hd_machine *m, hd_tid tid, size_t count);
/* The variable of a block starts to exist, with undefined bytes, or ends to. */
void hd_ram_lifetime(hd_machine *m, hd_tid tid, uint64_t address, bool start);
/* A library table or the like, constant unless `writable`. */
uint64_t hd_ram_static(hd_machine *m, const void *bytes, uint64_t size,
                       bool writable);
/* A text of the environment: where it is, but not what. Looking at it is not
 * supported. */
uint64_t hd_ram_unknown(hd_machine *m);
void hd_ram_free(hd_machine *m, hd_object *object);

/* The object the address points into or near, NULL when there is none. Offsets
 * before its start are negative. */
const hd_object *hd_ram_find(const hd_machine *m, uint64_t address,
                             int64_t *offset);
/* The same for writing: nothing of it is shared with other machines. */
hd_object *hd_ram_own(hd_machine *m, uint64_t address, int64_t *offset);

/* The object's bytes, not shared with other machines. */
hd_block *hd_ram_block(hd_object *object);
/* Below it there are no objects: null and what is near it. */
uint64_t hd_ram_start(const hd_plan *plan);
/* Is the offset one of an object that had this object's number before? */
#define HD_SHIFT ((int64_t)1 << 24)
bool hd_ram_gone(const hd_object *object, int64_t offset);

uint64_t hd_ram_func(const hd_machine *m, hd_func_id func);
/* The function at an address, or HD_NO_ID. */
hd_func_id hd_ram_func_at(const hd_machine *m, uint64_t address);
/* Base of the i-th object of a thread's stack. */
uint64_t hd_ram_stack_base(const hd_machine *m, hd_tid tid, size_t i);

/* The thread whose stack or heap an address belongs to, whether something is there
 * or not, or HD_NO_ID; `relative` (may be NULL) is the same place of thread 1, or
 * of main as it is. */
#define HD_RAM_THREADS 10500 /* so many threads have addresses, on 64 bits */
hd_tid hd_ram_owner(const hd_machine *m, uint64_t address, uint64_t *relative);
/* --- pointers that survive (stale.c) --- */

/* The value is put where it may stay: if it is the address of a variable that is
 * remembered. */
void hd_ram_keep(hd_machine *m, hd_machine_value value);
/* A variable of the thread, which is about to end: pointers to it lead nowhere from
 * now on. `object` is a copy. */
void hd_ram_forsake(hd_machine *m, hd_tid tid, const hd_object *object);
uint64_t hd_ram_dead(const hd_plan *plan, uint64_t address);
bool hd_ram_is_dead(const hd_plan *plan, uint64_t address);

/* What is wrong with an access: a sentence, or NULL. */
const char *hd_ram_wrong(const hd_machine *m, uint64_t address, uint64_t size,
                         bool write);
/* Checks an access for `tid` and reports what is wrong with it; records it for
 * races. */
/* Writes down an access to a range that the host asks about. */
void hd_machine_touch(hd_machine *m, hd_tid tid, uint64_t address,
                      uint64_t size, bool write, bool atomic);
HD_MUST_USE bool hd_ram_check(hd_machine *m, hd_tid tid, uint64_t address,
                              uint64_t size, bool write, bool atomic);

/* Checked accesses of a value of up to 8 bytes, little endian. */
HD_MUST_USE bool hd_ram_load(hd_machine *m, hd_tid tid, uint64_t address,
                             uint32_t size, bool atomic, hd_machine_value *out);
HD_MUST_USE bool hd_ram_store(hd_machine *m, hd_tid tid, uint64_t address,
                              uint32_t size, bool atomic,
                              hd_machine_value value);

/* Bytes and shadow of an access that has been checked. The shadow is NULL when
 * all is defined. Valid until the memory changes. */
const uint8_t *hd_ram_bytes(const hd_machine *m, uint64_t address,
                            const uint8_t **shadow);
/* Writes what has been checked; shadow NULL: defined. `bytes` may be in the
 * machine's memory. */
void hd_ram_write(hd_machine *m, uint64_t address, const uint8_t *bytes,
                  const uint8_t *shadow, uint64_t size);
void hd_ram_fill(hd_machine *m, uint64_t address, uint8_t byte, uint64_t size);

#endif
