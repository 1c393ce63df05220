/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: inputs from an interval, by a function of two arguments */
#include <pthread.h>
extern int __VERIFIER_nondet_int(int lo, int hi);
extern void __VERIFIER_error(void);
#define __VERIFIER_assert(e)                                                   \
  if (!(e))                                                                    \
  __VERIFIER_error()
pthread_mutex_t m;
int data;
void *add(void *arg) {
  int n = __VERIFIER_nondet_int(1, 3);
  pthread_mutex_lock(&m);
  data += n;
  pthread_mutex_unlock(&m);
  return 0;
}
int main() {
  pthread_t a, b;
  pthread_mutex_init(&m, 0);
  data = __VERIFIER_nondet_int(0, 10);
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  __VERIFIER_assert(data >= 2);
  __VERIFIER_assert(data <= 16);
  return 0;
}
