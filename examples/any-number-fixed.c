/* SPDX-License-Identifier: MIT */
/* any-number.c with the two assignments in the right order. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready, value;

static void *user(void *arg) {
  if (!ready) {
    pthread_mutex_lock(&lock);
    if (!ready) {
      value = 42;
      ready = 1;
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
