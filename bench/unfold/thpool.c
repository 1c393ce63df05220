/* SPDX-License-Identifier: MIT */
/* A pool of one thread: main sends two jobs and the end through `control`,
 * 0 idle, 1 a job waits, 2 its result is there. `arg`, `result` and, where the
 * protocol allows nobody else to write, `control` are used without the lock. A
 * job counts the ones of a number of ten bits. */
#include "verifier.h"
#define END (-1)
int control, arg, result, finished;
pthread_mutex_t m;

void spinlock_cas(int *var, pthread_mutex_t *lock, int cmp, int set) {
  int done = 0;
  while (!done) {
    pthread_mutex_lock(lock);
    if (*var == cmp) {
      *var = set;
      done = 1;
    }
    pthread_mutex_unlock(lock);
  }
}

void spinlock_inc(int *var, pthread_mutex_t *lock) {
  pthread_mutex_lock(lock);
  (*var)++;
  pthread_mutex_unlock(lock);
}

#define BIT(more)                                                              \
  if (rest > 0) {                                                              \
    if ((rest / 2) * 2 != rest)                                                \
      ones++;                                                                  \
    rest = rest / 2;                                                           \
    more                                                                       \
  }

int count_ones(int a) {
  int rest = a, ones = 0;
  __VERIFIER_assert(a >= 0);
  __VERIFIER_assert(a <= 1023);
  BIT(BIT(BIT(BIT(BIT(BIT(BIT(BIT(BIT(BIT())))))))))
  __VERIFIER_assert(rest == 0);
  __VERIFIER_assert(ones >= 0);
  __VERIFIER_assert(ones <= 10);
  return ones;
}

void *worker(void *unused) {
  int a = 0;
  while (a != END) {
    spinlock_cas(&control, &m, 1, 1);
    __VERIFIER_assert(control == 1);
    a = arg;
    if (a != END) {
      result = count_ones(a);
      __VERIFIER_assert(control == 1);
      spinlock_inc(&control, &m);
    }
  }
  __VERIFIER_assert(control == 1);
  spinlock_inc(&finished, &m);
  return 0;
}

int main() {
  pthread_t t;
  int job, total = 0;
  pthread_mutex_init(&m, 0);
  __VERIFIER_assert(control == 0);
  __VERIFIER_assert(finished == 0);
  pthread_create(&t, 0, worker, 0);

  job = __VERIFIER_nondet_int(0, 1023);
  __VERIFIER_assert(job >= 0);
  __VERIFIER_assert(job <= 1023);
  arg = job;
  spinlock_cas(&control, &m, 0, 1);
  spinlock_cas(&control, &m, 2, 0);
  __VERIFIER_assert(control == 0);
  __VERIFIER_assert(result >= 0);
  __VERIFIER_assert(result <= 10);
  total += result;

  job = __VERIFIER_nondet_int(0, 1023);
  __VERIFIER_assert(job >= 0);
  __VERIFIER_assert(job <= 1023);
  arg = job;
  spinlock_cas(&control, &m, 0, 1);
  spinlock_cas(&control, &m, 2, 0);
  __VERIFIER_assert(control == 0);
  __VERIFIER_assert(result >= 0);
  __VERIFIER_assert(result <= 10);
  total += result;

  arg = END;
  spinlock_cas(&control, &m, 0, 1);
  pthread_join(t, 0);
  __VERIFIER_assert(control == 1);
  __VERIFIER_assert(finished == 1);
  __VERIFIER_assert(total >= 0);
  __VERIFIER_assert(total <= 20);
  pthread_mutex_destroy(&m);
  return 0;
}
