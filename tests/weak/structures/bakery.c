/* SPDX-License-Identifier: MIT */
/* Lamport's bakery, with fences. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifdef BUG
#define SC memory_order_acq_rel
#else
#define SC memory_order_seq_cst
#endif
static atomic_int entering[N], number[N];
static int shared, ids[N];
static void *worker(void *arg) {
  int me = *(int *)arg, max = 0;
  atomic_store_explicit(&entering[me], 1, memory_order_relaxed);
  atomic_thread_fence(SC);
  for (int i = 0; i < N; i++) {
    int n = atomic_load_explicit(&number[i], memory_order_relaxed);
    max = n > max ? n : max;
  }
  atomic_store_explicit(&number[me], max + 1, memory_order_relaxed);
  atomic_store_explicit(&entering[me], 0, memory_order_release);
  atomic_thread_fence(SC);
  for (int i = 0; i < N; i++) {
    if (i == me)
      continue;
    while (atomic_load_explicit(&entering[i], memory_order_acquire))
      ;
    for (;;) {
      int n = atomic_load_explicit(&number[i], memory_order_acquire);
      if (!n || n > max + 1 || (n == max + 1 && i > me))
        break;
    }
  }
  shared++;
  atomic_store_explicit(&number[me], 0, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    ids[i] = i;
    pthread_create(&t[i], 0, worker, &ids[i]);
  }
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(shared == N);
}
