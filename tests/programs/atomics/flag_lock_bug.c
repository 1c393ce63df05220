/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: clears the flag before it writes the value back */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x;
static void *work(void *arg) {
  while (atomic_flag_test_and_set(&lock))
    ;
  int v = x + 1;
  atomic_flag_clear(&lock);
  x = v;
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
