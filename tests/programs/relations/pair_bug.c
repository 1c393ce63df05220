/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the lock is released between the two changes */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int in, out;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  for (int k = 0; k < 3; k++) {
    int some = heddle_nondet_int(0, 1000) > 500;
    pthread_mutex_lock(&m);
    in += some;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    out += some;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_mutex_lock(&m);
  assert(in == out);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
