/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: what a lock protects is broken only while it is held */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int level = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  assert(level == 1);
  level = 0;
  level = level + 2;
  assert(level == 2);
  level = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t t;
  while (n-- > 0)
    pthread_create(&t, 0, worker, 0);
  return 0;
}
