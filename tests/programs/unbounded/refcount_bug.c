/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: the count saturates at three, but everybody gives one back: freed
 *   while others use it */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned refs = 1;
static int freed;
static void get(void) {
  pthread_mutex_lock(&m);
  if (refs < 3)
    refs++;
  pthread_mutex_unlock(&m);
}
static void put(void) {
  pthread_mutex_lock(&m);
  if (refs > 0 && --refs == 0)
    freed = 1;
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  get();
  assert(!freed);
  put();
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, work, 0);
}
