/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: an input chooses the counter and its lock */
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
static int c[3];
static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER,
                               PTHREAD_MUTEX_INITIALIZER};
static void *work(void *arg) {
  int k = heddle_nondet_int(0, 2);
  pthread_mutex_lock(&m[k]);
  c[k]++;
  pthread_mutex_unlock(&m[k]);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(c[0] + c[1] + c[2] == 2);
  return 0;
}
