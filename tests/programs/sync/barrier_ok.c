/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: between two phases a barrier orders all writes before all reads;
 *   one thread is told to be the last */
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t bar;
static int v[2], serial[2];
static void *work(void *arg) {
  int me = arg != 0;
  v[me] = me + 1;
  int r = pthread_barrier_wait(&bar);
  serial[me] = r == PTHREAD_BARRIER_SERIAL_THREAD;
  assert(v[0] + v[1] == 3);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&bar, 0, 2);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(serial[0] + serial[1] == 1);
  pthread_barrier_destroy(&bar);
  return 0;
}
