/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: both orders of the destructors of two thread-specific values */
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
  assert(seen == 12 || seen == 21);
  return 0;
}
