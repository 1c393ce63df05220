/* SPDX-License-Identifier: MIT */
/* Five threads set two shared variables under a mutex; a disjunction over both
 * holds before. */
#include "verifier.h"
#define THREADS 5
int s, l;
pthread_mutex_t m;

void *work(void *arg) {
  pthread_mutex_lock(&m);
  __VERIFIER_assert(l == 0 || s == 1);
  s = 1;
  l = 1;
  pthread_mutex_unlock(&m);
  return 0;
}

int main() {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  s = 0;
  l = 0;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t, 0, work, 0);
  pthread_exit(0); /* nobody is joined, all run to their end */
}
