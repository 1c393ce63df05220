/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the lock is taken after the value was read */
#include <assert.h>
#include <threads.h>
static mtx_t m;
static int sum;
static int work(void *arg) {
  int old = sum;
  mtx_lock(&m);
  sum = old + 1;
  mtx_unlock(&m);
  return arg != 0;
}
int main(void) {
  thrd_t a, b;
  mtx_init(&m, mtx_plain);
  thrd_create(&a, work, 0);
  thrd_create(&b, work, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  assert(sum == 2);
  return 0;
}
