/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: in which order the destructors of thread-specific values are called is
 * not specified */
#include <assert.h>
#include <pthread.h>

static pthread_key_t first, second;
static int seen;

static void one(void *value) {
  (void)value;
  seen = seen * 10 + 1;
}

static void two(void *value) {
  (void)value;
  seen = seen * 10 + 2;
}

static void *worker(void *arg) {
  pthread_setspecific(first, &seen);
  pthread_setspecific(second, &seen);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&first, one);
  pthread_key_create(&second, two);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  assert(seen == 12);
  return 0;
}
