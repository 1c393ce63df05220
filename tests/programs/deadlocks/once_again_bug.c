/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: the routine of pthread_once calls pthread_once */
#include <pthread.h>
static pthread_once_t o = PTHREAD_ONCE_INIT;
static void inner(void) {}
static void outer(void) {
  pthread_once(&o, inner);
}
int main(void) {
  pthread_once(&o, outer);
  return 0;
}
