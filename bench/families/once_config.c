/* SPDX-License-Identifier: MIT */
/* N threads need a table that is made once, by pthread_once. BUG: by a flag that is
 * looked at without a lock. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int ready, made, table[4], sum;

static void make(void) {
  made++;
  ready = 1;
  for (int i = 0; i < 4; i++)
    table[i] = i;
}

static void *worker(void *arg) {
#ifdef BUG
  if (!ready)
    make();
#else
  pthread_once(&once, make);
#endif
  int v = table[3];
  pthread_mutex_lock(&m);
  sum += v;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(made == 1 && sum == 3 * N);
  return 0;
}
