/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: attributes are what they were set to, and the usual ones before */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

int main(void) {
  pthread_attr_t thread;
  pthread_mutexattr_t mutex;
  pthread_condattr_t cond;
  pthread_rwlockattr_t rwlock;
  struct sched_param param = {.sched_priority = 5};
  clockid_t clock;
  size_t size;
  int n;
  pthread_attr_init(&thread);
  pthread_attr_getschedpolicy(&thread, &n);
  assert(n == SCHED_OTHER);
  assert(pthread_attr_setschedparam(&thread, &param) == EINVAL);
  assert(pthread_attr_setschedpolicy(&thread, 99) == EINVAL);
  assert(pthread_attr_setschedpolicy(&thread, SCHED_RR) == 0);
  assert(pthread_attr_setschedparam(&thread, &param) == 0);
  param.sched_priority = 7;
  pthread_attr_getschedparam(&thread, &param);
  pthread_attr_getschedpolicy(&thread, &n);
  assert(n == SCHED_RR && param.sched_priority == 5);
  pthread_attr_setguardsize(&thread, 8192);
  pthread_attr_getguardsize(&thread, &size);
  assert(size == 8192);
  pthread_attr_setinheritsched(&thread, PTHREAD_EXPLICIT_SCHED);
  pthread_attr_getinheritsched(&thread, &n);
  assert(n == PTHREAD_EXPLICIT_SCHED);
  assert(pthread_attr_setscope(&thread, PTHREAD_SCOPE_PROCESS) != 0);
  pthread_attr_getscope(&thread, &n);
  assert(n == PTHREAD_SCOPE_SYSTEM);
  pthread_attr_getdetachstate(&thread, &n);
  assert(n == PTHREAD_CREATE_JOINABLE);

  pthread_mutexattr_init(&mutex);
  pthread_mutexattr_getpshared(&mutex, &n);
  assert(n == PTHREAD_PROCESS_PRIVATE);
  pthread_mutexattr_settype(&mutex, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT);
  pthread_mutexattr_getprotocol(&mutex, &n);
  assert(n == PTHREAD_PRIO_INHERIT);
  pthread_mutexattr_gettype(&mutex, &n);
  assert(n == PTHREAD_MUTEX_RECURSIVE);

  pthread_condattr_init(&cond);
  pthread_condattr_getclock(&cond, &clock);
  assert(clock == CLOCK_REALTIME);
  pthread_condattr_setclock(&cond, CLOCK_MONOTONIC);
  pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
  pthread_condattr_getclock(&cond, &clock);
  assert(clock == CLOCK_MONOTONIC);

  pthread_rwlockattr_init(&rwlock);
  pthread_rwlockattr_setkind_np(&rwlock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlockattr_getkind_np(&rwlock, &n);
  assert(n == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);

  assert(pthread_setconcurrency(-1) == EINVAL);
  assert(pthread_setconcurrency(3) == 0 && pthread_getconcurrency() == 3);
  return 0;
}
