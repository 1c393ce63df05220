/* SPDX-License-Identifier: MIT */
/* Read-write locks. As with glibc readers come in while somebody reads, whoever
 * waits; but where the lock was made to prefer writers, only while no writer
 * waits. A writer of such a lock that has to wait takes two steps: it says so
 * (WAIT_WRITER), and gets the lock later. */
#include "check/interp/lib.h"

#include "check/interp/clocks.h"
#include "check/interp/locks.h"
#include "check/interp/sync.h"

#include <errno.h>

/* Does a writer that goes first wait for the lock? */
static bool writer_waits(const hd_machine *m, uint64_t address) {
  for (hd_tid i = 0; i < m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(m, i);
    if (t->wait == HD_WAIT_WRITER && t->object == address)
      return true;
  }
  return false;
}

bool hd_rwlock_is_free(const hd_machine *m, uint64_t address, bool write) {
  hd_sync sync = hd_sync_peek(m, address, HD_SYNC_RWLOCK);
  if (sync.owner != HD_NO_ID)
    return false;
  if (write || !sync.count)
    return !sync.count;
  return sync.type != HD_RWLOCK_WRITERS || !writer_waits(m, address);
}

bool hd_rwlock_ready(const hd_machine *m, const hd_thread *t, uint64_t address,
                     bool write) {
  hd_sync sync = hd_sync_peek(m, address, HD_SYNC_RWLOCK);
  if (sync.owner == t->id || hd_rwlock_is_free(m, address, write))
    return true; /* of its own: EDEADLK */
  if (!write)
    return false;
  /* Waiting for itself alone is a deadlock that is reported at once. */
  return sync.type == HD_RWLOCK_WRITERS ||
         (sync.owner == HD_NO_ID &&
          hd_sync_reads(m, address, t->id) == sync.count &&
          hd_plan_checks(m->plan, HD_PROPERTY_DEADLOCK));
}

static void read_lock(hd_call *c, hd_sync *sync) {
  sync->count++;
  hd_sync_add_reader(c->m, sync->address, c->tid, 1);
  /* The table has not moved: entries stay where they are. */
  hd_lock_acquired(c, sync);
  hd_lock_return(c, 0);
}

static void write_lock(hd_call *c, hd_sync *sync) {
  sync->owner = c->tid;
  hd_clock_acquire(c->m, c->tid, &sync->readers);
  hd_lock_acquired(c, sync);
  hd_lock_return(c, 0);
}

static void wait_to_write(hd_call *c, uint64_t address, bool timed) {
  c->t->wait = HD_WAIT_WRITER;
  c->t->object = address;
  c->t->timed = timed;
  c->stay = true;
  hd_machine_tell(c->m, HD_EVENT_BLOCK, c->tid, HD_NO_ID, address,
                  "the readers");
}

void hd_rwlock_resume(hd_call *c) {
  uint64_t address = c->t->object;
  bool free = hd_rwlock_is_free(c->m, address, true);
  assert(free || c->t->timed);
  c->t->wait = HD_WAIT_NONE;
  c->t->object = 0;
  c->t->timed = false;
  if (free)
    write_lock(c, hd_sync_own(c->m, address, HD_SYNC_RWLOCK));
  else
    hd_lock_return(c, ETIMEDOUT);
  hd_thread_finish_call(c->m, c->t, &c->result, 1);
}

typedef enum { TRIES, WAITS, TIMED } patience;

static void rwlock_lock(hd_call *c, bool write, patience how) {
  uint64_t address = hd_arg(c, 0);
  bool valid = true;
  if (how == TIMED && !hd_time_read(c, &valid))
    return;
  hd_sync *sync = hd_lock_use(c, address, HD_SYNC_RWLOCK);
  if (!sync)
    return;
  bool free = hd_rwlock_is_free(c->m, address, write) && !c->choice;
  if (free && write)
    write_lock(c, sync);
  else if (free)
    read_lock(c, sync);
  else if (how == TRIES && c->choice) {
    hd_lock_tell(c, HD_EVENT_MISS, sync->address, sync->kind);
    hd_lock_return(c, EBUSY);
  } else if (how == TRIES)
    hd_lock_return(c, EBUSY);
  else if (!valid)
    hd_lock_return(c, EINVAL);
  else if (sync->owner == c->tid)
    hd_lock_return(c, EDEADLK);
  else if (write && sync->type == HD_RWLOCK_WRITERS)
    wait_to_write(c, address, how == TIMED);
  else if (how == TIMED)
    hd_lock_return(c, ETIMEDOUT);
  else
    hd_lock_self(c, address, HD_SYNC_RWLOCK);
}

static void rwlock_unlock(hd_call *c) {
  uint64_t address = hd_arg(c, 0);
  hd_sync *sync = hd_lock_use(c, address, HD_SYNC_RWLOCK);
  if (!sync)
    return;
  hd_lock_return(c, 0);
  if (sync->owner == c->tid) {
    sync->owner = HD_NO_ID;
    hd_lock_released(c, sync);
  } else if (hd_sync_reads(c->m, address, c->tid)) {
    sync->count--;
    hd_sync_add_reader(c->m, address, c->tid, -1);
    hd_clock_release(c->m, c->tid, &sync->readers, false);
    hd_lock_tell(c, HD_EVENT_RELEASE, address, HD_SYNC_RWLOCK);
  } else if (hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC)) {
    hd_lock_misuse(c->m, c->tid, address, HD_SYNC_RWLOCK,
                   "is unlocked by a thread that does not hold it");
  } else {
    hd_call_unsupported(c, "unlocked by a thread that does not hold it");
  }
}

static void rwlock_init(hd_call *c) {
  uint64_t kind = 0;
  if (!hd_attr_read(c, hd_arg(c, 1), &kind))
    return;
  if (hd_lock_init(c, hd_arg(c, 0), HD_SYNC_RWLOCK, (uint32_t)kind & 3))
    hd_return_int(c, 0);
}

void hd_lib_rwlock(hd_call *c) {
  switch (c->fn) {
  case HD_LIB_pthread_rwlock_init:
    rwlock_init(c);
    break;
  case HD_LIB_pthread_rwlock_destroy:
    if (hd_lock_destroy(c, hd_arg(c, 0), HD_SYNC_RWLOCK))
      hd_return_int(c, 0);
    break;
  case HD_LIB_pthread_rwlock_rdlock:
    rwlock_lock(c, false, WAITS);
    break;
  case HD_LIB_pthread_rwlock_wrlock:
    rwlock_lock(c, true, WAITS);
    break;
  case HD_LIB_pthread_rwlock_tryrdlock:
    rwlock_lock(c, false, TRIES);
    break;
  case HD_LIB_pthread_rwlock_trywrlock:
    rwlock_lock(c, true, TRIES);
    break;
  case HD_LIB_pthread_rwlock_timedrdlock:
    rwlock_lock(c, false, TIMED);
    break;
  case HD_LIB_pthread_rwlock_timedwrlock:
    rwlock_lock(c, true, TIMED);
    break;
  default:
    rwlock_unlock(c);
  }
}
