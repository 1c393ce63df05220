/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: the wait returns at once and the mutex is still held */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
  struct timespec until = {.tv_sec = 1, .tv_nsec = 1000000000};
  pthread_mutex_lock(&m);
  assert(pthread_cond_timedwait(&c, &m, &until) == EINVAL);
  assert(pthread_mutex_trylock(&m) == EBUSY);
  pthread_mutex_unlock(&m);
  assert(nanosleep(&until, 0) == -1 && errno == EINVAL);
  until.tv_nsec = 999999999;
  pthread_mutex_lock(&m);
  assert(pthread_mutex_timedlock(&m, &until) == ETIMEDOUT);
  pthread_mutex_unlock(&m);
  return 0;
}
