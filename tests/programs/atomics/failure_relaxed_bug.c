/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: an exchange that fails orders as little as its second order */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;
static void *make(void *arg) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}
static void *take(void *arg) {
  int expected = 0;
  if (!atomic_compare_exchange_strong_explicit(
          &flag, &expected, 2, memory_order_acq_rel, memory_order_relaxed) &&
      expected == 1)
    arg = data ? arg : 0;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, make, 0);
  pthread_create(&b, 0, take, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
