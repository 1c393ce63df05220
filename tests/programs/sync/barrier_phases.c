/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a barrier is used again and again: two threads exchange values in
 *   three rounds */
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t bar;
static int cur[2] = {1, 2}, next[2];
static void *work(void *arg) {
  int me = arg != 0;
  for (int i = 0; i < 3; i++) {
    next[me] = cur[!me];
    pthread_barrier_wait(&bar);
    cur[me] = next[me];
    pthread_barrier_wait(&bar);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&bar, 0, 2);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &a);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(cur[0] == 2 && cur[1] == 1);
  return 0;
}
