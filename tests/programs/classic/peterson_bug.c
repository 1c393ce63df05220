/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: gives the turn away before it raises its flag: both get in */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2], turn;
static int inside, x;
static void *work(void *arg) {
  int me = arg != 0;
  turn = !me;
  flag[me] = 1;
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
  return 0;
}
