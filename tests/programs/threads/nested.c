/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a thread creates and joins a thread; order is passed on through
 *   both */
#include <assert.h>
#include <pthread.h>
static int x;
static void *inner(void *arg) {
  x *= 3;
  return arg;
}
static void *outer(void *arg) {
  pthread_t t;
  x += 2;
  pthread_create(&t, 0, inner, 0);
  pthread_join(t, 0);
  x += 1;
  return arg;
}
int main(void) {
  pthread_t t;
  x = 1;
  pthread_create(&t, 0, outer, 0);
  pthread_join(t, 0);
  assert(x == 10);
  return 0;
}
