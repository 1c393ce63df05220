/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: skip it creates threads without end
 * options: --threads=unbounded
 * what: a ticket lock with 32 bits; drawing a ticket is two actions, so that
 *   two threads can have the same */
#include <assert.h>
#include <pthread.h>
void __VERIFIER_assume(int);
static volatile unsigned drawn, served;
static volatile int bread;
static void *customer(void *arg) {
  unsigned mine = drawn;
  __VERIFIER_assume(mine < 4000000000u);
  drawn = mine + 1;
  while (served != mine)
    ;
  bread = 7;
  assert(bread == 7);
  bread = 0;
  served = mine + 1;
  return arg;
}
int main(void) {
  pthread_t t;
  while (1)
    pthread_create(&t, 0, customer, 0);
}
