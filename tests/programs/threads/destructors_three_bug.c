/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: of three destructors the second may be the first and the first the last */
#include <assert.h>
#include <pthread.h>

static pthread_key_t keys[3];
static int values[3] = {1, 2, 3}, seen;

static void end(void *value) {
  seen = seen * 10 + *(int *)value;
}

static void *worker(void *arg) {
  for (int i = 0; i < 3; i++)
    pthread_setspecific(keys[i], &values[i]);
  return arg;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 3; i++)
    pthread_key_create(&keys[i], end);
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  assert(seen != 231);
  return 0;
}
