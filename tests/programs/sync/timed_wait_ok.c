/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: who waits for a time looks at the flag as well */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int main(void) {
  struct timespec now = {0, 0};
  int result = 0;
  pthread_mutex_lock(&m);
  for (int i = 0; i < 2 && !result; i++)
    result = pthread_cond_timedwait(&changed, &m, &now);
  assert(result == 0 || result == ETIMEDOUT);
  pthread_mutex_unlock(&m);
  return 0;
}
