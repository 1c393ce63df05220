/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=UNSAFE
 * native: skip runs for ever
 * what: main waits for a thread that waits for a post nobody makes, while two
 *       others play with each other for ever */
#include <pthread.h>
#include <semaphore.h>
static sem_t ping, pong, never;
static void *left(void *arg) {
  for (;;) {
    sem_wait(&ping);
    sem_post(&pong);
  }
  return arg;
}
static void *right(void *arg) {
  for (;;) {
    sem_wait(&pong);
    sem_post(&ping);
  }
  return arg;
}
static void *waits(void *arg) {
  sem_wait(&never);
  return arg;
}
int main(void) {
  pthread_t a, b, c;
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  sem_init(&never, 0, 0);
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_create(&c, 0, waits, 0);
  pthread_join(c, 0);
  return 0;
}
