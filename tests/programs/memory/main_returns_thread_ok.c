/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: the same with a static variable */
#include <pthread.h>
static void *later(void *arg) {
  *(int *)arg = 5;
  return 0;
}
int main(void) {
  static int shared = 0;
  pthread_t t;
  pthread_create(&t, 0, later, &shared);
  return 0;
}
