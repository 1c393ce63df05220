/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE sync=SAFE
 * native: exit=0
 * what: barriers for no thread and for too many are refused, one for one is not */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
int main(void) {
  pthread_barrier_t gate;
  assert(pthread_barrier_init(&gate, NULL, 0) == EINVAL);
  assert(pthread_barrier_init(&gate, NULL, 3000000000u) == EINVAL);
  assert(pthread_barrier_init(&gate, NULL, 1) == 0);
  assert(pthread_barrier_wait(&gate) == PTHREAD_BARRIER_SERIAL_THREAD);
  return 0;
}
