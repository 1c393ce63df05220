/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: reads the neighbour's value before the barrier */
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t bar;
static int v[2];
static void *work(void *arg) {
  int me = arg != 0;
  v[me] = me + 1;
  assert(v[0] + v[1] == 3);
  pthread_barrier_wait(&bar);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&bar, 0, 2);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
