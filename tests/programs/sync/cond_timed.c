/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: a timed wait ends by signal or by time; the flag tells which */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *producer(void *arg) {
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  struct timespec until;
  int r = 0;
  clock_gettime(CLOCK_REALTIME, &until);
  pthread_create(&t, 0, producer, 0);
  pthread_mutex_lock(&m);
  while (!ready && r == 0)
    r = pthread_cond_timedwait(&c, &m, &until);
  assert(ready || r == ETIMEDOUT);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(ready);
  return 0;
}
