/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: goes wrong only when three threads are inside at the same time */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned inside;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  if (inside < 3)
    inside++;
  assert(inside < 3);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  inside--;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, work, 0);
}
