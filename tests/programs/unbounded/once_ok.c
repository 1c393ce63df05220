/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: exit=0
 * options: --threads=unbounded
 * what: pthread_once by any number of threads */
#include <assert.h>
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int ready;
static void init(void) {
  assert(!ready);
  ready = 1;
}
static void *use(void *arg) {
  pthread_once(&once, init);
  assert(ready);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, use, 0);
}
