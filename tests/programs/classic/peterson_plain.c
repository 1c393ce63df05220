/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: Peterson with plain variables: right under sequential consistency,
 *   a race in C */
#include <assert.h>
#include <pthread.h>
static int flag[2], turn, inside;
static void *work(void *arg) {
  int me = arg != 0;
  flag[me] = 1;
  turn = !me;
  while (flag[!me] && turn == !me)
    ;
  inside = me;
  assert(inside == me);
  flag[me] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &turn);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
