/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: test, then set */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock;
static int x;
static void *work(void *arg) {
  while (lock)
    ;
  lock = 1;
  x++;
  lock = 0;
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
