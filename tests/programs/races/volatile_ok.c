/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the same with an atomic flag */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static int data;
static void *producer(void *arg) {
  data = 5;
  ready = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, producer, 0);
  while (!ready)
    ;
  assert(data == 5);
  pthread_join(t, 0);
  return 0;
}
