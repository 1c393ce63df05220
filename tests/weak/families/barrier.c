/* SPDX-License-Identifier: MIT */
/* N threads, K phases between barriers of one counter: neighbours are never more
 * than a phase apart. */
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

static atomic_int arrived;
static int phase[N];
static void wait_for(int all) {
  atomic_fetch_add_explicit(&arrived, 1, memory_order_acq_rel);
  while (atomic_load_explicit(&arrived, ACQ) < all)
    ;
}
static void *work(void *arg) {
  int i = (int)(long)arg;
  for (int k = 0; k < K; k++) {
    phase[i] = k + 1;
    wait_for((2 * k + 1) * N);
    assert(phase[(i + 1) % N] == k + 1);
    wait_for((2 * k + 2) * N);
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, (void *)(long)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return 0;
}
