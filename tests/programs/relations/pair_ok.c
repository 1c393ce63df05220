/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: two variables change together under a lock, or not at all */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int in, out;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  for (int k = 0; k < 3; k++) {
    pthread_mutex_lock(&m);
    if (heddle_nondet_int(0, 1000) > 500) {
      in++;
      out++;
    }
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_mutex_lock(&m);
  assert(in == out);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(in == out);
  return 0;
}
