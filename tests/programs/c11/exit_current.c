/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: thrd_exit, thrd_current, thrd_equal, thrd_yield, thread_local */
#include <assert.h>
#include <threads.h>
static thread_local int mine = 4;
static thrd_t first;
static void leave(int code) {
  thrd_exit(code);
}
static int work(void *arg) {
  assert(!thrd_equal(thrd_current(), first));
  thrd_yield();
  mine++;
  leave(mine);
  assert(0);
  return arg != 0;
}
int main(void) {
  thrd_t t;
  int r;
  first = thrd_current();
  mine = 9;
  thrd_create(&t, work, 0);
  thrd_join(t, &r);
  assert(r == 5 && mine == 9);
  return 0;
}
