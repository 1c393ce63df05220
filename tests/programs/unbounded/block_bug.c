/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE
 * native: skip it creates threads without end
 * options: --threads=unbounded
 * what: a variable of a block has no value when the block is entered again: what
 *   the round before left there does not count */
#include <assert.h>
#include <pthread.h>
static void look(int *at) {
  (void)at;
}
static void *worker(void *arg) {
  for (int round = 0; round < 2; round++) {
    int chosen;
    if (round == 0)
      chosen = 1;
    look(&chosen);
    assert(chosen == 1);
  }
  return arg;
}
int main(void) {
  for (;;) {
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_detach(t);
  }
}
