/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: any
 * what: a lock whose word is its owner, and an owner who only writes it back */
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
  atomic_store(&lock, 0);
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
