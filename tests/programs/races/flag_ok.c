/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: data is published by a flag: release and acquire */
#include <pthread.h>
#include <stdatomic.h>
static int payload[2];
static atomic_int ready;
static void *writer(void *arg) {
  payload[0] = 1;
  payload[1] = 2;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return arg;
}
static void *reader(void *arg) {
  int *sum = arg;
  if (atomic_load_explicit(&ready, memory_order_acquire))
    *sum = payload[0] + payload[1];
  return 0;
}
int main(void) {
  pthread_t a, b;
  int sum = 3;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, &sum);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return sum == 3 ? 0 : 1;
}
