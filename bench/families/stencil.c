/* SPDX-License-Identifier: MIT */
/* N threads compute K steps of a stencil between two arrays, a barrier after each.
 * BUG: the barrier lets one too few through. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
#ifndef K
#define K 3
#endif
static pthread_barrier_t barrier;
static int cell[2][N];

static void *worker(void *arg) {
  int i = (int)(long)arg;
  for (int k = 0; k < K; k++) {
    const int *old = cell[k % 2];
    int left = old[(i + N - 1) % N], right = old[(i + 1) % N];
    cell[(k + 1) % 2][i] = (left > right ? left : right) + 1;
    pthread_barrier_wait(&barrier);
  }
  return 0;
}

int main(void) {
  pthread_t t[N];
#ifdef BUG
  pthread_barrier_init(&barrier, 0, N / 2);
#else
  pthread_barrier_init(&barrier, 0, N);
#endif
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < N; i++)
    assert(cell[K % 2][i] == K);
  return 0;
}
