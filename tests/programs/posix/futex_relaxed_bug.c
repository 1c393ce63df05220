/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: who finds that it need not wait for a futex learns nothing, as a relaxed store
 * publishes nothing */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;
static int data;

static void *consume(void *arg) {
  while (!atomic_load_explicit(&ready, memory_order_relaxed))
    syscall(SYS_futex, &ready, FUTEX_WAIT, 0, NULL, NULL, 0);
  data++;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, consume, NULL);
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  syscall(SYS_futex, &ready, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(t, NULL);
  return 0;
}
