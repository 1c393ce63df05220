/* SPDX-License-Identifier: MIT */
/* Threads that count, each for itself, as far as nobody knows. */
#include <assert.h>
#include <pthread.h>

#define N 3
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned slot[N], k;

static void *work(void *arg) {
  unsigned *own = arg;
  for (unsigned i = 0; i < k; i++)
    (*own)++;
  return arg;
}

int main(void) {
  pthread_t t[N];
  unsigned sum = 0;
  k = __VERIFIER_nondet_uint();
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, &slot[i]);
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], 0);
    sum += slot[i];
  }
  assert(sum == N * k);
  return 0;
}
