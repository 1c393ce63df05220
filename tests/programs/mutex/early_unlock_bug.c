/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: unlocks before it uses what it found under the lock */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items = 1;
static void *take(void *arg) {
  pthread_mutex_lock(&m);
  int some = items > 0;
  pthread_mutex_unlock(&m);
  if (some) {
    items--;
    assert(items >= 0);
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
