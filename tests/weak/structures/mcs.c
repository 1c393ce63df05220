/* SPDX-License-Identifier: MIT */
/* The queue lock of Mellor-Crummey and Scott: who leaves hands the lock to the next. */
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
  _Atomic(struct node *) next;
  atomic_int locked;
};
static _Atomic(struct node *) tail;
static struct node nodes[N];
static int shared;
static void lock(struct node *me) {
  atomic_store_explicit(&me->next, 0, memory_order_relaxed);
  atomic_store_explicit(&me->locked, 1, memory_order_relaxed);
  struct node *prev = atomic_exchange_explicit(&tail, me, memory_order_acq_rel);
  if (prev) {
    atomic_store_explicit(&prev->next, me, memory_order_release);
    while (atomic_load_explicit(&me->locked, memory_order_acquire))
      ;
  }
}
static void unlock(struct node *me) {
  struct node *next = atomic_load_explicit(&me->next, memory_order_acquire);
  if (!next) {
    struct node *e = me;
    if (atomic_compare_exchange_strong_explicit(
            &tail, &e, 0, memory_order_release, memory_order_relaxed))
      return;
    while (!(next = atomic_load_explicit(&me->next, memory_order_acquire)))
      ;
  }
  atomic_store_explicit(&next->locked, 0, REL);
}
static void *worker(void *arg) {
  struct node *me = arg;
  lock(me);
  shared++;
  unlock(me);
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
