/* SPDX-License-Identifier: MIT */
/* N threads count in a slot each, main sums up after the joins. BUG: the last two
 * share a slot. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
#ifndef K
#define K 3
#endif
static int slot[N];

static void *worker(void *arg) {
  int i = (int)(long)arg;
#ifdef BUG
  if (i == N - 1)
    i = N - 2;
#endif
  for (int k = 0; k < K; k++)
    slot[i]++;
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  int sum = 0;
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], 0);
#ifndef BUG
    sum += slot[i];
#endif
  }
#ifdef BUG
  for (int i = 0; i < N; i++)
    sum += slot[i];
#endif
  assert(sum == N * K);
  return 0;
}
