/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: with one after the other is fine */
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *waiter(void *arg) {
  struct timespec until = {0, 0};
  pthread_mutex_lock(arg);
  pthread_cond_timedwait(&c, arg, &until);
  pthread_mutex_unlock(arg);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, waiter, &m);
  pthread_join(t, 0);
  pthread_create(&u, 0, waiter, &n);
  pthread_join(u, 0);
  return 0;
}
