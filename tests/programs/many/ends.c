/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: main looks at the result when the thread has ended */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int result, other;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *single(void *arg) {
  result = 4;
  return arg;
}
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  other++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  pthread_t t, s;
  result = 4;
  pthread_create(&s, 0, single, 0);
  while (n-- > 0)
    pthread_create(&t, 0, worker, 0);
  pthread_join(s, 0);
  assert(result == 4);
  return 0;
}
