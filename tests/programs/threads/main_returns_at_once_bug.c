/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a thread may run before main returns, also when that is the next thing
 * main does */
#include <assert.h>
#include <pthread.h>
static void *run(void *arg) {
  assert(arg);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  return 0;
}
