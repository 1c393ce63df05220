/* SPDX-License-Identifier: MIT */
/* Locks, conditions, semaphores, barriers.
 *
 * That others see no more of a lock than the orders of C allow, a try may fail as long
 * as there are others (as C11 has it): what follows it is then not ordered behind who
 * holds the lock. */
#include "check/joint/op.h"

enum { EBUSY_ = 16, EDEADLK_ = 35, ETIMEDOUT_ = 110 };
enum { BUSY_C11 = 1, TIMEDOUT_C11 = 4 };
enum { RECURSIVE = 1, ERRORCHECK = 2 };

/* Another outcome beside what comes. */
static void also(op *o, val v, bool extra) {
  mach m = hd_joint_copy(&o->m);
  hd_joint_return(o->j, &m, o->t, o->edge, &v);
  emit(o, m, extra);
}

static bool has_others(const op *o) {
  for (uint32_t u = 0; u < o->m.threads.size; u++) {
    status s = (status)o->m.threads.data[u].status;
    if (u != o->t && s != T_FREE && s != T_ENDED && s != T_JOINED)
      return true;
  }
  return false;
}

static uint64_t bit(uint32_t t) {
  return (uint64_t)1 << t;
}

static gate *lock_at(op *o, uint32_t i, hd_note_sort sort) {
  val at = arg(o, i);
  return hd_joint_lock_at(o->j, &o->m, &at, sort, o->edge);
}

static bool is_rwlock(const gate *s) {
  return s->sort == HD_NOTE_RWLOCK;
}

static bool can_take(const op *o, const gate *s, bool reading) {
  bool again = s->owner == o->t + 1 && !is_rwlock(s) && s->kind == RECURSIVE;
  return (!s->owner && (reading || !s->readers)) || again;
}

static void take(op *o, gate *s, bool reading) {
  if (reading && s->readers & bit(o->t))
    refuse(o, "a lock that is read twice");
  if (reading) {
    s->readers |= bit(o->t);
  } else {
    s->owner = o->t + 1;
    s->count++;
  }
}

static void lock(op *o, bool try, bool reading) {
  gate *s = lock_at(o, 0, (hd_note_sort)o->call.sort);
  if (!s)
    return;
  val busy = number(s->sort == HD_NOTE_MTX ? BUSY_C11 : EBUSY_);
  if (is_rwlock(s) && (s->owner == o->t + 1 || s->readers & bit(o->t))) {
    refuse(o, "a read-write lock that the thread holds already");
  } else if (can_take(o, s, reading)) {
    if (try && has_others(o))
      also(o, busy, true);
    s = lock_at(o, 0, (hd_note_sort)o->call.sort);
    take(o, s, reading);
    go_on(o, number(0));
  } else if (try) {
    go_on(o, busy);
  } else if (s->owner == o->t + 1 && s->sort == HD_NOTE_MUTEX &&
             s->kind == ERRORCHECK) {
    go_on(o, number(EDEADLK_));
  } else {
    o->j->waits_for |= s->owner ? bit(s->owner - 1) : s->readers;
  }
}

static void give(op *o, gate *s) {
  if (s->readers & bit(o->t))
    s->readers &= ~bit(o->t);
  else if (s->owner != o->t + 1)
    refuse(o, "a lock that the thread does not hold");
  else if (!--s->count)
    s->owner = 0;
}

static void unlock(op *o) {
  gate *s = lock_at(o, 0, (hd_note_sort)o->call.sort);
  if (!s)
    return;
  give(o, s);
  go_on(o, number(0));
}

/* --- conditions --- */

static hd_note_sort mutex_of(const op *o) {
  return o->call.sort == HD_NOTE_COND ? HD_NOTE_MUTEX : HD_NOTE_MTX;
}

static void begin_wait(op *o) {
  gate *c = lock_at(o, 0, (hd_note_sort)o->call.sort);
  gate *s = c ? lock_at(o, 1, mutex_of(o)) : NULL;
  if (!s)
    return;
  if (s->owner != o->t + 1 || s->count != 1)
    refuse(o, "waiting without the mutex, or with one that is locked twice");
  give(o, s);
  val at = arg(o, 0), with = arg(o, 1), until = arg(o, 2);
  if (o->call.action == HD_NOTE_WAIT_TIMED &&
      !hd_joint_there(o->j, &o->m, &until, o->j->code->pointer_width / 4u,
                      false, o->edge))
    return;
  thread *th = self(o);
  th->status = T_WAITING;
  th->cond = (spot){at.base, at.a};
  th->mutex = (spot){with.base, with.a};
  th->timed_out = false;
  finish(o);
}

/* Behind the wait, with the mutex. */
static void end_wait(op *o, mach *m, bool timed_out) {
  thread *th = &m->threads.data[o->t];
  gate *s = hd_joint_sync(m, th->mutex);
  bool c11 = o->call.sort == HD_NOTE_CND;
  s->owner = o->t + 1;
  s->count = 1;
  th->status = T_RUN;
  th->timed_out = false;
  th->cond = th->mutex = (spot){0};
  val v = number(timed_out ? (c11 ? TIMEDOUT_C11 : ETIMEDOUT_) : 0);
  hd_joint_return(o->j, m, o->t, o->edge, &v);
}

/* It may wake without a signal at any time; then it needs the mutex at once, since
 * between the two nobody can tell the difference. */
void hd_joint_op_wait(op *o) {
  thread *th = self(o);
  const gate *s = hd_joint_sync(&o->m, th->mutex);
  bool woken = th->status == T_WOKEN;
  bool timed = o->call.action == HD_NOTE_WAIT_TIMED;
  if (!s) {
    refuse(o, "the mutex is gone");
    return;
  }
  if (s->owner) {
    if (woken || timed)
      o->j->waits_for |= bit(s->owner - 1);
    return;
  }
  if (!woken && timed) {
    mach m = hd_joint_copy(&o->m);
    end_wait(o, &m, true);
    emit(o, m, false);
  }
  mach m = hd_joint_copy(&o->m);
  end_wait(o, &m, false);
  emit(o, m, !woken);
}

static void wake(mach *m, uint32_t u) {
  m->threads.data[u].status = T_WOKEN;
}

static bool waits_at(const thread *th, status s, spot at) {
  return th->status == s && th->cond.base == at.base &&
         th->cond.offset == at.offset;
}

static void signal_condition(op *o) {
  gate *s = lock_at(o, 0, (hd_note_sort)o->call.sort);
  if (!s)
    return;
  spot at = {s->base, s->offset};
  bool all = o->call.action == HD_NOTE_BROADCAST, nobody = true;
  for (uint32_t u = 0; u < o->m.threads.size; u++) {
    if (!waits_at(&o->m.threads.data[u], T_WAITING, at))
      continue;
    nobody = false;
    if (all) {
      wake(&o->m, u);
      continue;
    }
    mach m = hd_joint_copy(&o->m);
    val zero = number(0);
    wake(&m, u);
    hd_joint_return(o->j, &m, o->t, o->edge, &zero);
    emit(o, m, false);
  }
  if (all || nobody)
    go_on(o, number(0));
}

/* --- semaphores and barriers --- */

static void pass_semaphore(op *o, bool try) {
  gate *s = lock_at(o, 0, HD_NOTE_SEM);
  val failed = number(UINT32_MAX);
  if (!s)
    return;
  if (!s->count) {
    if (try)
      go_on(o, failed);
    return;
  }
  if (try && has_others(o))
    also(o, failed, true);
  s = lock_at(o, 0, HD_NOTE_SEM);
  s->count--;
  go_on(o, number(0));
}

static void post(op *o) {
  gate *s = lock_at(o, 0, HD_NOTE_SEM);
  if (!s)
    return;
  if (s->count >= INT32_MAX - 1)
    refuse(o, "a semaphore that counts too far");
  s->count++;
  go_on(o, number(0));
}

/* All go on; which one of them is told is open. */
static void open_barrier(op *o, spot at, uint32_t told) {
  mach m = hd_joint_copy(&o->m);
  gate *s = hd_joint_sync(&m, at);
  s->count = 0;
  for (uint32_t u = 0; u < m.threads.size; u++) {
    thread *th = &m.threads.data[u];
    if (u != o->t && !waits_at(th, T_BARRIER, at))
      continue;
    val v = number(u == told ? UINT32_MAX : 0);
    th->status = T_RUN;
    th->cond = (spot){0};
    hd_joint_return(o->j, &m, u, call_of(o->j, th), &v);
  }
  emit(o, m, false);
}

static void pass_barrier(op *o) {
  gate *s = lock_at(o, 0, HD_NOTE_BARRIER);
  if (!s)
    return;
  spot at = {s->base, s->offset};
  if (s->count + 1 < s->limit) {
    s->count++;
    self(o)->status = T_BARRIER;
    self(o)->cond = at;
    finish(o);
    return;
  }
  for (uint32_t u = 0; u < o->m.threads.size; u++)
    if (u == o->t || waits_at(&o->m.threads.data[u], T_BARRIER, at))
      open_barrier(o, at, u);
}

void hd_joint_op_lock(op *o) {
  hd_note_action action = (hd_note_action)o->call.action;
  bool semaphore = o->call.sort == HD_NOTE_SEM;
  if (action == HD_NOTE_LOCK || action == HD_NOTE_LOCK_TRY)
    lock(o, action == HD_NOTE_LOCK_TRY, false);
  else if (action == HD_NOTE_LOCK_READ || action == HD_NOTE_LOCK_TRY_READ)
    lock(o, action == HD_NOTE_LOCK_TRY_READ, true);
  else if (action == HD_NOTE_UNLOCK)
    unlock(o);
  else if (action == HD_NOTE_WAIT || action == HD_NOTE_WAIT_TIMED)
    begin_wait(o);
  else if ((action == HD_NOTE_PASS && semaphore) || action == HD_NOTE_PASS_TRY)
    pass_semaphore(o, action == HD_NOTE_PASS_TRY);
  else if (action == HD_NOTE_PASS)
    pass_barrier(o);
  else if (action == HD_NOTE_SIGNAL && semaphore)
    post(o);
  else if (action == HD_NOTE_SIGNAL || action == HD_NOTE_BROADCAST)
    signal_condition(o);
  else
    refuse(o, "a call that is not followed");
}
