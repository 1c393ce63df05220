/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: x = x + 1 on an atomic is two operations */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *work(void *arg) {
  x = x + 1;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
