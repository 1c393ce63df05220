/* SPDX-License-Identifier: MIT */
/* A retried exchange loses nothing. BUG: that it failed leaves a trace. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, failed;
static void *add(void *arg) {
  int old = atomic_load_explicit(&count, memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(
      &count, &old, old + 1, memory_order_relaxed, memory_order_relaxed)) {
#ifdef BUG
    atomic_store_explicit(&failed, 1, memory_order_relaxed);
#endif
  }
  return arg;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(count == 2);
  assert(!failed);
  return 0;
}
