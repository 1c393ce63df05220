/* SPDX-License-Identifier: MIT */
/* The queue of Michael and Scott: what was put in comes out. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif
#ifdef BUG
#define REL memory_order_relaxed
#else
#define REL memory_order_release
#endif
struct node {
  int value;
  _Atomic(struct node *) next;
};
static _Atomic(struct node *) head, tail;
static void enqueue(int v) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = v;
  atomic_init(&n->next, 0);
  for (;;) {
    struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&t->next, memory_order_acquire);
    if (next) {
      atomic_compare_exchange_strong_explicit(
          &tail, &t, next, memory_order_release, memory_order_relaxed);
      continue;
    }
    if (atomic_compare_exchange_strong_explicit(&t->next, &next, n, REL,
                                                memory_order_relaxed)) {
      atomic_compare_exchange_strong_explicit(
          &tail, &t, n, memory_order_release, memory_order_relaxed);
      return;
    }
  }
}
static int dequeue(void) {
  for (;;) {
    struct node *h = atomic_load_explicit(&head, memory_order_acquire);
    struct node *t = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&h->next, memory_order_acquire);
    if (!next)
      return 0;
    if (h == t) {
      atomic_compare_exchange_strong_explicit(
          &tail, &t, next, memory_order_release, memory_order_relaxed);
      continue;
    }
    if (atomic_compare_exchange_strong_explicit(
            &head, &h, next, memory_order_release, memory_order_relaxed))
      return next->value;
  }
}
static atomic_int sum;
static void *worker(void *arg) {
  enqueue(1);
  atomic_fetch_add_explicit(&sum, dequeue(), memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t[N];
  struct node *dummy = malloc(sizeof *dummy);
  if (!dummy)
    abort();
  atomic_init(&dummy->next, 0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(sum == N);
}
