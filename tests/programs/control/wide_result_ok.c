/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: what a thread returns depends on its input, and is all that is left of
 *   it when main joins */
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int calls;
static void *draw(void *arg) {
  long n = __VERIFIER_nondet_int();
  pthread_mutex_lock(&m);
  calls = 1;
  pthread_mutex_unlock(&m);
  if (n < 0)
    n = -n;
  return (void *)(n % 1000 + 5);
}
int main(void) {
  pthread_t t, u;
  void *p, *q;
  pthread_create(&t, NULL, draw, NULL);
  pthread_create(&u, NULL, draw, NULL);
  pthread_join(t, &p);
  pthread_join(u, &q);
  assert((long)p > 4 && (long)q < 1005);
  return 0;
}
