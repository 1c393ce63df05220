/* SPDX-License-Identifier: MIT */
/* Mutexes, spin locks, read-write locks: POSIX and C11.
 *
 * A call that has to wait is executed only when it can go on (ready), so what is
 * done here always succeeds. What POSIX leaves undefined (unlocking a mutex of
 * another thread, destroying one that is held, using one that was destroyed or
 * never initialised) is a violation; what it defines to return an error does so.
 * Locking a normal mutex twice waits for ever: it is reported as a deadlock at
 * once. */
#include "check/interp/lib.h"

#include "check/interp/clocks.h"
#include "check/interp/locks.h"
#include "check/interp/sync.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* How C11 calls what POSIX returns. */
enum { THRD_BUSY = 1, THRD_ERROR = 2, THRD_TIMEDOUT = 4 };

static bool c11(const hd_call *c) {
  return strncmp(hd_library_name(c->fn), "mtx_", 4) == 0 ||
         strncmp(hd_library_name(c->fn), "cnd_", 4) == 0;
}

void hd_lock_return(hd_call *c, int code) {
  if (c11(c))
    code = code == 0           ? 0
           : code == EBUSY     ? THRD_BUSY
           : code == ETIMEDOUT ? THRD_TIMEDOUT
                               : THRD_ERROR;
  hd_return_int(c, code);
}

/* "mutex 'lock'" */
static void name(hd_str *out, const hd_machine *m, uint64_t address,
                 hd_sync_kind kind) {
  hd_str_printf(out, "%s '", hd_sync_kind_name(kind));
  hd_machine_print_address(out, m, address, hd_sync_size(m, kind));
  hd_str_puts(out, "'");
}

void hd_lock_misuse(hd_machine *m, hd_tid tid, uint64_t address,
                    hd_sync_kind kind, const char *what) {
  hd_str text = {0};
  name(&text, m, address, kind);
  hd_machine_violate(m, tid, HD_PROPERTY_SYNC, "%s %s", hd_str_text(&text),
                     what);
  hd_str_free(&text);
}

/* Was the memory ever set? Static memory always is. */
static bool initialised(const hd_machine *m, uint64_t address, uint64_t size) {
  const uint8_t *shadow;
  hd_ram_bytes(m, address, &shadow);
  for (uint64_t i = 0; shadow && i < size; i++)
    if (shadow[i])
      return false;
  return true;
}

hd_sync *hd_lock_use(hd_call *c, uint64_t address, hd_sync_kind kind) {
  uint32_t size = hd_sync_size(c->m, kind);
  const char *wrong = hd_ram_wrong(c->m, address, size, true);
  if (wrong) {
    hd_str text = {0};
    hd_machine_print_address(&text, c->m, address, size);
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_MEMORY, "%s of %s: %s",
                       hd_library_name(c->fn), hd_str_text(&text), wrong);
    hd_str_free(&text);
    return NULL;
  }
  bool checked = hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC);
  const hd_sync *known = hd_sync_find(c->m, address, kind);
  if (!known && checked && !initialised(c->m, address, size)) {
    hd_lock_misuse(c->m, c->tid, address, kind,
                   "is used but was never initialised");
    return NULL;
  }
  if (known && known->destroyed && checked) {
    hd_lock_misuse(c->m, c->tid, address, kind,
                   "is used after it was destroyed");
    return NULL;
  }
  return hd_sync_own(c->m, address, kind);
}

static void tell(hd_call *c, hd_event_kind event, uint64_t address,
                 hd_sync_kind kind) {
  if (!hd_machine_watched(c->m))
    return;
  hd_str text = {0};
  hd_machine_print_address(&text, c->m, address, hd_sync_size(c->m, kind));
  hd_machine_tell(c->m, event, c->tid, HD_NO_ID, address, hd_str_text(&text));
  hd_str_free(&text);
}

void hd_lock_acquired(hd_call *c, hd_sync *sync) {
  hd_clock_acquire(c->m, c->tid, &sync->clock);
  tell(c, HD_EVENT_ACQUIRE, sync->address, sync->kind);
}

void hd_lock_released(hd_call *c, hd_sync *sync) {
  hd_clock_release(c->m, c->tid, &sync->clock, false);
  tell(c, HD_EVENT_RELEASE, sync->address, sync->kind);
}

bool hd_lock_init(hd_call *c, uint64_t address, hd_sync_kind kind,
                  uint32_t type) {
  uint32_t size = hd_sync_size(c->m, kind);
  if (!hd_ram_check(c->m, c->tid, address, size, true, true))
    return false;
  const hd_sync *known = hd_sync_find(c->m, address, kind);
  if (known && !known->destroyed && known->owner != HD_NO_ID &&
      hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC)) {
    hd_lock_misuse(c->m, c->tid, address, kind,
                   "is initialised while it is held");
    return false;
  }
  hd_sync_forget(c->m, address, 1);
  hd_ram_fill(c->m, address, 0, size);
  if (kind == HD_SYNC_MUTEX && type) {
    uint32_t at = hd_sync_type_offset(c->m);
    hd_ram_write(c->m, address + at, (uint8_t *)&type, NULL, 4);
  }
  return true;
}

static bool checks_sync(const hd_call *c) {
  return hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC);
}

bool hd_lock_destroy(hd_call *c, uint64_t address, hd_sync_kind kind) {
  hd_sync *sync = hd_lock_use(c, address, kind);
  if (!sync)
    return false;
  bool held = sync->owner != HD_NO_ID ||
              (kind == HD_SYNC_RWLOCK && sync->count) ||
              (kind == HD_SYNC_BARRIER && sync->count);
  if (held && checks_sync(c)) {
    hd_lock_misuse(c->m, c->tid, address, kind,
                   kind == HD_SYNC_BARRIER
                       ? "is destroyed while a thread waits there"
                       : "is destroyed while it is held");
    return false;
  }
  sync->destroyed = true;
  sync->owner = HD_NO_ID;
  sync->count = 0;
  return true;
}

/* --- mutexes and spin locks --- */

static hd_sync_kind kind_of(const hd_call *c) {
  return hd_library_kind_of(c->fn) == HD_LIBRARY_SPIN ? HD_SYNC_SPIN
                                                      : HD_SYNC_MUTEX;
}

static void take(hd_call *c, hd_sync *sync) {
  sync->owner = c->tid;
  sync->count++;
  hd_lock_acquired(c, sync);
}

static void self_lock(hd_call *c, uint64_t address, hd_sync_kind kind) {
  hd_str text = {0};
  name(&text, c->m, address, kind);
  hd_machine_violate(c->m, c->tid, HD_PROPERTY_DEADLOCK,
                     "the thread waits for %s, which it holds itself",
                     hd_str_text(&text));
  hd_str_free(&text);
}

static void lock(hd_call *c, bool timed) {
  uint64_t address = hd_arg(c, 0);
  hd_sync *sync = hd_lock_use(c, address, kind_of(c));
  if (!sync)
    return;
  if (sync->owner == HD_NO_ID ||
      (sync->owner == c->tid && sync->type == HD_MUTEX_RECURSIVE)) {
    take(c, sync);
    hd_lock_return(c, 0);
  } else if (sync->owner == c->tid && sync->type == HD_MUTEX_ERRORCHECK) {
    hd_lock_return(c, EDEADLK);
  } else if (timed) {
    hd_lock_return(c, ETIMEDOUT);
  } else {
    assert(sync->owner == c->tid);
    self_lock(c, address, kind_of(c));
  }
}

static void trylock(hd_call *c) {
  hd_sync *sync = hd_lock_use(c, hd_arg(c, 0), kind_of(c));
  if (!sync)
    return;
  bool again = sync->owner == c->tid && sync->type == HD_MUTEX_RECURSIVE;
  if (sync->owner != HD_NO_ID && !again) {
    hd_lock_return(c, EBUSY);
    return;
  }
  take(c, sync);
  hd_lock_return(c, 0);
}

static void unlock(hd_call *c) {
  hd_sync_kind kind = kind_of(c);
  uint64_t address = hd_arg(c, 0);
  hd_sync *sync = hd_lock_use(c, address, kind);
  if (!sync)
    return;
  if (sync->owner != c->tid) {
    if (sync->type != HD_MUTEX_NORMAL) {
      hd_lock_return(c, EPERM);
      return;
    }
    if (checks_sync(c)) {
      hd_lock_misuse(c->m, c->tid, address, kind,
                     sync->owner == HD_NO_ID
                         ? "is unlocked but not locked"
                         : "is unlocked by a thread that does not hold it");
      return;
    }
    sync->count = sync->count ? 1 : 0;
  }
  hd_lock_return(c, 0);
  if (sync->count && --sync->count)
    return;
  sync->owner = HD_NO_ID;
  hd_lock_released(c, sync);
}

static void mutex_init(hd_call *c) {
  uint64_t type = 0;
  if (c->fn == HD_LIB_mtx_init)
    type = hd_arg(c, 1) & 1;
  else if (hd_arg(c, 1) && !hd_get(c, hd_arg(c, 1), 4, &type))
    return;
  if (hd_lock_init(c, hd_arg(c, 0), HD_SYNC_MUTEX, (uint32_t)type & 3))
    hd_lock_return(c, 0);
}

void hd_lib_mutex(hd_call *c) {
  switch (c->fn) {
  case HD_LIB_pthread_mutex_init:
  case HD_LIB_mtx_init:
    mutex_init(c);
    break;
  case HD_LIB_pthread_spin_init:
    if (hd_lock_init(c, hd_arg(c, 0), HD_SYNC_SPIN, 0))
      hd_return_int(c, 0);
    break;
  case HD_LIB_pthread_mutex_destroy:
  case HD_LIB_mtx_destroy:
  case HD_LIB_pthread_spin_destroy:
    if (hd_lock_destroy(c, hd_arg(c, 0), kind_of(c)))
      hd_lock_return(c, 0);
    break;
  case HD_LIB_pthread_mutex_lock:
  case HD_LIB_mtx_lock:
  case HD_LIB_pthread_spin_lock:
    lock(c, false);
    break;
  case HD_LIB_pthread_mutex_timedlock:
  case HD_LIB_pthread_mutex_clocklock:
  case HD_LIB_mtx_timedlock:
    lock(c, true);
    break;
  case HD_LIB_pthread_mutex_trylock:
  case HD_LIB_mtx_trylock:
  case HD_LIB_pthread_spin_trylock:
    trylock(c);
    break;
  case HD_LIB_pthread_mutex_unlock:
  case HD_LIB_mtx_unlock:
  case HD_LIB_pthread_spin_unlock:
    unlock(c);
    break;
  default: /* pthread_mutex_consistent */
    hd_return_int(c, 0);
  }
}

/* --- read-write locks --- */

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

static void rwlock_lock(hd_call *c, bool write, int busy) {
  uint64_t address = hd_arg(c, 0);
  hd_sync *sync = hd_lock_use(c, address, HD_SYNC_RWLOCK);
  if (!sync)
    return;
  bool free = sync->owner == HD_NO_ID && (!write || !sync->count);
  if (free && write)
    write_lock(c, sync);
  else if (free)
    read_lock(c, sync);
  else if (busy)
    hd_lock_return(c, busy);
  else if (sync->owner == c->tid)
    hd_lock_return(c, EDEADLK);
  else
    self_lock(c, address, HD_SYNC_RWLOCK);
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
    tell(c, HD_EVENT_RELEASE, address, HD_SYNC_RWLOCK);
  } else if (checks_sync(c)) {
    hd_lock_misuse(c->m, c->tid, address, HD_SYNC_RWLOCK,
                   "is unlocked by a thread that does not hold it");
  } else {
    hd_call_unsupported(c, "unlocked by a thread that does not hold it");
  }
}

void hd_lib_rwlock(hd_call *c) {
  switch (c->fn) {
  case HD_LIB_pthread_rwlock_init:
    if (hd_lock_init(c, hd_arg(c, 0), HD_SYNC_RWLOCK, 0))
      hd_return_int(c, 0);
    break;
  case HD_LIB_pthread_rwlock_destroy:
    if (hd_lock_destroy(c, hd_arg(c, 0), HD_SYNC_RWLOCK))
      hd_return_int(c, 0);
    break;
  case HD_LIB_pthread_rwlock_rdlock:
    rwlock_lock(c, false, 0);
    break;
  case HD_LIB_pthread_rwlock_wrlock:
    rwlock_lock(c, true, 0);
    break;
  case HD_LIB_pthread_rwlock_tryrdlock:
    rwlock_lock(c, false, EBUSY);
    break;
  case HD_LIB_pthread_rwlock_trywrlock:
    rwlock_lock(c, true, EBUSY);
    break;
  case HD_LIB_pthread_rwlock_timedrdlock:
    rwlock_lock(c, false, ETIMEDOUT);
    break;
  case HD_LIB_pthread_rwlock_timedwrlock:
    rwlock_lock(c, true, ETIMEDOUT);
    break;
  default:
    rwlock_unlock(c);
  }
}
