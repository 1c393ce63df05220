/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: who writes asks for the lock to read as well, is told that it cannot have
 * it, and knows: it gives it back once */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int shared;

static void *writer(void *arg) {
  pthread_rwlock_wrlock(&lock);
  int result = pthread_rwlock_rdlock(&lock);
  shared++;
  assert(result == EDEADLK);
  pthread_rwlock_unlock(&lock);
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
