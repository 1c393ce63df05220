/* SPDX-License-Identifier: MIT */
/* N threads that use one lock once each: their order matters, so there are N!
 * Mazurkiewicz traces. With SAME all orders lead to the same value. */
#include "verifier.h"
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned long state;

static void *work(void *arg) {
  unsigned long me = (unsigned long)arg;
  pthread_mutex_lock(&m);
#ifdef SAME
  state += me;
#else
  state = state * N + me;
#endif
  pthread_mutex_unlock(&m);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (unsigned long i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  __VERIFIER_assert(state < 1000000);
  return 0;
}
