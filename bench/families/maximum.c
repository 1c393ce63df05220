/* SPDX-License-Identifier: MIT */
/* N threads look for the largest of four numbers each and raise a common maximum
 * by compare-and-exchange. BUG: by a load and a store. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 3
#endif
static int data[4 * N];
static atomic_int maximum;

static void *worker(void *arg) {
  long i = (long)arg;
  int mine = 0;
  for (int k = 0; k < 4; k++)
    if (data[4 * i + k] > mine)
      mine = data[4 * i + k];
  int old = atomic_load(&maximum);
#ifdef BUG
  if (old < mine)
    atomic_store(&maximum, mine);
#else
  while (old < mine && !atomic_compare_exchange_weak(&maximum, &old, mine))
    ;
#endif
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < 4 * N; i++)
    data[i] = 1 + i * 7 % (4 * N);
  int most = 0;
  for (int i = 0; i < 4 * N; i++)
    most = data[i] > most ? data[i] : most;
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  assert(maximum == most);
  return 0;
}
