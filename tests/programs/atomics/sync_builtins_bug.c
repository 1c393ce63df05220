/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: compares, then sets: the lock is not taken atomically */
#include <assert.h>
#include <pthread.h>
static int lock, data;
static void *work(void *arg) {
  while (__sync_fetch_and_add(&lock, 0) != 0)
    ;
  __sync_lock_test_and_set(&lock, 1);
  data++;
  __sync_lock_release(&lock);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(data == 2);
  return 0;
}
