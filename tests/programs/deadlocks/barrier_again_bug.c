/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: one of them may come to the barrier again, where nobody is left; it stands
 * where it stood the first time, but is not let go */
#include <pthread.h>
int __VERIFIER_nondet_int(void);
static pthread_barrier_t b;
static void *often(void *arg) {
  do
    pthread_barrier_wait(&b);
  while (__VERIFIER_nondet_int());
  return arg;
}
static void *once(void *arg) {
  pthread_barrier_wait(&b);
  return arg;
}
int main(void) {
  pthread_t x, y;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&x, 0, often, 0);
  pthread_create(&y, 0, once, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
