/* SPDX-License-Identifier: MIT */
/* What a failed exchange reads is acquired like what the load before it reads. BUG:
 * it is not, so the round is more than that load. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef BUG
#define FAILURE memory_order_relaxed
#else
#define FAILURE memory_order_acquire
#endif
static atomic_int flag;
static int data;
static void *reader(void *arg) {
  int seen = atomic_load_explicit(&flag, memory_order_acquire);
  while (seen != 2 && !atomic_compare_exchange_strong_explicit(
                          &flag, &seen, seen, memory_order_acquire, FAILURE))
    ;
  if (seen == 2)
    assert(data == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  data = 1;
  atomic_store_explicit(&flag, 2, memory_order_release);
  pthread_join(t, 0);
  return 0;
}
