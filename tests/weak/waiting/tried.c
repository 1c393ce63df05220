/* SPDX-License-Identifier: MIT */
/* Who does not know that a mutex was given up may find it taken: with acquire and
 * release it knows. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BUG
#define GIVE memory_order_relaxed
#else
#define GIVE memory_order_release
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

static void *owner(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  atomic_store_explicit(&done, 1, GIVE);
  return arg;
}

static void *other(void *arg) {
  int seen = atomic_load_explicit(&done, memory_order_acquire);
  int busy = pthread_mutex_trylock(&mutex);
  assert(!seen || !busy);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, owner, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
