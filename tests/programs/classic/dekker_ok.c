/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: Dekker's mutual exclusion */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2], turn;
static int x;
static void *work(void *arg) {
  int me = arg != 0;
  want[me] = 1;
  while (want[!me]) {
    if (turn != me) {
      want[me] = 0;
      while (turn != me)
        ;
      want[me] = 1;
    }
  }
  x++;
  turn = !me;
  want[me] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &x);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
