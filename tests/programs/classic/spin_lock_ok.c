/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: test and test-and-set */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int lock;
static int x;
static void *work(void *arg) {
  int zero;
  do {
    while (lock)
      ;
    zero = 0;
  } while (!atomic_compare_exchange_strong(&lock, &zero, 1));
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
