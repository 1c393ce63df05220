/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="ok"
 * what: the __atomic operations, also on a pointer and with memory orders */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
static int flag, data, *where;
static void *producer(void *arg) {
  data = 8;
  __atomic_store_n(&where, &data, __ATOMIC_RELEASE);
  __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
  return arg;
}
int main(void) {
  pthread_t t;
  int x = 3, e = 4, n = 10, r;
  assert(!__atomic_compare_exchange_n(&x, &e, 5, false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST) &&
         e == 3);
  assert(__atomic_compare_exchange(&x, &e, &n, false, __ATOMIC_SEQ_CST,
                                   __ATOMIC_SEQ_CST) &&
         x == 10);
  assert(__atomic_add_fetch(&x, 5, __ATOMIC_SEQ_CST) == 15 &&
         __atomic_fetch_nand(&x, 7, __ATOMIC_SEQ_CST) == 15 && x == ~7);
  __atomic_exchange(&x, &n, &r, __ATOMIC_SEQ_CST);
  assert(r == ~7 && x == 10);
  bool b = false;
  assert(!__atomic_test_and_set(&b, __ATOMIC_SEQ_CST) &&
         __atomic_test_and_set(&b, __ATOMIC_SEQ_CST));
  __atomic_clear(&b, __ATOMIC_SEQ_CST);
  pthread_create(&t, 0, producer, 0);
  while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE))
    ;
  int *p = __atomic_load_n(&where, __ATOMIC_ACQUIRE);
  assert(*p == 8 && data == 8);
  pthread_join(t, 0);
  puts("ok");
  return 0;
}
