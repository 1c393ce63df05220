/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the variables of main end before those who use them */
#include <pthread.h>
static void *w(void *a) {
  int *p = a;
  *p = 1;
  return 0;
}
int main(void) {
  int x;
  pthread_t t;
  pthread_create(&t, 0, w, &x);
  pthread_exit(0);
}
