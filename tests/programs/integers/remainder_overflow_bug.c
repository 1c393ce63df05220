/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE overflow=UNSAFE
 * native: any
 * what: the remainder of the smallest number by -1 does not exist */
#include <limits.h>
#include <pthread.h>
static int by = 3, left;
static void *turn(void *arg) {
  by = -1;
  return NULL;
}
int main(void) {
  pthread_t t;
  int low = INT_MIN;
  pthread_create(&t, NULL, turn, NULL);
  pthread_join(t, NULL);
  left = low % by;
  return 0;
}
