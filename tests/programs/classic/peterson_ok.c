/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: Peterson's mutual exclusion with atomic flags protects plain data */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2], turn;
static int x, inside;
static void *work(void *arg) {
  int me = arg != 0;
  flag[me] = 1;
  turn = !me;
  while (flag[!me] && turn == !me)
    ;
  inside = me;
  x++;
  assert(inside == me);
  flag[me] = 0;
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
