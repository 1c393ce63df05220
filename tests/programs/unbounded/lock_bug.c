/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: a reader of the flag has forgotten the mutex */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int inside;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  inside = 1;
  inside = 0;
  pthread_mutex_unlock(&m);
  assert(inside == 0);
  return arg;
}
int main(void) {
  pthread_t t;
  for (;;)
    pthread_create(&t, 0, work, 0);
}
