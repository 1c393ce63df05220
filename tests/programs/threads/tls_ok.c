/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a thread-local counter is one object for each thread, with its
 *   initial value */
#include <assert.h>
#include <pthread.h>
static _Thread_local int depth = 10;
static void step(void) {
  static __thread int calls;
  calls++;
  depth++;
  assert(depth == 10 + calls);
}
static void *work(void *arg) {
  step();
  step();
  assert(depth == 12);
  return arg;
}
int main(void) {
  pthread_t a, b;
  step();
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(depth == 11);
  return 0;
}
