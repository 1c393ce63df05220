/* SPDX-License-Identifier: MIT */
/* A sequence lock: a reader gets both halves of one write. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 1
#endif
#ifdef BUG
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acquire
#endif
static atomic_int seq, a, b;
static void *writer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    int s = atomic_load_explicit(&seq, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, i, memory_order_relaxed);
    atomic_store_explicit(&b, i, memory_order_relaxed);
    atomic_store_explicit(&seq, s + 2, memory_order_release);
  }
  return 0;
}
static void *reader(void *arg) {
  int s, x, y;
  do {
    s = atomic_load_explicit(&seq, memory_order_acquire);
    x = atomic_load_explicit(&a, memory_order_relaxed);
    y = atomic_load_explicit(&b, memory_order_relaxed);
#ifndef BUG
    atomic_thread_fence(memory_order_acquire);
#endif
  } while (s & 1 || s != atomic_load_explicit(&seq, memory_order_relaxed));
  assert(x == y);
  return 0;
}
int main(void) {
  pthread_t t[N + 1];
  pthread_create(&t[N], 0, writer, 0);
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, reader, 0);
  for (int i = 0; i <= N; i++)
    pthread_join(t[i], 0);
}
