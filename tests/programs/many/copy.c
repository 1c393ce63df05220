/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a struct is copied under the lock */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
struct pair {
  int a, b;
};
static struct pair shared = {1, 1};
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg) {
  struct pair mine;
  pthread_mutex_lock(&m);
  mine = shared;
  mine.a = 1;
  shared = mine;
  pthread_mutex_unlock(&m);
  assert(mine.a == 1);
  return arg;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t t;
  while (n-- > 0)
    pthread_create(&t, 0, worker, 0);
  return 0;
}
