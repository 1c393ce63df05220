/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: the result of a thread of C11 is an int, and this one is negative */
#include <assert.h>
#include <threads.h>
static int give(void *arg) {
  thrd_exit(-5);
}
int main(void) {
  thrd_t t;
  int result;
  thrd_create(&t, give, NULL);
  thrd_join(t, &result);
  assert(result >= 0);
  return 0;
}
