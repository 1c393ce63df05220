/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: who waits for a futex sees what was stored before a release */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;
static int data;

static void *consume(void *arg) {
  while (!atomic_load_explicit(&ready, memory_order_acquire))
    syscall(SYS_futex, &ready, FUTEX_WAIT, 0, NULL, NULL, 0);
  data++;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, consume, NULL);
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  syscall(SYS_futex, &ready, FUTEX_WAKE, 1, NULL, NULL, 0);
  pthread_join(t, NULL);
  return 0;
}
