/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the flag is raised before the value is there */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int value;
static void *use(void *arg) {
  if (!ready) {
    pthread_mutex_lock(&m);
    if (!ready) {
      ready = 1;
      value = 42;
    }
    pthread_mutex_unlock(&m);
  }
  assert(value == 42);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
