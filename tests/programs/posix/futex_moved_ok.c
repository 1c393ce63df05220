/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: who waits for a futex is moved to another one, and woken there */
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready, later;

static void *wait_for(void *arg) {
  while (!atomic_load(&ready))
    syscall(SYS_futex, &ready, FUTEX_WAIT_PRIVATE, 0, NULL);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for, NULL);
  atomic_store(&ready, 1);
  syscall(SYS_futex, &ready, FUTEX_REQUEUE_PRIVATE, 0, INT_MAX, &later);
  syscall(SYS_futex, &later, FUTEX_WAKE_PRIVATE, 1);
  pthread_join(thread, NULL);
  return 0;
}
