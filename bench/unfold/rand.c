/* SPDX-License-Identifier: MIT */
/* Five threads draw random numbers from a shared seed: read it, compute the
 * next one, write it if nobody else was faster, else again. Both loops have no
 * bound. */
#include "verifier.h"
#define THREADS 5
#define NUM 100
int seed;
pthread_mutex_t m;

int draw(void) {
  int ok = 0, old, next = 0;
  while (!ok) {
    pthread_mutex_lock(&m);
    old = seed;
    pthread_mutex_unlock(&m);
    next = __VERIFIER_nondet_int(0, 1000);
    while (next == old || next == 0)
      next = __VERIFIER_nondet_int(0, 1000);
    pthread_mutex_lock(&m);
    if (seed == old) {
      seed = next;
      ok = 1;
    }
    pthread_mutex_unlock(&m);
  }
  return next;
}

void *work(void *arg) {
  int x = draw();
  if (x > NUM)
    x = NUM;
  __VERIFIER_assert(x <= NUM);
  return 0;
}

int main() {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  seed = 1;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&t, 0, work, 0);
  pthread_exit(0); /* nobody is joined, all run to their end */
}
