/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a counter of 128 bits, by compare-and-exchange and by addition: no half of
 *   it is lost */
#include <assert.h>
#include <pthread.h>

typedef unsigned __int128 wide;
static wide counter, sum;
static const wide step = (wide)1 << 64 | 1;

static void *count(void *arg) {
  wide old = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(&counter, &old, old + step, 0,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
  }
  __atomic_fetch_add(&sum, step, __ATOMIC_SEQ_CST);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, count, NULL);
  count(NULL);
  pthread_join(thread, NULL);
  assert(counter == 2 * step);
  assert(__atomic_exchange_n(&sum, 0, __ATOMIC_SEQ_CST) == 2 * step);
  return 0;
}
