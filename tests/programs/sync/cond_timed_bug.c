/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: takes the end of a timed wait for the event */
#include <assert.h>
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
  struct timespec until = {1, 0};
  pthread_create(&t, 0, producer, 0);
  pthread_mutex_lock(&m);
  if (!ready)
    pthread_cond_timedwait(&c, &m, &until);
  assert(ready);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
