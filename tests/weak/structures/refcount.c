/* SPDX-License-Identifier: MIT */
/* Who gives up the last reference frees the object. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
#ifdef BUG
#define REL memory_order_relaxed
#else
#define REL memory_order_release
#endif
struct object {
  atomic_int refs;
  int data[N];
};
static void put(struct object *o) {
  if (atomic_fetch_sub_explicit(&o->refs, 1, REL) == 1) {
    atomic_thread_fence(memory_order_acquire);
    free(o);
  }
}
struct job {
  struct object *o;
  int i;
};
static struct job jobs[N];
static void *worker(void *arg) {
  struct job *j = arg;
  j->o->data[j->i] = 1;
  put(j->o);
  return 0;
}
int main(void) {
  pthread_t t[N];
  struct object *o = calloc(1, sizeof *o);
  if (!o)
    abort();
  atomic_init(&o->refs, 1);
  for (int i = 0; i < N; i++) {
    jobs[i].o = o;
    jobs[i].i = i;
    atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
    pthread_create(&t[i], 0, worker, &jobs[i]);
  }
  put(o);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
}
