/* SPDX-License-Identifier: MIT */
/* Mutexes and spin locks: POSIX and C11.
 *
 * A call that has to wait is executed only when it can go on (ready), so what is
 * done here always succeeds. What POSIX leaves undefined (unlocking a mutex of
 * another thread, destroying one that is held, using one that was destroyed or
 * never initialised) is a violation; what it defines to return an error does so.
 * Locking a normal mutex twice waits for ever: it is reported as a deadlock at
 * once.
 *
 * To lock, unlock and the like are atomic accesses to the bytes of the object;
 * initialising and destroying it are plain writes, which nothing else may be
 * concurrent with. */
#include "check/interp/lib.h"

#include "check/interp/clocks.h"
#include "check/interp/locks.h"
#include "check/interp/sync.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* How C11 calls what POSIX returns. */
enum { THRD_BUSY = 1, THRD_ERROR = 2, THRD_TIMEDOUT = 4 };

static bool is_c11(hd_library_fn fn) {
  return strncmp(hd_library_name(fn), "mtx_", 4) == 0 ||
         strncmp(hd_library_name(fn), "cnd_", 4) == 0;
}

void hd_lock_return(hd_call *c, int code) {
  if (is_c11(c->fn))
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

/* Is the memory what an initialiser such as PTHREAD_MUTEX_INITIALIZER leaves there:
 * 0, but for the type? */
static bool is_initialiser(const hd_machine *m, uint64_t address,
                           hd_sync_kind kind) {
  bool typed = kind == HD_SYNC_MUTEX || kind == HD_SYNC_RWLOCK;
  uint64_t size = hd_sync_size(m, kind);
  uint64_t type = typed ? hd_sync_type_offset(m, kind) : size;
  const uint8_t *shadow, *bytes = hd_ram_bytes(m, address, &shadow);
  for (uint64_t i = 0; i < size; i++)
    if ((shadow && shadow[i]) || (bytes[i] && (i != type || bytes[i] > 3)))
      return false;
  return true;
}

bool hd_lock_was_made(const hd_machine *m, hd_library_fn fn, uint64_t address,
                      hd_sync_kind kind) {
  return hd_sync_find(m, address, kind) ||
         (hd_library_has_initialiser(fn) && is_initialiser(m, address, kind));
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
  if (checked && !hd_lock_was_made(c->m, c->fn, address, kind)) {
    hd_lock_misuse(c->m, c->tid, address, kind,
                   "is used but was never initialised");
    return NULL;
  }
  if (known && known->destroyed && checked) {
    hd_lock_misuse(c->m, c->tid, address, kind,
                   "is used after it was destroyed");
    return NULL;
  }
  hd_lock_touch(c->m, c->tid, address, kind);
  hd_sync *sync = hd_sync_own(c->m, address, kind);
  sync->live = checked && !sync->destroyed;
  return sync;
}

/* Each call may change it: whoever copies it meanwhile races with that. */
void hd_lock_touch(hd_machine *m, hd_tid tid, uint64_t address,
                   hd_sync_kind kind) {
  if (m->plan->options->clocks)
    hd_clock_access(m, tid, address, hd_sync_size(m, kind), true, true);
}

static void tell(hd_machine *m, hd_event_kind event, hd_tid tid,
                 uint64_t address, hd_sync_kind kind) {
  if (!hd_machine_watched(m))
    return;
  hd_str text = {0};
  hd_machine_print_address(&text, m, address, hd_sync_size(m, kind));
  hd_machine_tell(m, event, tid, HD_NO_ID, address, hd_str_text(&text));
  hd_str_free(&text);
}

void hd_lock_tell(hd_call *c, hd_event_kind event, uint64_t address,
                  hd_sync_kind kind) {
  tell(c->m, event, c->tid, address, kind);
}

void hd_lock_tell_release(hd_machine *m, hd_tid tid, uint64_t address,
                          hd_sync_kind kind) {
  tell(m, HD_EVENT_RELEASE, tid, address, kind);
}

void hd_lock_acquired(hd_call *c, hd_sync *sync) {
  hd_clock_acquire(c->m, c->tid, &sync->clock);
  hd_lock_tell(c, HD_EVENT_ACQUIRE, sync->address, sync->kind);
}

void hd_lock_released(hd_call *c, hd_sync *sync) {
  hd_clock_release(c->m, c->tid, &sync->clock, false);
  hd_lock_tell(c, HD_EVENT_RELEASE, sync->address, sync->kind);
}

static bool checks_sync(const hd_call *c) {
  return hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC);
}

/* Is the thread in a call that waits for the object, or may it be? One that
 * stands before a call that would have to wait may be in it as well. */
static bool waits_for(const hd_machine *m, const hd_thread *t, uint64_t address,
                      hd_sync_kind kind) {
  if (t->wait != HD_WAIT_NONE)
    return (t->object == address && t->wait != HD_WAIT_CREATED &&
            /* The barrier is open, or the signal came: it need not. */
            t->wait != HD_WAIT_PASSED && t->wait != HD_WAIT_RELOCK &&
            kind != HD_SYNC_MUTEX) ||
           (t->mutex == address && t->wait != HD_WAIT_CREATED &&
            kind == HD_SYNC_MUTEX);
  uint64_t first;
  hd_library_fn fn = hd_thread_callee(m, t, NULL);
  return hd_library_place_bytes(hd_library_kind_of(fn), 64) &&
         hd_lib_arg(m, t, 0, &first) && first == address && !hd_lib_ready(m, t);
}

bool hd_lock_awaited(const hd_call *c, uint64_t address, hd_sync_kind kind) {
  for (hd_tid i = 0; i < c->m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(c->m, i);
    if (i != c->tid && !t->ended && waits_for(c->m, t, address, kind))
      return true;
  }
  return false;
}

/* Somebody waits for what is made anew: nobody may ever wake it up. */
static void leave_waiting(hd_call *c, uint64_t address, hd_sync_kind kind) {
  hd_str text = {0};
  name(&text, c->m, address, kind);
  if (checks_sync(c))
    hd_lock_misuse(c->m, c->tid, address, kind,
                   "is initialised while a thread waits for it");
  else if (hd_plan_checks(c->m->plan, HD_PROPERTY_DEADLOCK))
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_DEADLOCK,
                       "%s is initialised while a thread waits for it, which "
                       "may then wait for ever",
                       hd_str_text(&text));
  else
    hd_call_unsupported(c, "while a thread waits for it");
  hd_str_free(&text);
}

/* POSIX: only what was never initialised, or has been destroyed. */
static bool renewed_wrongly(hd_call *c, uint64_t address, hd_sync_kind kind) {
  const hd_sync *known = hd_sync_find(c->m, address, kind);
  if (hd_lock_awaited(c, address, kind)) {
    leave_waiting(c, address, kind);
    return true;
  }
  if (!known || !known->live || !checks_sync(c))
    return false;
  bool held =
      known->owner != HD_NO_ID || (kind == HD_SYNC_RWLOCK && known->count != 0);
  hd_lock_misuse(c->m, c->tid, address, kind,
                 held ? "is initialised while it is held"
                      : "is initialised again before it was destroyed");
  return true;
}

bool hd_lock_init(hd_call *c, uint64_t address, hd_sync_kind kind,
                  uint32_t type) {
  uint32_t size = hd_sync_size(c->m, kind);
  if (!hd_ram_check(c->m, c->tid, address, size, true, false) ||
      renewed_wrongly(c, address, kind))
    return false;
  hd_sync_forget(c->m, address, 1);
  hd_ram_fill(c->m, address, 0, size);
  if (type)
    hd_ram_write(c->m, address + hd_sync_type_offset(c->m, kind),
                 (uint8_t *)&type, NULL, hd_sync_type_size(c->m, kind));
  if (checks_sync(c))
    hd_sync_own(c->m, address, kind)->live = true;
  return true;
}

/* Whoever uses it at the same time races with that, also where it is refused. */
static void destroys(hd_call *c, uint64_t address, hd_sync_kind kind) {
  if (c->m->plan->options->clocks)
    hd_clock_access(c->m, c->tid, address, hd_sync_size(c->m, kind), true,
                    false);
}

bool hd_lock_destroy(hd_call *c, uint64_t address, hd_sync_kind kind) {
  hd_sync *sync = hd_lock_use(c, address, kind);
  if (!sync)
    return false;
  destroys(c, address, kind);
  bool held =
      sync->owner != HD_NO_ID || (kind == HD_SYNC_RWLOCK && sync->count);
  bool awaited = hd_lock_awaited(c, address, kind);
  if ((held || awaited) && checks_sync(c)) {
    hd_lock_misuse(c->m, c->tid, address, kind,
                   held ? "is destroyed while it is held"
                        : "is destroyed while a thread waits for it");
    return false;
  }
  sync->destroyed = true;
  sync->live = false;
  sync->owner = HD_NO_ID;
  sync->count = 0;
  return true;
}

/* --- mutexes and spin locks --- */

static hd_sync_kind kind_of(const hd_call *c) {
  return hd_library_kind_of(c->fn) == HD_LIBRARY_SPIN ? HD_SYNC_SPIN
                                                      : HD_SYNC_MUTEX;
}

/* Takes it, once more or for the first time. */
int hd_lock_take(hd_call *c, hd_sync *sync) {
  if (sync->health == HD_ROBUST_LOST)
    return ENOTRECOVERABLE;
  sync->owner = c->tid;
  sync->count++;
  hd_lock_acquired(c, sync);
  if (sync->health != HD_ROBUST_ORPHAN)
    return 0;
  sync->health = HD_ROBUST_ADOPTED;
  return EOWNERDEAD;
}

/* Gives it up once; nobody can have it any more whose state was left as its dead
 * owner had left it. */
void hd_lock_give(hd_call *c, hd_sync *sync) {
  if (sync->count && --sync->count)
    return;
  sync->owner = HD_NO_ID;
  if (sync->health == HD_ROBUST_ADOPTED)
    sync->health = HD_ROBUST_LOST;
  hd_lock_released(c, sync);
}

void hd_locks_leave(hd_machine *m, hd_tid tid) {
  for (size_t i = 0; i < m->syncs->items.size; i++) {
    const hd_sync *known = &m->syncs->items.data[i];
    if (known->kind != HD_SYNC_MUTEX || known->owner != tid || !known->robust)
      continue;
    hd_sync *sync = hd_sync_own(m, known->address, HD_SYNC_MUTEX);
    sync->owner = HD_NO_ID;
    sync->count = 0;
    sync->health = HD_ROBUST_ORPHAN;
    hd_clock_release(m, tid, &sync->clock, false);
    hd_lock_tell_release(m, tid, sync->address, HD_SYNC_MUTEX);
    m->hidden = true; /* others may wait for it */
  }
}

void hd_lock_self(hd_call *c, uint64_t address, hd_sync_kind kind) {
  hd_str text = {0};
  name(&text, c->m, address, kind);
  hd_machine_violate(c->m, c->tid, HD_PROPERTY_DEADLOCK,
                     "the thread waits for %s, which it holds itself",
                     hd_str_text(&text));
  hd_str_free(&text);
}

bool hd_lock_is_free(const hd_sync *sync, hd_tid tid) {
  return sync->owner == HD_NO_ID ||
         (sync->owner == tid && sync->type == HD_MUTEX_RECURSIVE);
}

/* C11 says of its mutexes "shall" where POSIX returns an error or waits: who
 * unlocks one holds it, and who locks one again has made it recursive. */
static bool is_strict(const hd_call *c) {
  return hd_library_gives(c->fn) == HD_GIVES_STATUS && checks_sync(c);
}

static void lock(hd_call *c, bool timed) {
  uint64_t address = hd_arg(c, 0);
  bool valid = true;
  if (timed && !hd_time_read(c, &valid))
    return;
  hd_sync *sync = hd_lock_use(c, address, kind_of(c));
  if (!sync)
    return;
  if (timed && sync->untimed && is_strict(c)) {
    hd_lock_misuse(c->m, c->tid, address, kind_of(c),
                   "was not made with mtx_timed");
  } else if (hd_lock_is_free(sync, c->tid) && !c->choice) {
    hd_lock_return(c, hd_lock_take(c, sync));
  } else if (sync->owner == c->tid && is_strict(c)) {
    hd_lock_misuse(c->m, c->tid, address, kind_of(c),
                   "is locked again by the thread that holds it");
  } else if (sync->owner == c->tid && sync->type == HD_MUTEX_ERRORCHECK) {
    hd_lock_return(c, EDEADLK);
  } else if (timed) {
    hd_lock_return(c, valid ? ETIMEDOUT : EINVAL);
  } else {
    assert(sync->owner == c->tid);
    hd_lock_self(c, address, kind_of(c));
  }
}

static void trylock(hd_call *c) {
  hd_sync *sync = hd_lock_use(c, hd_arg(c, 0), kind_of(c));
  if (!sync)
    return;
  /* With a choice it fails although nobody has it. */
  if (c->choice)
    hd_lock_tell(c, HD_EVENT_MISS, sync->address, sync->kind);
  hd_lock_return(c, hd_lock_is_free(sync, c->tid) && !c->choice
                        ? hd_lock_take(c, sync)
                        : EBUSY);
}

static void unlock(hd_call *c) {
  hd_sync_kind kind = kind_of(c);
  uint64_t address = hd_arg(c, 0);
  hd_sync *sync = hd_lock_use(c, address, kind);
  if (!sync)
    return;
  if (sync->owner != c->tid) {
    if ((sync->type != HD_MUTEX_NORMAL || sync->robust) && !is_strict(c)) {
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
  hd_lock_give(c, sync);
}

static void mutex_init(hd_call *c) {
  uint64_t type = 0;
  if (c->fn == HD_LIB_mtx_init)
    type = (hd_arg(c, 1) & 1) | (hd_arg(c, 1) & 2 ? 0 : HD_MUTEX_UNTIMED);
  else if (!hd_attr_read(c, hd_arg(c, 1), &type))
    return;
  if (hd_lock_init(c, hd_arg(c, 0), HD_SYNC_MUTEX,
                   (uint32_t)type & (HD_MUTEX_ROBUST | HD_MUTEX_UNTIMED | 3)))
    hd_lock_return(c, 0);
}

static void make_consistent(hd_call *c) {
  hd_sync *sync = hd_lock_use(c, hd_arg(c, 0), HD_SYNC_MUTEX);
  if (!sync)
    return;
  bool mine = sync->owner == c->tid && sync->health == HD_ROBUST_ADOPTED;
  if (mine)
    sync->health = HD_ROBUST_FINE;
  hd_return_int(c, mine ? 0 : EINVAL);
}

static void mutex_destroy(hd_call *c) {
  hd_sync_kind kind = kind_of(c);
  uint64_t address = hd_arg(c, 0);
  bool held = kind == HD_SYNC_MUTEX &&
              hd_sync_peek(c->m, address, kind).owner != HD_NO_ID;
  if (held && !checks_sync(c) && hd_lock_use(c, address, kind)) {
    destroys(c, address, kind);
    hd_lock_return(c, EBUSY); /* as glibc does it */
  } else if (hd_machine_runs(c->m) && hd_lock_destroy(c, address, kind))
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
    mutex_destroy(c);
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
  default:
    make_consistent(c);
  }
}
