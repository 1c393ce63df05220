/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: variables that were never set decide, and with some values of them an
 *   assertion fails: 1 round of 2, and 11 */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int rounds;
static void *work(void *arg) {
  for (int i = 0; i < 2; i++) {
    int skip;
    if (skip)
      continue;
    pthread_mutex_lock(&m);
    rounds++;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  int size;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  assert(rounds != 1 || size * 7 != 77);
  return 0;
}
