/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: inputs of 32 bits that are confined by a function which aborts, and one
 *   that only decides which way to go; the sum needs every value of the range */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static atomic_int sum;
static void must(int condition) {
  if (!condition)
    abort();
}
static void *add(void *arg) {
  int n = __VERIFIER_nondet_int();
  must(n >= 0 && n < 3);
  if (__VERIFIER_nondet_int())
    sum += n;
  else
    sum += 2 * n;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum <= 8 && sum != 7);
  return 0;
}
