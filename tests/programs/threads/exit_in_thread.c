/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: exit in a thread ends the program while main waits */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *work(void *arg) {
  exit(0);
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(0);
  return 1;
}
