/* SPDX-License-Identifier: MIT */
/* The queue lock of Craig, Landin and Hagersten: each waits for the one before it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
#ifdef BUG
#define REL memory_order_relaxed
#else
#define REL memory_order_release
#endif
struct node {
  atomic_int busy;
};
static struct node nodes[N + 1];
static _Atomic(struct node *) tail = &nodes[N];
static int shared;
static void *worker(void *arg) {
  struct node *me = arg;
  atomic_store_explicit(&me->busy, 1, memory_order_relaxed);
  struct node *prev = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  while (atomic_load_explicit(&prev->busy, memory_order_acquire))
    ;
  shared++;
  atomic_store_explicit(&me->busy, 0, REL);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, &nodes[i]);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(shared == N);
}
