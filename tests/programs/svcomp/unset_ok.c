/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: variables that were never set decide, with any value: a copy has the
 *   same one, a block that is entered again a new one */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int level, rounds;
static void *work(void *arg) {
  int fast;
  for (int i = 0; i < 2; i++) {
    int skip;
    if (skip)
      continue;
    pthread_mutex_lock(&m);
    level = fast > 3 ? 1 : 2;
    rounds++;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  int size, copy;
  pthread_create(&t, NULL, work, NULL);
  copy = size;
  pthread_join(t, NULL);
  if (size < 0)
    assert(copy < 0);
  assert(copy == size);
  assert(level >= 0 && level <= 2 && rounds <= 2);
  return 0;
}
