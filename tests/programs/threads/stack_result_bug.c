/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a thread returns the address of a variable on its stack */
#include <pthread.h>
static void *work(void *arg) {
  int r = *(int *)arg + 1;
  int *p = &r;
  return p;
}
int main(void) {
  pthread_t t;
  int n = 4;
  void *r;
  pthread_create(&t, 0, work, &n);
  pthread_join(t, &r);
  return *(int *)r == 99;
}
