/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="7"
 * what: pthread_exit out of a nested call ends the thread with a value */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
static int after;
static void deep(int n) {
  if (n == 0)
    pthread_exit((void *)7);
  deep(n - 1);
}
static void *work(void *arg) {
  deep(2);
  after = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  void *r;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, &r);
  assert((intptr_t)r == 7 && after == 0);
  printf("%ld\n", (long)(intptr_t)r);
  return 0;
}
