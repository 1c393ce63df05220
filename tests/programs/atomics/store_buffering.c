/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: sequentially consistent: not both threads can miss the other's
 *   store */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int r1, r2;
static void *one(void *arg) {
  x = 1;
  r1 = y;
  return arg;
}
static void *two(void *arg) {
  y = 1;
  r2 = x;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r1 == 1 || r2 == 1);
  return 0;
}
