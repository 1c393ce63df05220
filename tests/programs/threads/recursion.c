/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="15"
 * what: threads that call recursive functions, each on its own stack */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static int sum(int n) {
  return n == 0 ? 0 : n + sum(n - 1);
}
static void *work(void *arg) {
  return (void *)(intptr_t)sum((int)(intptr_t)arg);
}
int main(void) {
  pthread_t a, b;
  void *x, *y;
  pthread_create(&a, 0, work, (void *)3);
  pthread_create(&b, 0, work, (void *)4);
  pthread_join(a, &x);
  pthread_join(b, &y);
  int s = (int)((intptr_t)x + (intptr_t)y) - 1;
  assert(s == 15);
  printf("%d\n", s);
  return 0;
}
