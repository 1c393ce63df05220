/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: until when is written while the wait may read it */
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct timespec until;
static void *waiter(void *arg) {
  if (pthread_mutex_timedlock(&m, &until) == 0)
    pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  until.tv_sec = 5;
  pthread_join(t, 0);
  return 0;
}
