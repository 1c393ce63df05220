/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a lock whose word is its owner, which the system gives to who waits */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int lock;
static int count;

static void *add(void *arg) {
  int nobody = 0, own = (int)syscall(SYS_gettid);
  if (!atomic_compare_exchange_strong(&lock, &nobody, own))
    syscall(SYS_futex, &lock, FUTEX_LOCK_PI_PRIVATE, 0, NULL);
  count++;
  if (!atomic_compare_exchange_strong(&lock, &own, 0))
    syscall(SYS_futex, &lock, FUTEX_UNLOCK_PI_PRIVATE);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, add, NULL);
  add(NULL);
  pthread_join(thread, NULL);
  assert(count == 2);
  return 0;
}
