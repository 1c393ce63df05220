/* SPDX-License-Identifier: MIT */
/* Whoever comes first makes the value; it is looked at once without the lock,
 * so that later ones need not wait for it. main never stops making threads. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *user(void *arg) {
  if (!ready) {
    pthread_mutex_lock(&lock);
    if (!ready) {
      ready = 1;
      value = 42;
    }
    pthread_mutex_unlock(&lock);
  }
  assert(value == 42);
  return arg;
}

int main(void) {
  pthread_t thread;
  while (1)
    pthread_create(&thread, 0, user, 0);
}
