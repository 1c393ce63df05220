/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: another thread may use the address of a thread-local variable
 *   while its owner lives */
#include <assert.h>
#include <pthread.h>
static _Thread_local int mine = 1;
static void *work(void *arg) {
  *(int *)arg += mine;
  mine = 50;
  return 0;
}
int main(void) {
  pthread_t t;
  mine = 2;
  pthread_create(&t, 0, work, &mine);
  pthread_join(t, 0);
  assert(mine == 3);
  return 0;
}
