/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the functions of heddle.h: range, assume, assert, atomic section */
#include <heddle.h>
#include <pthread.h>
static int x, y;
static void *work(void *arg) {
  heddle_atomic_begin();
  x++;
  y--;
  heddle_atomic_end();
  return arg;
}
int main(void) {
  pthread_t t;
  int n = heddle_nondet_int(-3, 3);
  heddle_assume(n != 0);
  heddle_assert(n * n >= 1 && n * n <= 9);
  pthread_create(&t, 0, work, 0);
  heddle_atomic_begin();
  heddle_assert(x + y == 0);
  heddle_atomic_end();
  pthread_join(t, 0);
  heddle_assert(x == 1);
  return 0;
}
