/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: exit=134
 * what: a thread ends with a mutex that it has taken; who destroys it is told
 *   that it is busy */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *keeper(void *arg) {
  pthread_mutex_lock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, keeper, 0);
  pthread_join(t, 0);
  int said = pthread_mutex_destroy(&m);
  assert(said == 0);
  return 0;
}
