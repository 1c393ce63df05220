/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: double-checked initialisation with an atomic flag */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int inits, value;
static void *use(void *arg) {
  if (!ready) {
    pthread_mutex_lock(&m);
    if (!ready) {
      value = 42;
      inits++;
      ready = 1;
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
  assert(inits == 1);
  return 0;
}
