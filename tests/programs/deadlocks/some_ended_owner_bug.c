/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: a thread ends with the lock of another one, which main does not wait
 *       for */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *forgets(void *arg) {
  pthread_mutex_lock(&m);
  return arg;
}
static void *waits(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, forgets, 0);
  pthread_create(&b, 0, waits, 0);
  pthread_join(a, 0);
  return 0;
}
