/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: two inputs must fit together, and the other thread must come first;
 * nobody guesses that */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  unsigned x = (unsigned)__VERIFIER_nondet_int();
  unsigned y = (unsigned)__VERIFIER_nondet_int();
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  if (done && x + y == 101234 && (x ^ y) == 93042)
    assert(0);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
