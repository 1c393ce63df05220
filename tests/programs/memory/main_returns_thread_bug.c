/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: a thread uses a variable of main, which may have returned */
#include <pthread.h>
static void *later(void *arg) {
  *(int *)arg = 5;
  return 0;
}
int main(void) {
  int mine = 0;
  pthread_t t;
  pthread_create(&t, 0, later, &mine);
  return 0;
}
