/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="3"
 * what: create and join order all accesses: no lock is needed */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int x;
static void *work(void *arg) {
  x++;
  return arg;
}
int main(void) {
  pthread_t t;
  for (int i = 0; i < 3; i++) {
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
  }
  assert(x == 3);
  printf("%d\n", x);
  return 0;
}
