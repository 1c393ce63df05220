/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: the worker looks at the door before it takes the lock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int closed;
static void *worker(void *arg) {
  if (!closed) {
    pthread_mutex_lock(&m);
    assert(!closed);
    pthread_mutex_unlock(&m);
  }
  return arg;
}
static void *closer(void *arg) {
  pthread_mutex_lock(&m);
  closed = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, closer, 0);
  while (1)
    pthread_create(&t, 0, worker, 0);
}
