/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the address of a local variable is in a global before the thread starts */
#include <pthread.h>
static int *gp;
static void *w(void *a) {
  *gp = 1;
  return 0;
}
int main(void) {
  int x = 0;
  gp = &x;
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  x = 2;
  pthread_join(t, 0);
}
