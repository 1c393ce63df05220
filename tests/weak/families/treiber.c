/* SPDX-License-Identifier: MIT */
/* N threads push and pop K times on a stack of Treiber; nothing is freed. */
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

struct node {
  int value;
  struct node *next;
};
static _Atomic(struct node *) top;
static atomic_int popped;
static void push(int value) {
  struct node *n = malloc(sizeof *n);
  if (!n)
    abort();
  n->value = value;
  struct node *old = atomic_load_explicit(&top, RLX);
  do
    n->next = old;
  while (!atomic_compare_exchange_strong_explicit(&top, &old, n, REL, RLX));
}
static int pop(void) {
  struct node *old = atomic_load_explicit(&top, memory_order_acquire);
  while (old && !atomic_compare_exchange_strong_explicit(
                    &top, &old, old->next, memory_order_acquire,
                    memory_order_acquire))
    ;
  return old ? old->value : -1;
}
static void *work(void *arg) {
  for (int i = 0; i < K; i++) {
    push(i + 1);
    if (pop() > 0)
      atomic_fetch_add_explicit(&popped, 1, RLX);
  }
  return arg;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(atomic_load_explicit(&popped, RLX) == N * K);
  return 0;
}
