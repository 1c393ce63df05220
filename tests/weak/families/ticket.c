/* SPDX-License-Identifier: MIT */
/* N threads, K rounds under a ticket lock: one inside. */
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

static atomic_uint next, serving;
static int inside;
static void *work(void *arg) {
  for (int i = 0; i < K; i++) {
    unsigned me = atomic_fetch_add_explicit(&next, 1, RLX);
    while (atomic_load_explicit(&serving, ACQ) != me)
      ;
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store_explicit(&serving, me + 1, memory_order_release);
  }
  return arg;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return 0;
}
