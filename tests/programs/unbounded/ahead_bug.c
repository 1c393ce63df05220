/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: skip it creates threads without end
 * options: --threads=unbounded
 * what: the same with a test and a store instead of a compare-and-swap: a lower
 *   level overwrites a higher one */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
unsigned heddle_nondet_uint(unsigned low, unsigned high);
static atomic_uint level;
static void *diver(void *arg) {
  unsigned mine = heddle_nondet_uint(0, 3);
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
