/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: with an odd input the thread has the lock to write already when it asks for
 * it once more; it is told so, gives the lock back once too early, and what it has
 * counted another one may have counted, too */
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static unsigned shared;

static void *writer(void *arg) {
  unsigned odd = __VERIFIER_nondet_uint() % 2;
  if (odd)
    pthread_rwlock_wrlock(&lock);
  pthread_rwlock_wrlock(&lock);
  shared++;
  pthread_rwlock_unlock(&lock);
  if (odd) {
    unsigned before = shared;
    shared = before + 1;
    assert(shared == before + 1);
  }
  return arg;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, writer, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  return 0;
}
