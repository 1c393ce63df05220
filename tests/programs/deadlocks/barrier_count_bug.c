/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: a barrier for three, and two threads */
#include <pthread.h>
static pthread_barrier_t b;
static int left, right, sum[2];
static void *one(void *arg) {
  left = 3;
  pthread_barrier_wait(&b);
  sum[0] = left + right;
  return arg;
}
static void *two(void *arg) {
  right = 4;
  pthread_barrier_wait(&b);
  sum[1] = left + right;
  return arg;
}
int main(void) {
  pthread_t x, y;
  pthread_barrier_init(&b, 0, 3);
  pthread_create(&x, 0, one, 0);
  pthread_create(&y, 0, two, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  pthread_barrier_destroy(&b);
  return 0;
}
