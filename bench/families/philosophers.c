/* SPDX-License-Identifier: MIT */
/* N philosophers; the last takes the forks the other way round. BUG: a deadlock
 * for "deadlock", and for "assert" meals are counted without a lock. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
static pthread_mutex_t fork[N];
static int in_use[N], meals;
static pthread_mutex_t count = PTHREAD_MUTEX_INITIALIZER;

static void *philosopher(void *arg) {
  int i = (int)(long)arg;
  int a = i, b = (i + 1) % N;
#ifndef BUG
  if (a > b) {
    int c = a;
    a = b;
    b = c;
  }
#endif
  pthread_mutex_lock(&fork[a]);
  pthread_mutex_lock(&fork[b]);
  in_use[a]++;
  in_use[b]++;
  assert(in_use[a] == 1 && in_use[b] == 1);
  in_use[a]--;
  in_use[b]--;
#ifdef BUG
  meals++;
#else
  pthread_mutex_lock(&count);
  meals++;
  pthread_mutex_unlock(&count);
#endif
  pthread_mutex_unlock(&fork[b]);
  pthread_mutex_unlock(&fork[a]);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&fork[i], 0);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, philosopher, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(meals == N);
  return 0;
}
