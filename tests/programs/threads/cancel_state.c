/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: whether a thread can be cancelled is kept for each thread, and given
 *   back by the next call */
#include <assert.h>
#include <pthread.h>
static void *other(void *arg) {
  int old = 5;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  return arg;
}
int main(void) {
  pthread_t thread;
  int old = 5, type = 5;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  assert(old == PTHREAD_CANCEL_ENABLE);
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
  assert(type == PTHREAD_CANCEL_DEFERRED);
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  assert(old == PTHREAD_CANCEL_DISABLE);
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, 0);
  assert(pthread_setcancelstate(17, &old) != 0);
  return 0;
}
