/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a store without release by another thread ends the release sequence */
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int stage;
static void *write_data(void *arg) {
  data = 7;
  atomic_store_explicit(&stage, 1, memory_order_release);
  return arg;
}
static void *go_on(void *arg) {
  atomic_store_explicit(&stage, 2, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, write_data, 0);
  pthread_create(&b, 0, go_on, 0);
  int seen = 0;
  if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
    seen = data;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return seen == 9;
}
