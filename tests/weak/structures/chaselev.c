/* SPDX-License-Identifier: MIT */
/* The deque of Chase and Lev, with the fences of Le, Pop, Cohen and Zappa Nardelli: nothing
 * is taken twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 1
#endif
#ifdef BUG
#define FENCE memory_order_acq_rel
#else
#define FENCE memory_order_seq_cst
#endif
#define SIZE 4
static atomic_int top, bottom, buffer[SIZE];
static atomic_int taken[4];
static void push(int x) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&buffer[b % SIZE], x, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}
static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(FENCE);
  int t = atomic_load_explicit(&top, memory_order_relaxed), x = 0;
  if (t <= b) {
    x = atomic_load_explicit(&buffer[b % SIZE], memory_order_relaxed);
    if (t == b) {
      if (!atomic_compare_exchange_strong_explicit(
              &top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
        x = 0;
      atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
  } else
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return x;
}
static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(FENCE);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t < b) {
    int x = atomic_load_explicit(&buffer[t % SIZE], memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(
            &top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
      return x;
  }
  return 0;
}
static void got(int x) {
  if (x)
    assert(atomic_fetch_add_explicit(&taken[x], 1, memory_order_relaxed) == 0);
}
static void *thief(void *arg) {
  got(steal());
  got(steal());
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, thief, 0);
  push(1);
  push(2);
  got(take());
  got(take());
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
}
