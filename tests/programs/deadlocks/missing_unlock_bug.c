/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: an early return leaves the mutex locked, for the values of an
 *   input */
#include <heddle.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int add(int n) {
  pthread_mutex_lock(&m);
  if (n == 3)
    return -1;
  x += n;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *work(void *arg) {
  add(1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  add(heddle_nondet_int(0, 3));
  pthread_join(t, 0);
  return 0;
}
