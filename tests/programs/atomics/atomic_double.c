/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: compound assignment of an atomic double and an atomic product are
 *   not torn */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic double sum;
static atomic_int product = 1;
static void *work(void *arg) {
  sum += 0.5;
  product *= arg ? 3 : 2;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &product);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(sum == 1.0 && product == 6);
  return 0;
}
