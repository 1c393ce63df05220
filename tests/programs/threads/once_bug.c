/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: initialisation guarded by a plain flag that is set too late */
#include <assert.h>
#include <pthread.h>
static int ready, calls;
static void *work(void *arg) {
  if (!ready) {
    calls++;
    ready = 1;
  }
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(calls == 1);
  return 0;
}
