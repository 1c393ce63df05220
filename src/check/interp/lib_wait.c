/* SPDX-License-Identifier: MIT */
/* Condition variables, barriers, semaphores, once; and when a call that can wait
 * may go on.
 *
 * Waiting at a condition variable takes three steps: the mutex is given up and
 * the thread waits (COND); a signal, the end of a timed wait or a spurious
 * wake-up makes it wait for the mutex (RELOCK); when that is free it takes it and
 * is behind the call. Which waiting thread a signal wakes is a choice. */
#include "check/interp/lib.h"

#include "check/interp/clocks.h"
#include "check/interp/locks.h"
#include "check/interp/needs.h"
#include "check/interp/sync.h"
#include "model/calls.h"
#include "model/live.h"

#include <errno.h>

/* --- may it go on? --- */

static bool self_deadlock_is_reported(const hd_machine *m) {
  return hd_plan_checks(m->plan, HD_PROPERTY_DEADLOCK);
}

/* Locking again what it has. */
static bool relock_is_told(const hd_machine *m, hd_library_fn fn) {
  return self_deadlock_is_reported(m) ||
         (hd_library_gives(fn) == HD_GIVES_STATUS &&
          hd_plan_checks(m->plan, HD_PROPERTY_SYNC));
}

static bool mutex_ready(const hd_machine *m, const hd_thread *t,
                        hd_library_fn fn, uint64_t address, hd_sync_kind kind) {
  hd_sync sync = hd_sync_peek(m, address, kind);
  if (sync.owner == HD_NO_ID)
    return true;
  return sync.owner == t->id &&
         (sync.type != HD_MUTEX_NORMAL || relock_is_told(m, fn));
}

hd_tid hd_lib_thread_of(const hd_machine *m, uint64_t handle) {
  if (!m->plan->ids)
    return handle && handle <= m->threads.size ? (hd_tid)(handle - 1)
                                               : HD_NO_ID;
  for (size_t i = m->threads.size; i-- > 0;) /* who has it now */
    if (m->threads.data[i]->handle == handle)
      return (hd_tid)i;
  return HD_NO_ID;
}

static bool join_ready(const hd_machine *m, const hd_thread *t,
                       uint64_t handle) {
  hd_tid other = hd_lib_thread_of(m, handle);
  if (other == HD_NO_ID)
    return true;
  const hd_thread *target = hd_thread_of(m, other);
  if (target->detached || target->joined)
    return true;
  return target->ended || other == t->id; /* its own: told at once */
}

bool hd_lib_ready(const hd_machine *m, const hd_thread *t) {
  hd_library_fn fn = hd_thread_callee(m, t, NULL);
  uint64_t address;
  if (hd_cancel_acts(t, fn, 0))
    return true;
  switch (fn) {
  case HD_LIB_pthread_mutex_lock:
  case HD_LIB_mtx_lock:
    return !hd_lib_arg(m, t, 0, &address) ||
           mutex_ready(m, t, fn, address, HD_SYNC_MUTEX);
  case HD_LIB_pthread_spin_lock:
    return !hd_lib_arg(m, t, 0, &address) ||
           mutex_ready(m, t, fn, address, HD_SYNC_SPIN);
  case HD_LIB_pthread_rwlock_rdlock:
    return !hd_lib_arg(m, t, 0, &address) ||
           hd_rwlock_ready(m, t, address, false);
  case HD_LIB_pthread_rwlock_wrlock:
    return !hd_lib_arg(m, t, 0, &address) ||
           hd_rwlock_ready(m, t, address, true);
  case HD_LIB_sem_wait: {
    if (!hd_lib_arg(m, t, 0, &address))
      return true;
    if (hd_ram_wrong(m, address, hd_sync_size(m, HD_SYNC_SEM), true))
      return true;
    hd_sync sync = hd_sync_peek(m, address, HD_SYNC_SEM);
    bool usable =
        !sync.destroyed && hd_lock_was_made(m, fn, address, HD_SYNC_SEM);
    return sync.count > 0 ||
           (!usable && hd_plan_checks(m->plan, HD_PROPERTY_SYNC));
  }
  case HD_LIB_pthread_once:
  case HD_LIB_call_once: {
    if (!hd_lib_arg(m, t, 0, &address))
      return true;
    hd_sync sync = hd_sync_peek(m, address, HD_SYNC_ONCE);
    return sync.type != 1;
  }
  case HD_LIB_pthread_join:
  case HD_LIB_thrd_join:
    return !hd_lib_arg(m, t, 0, &address) || join_ready(m, t, address);
  default:
    return true;
  }
}

bool hd_lib_can_resume(const hd_machine *m, const hd_thread *t) {
  switch ((hd_wait)t->wait) {
  case HD_WAIT_COND:
    return t->timed || hd_cancel_pends(t) || m->plan->options->spurious;
  case HD_WAIT_RELOCK: {
    hd_sync mutex = hd_sync_peek(m, t->mutex, HD_SYNC_MUTEX);
    return hd_lock_is_free(&mutex, t->id);
  }
  case HD_WAIT_WRITER:
    return t->timed || hd_rwlock_is_free(m, t->object, true);
  case HD_WAIT_BARRIER:
    return false;
  default:
    return true;
  }
}

bool hd_lib_spurious(const hd_machine *m, const hd_thread *t) {
  return t->wait == HD_WAIT_COND && !t->timed && !hd_cancel_pends(t);
}

static hd_tid owner_of(const hd_machine *m, uint64_t address,
                       hd_library_kind kind) {
  hd_sync_kind of = kind == HD_LIBRARY_MUTEX  ? HD_SYNC_MUTEX
                    : kind == HD_LIBRARY_SPIN ? HD_SYNC_SPIN
                                              : HD_SYNC_RWLOCK;
  return hd_sync_peek(m, address, of).owner;
}

/* The lock's owner, or the thread that is to end. */
static hd_tid needs(const hd_machine *m, const hd_thread *t) {
  hd_library_fn fn = hd_thread_callee(m, t, NULL);
  hd_library_kind kind = hd_library_kind_of(fn);
  hd_action action = hd_library_action(fn);
  uint64_t x;
  if (action == HD_DO_JOIN && !hd_code_may(m->plan->code, HD_DO_DETACH) &&
      hd_lib_arg(m, t, 0, &x))
    return hd_lib_thread_of(m, x);
  bool locks = kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_SPIN ||
               kind == HD_LIBRARY_RWLOCK;
  return locks && action == HD_DO_ACQUIRE && hd_lib_arg(m, t, 0, &x)
             ? owner_of(m, x, kind)
             : HD_NO_ID;
}

hd_tid hd_machine_needs(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  hd_tid other = HD_NO_ID;
  if (t->ended)
    return HD_NO_ID;
  if (t->wait == HD_WAIT_RELOCK && !hd_lib_can_resume(m, t))
    other = hd_sync_peek(m, t->mutex, HD_SYNC_MUTEX).owner;
  else if (t->wait == HD_WAIT_NONE && !hd_lib_ready(m, t))
    other = needs(m, t);
  return other == tid ? HD_NO_ID : other;
}

/* --- condition variables --- */

static void wake(hd_thread *t, int code) {
  t->wait = HD_WAIT_RELOCK;
  t->code = code;
}

/* What has become of a robust mutex is told before that time has passed. */
static void relock(hd_call *c) {
  hd_thread *t = c->t;
  hd_lock_touch(c->m, c->tid, t->mutex, HD_SYNC_MUTEX);
  hd_sync *sync = hd_sync_own(c->m, t->mutex, HD_SYNC_MUTEX);
  assert(hd_lock_is_free(sync, t->id));
  bool cancelled = t->code == ECANCELED;
  int lock = hd_lock_take(c, sync), code = lock ? lock : t->code;
  t->wait = HD_WAIT_NONE;
  t->object = t->mutex = 0;
  t->timed = false;
  t->code = 0;
  if (cancelled) {
    hd_cancel_act(c->m, t);
    return;
  }
  hd_lock_return(c, code);
  hd_thread_finish_call(c->m, t, &c->result, 1);
}

void hd_lib_resume(hd_machine *m, hd_thread *t, uint64_t choice) {
  assert(hd_lib_can_resume(m, t));
  t->next = hd_thread_edge(t);
  hd_call c = {.m = m,
               .t = t,
               .tid = t->id,
               .edge = &m->plan->code->edges.data[t->next]};
  c.fn = hd_thread_callee(m, t, &c.func);
  switch ((hd_wait)t->wait) {
  case HD_WAIT_COND:
    wake(t, hd_cancel_pends(t)    ? ECANCELED
            : t->timed && !choice ? ETIMEDOUT
                                  : 0);
    break;
  case HD_WAIT_RELOCK:
    relock(&c);
    break;
  case HD_WAIT_WRITER:
    hd_rwlock_resume(&c);
    break;
  case HD_WAIT_CREATED:
    hd_thread_created(&c);
    break;
  default: { /* its clock has been told when the barrier opened */
    assert(t->wait == HD_WAIT_PASSED);
    t->wait = HD_WAIT_NONE;
    t->object = 0;
    hd_machine_value value = {0, 0};
    hd_thread_finish_call(m, t, &value, 1);
  }
  }
}

/* Does somebody wait for the condition with another mutex? */
static bool is_bound(const hd_machine *m, uint64_t condition, uint64_t mutex) {
  for (hd_tid i = 0; i < m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(m, i);
    if (t->wait == HD_WAIT_COND && t->object == condition && t->mutex != mutex)
      return true;
  }
  return false;
}

/* A recursive mutex is given up once, whoever has locked it twice keeps it. */
static void cond_wait(hd_call *c, bool timed) {
  uint64_t condition = hd_arg(c, 0), mutex = hd_arg(c, 1);
  bool valid = true;
  if (timed && !hd_time_read(c, &valid))
    return;
  if (!hd_lock_use(c, condition, HD_SYNC_COND))
    return;
  hd_sync *lock = hd_lock_use(c, mutex, HD_SYNC_MUTEX);
  if (!lock)
    return;
  if (!valid) {
    hd_lock_return(c, EINVAL);
    return;
  }
  if (lock->owner != c->tid) {
    if (lock->type == HD_MUTEX_ERRORCHECK || lock->robust) {
      hd_lock_return(c, EPERM);
      return;
    }
    if (hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC)) {
      hd_lock_misuse(c->m, c->tid, mutex, HD_SYNC_MUTEX,
                     "is not held by the thread that waits with it");
      return;
    }
  }
  if (is_bound(c->m, condition, mutex) &&
      hd_plan_checks(c->m->plan, HD_PROPERTY_SYNC)) {
    hd_lock_misuse(c->m, c->tid, condition, HD_SYNC_COND,
                   "is waited for with another mutex at the same time");
    return;
  }
  hd_lock_give(c, lock);
  c->t->wait = HD_WAIT_COND;
  c->t->object = condition;
  c->t->mutex = mutex;
  c->t->timed = timed;
  c->stay = true;
  hd_machine_tell(c->m, HD_EVENT_BLOCK, c->tid, HD_NO_ID, condition,
                  "a signal");
}

static void signal_one(hd_call *c, uint64_t condition) {
  uint64_t left = c->choice;
  for (hd_tid i = 0; i < c->m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(c->m, i);
    if (t->wait != HD_WAIT_COND || t->object != condition || left--)
      continue;
    wake(hd_thread_own(c->m, i), 0);
    hd_machine_tell(c->m, HD_EVENT_WAKE, c->tid, i, condition, NULL);
    return;
  }
}

static void signal_all(hd_call *c, uint64_t condition) {
  for (hd_tid i = 0; i < c->m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(c->m, i);
    if (t->wait != HD_WAIT_COND || t->object != condition)
      continue;
    wake(hd_thread_own(c->m, i), 0);
    hd_machine_tell(c->m, HD_EVENT_WAKE, c->tid, i, condition, NULL);
  }
}

void hd_lib_cond(hd_call *c) {
  uint64_t condition = hd_arg(c, 0), attributes;
  switch (c->fn) {
  case HD_LIB_pthread_cond_init:
    if (!hd_attr_read(c, hd_arg(c, 1), &attributes))
      break;
    /* fall through */
  case HD_LIB_cnd_init:
    if (hd_lock_init(c, condition, HD_SYNC_COND, 0))
      hd_return_int(c, 0);
    break;
  case HD_LIB_pthread_cond_destroy:
  case HD_LIB_cnd_destroy:
    if (hd_lock_destroy(c, condition, HD_SYNC_COND))
      hd_return_int(c, 0);
    break;
  case HD_LIB_pthread_cond_wait:
  case HD_LIB_cnd_wait:
    cond_wait(c, false);
    break;
  case HD_LIB_pthread_cond_timedwait:
  case HD_LIB_pthread_cond_clockwait:
  case HD_LIB_cnd_timedwait:
    cond_wait(c, true);
    break;
  case HD_LIB_pthread_cond_signal:
  case HD_LIB_cnd_signal:
    if (!hd_lock_use(c, condition, HD_SYNC_COND))
      return;
    signal_one(c, condition);
    hd_return_int(c, 0);
    break;
  default:
    if (!hd_lock_use(c, condition, HD_SYNC_COND))
      return;
    signal_all(c, condition);
    hd_return_int(c, 0);
  }
}

/* --- barriers --- */

enum { SERIAL_THREAD = -1 };

bool hd_barrier_all_same(const hd_machine *m, const hd_thread *t) {
  hd_plan *plan = m->plan;
  const hd_cedge *call = &plan->code->edges.data[hd_thread_edge(t)];
  if (!call->n_targets)
    return true;
  if (!plan->live)
    plan->live = hd_live_new(plan->code);
  return !hd_live_at(plan->live, call->to, hd_code_target(plan->code, call, 0));
}

static void stay_at(hd_call *c, uint64_t address, hd_wait wait) {
  c->t->wait = (uint8_t)wait;
  c->t->object = address;
  c->stay = true;
}

static void barrier_wait(hd_call *c) {
  uint64_t address = hd_arg(c, 0);
  hd_sync *barrier = hd_lock_use(c, address, HD_SYNC_BARRIER);
  if (!barrier)
    return;
  if (!barrier->limit) {
    hd_lock_misuse(c->m, c->tid, address, HD_SYNC_BARRIER,
                   "is used but was never initialised");
    if (hd_machine_runs(c->m))
      hd_return_int(c, EINVAL);
    return;
  }
  hd_clock_release(c->m, c->tid, &barrier->clock, false);
  if (++barrier->count < barrier->limit) {
    stay_at(c, address, HD_WAIT_BARRIER);
    hd_machine_tell(c->m, HD_EVENT_BLOCK, c->tid, HD_NO_ID, address,
                    "the others at the barrier");
    return;
  }
  barrier->count = 0;
  hd_clock_acquire(c->m, c->tid, &barrier->clock);
  for (hd_tid i = 0; i < c->m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(c->m, i);
    if (t->wait != HD_WAIT_BARRIER || t->object != address)
      continue;
    hd_thread_own(c->m, i)->wait = HD_WAIT_PASSED;
    hd_clock_acquire(c->m, i, &barrier->clock);
    hd_machine_tell(c->m, HD_EVENT_WAKE, c->tid, i, address, NULL);
  }
  if (hd_barrier_all_same(c->m, c->t))
    stay_at(c, address, HD_WAIT_PASSED); /* like the others */
  else
    hd_return_int(c, SERIAL_THREAD);
}

void hd_lib_barrier(hd_call *c) {
  uint64_t address = hd_arg(c, 0), attributes;
  switch (c->fn) {
  case HD_LIB_pthread_barrier_init:
    if (!hd_attr_read(c, hd_arg(c, 1), &attributes))
      break;
    if (!(uint32_t)hd_arg(c, 2) || (uint32_t)hd_arg(c, 2) > INT32_MAX) {
      hd_return_int(c, EINVAL); /* so glibc */
    } else if (hd_lock_init(c, address, HD_SYNC_BARRIER, 0)) {
      hd_sync_own(c->m, address, HD_SYNC_BARRIER)->limit =
          (uint32_t)hd_arg(c, 2);
      hd_return_int(c, 0);
    }
    break;
  case HD_LIB_pthread_barrier_destroy:
    if (hd_lock_destroy(c, address, HD_SYNC_BARRIER))
      hd_return_int(c, 0);
    break;
  default:
    barrier_wait(c);
  }
}

/* --- semaphores --- */

static void sem_take(hd_call *c, hd_sync *sem, int busy) {
  if (!sem->count || c->choice) {
    hd_return_errno(c, busy);
    return;
  }
  sem->count--;
  hd_lock_acquired(c, sem);
  hd_return_int(c, 0);
}

static void sem_post(hd_call *c, hd_sync *sem) {
  if (sem->count == INT32_MAX) {
    hd_return_errno(c, EOVERFLOW);
    return;
  }
  sem->count++;
  hd_lock_released(c, sem);
  hd_return_int(c, 0);
}

static void sem_init(hd_call *c) {
  uint64_t address = hd_arg(c, 0);
  if (hd_arg_int(c, 2) < 0) {
    hd_return_errno(c, EINVAL);
  } else if (hd_lock_init(c, address, HD_SYNC_SEM, 0)) {
    hd_sync *sem = hd_sync_own(c->m, address, HD_SYNC_SEM);
    sem->count = (uint32_t)hd_arg(c, 2);
    hd_return_int(c, 0);
  }
}

void hd_lib_sem(hd_call *c) {
  uint64_t address = hd_arg(c, 0);
  if (c->fn == HD_LIB_sem_init) {
    sem_init(c);
    return;
  }
  if (c->fn == HD_LIB_sem_destroy) {
    if (hd_lock_destroy(c, address, HD_SYNC_SEM))
      hd_return_int(c, 0);
    return;
  }
  bool valid = true;
  if (hd_time_arg(c->fn) >= 0 && !hd_time_read(c, &valid))
    return;
  hd_sync *sem = hd_lock_use(c, address, HD_SYNC_SEM);
  if (!sem)
    return;
  switch (c->fn) {
  case HD_LIB_sem_post:
    sem_post(c, sem);
    break;
  case HD_LIB_sem_getvalue:
    if (hd_put(c, hd_arg(c, 1), 4, sem->count))
      hd_return_int(c, 0);
    break;
  case HD_LIB_sem_trywait:
    sem_take(c, sem, EAGAIN);
    break;
  default: /* sem_wait is here only when it can go on */
    sem_take(c, sem, valid ? ETIMEDOUT : EINVAL);
  }
}

/* --- once --- */

void hd_lib_once_done(hd_machine *m, hd_thread *t, uint64_t control) {
  m->hidden = true; /* others may wait for it */
  hd_sync *once = hd_sync_own(m, control, HD_SYNC_ONCE);
  once->type = 2;
  once->owner = HD_NO_ID;
  hd_clock_release(m, t->id, &once->clock, false);
  hd_lock_tell_release(m, t->id, control, HD_SYNC_ONCE);
  hd_machine_value value = {0, 0};
  hd_thread_finish_call(m, t, &value, 1);
}

void hd_lib_once(hd_call *c) {
  uint64_t control = hd_arg(c, 0);
  hd_sync *once = hd_lock_use(c, control, HD_SYNC_ONCE);
  if (!once)
    return;
  if (once->type == 2) {
    hd_lock_acquired(c, once);
    hd_return_int(c, 0);
    return;
  }
  hd_func_id routine = hd_ram_func_at(c->m, hd_arg(c, 1));
  if (routine == HD_NO_ID) {
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_MEMORY,
                       "the routine of %s is no function",
                       hd_library_name(c->fn));
    return;
  }
  if (!c->m->plan->code->funcs.data[routine].defined) {
    hd_call_unsupported(c, "its routine is not defined in the program");
    return;
  }
  once->type = 1;
  once->owner = c->tid;
  c->stay = true;
  if (hd_thread_push(c->m, c->t, routine, NULL, 0, HD_FRAME_ONCE))
    hd_thread_top(c->t)->data = control;
}
