/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the end of main ends all threads: the flag may or may not be set */
#include <assert.h>
#include <pthread.h>
static int finished;
static void *work(void *arg) {
  finished = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  assert(finished);
  return 0;
}
