/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: any
 * options: --threads=unbounded
 * what: does not look a second time under the lock: initialised twice */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value;
static void *use(void *arg) {
  if (!ready) {
    pthread_mutex_lock(&m);
    assert(value == 0);
    value = 1;
    ready = 1;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, use, 0);
}
