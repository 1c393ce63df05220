/* SPDX-License-Identifier: MIT */
/* A barrier by hand, with a sense that turns. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifdef BUG
#define REL memory_order_relaxed
#else
#define REL memory_order_acq_rel
#endif
static atomic_int count, sense;
static int data[N], ids[N];
static void barrier(int *mine) {
  *mine = !*mine;
  if (atomic_fetch_add_explicit(&count, 1, REL) == N - 1) {
    atomic_store_explicit(&count, 0, memory_order_relaxed);
    atomic_store_explicit(&sense, *mine, memory_order_release);
  } else
    while (atomic_load_explicit(&sense, memory_order_acquire) != *mine)
      ;
}
static void *worker(void *arg) {
  int me = *(int *)arg, mine = 0;
  data[me] = 1;
  barrier(&mine);
  for (int i = 0; i < N; i++)
    assert(data[i] == 1);
  barrier(&mine);
  data[me] = 2;
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
}
