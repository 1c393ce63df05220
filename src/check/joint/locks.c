/* SPDX-License-Identifier: MIT */
/* Locks, conditions, semaphores, barriers.
 *
 * That others see no more of a lock than the orders of C allow, a try may fail as long
 * as there are others (as C11 has it): what follows it is then not ordered behind who
 * holds the lock. */
#include "check/joint/op.h"

enum { EPERM_ = 1, EBUSY_ = 16, EINVAL_ = 22, EDEADLK_ = 35, ETIMEDOUT_ = 110 };
enum { BUSY_C11 = 1, ERROR_C11 = 2, TIMEDOUT_C11 = 4 };
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
    hd_joint_acquire(o->j, &o->m, o->t, (spot){s->base, s->offset});
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
    if (try && (s->sort == HD_NOTE_MTX || has_others(o)))
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

/* Never waits for ever: it may be told that the time is over, or is none at all,
 * with this number; false, refused: there is no time to be read. */
static bool read_time(op *o, uint32_t i, uint64_t none) {
  uint32_t word = o->j->code->pointer_width / 8u;
  const val *most = &hd_joint_nanoseconds;
  val until = arg(o, i);
  if (!hd_joint_there(o->j, &o->m, &until, 2 * word, false, o->edge))
    return false;
  val n = hd_joint_read(o->j, &o->m, until.base, until.a + word, word);
  if (n.kind == V_NUMBER)
    n = (val){V_RANGE, 0, n.a, hd_word_signed(n.a, (uint8_t)(8 * word))};
  if (n.kind != V_RANGE || (int64_t)n.a < 0 || n.b < 0 || n.b > most->b)
    also(o, number(none), false);
  return true;
}

static void lock_timed(op *o) {
  gate *s = lock_at(o, 0, (hd_note_sort)o->call.sort);
  bool c11 = s && s->sort == HD_NOTE_MTX;
  if (!s || !read_time(o, 1, c11 ? ERROR_C11 : EINVAL_))
    return;
  bool free = can_take(o, s, false);
  if (is_rwlock(s))
    refuse(o, "a call that is not followed");
  if (s->owner == o->t + 1 && s->kind != RECURSIVE)
    refuse(o, "a lock that the thread holds already"); /* EDEADLK, or time */
  also(o, number(c11 ? TIMEDOUT_C11 : ETIMEDOUT_), free);
  if (!free)
    return;
  take(o, lock_at(o, 0, (hd_note_sort)o->call.sort), false);
  go_on(o, number(0));
}

static void give(op *o, gate *s) {
  hd_joint_release(o->j, &o->m, o->t, (spot){s->base, s->offset}, true, true);
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
  if (s->sort == HD_NOTE_MUTEX && s->kind && s->owner != o->t + 1) {
    go_on(o, number(EPERM_));
    return;
  }
  give(o, s);
  go_on(o, number(0));
}

/* --- conditions --- */

static hd_note_sort mutex_of(const op *o) {
  return o->call.sort == HD_NOTE_COND ? HD_NOTE_MUTEX : HD_NOTE_MTX;
}

/* Does somebody wait for the condition with another mutex? */
static bool waits_otherwise(const mach *m, spot cond, spot mutex) {
  for (hd_vec_each(const thread, th, &m->threads))
    if (th->status == T_WAITING && th->cond.base == cond.base &&
        th->cond.offset == cond.offset &&
        (th->mutex.base != mutex.base || th->mutex.offset != mutex.offset))
      return true;
  return false;
}

static void begin_wait(op *o) {
  gate *c = lock_at(o, 0, (hd_note_sort)o->call.sort);
  gate *s = c ? lock_at(o, 1, mutex_of(o)) : NULL;
  if (!s)
    return;
  if (s->owner != o->t + 1 || s->count != 1)
    refuse(o, "waiting without the mutex, or with one that is locked twice");
  val at = arg(o, 0), with = arg(o, 1);
  if (waits_otherwise(&o->m, (spot){at.base, at.a}, (spot){with.base, with.a}))
    refuse(o, "a condition with two mutexes");
  if (o->call.action == HD_NOTE_WAIT_TIMED) {
    bool c11 = o->call.sort == HD_NOTE_CND;
    if (!read_time(o, 2, c11 ? ERROR_C11 : EINVAL_))
      return;
    s = lock_at(o, 1, mutex_of(o));
  }
  give(o, s);
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
  hd_joint_acquire(o->j, m, o->t, th->mutex);
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
  /* The time may be over before a signal that comes while another one has the
   * mutex. */
  if (timed) {
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

static void pass_timed(op *o) {
  gate *s = lock_at(o, 0, HD_NOTE_SEM);
  if (!s || !read_time(o, 1, UINT32_MAX))
    return;
  bool free = s->count;
  also(o, number(UINT32_MAX), false);
  if (!free)
    return;
  lock_at(o, 0, HD_NOTE_SEM)->count--;
  go_on(o, number(0));
}

/* What others do at the same time is not ordered by it. */
static void tell_count(op *o) {
  gate *s = lock_at(o, 0, HD_NOTE_SEM);
  if (!s)
    return;
  val v = has_others(o) ? (val){V_RANGE, 0, 0, INT32_MAX} : number(s->count);
  val to = arg(o, 1);
  hd_joint_write_later(o, &to, 4, v);
  go_on(o, number(0));
}

/* The routine is called by the first; the others wait for its end. */
static void once(op *o) {
  enum { DONE = 1 };
  gate *s = lock_at(o, 0, HD_NOTE_ONCE_FLAG);
  val start = arg(o, 1);
  const hd_code *code = o->j->code;
  uint32_t func = start.base - (uint32_t)code->globals.size;
  if (!s)
    return;
  if (s->kind == DONE) {
    go_on(o, number(0));
    return;
  }
  if (s->owner && s->owner != o->t + 1) {
    o->j->waits_for |= bit(s->owner - 1);
    return;
  }
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, o->e, 0)];
  if (s->owner || self(o)->once.base != HD_NO_ID ||
      callee->op != HD_CODE_FUNC || start.kind != V_ADDRESS || start.a ||
      start.base < code->globals.size || start.base >= thread_base(code, 0) ||
      !code->funcs.data[func].defined || code->funcs.data[func].n_params ||
      hd_joint_is_section(&code->funcs.data[func])) {
    refuse(o, "which routine is called once is not known");
    return;
  }
  s->owner = o->t + 1;
  self(o)->once = (spot){s->base, s->offset};
  hd_joint_push(o->j, &o->m, o->t, func, o->edge);
  finish(o);
}

void hd_joint_op_once(op *o) {
  gate *s = hd_joint_sync(&o->m, self(o)->once);
  s->owner = 0;
  s->kind = 1;
  self(o)->once = (spot){HD_NO_ID, 0};
  finish(o);
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

/* What orders what is said of these only, where there are weak orders. */
static bool is_simple(const op *o) {
  hd_note_sort sort = (hd_note_sort)o->call.sort;
  return sort == HD_NOTE_MUTEX || sort == HD_NOTE_MTX || sort == HD_NOTE_SPIN ||
         sort == HD_NOTE_COND || sort == HD_NOTE_CND;
}

void hd_joint_op_lock(op *o) {
  hd_note_action action = (hd_note_action)o->call.action;
  if (o->j->weak && !is_simple(o) && !hd_joint_is_alone(&o->m, o->t)) {
    refuse(o, "such a call beside accesses of weak orders");
    return;
  }
  bool semaphore = o->call.sort == HD_NOTE_SEM;
  if (action == HD_NOTE_LOCK || action == HD_NOTE_LOCK_TRY)
    lock(o, action == HD_NOTE_LOCK_TRY, false);
  else if (action == HD_NOTE_LOCK_READ || action == HD_NOTE_LOCK_TRY_READ)
    lock(o, action == HD_NOTE_LOCK_TRY_READ, true);
  else if (action == HD_NOTE_LOCK_TIMED)
    lock_timed(o);
  else if (action == HD_NOTE_UNLOCK)
    unlock(o);
  else if (action == HD_NOTE_WAIT || action == HD_NOTE_WAIT_TIMED)
    begin_wait(o);
  else if ((action == HD_NOTE_PASS && semaphore) || action == HD_NOTE_PASS_TRY)
    pass_semaphore(o, action == HD_NOTE_PASS_TRY);
  else if (action == HD_NOTE_PASS_TIMED)
    pass_timed(o);
  else if (action == HD_NOTE_PASS)
    pass_barrier(o);
  else if (action == HD_NOTE_COUNT)
    tell_count(o);
  else if (action == HD_NOTE_ONCE)
    once(o);
  else if (action == HD_NOTE_SIGNAL && semaphore)
    post(o);
  else if (action == HD_NOTE_SIGNAL || action == HD_NOTE_BROADCAST)
    signal_condition(o);
  else
    refuse(o, "a call that is not followed");
}
