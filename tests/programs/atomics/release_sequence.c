/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a store without release by the thread that has released before belongs
 *   to its release sequence (C17 5.1.2.4): who acquires its value sees `data` */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int stage;
static void *write_data(void *arg) {
  data = 7;
  atomic_store_explicit(&stage, 1, memory_order_release);
  atomic_store_explicit(&stage, 2, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write_data, 0);
  if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
    assert(data == 7);
  pthread_join(thread, 0);
  return 0;
}
