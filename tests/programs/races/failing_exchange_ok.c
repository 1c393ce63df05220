/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a compare-and-exchange that cannot succeed only reads: a plain read
 *   beside it is no race */
#include <assert.h>
#include <pthread.h>
static int state = 1;
static void *take(void *arg) {
  int free = 0;
  __atomic_compare_exchange_n(&state, &free, 2, 0, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  assert(free == 1);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, take, NULL);
  int seen = state;
  pthread_join(t, NULL);
  assert(seen == 1 && state == 1);
  return 0;
}
