/* SPDX-License-Identifier: MIT */
/* The table of everything one can wait for, by address. An entry that says
 * nothing but what the bytes at its address say (an unlocked mutex) behaves as
 * if it were not there. */
#ifndef HD_CHECK_INTERP_SYNC_H
#define HD_CHECK_INTERP_SYNC_H

#include "check/interp/state.h"

hd_syncs *hd_syncs_new(void);
hd_syncs *hd_syncs_keep(hd_syncs *syncs);
void hd_syncs_drop(hd_syncs *syncs);

/* The entry, or NULL. */
const hd_sync *hd_sync_find(const hd_machine *m, uint64_t address,
                            hd_sync_kind kind);
/* The entry for changing; made from the bytes there if it is new. The bytes
 * must have been checked. Valid until the next one is made. */
hd_sync *hd_sync_own(hd_machine *m, uint64_t address, hd_sync_kind kind);
/* What it would be: the entry, or what the bytes say. */
hd_sync hd_sync_peek(const hd_machine *m, uint64_t address, hd_sync_kind kind);
/* Memory is gone. */
void hd_sync_forget(hd_machine *m, uint64_t address, uint64_t size);
/* Memory was written by other means: what is there counts as new. */
void hd_sync_overwrite(hd_machine *m, uint64_t address, uint64_t size);
/* Bytes of a pthread_mutex_t … */
uint32_t hd_sync_size(const hd_machine *m, hd_sync_kind kind);
/* Where in a mutex or a read-write lock its type is, and in how many bytes. */
uint32_t hd_sync_type_offset(const hd_machine *m, hd_sync_kind kind);
uint32_t hd_sync_type_size(const hd_machine *m, hd_sync_kind kind);
const char *hd_sync_kind_name(hd_sync_kind kind);

/* Readers of a rwlock. */
uint32_t hd_sync_reads(const hd_machine *m, uint64_t address, hd_tid tid);
void hd_sync_add_reader(hd_machine *m, uint64_t address, hd_tid tid,
                        int change);

/* Does the entry say more than the bytes? */
bool hd_sync_matters(const hd_machine *m, const hd_sync *sync);

#endif
