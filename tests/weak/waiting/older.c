// SPDX-License-Identifier: MIT
// Of two runs up to where x is 2, `reads` has read 0 in one and 1 in the other, and does
// not look at it. They differ in what may still be read: 1 is waited for to go, 0 is not.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BUG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static atomic_int x, told;
static pthread_t between;

static void *writes(void *arg) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  atomic_store_explicit(&told, 1, RELEASE);
  return arg;
}

static void *waits(void *arg) {
  while (atomic_load_explicit(&told, memory_order_acquire) != 1)
    ;
  return arg;
}

static void *reads(void *arg) {
  int seen;
  atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(between, 0);
  while ((seen = atomic_load_explicit(&x, memory_order_relaxed)) == 1)
    ;
  assert(seen != 0);
  return arg;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, writes, 0);
  pthread_create(&between, 0, waits, 0);
  pthread_create(&other, 0, reads, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
