/* SPDX-License-Identifier: MIT */
/* N workers take K jobs that main publishes; each job runs once. */
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

static int input[K], done[K];
static atomic_int published, taken;
static void *worker(void *arg) {
  for (;;) {
    int job = atomic_fetch_add_explicit(&taken, 1, RLX);
    if (job >= K)
      return arg;
    while (atomic_load_explicit(&published, ACQ) <= job)
      ;
    assert(input[job] == job + 1);
    done[job]++;
  }
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < K; i++) {
    input[i] = i + 1;
    atomic_store_explicit(&published, i + 1, memory_order_release);
  }
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < K; i++)
    assert(done[i] == 1);
  return 0;
}
