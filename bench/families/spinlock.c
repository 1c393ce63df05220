/* SPDX-License-Identifier: MIT */
/* N threads count K times under a lock made of an atomic flag. BUG: test and set
 * are two steps. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
#ifndef K
#define K 2
#endif
static atomic_int taken;
static int count;

static void *worker(void *arg) {
  for (int k = 0; k < K; k++) {
#ifdef BUG
    while (atomic_load(&taken))
      ;
    atomic_store(&taken, 1);
#else
    while (atomic_exchange(&taken, 1))
      ;
#endif
    count++;
    atomic_store(&taken, 0);
  }
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(count == N * K);
  return 0;
}
