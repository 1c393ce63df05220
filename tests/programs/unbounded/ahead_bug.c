/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: skip it creates threads without end
 * what: the same with a test and a store instead of a compare-and-swap: a lower
 *   level overwrites a higher one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
unsigned __VERIFIER_nondet_uint(void);
static atomic_uint level;
static void *diver(void *arg) {
  unsigned mine = __VERIFIER_nondet_uint();
  if (level < mine)
    level = mine;
  assert(level >= mine);
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, diver, 0);
}
