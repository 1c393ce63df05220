/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: data handed over by a relaxed flag: never accessed at once, but a race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int flag;
static void *work(void *arg) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  if (atomic_load_explicit(&flag, memory_order_relaxed))
    data = 2;
  pthread_join(t, 0);
  assert(data == 1 || data == 2);
  return 0;
}
