/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: volatile is not atomic: a flag and data handed over by it race */
#include <assert.h>
#include <pthread.h>
static volatile int ready;
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
