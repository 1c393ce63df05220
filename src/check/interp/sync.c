/* SPDX-License-Identifier: MIT */
#include "check/interp/sync.h"

#include "check/interp/memory.h"

#include <string.h>

hd_syncs *hd_syncs_new(void) {
  hd_syncs *syncs = hd_calloc(1, sizeof *syncs);
  syncs->refs = 1;
  return syncs;
}

hd_syncs *hd_syncs_keep(hd_syncs *syncs) {
  syncs->refs++;
  return syncs;
}

static void entry_free(hd_sync *sync) {
  hd_clock_clear(&sync->clock);
  hd_clock_clear(&sync->readers);
  for (hd_vec_each(hd_head, head, &sync->heads))
    hd_clock_clear(&head->clock);
  hd_vec_free(&sync->heads);
}

void hd_syncs_drop(hd_syncs *syncs) {
  if (!syncs || --syncs->refs)
    return;
  for (hd_vec_each(hd_sync, sync, &syncs->items))
    entry_free(sync);
  hd_vec_free(&syncs->items);
  hd_vec_free(&syncs->readers);
  hd_free(syncs);
}

static hd_syncs *own(hd_machine *m) {
  hd_syncs *shared = m->syncs;
  if (shared->refs == 1)
    return shared;
  hd_syncs *copy = hd_syncs_new();
  for (hd_vec_each(hd_sync, sync, &shared->items)) {
    hd_sync entry = *sync;
    entry.clock = hd_clock_copy(&sync->clock);
    entry.readers = hd_clock_copy(&sync->readers);
    entry.heads.data = NULL;
    entry.heads.size = entry.heads.cap = 0;
    for (hd_vec_each(const hd_head, head, &sync->heads)) {
      hd_head same = {.thread = head->thread,
                      .clock = hd_clock_copy(&head->clock)};
      hd_vec_push(&entry.heads, same);
    }
    hd_vec_push(&copy->items, entry);
  }
  for (hd_vec_each(hd_lock_reader, reader, &shared->readers))
    hd_vec_push(&copy->readers, *reader);
  shared->refs--;
  return m->syncs = copy;
}

const char *hd_sync_kind_name(hd_sync_kind kind) {
  static const char *const names[] = {
      "mutex",   "read-write lock", "spin lock",      "condition variable",
      "barrier", "semaphore",       "pthread_once_t", "atomic variable"};
  return names[kind];
}

uint32_t hd_sync_size(const hd_machine *m, hd_sync_kind kind) {
  static const uint32_t wide[] = {40, 56, 4, 48, 32, 32, 4, 1};
  static const uint32_t low[] = {24, 32, 4, 48, 20, 16, 4, 1};
  return (m->plan->wide ? wide : low)[kind];
}

uint32_t hd_sync_type_offset(const hd_machine *m, hd_sync_kind kind) {
  bool wide = m->plan->wide;
  return kind == HD_SYNC_MUTEX ? (wide ? 16 : 12) : wide ? 48 : 24;
}

uint32_t hd_sync_type_size(const hd_machine *m, hd_sync_kind kind) {
  return kind == HD_SYNC_MUTEX || m->plan->wide ? 4 : 1;
}

static bool before(const hd_sync *sync, uint64_t address, hd_sync_kind kind) {
  return sync->address < address ||
         (sync->address == address && sync->kind < kind);
}

/* Where the entry is, or would be. */
static size_t search(const hd_syncs *syncs, uint64_t address,
                     hd_sync_kind kind) {
  size_t low = 0, high = syncs->items.size;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (before(&syncs->items.data[middle], address, kind))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const hd_sync *hd_sync_find(const hd_machine *m, uint64_t address,
                            hd_sync_kind kind) {
  size_t at = search(m->syncs, address, kind);
  if (at == m->syncs->items.size)
    return NULL;
  const hd_sync *sync = &m->syncs->items.data[at];
  return sync->address == address && sync->kind == kind ? sync : NULL;
}

static uint32_t bytes_at(const hd_machine *m, uint64_t address,
                         hd_sync_kind kind) {
  uint64_t at = address + hd_sync_type_offset(m, kind);
  uint32_t size = hd_sync_type_size(m, kind), type = 0;
  if (!hd_ram_wrong(m, at, size, false))
    memcpy(&type, hd_ram_bytes(m, at, NULL), size);
  return type;
}

/* What the bytes at a mutex say: types 0 and 3 (adaptive) are normal. */
static uint8_t type_from_bytes(const hd_machine *m, uint64_t address,
                               hd_sync_kind kind) {
  if (kind == HD_SYNC_RWLOCK)
    return bytes_at(m, address, kind) == HD_RWLOCK_WRITERS ? HD_RWLOCK_WRITERS
                                                           : 0;
  if (kind != HD_SYNC_MUTEX)
    return 0;
  switch (bytes_at(m, address, kind) & 3) {
  case 1:
    return HD_MUTEX_RECURSIVE;
  case 2:
    return HD_MUTEX_ERRORCHECK;
  default:
    return HD_MUTEX_NORMAL;
  }
}

hd_sync hd_sync_peek(const hd_machine *m, uint64_t address, hd_sync_kind kind) {
  const hd_sync *sync = hd_sync_find(m, address, kind);
  if (sync)
    return *sync;
  hd_sync fresh = {
      .address = address, .kind = (uint8_t)kind, .owner = HD_NO_ID};
  fresh.type = type_from_bytes(m, address, kind);
  uint64_t bits = kind == HD_SYNC_MUTEX ? bytes_at(m, address, kind) : 0;
  fresh.robust = (bits & HD_MUTEX_ROBUST) != 0;
  fresh.untimed = (bits & HD_MUTEX_UNTIMED) != 0;
  return fresh;
}

hd_sync *hd_sync_own(hd_machine *m, uint64_t address, hd_sync_kind kind) {
  hd_syncs *syncs = own(m);
  size_t at = search(syncs, address, kind);
  if (at < syncs->items.size && syncs->items.data[at].address == address &&
      syncs->items.data[at].kind == kind)
    return &syncs->items.data[at];
  hd_sync fresh = hd_sync_peek(m, address, kind);
  hd_vec_push(&syncs->items, fresh);
  memmove(&syncs->items.data[at + 1], &syncs->items.data[at],
          (syncs->items.size - 1 - at) * sizeof fresh);
  syncs->items.data[at] = fresh;
  int64_t offset;
  hd_object *object = hd_ram_own(m, address, &offset);
  if (object)
    object->sync = true;
  return &syncs->items.data[at];
}

static void drop_range(hd_machine *m, uint64_t address, uint64_t size,
                       bool all) {
  bool any = false;
  /* (none is larger than 64 bytes) */
  size_t first = search(m->syncs, address < 64 ? 0 : address - 64, 0);
  for (size_t i = first; i < m->syncs->items.size; i++) {
    const hd_sync *sync = &m->syncs->items.data[i];
    if (sync->address >= address + size)
      break;
    uint64_t length = all ? 1 : hd_sync_size(m, sync->kind);
    any |= sync->address < address + size && sync->address + length > address;
  }
  if (!any)
    return;
  hd_syncs *syncs = own(m);
  size_t kept = 0;
  for (size_t i = 0; i < syncs->items.size; i++) {
    hd_sync *sync = &syncs->items.data[i];
    uint64_t length = all ? 1 : hd_sync_size(m, sync->kind);
    bool hit = sync->address < address + size &&
               sync->address + length > address &&
               (all || sync->kind != HD_SYNC_ATOMIC);
    if (hit)
      entry_free(sync);
    else
      syncs->items.data[kept++] = *sync;
  }
  syncs->items.size = kept;
  kept = 0;
  for (size_t i = 0; i < syncs->readers.size; i++) {
    uint64_t at = syncs->readers.data[i].address;
    if (at < address || at >= address + size)
      syncs->readers.data[kept++] = syncs->readers.data[i];
  }
  syncs->readers.size = kept;
}

void hd_sync_forget(hd_machine *m, uint64_t address, uint64_t size) {
  drop_range(m, address, size, true);
}

void hd_sync_overwrite(hd_machine *m, uint64_t address, uint64_t size) {
  drop_range(m, address, size, false);
}

uint32_t hd_sync_reads(const hd_machine *m, uint64_t address, hd_tid tid) {
  for (hd_vec_each(hd_lock_reader, reader, &m->syncs->readers))
    if (reader->address == address && reader->thread == tid)
      return reader->count;
  return 0;
}

/* By address, then thread: the order does not depend on who came first. */
void hd_sync_add_reader(hd_machine *m, uint64_t address, hd_tid tid,
                        int change) {
  hd_syncs *syncs = own(m);
  size_t at = 0;
  while (at < syncs->readers.size &&
         (syncs->readers.data[at].address < address ||
          (syncs->readers.data[at].address == address &&
           syncs->readers.data[at].thread < tid)))
    at++;
  bool found = at < syncs->readers.size &&
               syncs->readers.data[at].address == address &&
               syncs->readers.data[at].thread == tid;
  if (!found) {
    hd_lock_reader fresh = {address, tid, 0};
    hd_vec_push(&syncs->readers, fresh);
    memmove(&syncs->readers.data[at + 1], &syncs->readers.data[at],
            (syncs->readers.size - 1 - at) * sizeof fresh);
    syncs->readers.data[at] = fresh;
  }
  hd_lock_reader *reader = &syncs->readers.data[at];
  assert(change > 0 || reader->count > 0);
  reader->count = (uint32_t)((int64_t)reader->count + change);
  if (reader->count)
    return;
  memmove(reader, reader + 1, (syncs->readers.size - 1 - at) * sizeof *reader);
  syncs->readers.size--;
}

bool hd_sync_matters(const hd_machine *m, const hd_sync *sync) {
  if (sync->kind == HD_SYNC_ATOMIC)
    return false;
  return sync->destroyed || sync->owner != HD_NO_ID || sync->count ||
         sync->limit || sync->health || sync->live ||
         sync->type != type_from_bytes(m, sync->address, sync->kind);
}
