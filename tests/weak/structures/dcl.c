/* SPDX-License-Identifier: MIT */
/* Double-checked locking: who sees the object sees what is in it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
#ifdef BUG
#define REL memory_order_relaxed
#else
#define REL memory_order_release
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(int *) instance;
static void *worker(void *arg) {
  int *p = atomic_load_explicit(&instance, memory_order_acquire);
  if (!p) {
    pthread_mutex_lock(&m);
    p = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!p) {
      p = malloc(sizeof *p);
      if (!p)
        abort();
      *p = 42;
      atomic_store_explicit(&instance, p, REL);
    }
    pthread_mutex_unlock(&m);
  }
  assert(*p == 42);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
}
