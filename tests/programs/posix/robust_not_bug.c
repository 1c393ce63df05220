/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: not robust after all: the owner's end leaves it locked */
#include <pthread.h>
static pthread_mutex_t m;
static void *dies(void *arg) {
  pthread_mutex_lock(&m);
  return arg;
}
int main(void) {
  pthread_mutexattr_t a;
  pthread_t t;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_STALLED);
  pthread_mutex_init(&m, &a);
  pthread_create(&t, 0, dies, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
  return 0;
}
