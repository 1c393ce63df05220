/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the id is in a local variable that the thread is told of */
#include <threads.h>
static int work(void *arg) {
  thrd_t *me = arg;
  return thrd_equal(*me, thrd_current()) ? 0 : 1;
}
int main(void) {
  thrd_t t = 0;
  thrd_create(&t, work, &t);
  thrd_join(t, 0);
  return 0;
}
