/* SPDX-License-Identifier: MIT */
/* A thread that looks under a lock until something is done: its rounds come to
 * nothing. BUG: it believes to know what nobody told it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, data;
static atomic_int other;
static void *waiter(void *arg) {
  for (int ready = 0; !ready;) {
    pthread_mutex_lock(&lock);
    ready = done;
    pthread_mutex_unlock(&lock);
  }
  assert(data == 42);
#ifdef BUG
  assert(atomic_load_explicit(&other, memory_order_relaxed) == 1);
#endif
  return arg;
}
static void *storer(void *arg) {
  atomic_store_explicit(&other, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, waiter, 0);
  pthread_create(&t[1], 0, storer, 0);
  data = 42;
  pthread_mutex_lock(&lock);
  done = 1;
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  return 0;
}
