/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: the thread leaves with the mutex locked, nobody will ever get it */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  if (arg)
    pthread_exit(0);
  x++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, &x);
  pthread_mutex_lock(&m);
  assert(x <= 1);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
