/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: two mutexes in opposite order with timed locks: no deadlock,
 *   somebody gives up */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER,
                       b = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *work(void *arg) {
  struct timespec until;
  pthread_mutex_t *first = arg ? &a : &b, *second = arg ? &b : &a;
  clock_gettime(CLOCK_REALTIME, &until);
  pthread_mutex_lock(first);
  int r = pthread_mutex_timedlock(second, &until);
  assert(r == 0 || r == ETIMEDOUT);
  if (r == 0) {
    x++;
    pthread_mutex_unlock(second);
  }
  pthread_mutex_unlock(first);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, work, 0);
  pthread_create(&t, 0, work, &x);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x >= 0 && x <= 2);
  return 0;
}
