/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: skip it creates threads without end
 * options: --threads=unbounded
 * what: a variable of a block is set whenever the block is entered */
#include <assert.h>
#include <pthread.h>
static void look(int *at) {
  (void)at;
}
static void *worker(void *arg) {
  for (int round = 0; round < 2; round++) {
    int chosen;
    chosen = round + 1;
    look(&chosen);
    assert(chosen == round + 1);
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
