/* SPDX-License-Identifier: MIT */
/* As many threads as an input says; what the lock protects is out of order only
 * while the lock is held. */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>

static int level = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  assert(level == 1);
  level = 0;
  level = level + 2;
  assert(level == 2);
  level = 1;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  int n = heddle_nondet_int(0, 1000000);
  pthread_t t;
  while (n-- > 0)
    pthread_create(&t, 0, worker, 0);
  return 0;
}
