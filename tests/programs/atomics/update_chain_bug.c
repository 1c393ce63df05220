/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: the adds come in the order last, second, first, and the store behind them all */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static int r1, r2, r3;
static void *zero(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return arg;
}
static void *one(void *arg) {
  r1 = atomic_fetch_add_explicit(&x, 2, memory_order_relaxed);
  return arg;
}
static void *two(void *arg) {
  r2 = atomic_fetch_add_explicit(&x, 3, memory_order_relaxed);
  return arg;
}
static void *three(void *arg) {
  r3 = atomic_fetch_add_explicit(&x, 4, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, zero, 0);
  pthread_create(&t[1], 0, one, 0);
  pthread_create(&t[2], 0, two, 0);
  pthread_create(&t[3], 0, three, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(t[i], 0);
  assert(!(r3 == 0 && r2 == 4 && r1 == 7));
  return 0;
}
