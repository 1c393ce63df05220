/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a thread's own variable is used when the thread has ended */
#include <pthread.h>
static _Thread_local int own = 3;
static int *others;
static void *leave(void *arg) {
  others = &own;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, leave, 0);
  pthread_join(t, 0);
  return *others - 3;
}
