/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: skip it creates threads without end
 * options: --engine=pairs
 * what: a level that compare-and-swap only ever raises, from any number of
 *   threads; it is not bounded, and stays above what each of them has put there */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
unsigned __VERIFIER_nondet_uint(void);
static atomic_uint level;
static void raise_to(unsigned wanted) {
  unsigned now = level;
  while (now < wanted)
    if (atomic_compare_exchange_strong(&level, &now, wanted))
      return;
}
static void *diver(void *arg) {
  unsigned mine = __VERIFIER_nondet_uint();
  raise_to(mine);
  assert(level >= mine);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, diver, 0);
}
