/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a spin lock made of an atomic flag protects plain data */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int x;
static void *work(void *arg) {
  while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
    ;
  x++;
  atomic_flag_clear_explicit(&lock, memory_order_release);
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
