/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="12"
 * what: C11 threads: create, join with result, a plain mutex */
#include <assert.h>
#include <stdio.h>
#include <threads.h>
static mtx_t m;
static int sum;
static int work(void *arg) {
  int n = *(int *)arg;
  mtx_lock(&m);
  sum += n;
  mtx_unlock(&m);
  return n + 1;
}
int main(void) {
  thrd_t a, b;
  int x = 2, y = 3, r, s;
  mtx_init(&m, mtx_plain);
  assert(thrd_create(&a, work, &x) == thrd_success);
  thrd_create(&b, work, &y);
  thrd_join(a, &r);
  thrd_join(b, &s);
  assert(r == 3 && s == 4 && sum == 5);
  mtx_destroy(&m);
  printf("%d\n", r + s + sum);
  return 0;
}
