/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="2"
 * what: the __sync operations: counting, locking, comparing */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
static int lock, data, hits;
static void *work(void *arg) {
  while (__sync_lock_test_and_set(&lock, 1))
    ;
  data++;
  __sync_lock_release(&lock);
  __sync_fetch_and_add(&hits, 2);
  __sync_sub_and_fetch(&hits, 1);
  return arg;
}
int main(void) {
  pthread_t a, b;
  int x = 5;
  assert(__sync_val_compare_and_swap(&x, 5, 6) == 5 && x == 6);
  assert(!__sync_bool_compare_and_swap(&x, 5, 7) && x == 6);
  assert(__sync_or_and_fetch(&x, 9) == 15 &&
         __sync_fetch_and_xor(&x, 1) == 15 && x == 14);
  assert(__sync_fetch_and_and(&x, 6) == 14 && x == 6);
  __sync_synchronize();
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(data == 2 && hits == 2);
  printf("%d\n", data);
  return 0;
}
