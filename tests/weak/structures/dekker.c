/* SPDX-License-Identifier: MIT */
/* Dekker's mutual exclusion, with fences. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2], turn;
static int shared;
#ifdef BUG
#define FENCE() atomic_thread_fence(memory_order_acq_rel)
#else
#define FENCE() atomic_thread_fence(memory_order_seq_cst)
#endif
static void *worker(void *arg) {
  int me = arg != 0;
  atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
  FENCE();
  while (atomic_load_explicit(&flag[!me], memory_order_relaxed)) {
    if (atomic_load_explicit(&turn, memory_order_relaxed) != me) {
      atomic_store_explicit(&flag[me], 0, memory_order_relaxed);
      while (atomic_load_explicit(&turn, memory_order_relaxed) != me)
        ;
      atomic_store_explicit(&flag[me], 1, memory_order_relaxed);
      FENCE();
    }
  }
  atomic_thread_fence(memory_order_acquire);
  shared++;
  atomic_store_explicit(&turn, !me, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&flag[me], 0, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, worker, 0);
  pthread_create(&t[1], 0, worker, &t);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(shared == 2);
}
