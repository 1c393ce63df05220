/* SPDX-License-Identifier: MIT */
/* System calls by number: futexes, and a few that need nothing. */
#define _GNU_SOURCE
#include "model.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* --- futexes: all who wait, and a look that nobody comes between. Linux orders all
 * calls about one word, and both calls are full fences, so a lock it is. Any of
 * those who wait may be the one that is woken; one that wakes up by itself returns.
 * --- */

static pthread_mutex_t futex_lock = PTHREAD_MUTEX_INITIALIZER;

struct waiter {
  const void *place; /* NULL: woken */
  pthread_cond_t changed;
  int owner; /* who would have the lock that it waits for */
  struct waiter *next, *before;
};
static struct waiter *waiters;
static _Thread_local struct waiter own_waiter;

static void enter(struct waiter *me, const void *place) {
  me->place = place;
  me->before = NULL;
  me->next = waiters;
  if (me->next)
    me->next->before = me;
  waiters = me;
}

static void leave(struct waiter *me) {
  me->place = NULL;
  if (me->next)
    me->next->before = me->before;
  if (me->before)
    me->before->next = me->next;
  else
    waiters = me->next;
}

static long futex_wait(int *place, int value, const void *limit) {
  struct waiter *me = &own_waiter;
  int late = 0;
  if (limit)
    heddle_look(limit, sizeof(struct timespec));
  pthread_mutex_lock(&futex_lock);
  if (__atomic_load_n(place, __ATOMIC_SEQ_CST) != value) {
    pthread_mutex_unlock(&futex_lock);
    errno = EAGAIN;
    return -1;
  }
  enter(me, place);
  if (limit) {
    static const struct timespec some = {0, 0};
    late =
        pthread_cond_timedwait(&me->changed, &futex_lock, &some) == ETIMEDOUT &&
        me->place;
  } else {
    pthread_cond_wait(&me->changed, &futex_lock);
  }
  if (me->place)
    leave(me);
  pthread_mutex_unlock(&futex_lock);
  errno = late ? ETIMEDOUT : errno;
  return late ? -1 : 0;
}

static int waiting(const int *place) {
  int n = 0;
  for (const struct waiter *w = waiters; w; w = w->next)
    n += w->place == place;
  return n;
}

/* The one with this number, of those who wait there. */
static struct waiter *find(const int *place, int number) {
  struct waiter *w = waiters;
  while (w->place != place || number--)
    w = w->next;
  return w;
}

static int owner_of(const int *place, int number) {
  return find(place, number)->owner;
}

static void wake(const int *place, int number) {
  struct waiter *w = find(place, number);
  leave(w);
  pthread_cond_signal(&w->changed);
}

static long futex_wake(const int *place, int most) {
  long woken = 0;
  pthread_mutex_lock(&futex_lock);
  for (int n = waiting(place); n > 0 && woken < most; n--, woken++)
    wake(place, n > most - woken ? heddle_nondet_int(0, n - 1) : n - 1);
  pthread_mutex_unlock(&futex_lock);
  return woken;
}

/* At most so many of those that still wait there go on waiting elsewhere. */
static long futex_move(const int *place, int most, const int *to) {
  long moved = 0;
  pthread_mutex_lock(&futex_lock);
  for (struct waiter *w = waiters; w && moved < most; w = w->next)
    if (w->place == place) {
      w->place = to;
      moved++;
    }
  pthread_mutex_unlock(&futex_lock);
  return moved;
}

/* Wakes some and moves others, unless what is there is not what the caller thought
 * (`thought` NULL: he does not mind). */
static long futex_requeue(const int *place, int most, long more, const int *to,
                          const int *thought) {
  if (thought && __atomic_load_n(place, __ATOMIC_SEQ_CST) != *thought) {
    errno = EAGAIN;
    return -1;
  }
  long woken = futex_wake(place, most);
  return woken + futex_move(place, more < INT_MAX ? (int)more : INT_MAX, to);
}

/* --- locks that the system gives away: the word is the owner, and whether somebody
 * waits --- */

static long futex_lock_pi(int *place, const void *limit, int tries) {
  struct waiter *me = &own_waiter;
  const int own = gettid();
  long result = 0;
  if (limit)
    heddle_look(limit, sizeof(struct timespec));
  me->owner = own;
  pthread_mutex_lock(&futex_lock);
  for (int late = 0;;) {
    int old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
    int owner = old & FUTEX_TID_MASK;
    int new = owner ? old | (int)FUTEX_WAITERS : own | old;
    if (owner && (owner == own || tries || late)) {
      errno = owner == own ? EDEADLK : late ? ETIMEDOUT : EAGAIN;
      result = -1;
      break;
    }
    if (!__atomic_compare_exchange_n(place, &old, new, 0, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST))
      continue;
    if (!owner)
      break;
    enter(me, place);
    if (limit) {
      static const struct timespec some = {0, 0};
      late = pthread_cond_timedwait(&me->changed, &futex_lock, &some) ==
             ETIMEDOUT;
    } else {
      pthread_cond_wait(&me->changed, &futex_lock);
    }
    if (!me->place) /* it was given to this thread */
      break;
    leave(me);
  }
  pthread_mutex_unlock(&futex_lock);
  return result;
}

/* To one of those who wait. */
static long futex_unlock_pi(int *place) {
  pthread_mutex_lock(&futex_lock);
  int old = __atomic_load_n(place, __ATOMIC_SEQ_CST), n = waiting(place);
  if ((old & FUTEX_TID_MASK) != gettid()) {
    pthread_mutex_unlock(&futex_lock);
    errno = EPERM;
    return -1;
  }
  if (n) {
    int number = n > 1 ? heddle_nondet_int(0, n - 1) : 0;
    __atomic_store_n(place,
                     owner_of(place, number) |
                         (n > 1 ? (int)FUTEX_WAITERS : 0),
                     __ATOMIC_SEQ_CST);
    wake(place, number);
  } else {
    __atomic_store_n(place, 0, __ATOMIC_SEQ_CST);
  }
  pthread_mutex_unlock(&futex_lock);
  return 0;
}

static int command(int what) {
  return what & ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME);
}

/* heddle-cc calls these where the number is a constant. */
long __heddle_syscall_gettid(long number, ...) {
  return gettid();
}

long __heddle_syscall_yield(long number, ...) {
  return sched_yield();
}

static long everybody(unsigned mask) {
  if (mask != FUTEX_BITSET_MATCH_ANY)
    __heddle_not_modelled("futexes with a set of bits");
  return 0;
}

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif

/* Arguments are taken where the command has them: others may not be there. */
static long futex_of(va_list more) {
  int *place = va_arg(more, int *);
  const int what = command(va_arg(more, int));
  if (what == FUTEX_UNLOCK_PI)
    return futex_unlock_pi(place);
  if (what == FUTEX_TRYLOCK_PI)
    return futex_lock_pi(place, NULL, 1);
  const int value = va_arg(more, int);
  if (what == FUTEX_WAKE)
    return futex_wake(place, value);
  if (what == FUTEX_REQUEUE || what == FUTEX_CMP_REQUEUE) {
    const long most = va_arg(more, long);
    const int *to = va_arg(more, int *);
    const int thought = what == FUTEX_CMP_REQUEUE ? va_arg(more, int) : 0;
    return futex_requeue(place, value, most, to,
                         what == FUTEX_CMP_REQUEUE ? &thought : NULL);
  }
  const void *limit = va_arg(more, void *);
  switch (what) {
  case FUTEX_WAIT:
    return futex_wait(place, value, limit);
  case FUTEX_LOCK_PI:
  case FUTEX_LOCK_PI2:
    return futex_lock_pi(place, limit, 0);
  case FUTEX_WAIT_BITSET:
    (void)va_arg(more, void *);
    everybody(va_arg(more, unsigned));
    return futex_wait(place, value, limit);
  case FUTEX_WAKE_BITSET:
    (void)va_arg(more, void *);
    everybody(va_arg(more, unsigned));
    return futex_wake(place, value);
  default:
    __heddle_not_modelled("this command of futexes");
    return -1;
  }
}

long __heddle_syscall_futex(long number, ...) {
  va_list more;
  va_start(more, number);
  long result = futex_of(more);
  va_end(more);
  return result;
}

long syscall(long number, ...) {
  va_list more;
  if (number == SYS_gettid)
    return gettid();
  if (number == SYS_sched_yield)
    return sched_yield();
  if (number != SYS_futex && number != SYS_close) {
    /* A call that the system does not know, or allow, fails. */
    if (heddle_nondet_bool())
      return heddle_error();
    __heddle_not_modelled("this system call");
  }
  va_start(more, number);
  long result =
      number == SYS_close ? close(va_arg(more, int)) : futex_of(more);
  va_end(more);
  return result;
}
