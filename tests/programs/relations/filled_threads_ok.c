/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: main fills a large array, threads read it */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int a[1000];
static void *work(void *arg) {
  int k = heddle_nondet_int(0, 999);
  assert(a[k] == 5);
  return arg;
}
int main(void) {
  for (int i = 0; i < 1000; i++)
    a[i] = 5;
  pthread_t x, y;
  pthread_create(&x, 0, work, 0);
  pthread_create(&y, 0, work, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}
