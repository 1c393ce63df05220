/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: who does not get the lock writes as well */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int winner;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  if (pthread_mutex_trylock(&m) == 0) {
    winner++;
    pthread_mutex_unlock(&m);
  } else {
    winner--;
  }
  return arg;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t t;
  for (int i = 0; i < n; i++)
    pthread_create(&t, 0, worker, 0);
  return 0;
}
