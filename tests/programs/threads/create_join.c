/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="30"
 * what: the result of a thread comes through its return value and join */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static void *twice(void *arg) {
  return (void *)(2 * (intptr_t)arg);
}
int main(void) {
  pthread_t a, b;
  void *x, *y;
  pthread_create(&a, 0, twice, (void *)5);
  pthread_create(&b, 0, twice, (void *)10);
  pthread_join(b, &y);
  pthread_join(a, &x);
  assert((intptr_t)x == 10 && (intptr_t)y == 20);
  printf("%ld\n", (long)((intptr_t)x + (intptr_t)y));
  return 0;
}
