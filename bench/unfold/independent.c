/* SPDX-License-Identifier: MIT */
/* N threads that have nothing to do with each other: each has a lock and a
 * counter of its own. All interleavings are one and the same history. */
#include "verifier.h"
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t m[N];
static int count[N];

static void *work(void *arg) {
  long me = (long)arg;
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&m[me]);
    count[me]++;
    pthread_mutex_unlock(&m[me]);
  }
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&m[i], 0);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, work, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < N; i++)
    __VERIFIER_assert(count[i] == 4);
  return 0;
}
