/* SPDX-License-Identifier: MIT */
/* N threads, K rounds under a spin lock that tests before it sets: nothing lost. */
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

static atomic_int lock;
static int count;
static void *work(void *arg) {
  for (int i = 0; i < K; i++) {
    while (atomic_load_explicit(&lock, RLX) ||
           atomic_exchange_explicit(&lock, 1, memory_order_acquire))
      ;
    count++;
    atomic_store_explicit(&lock, 0, REL);
  }
  return arg;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(count == N * K);
  return 0;
}
