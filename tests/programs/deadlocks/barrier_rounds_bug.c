/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: hang
 * what: one of them stays a round longer */
#include <pthread.h>
static pthread_barrier_t b;
static int turn;
static void *even(void *arg) {
  for (int i = 0; i < 2; i++) {
    turn = 2 * i;
    pthread_barrier_wait(&b);
    pthread_barrier_wait(&b);
  }
  return arg;
}
static void *odd(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_barrier_wait(&b);
    turn = 2 * i + 1;
    pthread_barrier_wait(&b);
  }
  return arg;
}
int main(void) {
  pthread_t x, y;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&x, 0, even, 0);
  pthread_create(&y, 0, odd, 0);
  pthread_join(x, 0);
  pthread_join(y, 0);
  return turn == 3 ? 0 : 1;
}
