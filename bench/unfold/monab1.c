/* SPDX-License-Identifier: MIT */
/* Five threads write their own value, always 4, to a shared variable under a
 * mutex and find it there. */
#include "verifier.h"
#define THREADS 5
int s;
pthread_mutex_t m;

void *work(void *arg) {
  int l = __VERIFIER_nondet_int(0, 1000);
  l = 4;
  pthread_mutex_lock(&m);
  s = l;
  __VERIFIER_assert(s == l);
  pthread_mutex_unlock(&m);
  return 0;
}

int main() {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  s = __VERIFIER_nondet_int(0, 1000);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t, 0, work, 0);
  pthread_exit(0); /* nobody is joined, all run to their end */
}
