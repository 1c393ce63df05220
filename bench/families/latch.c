/* SPDX-License-Identifier: MIT */
/* N threads wait until main opens a latch, then count down another one that main
 * waits for. BUG: the second is opened one too early. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int opened, left = N, work[N], go;

static void *worker(void *arg) {
  int i = (int)(long)arg;
  pthread_mutex_lock(&m);
  while (!opened)
    pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  work[i] = go + i;
  pthread_mutex_lock(&m);
  left--;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  go = 7;
  pthread_mutex_lock(&m);
  opened = 1;
  pthread_cond_broadcast(&changed);
#ifdef BUG
  while (left > 1)
#else
  while (left)
#endif
    pthread_cond_wait(&changed, &m);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++)
    assert(work[i] == 7 + i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return 0;
}
