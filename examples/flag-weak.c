/* SPDX-License-Identifier: MIT */
/* A producer fills a slot and raises a flag; -DORDER=… says how. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_release
#endif

static int slot;
static atomic_int full;

static void *produce(void *arg) {
  slot = 42;
  atomic_store_explicit(&full, 1, ORDER);
  return arg;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  if (atomic_load_explicit(&full, memory_order_acquire))
    assert(slot == 42);
  pthread_join(producer, NULL);
  return 0;
}
