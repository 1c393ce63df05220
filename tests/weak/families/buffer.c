/* SPDX-License-Identifier: MIT */
/* A ring of two places between each of N producers and its consumer. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif
#ifdef BUG
#define ACQ memory_order_relaxed
#define REL memory_order_relaxed
#else
#define ACQ memory_order_acquire
#define REL memory_order_release
#endif
#define RLX memory_order_relaxed

#define CAP 2
static struct {
  atomic_uint head, tail;
  int slots[CAP];
} ring[N];
static int consumed[N];
static void *producer(void *arg) {
  int r = (int)(long)arg;
  for (unsigned i = 0; i < K + 1; i++) {
    while (i - atomic_load_explicit(&ring[r].head, memory_order_acquire) == CAP)
      ;
    ring[r].slots[i % CAP] = (int)i;
    atomic_store_explicit(&ring[r].tail, i + 1, REL);
  }
  return 0;
}
static void *consumer(void *arg) {
  int r = (int)(long)arg;
  for (unsigned i = 0; i < K + 1; i++) {
    while (atomic_load_explicit(&ring[r].tail, memory_order_acquire) == i)
      ;
    consumed[r] += ring[r].slots[i % CAP];
    atomic_store_explicit(&ring[r].head, i + 1, memory_order_release);
  }
  return 0;
}
int main(void) {
  pthread_t p[N], c[N];
  for (long i = 0; i < N; i++) {
    pthread_create(&p[i], 0, producer, (void *)i);
    pthread_create(&c[i], 0, consumer, (void *)i);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(p[i], 0);
    pthread_join(c[i], 0);
    assert(consumed[i] == K * (K + 1) / 2);
  }
  return 0;
}
