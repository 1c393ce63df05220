/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: a thread locks a mutex that main may have destroyed already */
#include <pthread.h>
static pthread_mutex_t m;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_mutex_init(&m, 0);
  pthread_create(&t, 0, work, 0);
  pthread_mutex_destroy(&m);
  pthread_join(t, 0);
  return 0;
}
