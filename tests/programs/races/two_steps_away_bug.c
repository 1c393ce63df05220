/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: the argument of a thread points to a pointer */
#include <pthread.h>
static void *w(void *a) {
  int **q = a;
  **q = 1;
  return 0;
}
int main(void) {
  int x = 0;
  int *p = &x;
  pthread_t t;
  pthread_create(&t, 0, w, &p);
  x = 2;
  pthread_join(t, 0);
}
