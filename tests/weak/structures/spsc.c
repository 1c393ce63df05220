/* SPDX-License-Identifier: MIT */
/* A ring for one producer and one consumer. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef K
#define K 3
#endif
#define SIZE 2
#ifdef BUG
#define REL memory_order_relaxed
#else
#define REL memory_order_release
#endif
static unsigned ring[SIZE];
static atomic_uint head, tail;
static void *producer(void *arg) {
  for (unsigned i = 1; i <= K; i++) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    while (h - atomic_load_explicit(&tail, memory_order_acquire) == SIZE)
      ;
    ring[h % SIZE] = i;
    atomic_store_explicit(&head, h + 1, REL);
  }
  return 0;
}
static void *consumer(void *arg) {
  for (unsigned i = 1; i <= K; i++) {
    unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
    while (atomic_load_explicit(&head, memory_order_acquire) == t)
      ;
    assert(ring[t % SIZE] == i);
    atomic_store_explicit(&tail, t + 1, memory_order_release);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
