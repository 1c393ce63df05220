/* SPDX-License-Identifier: MIT */
/* Readers announce themselves; the writer waits for them before it frees. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 1
#endif
#ifdef BUG
#define SC memory_order_acq_rel
#else
#define SC memory_order_seq_cst
#endif
struct data {
  int x;
};
static _Atomic(struct data *) gp;
static atomic_int reading[N];
static int ids[N];
static void *reader(void *arg) {
  int me = *(int *)arg;
  atomic_store_explicit(&reading[me], 1, memory_order_relaxed);
  atomic_thread_fence(SC);
  struct data *p = atomic_load_explicit(&gp, memory_order_consume);
  assert(p->x > 0);
  atomic_store_explicit(&reading[me], 0, memory_order_release);
  return 0;
}
int main(void) {
  pthread_t t[N];
  struct data *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b)
    abort();
  a->x = 1;
  atomic_init(&gp, a);
  for (int i = 0; i < N; i++) {
    ids[i] = i;
    pthread_create(&t[i], 0, reader, &ids[i]);
  }
  b->x = 2;
  atomic_store_explicit(&gp, b, memory_order_release);
  atomic_thread_fence(SC);
  for (int i = 0; i < N; i++)
    while (atomic_load_explicit(&reading[i], memory_order_acquire))
      ;
  free(a);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  free(b);
}
