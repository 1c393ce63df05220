/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip the time does not come
 * what: a timed wait may also wake up for no reason */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int main(void) {
  struct timespec late = {2000000000, 0};
  pthread_mutex_lock(&m);
  int result = pthread_cond_timedwait(&changed, &m, &late);
  assert(result == ETIMEDOUT);
  pthread_mutex_unlock(&m);
  return 0;
}
