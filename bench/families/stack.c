/* SPDX-License-Identifier: MIT */
/* N threads push their number onto a bounded stack and pop one, under a lock; each
 * number comes out once. BUG: "top" is looked at before the lock is taken. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stack[N], top, sum;

static void push(int v) {
#ifdef BUG
  int at = top;
  pthread_mutex_lock(&m);
#else
  pthread_mutex_lock(&m);
  int at = top;
#endif
  assert(at < N);
  stack[at] = v;
  top = at + 1;
  pthread_mutex_unlock(&m);
}

static int pop(void) {
  pthread_mutex_lock(&m);
  assert(top > 0);
  int v = stack[--top];
  pthread_mutex_unlock(&m);
  return v;
}

static void *worker(void *arg) {
  push((int)(long)arg + 1);
  int v = pop();
  pthread_mutex_lock(&m);
  sum += v;
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(top == 0 && sum == N * (N + 1) / 2);
  return 0;
}
