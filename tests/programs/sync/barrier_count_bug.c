/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: the barrier waits for three, two come */
#include <pthread.h>
static pthread_barrier_t bar;
static void *work(void *arg) {
  pthread_barrier_wait(&bar);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&bar, 0, 3);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
