/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: Szymanski's mutual exclusion for two threads */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2];
static int x;
static void *work(void *arg) {
  int me = arg != 0, other = !me, f;
  flag[me] = 1;
  while (flag[other] >= 3)
    ;
  flag[me] = 3;
  if (flag[other] == 1) {
    flag[me] = 2;
    while (flag[other] != 4)
      ;
  }
  flag[me] = 4;
  if (me == 1)
    while (flag[0] >= 2)
      ;
  x++;
  if (me == 0)
    do
      f = flag[1];
    while (f == 2 || f == 3);
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
