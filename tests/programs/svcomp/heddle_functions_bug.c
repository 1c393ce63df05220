/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the invariant of the atomic section does not hold for one of the
 *   inputs */
#include <heddle.h>
#include <pthread.h>
static int x, y;
static void *work(void *arg) {
  int n = heddle_nondet_int(1, 4);
  heddle_atomic_begin();
  x += n;
  if (n != 3)
    y -= n;
  heddle_atomic_end();
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  heddle_atomic_begin();
  heddle_assert(x + y == 0);
  heddle_atomic_end();
  pthread_join(t, 0);
  return 0;
}
