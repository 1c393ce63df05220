/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=UNSAFE
 * native: any
 * what: barriers have no static initialiser */
#include <pthread.h>
static pthread_barrier_t barrier;
int main(void) {
  pthread_barrier_wait(&barrier);
  return 0;
}
