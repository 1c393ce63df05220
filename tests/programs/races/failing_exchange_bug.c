/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: exit=0
 * what: the compare-and-exchange fails unless another thread was there before:
 *   then it writes, and the plain read beside it is a race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int state = 1;
static void *put(void *arg) {
  __atomic_store_n(&state, 0, __ATOMIC_SEQ_CST);
  return arg;
}
static void *take(void *arg) {
  int free = 0;
  __atomic_compare_exchange_n(&state, &free, 2, 0, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, take, NULL);
  pthread_create(&b, NULL, put, NULL);
  pthread_join(b, NULL); /* orders the store, not the exchange */
  int seen = state;
  pthread_join(a, NULL);
  assert(seen == 0 || seen == 2);
  return 0;
}
