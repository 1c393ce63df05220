/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: all ways out unlock */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static int add(int n) {
  int r = -1;
  pthread_mutex_lock(&m);
  if (n != 3) {
    x += n;
    r = 0;
  }
  pthread_mutex_unlock(&m);
  return r;
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
  assert(x >= 1 && x <= 3);
  return 0;
}
