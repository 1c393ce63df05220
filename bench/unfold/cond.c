/* SPDX-License-Identifier: MIT */
/* Five threads compare two inputs each under one mutex, through a flag. The
 * relation between the flag and the inputs is what a proof has to keep. */
#include "verifier.h"
#define THREADS 5
pthread_mutex_t m;

void *compare(void *arg) {
  int x = __VERIFIER_nondet_int(0, 1000), y = __VERIFIER_nondet_int(0, 1000), z;
  pthread_mutex_lock(&m);
  if (x == y)
    z = 0;
  else
    z = 1;
  if (z == 0)
    __VERIFIER_assert(x == y);
  else
    __VERIFIER_assert(x != y);
  pthread_mutex_unlock(&m);
  return 0;
}

int main() {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t, 0, compare, 0);
  pthread_exit(0); /* nobody is joined, all run to their end */
}
